//! The scripts at which the builder of HTML pauses, and the insertion points of the scripts that call `write`
//! (`html/write.rs`).

use super::TreeBuilder;
use super::construction::Buildable;
use crate::tree::TreeSink;

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
        self.state.paused_at
    }

    /// Ends the pause at a script that has finished. If the script wrote markup, its insertion point is removed.
    pub(super) fn end_writing(&mut self) {
        self.state.paused_at = None;
        if core::mem::take(&mut self.state.writers.is_last) {
            self.state.writers.scripts.pop();
            self.parser.end_insertion();
        }
    }

    /// Called when the builder has parsed all available input. If there is a script that called `write` and has not
    /// finished, pauses the builder at the last such script again, so that the script can write more.
    pub(super) fn pause_at_writer(&mut self) {
        if let Some(script) = self.state.writers.scripts.last() {
            self.state.paused_at = Some(*script);
            self.state.writers.is_last = true;
        }
    }
}
