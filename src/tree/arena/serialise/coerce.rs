//! Coercion of a tree to XML: names, texts and identifiers that XML cannot express are replaced or left out, and each
//! change is reported.
//!
//! Names are coerced as in "Coercing an HTML DOM into an infoset" of the HTML standard, 13.2.9.
//! <https://html.spec.whatwg.org/#coercing-an-html-dom-into-an-infoset>. The functions do not depend on the output, so
//! that they exist once. `tag.rs` coerces the names and attributes of an element.

use super::coercions::Coercions;
use super::namespaces::Shared;
use super::tag::Tag;
use super::xml::{self, Style};
use crate::engine::document_mode::XmlVersion;
use crate::engine::hash_seed::Seeds;
use crate::engine::text::xml_names::{
    is_char, is_name_char, is_name_start_char, is_pubid_char, is_white_space,
};
use crate::tree::arena::document::Document;
use crate::tree::arena::node::{Node, NodeKind};
use crate::tree::arena::node_id::NodeId;
use crate::tree::qualified_name::NamespaceId;
use crate::write::{Reason, Textwise, WriteError};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Write;
use hashbrown::HashMap;

/// The function that [`Serializer::coerce`](super::Serializer::coerce) requests. The serializer has a pointer to it, so
/// that the code of the coercion is only in programs that request it.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoercionMethod {
    /// Writes a node with its descendants, coerced, and returns the changes.
    pub(super) write: fn(Node<'_>, &Style<'_>, &mut dyn Write) -> Result<Coercions, WriteError>,
}

impl CoercionMethod {
    pub(super) const HTML_STANDARD: CoercionMethod = CoercionMethod { write };
}

impl PartialEq for CoercionMethod {
    /// There is one coercion. The addresses of functions cannot be compared.
    fn eq(&self, _: &CoercionMethod) -> bool {
        true
    }
}

impl Eq for CoercionMethod {}

fn write(top: Node<'_>, style: &Style<'_>, out: &mut dyn Write) -> Result<Coercions, WriteError> {
    let coercer = Coercer::new(top.document(), style.has_namespaces);
    let coercer = xml::write::<_, Textwise, _>(top, style, Some(coercer), out)?;
    Ok(coercer.map(|coercer| coercer.changes).unwrap_or_default())
}

/// A coercion, as the writer of XML sees it.
pub(super) trait Coerce<'a> {
    /// Sets the node to which the following changes belong.
    fn set_node(&mut self, node: NodeId);

    /// Reports that `what` is written as `written`, or is left out if `written` is `None`.
    fn report(&mut self, reason: Reason, what: &str, written: Option<&str>);

    /// Returns the name and the text of a text node, a comment or a processing instruction. If `is_whole` is true, a whole
    /// document is written, in which only whitespace is allowed outside the root element.
    fn content(&mut self, node: Node<'a>, is_whole: bool) -> (Cow<'a, str>, Cow<'a, str>);

    /// Returns the text of a text node, or the value of an attribute of an element, as it is written. Reports no change.
    fn written<'n>(&self, node: Node<'_>, text: &'n str, is_whole: bool) -> Cow<'n, str>;

    /// Returns the target and the data of a processing instruction.
    fn instruction<'n>(&mut self, target: &'n str, data: &'n str) -> (Cow<'n, str>, Cow<'n, str>);

    /// Returns the name and the identifiers of a document type.
    fn doctype<'n>(
        &mut self,
        name: &'n str,
        ids: (Option<&'n str>, Option<&'n str>),
    ) -> Identified<'n>;

    /// Returns the name and the identifiers of a notation, or `None` if the notation has no identifier, so that XML
    /// cannot declare the notation.
    fn notation<'n>(
        &mut self,
        name: &'n str,
        ids: (Option<&'n str>, Option<&'n str>),
    ) -> Option<Identified<'n>>;

    /// Returns the start tag of an element. The names of namespaces are stored in `shared`.
    fn tag(&mut self, shared: &mut Shared<'a>, element: Node<'a>) -> Tag<'a>;
}

/// No coercion: the writer refuses what XML cannot express.
pub(super) enum Refused {}

impl<'a> Coerce<'a> for Refused {
    fn set_node(&mut self, _: NodeId) {
        match *self {}
    }

    fn report(&mut self, _: Reason, _: &str, _: Option<&str>) {
        match *self {}
    }

    fn content(&mut self, _: Node<'a>, _: bool) -> (Cow<'a, str>, Cow<'a, str>) {
        match *self {}
    }

    fn written<'n>(&self, _: Node<'_>, _: &'n str, _: bool) -> Cow<'n, str> {
        match *self {}
    }

    fn instruction<'n>(&mut self, _: &'n str, _: &'n str) -> (Cow<'n, str>, Cow<'n, str>) {
        match *self {}
    }

    fn doctype<'n>(&mut self, _: &'n str, _: (Option<&'n str>, Option<&'n str>)) -> Identified<'n> {
        match *self {}
    }

    fn notation<'n>(
        &mut self,
        _: &'n str,
        _: (Option<&'n str>, Option<&'n str>),
    ) -> Option<Identified<'n>> {
        match *self {}
    }

    fn tag(&mut self, _: &mut Shared<'a>, _: Node<'a>) -> Tag<'a> {
        match *self {}
    }
}

/// The state of a coercion while a tree is written.
pub(super) struct Coercer<'a> {
    pub(super) document: &'a Document,
    pub(super) is_xml11: bool,
    pub(super) has_namespaces: bool,
    /// The ID of the node that is being written.
    node: NodeId,
    changes: Coercions,
    /// For each namespace of the document that was used, by the index of its ID: the namespace that is written for it.
    written: Vec<Option<Written>>,
    /// The namespaces that were used, by the names that are written.
    by_name: HashMap<Arc<str>, NamespaceId, Seeds>,
}

/// The namespace that is written for a namespace of the document.
#[derive(Clone, Copy)]
struct Written {
    /// The first namespace with the same coerced name, or `None` if the coerced name is empty.
    namespace: Option<NamespaceId>,
    /// True if the coerced name is not the name in the tree.
    is_changed: bool,
}

/// The name and the identifiers of a document type or a notation, coerced.
pub(super) struct Identified<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) public_id: Option<Cow<'a, str>>,
    pub(super) system_id: Option<Cow<'a, str>>,
}

/// The places in which a text is written. They differ in the characters that can be written as references.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the content of an element or in a value, where references are allowed.
    Content,
    /// In a comment, a processing instruction or an identifier, where references are not allowed.
    Markup,
}

impl<'a> Coerce<'a> for Coercer<'a> {
    fn set_node(&mut self, node: NodeId) {
        self.node = node;
    }

    fn report(&mut self, reason: Reason, what: &str, written: Option<&str>) {
        self.changes.add(reason, what, written, self.node.index());
    }

    fn content(&mut self, node: Node<'a>, is_whole: bool) -> (Cow<'a, str>, Cow<'a, str>) {
        let text = node.text();
        match node.kind() {
            NodeKind::Text => (
                Cow::Borrowed(""),
                self.text(text, is_whole && is_left_out(node, text)),
            ),
            NodeKind::Comment => (Cow::Borrowed(""), self.comment(text)),
            _ => self.instruction(node.name(), text),
        }
    }

    fn written<'n>(&self, node: Node<'_>, text: &'n str, is_whole: bool) -> Cow<'n, str> {
        match is_whole && node.is_text() && is_left_out(node, text) {
            true => Cow::Borrowed(""),
            false => characters(text, Place::Content, self.is_xml11),
        }
    }

    fn instruction<'n>(&mut self, target: &'n str, data: &'n str) -> (Cow<'n, str>, Cow<'n, str>) {
        let written = match target.eq_ignore_ascii_case("xml") {
            true => Cow::Owned(escaped_first(target)),
            false => self.ncname(target),
        };
        let target = self.changed(Reason::Instruction, target, written);
        let mut written = characters(data, Place::Markup, self.is_xml11);
        if written.starts_with(is_white_space) {
            written = Cow::Owned(String::from(written.trim_start_matches(is_white_space)));
        }
        if written.contains("?>") {
            written = Cow::Owned(written.replace("?>", "? >"));
        }
        (target, self.changed(Reason::Instruction, data, written))
    }

    fn doctype<'n>(
        &mut self,
        name: &'n str,
        ids: (Option<&'n str>, Option<&'n str>),
    ) -> Identified<'n> {
        let written = match (self.has_namespaces, name.split_once(':')) {
            (true, Some((prefix, local)))
                if !prefix.is_empty() && !local.is_empty() && !local.contains(':') =>
            {
                match (self.ncname(prefix), self.ncname(local)) {
                    (Cow::Borrowed(_), Cow::Borrowed(_)) => Cow::Borrowed(name),
                    (prefix, local) => Cow::Owned(alloc::format!("{prefix}:{local}")),
                }
            }
            _ => self.ncname(name),
        };
        let name = self.changed(Reason::Name, name, written);
        self.identified(name, ids)
    }

    fn notation<'n>(
        &mut self,
        name: &'n str,
        ids: (Option<&'n str>, Option<&'n str>),
    ) -> Option<Identified<'n>> {
        if ids == (None, None) {
            self.report(Reason::Identifier, name, None);
            return None;
        }
        let written = self.ncname(name);
        let name = self.changed(Reason::Name, name, written);
        Some(self.identified(name, ids))
    }

    fn tag(&mut self, shared: &mut Shared<'a>, element: Node<'a>) -> Tag<'a> {
        self.start_tag(shared, element)
    }
}

impl<'a> Coercer<'a> {
    fn new(document: &'a Document, has_namespaces: bool) -> Coercer<'a> {
        Coercer {
            document,
            is_xml11: document.xml_version() == XmlVersion::Xml11,
            has_namespaces,
            node: NodeId::DOCUMENT,
            changes: Coercions::default(),
            written: Vec::new(),
            by_name: HashMap::default(),
        }
    }

    /// Returns the namespace that is written for `namespace`. Stores the coerced name of the namespace in `shared`.
    pub(super) fn namespace(
        &mut self,
        shared: &mut Shared<'a>,
        namespace: Option<NamespaceId>,
    ) -> Option<NamespaceId> {
        let namespace = namespace?;
        let written = match self.written.get(namespace.index()) {
            Some(Some(written)) => *written,
            _ => self.find_written(shared, namespace),
        };
        if written.is_changed {
            let name = self.document.names.namespace_name(namespace);
            let written = shared.name(written.namespace).as_str();
            self.report(Reason::Character, name, Some(written));
        }
        written.namespace
    }

    fn find_written(&mut self, shared: &mut Shared<'a>, namespace: NamespaceId) -> Written {
        let at = namespace.index();
        let name = self.document.names.namespace_name(namespace);
        let name = characters(name, Place::Content, self.is_xml11);
        let is_changed = matches!(name, Cow::Owned(_));
        let mut written = Written {
            namespace: None,
            is_changed,
        };
        if !name.is_empty() {
            let name: Arc<str> = Arc::from(name);
            shared.set_name(namespace, &name);
            written.namespace = Some(*self.by_name.entry(name).or_insert(namespace));
        }
        if at >= self.written.len() {
            self.written.resize(at + 1, None);
        }
        self.written[at] = Some(written);
        written
    }

    /// Returns a name without a colon.
    pub(super) fn ncname<'n>(&self, name: &'n str) -> Cow<'n, str> {
        coerced_name(name, !self.has_namespaces)
    }

    /// Returns a text or the value of an attribute without the characters that XML does not allow.
    pub(super) fn value<'n>(&mut self, text: &'n str) -> Cow<'n, str> {
        let written = characters(text, Place::Content, self.is_xml11);
        self.changed(Reason::Character, text, written)
    }

    /// Returns the text of a text node. `is_left_out` is true for a text that cannot be outside the root element.
    fn text<'n>(&mut self, text: &'n str, is_left_out: bool) -> Cow<'n, str> {
        if is_left_out {
            self.report(Reason::OutsideRoot, text, None);
            return Cow::Borrowed("");
        }
        self.value(text)
    }

    /// Returns the text of a comment.
    fn comment<'n>(&mut self, text: &'n str) -> Cow<'n, str> {
        let mut written = characters(text, Place::Markup, self.is_xml11);
        if written.contains("--") || written.ends_with('-') {
            let mut spaced = String::with_capacity(written.len() + 1);
            for character in written.chars() {
                if character == '-' && spaced.ends_with('-') {
                    spaced.push(' ');
                }
                spaced.push(character);
            }
            if spaced.ends_with('-') {
                spaced.push(' ');
            }
            written = Cow::Owned(spaced);
        }
        self.changed(Reason::Comment, text, written)
    }

    fn identified<'n>(
        &mut self,
        name: Cow<'n, str>,
        (public, system): (Option<&'n str>, Option<&'n str>),
    ) -> Identified<'n> {
        let public_id = public.map(|id| {
            let written = public_id(id);
            self.changed(Reason::Identifier, id, written)
        });
        let system_id = system.map(|id| {
            let mut written = characters(id, Place::Markup, self.is_xml11);
            if written.contains('"') && written.contains('\'') {
                // An identifier is a URL, in which a quotation mark can be percent-encoded.
                written = Cow::Owned(written.replace('"', "%22"));
            }
            self.changed(Reason::Identifier, id, written)
        });
        Identified {
            name,
            public_id,
            system_id,
        }
    }

    /// Reports a change if `written` is not `what`, and returns `written`.
    pub(super) fn changed<'n>(
        &mut self,
        reason: Reason,
        what: &str,
        written: Cow<'n, str>,
    ) -> Cow<'n, str> {
        if let Cow::Owned(written) = &written {
            let is_left_out = written.is_empty();
            self.report(reason, what, (!is_left_out).then_some(written));
        }
        written
    }
}

/// Returns true for a text outside the root element that is not whitespace, which is all that XML allows there.
fn is_left_out(node: Node<'_>, text: &str) -> bool {
    let is_space = |character| matches!(character, ' ' | '\t' | '\n');
    let is_outside = node
        .parent()
        .is_some_and(|parent| parent.id() == NodeId::DOCUMENT);
    is_outside && !text.chars().all(is_space)
}

/// Returns `name` with each character that cannot be at its position replaced by `U` and six hexadecimal digits, as the
/// HTML standard says. An empty name becomes `_`.
fn coerced_name(name: &str, may_have_colons: bool) -> Cow<'_, str> {
    let is_well = |(at, character): (usize, char)| {
        (may_have_colons || character != ':')
            && match at {
                0 => is_name_start_char(character),
                _ => is_name_char(character),
            }
    };
    if name.is_empty() {
        return Cow::Owned(String::from("_"));
    }
    if name.char_indices().all(is_well) {
        return Cow::Borrowed(name);
    }
    let mut written = String::with_capacity(name.len() + 6);
    for (at, character) in name.char_indices() {
        match is_well((at, character)) {
            true => written.push(character),
            false => push_escaped(&mut written, character),
        }
    }
    Cow::Owned(written)
}

/// Returns `name` with its first character escaped.
fn escaped_first(name: &str) -> String {
    let mut rest = name.chars();
    let mut written = String::new();
    if let Some(first) = rest.next() {
        push_escaped(&mut written, first);
    }
    written.push_str(rest.as_str());
    written
}

fn push_escaped(written: &mut String, character: char) {
    // Writing to a string cannot fail.
    let _ = write!(written, "U{:06X}", u32::from(character));
}

/// Returns `text` without the characters that cannot be written at `place`. A line end that a parser would read as a
/// newline becomes a newline.
fn characters(text: &str, place: Place, is_xml11: bool) -> Cow<'_, str> {
    // Bytes that may begin a character that is dropped or replaced.
    let is_odd = |byte: u8| {
        byte < 0x20 && !matches!(byte, b'\t' | b'\n') || byte == 0xEF || is_xml11 && byte >= 0x7F
    };
    if !text.bytes().any(is_odd) {
        return Cow::Borrowed(text);
    }
    let written = |character| written(character, place, is_xml11);
    match text.chars().all(|one| written(one) == Some(one)) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.chars().filter_map(written).collect()),
    }
}

/// Returns the character that is written for `character` at `place`, or `None` if it is left out.
fn written(character: char, place: Place, is_xml11: bool) -> Option<char> {
    match (place, character) {
        (Place::Content, '\u{1}'..='\u{1F}') if is_xml11 => Some(character),
        (Place::Markup, '\r') => Some('\n'),
        (Place::Markup, '\u{85}' | '\u{2028}') if is_xml11 => Some('\n'),
        (Place::Markup, '\u{7F}'..='\u{9F}') if is_xml11 => None,
        _ => is_char(character).then_some(character),
    }
}

/// Returns a public identifier without the characters that are not allowed in one, and with its whitespace normalized as
/// a parser does.
fn public_id(id: &str) -> Cow<'_, str> {
    let is_normal = id.is_empty() || id.split(' ').all(|word| !word.is_empty());
    let is_well = |character| is_pubid_char(character) && !matches!(character, '\n' | '\r');
    if is_normal && id.chars().all(is_well) {
        return Cow::Borrowed(id);
    }
    let mut written = String::with_capacity(id.len());
    for word in id.split(is_white_space) {
        let before = written.len();
        written.extend(word.chars().filter(|one| is_pubid_char(*one)));
        if before > 0 && written.len() > before {
            written.insert(before, ' ');
        }
    }
    Cow::Owned(written)
}
