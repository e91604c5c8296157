//! Markup put into an element of a tree that is there: parsed as what that element holds, by the rules of
//! HTML or of XML. It must not know these rules.

use super::TreeBuilder;
#[cfg(feature = "html")]
use crate::dialect::Dialect;
use crate::error::{EditError, Error};
#[cfg(feature = "html")]
use crate::html::{Html, Surroundings};
#[cfg(feature = "xml")]
use crate::namespaces::{XML, XMLNS};
use crate::tree::{Document, Node, NodeId};
#[cfg(feature = "html")]
use crate::tree::{QuirksMode, namespaces};
#[cfg(feature = "xml")]
use crate::xml::Xml;
#[cfg(feature = "xml")]
use alloc::{collections::BTreeMap, string::String};

impl Document {
    /// Puts what is in an element out, and markup in: HTML, parsed as what this very element holds, as
    /// `innerHTML` does it in browsers. Of a template element, its contents.
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
    /// [`EditError::NoNode`], [`EditError::NoElement`], [`EditError::Full`], as an [`Error`], and limits that
    /// are reached. Nothing has changed then, but where the document was full.
    #[cfg(feature = "html")]
    pub fn set_inner_html(&mut self, element: NodeId, markup: &str) -> Result<(), Error> {
        let parsed = self.parse_within(element, markup, self.is_scripting())?;
        self.replace_children(element, parsed.root_element().unwrap_or(parsed.root()))
    }

    /// What markup becomes as that which an element holds: a tree with one root element.
    #[cfg(feature = "html")]
    pub(crate) fn parse_within(
        &self,
        element: NodeId,
        markup: &str,
        scripting: bool,
    ) -> Result<Document, Error> {
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
        let html = Html::fragment_in(context.into(), surroundings).scripting(scripting);
        let limits = html.limits();
        let mut builder = TreeBuilder::new(html).limits(limits);
        builder.feed(markup)?;
        builder.finish()
    }

    /// Puts what is in an element out, and markup in: XML, which must be well-formed. The prefixes and the
    /// default namespace that are declared around the element, or in it, are known.
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
    /// [`EditError::NoNode`], [`EditError::NoElement`], [`EditError::Full`], as an [`Error`], and what ends the
    /// parse of markup that is not well-formed. Nothing has changed then, but where the document was full.
    #[cfg(feature = "xml")]
    pub fn set_inner_xml(&mut self, element: NodeId, markup: &str) -> Result<(), Error> {
        let context = self.element(element)?;
        // The innermost declaration of each prefix: of the names that are in use, and those declared.
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
        // An element around the markup that declares them. Strict XML is well-formed with it, if and only
        // if it is without: nothing can stand behind the end of that element.
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
                    // Of a document that was read as XML, none is there otherwise.
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
        let parsed = parse().map_err(|error| error.without(&before))?;
        self.replace_children(element, parsed.root_element().unwrap_or(parsed.root()))
    }

    /// Copies what is in a node of another document into an element, in the place of what it has.
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
        Ok(self.import_children(from, to)?)
    }

    fn element(&self, element: NodeId) -> Result<Node<'_>, EditError> {
        let node = self.node(element).ok_or(EditError::NoNode)?;
        node.is_element()
            .then_some(node)
            .ok_or(EditError::NoElement)
    }
}
