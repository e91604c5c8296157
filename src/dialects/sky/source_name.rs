//! Access to the original names of elements that are renamed to `error`.

use crate::engine::event::StartTag;

/// Extension of [`StartTag`] that returns the name of a tag in the source. It differs from the element's name if that
/// is `error`, because the name is not registered.
///
/// ```
/// use tagstream::sky::SourceName;
/// use tagstream::{Event, Parser, Sky};
///
/// let mut parser = Parser::new(Sky::fragment().registered(["p"])).balanced();
/// parser.feed("<paragraph>");
/// if let Some(Event::Start(tag)) = parser.next_event()? {
///     assert_eq!((tag.name(), tag.source_name()), ("error", "paragraph"));
/// }
/// # Ok::<(), tagstream::Error>(())
/// ```
pub trait SourceName<'a> {
    /// Returns the name as it is in the source.
    fn source_name(&self) -> &'a str;
}

impl<'a> SourceName<'a> for StartTag<'a> {
    fn source_name(&self) -> &'a str {
        self.written_name()
    }
}
