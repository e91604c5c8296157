//! Parsing of markup into an element of an existing tree, as `innerHTML` and `insertAdjacentHTML` do, with the rules
//! of HTML or XML.

use super::TreeBuilder;
#[cfg(feature = "html")]
use crate::dialects::html::{Html, Surroundings};
#[cfg(feature = "xml")]
use crate::dialects::xml::Xml;
#[cfg(feature = "html")]
use crate::engine::dialect::Dialect;
use crate::engine::error::{EditError, Error};
#[cfg(feature = "xml")]
use crate::engine::namespaces::{XML, XMLNS};
use crate::tree::{Document, Node, NodeId, Place};
#[cfg(feature = "html")]
use crate::tree::{QuirksMode, namespaces};
#[cfg(feature = "xml")]
use alloc::{collections::BTreeMap, string::String};

impl Document {
    /// Replaces the children of an element by HTML, which is parsed in the context of this element, as `innerHTML` in
    /// browsers does. For a template element, replaces the template contents.
    ///
    /// ```
    /// use tagstream::{Document, Html};
    ///
    /// let mut page = Document::parse(Html::default(), "<table><tr><th>old</table>")?;
    /// let row = page.root().descendants().find(|node| node.has_name("tr")).unwrap().id();
    /// page.set_inner_html(row, "<td>1<td>2")?;
    /// assert_eq!(page.node(row).unwrap().to_html(), "<tr><td>1</td><td>2</td></tr>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::NoNode`], [`EditError::NoElement`] and [`EditError::Full`] as an [`Error`], and limits that are
    /// exceeded. The document is unchanged then, unless it became full.
    #[cfg(feature = "html")]
    #[doc(alias("innerHTML", "inner_html"))]
    pub fn set_inner_html(&mut self, element: NodeId, markup: &str) -> Result<(), Error> {
        let parsed = self.parse_within(element, markup, self.is_scripting())?;
        self.replace_children(element, contents_of(&parsed))
    }

    /// Inserts HTML at a place. The HTML is parsed in the context of the element that it is inserted into, as
    /// `insertAdjacentHTML` in browsers does. In a document, a fragment or an `html` element, the context is a `body`
    /// element.
    ///
    /// ```
    /// use tagstream::{Document, Html, Place};
    ///
    /// let mut page = Document::parse(Html::default(), "<table><tr><td>1</table>")?;
    /// let cell = page.root().descendants().find(|node| node.has_name("td")).unwrap();
    /// let row = cell.parent().unwrap().id();
    /// page.insert_adjacent_html(Place::After(cell.id()), "<td>2")?;
    /// page.insert_adjacent_html(Place::LastIn(row), "<td>3")?;
    /// assert_eq!(page.node(row).unwrap().to_html(), "<tr><td>1</td><td>2</td><td>3</td></tr>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// The contents of a template element are not its children: insert into
    /// [`template_contents`](Node::template_contents) instead.
    ///
    /// # Errors
    ///
    /// [`EditError::NoNode`], [`EditError::NoPlace`], [`EditError::NoParent`] and [`EditError::Full`] as an
    /// [`Error`], and limits that are exceeded. The document is unchanged then, unless it became full.
    #[cfg(feature = "html")]
    #[doc(alias = "insertAdjacentHTML")]
    #[doc(alias = "append_html")]
    pub fn insert_adjacent_html(&mut self, place: Place, markup: &str) -> Result<(), Error> {
        let (parent, next) = self.resolve(place)?;
        let scripting = self.is_scripting();
        let parsed = match self.element(parent) {
            Ok(element) if !is_html_root(&element) => {
                self.parse_within(parent, markup, scripting)?
            }
            _ => parse_html(self.body_context().scripting(scripting), markup)?,
        };
        Ok(self.import_children(contents_of(&parsed), parent, next)?)
    }

    /// Returns the dialect for a fragment whose context is a `body` element of this document.
    #[cfg(feature = "html")]
    fn body_context(&self) -> Html {
        let surroundings = Surroundings {
            is_quirks: self.quirks_mode() == QuirksMode::Quirks,
            ..Surroundings::default()
        };
        Html::fragment_in("body".into(), surroundings)
    }

    /// Parses markup in the context of an element. The result is a tree with one root element, whose children are the
    /// parsed nodes.
    #[cfg(feature = "html")]
    fn parse_within(
        &self,
        element: NodeId,
        markup: &str,
        scripting: bool,
    ) -> Result<Document, Error> {
        let html = self.fragment_within(element)?;
        parse_html(html.scripting(scripting), markup)
    }

    /// The dialect for markup that is to be parsed as what this element holds.
    #[cfg(feature = "html")]
    pub(crate) fn fragment_within(&self, element: NodeId) -> Result<Html, Error> {
        let context = self.element(element)?;
        let space = match context.namespace() {
            Some(namespaces::SVG) => "svg ",
            Some(namespaces::MATHML) => "math ",
            _ => "",
        };
        let is_form = |node: &Node<'_>| {
            node.namespace() == Some(namespaces::HTML) && node.local_name() == "form"
        };
        let encoding = context.attribute("encoding").unwrap_or("");
        let holds_html = ["text/html", "application/xhtml+xml"]
            .iter()
            .any(|one| encoding.eq_ignore_ascii_case(one));
        let surroundings = Surroundings {
            is_quirks: self.quirks_mode() == QuirksMode::Quirks,
            is_in_form: is_form(&context) || context.ancestors().any(|node| is_form(&node)),
            holds_html,
        };
        let context = [space, context.local_name()].concat();
        Ok(Html::fragment_in(context.into(), surroundings))
    }

    /// Replaces the children of an element by XML, which must be well-formed. The namespace prefixes and the default
    /// namespace declared on the element and its ancestors are in scope.
    ///
    /// ```
    /// use tagstream::{Document, Xml};
    ///
    /// let mut document = Document::parse(Xml::default(), "<a xmlns:x='urn:x'>old</a>")?;
    /// let a = document.root_element().unwrap().id();
    /// document.set_inner_xml(a, "<x:b/>new")?;
    /// let b = document.node(a).unwrap().first_child().unwrap();
    /// assert_eq!((b.name(), b.namespace()), ("x:b", Some("urn:x")));
    /// assert!(document.set_inner_xml(a, "<b>").is_err());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::NoNode`], [`EditError::NoElement`] and [`EditError::Full`] as an [`Error`], and the error that
    /// ended the parse if the markup is not well-formed. The document is unchanged then, unless it became full.
    #[cfg(feature = "xml")]
    #[doc(alias = "inner_xml")]
    pub fn set_inner_xml(&mut self, element: NodeId, markup: &str) -> Result<(), Error> {
        self.element(element)?;
        let parsed = self.parse_xml_within(element, markup)?;
        self.replace_children(element, contents_of(&parsed))
    }

    /// Inserts XML, which must be well-formed, at a place. The namespace prefixes and the default namespace declared
    /// on the ancestors of the place are in scope.
    ///
    /// ```
    /// use tagstream::{Document, Place, Xml};
    ///
    /// let mut feed = Document::parse(Xml::strict(), "<feed><entry/></feed>")?;
    /// let entry = feed.root_element().unwrap().first_child().unwrap().id();
    /// feed.insert_adjacent_xml(Place::LastIn(entry), "<title>Tom</title>")?;
    /// feed.insert_adjacent_xml(Place::Before(entry), "<id>1</id>")?;
    /// assert_eq!(feed.to_xml()?, "<feed><id>1</id><entry><title>Tom</title></entry></feed>");
    /// assert!(feed.insert_adjacent_xml(Place::LastIn(entry), "<title>").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EditError::NoNode`], [`EditError::NoPlace`], [`EditError::NoParent`] and [`EditError::Full`] as an
    /// [`Error`], and the error that ended the parse if the markup is not well-formed. The document is unchanged
    /// then, unless it became full.
    #[cfg(feature = "xml")]
    #[doc(alias = "append_xml")]
    pub fn insert_adjacent_xml(&mut self, place: Place, markup: &str) -> Result<(), Error> {
        let (parent, next) = self.resolve(place)?;
        let parsed = self.parse_xml_within(parent, markup)?;
        Ok(self.import_children(contents_of(&parsed), parent, next)?)
    }

    /// Parses markup with the namespaces that are in scope for children of `parent`. Returns a document whose root
    /// element contains the parsed nodes.
    #[cfg(feature = "xml")]
    fn parse_xml_within(&self, parent: NodeId, markup: &str) -> Result<Document, Error> {
        let context = self.node(parent).ok_or(EditError::NoNode)?;
        // For each prefix, the namespace of its innermost use or declaration.
        let mut declared = BTreeMap::new();
        for node in core::iter::once(context).chain(context.ancestors()) {
            if node.is_element() {
                let prefix = node.prefix().unwrap_or("");
                declared
                    .entry(prefix)
                    .or_insert(node.namespace().unwrap_or(""));
            }
            for attribute in node
                .attributes()
                .filter(|one| one.namespace() == Some(XMLNS))
            {
                let prefix = attribute.prefix().map_or("", |_| attribute.local_name());
                declared.entry(prefix).or_insert(attribute.value());
            }
        }
        // Parse the markup inside an element that declares the prefixes. Strict XML accepts this text if and only if
        // the markup itself is well-formed. Markup such as `</context>` cannot escape from the element: it would end
        // the root element, and the end tag appended below would then be an error.
        let mut before = String::from("<context");
        for (prefix, namespace) in declared {
            if prefix == "xml" || !prefix.is_empty() && namespace.is_empty() || namespace == XML {
                continue;
            }
            before.push_str(if prefix.is_empty() {
                " xmlns"
            } else {
                " xmlns:"
            });
            before.push_str(prefix);
            before.push_str("=\"");
            for character in namespace.chars() {
                match character {
                    '&' => before.push_str("&amp;"),
                    '<' => before.push_str("&lt;"),
                    '"' => before.push_str("&quot;"),
                    // In a document that was parsed from XML, attribute values contain these characters only if they
                    // were escaped.
                    '\t' => before.push_str("&#9;"),
                    '\n' => before.push_str("&#10;"),
                    '\r' => before.push_str("&#13;"),
                    character => before.push(character),
                }
            }
            before.push('"');
        }
        before.push('>');
        let mut builder = TreeBuilder::new(Xml::strict());
        let mut parse = || -> Result<Document, Error> {
            builder.feed(before.as_str())?;
            builder.feed(markup)?;
            builder.feed("</context>")?;
            builder.finish()
        };
        parse().map_err(|error| error.without(&before))
    }

    /// Replaces the children of an element by copies of the children of a node in another document. For a template
    /// element, replaces the template contents.
    pub(crate) fn replace_children(
        &mut self,
        element: NodeId,
        from: Node<'_>,
    ) -> Result<(), Error> {
        self.remove_children(element)?;
        let to = match self.element(element)?.template_contents() {
            Some(contents) => contents.id(),
            None => element,
        };
        Ok(self.import_children(from, to, None)?)
    }

    /// Returns the element with this ID.
    fn element(&self, element: NodeId) -> Result<Node<'_>, EditError> {
        let node = self.node(element).ok_or(EditError::NoNode)?;
        node.is_element()
            .then_some(node)
            .ok_or(EditError::NoElement)
    }
}

/// Parses a whole string of HTML to a tree.
#[cfg(feature = "html")]
fn parse_html(html: Html, markup: &str) -> Result<Document, Error> {
    let limits = html.limits();
    let mut builder = TreeBuilder::new(html).limits(limits);
    builder.feed(markup)?;
    builder.finish()
}

/// Returns the node whose children are the parsed nodes: the root element, which wraps them.
fn contents_of(parsed: &Document) -> Node<'_> {
    parsed.root_element().unwrap_or(parsed.root())
}

/// Returns true if an element is an `html` element of HTML.
#[cfg(feature = "html")]
fn is_html_root(element: &Node<'_>) -> bool {
    element.namespace() == Some(namespaces::HTML) && element.local_name() == "html"
}
