//! Consumers of the events of one element, for programs that feed chunks themselves: [`ElementText`] collects the text
//! of the element, [`Skip`] ignores the content of the element.
//!
//! Both receive one event at a time and report when the element has ended, so the program can feed further chunks in
//! between.

use crate::engine::dialect::{Dialect, Tree};
use crate::engine::event::Event;
use crate::engine::parser::Parser;
use alloc::string::String;

/// A counter of open elements that finds the end of an element. The counter starts after the element's start tag.
#[derive(Clone, Debug)]
struct OpenCount {
    /// Number of open elements, including the element itself. 0 after its end.
    open: u64,
}

impl OpenCount {
    /// Starts after the current event if that is a start tag. Otherwise returns `None`.
    fn at(current: Option<Event<'_>>) -> Option<OpenCount> {
        matches!(current, Some(Event::Start(_))).then_some(OpenCount { open: 1 })
    }

    /// Counts the next event, if it is a start tag or an end tag. Returns true if the element has ended, with this event
    /// or before it.
    fn take(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Start(_) if self.open > 0 => self.open += 1,
            Event::End(_) => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        self.open == 0
    }
}

/// A collector of the text of an element: the `textContent` of the DOM.
///
/// [`Parser::element_text`] creates it at a start tag. Then pass the following events to [`take`](Self::take) until
/// the element has ended. If the input is a reader or an iterator, [`Events::read_text`](crate::Events::read_text)
/// does all this in one call.
///
/// ```
/// use tagstream::{Event, Parser, Xml};
///
/// let mut parser = Parser::new(Xml::default()).balanced();
/// let (mut titles, mut open) = (Vec::new(), None);
/// for chunk in ["<a><title>on", "e</title><b/><title>t<i>w</i>", "o</title></a>"] {
///     parser.feed(chunk);
///     while let Some(event) = parser.next_event()? {
///         match (&event, &mut open) {
///             (Event::Start(tag), None) if tag.name() == "title" => open = parser.element_text(),
///             (_, Some(_)) => {
///                 let whole = open.take_if(|title| title.take(&event));
///                 titles.extend(whole.map(|title| title.into_text()));
///             }
///             _ => {}
///         }
///     }
/// }
/// assert_eq!(titles, ["one", "two"]);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ElementText {
    count: OpenCount,
    text: String,
}

impl ElementText {
    /// Starts after the current event if that is a start tag. Otherwise returns `None`.
    pub(crate) fn at(current: Option<Event<'_>>) -> Option<ElementText> {
        let text = String::new();
        OpenCount::at(current).map(|count| ElementText { count, text })
    }

    /// Processes the next event. Returns whether the element has ended. Further events are ignored.
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).balanced();
    /// parser.feed("<a>Tom &amp; <b>Jerry</b></a>");
    /// parser.next_event()?;
    /// let Some(mut text) = parser.element_text() else { panic!() };
    /// while let Some(event) = parser.next_event()? {
    ///     if text.take(&event) {
    ///         break;
    ///     }
    /// }
    /// assert_eq!(text.text(), "Tom & Jerry");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn take(&mut self, event: &Event<'_>) -> bool {
        if let Event::Text(text) = event
            && !self.is_whole()
        {
            self.text.push_str(text.as_str());
        }
        self.count.take(event)
    }

    /// Returns whether the element has ended.
    pub fn is_whole(&self) -> bool {
        self.count.open == 0
    }

    /// Returns the text collected so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Converts the collector to the text collected so far.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// A counter that finds the end of an element whose content is skipped.
///
/// [`Parser::skip_element`] creates it at a start tag. Then pass the following events to [`take`](Self::take) until
/// the element has ended. If the input is a reader or an iterator,
/// [`Events::skip_element`](crate::Events::skip_element) does all this in one call.
///
/// ```
/// use tagstream::{Event, Parser, Skip, Xml};
///
/// let mut parser = Parser::new(Xml::default()).balanced();
/// let (mut names, mut skip) = (Vec::new(), None::<Skip>);
/// for chunk in ["<a><skip><b/>", "</skip><c/></a>"] {
///     parser.feed(chunk);
///     while let Some(event) = parser.next_event()? {
///         if let Some(open) = &mut skip {
///             if open.take(&event) {
///                 skip = None;
///             }
///         } else if let Event::Start(tag) = event {
///             match tag.name() {
///                 "skip" => skip = parser.skip_element(),
///                 name => names.push(name.to_owned()),
///             }
///         }
///     }
/// }
/// assert_eq!(names, ["a", "c"]);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Skip {
    count: OpenCount,
}

impl Skip {
    /// Starts after the current event if that is a start tag. Otherwise returns `None`.
    pub(crate) fn at(current: Option<Event<'_>>) -> Option<Skip> {
        OpenCount::at(current).map(|count| Skip { count })
    }

    /// Processes the next event. Returns whether the element has ended.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).balanced();
    /// parser.feed("<a><b><c/></b><d/></a>");
    /// parser.next_event()?;
    /// parser.next_event()?;
    /// let Some(mut skip) = parser.skip_element() else { panic!() };
    /// while let Some(event) = parser.next_event()? {
    ///     if skip.take(&event) {
    ///         break;
    ///     }
    /// }
    /// assert!(matches!(parser.next_event()?, Some(Event::Start(tag)) if tag.name() == "d"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn take(&mut self, event: &Event<'_>) -> bool {
        self.count.take(event)
    }

    /// Returns whether the element has ended.
    pub fn is_whole(&self) -> bool {
        self.count.open == 0
    }
}

impl<D: Dialect, F: Tree> Parser<D, F> {
    /// Returns a collector of the text of the element that starts with the current event, or `None` if that is not a
    /// start tag. See [`ElementText`].
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).balanced();
    /// parser.feed("<a>one</a>");
    /// assert!(parser.element_text().is_none());
    /// parser.next_event()?;
    /// assert!(parser.element_text().is_some());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn element_text(&self) -> Option<ElementText> {
        ElementText::at(self.current())
    }

    /// Returns a counter for skipping the element that starts with the current event, or `None` if that is not a
    /// start tag. See [`Skip`].
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).balanced();
    /// parser.feed("<a>one</a>");
    /// parser.next_event()?;
    /// assert!(parser.skip_element().is_some());
    /// parser.next_event()?;
    /// assert!(parser.skip_element().is_none());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn skip_element(&self) -> Option<Skip> {
        Skip::at(self.current())
    }
}
