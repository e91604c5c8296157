//! An iterator that reads each element with a given name as a value, from a document of any length.

use super::cursor::Cursor;
use super::error::{DeError, DeErrorKind};
use super::names::{in_braces, local};
use super::value::{DEFAULT_DEPTH, Depth, Mode, Value};
use crate::engine::dialect::{Balance, Nested};
use crate::engine::event::StartTag;
use crate::stream::{Events, Source};
use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;
use serde_core::de::DeserializeOwned;

/// An iterator that reads each element with a given name as a value. Use it for a document that does not fit into
/// memory or that has no end.
///
/// ```
/// use serde::Deserialize;
/// use tagstream::de::Records;
/// use tagstream::{Events, Xml};
///
/// #[derive(Deserialize)]
/// struct Page {
///     title: String,
///     id: u32,
/// }
///
/// let dump = "<dump><page><title>One</title><id>1</id></page>\
///             <page><title>Two</title><id>two</id></page>\
///             <page><title>Three</title><id>3</id></page>";
/// let mut titles = Vec::new();
/// for page in Records::<Page>::new(Events::chunks(Xml::default(), [dump]), "page") {
///     match page {
///         Ok(page) => titles.push(page.title),
///         Err(error) => assert_eq!(error.path(), "page/id"),
///     }
/// }
/// assert_eq!(titles, ["One", "Three"]);
/// ```
///
/// The given name is a local name, `{namespace}name`, or `{*}name` for any namespace. An element with this name inside another such element is a
/// part of the outer element, and is not returned. Memory is bounded by the largest record. If an element does not fit
/// the type, the iterator returns an `Err` and continues with the next element. If an error ends the parse, the
/// iterator returns one `Err`, and then ends.
pub struct Records<T, E = ()> {
    events: E,
    name: String,
    depth_limit: usize,
    is_ended: bool,
    value: PhantomData<fn() -> T>,
}

/// The source of the events that [`Records`] reads.
pub struct RecordEvents<D: Balance, S>(Cursor<'static, D, S>);

impl<T: DeserializeOwned> Records<T> {
    /// Reads the elements with a name, from the next event on.
    ///
    /// ```
    /// use tagstream::de::Records;
    /// use tagstream::{Events, Xml};
    ///
    /// let events = Events::chunks(Xml::strict(), ["<a><b>1</b><c/><b>", "2</b></a>"]);
    /// let numbers: Result<Vec<u8>, _> = Records::<u8>::new(events, "b").collect();
    /// assert_eq!(numbers?, [1, 2]);
    /// # Ok::<(), tagstream::de::DeError>(())
    /// ```
    pub fn new<D: Balance<Form = Nested>, S: Source>(
        events: Events<D, S, Nested>,
        name: impl Into<String>,
    ) -> Records<T, RecordEvents<D, S>> {
        Records {
            events: RecordEvents(Cursor::new(events, "")),
            name: name.into(),
            depth_limit: DEFAULT_DEPTH,
            is_ended: false,
            value: PhantomData,
        }
    }
}

impl<T, D: Balance, S: Source> Records<T, RecordEvents<D, S>> {
    /// Sets the maximum number of elements nested in each other in a record: see
    /// [`Deserializer::depth_limit`](super::Deserializer::depth_limit).
    #[must_use]
    pub fn depth_limit(mut self, elements: usize) -> Self {
        self.depth_limit = elements;
        self
    }

    /// Sets the maximum number of bytes for buffering elements of one record that lie between the items of a list: see
    /// [`Deserializer::buffer_limit`](super::Deserializer::buffer_limit).
    #[must_use]
    pub fn buffer_limit(mut self, bytes: usize) -> Self {
        self.events.0.buffer_limit = bytes;
        self
    }

    /// Sets whether a list ends at the first element that is not one of its items: see
    /// [`Deserializer::contiguous_lists`](super::Deserializer::contiguous_lists).
    #[must_use]
    pub fn contiguous_lists(mut self, is_so: bool) -> Self {
        self.events.0.has_contiguous_lists = is_so;
        self
    }

    /// Returns the events after the record that was read last.
    ///
    /// ```
    /// use tagstream::de::Records;
    /// use tagstream::{Events, Xml};
    ///
    /// let mut records = Records::<u8>::new(Events::of(Xml::strict(), "<a><b>1</b><c/></a>"), "b");
    /// assert!(records.next().is_some());
    /// let mut events = records.into_events();
    /// assert_eq!(format!("{:?}", events.next_event()?), "Some(Start(<c/>))");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn into_events(self) -> Events<D, S, Nested> {
        self.events.0.into_events()
    }

    /// Advances to the start tag of the next record. Returns the number of open elements there, or `None` at the end of
    /// the document.
    fn advance(&mut self) -> Result<Option<u64>, DeError> {
        let cursor = &mut self.events.0;
        while let Some(tag) = cursor.next_start()? {
            if is_named(&tag, &self.name) {
                return Ok(Some(cursor.depth()));
            }
        }
        Ok(None)
    }
}

/// Returns whether a start tag has the given name: a local name, `{namespace}name`, or `{*}name`.
fn is_named(tag: &StartTag<'_>, name: &str) -> bool {
    match in_braces(name) {
        Some(("*", name)) => local(tag.name()) == name,
        Some((namespace, name)) => {
            tag.namespace().unwrap_or_default() == namespace && local(tag.name()) == name
        }
        None => local(tag.name()) == name,
    }
}

impl<T: DeserializeOwned, D: Balance, S: Source> Iterator for Records<T, RecordEvents<D, S>> {
    type Item = Result<T, DeError>;

    fn next(&mut self) -> Option<Result<T, DeError>> {
        if self.is_ended {
            return None;
        }
        let depth = match self.advance() {
            Ok(Some(depth)) => depth,
            Ok(None) => {
                self.is_ended = true;
                return None;
            }
            Err(error) => {
                self.is_ended = true;
                return Some(Err(error));
            }
        };
        let cursor = &mut self.events.0;
        let read = T::deserialize(Value {
            cursor: &mut *cursor,
            level: None,
            mode: Mode::Item,
            depth: Depth::new(self.depth_limit),
        });
        let read = read.map_err(|error| cursor.placed(error));
        if let Err(error) = &read
            && let DeErrorKind::Parse(_) = error.kind()
        {
            self.is_ended = true;
            return Some(read);
        }
        match cursor.leave(depth) {
            Ok(()) => Some(read),
            Err(error) => {
                self.is_ended = true;
                // If the record does not fit the type, this error is returned, because it is earlier in the document.
                Some(read.and(Err(error)))
            }
        }
    }
}

impl<T, E> fmt::Debug for Records<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl<D: Balance, S> fmt::Debug for RecordEvents<D, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordEvents").finish_non_exhaustive()
    }
}
