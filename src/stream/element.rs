//! Consumers of the events of one element, for programs that feed chunks themselves: [`ElementText`] collects the text
//! of the element, [`InnerText`] the text that a browser shows, [`Skip`] ignores the content of the element.
//!
//! Each receives one event at a time and reports when the element has ended, so the program can feed further chunks in
//! between.

use crate::engine::dialect::{Dialect, Tree};
use crate::engine::error::Error;
use crate::engine::event::{ElementReader, Event, SkipByEvent, StartTag};
use crate::engine::parser::Parser;
use crate::engine::text::rendered::{Element, Language, RenderedText};
use alloc::string::String;

/// Maximum number of open elements with which [`Skip::of_open`] starts. No input has as many start tags, so the number does
/// not overflow when further elements are counted.
const MAX_SKIPPED_ELEMENTS: u64 = u64::MAX / 2;

/// A counter of open elements that finds the end of an element. The counter starts after the element's start tag.
#[derive(Clone, Debug, Default)]
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

/// A collector of the text of an element or of a document as a browser shows it: the `innerText` of the DOM.
///
/// [`Parser::inner_text`] creates it at a start tag. Then pass the following events to [`take`](Self::take) until the
/// element has ended. [`new`](Self::new) creates it for a whole document. If the input is a reader or an iterator,
/// [`Events::read_inner_text`](crate::Events::read_inner_text) does all this in one call.
///
/// For an element, the result is that of [`Node::inner_text`](crate::Node::inner_text), with three differences, because
/// the collector does not see what surrounds the element: the element is shown whatever its ancestors are, white space is kept only if
/// the element itself or an element in it says so, and an element in a line has no white space at its start and its
/// end. Whether scripting was enabled is not known either, so the content of `noscript` is part of the text.
///
/// The collector has the text that was not taken, and a few bytes for each open element.
///
/// ```
/// use tagstream::{Event, Html, Parser};
///
/// let mut parser = Parser::new(Html::default()).balanced();
/// let (mut items, mut open) = (Vec::new(), None);
/// for chunk in ["<ul><li>on", "e <br>two<li>", "three</ul>"] {
///     parser.feed(chunk);
///     while let Some(event) = parser.next_event()? {
///         match (&event, &mut open) {
///             (Event::Start(tag), None) if tag.name() == "li" => open = parser.inner_text(),
///             (_, Some(_)) => {
///                 let whole = open.take_if(|item| item.take(&event));
///                 items.extend(whole.map(|item| item.into_text()));
///             }
///             _ => {}
///         }
///     }
/// }
/// assert_eq!(items, ["one\ntwo", "three"]);
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct InnerText {
    count: OpenCount,
    rendered: RenderedText,
    /// The whole text, if the element itself is not shown.
    unseen: Option<String>,
}

impl InnerText {
    /// Creates a collector of the text of a whole document: pass all of its events. The text is that of
    /// [`Node::inner_text`](crate::Node::inner_text) of the root of its tree.
    ///
    /// ```
    /// use tagstream::{Html, InnerText, Parser};
    ///
    /// let mut parser = Parser::new(Html::default()).balanced();
    /// parser.feed("<title>A</title><h1>B</h1>c <b>d</b>");
    /// parser.finish();
    /// let mut text = InnerText::new();
    /// while let Some(event) = parser.next_event()? {
    ///     text.take(&event);
    /// }
    /// assert_eq!(text.into_text(), "B\nc d");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn new() -> InnerText {
        InnerText {
            count: OpenCount { open: 1 },
            rendered: RenderedText::new(),
            unseen: None,
        }
    }

    /// Starts after the current event if that is a start tag. Otherwise returns `None`.
    pub(crate) fn at(current: Option<Event<'_>>) -> Option<InnerText> {
        let Some(Event::Start(tag)) = current else {
            return None;
        };
        let mut rendered = RenderedText::new();
        rendered.enter(described(&tag));
        Some(InnerText {
            count: OpenCount { open: 1 },
            unseen: (!rendered.is_shown()).then(String::new),
            rendered,
        })
    }

    /// Processes the next event. Returns whether the element has ended; further events are ignored. A document ends with
    /// its last event, and `false` is returned for that too.
    pub fn take(&mut self, event: &Event<'_>) -> bool {
        match (event, &mut self.unseen) {
            _ if self.count.open == 0 => {}
            (Event::Text(text), Some(unseen)) => unseen.push_str(text.as_str()),
            (Event::Text(text), None) => self.rendered.add(text.as_str()),
            (Event::Start(tag), None) => self.rendered.start(described(tag)),
            (Event::End(_), None) => self.rendered.end(),
            _ => {}
        }
        self.count.take(event)
    }

    /// Returns whether the element has ended.
    pub fn is_whole(&self) -> bool {
        self.count.open == 0
    }

    /// Returns the text collected so far. Line breaks and white space at its end are not included as long as more text
    /// may follow.
    pub fn text(&self) -> &str {
        self.unseen.as_deref().unwrap_or(self.rendered.text())
    }

    /// Returns the text collected so far and removes it, so that a program can write long texts in parts. The parts
    /// together are the whole text.
    ///
    /// ```
    /// use tagstream::{Html, Parser};
    ///
    /// let mut parser = Parser::new(Html::default()).balanced();
    /// let (mut parts, mut open) = (Vec::new(), None);
    /// parser.feed("<ul><li>one<li>two</ul>");
    /// while let Some(event) = parser.next_event()? {
    ///     match &mut open {
    ///         None => open = parser.inner_text(),
    ///         Some(list) => {
    ///             list.take(&event);
    ///             parts.push(list.take_text());
    ///         }
    ///     }
    /// }
    /// assert_eq!(parts.concat(), "one\ntwo");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn take_text(&mut self) -> String {
        match &mut self.unseen {
            Some(unseen) => core::mem::take(unseen),
            None => self.rendered.take(),
        }
    }

    /// Converts the collector to the text collected so far.
    pub fn into_text(mut self) -> String {
        self.take_text()
    }
}

impl Default for InnerText {
    fn default() -> InnerText {
        InnerText::new()
    }
}

/// The description of an element for the display rules.
fn described<'a>(tag: &StartTag<'a>) -> Element<'a, impl Fn(&str) -> Option<&'a str> + use<'a>> {
    let tag = *tag;
    Element {
        language: Language::of(tag.namespace()),
        name: tag.local_name(),
        attribute: move |name: &str| tag.attribute(name),
    }
}

/// A counter that finds the end of an element whose content is skipped.
///
/// [`Parser::skip_element`] creates it at a start tag. Then pass the following events to [`take`](Self::take) until
/// the element has ended. [`Parser::next_event_except`] is faster. If the input is a reader or an iterator,
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
#[derive(Clone, Debug, Default)]
pub struct Skip {
    count: OpenCount,
}

impl Skip {
    /// Starts after the current event if that is a start tag. Otherwise returns `None`.
    pub(crate) fn at(current: Option<Event<'_>>) -> Option<Skip> {
        OpenCount::at(current).map(|count| Skip { count })
    }

    /// Creates a counter for skipping the rest of the innermost `count` open elements. The counter for 0 skips nothing. A
    /// counter for more elements than are open, such as `u64::MAX`, skips the rest of the document.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Skip, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).balanced();
    /// parser.feed("<a><b><c><d/></c><e/></b><f/></a>");
    /// for _ in ["a", "b", "c"] {
    ///     parser.next_event()?;
    /// }
    /// let mut skip = Skip::of_open(2);
    /// let next = parser.next_event_except(&mut skip, |_| false)?;
    /// assert!(matches!(next, Some(Event::Start(tag)) if tag.name() == "f"));
    /// assert_eq!(skip.open_elements(), 0);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn of_open(count: u64) -> Skip {
        let open = count.min(MAX_SKIPPED_ELEMENTS);
        Skip {
            count: OpenCount { open },
        }
    }

    /// Returns the number of elements that are skipped and still open, which is 0 after the end of the element.
    pub fn open_elements(&self) -> u64 {
        self.count.open
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

    /// Returns a collector of the text of the element that starts with the current event, as a browser shows the text, or
    /// `None` if that is not a start tag. See [`InnerText`].
    ///
    /// ```
    /// use tagstream::{Parser, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).balanced();
    /// parser.feed("<a>one</a>");
    /// assert!(parser.inner_text().is_none());
    /// parser.next_event()?;
    /// assert!(parser.inner_text().is_some());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn inner_text(&self) -> Option<InnerText> {
        InnerText::at(self.current())
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

    /// Returns the next event that is not skipped. `is_skipped` is called with start tags and texts, and decides whether
    /// they are skipped: a start tag with its element.
    ///
    /// In a skipped element, tags and texts are passed, and all other events are returned, such as comments and parse
    /// errors. `skip` counts the open elements between two calls. `None` means that the parser needs more input, as for
    /// [`next_event`](Parser::next_event).
    ///
    /// This is faster than `next_event` with [`Skip::take`], since no event is made of a tag or a text in a skipped element.
    ///
    /// ```
    /// use tagstream::{Event, Parser, Skip, Xml};
    ///
    /// let mut parser = Parser::new(Xml::default()).balanced();
    /// let (mut names, mut skip) = (Vec::new(), Skip::default());
    /// for chunk in ["<a><skip>text<b/>", "</skip><c/></a>"] {
    ///     parser.feed(chunk);
    ///     while let Some(event) = parser.next_event_except(
    ///         &mut skip,
    ///         |event| matches!(event, Event::Start(tag) if tag.name() == "skip"),
    ///     )? {
    ///         if let Event::Start(tag) = event {
    ///             names.push(tag.name().to_owned());
    ///         }
    ///     }
    /// }
    /// assert_eq!(names, ["a", "c"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`next_event`](Parser::next_event).
    #[inline]
    pub fn next_event_except(
        &mut self,
        skip: &mut Skip,
        is_skipped: impl FnMut(&Event<'_>) -> bool,
    ) -> Result<Option<Event<'_>>, Error> {
        self.next_event_after(skip, &mut SkipByEvent(is_skipped))
    }

    /// Returns the next event after elements and texts that `reader` reads or skips. It is called with each element and each
    /// text that comes next, until it needs the events of one. A [leaf](crate::Leaf), which is an element that contains one text and
    /// nothing else, can be read at once. Other elements are skipped as by
    /// [`next_event_except`](Parser::next_event_except): `skip` counts their open elements, and events that are neither tags
    /// nor texts are returned.
    ///
    /// For records with many small fields, this is faster than `next_event`, since no events are made of the fields.
    ///
    /// An element is a leaf only if the parser has read all of it, which depends on the chunks. Otherwise its tags and its
    /// text are events. A program therefore reads the same elements from events too:
    ///
    /// ```
    /// use tagstream::{ElementReader, Event, Leaf, Parser, Skip, StartTag, Text, Xml};
    ///
    /// /// Adds the numbers in elements `n`.
    /// struct Sum(u32);
    ///
    /// impl ElementReader for Sum {
    ///     fn read_leaf(&mut self, leaf: Leaf<'_>) -> bool {
    ///         if leaf.name() == "n" {
    ///             self.0 += leaf.as_str().parse::<u32>().unwrap_or(0);
    ///         }
    ///         true
    ///     }
    ///     fn skip_element(&mut self, tag: StartTag<'_>) -> bool {
    ///         tag.name() == "x"
    ///     }
    ///     fn skip_text(&mut self, _: Text<'_>) -> bool {
    ///         false
    ///     }
    /// }
    ///
    /// let mut parser = Parser::new(Xml::default()).balanced();
    /// let (mut sum, mut is_number, mut skip) = (Sum(0), false, Skip::default());
    /// for chunk in ["<a><n>1</n><n>2</n><x><n>3</n></x><n>", "4</n></a>"] {
    ///     parser.feed(chunk);
    ///     while let Some(event) = parser.next_event_after(&mut skip, &mut sum)? {
    ///         match event {
    ///             Event::Start(tag) => is_number = tag.name() == "n",
    ///             Event::Text(text) if is_number => sum.0 += text.as_str().parse::<u32>().unwrap_or(0),
    ///             _ => {}
    ///         }
    ///     }
    /// }
    /// assert_eq!(sum.0, 1 + 2 + 4);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`next_event`](Parser::next_event).
    #[inline]
    pub fn next_event_after(
        &mut self,
        skip: &mut Skip,
        reader: &mut impl ElementReader,
    ) -> Result<Option<Event<'_>>, Error> {
        while self.has_event()? {
            skip.count.open = self.pass_elements(skip.count.open, reader);
            if !self.is_drained() {
                return self.next_event();
            }
        }
        Ok(None)
    }
}
