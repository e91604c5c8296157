//! `Subtree`: the tree of one element of a stream, for documents that are too large for a whole tree.

use super::fold::Growing;
use crate::engine::dialect::{Balance, Form, Syntax};
use crate::engine::document_mode::XmlVersion;
use crate::engine::event::{Event, EventSink};
use crate::engine::parser::Parser;
use crate::tree::{Document, TreeSink};

/// The tree of one element of a document that is otherwise read as events. Memory is bounded by the size of the
/// element, not of the document.
///
/// [`Parser::subtree`] creates a subtree at a start tag. The subtree then takes the
/// following events until the element ends. With a reader or an iterator of chunks,
/// [`Events::subtree`](crate::Events::subtree) does all this in one call.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default()).balanced();
/// let (mut pages, mut open) = (Vec::new(), None);
/// for chunk in ["<pages><page>on", "e</page><page>two</pa", "ge></pages>"] {
///     parser.feed(chunk);
///     while let Some(event) = parser.next_event()? {
///         if open.is_none() {
///             if matches!(event, Event::Start(tag) if tag.name() == "page") {
///                 open = parser.subtree();
///             }
///             continue;
///         }
///         if let Some(page) = open.take_if(|page| page.take(&event)) {
///             pages.push(page.into_sink().to_xml()?);
///         }
///     }
/// }
/// assert_eq!(pages, ["<page>one</page>", "<page>two</page>"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Subtree<S: TreeSink = Document> {
    growing: Growing<S>,
}

impl<S: TreeSink> Subtree<S> {
    /// Adds the next event to the tree. Returns true if the element has ended. Events after that are ignored.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).balanced();
    /// parser.feed("<a><b>one</b></a>");
    /// parser.next_event()?;
    /// let Some(mut tree) = parser.subtree() else { panic!() };
    /// let mut whole = false;
    /// while let Some(event) = parser.next_event()? {
    ///     whole = tree.take(&event);
    /// }
    /// assert!(whole);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn take(&mut self, event: &Event<'_>) -> bool {
        if self.growing.is_open() {
            self.growing.take(event);
        }
        self.is_whole()
    }

    /// Returns true if the element has ended.
    pub fn is_whole(&self) -> bool {
        !self.growing.is_open()
    }

    /// Returns true if the part of the element that was parsed so far has the same structure as in the tree of the
    /// whole document: see [`Document::is_exact`].
    pub fn is_exact(&self) -> bool {
        self.growing.is_exact
    }

    /// Returns the sink with the tree built so far.
    pub fn sink(&self) -> &S {
        &self.growing.sink
    }

    /// Returns the sink with the tree.
    pub fn into_sink(self) -> S {
        self.growing.sink
    }
}

impl<S: TreeSink> EventSink for Subtree<S> {
    #[inline]
    fn take(&mut self, event: &Event<'_>) {
        self.growing.take(event);
    }
}

impl<D: Balance, F: Form> Parser<D, F> {
    /// Returns a tree that begins with the current event and takes the following events: see [`Subtree`]. Returns
    /// `None` if the current event is not a start tag. If the events of the parser are not balanced, the element ends
    /// when the number of end tags equals the number of start tags.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a><b/></a>");
    /// parser.next_event()?;
    /// let Some(mut tree) = parser.subtree() else { panic!() };
    /// while let Some(event) = parser.next_event()? {
    ///     tree.take(&event);
    /// }
    /// assert_eq!(tree.sink().to_xml()?, "<a><b/></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn subtree(&self) -> Option<Subtree> {
        self.subtree_in(Document::new())
    }

    /// Does the same as [`subtree`](Parser::subtree) for a sink of your own. The element is appended to the document
    /// node of the sink.
    ///
    /// ```
    /// use tagstream::{Document, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default());
    /// parser.feed("<a>");
    /// parser.next_event()?;
    /// assert!(parser.subtree_in(Document::new()).is_some());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn subtree_in<S: TreeSink>(&self, mut sink: S) -> Option<Subtree<S>> {
        let event = self.current()?;
        matches!(event, Event::Start(_)).then(|| {
            if let Syntax::Html { scripting } = self.dialect().syntax() {
                sink.set_scripting(scripting);
            }
            // The declaration of the document is no part of the element, but decides which characters it may contain.
            if self.xml_version() == XmlVersion::Xml11 {
                sink.set_xml_version(XmlVersion::Xml11);
            }
            let mut growing = Growing::new::<D>(sink);
            growing.take(&event);
            // The element itself may have been moved. Only moves of nodes within the element make the subtree inexact.
            growing.is_exact = true;
            Subtree { growing }
        })
    }
}
