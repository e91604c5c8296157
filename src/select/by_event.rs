//! `EventMatcher`: matches a selector against events that the program passes one by one.

use super::selector::IntoSelector;
use super::set::SelectorSet;
use crate::engine::dialect::Balance;
use crate::engine::error::SelectorError;
use crate::engine::event::Event;

/// Matches a selector against events that the program passes one by one: reports for each start tag whether its element
/// matches. Use an `EventMatcher` in your own event loops and with a [`Rewriter`](crate::Rewriter). For several selectors
/// at once, a [`SelectorSet`] is faster.
///
/// ```
/// use tagstream::select::EventMatcher;
/// use tagstream::{Html, Rewriter};
///
/// let mut rewriter = Rewriter::new(Html::default());
/// let mut is_link = EventMatcher::new(Html::default(), "p > a[href]")?;
/// rewriter.feed("<p><a href=b>c</a><a>d</a>");
/// rewriter.finish();
/// while let Some(mut event) = rewriter.next_event()? {
///     if is_link.matches(&event.event()) {
///         event.set_attribute("rel", "nofollow");
///     }
/// }
/// assert_eq!(rewriter.output(), br#"<p><a href=b rel="nofollow">c</a><a>d</a>"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct EventMatcher<D: Balance> {
    /// A set that contains only the selector.
    set: SelectorSet<D>,
}

impl<D: Balance> EventMatcher<D> {
    /// Creates a matcher for a document of this dialect. The first event that it receives must be the first of the
    /// document.
    ///
    /// ```
    /// use tagstream::Xml;
    /// use tagstream::select::EventMatcher;
    ///
    /// assert!(EventMatcher::new(Xml::default(), "feed > entry").is_ok());
    /// assert!(EventMatcher::new(Xml::default(), "entry:last-child").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Events::select`](crate::Events::select).
    pub fn new<'s>(
        dialect: D,
        selector: impl IntoSelector<'s>,
    ) -> Result<EventMatcher<D>, SelectorError> {
        let mut set = SelectorSet::new(dialect);
        set.add(selector)?;
        Ok(EventMatcher { set })
    }

    /// Processes the next event. Returns true if the event is the start tag of an element that matches the selector.
    ///
    /// ```
    /// use tagstream::select::EventMatcher;
    /// use tagstream::{Events, Xml};
    ///
    /// let mut events = Events::of(Xml::default(), "<a><b/><c><b/></c></a>");
    /// let mut matcher = EventMatcher::new(Xml::default(), "a > b")?;
    /// let mut found = 0;
    /// while let Some(event) = events.next_event()? {
    ///     found += usize::from(matcher.matches(&event));
    /// }
    /// assert_eq!(found, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matches(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Start(tag) => return self.set.enter(tag),
            Event::End(_) => self.set.leave(),
            Event::Doctype(doctype) => self.set.doctype(doctype),
            _ => {}
        }
        false
    }

    /// Ends the element whose start tag was the last event. Call this method if the element was removed, and no further
    /// event of the element follows, not even its end tag.
    ///
    /// ```
    /// use tagstream::select::EventMatcher;
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// let mut matcher = EventMatcher::new(Xml::default(), "a > b")?;
    /// rewriter.feed("<a><b/><c><b/></c></a>");
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     if matcher.matches(&event.event()) {
    ///         event.remove();
    ///         matcher.leave();
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), b"<a><c><b/></c></a>");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leave(&mut self) {
        self.set.leave();
    }
}
