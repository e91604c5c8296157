//! The methods `write` and `abort`, for a host while the builder is paused at a script: `write` implements
//! `document.write`, which inserts markup before the rest of the input, and `abort` ends the input.

use crate::dialects::html::Html;
use crate::engine::error::{Error, ErrorKind};
use crate::engine::parser::Status;
use crate::tree::TreeSink;
use crate::tree_builder::TreeBuilder;
use crate::tree_builder::state::Writers;

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
            .state
            .paused_at
            .filter(|_| self.status() == Status::Paused)
        else {
            return Err(self.parser.use_error(ErrorKind::NotPaused));
        };
        if !self.state.writers.is_last {
            self.parser.begin_insertion();
            self.state.writers.scripts.push(script);
        }
        self.construction.sink.expect(markup.len());
        self.parser.insert(markup);
        (self.state.paused_at, self.state.writers.is_last) = (None, false);
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
        if self.state.is_ended {
            return;
        }
        self.state.paused_at = None;
        self.state.writers = Writers::NONE;
        (self.state.errors, self.state.is_held) = (0..0, false);
        self.parser.abort();
        self.construction.abort();
        (self.state.is_ended, self.state.is_aborted) = (true, true);
    }
}
