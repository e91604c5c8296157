//! The names of elements that are not registered.

use crate::event::StartTag;

/// What a [`StartTag`] was called where its element is named `error`, as its own name is not registered.
///
/// ```
/// use tagstream::sky::SourceName;
/// use tagstream::{Balanced, Event, Sky};
///
/// let mut parser = Balanced::new(Sky::fragment().registered(["p"]));
/// parser.feed("<paragraph>");
/// if let Some(Event::Start(tag)) = parser.next_event()? {
///     assert_eq!((tag.name(), tag.source_name()), ("error", "paragraph"));
/// }
/// # Ok::<(), tagstream::Error>(())
/// ```
pub trait SourceName<'a> {
    /// The name as it was written.
    ///
    /// ```
    /// use tagstream::sky::SourceName;
    /// use tagstream::{Balanced, Event, Sky};
    ///
    /// let mut parser = Balanced::new(Sky::fragment().registered(["p"]));
    /// parser.feed("<q>");
    /// let Some(Event::Start(tag)) = parser.next_event()? else { panic!() };
    /// assert_eq!(tag.source_name(), "q");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    fn source_name(&self) -> &'a str;
}

impl<'a> SourceName<'a> for StartTag<'a> {
    fn source_name(&self) -> &'a str {
        self.written_name()
    }
}
