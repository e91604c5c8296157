//! Changes to the input by a host while the builder is paused at a script: `document.write` inserts markup before the
//! rest of the input, and `abort` ends the input.

use super::TreeBuilder;
use super::construction::Buildable;
#[cfg(feature = "html")]
use crate::dialects::html::Html;
#[cfg(feature = "html")]
use crate::engine::error::{Error, ErrorKind};
#[cfg(feature = "html")]
use crate::engine::parser::Status;
use crate::tree::TreeSink;
use alloc::vec::Vec;

/// The scripts that called `write` and have not finished.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Writers<H> {
    /// The script elements, in order of their first `write`. Each has an insertion point in the input; that of a
    /// later script precedes those of earlier ones.
    pub(super) scripts: Vec<H>,
    /// True if the builder is paused at the last of these scripts, because everything that this script wrote was
    /// parsed.
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
    /// Writes markup at the script that the builder is paused at, as `document.write` does. The markup precedes
    /// everything that was fed after the script, and follows what the script wrote before. The builder adds it to the
    /// tree at once.
    ///
    /// If the markup contains a script, the builder pauses at the end of that inner script. The inner script can
    /// write in turn, before the rest of the markup; [`resume`](TreeBuilder::resume) and
    /// [`build`](TreeBuilder::build) then continue with the rest. After that, the builder is paused at the first
    /// script again:
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
    /// A tag or a character reference can begin in the written markup and end in the input after it. Written markup
    /// is UTF-8, whatever the encoding of the input. As it has no bytes in the input, its nodes have an empty span,
    /// after the end tag of the script. Its length counts as input for
    /// [`Limits::tree_ratio`](crate::Limits::tree_ratio).
    ///
    /// A host that loads a script before running it must keep what an earlier script writes meanwhile, and write it
    /// once the builder is paused at that earlier script again.
    ///
    /// # Errors
    ///
    /// The same as for [`feed`](TreeBuilder::feed), and [`ErrorKind::NotPaused`] if the builder is not paused at a
    /// script. In the second case, nothing has changed.
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

    /// Ends the parse immediately, as a browser does when it leaves the page. Input that was fed or written but not
    /// parsed is dropped, and so is input fed afterwards. The tree stays as it is, and the builder is
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
    /// Returns the script element that the builder is paused at: its end tag was the last token parsed.
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

    /// Ends the pause at a script that has finished. If the script wrote markup, its insertion point is removed.
    pub(super) fn end_writing(&mut self) {
        self.own.paused_at = None;
        if core::mem::take(&mut self.own.writers.is_last) {
            self.own.writers.scripts.pop();
            self.parser.end_insertion();
        }
    }

    /// Handles the end of the available input. If the last script that wrote is not finished, pauses the builder at
    /// that script again, so that it can write more.
    pub(super) fn pause_at_writer(&mut self) {
        if let Some(script) = self.own.writers.scripts.last() {
            self.own.paused_at = Some(*script);
            self.own.writers.is_last = true;
        }
    }
}
