//! What a host does to the input of a builder that is paused at a script: it writes before the rest, or ends it. It
//! must not know how a tree is made, nor where written text waits.

use super::TreeBuilder;
use super::construction::Buildable;
#[cfg(feature = "html")]
use crate::error::{Error, ErrorKind};
#[cfg(feature = "html")]
use crate::html::Html;
#[cfg(feature = "html")]
use crate::parser::Status;
use crate::tree::TreeSink;
use alloc::vec::Vec;

/// The scripts that have written, and are not done.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Writers<H> {
    /// Each has an insertion point, and those of later ones come first in the input.
    pub(super) scripts: Vec<H>,
    /// The one that the builder is paused at is the last of them: all that it wrote was read.
    pub(super) is_last: bool,
}

impl<H> Writers<H> {
    pub(super) const NONE: Writers<H> = Writers {
        scripts: Vec::new(),
        is_last: false,
    };
}

#[cfg(feature = "html")]
impl<S: TreeSink> TreeBuilder<Html, S> {
    /// Writes markup where the script stands that the builder is paused at, as `document.write` does: before all that
    /// was fed after that script, and behind what it wrote before. The tree grows by it at once.
    ///
    /// Where what is written has a script, the builder pauses at its end: that script runs, may write before the
    /// rest of what was written, and [`resume`](TreeBuilder::resume) and [`build`](TreeBuilder::build) go on with
    /// that. Then the builder is paused at the first script again:
    ///
    /// ```
    /// use tagstream::{Error, Html, TreeBuilder};
    ///
    /// /// Runs scripts that are markup to be written.
    /// fn run(builder: &mut TreeBuilder<Html>) -> Result<(), Error> {
    ///     while let Some(script) = builder.paused_at() {
    ///         let text = builder.document().node(script).unwrap().text_content();
    ///         builder.write(&text)?;
    ///         while builder.paused_at() != Some(script) {
    ///             run(builder)?;
    ///         }
    ///         builder.resume(());
    ///         builder.build()?;
    ///     }
    ///     Ok(())
    /// }
    ///
    /// let mut builder = TreeBuilder::new(Html::default().scripting(true)).hosted();
    /// for chunk in ["<body><script><b>one</script>", " two</b>"] {
    ///     builder.feed(chunk)?;
    ///     run(&mut builder)?;
    /// }
    /// let page = builder.finish()?.to_html();
    /// assert!(page.ends_with("<script><b>one</script><b>one two</b></body></html>"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    ///
    /// A tag or a reference may begin in what is written and end in what follows. What is written is UTF-8, whatever the
    /// encoding of the input; its nodes have the place behind the script's end tag, in which nothing is: what is written
    /// has no bytes in the input. Its length counts for [`Limits::tree_ratio`](crate::Limits::tree_ratio).
    ///
    /// A host that loads a script before it runs keeps what an earlier one writes meanwhile, and writes it once it
    /// is paused at that one again.
    ///
    /// # Errors
    ///
    /// As [`feed`](TreeBuilder::feed); [`ErrorKind::NotPaused`] where the builder is not paused at a script, and nothing
    /// has changed then.
    pub fn write(&mut self, markup: &str) -> Result<(), Error> {
        let Some(script) = self
            .own
            .paused_at
            .filter(|_| self.status() == Status::Paused)
        else {
            return Err(self.parser.use_error(ErrorKind::NotPaused));
        };
        if !self.own.writers.is_last {
            self.parser.begin_insertion();
            self.own.writers.scripts.push(script);
        }
        self.construction.sink.expect(markup.len());
        self.parser.insert(markup);
        (self.own.paused_at, self.own.writers.is_last) = (None, false);
        self.build()
    }

    /// Ends the parse where it is, as a browser does that leaves the page: what was fed or written and not read yet is
    /// dropped, and so is what is fed from now on. The tree stays as it is, and the builder is
    /// [finished](Status::Finished).
    ///
    /// ```
    /// use tagstream::{Html, TreeBuilder};
    ///
    /// let mut builder = TreeBuilder::new(Html::default().scripting(true)).hosted();
    /// builder.feed("<script>stop()</script><p>")?;
    /// builder.abort();
    /// builder.feed("<p>")?;
    /// assert_eq!(builder.finish()?.to_html(), "<html><head><script>stop()</script></head></html>");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn abort(&mut self) {
        if self.own.is_ended {
            return;
        }
        self.own.paused_at = None;
        self.own.writers = Writers::NONE;
        (self.own.errors, self.own.is_held) = (0..0, false);
        self.parser.abort();
        self.construction.sink.set_origin(None);
        self.construction.abort();
        (self.own.is_ended, self.own.is_aborted) = (true, true);
    }
}

impl<D: Buildable, S: TreeSink> TreeBuilder<D, S> {
    /// The script element at whose end the builder pauses.
    ///
    /// ```
    /// use tagstream::{Html, TreeBuilder};
    ///
    /// let mut builder = TreeBuilder::new(Html::default().scripting(true)).hosted();
    /// builder.feed("<script>let a;</script><p>")?;
    /// let Some(script) = builder.paused_at() else { panic!() };
    /// assert_eq!(builder.document().node(script).unwrap().text_content(), "let a;");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn paused_at(&self) -> Option<S::Handle> {
        self.own.paused_at
    }

    /// The script at whose end the builder was paused is done: the rest follows what it wrote.
    pub(super) fn end_writing(&mut self) {
        self.own.paused_at = None;
        if core::mem::take(&mut self.own.writers.is_last) {
            self.own.writers.scripts.pop();
            self.parser.end_insertion();
        }
    }

    /// There is nothing more to read: perhaps of what a script wrote, which may go on then.
    pub(super) fn pause_at_writer(&mut self) {
        if let Some(script) = self.own.writers.scripts.last() {
            self.own.paused_at = Some(*script);
            self.own.writers.is_last = true;
        }
    }
}
