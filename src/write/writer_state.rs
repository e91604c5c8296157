//! The state of a writer: the text that is not yet passed to the output, and the facts about the document so far that
//! decide which markup may follow.

use super::check::{
    CheckedNames, has_colon, html_comment, html_instruction, html_name, is_plain_name, raw_text,
    sure, xml_comment, xml_instruction, xml_name, xml_name_with_colons, xml_ncname,
};
use super::error::{Reason, Refusal};
use super::escape::{EscapeContext, push};
use super::html::{
    ContentModel, Space, child_space, content_model, drops_line_feed, is_block, keeps_white_space,
    space,
};
use super::scope::{Namespace, Scope};
use crate::engine::scan::same;
use crate::engine::text::xml_names::prefix;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// Maximum number of indentations at the start of a line. Deeper elements are not indented further, because the output
/// would grow with the square of the depth.
const MAX_INDENT_LEVELS: usize = 64;

/// Number of characters at the end of a raw text (such as that of a `script` element) that are checked again together
/// with the text that follows, because an end tag can be split between two calls.
const RECHECKED_CHARACTERS: usize = 16;

/// The markup language that a writer writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Xml,
    Html,
}

/// An open element.
#[derive(Clone, Debug)]
pub(super) struct OpenElement {
    /// Byte offset of the element's name in `WriterState::names`.
    pub(super) name: usize,
    /// Number of namespace bindings that were in scope before the element.
    bindings: usize,
    /// The language that the element belongs to.
    pub(super) space: Space,
    /// The language of the element's children.
    pub(super) within: Space,
    /// The content model of the element: whether it can contain elements, and how text is written.
    content: ContentModel,
    /// True if no child gets a line of its own, because this element or one of its ancestors contains text.
    pub(super) has_text: bool,
    /// True if whitespace in the element is significant in HTML, because of the element or an ancestor (`pre`).
    keeps_space: bool,
    /// True if a child of the element was written on a line of its own, so that the end tag gets one too.
    has_lines: bool,
    /// True if no content of the element was written yet.
    pub(super) is_empty: bool,
}

/// A name of the unfinished tag, and the namespace that the caller requested for the name.
#[derive(Clone, Debug)]
pub(super) struct RequestedName {
    /// Byte range of the name in `WriterState::text`.
    pub(super) name: Range<usize>,
    /// The requested namespace.
    pub(super) namespace: RequestedNamespace,
}

/// The name (URI) of the namespace that the caller requested for a name of the unfinished tag. It is stored until the
/// tag is complete.
#[derive(Clone, Debug)]
pub(super) enum RequestedNamespace {
    /// A shared string.
    Shared(Arc<str>),
    /// A range of `UnfinishedTag::namespaces`.
    Text(Range<usize>),
}

impl RequestedNamespace {
    /// Returns the name of the namespace. `texts` is `UnfinishedTag::namespaces`.
    pub(super) fn name<'n>(&'n self, texts: &'n str) -> Namespace<'n> {
        match self {
            RequestedNamespace::Shared(name) => Namespace::Shared(name),
            RequestedNamespace::Text(range) => Namespace::Text(&texts[range.clone()]),
        }
    }
}

/// The state of a writer.
#[derive(Clone, Debug)]
pub(super) struct WriterState {
    /// The markup language that is written.
    pub(super) language: Language,
    /// Buffer of the markup that was not yet passed to the output. An unfinished start tag is at its end.
    pub(super) text: String,
    /// The string by which each level is indented, or `None` if the output is not indented.
    indent: Option<String>,
    /// True if names are checked as qualified names, and namespaces are declared where they are requested.
    pub(super) has_namespaces: bool,
    /// True if the content of an element is written instead of a document.
    pub(super) is_content: bool,
    /// The open elements, the innermost last.
    pub(super) open: Vec<OpenElement>,
    /// The names of the open elements, concatenated in the order of [`WriterState::open`].
    pub(super) names: String,
    /// The namespace bindings in scope.
    pub(super) scope: Scope,
    /// The start tag to which attributes can still be added.
    pub(super) tag: UnfinishedTag,
    /// The facts about the document so far that decide which markup may follow.
    pub(super) document: DocumentFacts,
    /// The names that were checked last.
    checked_names: CheckedNames,
    /// The last characters of the raw text of the innermost element, which are checked together with the next text.
    last_raw_text: String,
    /// The error of a start tag that was refused when it was complete, which all later calls return. `None` if there
    /// was none.
    pub(super) failed: Option<Refusal>,
}

/// The parts of an unfinished start tag: a start tag to which attributes can still be added.
#[derive(Clone, Debug, Default)]
pub(super) struct UnfinishedTag {
    /// Byte range of the tag's name in `WriterState::text`, or `None` if no tag is unfinished.
    pub(super) name: Option<Range<usize>>,
    /// Byte ranges of the names of the tag's attributes in `WriterState::text`.
    pub(super) attributes: Vec<Range<usize>>,
    /// True if the name of the tag, or of an attribute, has a prefix other than `xml`, and is not in `bound`.
    pub(super) has_prefixes: bool,
    /// True if the name of the element has no prefix, and must be in no namespace.
    pub(super) is_in_no_namespace: bool,
    /// Byte ranges in `WriterState::text` of the names of the tag and its attributes whose requested namespace was bound to
    /// their prefix before the tag, so that they are not in `requested`. A declaration in the tag may still bind the
    /// prefix to another namespace.
    pub(super) bound: Vec<Range<usize>>,
    /// The namespaces that the caller requested for other names in the tag.
    pub(super) requested: Vec<RequestedName>,
    /// The names of the requested namespaces, concatenated.
    pub(super) namespaces: String,
    /// The namespace declarations that the caller added as attributes: prefix and namespace name.
    pub(super) declared: Vec<(String, String)>,
    /// The value of a namespace declaration while it is written. The string is stored here so that its memory is
    /// reused.
    pub(super) value: String,
}

/// The facts about the document so far that decide which markup may follow.
#[derive(Clone, Debug, Default)]
pub(super) struct DocumentFacts {
    /// True if anything was written. An XML declaration is then refused.
    pub(super) is_begun: bool,
    /// True if a document type was written.
    pub(super) has_doctype: bool,
    /// True if the document type has a public or system identifier, so that entities may be declared in an external
    /// subset.
    pub(super) has_subset: bool,
    /// True if an element was written. A second root element and a document type are then refused.
    pub(super) has_root: bool,
    /// True if the top level of HTML, or of XML without a single root element, contains text or an inline element. The
    /// nodes after it do not begin a new line.
    pub(super) has_text: bool,
    /// True if the document is XML 1.1.
    pub(super) is_xml11: bool,
    /// True if the XML declaration says `standalone="yes"`.
    pub(super) is_standalone: bool,
}

impl WriterState {
    /// Returns the state of a writer that has written nothing.
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
            checked_names: CheckedNames::default(),
            last_raw_text: String::new(),
            failed: None,
        }
    }

    /// Sets the string by which each level is indented. An empty string means no indentation.
    pub(super) fn set_indent(&mut self, indent: &str) {
        self.indent = (!indent.is_empty()).then(|| String::from(indent));
    }

    /// Makes the writer accept the content of an element instead of a document, in XML 1.1 if `is_xml11` is true.
    pub(super) fn set_content(&mut self, is_xml11: bool) {
        (self.is_content, self.document.is_xml11) = (true, is_xml11);
    }

    /// Sets whether names are checked as qualified names.
    pub(super) fn set_namespaces(&mut self, has_namespaces: bool) {
        self.has_namespaces = has_namespaces;
        self.checked_names = CheckedNames::default();
    }

    /// Returns whether the name of an element or attribute in XML contains a colon, or an error if the string is not
    /// such a name.
    #[inline]
    pub(super) fn xml_name(&mut self, name: &str) -> Result<bool, Refusal> {
        if is_plain_name(name) {
            return Ok(false);
        }
        let check = match self.has_namespaces {
            true => xml_name,
            false => xml_name_with_colons,
        };
        self.checked_names.has_colon(name, check)
    }

    /// Returns an error if the string is not the name of an entity or notation, or the target of a processing
    /// instruction. Such a name contains no colon, unless namespaces are off.
    pub(super) fn xml_ncname(&self, name: &str) -> Result<(), Refusal> {
        match self.has_namespaces {
            true => xml_ncname(name),
            false => xml_name_with_colons(name),
        }
    }

    /// Returns true if the writer writes XML, not HTML.
    pub(super) fn is_xml(&self) -> bool {
        self.language == Language::Xml
    }

    /// Returns true if no start tag is unfinished, so that the whole buffer can be written to the output.
    #[inline(always)]
    pub(super) fn is_ready(&self) -> bool {
        self.tag.name.is_none()
    }

    /// Returns the number of bytes of the buffer before the unfinished start tag, or of the whole buffer if there is
    /// none.
    pub(super) fn complete_len(&self) -> usize {
        match &self.tag.name {
            Some(name) => name.start - 1,
            None => self.text.len(),
        }
    }

    /// Returns the context for which text (or an attribute value, if `is_value` is true) is escaped.
    #[inline(always)]
    pub(super) fn escape_context(&self, is_value: bool) -> EscapeContext {
        EscapeContext {
            is_value,
            xml: self.is_xml().then_some(self.document.is_xml11),
        }
    }

    /// Returns the innermost open element, with its name.
    pub(super) fn innermost(&self) -> Option<(&str, &OpenElement)> {
        let open = self.open.last()?;
        Some((&self.names[open.name..], open))
    }

    // ------------------------------------------------------------------------------------- Elements

    /// Writes the beginning of a start tag. `namespace` is the namespace that the caller requests for the name, if any.
    pub(super) fn start(
        &mut self,
        name: &str,
        namespace: Option<Namespace<'_>>,
    ) -> Result<(), Refusal> {
        let has_colon = match self.language {
            Language::Xml => self.xml_name(name)?,
            Language::Html => {
                html_name(name)?;
                has_colon(name)
            }
        };
        self.close_tag(false)?;
        self.check_allows_children()?;
        if self.open.is_empty() {
            let may_be = !self.document.has_root || self.is_content || !self.is_xml();
            sure(may_be, Reason::Root, name)?;
        }
        let space = self.find_space(name, namespace.map(Namespace::as_str))?;
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
        self.text.push('<');
        let from = self.text.len();
        self.text.push_str(name);
        if !self.is_xml() && space == Space::Html {
            // HTML's parser lowercases the name.
            self.names[name_from..].make_ascii_lowercase();
            self.text[from..].make_ascii_lowercase();
        }
        self.tag.name = Some(from..self.text.len());
        match namespace.filter(|_| self.is_xml() && self.has_namespaces) {
            Some(namespace) if has_colon || !namespace.as_str().is_empty() => {
                let prefix = if has_colon { prefix(name) } else { None }.unwrap_or_default();
                self.request_namespace(from..self.text.len(), prefix, namespace);
            }
            Some(_) => self.tag.is_in_no_namespace = true,
            None => self.tag.has_prefixes = has_colon,
        }
        Ok(())
    }

    /// Pushes an element on the stack of open elements.
    fn push_open(&mut self, name: &str, space: Space, content: ContentModel) {
        let parent = self.open.last();
        let keeps_space = match self.language {
            Language::Xml => parent.is_some_and(|open| open.has_text),
            Language::Html => {
                keeps_white_space(name) || parent.is_some_and(|open| open.keeps_space)
            }
        };
        self.open.push(OpenElement {
            name: self.names.len(),
            bindings: self.scope.len(),
            space,
            within: child_space(name, space),
            content,
            has_text: keeps_space,
            keeps_space,
            has_lines: false,
            is_empty: true,
        });
        self.names.push_str(name);
    }

    /// Returns the language of the element that an HTML parser would create for a start tag with this name at this
    /// position. Returns an error if the start tag would close the parent, or if the caller requested another
    /// namespace.
    fn find_space(&self, name: &str, namespace: Option<&str>) -> Result<Space, Refusal> {
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

    /// Returns an error if the innermost element cannot contain elements and comments.
    fn check_allows_children(&self) -> Result<(), Refusal> {
        let Some(open) = self.open.last() else {
            return Ok(());
        };
        let reason = match open.content {
            ContentModel::All => return Ok(()),
            ContentModel::Nothing => Reason::Void,
            ContentModel::RawText | ContentModel::Text => Reason::Child,
        };
        Err(Refusal::new(reason, &self.names[open.name..]))
    }

    /// Ends the innermost element. If `name` is given, it must be the element's name.
    pub(super) fn end(&mut self, name: Option<&str>) -> Result<(), Refusal> {
        let Some((innermost, open)) = self.innermost() else {
            return Err(Refusal::new(Reason::NothingOpen, name.unwrap_or_default()));
        };
        let is_same = |name: &str| match self.language {
            Language::Xml => same(name.as_bytes(), innermost.as_bytes()),
            Language::Html => name.eq_ignore_ascii_case(innermost),
        };
        sure(name.is_none_or(is_same), Reason::Unclosed, innermost)?;
        let (has_lines, has_text) = (open.has_lines, open.has_text);
        let (from, bindings, content) = (open.name, open.bindings, open.content);
        let is_empty = self.tag.name.is_some() && self.is_xml();
        self.close_tag(is_empty)?;
        if has_lines && !has_text {
            self.write_line(self.open.len() - 1);
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

    // ------------------------------------------------------------------------------------- Indentation

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

    /// Begins a new line before a node, if whitespace has no effect there. `tag` is the name of the node if the node is
    /// an element.
    #[cold]
    fn indent_line(&mut self, tag: Option<&str>) {
        let is_html = !self.is_xml();
        let begins = tag.is_none_or(|tag| !is_html || is_block(tag));
        let depth = self.open.len();
        let parent = self.innermost().map(|(name, _)| !is_html || is_block(name));
        let Some(open) = self.open.last_mut() else {
            self.document.has_text |= !begins;
            if self.document.has_text {
                // Text or an inline element precedes the node at the top level of HTML, so that a newline would be
                // significant.
            } else if !self.text.is_empty() || self.document.has_doctype || self.document.has_root {
                self.write_line(0);
            }
            return;
        };
        if !begins || parent == Some(false) {
            // A newline before or after inline HTML would be significant, as in text.
            open.has_text = true;
        } else if !open.has_text {
            open.has_lines = true;
            self.write_line(depth);
        }
    }

    /// Writes a newline, and the indentation of the level `depth`.
    fn write_line(&mut self, depth: usize) {
        if let Some(indent) = &self.indent {
            let _ = write_line(&mut self.text, indent, depth);
        }
    }

    // ------------------------------------------------------------------------------------ Character data

    /// Writes text, escaped for its context.
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

    /// Writes text in the innermost element of HTML, as the content model of the element requires.
    fn html_text(&mut self, text: &str) -> Result<(), Refusal> {
        let Some(open) = self.open.last_mut() else {
            return Ok(());
        };
        let name = &self.names[open.name..];
        // PERF: few texts begin with a newline, so the name is looked up last.
        let loses_newline = open.is_empty
            && text.starts_with('\n')
            && open.space == Space::Html
            && drops_line_feed(name);
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
                // `<!--` in a script is retained, however long ago it was written, because a parser reads `<script`
                // after it differently.
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
        if loses_newline {
            self.text.push('\n');
        }
        push(&mut self.text, text, context).inspect_err(|_| self.text.truncate(before))?;
        if let Some(open) = self.open.last_mut() {
            open.is_empty = false;
        }
        Ok(())
    }

    /// Writes a reference to an entity. Returns an error unless an external subset may declare the entity.
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

    /// Appends the strings `parts` to the buffer.
    pub(super) fn write(&mut self, parts: &[&str]) {
        self.document.is_begun = true;
        self.text.extend(parts.iter().copied());
    }

    /// Writes a comment.
    pub(super) fn comment(&mut self, text: &str) -> Result<(), Refusal> {
        match self.language {
            Language::Xml => xml_comment(text, self.document.is_xml11)?,
            Language::Html => html_comment(text)?,
        }
        self.close_tag(false)?;
        self.check_allows_children()?;
        self.begin_line(None);
        self.write(&["<!--", text, "-->"]);
        Ok(())
    }

    /// Writes a processing instruction.
    pub(super) fn instruction(&mut self, target: &str, data: &str) -> Result<(), Refusal> {
        match self.language {
            Language::Xml => {
                self.xml_ncname(target)?;
                xml_instruction(target, data, self.document.is_xml11)?;
            }
            Language::Html => html_instruction(target, data)?,
        }
        self.close_tag(false)?;
        self.check_allows_children()?;
        self.begin_line(None);
        let space = if data.is_empty() { "" } else { " " };
        self.write(&["<?", target, space, data, "?>"]);
        Ok(())
    }

    /// Completes the last start tag, and returns an error if the document cannot end here: an element is open, or an
    /// XML document has no root element.
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

/// Writes a newline, and `depth` times the string `indent`, at most [`MAX_INDENT_LEVELS`] times.
pub(crate) fn write_line(out: &mut impl fmt::Write, indent: &str, depth: usize) -> fmt::Result {
    out.write_char('\n')?;
    (0..depth.min(MAX_INDENT_LEVELS)).try_for_each(|_| out.write_str(indent))
}
