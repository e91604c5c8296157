//! Parsing of XML into an element of an existing tree.

use super::contents_of;
use crate::dialects::xml::Xml;
use crate::engine::error::{EditError, Error};
use crate::engine::namespaces::{XML, XMLNS};
use crate::tree::{Document, NodeId, Place};
use crate::tree_builder::TreeBuilder;
use crate::write::escape;
use alloc::{collections::BTreeMap, string::String};

impl Document {
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
    #[doc(alias = "append_xml")]
    pub fn insert_adjacent_xml(&mut self, place: Place, markup: &str) -> Result<(), Error> {
        let (parent, next) = self.resolve(place)?;
        let parsed = self.parse_xml_within(parent, markup)?;
        Ok(self.import_children(contents_of(&parsed), parent, next)?)
    }

    /// Parses markup with the namespaces that are in scope for children of `parent`. Returns a document whose root
    /// element contains the parsed nodes.
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
            before.push_str(&escape::attribute(namespace));
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
}
