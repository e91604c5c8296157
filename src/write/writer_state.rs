//! The state of a writer: the text that is not yet passed to the output, and the facts about the document so far that
//! decide which markup may follow.

use super::check::{
    html_characters, html_comment, html_instruction, html_name, raw_text, sure, xml_characters,
    xml_comment, xml_instruction, xml_name, xml_name_with_colons, xml_ncname,
};
use super::error::{Reason, Refusal};
use super::escape::{EscapeContext, push};
use super::html::{
    ContentModel, Space, content_model, drops_line_feed, is_block, keeps_white_space, space,
    space_within,
};
use super::scope::{Namespace, Scope};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

/// Number of levels that are indented. Deeper elements get the indentation of this level, because the output would
/// otherwise grow with the square of the depth.
const MAX_INDENT_LEVELS: usize = 64;

/// Number of characters at the end of a raw text that are checked again together with the text that follows, because an
/// end tag can be split between two calls.
const RECHECKED_CHARACTERS: usize = 16;

/// The syntax that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Xml,
    Html,
}

/// An open element.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// Byte offset of the element's name in `WriterState::names`.
    pub(super) name: usize,
    /// Number of namespace bindings that were in scope before the element.
    bindings: usize,
    pub(super) space: Space,
    /// The language of the element's children.
    pub(super) within: Space,
    content: ContentModel,
    /// True if no child gets a line of its own, because this element or one of its ancestors contains text.
    pub(super) has_text: bool,
    keeps_space: bool,
    has_lines: bool,
    is_empty: bool,
}

/// The namespace that the caller requested for the name of the element or of an attribute.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// Byte range of the name in `WriterState::text`.
    pub(super) name: Range<usize>,
    pub(super) namespace: WantedNamespace,
}

/// The name of a requested namespace, which is stored until the tag is complete.
#[derive(Clone, Debug)]
pub(super) enum WantedNamespace {
    /// A shared string.
    Shared(Arc<str>),
    /// A range of `UnfinishedTag::namespaces`.
    Text(Range<usize>),
}

impl WantedNamespace {
    /// Returns the namespace name; `texts` is `UnfinishedTag::namespaces`.
    pub(super) fn name<'n>(&'n self, texts: &'n str) -> Namespace<'n> {
        match self {
            WantedNamespace::Shared(name) => Namespace::Shared(name),
            WantedNamespace::Text(range) => Namespace::Text(&texts[range.clone()]),
        }
    }
}

/// The state of a writer.
#[derive(Clone, Debug)]
pub(super) struct WriterState {
    pub(super) language: Language,
    /// The text that is not yet passed to the output.
    pub(super) text: String,
    /// The indentation of one level, if lines are indented.
    indent: Option<String>,
    /// True if names are qualified names, and namespaces are declared.
    pub(super) has_namespaces: bool,
    /// True if the content of an element is written instead of a document.
    is_content: bool,
    /// The open elements, the innermost last.
    pub(super) open: Vec<Open>,
    /// The names of the open elements, concatenated.
    pub(super) names: String,
    /// The namespace bindings in scope.
    pub(super) scope: Scope,
    pub(super) tag: UnfinishedTag,
    pub(super) document: DocumentFacts,
    /// The end of the raw text that was written last.
    last_raw_text: String,
    /// The reason if a tag was refused when it was complete.
    pub(super) failed: Option<Refusal>,
}

/// The start tag to which attributes can be added.
#[derive(Clone, Debug, Default)]
pub(super) struct UnfinishedTag {
    /// Byte range of the tag's name in `WriterState::text`, or `None` if no tag is unfinished.
    pub(super) name: Option<Range<usize>>,
    /// Byte ranges of the names of its attributes in `WriterState::text`.
    pub(super) attributes: Vec<Range<usize>>,
    /// True if a name in the tag may have a prefix.
    pub(super) has_prefixes: bool,
    /// The namespaces that the caller requested for names in the tag.
    pub(super) wanted: Vec<Wanted>,
    /// The names of the requested namespaces, concatenated.
    pub(super) namespaces: String,
    /// The namespace declarations in the tag: prefix and namespace.
    pub(super) declared: Vec<(String, String)>,
    /// The value of the attribute being written; kept to reuse the memory.
    pub(super) value: String,
}

/// The facts about the document so far that decide which markup may follow.
#[derive(Clone, Debug, Default)]
pub(super) struct DocumentFacts {
    /// True if anything was written.
    pub(super) is_begun: bool,
    /// True if a document type was written.
    pub(super) has_doctype: bool,
    /// True if the document type has an identifier, so that declarations may exist elsewhere.
    pub(super) has_subset: bool,
    /// True if a root element was written.
    pub(super) has_root: bool,
    /// True if text was written outside of all elements, or inline markup that continues its line.
    has_text: bool,
    /// True if the document is XML 1.1.
    pub(super) is_xml11: bool,
    /// True if the XML declaration says `standalone="yes"`.
    pub(super) is_standalone: bool,
}

impl WriterState {
    pub(super) fn new(language: Language) -> WriterState {
        WriterState {
            language,
            text: String::new(),
            indent: None,
            has_namespaces: true,
            is_content: false,
            open: Vec::new(),
            names: String::new(),
            scope: Scope::default(),
            tag: UnfinishedTag::default(),
            document: DocumentFacts::default(),
            last_raw_text: String::new(),
            failed: None,
        }
    }

    pub(super) fn set_indent(&mut self, indent: &str) {
        self.indent = (!indent.is_empty()).then(|| String::from(indent));
    }

    pub(super) fn set_content(&mut self, is_xml11: bool) {
        (self.is_content, self.document.is_xml11) = (true, is_xml11);
    }

    pub(super) fn set_namespaces(&mut self, has_namespaces: bool) {
        self.has_namespaces = has_namespaces;
    }

    /// Refuses a string that is not the name of an element or attribute in XML.
    pub(super) fn xml_name(&self, name: &str) -> Result<(), Refusal> {
        match self.has_namespaces {
            true => xml_name(name),
            false => xml_name_with_colons(name),
        }
    }

    /// Refuses a string that is not a name without colons: the name of an entity, a notation or a target.
    pub(super) fn xml_ncname(&self, name: &str) -> Result<(), Refusal> {
        match self.has_namespaces {
            true => xml_ncname(name),
            false => xml_name_with_colons(name),
        }
    }

    pub(super) fn is_xml(&self) -> bool {
        self.language == Language::Xml
    }

    /// Returns true if all of the text can be passed to the output: no tag is unfinished.
    #[inline(always)]
    pub(super) fn is_ready(&self) -> bool {
        self.tag.name.is_none()
    }

    /// Returns the length of the text without the unfinished tag, in bytes.
    pub(super) fn complete_len(&self) -> usize {
        match &self.tag.name {
            Some(name) => name.start - 1,
            None => self.text.len(),
        }
    }

    /// Returns the context for which text or an attribute value is escaped.
    #[inline(always)]
    pub(super) fn escape_context(&self, is_value: bool) -> EscapeContext {
        EscapeContext {
            is_value,
            xml: self.is_xml().then_some(self.document.is_xml11),
        }
    }

    pub(super) fn innermost(&self) -> Option<(&str, &Open)> {
        let open = self.open.last()?;
        Some((&self.names[open.name..], open))
    }

    // ------------------------------------------------------------------------------------- Elements

    /// Starts an element. `namespace` is the requested namespace, if any.
    pub(super) fn start(
        &mut self,
        name: &str,
        namespace: Option<Namespace<'_>>,
    ) -> Result<(), Refusal> {
        match self.language {
            Language::Xml => self.xml_name(name)?,
            Language::Html => html_name(name)?,
        }
        self.close_tag(false)?;
        self.may_hold()?;
        if self.open.is_empty() {
            let may_be = !self.document.has_root || self.is_content || !self.is_xml();
            sure(may_be, Reason::Root, name)?;
        }
        let space = self.space_of(name, namespace.map(Namespace::as_str))?;
        let content = match space {
            Space::Html if !self.is_xml() => content_model(name),
            _ => ContentModel::All,
        };
        let is_plain = !self.is_xml() && name.eq_ignore_ascii_case("plaintext");
        sure(!is_plain, Reason::RawText, name)?;
        self.begin_line(Some(name));
        self.document.has_root = true;
        let name_from = self.names.len();
        self.push_open(name, space, content);
        self.tag.has_prefixes = name.as_bytes().contains(&b':');
        self.text.push('<');
        let from = self.text.len();
        self.text.push_str(name);
        if !self.is_xml() && space == Space::Html {
            // HTML's parser lowercases the name.
            self.names[name_from..].make_ascii_lowercase();
            self.text[from..].make_ascii_lowercase();
        }
        self.tag.name = Some(from..self.text.len());
        if let Some(namespace) = namespace.filter(|_| self.is_xml() && self.has_namespaces) {
            self.want(from..self.text.len(), namespace);
        }
        Ok(())
    }

    /// Adds an element to the open elements.
    fn push_open(&mut self, name: &str, space: Space, content: ContentModel) {
        let parent = self.open.last();
        let keeps_space = match self.language {
            Language::Xml => parent.is_some_and(|open| open.has_text),
            Language::Html => {
                keeps_white_space(name) || parent.is_some_and(|open| open.keeps_space)
            }
        };
        self.open.push(Open {
            name: self.names.len(),
            bindings: self.scope.len(),
            space,
            within: space_within(name, space),
            content,
            has_text: keeps_space,
            keeps_space,
            has_lines: false,
            is_empty: true,
        });
        self.names.push_str(name);
    }

    /// Returns the language in which an HTML parser would put the element. A requested namespace must be the same.
    fn space_of(&self, name: &str, namespace: Option<&str>) -> Result<Space, Refusal> {
        if self.is_xml() {
            return Ok(Space::Html);
        }
        let parent = self.innermost().map(|(name, open)| (name, open.within));
        let asked = namespace.map(|namespace| match namespace {
            crate::engine::namespaces::SVG => Space::Svg,
            crate::engine::namespaces::MATHML => Space::Math,
            _ => Space::Html,
        });
        let space = space(name, parent).filter(|space| asked.is_none_or(|asked| asked == *space));
        space.ok_or_else(|| Refusal::new(Reason::Foreign, name))
    }

    /// Refuses children in an element that cannot contain elements.
    fn may_hold(&self) -> Result<(), Refusal> {
        match self.innermost() {
            Some((name, open)) => match open.content {
                ContentModel::All => Ok(()),
                ContentModel::Nothing => Err(Refusal::new(Reason::Void, name)),
                ContentModel::RawText | ContentModel::Text => {
                    Err(Refusal::new(Reason::Child, name))
                }
            },
            None => Ok(()),
        }
    }

    /// Ends the innermost element. If `name` is given, it must be the element's name.
    pub(super) fn end(&mut self, name: Option<&str>) -> Result<(), Refusal> {
        let Some((innermost, open)) = self.innermost() else {
            return Err(Refusal::new(Reason::NothingOpen, name.unwrap_or_default()));
        };
        let is_same = |name: &str| match self.language {
            Language::Xml => name == innermost,
            Language::Html => name.eq_ignore_ascii_case(innermost),
        };
        sure(name.is_none_or(is_same), Reason::Unclosed, innermost)?;
        let (has_lines, has_text) = (open.has_lines, open.has_text);
        let (from, bindings, content) = (open.name, open.bindings, open.content);
        let is_empty = self.tag.name.is_some() && self.is_xml();
        self.close_tag(is_empty)?;
        if has_lines && !has_text {
            self.line(self.open.len() - 1);
        }
        if !is_empty && content != ContentModel::Nothing {
            self.text.push_str("</");
            self.text.push_str(&self.names[from..]);
            self.text.push('>');
        }
        self.names.truncate(from);
        self.open.pop();
        if self.scope.len() > bindings {
            self.scope.truncate(bindings);
        }
        self.last_raw_text.clear();
        Ok(())
    }

    // ------------------------------------------------------------------------------- Lines, indented

    /// Begins a new line before a node, if the output is indented. `tag` is the name if the node is an element.
    #[inline(always)]
    pub(super) fn begin_line(&mut self, tag: Option<&str>) {
        self.document.is_begun = true;
        if let Some(open) = self.open.last_mut() {
            open.is_empty = false;
        }
        if self.indent.is_some() {
            self.indent_line(tag);
        }
    }

    #[cold]
    fn indent_line(&mut self, tag: Option<&str>) {
        let is_html = !self.is_xml();
        let begins = tag.is_none_or(|tag| !is_html || is_block(tag));
        let depth = self.open.len();
        let parent = self.innermost().map(|(name, _)| !is_html || is_block(name));
        let Some(open) = self.open.last_mut() else {
            self.document.has_text |= !begins;
            if self.document.has_text {
                // A fragment of HTML: the current line continues.
            } else if !self.text.is_empty() || self.document.has_doctype || self.document.has_root {
                self.line(0);
            }
            return;
        };
        if !begins || parent == Some(false) {
            // Inline markup continues the line, as text does.
            open.has_text = true;
        } else if !open.has_text {
            open.has_lines = true;
            self.line(depth);
        }
    }

    fn line(&mut self, depth: usize) {
        if let Some(indent) = self.indent.take() {
            self.push_line(&indent, depth);
            self.indent = Some(indent);
        }
    }

    pub(super) fn push_line(&mut self, indent: &str, depth: usize) {
        self.text.push('\n');
        self.text
            .extend((0..depth.min(MAX_INDENT_LEVELS)).map(|_| indent));
    }

    // ------------------------------------------------------------------------------------ Character data

    pub(super) fn text(&mut self, text: &str) -> Result<(), Refusal> {
        if text.is_empty() {
            return Ok(());
        }
        self.close_tag(false)?;
        let context = self.escape_context(false);
        let Some(open) = self.open.last_mut() else {
            // References are not allowed outside the root element, so a carriage return, which needs one, is refused.
            let is_space = text
                .bytes()
                .all(|byte| matches!(byte, b'\t' | b'\n' | b' '));
            let may_be = is_space || self.is_content || !self.is_xml();
            sure(may_be, Reason::OutsideRoot, text)?;
            let before = self.text.len();
            let text = match text
                .strip_prefix('\u{FEFF}')
                .filter(|_| !self.document.is_begun)
            {
                // U+FEFF at the start would be read as a byte order mark.
                Some(rest) => {
                    self.text.push_str("&#xFEFF;");
                    rest
                }
                None => text,
            };
            push(&mut self.text, text, context).inspect_err(|_| self.text.truncate(before))?;
            self.document.has_text |= !is_space;
            self.document.is_begun = true;
            return Ok(());
        };
        open.has_text = true;
        if self.language == Language::Html {
            return self.html_text(text);
        }
        let before = self.text.len();
        push(&mut self.text, text, context).inspect_err(|_| self.text.truncate(before))
    }

    fn html_text(&mut self, text: &str) -> Result<(), Refusal> {
        let Some(open) = self.open.last_mut() else {
            return Ok(());
        };
        let name = &self.names[open.name..];
        let is_first = open.is_empty;
        let drops = open.space == Space::Html && drops_line_feed(name);
        match open.content {
            ContentModel::Nothing => return Err(Refusal::new(Reason::Void, name)),
            ContentModel::RawText => {
                let before = self.last_raw_text.len();
                self.last_raw_text.push_str(text);
                if let Err(refusal) = raw_text(name, &self.last_raw_text) {
                    self.last_raw_text.truncate(before);
                    return Err(refusal);
                }
                open.is_empty = false;
                self.text.push_str(text);
                // The start of a comment in a script is kept, because it decides how the rest is parsed.
                let hides =
                    self.last_raw_text.contains("<!--") && name.eq_ignore_ascii_case("script");
                let last = self
                    .last_raw_text
                    .char_indices()
                    .rev()
                    .nth(RECHECKED_CHARACTERS);
                if let Some((at, _)) = last.filter(|_| !hides) {
                    self.last_raw_text.drain(..at);
                } else if let Some((at, _)) = last {
                    self.last_raw_text.replace_range(..at, "<!--");
                }
                return Ok(());
            }
            ContentModel::All | ContentModel::Text => {}
        }
        let (before, context) = (self.text.len(), self.escape_context(false));
        if is_first && drops && text.starts_with('\n') {
            self.text.push('\n');
        }
        push(&mut self.text, text, context).inspect_err(|_| self.text.truncate(before))?;
        if let Some(open) = self.open.last_mut() {
            open.is_empty = false;
        }
        Ok(())
    }

    pub(super) fn cdata(&mut self, text: &str) -> Result<(), Refusal> {
        sure(!text.contains("]]>"), Reason::Cdata, text)?;
        match self.language {
            Language::Xml => xml_characters(text, self.document.is_xml11)?,
            Language::Html => {
                html_characters(text)?;
                sure(!text.contains('\r'), Reason::Character, "\r")?;
            }
        }
        self.close_tag(false)?;
        let is_xml = self.is_xml();
        let Some(open) = self.open.last_mut() else {
            return Err(Refusal::new(Reason::OutsideRoot, text));
        };
        sure(is_xml || open.space != Space::Html, Reason::NoCdata, text)?;
        (open.has_text, open.is_empty) = (true, false);
        self.write(&["<![CDATA[", text, "]]>"]);
        Ok(())
    }

    /// Writes a reference to an entity. It is refused unless the document may have declared the entity elsewhere.
    pub(super) fn reference(&mut self, name: &str) -> Result<(), Refusal> {
        self.xml_ncname(name)?;
        let may_be = self.is_xml() && self.document.has_subset && !self.document.is_standalone;
        sure(may_be, Reason::Entity, name)?;
        self.close_tag(false)?;
        let Some(open) = self.open.last_mut() else {
            return Err(Refusal::new(Reason::OutsideRoot, name));
        };
        open.has_text = true;
        self.write(&["&", name, ";"]);
        Ok(())
    }

    // ------------------------------------------------------------------------------------ Other markup

    pub(super) fn write(&mut self, parts: &[&str]) {
        self.document.is_begun = true;
        self.text.extend(parts.iter().copied());
    }

    pub(super) fn comment(&mut self, text: &str) -> Result<(), Refusal> {
        match self.language {
            Language::Xml => xml_comment(text, self.document.is_xml11)?,
            Language::Html => html_comment(text)?,
        }
        self.close_tag(false)?;
        self.may_hold()?;
        self.begin_line(None);
        self.write(&["<!--", text, "-->"]);
        Ok(())
    }

    pub(super) fn instruction(&mut self, target: &str, data: &str) -> Result<(), Refusal> {
        match self.language {
            Language::Xml => {
                self.xml_ncname(target)?;
                xml_instruction(target, data, self.document.is_xml11)?;
            }
            Language::Html => html_instruction(target, data)?,
        }
        self.close_tag(false)?;
        self.may_hold()?;
        self.begin_line(None);
        let space = if data.is_empty() { "" } else { " " };
        self.write(&["<?", target, space, data, "?>"]);
        Ok(())
    }

    /// Ends the document.
    pub(super) fn finish(&mut self) -> Result<(), Refusal> {
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        if let Some((name, _)) = self.innermost() {
            return Err(Refusal::new(Reason::Unclosed, name));
        }
        let may_end = self.document.has_root || self.is_content || !self.is_xml();
        sure(may_end, Reason::NoRoot, "")?;
        self.close_tag(false)
    }
}
