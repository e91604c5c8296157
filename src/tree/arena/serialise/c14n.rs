//! Serialization as Canonical XML: equivalent documents become identical bytes. Both
//! [Canonical XML 1.0](https://www.w3.org/TR/2001/REC-xml-c14n-20010315) and
//! [Exclusive XML Canonicalization 1.0](https://www.w3.org/TR/2002/REC-xml-exc-c14n-20020718/) are here.
//!
//! The parser has already replaced entities, added default attributes and normalized attribute values, so that the tree
//! contains the results.

use super::namespaces::{Ranks, Shared, of_attribute};
use super::put::Put;
use super::xml::{Need, Needed, check_local_name, declared};
use crate::engine::hash_seed::Seeds;
use crate::engine::text::xml_names::{is_char, is_white_space};
use crate::engine::work;
use crate::tree::arena::document::Document;
use crate::tree::arena::node::{Node, NodeKind};
use crate::tree::arena::node_attribute::Attribute;
use crate::tree::arena::walk::Edge;
use crate::tree::namespaces;
use crate::tree::qualified_name::NamespaceId;
use crate::write::escape::{special_classes, write_replaced};
use crate::write::{
    Namespace, Output, Scope, WriteError, xml_comment, xml_instruction, xml_name, xml_ncname,
};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;
use hashbrown::HashSet;

/// A form of Canonical XML: inclusive or exclusive, without or with comments. The default is inclusive, without comments.
///
/// ```
/// use tagstream::tree::C14n;
/// use tagstream::{Document, Xml};
///
/// let soap = "<s:Envelope xmlns:s='urn:soap' xmlns:a='urn:a'><s:Body><!--c--><a:Order/></s:Body></s:Envelope>";
/// let document = Document::parse(Xml::strict(), soap)?;
/// let body = document.root_element().and_then(|envelope| envelope.first_child()).unwrap();
/// assert_eq!(
///     body.to_c14n(C14n::inclusive())?,
///     r#"<s:Body xmlns:a="urn:a" xmlns:s="urn:soap"><a:Order></a:Order></s:Body>"#
/// );
/// assert_eq!(
///     body.to_c14n(C14n::exclusive().comments(true))?,
///     r#"<s:Body xmlns:s="urn:soap"><!--c--><a:Order xmlns:a="urn:a"></a:Order></s:Body>"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct C14n<'p> {
    is_exclusive: bool,
    has_comments: bool,
    prefixes: &'p str,
}

impl<'p> C14n<'p> {
    /// Returns inclusive [Canonical XML 1.0](https://www.w3.org/TR/2001/REC-xml-c14n-20010315), without comments. An
    /// element has all namespaces that are declared for it, and the topmost element of a subtree has the `xml:`
    /// attributes of the elements around the subtree, such as `xml:lang`, unless it has the same attribute.
    pub const fn inclusive() -> C14n<'p> {
        C14n {
            is_exclusive: false,
            has_comments: false,
            prefixes: "",
        }
    }

    /// Returns [Exclusive XML Canonicalization 1.0](https://www.w3.org/TR/2002/REC-xml-exc-c14n-20020718/), without
    /// comments. An element has the declarations of the prefixes that its own name and the names of its attributes use.
    /// The result for a subtree is therefore the same in another document.
    pub const fn exclusive() -> C14n<'p> {
        C14n {
            is_exclusive: true,
            ..C14n::inclusive()
        }
    }

    /// Sets whether comments are kept.
    #[must_use]
    pub const fn comments(mut self, comments: bool) -> C14n<'p> {
        self.has_comments = comments;
        self
    }

    /// Sets the prefixes whose declarations the exclusive form treats as the inclusive form does, because values and text
    /// use them. `prefixes` is the value of the attribute `PrefixList` of the element `InclusiveNamespaces`: prefixes
    /// with whitespace between them. `#default` is the default namespace. The inclusive form ignores the list.
    ///
    /// ```
    /// use tagstream::tree::C14n;
    /// use tagstream::{Document, Xml};
    ///
    /// let source = "<a xmlns:xs='urn:xs' xmlns:b='urn:b'><c type='xs:int'/></a>";
    /// let document = Document::parse(Xml::strict(), source)?;
    /// let c = document.root_element().and_then(|a| a.first_child()).unwrap();
    /// let form = C14n::exclusive().inclusive_prefixes("xs #default");
    /// assert_eq!(c.to_c14n(form)?, r#"<c xmlns:xs="urn:xs" type="xs:int"></c>"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn inclusive_prefixes(mut self, prefixes: &'p str) -> C14n<'p> {
        self.prefixes = prefixes;
        self
    }
}

impl Document {
    /// Returns the document as Canonical XML of the W3C, the form in which documents are signed and compared. It has no
    /// XML declaration, no document type and no empty-element tags. Attributes and namespace declarations are sorted,
    /// redundant namespace declarations are omitted, and only the characters that must be escaped are escaped.
    ///
    /// ```
    /// use tagstream::tree::C14n;
    /// use tagstream::{Document, Xml};
    ///
    /// let source = "<?xml version='1.0'?><a  z='1' b=\"&#60;\"><!--c--><d /></a>";
    /// let document = Document::parse(Xml::strict(), source)?;
    /// assert_eq!(document.to_c14n(C14n::default())?, r#"<a b="&lt;" z="1"><d></d></a>"#);
    /// assert!(document.to_c14n(C14n::inclusive().comments(true))?.contains("<!--c-->"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`Node::to_c14n`] does the same for one element with its contents. The parts of a document that an XPath
    /// expression selects have no canonical form here unless they are one node with its descendants. The default
    /// attributes and entities of an external DTD are included only if the program [supplied the
    /// DTD](crate::Xml::external_entities) to the parser.
    ///
    /// # Errors
    ///
    /// An error if the output would not be well-formed, as for [`to_xml`](Document::to_xml), or if the name of a
    /// namespace is a relative URI.
    pub fn to_c14n(&self, form: C14n<'_>) -> Result<String, WriteError> {
        self.root().to_c14n(form)
    }

    /// Writes the result of [`to_c14n`](Self::to_c14n) to `out`, which can be any type that takes bytes or text. `out`
    /// receives a few KiB at a time, so that the output is not in memory as a whole.
    ///
    /// ```
    /// use tagstream::tree::C14n;
    /// use tagstream::{Document, Xml};
    ///
    /// let document = Document::parse(Xml::strict(), "<a/>")?;
    /// let mut out = Vec::new();
    /// document.write_c14n(C14n::default(), &mut out)?;
    /// assert_eq!(out, b"<a></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `to_c14n` and of `out`.
    pub fn write_c14n<Kind>(
        &self,
        form: C14n<'_>,
        out: impl Output<Kind>,
    ) -> Result<(), WriteError> {
        self.root().write_c14n(form, out)
    }
}

impl Node<'_> {
    /// Returns the node with its descendants as Canonical XML: the octets of a part of a document that is signed. The
    /// node-set of the standard consists of the node, its descendants, and their attributes and namespaces.
    ///
    /// ```
    /// use tagstream::tree::C14n;
    /// use tagstream::{Document, Xml};
    ///
    /// let source = "<a xmlns:p='urn:p' xml:lang='en'><b p:c='1'>&#13;</b></a>";
    /// let document = Document::parse(Xml::strict(), source)?;
    /// let b = document.root_element().and_then(|a| a.first_child()).unwrap();
    /// let inclusive = r#"<b xmlns:p="urn:p" xml:lang="en" p:c="1">&#xD;</b>"#;
    /// assert_eq!(b.to_c14n(C14n::inclusive())?, inclusive);
    /// assert_eq!(b.to_c14n(C14n::exclusive())?, r#"<b xmlns:p="urn:p" p:c="1">&#xD;</b>"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A text, a comment or a processing instruction can be canonicalized as well. A comment or a processing instruction
    /// beside the root element has a newline on the side of the root element. A document type, and a comment in a form
    /// without comments, result in an empty string.
    ///
    /// # Errors
    ///
    /// As for [`Document::to_c14n`]. An error also occurs if a namespace in scope has a relative URI.
    pub fn to_c14n(&self, form: C14n<'_>) -> Result<String, WriteError> {
        let mut out = String::new();
        self.write_c14n(form, &mut out)?;
        Ok(out)
    }

    /// Writes the result of [`to_c14n`](Self::to_c14n) to `out`, as [`Document::write_c14n`] does. `out` can compute a
    /// digest.
    ///
    /// # Errors
    ///
    /// The errors of `to_c14n` and of `out`.
    pub fn write_c14n<Kind>(
        &self,
        form: C14n<'_>,
        out: impl Output<Kind>,
    ) -> Result<(), WriteError> {
        let top = *self;
        Put::all(out, |out| {
            let selected = Selected::new(form);
            let mut canonical = Canonical {
                out,
                has_comments: form.has_comments,
                around: Around::new(top, &selected)?,
                selected,
                scope: Scope::default(),
                namespaces: Shared::new(top.document()),
                ranks: Ranks::new(top.document()),
                bindings: Vec::new(),
                has_root: follows_root(top),
            };
            for edge in top.edges().through_templates() {
                let (Edge::Open(node) | Edge::Close(node)) = edge;
                let done = match edge {
                    Edge::Open(node) => canonical.open(node),
                    Edge::Close(node) => canonical.close(node),
                };
                done.map_err(|error| error.at(node.id().index()))?;
            }
            match canonical.has_root || top.kind() != NodeKind::Document {
                true => Ok(()),
                false => Err(WriteError::no_root().at(top.id().index())),
            }
        })
    }
}

/// Returns true for a comment or a processing instruction that follows the root element.
fn follows_root(node: Node<'_>) -> bool {
    let mut before = core::iter::successors(node.previous_sibling(), Node::previous_sibling);
    !node.is_element() && is_top(node) && before.any(|node| node.is_element())
}

/// Returns true for a child of the document node.
fn is_top(node: Node<'_>) -> bool {
    let parent = node.parent();
    parent.is_some_and(|parent| parent.kind() == NodeKind::Document)
}

/// The namespace declarations that are written although no name of their element uses the prefix.
enum Selected<'p> {
    /// All of them, in the inclusive form.
    All,
    /// Those of these prefixes, in the exclusive form. The default namespace has an empty prefix.
    Listed(HashSet<&'p str, Seeds>),
}

impl<'p> Selected<'p> {
    fn new(form: C14n<'p>) -> Selected<'p> {
        if !form.is_exclusive {
            return Selected::All;
        }
        let tokens = form.prefixes.split(is_white_space);
        let prefixes = tokens.filter(|token| !token.is_empty());
        Selected::Listed(
            prefixes
                .map(|token| if token == "#default" { "" } else { token })
                .collect(),
        )
    }

    fn contains(&self, prefix: &str) -> bool {
        match self {
            Selected::All => true,
            Selected::Listed(prefixes) => prefixes.contains(prefix),
        }
    }
}

/// A namespace declaration of an element.
#[derive(Clone, Copy)]
struct Declaration<'a> {
    need: Need<'a>,
    /// True if the name of the element or of an attribute has the prefix.
    is_used: bool,
}

/// The namespaces and attributes that the topmost elements of a subtree have because of the elements around the subtree.
#[derive(Default)]
struct Around<'a> {
    /// The namespaces in scope that are written for the topmost elements, each prefix once.
    declarations: Vec<Declaration<'a>>,
    /// The `xml:` attributes, each name once. The exclusive form has none.
    attributes: Vec<Attribute<'a>>,
}

impl<'a> Around<'a> {
    fn new(top: Node<'a>, selected: &Selected<'_>) -> Result<Around<'a>, WriteError> {
        let mut around = Around::default();
        if !matches!(top.kind(), NodeKind::Element | NodeKind::DocumentFragment) {
            return Ok(around);
        }
        // The nearest element comes first, so that the first declaration of a prefix is the one that is in scope. The
        // contents of a template are in the template.
        let mut prefixes: HashSet<&str, Seeds> = HashSet::default();
        let mut names: HashSet<&str, Seeds> = HashSet::default();
        let at = |node: Node<'a>| move |error: WriteError| error.at(node.id().index());
        if top.is_element() {
            let own = declarations(top).map_err(at(top))?;
            prefixes.extend(own.iter().map(|declaration| declaration.need.prefix));
        }
        let document = top.document();
        let mut next = document.parent_or_host(top.id());
        while let Some(node) = next.and_then(|id| document.node(id)) {
            next = document.parent_or_host(node.id());
            if !node.is_element() {
                continue;
            }
            for declaration in declarations(node).map_err(at(node))? {
                if prefixes.insert(declaration.need.prefix) {
                    declaration.check().map_err(at(node))?;
                    if selected.contains(declaration.need.prefix) {
                        let is_used = false;
                        let declaration = Declaration {
                            is_used,
                            ..declaration
                        };
                        around.declarations.push(declaration);
                    }
                }
            }
            if let Selected::All = selected {
                let attributes = node.attributes();
                let attributes = attributes
                    .filter(|one| xml_name_of(one).is_some_and(|name| names.insert(name)));
                around.attributes.extend(attributes);
            }
        }
        Ok(around)
    }
}

struct Canonical<'o, O> {
    out: &'o mut O,
    has_comments: bool,
    around: Around<'o>,
    selected: Selected<'o>,
    /// The declarations that are written on the open elements.
    scope: Scope,
    namespaces: Shared<'o>,
    ranks: Ranks,
    /// For each open element, the number of prefix bindings in `scope` before its start tag.
    bindings: Vec<usize>,
    /// True if the root element precedes the current position in the document.
    has_root: bool,
}

impl<O: Write> Canonical<'_, O> {
    fn open(&mut self, node: Node<'_>) -> Result<(), WriteError> {
        match node.kind() {
            NodeKind::Element => self.start(node)?,
            // Whitespace outside the root element is not significant and is omitted.
            NodeKind::Text if self.is_outside(node) && node.text().chars().all(is_white_space) => {}
            NodeKind::Text if self.is_outside(node) => {
                return Err(WriteError::outside_root(node.text()));
            }
            NodeKind::Text => c14n_text(self.out, node.text(), false)?,
            NodeKind::Comment if self.has_comments => {
                xml_comment(node.text(), false)?;
                self.apart(node, |out| write!(out, "<!--{}-->", node.text()))?;
            }
            NodeKind::ProcessingInstruction => {
                let (target, data) = (node.name(), node.text());
                xml_ncname(target)?;
                xml_instruction(target, data, false)?;
                let space = if data.is_empty() { "" } else { " " };
                self.apart(node, |out| write!(out, "<?{target}{space}{data}?>"))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns true if a node is beside the root element.
    fn is_outside(&self, node: Node<'_>) -> bool {
        self.bindings.is_empty() && is_top(node)
    }

    /// Writes a comment or a processing instruction. Outside the root element, a newline separates it from the root
    /// element and from other nodes.
    fn apart(
        &mut self,
        node: Node<'_>,
        write: impl FnOnce(&mut O) -> core::fmt::Result,
    ) -> Result<(), WriteError> {
        let is_outside = self.is_outside(node);
        if is_outside && self.has_root {
            self.out.write_char('\n')?;
        }
        write(self.out)?;
        if is_outside && !self.has_root {
            self.out.write_char('\n')?;
        }
        Ok(())
    }

    fn start(&mut self, element: Node<'_>) -> Result<(), WriteError> {
        if self.is_outside(element) && core::mem::replace(&mut self.has_root, true) {
            return Err(WriteError::second_root(element.name()));
        }
        let is_topmost = self.bindings.is_empty();
        self.bindings.push(self.scope.len());
        xml_name(element.name())?;
        check_local_name(element.local_name())?;
        if element.prefix().is_some() && element.namespace().is_none() {
            return Err(WriteError::no_name(element.name()));
        }
        write!(self.out, "<{}", element.name())?;
        self.declarations(element, is_topmost)?;
        let attributes = element.attributes().filter(|one| declared(one).is_none());
        let mut attributes: Vec<Attribute<'_>> = attributes.collect();
        if is_topmost && !self.around.attributes.is_empty() {
            let own: HashSet<&str, Seeds> = attributes.iter().filter_map(xml_name_of).collect();
            let around = self.around.attributes.iter();
            let missing =
                |one: &&Attribute<'_>| xml_name_of(one).is_some_and(|name| !own.contains(name));
            attributes.extend(around.filter(missing));
        }
        attributes.sort_by_key(|one| self.key(one));
        let mut last = None;
        for one in &attributes {
            xml_name(one.name())?;
            if !(one.namespace().is_none() && one.name().starts_with("xml:")) {
                check_local_name(one.local_name())?;
            }
            if one.prefix().is_some() != one.namespace().is_some() {
                return Err(WriteError::no_name(one.name()));
            }
            let key = self.key(one);
            if last.replace(key) == Some(key) {
                return Err(WriteError::twice(one.name()));
            }
            write!(self.out, " {}=\"", one.name())?;
            c14n_text(self.out, one.value(), true)?;
            self.out.write_char('"')?;
        }
        self.out.write_char('>')?;
        Ok(())
    }

    /// Writes the namespace declarations of an element, sorted by prefix, without those that are already in scope in the
    /// output.
    fn declarations(&mut self, element: Node<'_>, is_topmost: bool) -> Result<(), WriteError> {
        let mut all = declarations(element)?;
        if is_topmost && !self.around.declarations.is_empty() {
            all.extend(&self.around.declarations);
            // The sort is stable, so that the element's own declarations precede the others.
            all.sort_by_key(|declaration| declaration.need.prefix);
            all.dedup_by_key(|declaration| declaration.need.prefix);
        }
        for declaration in all {
            let (prefix, namespace) = (declaration.need.prefix, declaration.need.name);
            if !declaration.is_used && !self.selected.contains(prefix) {
                declaration.check()?;
                continue;
            }
            if prefix == "xml" && namespace == namespaces::XML {
                continue;
            }
            let wanted = match declaration.need.namespace {
                None => Namespace::Text(namespace),
                shared => self.namespaces.name(shared),
            };
            if self.scope.is_bound(prefix, wanted) {
                continue;
            }
            WriteError::check_declaration(prefix, namespace)?;
            self.scope.bind(prefix, namespace);
            let colon = if prefix.is_empty() { "" } else { ":" };
            write!(self.out, " xmlns{colon}{prefix}=\"")?;
            c14n_text(self.out, namespace, true)?;
            self.out.write_char('"')?;
        }
        Ok(())
    }

    /// Returns the sort key of an attribute: the rank of its namespace, and its local name. The byte order of UTF-8 is
    /// the order of code points, as the standard requires.
    fn key<'a>(&self, attribute: &Attribute<'a>) -> (usize, &'a str) {
        match xml_name_of(attribute) {
            Some(local) => (self.ranks.of(Some(NamespaceId::XML)), local),
            None => (
                self.ranks.of(of_attribute(attribute)),
                attribute.local_name(),
            ),
        }
    }

    fn close(&mut self, node: Node<'_>) -> Result<(), WriteError> {
        if node.is_element() {
            write!(self.out, "</{}>", node.name())?;
            if let Some(bindings) = self.bindings.pop() {
                self.scope.truncate(bindings);
            }
        }
        Ok(())
    }
}

impl Declaration<'_> {
    /// Returns an error if the declaration is not allowed in Canonical XML. Declarations that are not written are
    /// checked as well, because a document with relative names of namespaces has no canonical form.
    fn check(&self) -> Result<(), WriteError> {
        let Need { prefix, name, .. } = self.need;
        match name.is_empty() || (prefix == "xml" && name == namespaces::XML) {
            true => Ok(()),
            false => WriteError::check_declaration(prefix, name),
        }
    }
}

/// Returns the namespace declarations of an element, sorted by prefix, each prefix once: those that its names need, and
/// those of its attributes.
fn declarations(element: Node<'_>) -> Result<Vec<Declaration<'_>>, WriteError> {
    let needed = Needed::all(element);
    let own = element.attributes().filter_map(|one| {
        let prefix = declared(&one)?;
        (!needed.is_other(prefix, one.value())).then_some(Declaration {
            need: Need {
                prefix,
                namespace: None,
                name: one.value(),
            },
            is_used: false,
        })
    });
    let used = needed.iter().map(|need| Declaration {
        need,
        is_used: true,
    });
    // The declarations that names need precede the others. Of two equal declarations, the first is therefore kept,
    // which has the ID of the namespace.
    let mut all: Vec<Declaration<'_>> = used.chain(own).collect();
    all.sort_by_key(|declaration| declaration.need.prefix);
    let is_equal =
        |one: &Need<'_>, other: &Need<'_>| one.prefix == other.prefix && is_same(one, other);
    all.dedup_by(|later, first| is_equal(&later.need, &first.need));
    let prefixes = |pair: &[Declaration<'_>]| pair[0].need.prefix == pair[1].need.prefix;
    match all.windows(2).find(|pair| prefixes(pair)) {
        Some(pair) => Err(WriteError::bound_twice(pair[0].need.prefix)),
        None => Ok(all),
    }
}

/// Returns the local name of an attribute whose prefix is `xml`. An HTML attribute whose name begins with `xml:` is in no
/// namespace, but a parser of XML puts it in the namespace of `xml`, and so does this function.
fn xml_name_of<'a>(attribute: &Attribute<'a>) -> Option<&'a str> {
    match of_attribute(attribute) {
        None => attribute.name().strip_prefix("xml:"),
        Some(NamespaceId::XML) => Some(attribute.local_name()),
        Some(_) => None,
    }
}

/// Returns true if two declarations bind their prefixes to the same namespace. Namespaces with different names have
/// different IDs. A declaration that comes from an attribute has no ID, so that its name is compared.
fn is_same(one: &Need<'_>, other: &Need<'_>) -> bool {
    match (one.namespace, other.namespace) {
        (Some(one), Some(other)) => one == other,
        _ => {
            work::count(one.name.len().min(other.name.len()));
            one.name == other.name
        }
    }
}

/// Writes a text, or an attribute value if `is_value` is true, with the escapes of Canonical XML. Returns an error for
/// a character that XML does not allow.
fn c14n_text(out: &mut impl Write, text: &str, is_value: bool) -> Result<(), WriteError> {
    if let Some(bad) = text.chars().find(|character| !is_char(*character)) {
        return Err(WriteError::no_character(bad));
    }
    let replacement = |rest: &[u8]| {
        Some(match rest {
            [b'&', ..] => "&amp;",
            [b'<', ..] => "&lt;",
            [b'\r', ..] => "&#xD;",
            [b'>', ..] if !is_value => "&gt;",
            [b'"', ..] if is_value => "&quot;",
            [b'\t', ..] if is_value => "&#x9;",
            [b'\n', ..] if is_value => "&#xA;",
            _ => return None,
        })
    };
    Ok(write_replaced(
        out,
        text,
        special_classes(is_value),
        replacement,
    )?)
}
