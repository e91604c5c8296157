//! What has been written so far, as far as it tells what may come next, and the text that is yet to be put out.
//! It must not know where that goes.

use super::check::{
    html_attribute_name, html_characters, html_comment, html_doctype, html_instruction, html_name,
    identifiers, raw_text, sure, xml_characters, xml_comment, xml_instruction, xml_name,
    xml_name_with_colons, xml_ncname,
};
use super::error::{Reason, Refusal};
use super::escape::{Place, push};
use super::html::{Holds, Space, drops_line_feed, holds, is_block, space};
use super::scope::Scope;
use super::value::{Escaping, declared_prefix, may_declare, push_identifiers};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Write};
use core::ops::Range;

/// Deeper elements are not indented further: what is written would grow with the square of the depth.
const DEEPEST: usize = 64;

/// So much of a script's text is looked at again with what follows it.
const BEHIND: usize = 16;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Xml,
    Html,
}

/// An element that is open.
#[derive(Clone, Debug)]
struct Open {
    /// Where its name begins among the names of all that are open.
    name: usize,
    /// How many bindings there were before it.
    bindings: usize,
    space: Space,
    holds: Holds,
    has_text: bool,
    has_lines: bool,
    is_empty: bool,
}

/// A namespace that a name is to be in: of the element, or of an attribute.
#[derive(Clone, Debug)]
struct Wanted {
    /// In what is yet to be put out.
    name: Range<usize>,
    /// Among the namespaces wanted.
    namespace: Range<usize>,
}

/// What is written next, and what was.
#[derive(Clone, Debug)]
pub(super) struct Pen {
    language: Language,
    /// What is yet to be put out.
    pub(super) text: String,
    indent: Option<String>,
    has_namespaces: bool,

    open: Vec<Open>,
    names: String,
    /// The names of the attributes of the tag that is open, in what is yet to be put out.
    attributes: Vec<Range<usize>>,
    tag: Option<Range<usize>>,
    wanted: Vec<Wanted>,
    namespaces: String,
    scope: Scope,
    /// The declarations of the tag that is open: prefix and namespace.
    declared: Vec<(String, String)>,
    value: String,

    is_begun: bool,
    has_doctype: bool,
    has_subset: bool,
    has_root: bool,
    is_xml11: bool,
    is_standalone: bool,
    /// What was written last of a raw text.
    behind: String,
    /// A tag that was refused when it was complete.
    failed: Option<Refusal>,
}

impl Pen {
    pub(super) fn new(language: Language) -> Pen {
        Pen {
            language,
            text: String::new(),
            indent: None,
            has_namespaces: true,
            open: Vec::new(),
            names: String::new(),
            attributes: Vec::new(),
            tag: None,
            wanted: Vec::new(),
            namespaces: String::new(),
            scope: Scope::default(),
            declared: Vec::new(),
            value: String::new(),
            is_begun: false,
            has_doctype: false,
            has_subset: false,
            has_root: false,
            is_xml11: false,
            is_standalone: false,
            behind: String::new(),
            failed: None,
        }
    }

    pub(super) fn set_indent(&mut self, indent: &str) {
        self.indent = (!indent.is_empty()).then(|| String::from(indent));
    }

    pub(super) fn set_namespaces(&mut self, has_namespaces: bool) {
        self.has_namespaces = has_namespaces;
    }

    /// Refuses what is no name of an element or attribute of XML.
    fn xml_name(&self, name: &str) -> Result<(), Refusal> {
        match self.has_namespaces {
            true => xml_name(name),
            false => xml_name_with_colons(name),
        }
    }

    pub(super) fn is_xml(&self) -> bool {
        self.language == Language::Xml
    }

    /// Whether what is written so far can be put out: no tag is open, to which more may come.
    #[inline(always)]
    pub(super) fn is_ready(&self) -> bool {
        self.tag.is_none()
    }

    /// Where text stands, and values.
    #[inline(always)]
    fn place(&self, is_value: bool) -> Place {
        Place {
            is_value,
            xml: self.is_xml().then_some(self.is_xml11),
        }
    }

    fn innermost(&self) -> Option<(&str, &Open)> {
        let open = self.open.last()?;
        Some((&self.names[open.name..], open))
    }

    // ------------------------------------------------------------------------------------- Elements

    /// The start of an element; what `namespace` it is to be in, if that is said.
    pub(super) fn start(&mut self, name: &str, namespace: Option<&str>) -> Result<(), Refusal> {
        match self.language {
            Language::Xml => self.xml_name(name)?,
            Language::Html => html_name(name)?,
        }
        self.close_tag(false)?;
        self.may_hold()?;
        if self.open.is_empty() {
            sure(!self.has_root || !self.is_xml(), Reason::Root, name)?;
        }
        let space = self.space_of(name, namespace);
        let holds = match space {
            Space::Html if !self.is_xml() => holds(name),
            _ => Holds::All,
        };
        let is_plain = !self.is_xml() && name.eq_ignore_ascii_case("plaintext");
        sure(!is_plain, Reason::RawText, name)?;
        self.begin_line(Some(name));
        self.has_root = true;
        self.open.push(Open {
            name: self.names.len(),
            bindings: self.scope.len(),
            space,
            holds,
            has_text: false,
            has_lines: false,
            is_empty: true,
        });
        self.names.push_str(name);
        self.text.push('<');
        let from = self.text.len();
        self.text.push_str(name);
        self.tag = Some(from..self.text.len());
        if let Some(namespace) = namespace.filter(|_| self.is_xml() && self.has_namespaces) {
            self.want(from..self.text.len(), namespace);
        }
        Ok(())
    }

    fn space_of(&self, name: &str, namespace: Option<&str>) -> Space {
        match namespace {
            _ if self.is_xml() => Space::Html,
            Some(crate::namespaces::SVG) => Space::Svg,
            Some(crate::namespaces::MATHML) => Space::Math,
            Some(_) => Space::Html,
            None => space(
                name,
                self.innermost().map(|(name, open)| (name, open.space)),
            ),
        }
    }

    /// Whether something can stand in the innermost element.
    fn may_hold(&self) -> Result<(), Refusal> {
        match self.innermost() {
            Some((name, open)) => match open.holds {
                Holds::All => Ok(()),
                Holds::Nothing => Err(Refusal::new(Reason::Void, name)),
                Holds::RawText | Holds::Text => Err(Refusal::new(Reason::Child, name)),
            },
            None => Ok(()),
        }
    }

    fn want(&mut self, name: Range<usize>, namespace: &str) {
        let from = self.namespaces.len();
        self.namespaces.push_str(namespace);
        let namespace = from..self.namespaces.len();
        self.wanted.push(Wanted { name, namespace });
    }

    /// An attribute of the tag that is open.
    pub(super) fn attribute(
        &mut self,
        name: &str,
        namespace: Option<&str>,
        value: &dyn Display,
    ) -> Result<(), Refusal> {
        sure(self.tag.is_some(), Reason::NoTag, name)?;
        let is_xml = self.is_xml();
        match self.language {
            Language::Xml => self.xml_name(name)?,
            Language::Html => html_attribute_name(name)?,
        }
        let is_same = |other: &Range<usize>| {
            let other = &self.text[other.clone()];
            other == name || !is_xml && other.eq_ignore_ascii_case(name)
        };
        // Beyond a few they are looked at when all are there.
        if self.attributes.len() < FEW {
            sure(
                !self.attributes.iter().any(is_same),
                Reason::Duplicate,
                name,
            )?;
        }
        let is_spaced = is_xml && self.has_namespaces;
        let prefix = is_spaced.then(|| declared_prefix(name)).flatten();
        if let Some(prefix) = prefix {
            self.value.clear();
            let _ = write!(self.value, "{value}");
            may_declare(prefix, &self.value, self.is_xml11)?;
            let value = core::mem::take(&mut self.value);
            let written = self.push_attribute(name, &value);
            self.declared.push((String::from(prefix), value));
            return written;
        }
        let from = self.text.len() + 1;
        self.push_attribute(name, value)?;
        if let Some(namespace) = namespace.filter(|_| is_spaced) {
            self.want(from..from + name.len(), namespace);
        }
        Ok(())
    }

    /// Writes an attribute; nothing of it, if its value cannot be written.
    fn push_attribute(&mut self, name: &str, value: impl Display) -> Result<(), Refusal> {
        let before = self.text.len();
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        let mut escaping = Escaping {
            place: self.place(true),
            out: &mut self.text,
            refusal: None,
        };
        let written = write!(escaping, "{value}");
        if let Some(refusal) = escaping.refusal {
            self.text.truncate(before);
            return Err(refusal);
        }
        if written.is_err() {
            self.text.truncate(before);
            return Err(Refusal::new(Reason::Character, name));
        }
        self.text.push('"');
        self.attributes.push(before + 1..before + 1 + name.len());
        Ok(())
    }

    /// Completes the tag that is open, if one is.
    #[inline(always)]
    fn close_tag(&mut self, is_empty: bool) -> Result<(), Refusal> {
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        match self.tag.take() {
            Some(name) => self.complete(name, is_empty).inspect_err(|refusal| {
                self.failed = Some(refusal.clone());
            }),
            None => Ok(()),
        }
    }

    fn complete(&mut self, name: Range<usize>, is_empty: bool) -> Result<(), Refusal> {
        if self.attributes.len() > FEW {
            self.find_duplicates()?;
        }
        if self.is_xml() && self.has_namespaces {
            for (prefix, namespace) in self.declared.drain(..) {
                self.scope.bind(&prefix, &namespace);
            }
            if !self.wanted.is_empty() {
                self.declare_wanted()?;
            }
            self.find_unbound(name)?;
        }
        self.attributes.clear();
        self.text.push_str(if is_empty { "/>" } else { ">" });
        Ok(())
    }

    /// Refuses an attribute whose name has come before.
    #[cold]
    fn find_duplicates(&self) -> Result<(), Refusal> {
        let mut names: Vec<String> = self
            .attributes
            .iter()
            .map(|name| match self.language {
                Language::Xml => String::from(&self.text[name.clone()]),
                Language::Html => self.text[name.clone()].to_ascii_lowercase(),
            })
            .collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Refusal::new(Reason::Duplicate, &pair[0])),
            None => Ok(()),
        }
    }

    /// Declares the namespaces that names of the tag are to be in, and are not.
    fn declare_wanted(&mut self) -> Result<(), Refusal> {
        let wanted = core::mem::take(&mut self.wanted);
        let namespaces = core::mem::take(&mut self.namespaces);
        for Wanted { name, namespace } in &wanted {
            let namespace = &namespaces[namespace.clone()];
            let name = String::from(&self.text[name.clone()]);
            let prefix = name.split_once(':').map_or("", |(prefix, _)| prefix);
            if self.scope.find(prefix) == namespace {
                continue;
            }
            let is_declared = |name: &Range<usize>| {
                let declared = declared_prefix(&self.text[name.clone()]);
                declared == Some(prefix)
            };
            // One prefix for two namespaces, in one tag.
            let is_taken = self.attributes.iter().any(is_declared);
            sure(!is_taken, Reason::Prefix, &name)?;
            may_declare(prefix, namespace, self.is_xml11)?;
            let declaration = match prefix {
                "" => String::from("xmlns"),
                prefix => alloc::format!("xmlns:{prefix}"),
            };
            self.push_attribute(&declaration, namespace)?;
            self.scope.bind(prefix, namespace);
        }
        (self.wanted, self.namespaces) = (wanted, namespaces);
        self.wanted.clear();
        self.namespaces.clear();
        Ok(())
    }

    /// Refuses prefixes that are not bound, and attributes that are one by namespace and local name.
    fn find_unbound(&self, name: Range<usize>) -> Result<(), Refusal> {
        let name = &self.text[name];
        if let Some((prefix, _)) = name.split_once(':') {
            let is_bound = !self.scope.find(prefix).is_empty() && prefix != "xmlns";
            sure(is_bound, Reason::Prefix, name)?;
        }
        let mut prefixed = Vec::new();
        for name in &self.attributes {
            let name = &self.text[name.clone()];
            let Some((prefix, local)) = name.split_once(':') else {
                continue;
            };
            if prefix == "xmlns" {
                continue;
            }
            let namespace = self.scope.find(prefix);
            sure(!namespace.is_empty(), Reason::Prefix, name)?;
            prefixed.push((local, namespace));
        }
        if prefixed.len() > 1 {
            prefixed.sort_unstable();
            if let Some(pair) = prefixed.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(Refusal::new(Reason::Duplicate, pair[0].0));
            }
        }
        Ok(())
    }

    /// The end of the innermost element; its name is to be `name`, if that is said.
    pub(super) fn end(&mut self, name: Option<&str>) -> Result<(), Refusal> {
        let Some((innermost, open)) = self.innermost() else {
            return Err(Refusal::new(Reason::NothingOpen, name.unwrap_or_default()));
        };
        sure(
            name.is_none_or(|name| name == innermost),
            Reason::Unclosed,
            innermost,
        )?;
        let (has_lines, has_text) = (open.has_lines, open.has_text);
        let (from, bindings, holds) = (open.name, open.bindings, open.holds);
        let is_empty = self.tag.is_some() && self.is_xml();
        self.close_tag(is_empty)?;
        if has_lines && !has_text {
            self.line(self.open.len() - 1);
        }
        if !is_empty && holds != Holds::Nothing {
            self.text.push_str("</");
            self.text.push_str(&self.names[from..]);
            self.text.push('>');
        }
        self.names.truncate(from);
        self.open.pop();
        if self.scope.len() > bindings {
            self.scope.truncate(bindings);
        }
        self.behind.clear();
        Ok(())
    }

    // ------------------------------------------------------------------------------- Lines, indented

    /// Something begins here that stands on a line of its own, where lines are: a tag, if that has a name.
    #[inline(always)]
    fn begin_line(&mut self, tag: Option<&str>) {
        self.is_begun = true;
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
            if !self.text.is_empty() || self.has_doctype || self.has_root {
                self.line(0);
            }
            return;
        };
        if !begins || parent == Some(false) {
            // It goes on with the line, as text does.
            open.has_text = true;
        } else if !open.has_text {
            open.has_lines = true;
            self.line(depth);
        }
    }

    fn line(&mut self, depth: usize) {
        let Some(indent) = &self.indent else { return };
        self.text.push('\n');
        for _ in 0..depth.min(DEEPEST) {
            self.text.push_str(indent);
        }
    }

    // ------------------------------------------------------------------------------------ Character data

    pub(super) fn text(&mut self, text: &str) -> Result<(), Refusal> {
        if text.is_empty() {
            return Ok(());
        }
        self.close_tag(false)?;
        let place = self.place(false);
        let Some(open) = self.open.last_mut() else {
            let is_space = text.bytes().all(super::check::is_space) && !text.contains('\u{C}');
            sure(is_space || !self.is_xml(), Reason::OutsideRoot, text)?;
            self.is_begun = true;
            return push(&mut self.text, text, place);
        };
        open.has_text = true;
        if self.language == Language::Html {
            return self.html_text(text);
        }
        let before = self.text.len();
        push(&mut self.text, text, place).inspect_err(|_| self.text.truncate(before))
    }

    fn html_text(&mut self, text: &str) -> Result<(), Refusal> {
        let Some(open) = self.open.last_mut() else {
            return Ok(());
        };
        let name = &self.names[open.name..];
        let is_first = core::mem::replace(&mut open.is_empty, false);
        match open.holds {
            Holds::Nothing => return Err(Refusal::new(Reason::Void, name)),
            Holds::RawText => {
                self.behind.push_str(text);
                raw_text(name, &self.behind)?;
                self.text.push_str(text);
                // A comment in a script stays one, however long it is.
                let hides = self.behind.contains("<!--") && name.eq_ignore_ascii_case("script");
                let last = self.behind.char_indices().rev().nth(BEHIND);
                if let Some((at, _)) = last.filter(|_| !hides) {
                    self.behind.drain(..at);
                } else if let Some((at, _)) = last {
                    self.behind.replace_range(..at, "<!--");
                }
                return Ok(());
            }
            Holds::All | Holds::Text => {}
        }
        if is_first && open.space == Space::Html && text.starts_with('\n') && drops_line_feed(name)
        {
            self.text.push('\n');
        }
        let (before, place) = (self.text.len(), self.place(false));
        push(&mut self.text, text, place).inspect_err(|_| self.text.truncate(before))
    }

    pub(super) fn cdata(&mut self, text: &str) -> Result<(), Refusal> {
        sure(!text.contains("]]>"), Reason::Cdata, text)?;
        match self.language {
            Language::Xml => xml_characters(text, self.is_xml11)?,
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

    /// A reference to an entity that is not read: only where a document may have declared it elsewhere.
    pub(super) fn reference(&mut self, name: &str) -> Result<(), Refusal> {
        xml_ncname(name)?;
        let may_be = self.is_xml() && self.has_subset && !self.is_standalone;
        sure(may_be, Reason::Entity, name)?;
        self.close_tag(false)?;
        let Some(open) = self.open.last_mut() else {
            return Err(Refusal::new(Reason::OutsideRoot, name));
        };
        open.has_text = true;
        self.write(&["&", name, ";"]);
        Ok(())
    }

    // ------------------------------------------------------------------------------------ All else

    fn write(&mut self, parts: &[&str]) {
        self.is_begun = true;
        self.text.extend(parts.iter().copied());
    }

    pub(super) fn comment(&mut self, text: &str) -> Result<(), Refusal> {
        match self.language {
            Language::Xml => xml_comment(text, self.is_xml11)?,
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
            Language::Xml => xml_instruction(target, data, self.is_xml11)?,
            Language::Html => html_instruction(target, data)?,
        }
        self.close_tag(false)?;
        self.may_hold()?;
        self.begin_line(None);
        let space = if data.is_empty() { "" } else { " " };
        self.write(&["<?", target, space, data, "?>"]);
        Ok(())
    }

    pub(super) fn declaration(
        &mut self,
        version: &str,
        has_encoding: bool,
        standalone: Option<bool>,
    ) -> Result<(), Refusal> {
        let digits = version.strip_prefix("1.").unwrap_or_default();
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        sure(self.is_xml() && is_number, Reason::Declaration, version)?;
        sure(!self.is_begun, Reason::NotFirst, version)?;
        self.is_begun = true;
        self.is_xml11 = version == "1.1";
        self.is_standalone = standalone == Some(true);
        let encoding = if has_encoding {
            " encoding=\"UTF-8\""
        } else {
            ""
        };
        let standalone = match standalone {
            Some(true) => " standalone=\"yes\"",
            Some(false) => " standalone=\"no\"",
            None => "",
        };
        self.write(&[
            "<?xml version=\"",
            version,
            "\"",
            encoding,
            standalone,
            "?>",
        ]);
        Ok(())
    }

    /// The document type, and the declarations that stand in it, each of its name and identifiers.
    pub(super) fn doctype(
        &mut self,
        name: &str,
        (public, system): (Option<&str>, Option<&str>),
        subset: &str,
    ) -> Result<(), Refusal> {
        match self.language {
            Language::Xml => {
                self.xml_name(name)?;
                // There is none of the public identifier alone.
                let is_well = public.is_none() || system.is_some();
                sure(is_well, Reason::Identifier, public.unwrap_or_default())?;
            }
            Language::Html => html_doctype(name)?,
        }
        identifiers(public, system)?;
        let is_html = !self.is_xml();
        let ends = |id: Option<&str>| is_html && id.is_some_and(|id| id.contains(['>', '\0']));
        sure(!ends(public) && !ends(system), Reason::Identifier, name)?;
        let comes_first = !self.has_doctype && !self.has_root && self.open.is_empty();
        sure(comes_first, Reason::Doctype, name)?;
        self.begin_line(None);
        self.has_doctype = true;
        self.has_subset = public.is_some() || system.is_some();
        self.write(&["<!DOCTYPE ", name]);
        push_identifiers(&mut self.text, public, system);
        if !subset.is_empty() {
            self.write(&[" [", subset, "]"]);
        }
        self.text.push('>');
        Ok(())
    }

    /// The end of the document.
    pub(super) fn finish(&mut self) -> Result<(), Refusal> {
        if let Some((name, _)) = self.innermost() {
            return Err(Refusal::new(Reason::Unclosed, name));
        }
        sure(self.has_root || !self.is_xml(), Reason::NoRoot, "")?;
        self.close_tag(false)
    }
}

/// Up to so many attributes of a tag are compared as they come.
const FEW: usize = 8;
