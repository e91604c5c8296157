//! `EventMatcher`: matches a selector against events that the program passes one by one.

use super::automaton::Automaton;
use super::on_stream::TagSubject;
use super::selector::IntoSelector;
use super::{Selector, SelectorError};
use crate::engine::dialect::Balance;
use crate::engine::event::Event;
use crate::tree::QuirksMode;
use alloc::borrow::Cow;

/// Matches a selector against events that the program passes one by one: reports for each start tag whether its element
/// matches. Use an `EventMatcher` in your own event loops, with several selectors at once, and with a
/// [`Rewriter`](crate::Rewriter).
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
    selector: Selector,
    /// The state of matching: the steps that hold at each open element.
    automaton: Automaton,
    /// The dialect of the document, which determines the quirks mode and recognizes templates.
    dialect: D,
    /// The quirks mode of the document, or `None` if the document is not HTML.
    mode: Option<QuirksMode>,
    /// Number of open elements, not counting elements inside templates.
    depth: u64,
    /// Number of open elements inside the outermost open template, including the template itself; 0 outside templates.
    /// Elements inside a template do not match.
    template_depth: u64,
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
        let selector = selector.into_selector().map(Cow::into_owned)?;
        if let Some(error) = &selector.stream_error {
            return Err(error.clone());
        }
        Ok(EventMatcher {
            automaton: Automaton::new(&selector.program),
            mode: dialect.quirks_mode(None),
            selector,
            dialect,
            depth: 0,
            template_depth: 0,
        })
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
            Event::Start(_) if self.template_depth > 0 => self.template_depth += 1,
            Event::Start(tag) => {
                let subject = TagSubject {
                    tag: *tag,
                    mode: self.mode,
                    is_root: self.depth == 0,
                };
                self.depth += 1;
                self.template_depth = u64::from(D::is_template(tag));
                return self.automaton.enter(&self.selector.program, &subject);
            }
            Event::End(_) => self.leave(),
            Event::Doctype(doctype) if self.depth == 0 => {
                self.mode = self.dialect.quirks_mode(Some(doctype));
            }
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
        if self.template_depth > 1 {
            self.template_depth -= 1;
        } else {
            self.template_depth = 0;
            self.depth = self.depth.saturating_sub(1);
            self.automaton.leave();
        }
    }
}
