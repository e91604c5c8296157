//! Elements of events that are waited for, each read to its end: what was read is kept where a wait is given up.

use super::async_events::AsyncEvents;
use super::async_source::AsyncSource;
use crate::build::{Subtree, To};
use crate::dialect::{Balance, Tree};
use crate::element::{ElementText, Skip};
use crate::error::{Error, ErrorKind};
use crate::event::Event;
use crate::parser::Status;
use crate::tree::Document;
use alloc::boxed::Box;
use alloc::string::String;

/// What is read of an element.
#[derive(Debug)]
pub(super) enum Open {
    Text(ElementText),
    Skip(Skip),
    Subtree(Box<Subtree>),
}

impl Open {
    fn take(&mut self, event: &Event<'_>) -> bool {
        match self {
            Open::Text(text) => text.take(event),
            Open::Skip(skip) => skip.take(event),
            Open::Subtree(subtree) => subtree.take(event),
        }
    }
}

impl<D: Balance, S: AsyncSource, F: Tree> AsyncEvents<D, S, F> {
    /// How many elements are open at the event in hand: see [`Events::depth`](crate::Events::depth).
    ///
    /// ```
    /// use tagstream::{AsyncEvents, Xml};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), tagstream::Error> {
    /// let mut events = AsyncEvents::read(Xml::default(), &b"<a><b/></a>"[..]);
    /// let mut depths = Vec::new();
    /// while events.next_event().await?.is_some() {
    ///     depths.push(events.depth());
    /// }
    /// assert_eq!(depths, [1, 2, 2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn depth(&self) -> u64 {
        self.parser.depth()
    }

    /// The text in the element that begins with the event in hand, up to its end: see
    /// [`Events::read_text`](crate::Events::read_text). Left and called again, it goes on.
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
    /// As [`next_event`](AsyncEvents::next_event). [`ErrorKind::NoElement`] if the event in hand is no start tag:
    /// then nothing was read, and the next event is the next event.
    pub async fn read_text(&mut self) -> Result<String, Error> {
        let mut text = String::new();
        self.read_text_into(&mut text).await?;
        Ok(text)
    }

    /// The same behind what is in `text` already, once all of it is there. Left and called again, it goes on.
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
    /// As [`read_text`](AsyncEvents::read_text); where it ends the events, `text` has what was read before.
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

    /// Passes over the element that begins with the event in hand: see
    /// [`Events::skip_element`](crate::Events::skip_element). Left and called again, it goes on.
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
    /// As [`read_text`](AsyncEvents::read_text).
    pub async fn skip_element(&mut self) -> Result<(), Error> {
        if !matches!(self.open, Some(Open::Skip(_))) {
            self.open = Skip::at(self.current()).map(Open::Skip);
        }
        self.read_open().await?;
        self.open = None;
        Ok(())
    }

    /// The element that begins with the event in hand, as a tree, read to its end: see
    /// [`Events::subtree`](crate::Events::subtree). Left and called again, it goes on.
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
    /// As [`read_text`](AsyncEvents::read_text).
    pub async fn subtree(&mut self) -> Result<Document, Error> {
        let mut document = Document::following(&self.outline);
        self.subtree_in(&mut document).await?;
        self.outline = document.outline();
        Ok(document)
    }

    /// The same in a document that there is: what it holds goes, and its memory is used again.
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
    /// As [`read_text`](AsyncEvents::read_text); where it ends the events, the document has what was read before.
    pub async fn subtree_into(&mut self, document: &mut Document) -> Result<(), Error> {
        document.clear();
        self.subtree_in(document).await
    }

    /// Puts the element in the place of an empty document, whose memory it takes.
    async fn subtree_in(&mut self, document: &mut Document) -> Result<(), Error> {
        if !matches!(self.open, Some(Open::Subtree(_))) {
            let empty = core::mem::replace(document, Document::hollow(&self.outline));
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

    /// Reads what was begun to its end. It is kept with what it has taken, so that this may be left at any wait.
    async fn read_open(&mut self) -> Result<(), Error> {
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

    /// Hands on what is there; gives whether the element is whole.
    fn take_batch(&mut self) -> bool {
        while !self.parser.is_drained() {
            let is_whole = match &mut self.open {
                Some(Open::Subtree(subtree)) => {
                    self.parser.pass_event(To(&mut **subtree));
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
