//! The parts of events that come after a start tag to its element: end tags, and attributes that come late.

use super::attribute::Attributes;
use super::record::{IMPLIED, MOVED, SELF_CLOSING, SHORT};
use super::tag::{local_name, prefix};
use super::{Part, StartTag};
use crate::error::{Position, Span};
use crate::namespaces::has_prefixes;
use core::fmt;

/// An end tag.
#[derive(Clone, Copy)]
pub struct EndTag<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> EndTag<'a> {
    /// The qualified name; of a short end tag, `</>`, that of the element that it closes.
    #[inline(always)]
    pub fn name(&self) -> &'a str {
        self.part.first()
    }

    /// The name without its prefix, where the prefix is one; the whole name otherwise.
    pub fn local_name(&self) -> &'a str {
        if self.prefix().is_some() {
            local_name(self.name())
        } else {
            self.name()
        }
    }

    /// The prefix, if the name has one that is bound to a namespace.
    pub fn prefix(&self) -> Option<&'a str> {
        match has_prefixes(self.part.record.namespace) {
            true => prefix(self.name()),
            false => None,
        }
    }

    /// The name of the namespace of the element that it closes, if that is in one.
    pub fn namespace(&self) -> Option<&'a str> {
        self.part.namespace(self.part.record.namespace)
    }

    /// Whether it was written without a name: `</>`.
    pub fn is_short(&self) -> bool {
        self.part.record.flags & SHORT != 0
    }

    /// Whether it was not written: the end of an empty tag, or of an element that something else
    /// closed.
    pub fn is_implied(&self) -> bool {
        self.part.record.flags & (IMPLIED | SELF_CLOSING) != 0
    }

    /// Whether the element is elsewhere in the tree, or ended earlier there: see
    /// [`Html`](crate::html#balanced-events).
    #[inline(always)]
    pub fn is_moved(&self) -> bool {
        self.part.record.flags & MOVED != 0
    }

    /// Where it stands; empty if it was not written.
    #[inline]
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for EndTag<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "</{}>", self.name())
    }
}

/// Attributes that come to an element which is open: those of a second `<html>` or `<body>`, in
/// [balanced](crate::Balanced) HTML. An attribute that the element has already stays as it is.
///
/// ```
/// use tagstream::{Event, Events, Html};
///
/// let mut events = Events::of(Html::default(), "<body class=a><body class=b id=c>").balanced();
/// while let Some(event) = events.next_event()? {
///     if let Event::Attributes(added) = event {
///         assert_eq!((added.name(), added.attribute("id")), ("body", Some("c")));
///     }
/// }
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct AddedAttributes<'a> {
    pub(crate) part: Part<'a>,
}

impl<'a> AddedAttributes<'a> {
    /// The name of the element: `html` or `body`.
    pub fn name(&self) -> &'a str {
        self.part.first()
    }

    /// The attributes, in the order in which they were written.
    pub fn attributes(&self) -> Attributes<'a> {
        self.tag().attributes()
    }

    /// The value of the attribute with this name.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.tag().attribute(name)
    }

    fn tag(&self) -> StartTag<'a> {
        StartTag { part: self.part }
    }

    /// Where the tag stands that has them.
    pub fn span(&self) -> Span {
        self.part.span()
    }

    /// Line and column of its `<`.
    pub fn position(&self) -> Position {
        self.part.position()
    }
}

impl fmt::Debug for AddedAttributes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.tag(), f)
    }
}
