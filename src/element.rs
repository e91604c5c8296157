//! What becomes of one element of a stream beside a tree: its text, or nothing. It must not know where
//! events come from.

use crate::balance::Balanced;
use crate::dialect::Balance;
use crate::event::Event;
use alloc::string::String;

/// The rest of the element that begins with an event.
#[derive(Clone, Debug)]
struct Rest {
    /// So many of its elements are open, itself among them.
    open: u64,
}

impl Rest {
    /// The rest of the element that begins with the event in hand, if that is a start tag.
    fn at(in_hand: Option<Event<'_>>) -> Option<Rest> {
        matches!(in_hand, Some(Event::Start(_))).then_some(Rest { open: 1 })
    }

    /// Takes the next event; gives whether the element is whole now.
    fn take(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Start(_) if self.open > 0 => self.open += 1,
            Event::End(_) => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        self.open == 0
    }
}

/// The text in an element of a stream of events: the `textContent` of the DOM.
///
/// Begun at a start tag with [`Balanced::element_text`], it takes the events that follow until the element
/// is whole. Where a reader or an iterator brings the chunks,
/// [`Events::read_text`](crate::Events::read_text) is all of that in one call.
///
/// ```
/// use tagstream::{Balanced, Event, Xml};
///
/// let mut parser = Balanced::new(Xml::default());
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
    rest: Rest,
    text: String,
}

impl ElementText {
    pub(crate) fn at(in_hand: Option<Event<'_>>) -> Option<ElementText> {
        let text = String::new();
        Rest::at(in_hand).map(|rest| ElementText { rest, text })
    }

    /// Takes the next event; gives whether the element is whole now. More than that it does not take.
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
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
        self.rest.take(event)
    }

    /// Whether the element has ended.
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a></a>");
    /// parser.next_event()?;
    /// let Some(mut text) = parser.element_text() else { panic!() };
    /// assert!(!text.is_whole());
    /// if let Some(event) = parser.next_event()? {
    ///     text.take(&event);
    /// }
    /// assert!(text.is_whole());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_whole(&self) -> bool {
        self.rest.open == 0
    }

    /// The text so far.
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a>one<b/>");
    /// parser.next_event()?;
    /// let Some(mut text) = parser.element_text() else { panic!() };
    /// while let Some(event) = parser.next_event()? {
    ///     text.take(&event);
    /// }
    /// assert_eq!((text.text(), text.is_whole()), ("one", false));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text.
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a>one</a>");
    /// parser.next_event()?;
    /// let Some(mut text) = parser.element_text() else { panic!() };
    /// while let Some(event) = parser.next_event()? {
    ///     text.take(&event);
    /// }
    /// let text: String = text.into_text();
    /// assert_eq!(text, "one");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn into_text(self) -> String {
        self.text
    }
}

/// An element of a stream of events that is passed over.
///
/// Begun at a start tag with [`Balanced::skip_element`], it takes the events that follow until the element
/// is whole. Where a reader or an iterator brings the chunks,
/// [`Events::skip_element`](crate::Events::skip_element) is all of that in one call.
///
/// ```
/// use tagstream::{Balanced, Event, Skip, Xml};
///
/// let mut parser = Balanced::new(Xml::default());
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
    rest: Rest,
}

impl Skip {
    pub(crate) fn at(in_hand: Option<Event<'_>>) -> Option<Skip> {
        Rest::at(in_hand).map(|rest| Skip { rest })
    }

    /// Takes the next event; gives whether the element is whole now.
    ///
    /// ```
    /// use tagstream::{Balanced, Event, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
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
        self.rest.take(event)
    }

    /// Whether the element has ended.
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a/>");
    /// parser.next_event()?;
    /// let Some(mut skip) = parser.skip_element() else { panic!() };
    /// assert!(!skip.is_whole());
    /// if let Some(event) = parser.next_event()? {
    ///     skip.take(&event);
    /// }
    /// assert!(skip.is_whole());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn is_whole(&self) -> bool {
        self.rest.open == 0
    }
}

impl<D: Balance> Balanced<D> {
    /// The text of the element that begins with the event in hand, if that is a start tag: see
    /// [`ElementText`].
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
    /// parser.feed("<a>one</a>");
    /// assert!(parser.element_text().is_none());
    /// parser.next_event()?;
    /// assert!(parser.element_text().is_some());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn element_text(&self) -> Option<ElementText> {
        ElementText::at(self.current())
    }

    /// Passes over the element that begins with the event in hand, if that is a start tag: see [`Skip`].
    ///
    /// ```
    /// use tagstream::{Balanced, Xml};
    ///
    /// let mut parser = Balanced::new(Xml::default());
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
