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
///             pages.push(page.into_sink().to_xml());
///         }
///     }
/// }
/// assert_eq!(pages, ["<page>one</page>", "<page>two</page>"]);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Subtree<S: TreeSink = Document> {
    growing: Growing<S>,
}

impl<S: TreeSink> Subtree<S> {
    /// Takes the next event; gives whether the element is whole now. More than that it does not take.
    pub fn take(&mut self, event: &Event<'_>) -> bool {
        if self.growing.is_open() {
            self.growing.grow(event);
        }
        self.is_whole()
    }

    /// Whether the element has ended.
    pub fn is_whole(&self) -> bool {
        !self.growing.is_open()
    }

    /// Whether the tree of the document has the same there, so far: see [`Document::is_exact`].
    pub fn is_exact(&self) -> bool {
        self.growing.is_exact
    }

    /// The tree so far.
    pub fn sink(&self) -> &S {
        &self.growing.sink
    }

    /// The tree.
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
    pub fn subtree(&self) -> Option<Subtree> {
        self.subtree_in(Document::new())
    }

    /// The same in a tree of your own, below its document node.
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
    pub fn subtree(&self) -> Option<Subtree> {
        self.parser().subtree()
    }

    /// The same in a tree of your own, below its document node.
    pub fn subtree_in<S: TreeSink>(&self, sink: S) -> Option<Subtree<S>> {
        self.parser().subtree_in(sink)
    }
}
