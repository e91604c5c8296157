//! One element of a stream as a tree. It must not know where the bytes come from.

use super::events::Events;
use super::source::Source;
use crate::build::{Subtree, To};
use crate::dialect::{Balance, Form, Tree};
use crate::error::{Error, ErrorKind};
use crate::tree::Document;

impl<D: Balance, S: Source, F: Form> Events<D, S, F> {
    /// The element that begins with the event in hand, as a tree, read to its end; the next event is
    /// what follows its end tag. Memory is bounded by the
    /// element, however long the document. An element that the document's end cuts off is as it is.
    ///
    /// ```
    /// use tagstream::{Event, Events, Xml};
    ///
    /// let chunks = ["<dump><page><title>On", "e</title></page><page><title>Two</title></page></dump>"];
    /// let mut events = Events::chunks(Xml::default(), chunks);
    /// let mut titles = Vec::new();
    /// while let Some(event) = events.next_event()? {
    ///     match event {
    ///         Event::Start(tag) if tag.name() == "page" => {
    ///             let page = events.subtree()?;
    ///             let title = page.root_element().and_then(|page| page.children().next());
    ///             titles.push(title.map(|title| title.text_content()));
    ///         }
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(titles, [Some("One".to_owned()), Some("Two".to_owned())]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`next_event`](Events::next_event). With [`Parser::subtree`](crate::Parser::subtree) and a loop of your own what was
    /// read before is not lost. [`ErrorKind::NoElement`] if the event in hand is no start tag: then nothing
    /// was read, and the next event is the next event.
    pub fn subtree(&mut self) -> Result<Document, Error>
    where
        F: Tree,
    {
        self.expect_start()?;
        let document = Document::following(&self.outline);
        let Some(mut subtree) = self.parser.subtree_in(document) else {
            return Err(self.parser.use_error(ErrorKind::NoElement));
        };
        self.fill(&mut subtree)?;
        let is_exact = subtree.is_exact();
        let mut document = subtree.into_sink();
        document.set_exact(is_exact);
        self.outline = document.outline();
        Ok(document)
    }

    /// The same in a document that there is: what it holds goes, and its memory is used again.
    ///
    /// ```
    /// use tagstream::{Document, Event, Events, Xml};
    ///
    /// let chunks = ["<dump><page>One</page><page>Two</page></dump>"];
    /// let mut events = Events::chunks(Xml::default(), chunks);
    /// let (mut page, mut texts) = (Document::new(), Vec::new());
    /// while let Some(event) = events.next_event()? {
    ///     match event {
    ///         Event::Start(tag) if tag.name() == "page" => {
    ///             events.subtree_into(&mut page)?;
    ///             texts.push(page.root().text_content());
    ///         }
    ///         _ => {}
    ///     }
    /// }
    /// assert_eq!(texts, ["One", "Two"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`subtree`](Events::subtree); the document has what was read before.
    pub fn subtree_into(&mut self, document: &mut Document) -> Result<(), Error>
    where
        F: Tree,
    {
        document.clear();
        self.expect_start()?;
        let sink = core::mem::replace(document, Document::hollow(&self.outline));
        let Some(mut subtree) = self.parser.subtree_in(sink) else {
            return Err(self.parser.use_error(ErrorKind::NoElement));
        };
        let filled = self.fill(&mut subtree);
        let is_exact = subtree.is_exact();
        *document = subtree.into_sink();
        document.set_exact(is_exact);
        filled
    }

    /// Reads a subtree to its end.
    fn fill(&mut self, subtree: &mut Subtree) -> Result<(), Error> {
        loop {
            while !self.parser.is_drained() {
                self.parser.pass_event(To(&mut *subtree));
                if subtree.is_whole() {
                    return Ok(());
                }
            }
            if !self.parser.has_event()? && !self.feed()? {
                return Ok(());
            }
        }
    }
}
