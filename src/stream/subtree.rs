//! Methods of [`Events`] that read one element into a tree.

use super::events::Events;
use super::source::Source;
use crate::engine::dialect::{Balance, Form, Tree};
use crate::engine::error::{Error, ErrorKind};
use crate::tree::Document;
use crate::tree_builder::Subtree;

impl<D: Balance, S: Source, F: Form> Events<D, S, F> {
    /// Reads the element that starts with the current event and returns it as a tree. The next event is the one after
    /// the element.
    ///
    /// Memory use is bounded by the size of the element, not of the document. If the document ends within the
    /// element, the tree contains the part that was read.
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
    /// Returns the same errors as [`next_event`](Events::next_event). The part of the element that was read before is
    /// lost then; a loop of your own with [`Parser::subtree`](crate::Parser::subtree) keeps it. Returns
    /// [`ErrorKind::NoElement`] if the current event is not a start tag. In that case nothing was read, and the
    /// following events can still be requested.
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

    /// Like [`subtree`](Events::subtree), but replaces the content of an existing document and reuses its memory.
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
    /// Returns the same errors as [`subtree`](Events::subtree). The document contains the part of the element that
    /// was read before the error.
    pub fn subtree_into(&mut self, document: &mut Document) -> Result<(), Error>
    where
        F: Tree,
    {
        document.clear();
        self.expect_start()?;
        let sink = core::mem::replace(document, Document::placeholder(&self.outline));
        let Some(mut subtree) = self.parser.subtree_in(sink) else {
            return Err(self.parser.use_error(ErrorKind::NoElement));
        };
        let filled = self.fill(&mut subtree);
        let is_exact = subtree.is_exact();
        *document = subtree.into_sink();
        document.set_exact(is_exact);
        filled
    }

    /// Passes events to a subtree until its element or the document has ended.
    fn fill(&mut self, subtree: &mut Subtree) -> Result<(), Error> {
        loop {
            while !self.parser.is_drained() {
                self.parser.pass_event(subtree);
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
