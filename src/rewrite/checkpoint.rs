//! Checkpoints of a rewriter: the state of the parser, the input that is not yet output, and the pending edits.

use super::Rewriter;
use super::state::RewriterState;
use crate::checkpoint::{CheckpointError, CheckpointKind, Checkpointable, Damaged};
use crate::engine::dialect::{Balance, Form};
use crate::engine::parser::Parser;
use crate::engine::parser::checkpoint::unseal;
#[cfg(feature = "select")]
use crate::select::SelectorSet;
use alloc::vec::Vec;

impl<D: Balance, F: Form> Rewriter<D, F> {
    /// Returns the state of the rewriter as bytes, including its selectors and the output that was not taken: see
    /// [`Parser::checkpoint`].
    ///
    /// ```
    /// use tagstream::{Html, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(Html::default());
    /// rewriter.feed("<p>See <a hr");
    /// while rewriter.next_event()?.is_some() {}
    /// let mut rewriter: Rewriter<Html> = Rewriter::restore(Html::default(), &rewriter.checkpoint())?;
    /// rewriter.feed("ef=/b>this");
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     if event.as_start().is_some() {
    ///         event.set_attribute("rel", "nofollow")?;
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), b"<p>See <a href=/b rel=\"nofollow\">this");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn checkpoint(&self) -> Vec<u8> {
        if self.state.edits.is_kept {
            // A checkpoint contains no event, so the edits of this one are applied.
            let mut copy = self.clone();
            copy.end_kept();
            return copy.checkpoint();
        }
        self.parser.seal(CheckpointKind::Rewriter, |to| {
            self.state.save(to);
            self.is_in_text.save(to);
            self.is_finishing.save(to);
            #[cfg(feature = "select")]
            self.selectors.save(to);
        })
    }

    /// Restores a rewriter from a [`checkpoint`](Rewriter::checkpoint). The type says which form the checkpoint is of:
    /// `Rewriter<Html>` reads tags as written, and `Rewriter<Html, Nested>` balanced events. The selectors keep their
    /// ids.
    ///
    /// ```
    /// use tagstream::{CheckpointError, Rewriter, Xml};
    ///
    /// let parser = tagstream::Parser::new(Xml::default());
    /// let error = Rewriter::<Xml>::restore(Xml::default(), &parser.checkpoint()).unwrap_err();
    /// assert_eq!(error.to_string(), "the checkpoint is of another kind: a parser");
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Parser::restore`].
    pub fn restore(dialect: D, checkpoint: &[u8]) -> Result<Rewriter<D, F>, CheckpointError> {
        unseal(
            dialect,
            CheckpointKind::Rewriter,
            checkpoint,
            |dialect, from| {
                let prepare = match F::IS_TREE {
                    true => D::balance_in_order,
                    false => |_: &mut D::Machine| {},
                };
                #[cfg(feature = "select")]
                let set_dialect = dialect.clone();
                let parser = Parser::load(dialect, prepare, |_| {}, from)?;
                let state = RewriterState::load(from)?;
                if state.is_balanced != F::IS_TREE {
                    return Err(Damaged);
                }
                Ok(Rewriter {
                    parser,
                    state,
                    is_in_text: Checkpointable::load(from)?,
                    empty: None,
                    is_finishing: Checkpointable::load(from)?,
                    #[cfg(feature = "select")]
                    selectors: SelectorSet::load(set_dialect, from)?,
                })
            },
        )
    }

    /// Returns the number of bytes of the input that were fed: see [`Parser::resume_at`].
    pub fn resume_at(&self) -> u64 {
        self.parser.resume_at()
    }
}
