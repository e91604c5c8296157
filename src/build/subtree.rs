//! Trees of single elements out of a stream: what a document is too long for as a whole. It must not
//! know where events come from.

use super::construction::Taker;
use super::fold::Growing;
use crate::balance::Balanced;
use crate::dialect::Balance;
use crate::event::Event;
use crate::parser::Parser;
use crate::tree::{Document, TreeSink};

/// The tree of one element of a document that is otherwise read as events: memory is bounded by the
/// element, however long the document.
///
/// Begun at a start tag with [`Balanced::subtree`] or [`Parser::subtree`], it takes the events that
/// follow until it is whole. Where a reader or an iterator brings the chunks,
/// [`Events::subtree`](crate::Events::subtree) is all of that in one call.
///
/// ```
/// use tagstream::{Balanced, Event, Xml};
///
/// let mut parser = Balanced::new(Xml::default());
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
    /// Takes the next event; gives whether the element is whole now. More than that it does not take.
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
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
            self.growing.grow(event);
        }
        self.is_whole()
    }

    /// Whether the element has ended.
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a/>");
    /// parser.next_event()?;
    /// let Some(mut tree) = parser.subtree() else { panic!() };
    /// assert!(!tree.is_whole());
    /// if let Some(event) = parser.next_event()? {
    ///     tree.take(&event);
    /// }
    /// assert!(tree.is_whole());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_whole(&self) -> bool {
        !self.growing.is_open()
    }

    /// Whether the tree of the document has the same there, so far: see [`Document::is_exact`].
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a>");
    /// parser.next_event()?;
    /// // Only HTML moves what has gone by.
    /// assert!(parser.subtree().is_some_and(|tree| tree.is_exact()));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_exact(&self) -> bool {
        self.growing.is_exact
    }

    /// The tree so far.
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a><b/>");
    /// parser.next_event()?;
    /// let Some(mut tree) = parser.subtree() else { panic!() };
    /// while let Some(event) = parser.next_event()? {
    ///     tree.take(&event);
    /// }
    /// assert_eq!(tree.sink().to_xml()?, "<a><b/></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sink(&self) -> &S {
        &self.growing.sink
    }

    /// The tree.
    ///
    /// ```
    /// use tagstream::{Balanced, Document, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a/>");
    /// parser.next_event()?;
    /// let Some(tree) = parser.subtree() else { panic!() };
    /// let tree: Document = tree.into_sink();
    /// assert_eq!(tree.to_xml()?, "<a/>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_sink(self) -> S {
        self.growing.sink
    }
}

impl<S: TreeSink> Taker for Subtree<S> {
    #[inline]
    fn take(&mut self, event: &Event<'_>) {
        self.growing.grow(event);
    }
}

impl<D: Balance> Parser<D> {
    /// A tree that begins with the event in hand, if that is a start tag, and takes those that follow:
    /// see [`Subtree`]. In the events of a parser that does not balance them, the element ends where
    /// there have been as many end tags as start tags.
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

    /// The same in a tree of your own, below its document node.
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
            self.dialect().prepare(&mut sink);
            let mut growing = Growing::new::<D>(sink);
            growing.grow(&event);
            // Wherever the element is: what is in it counts.
            growing.is_exact = true;
            Subtree { growing }
        })
    }
}

impl<D: Balance> Balanced<D> {
    /// A tree that begins with the event in hand, if that is a start tag, and takes those that follow:
    /// see [`Subtree`].
    ///
    /// ```
    /// use tagstream::{Balanced, Html};
    ///
    /// let mut parser = Balanced::new(Html::default());
    /// parser.feed("<p>one");
    /// parser.finish();
    /// parser.next_event()?;
    /// let Some(mut tree) = parser.subtree() else { panic!() };
    /// while let Some(event) = parser.next_event()? {
    ///     tree.take(&event);
    /// }
    /// assert_eq!(tree.sink().to_html(), "<html><head></head><body><p>one</p></body></html>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn subtree(&self) -> Option<Subtree> {
        self.parser().subtree()
    }

    /// The same in a tree of your own, below its document node.
    ///
    /// ```
    /// use tagstream::{Balanced, Document, Html};
    ///
    /// let mut parser = Balanced::new(Html::default());
    /// parser.feed("<p>");
    /// parser.next_event()?;
    /// assert!(parser.subtree_in(Document::new()).is_some());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn subtree_in<S: TreeSink>(&self, sink: S) -> Option<Subtree<S>> {
        self.parser().subtree_in(sink)
    }
}
