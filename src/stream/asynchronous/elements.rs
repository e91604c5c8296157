//! Methods of [`AsyncEvents`] that read one element to its end: as text, as a tree, or to skip it. The method for its source
//! is in `recorded.rs`.
//!
//! A future may be dropped at any `.await`, which must not lose events. The state of an unfinished element is
//! therefore in the field `open` of `AsyncEvents`, not in the future, and a second call of the same method continues
//! with it.

use super::events::AsyncEvents;
use super::recorded::ElementSource;
use super::source::AsyncSource;
use crate::engine::dialect::{Balance, Tree};
use crate::engine::error::{Error, ErrorKind};
use crate::engine::event::Event;
use crate::engine::parser::Status;
use crate::stream::element::{ElementText, InnerText, Skip};
use crate::tree::Document;
use crate::tree_builder::Subtree;
use alloc::boxed::Box;
use alloc::string::String;

/// An element that is being read, for one of five purposes, with the result so far.
#[derive(Debug)]
pub(super) enum Open {
    Text(ElementText),
    InnerText(Box<InnerText>),
    Skip(Skip),
    Subtree(Box<Subtree>),
    Source(ElementSource),
}

impl Open {
    /// Adds the next event to the result. Returns true if the event is the end of the element.
    fn take(&mut self, event: &Event<'_>) -> bool {
        match self {
            Open::Text(text) => text.take(event),
            Open::InnerText(text) => text.take(event),
            Open::Skip(skip) => skip.take(event),
            Open::Subtree(subtree) => subtree.take(event),
            Open::Source(element) => element.take(event),
        }
    }
}

impl<D: Balance, S: AsyncSource, F: Tree> AsyncEvents<D, S, F> {
    /// Returns the number of open elements at the current event: see [`Events::depth`](crate::Events::depth).
    pub fn depth(&self) -> usize {
        self.parser.depth()
    }

    /// Reads the element that starts with the current event and returns its text: see
    /// [`Events::read_text`](crate::Events::read_text). If the future is dropped, a second call continues the same
    /// element.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Xml::default(), &b"<a>Tom &amp; <b>Jerry</b></a>"[..]);
    /// events.next_event().await?;
    /// assert_eq!(events.read_text().await?, "Tom & Jerry");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`next_event`](AsyncEvents::next_event). Returns [`ErrorKind::NoElement`] if the
    /// current event is not a start tag. In that case nothing was read, and the following events can still be
    /// requested.
    pub async fn read_text(&mut self) -> Result<String, Error> {
        let mut text = String::new();
        self.read_text_into(&mut text).await?;
        Ok(text)
    }

    /// Like [`read_text`](AsyncEvents::read_text), but appends the text to `text` when the element has ended. If the
    /// future is dropped, a second call continues the same element.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Xml::default(), &b"<a>b<!--c-->d</a>"[..]);
    /// events.next_event().await?;
    /// let mut text = String::from("a");
    /// events.read_text_into(&mut text).await?;
    /// assert_eq!(text, "abd");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_text`](AsyncEvents::read_text). If the error ends the parse, the text read
    /// before is appended to `text`.
    pub async fn read_text_into(&mut self, text: &mut String) -> Result<(), Error> {
        if !matches!(self.open, Some(Open::Text(_))) {
            self.open = ElementText::at(self.current()).map(Open::Text);
        }
        let read = self.read_open().await;
        if (read.is_ok() || self.parser.status() == Status::Failed)
            && let Some(Open::Text(open)) = self.open.take()
        {
            text.push_str(open.text());
        }
        read
    }

    /// Reads the element that starts with the current event and returns its text as a browser shows it: see
    /// [`Events::read_inner_text`](crate::Events::read_inner_text). If the future is dropped, a second call continues
    /// the same element.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Html};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Html::default(), &b"<p>a<br> b"[..]).balanced();
    /// events.next_event().await?;
    /// assert_eq!(events.read_inner_text().await?, "a\nb");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_text`](AsyncEvents::read_text).
    pub async fn read_inner_text(&mut self) -> Result<String, Error> {
        if !matches!(self.open, Some(Open::InnerText(_))) {
            self.open = InnerText::at(self.current()).map(|open| Open::InnerText(Box::new(open)));
        }
        self.read_open().await?;
        Ok(match self.open.take() {
            Some(Open::InnerText(open)) => open.into_text(),
            _ => String::new(),
        })
    }

    /// Skips the element that starts with the current event: see
    /// [`Events::skip_element`](crate::Events::skip_element). If the future is dropped, a second call continues the
    /// same element.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Xml::default(), &b"<a><b>text</b><c/></a>"[..]);
    /// events.next_event().await?;
    /// events.next_event().await?;
    /// events.skip_element().await?;
    /// assert_eq!(format!("{:?}", events.next_event().await?), "Some(Start(<c/>))");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_text`](AsyncEvents::read_text).
    #[doc(alias = "read_to_end")]
    pub async fn skip_element(&mut self) -> Result<(), Error> {
        if !matches!(self.open, Some(Open::Skip(_))) {
            self.open = Skip::at(self.current()).map(Open::Skip);
        }
        self.read_open().await?;
        self.open = None;
        Ok(())
    }

    /// Reads the element that starts with the current event and returns it as a tree: see
    /// [`Events::subtree`](crate::Events::subtree). If the future is dropped, a second call continues the same
    /// element.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Xml::default(), &b"<a><b>text</b></a>"[..]);
    /// events.next_event().await?;
    /// events.next_event().await?;
    /// assert_eq!(events.subtree().await?.root().text_content(), "text");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_text`](AsyncEvents::read_text).
    pub async fn subtree(&mut self) -> Result<Document, Error> {
        let mut document = Document::following(&self.outline);
        self.subtree_in(&mut document).await?;
        self.outline = document.outline();
        Ok(document)
    }

    /// Like [`subtree`](AsyncEvents::subtree), but replaces the content of an existing document and reuses its
    /// memory.
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Document, Event, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let dump = &b"<dump><page>One</page><page>Two</page></dump>"[..];
    /// let mut events = AsyncEvents::read(Xml::default(), dump);
    /// let (mut page, mut texts) = (Document::new(), Vec::new());
    /// while let Some(event) = events.next_event().await? {
    ///     match event {
    ///         Event::Start(tag) if tag.name() == "page" => {
    ///             events.subtree_into(&mut page).await?;
    ///             texts.push(page.root().text_content());
    ///         }
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(texts, ["One", "Two"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_text`](AsyncEvents::read_text). If the error ends the parse, the document
    /// contains the part of the element that was read before. If there is no element to read, or if the future is dropped,
    /// the document is empty; a second call continues the element, also into another document.
    pub async fn subtree_into(&mut self, document: &mut Document) -> Result<(), Error> {
        document.clear();
        self.subtree_in(document).await
    }

    /// Reads the element that starts with the current event into an empty document. While the element is unfinished,
    /// the content of `document` is moved into `self.open`.
    async fn subtree_in(&mut self, document: &mut Document) -> Result<(), Error> {
        if !matches!(self.open, Some(Open::Subtree(_))) {
            let empty = core::mem::replace(document, Document::placeholder(&self.outline));
            self.open = self
                .parser
                .subtree_in(empty)
                .map(|subtree| Open::Subtree(Box::new(subtree)));
        }
        let read = self.read_open().await;
        if (read.is_ok() || self.parser.status() == Status::Failed)
            && let Some(Open::Subtree(subtree)) = self.open.take()
        {
            let is_exact = subtree.is_exact();
            *document = subtree.into_sink();
            document.set_exact(is_exact);
        }
        read
    }

    /// Reads events until the element in `self.open` has ended. If the future is dropped before, the state remains in
    /// `self.open`.
    pub(super) async fn read_open(&mut self) -> Result<(), Error> {
        if self.open.is_none() {
            return Err(self.parser.use_error(ErrorKind::NoElement));
        }
        loop {
            while self.parser.has_event()? {
                if self.take_batch() {
                    return Ok(());
                }
            }
            if !self.feed().await? {
                return Ok(());
            }
        }
    }

    /// Passes the events that the parser has already produced to `self.open`. Returns true if the element has ended.
    fn take_batch(&mut self) -> bool {
        while !self.parser.is_drained() {
            let is_whole = match &mut self.open {
                Some(Open::Subtree(subtree)) => {
                    self.parser.pass_event(&mut **subtree);
                    subtree.is_whole()
                }
                Some(open) => match self.parser.next_event() {
                    Ok(Some(event)) => open.take(&event),
                    _ => false,
                },
                None => true,
            };
            if is_whole {
                return true;
            }
        }
        false
    }
}
