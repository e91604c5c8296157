//! Checkpoints of a rewriter: the state of the parser, the input that is not yet output, and the pending edits.

use super::Rewriter;
use crate::checkpoint::{CheckpointError, CheckpointKind, Checkpointable};
use crate::engine::dialect::Balance;
use crate::engine::parser::Parser;
use crate::engine::parser::checkpoint::unseal;
use alloc::vec::Vec;

/// Calls the given macro with the names of the fields of `Rewriter` that a checkpoint contains: all except the parser,
/// which is saved separately, and the fields that are computed from the dialect.
macro_rules! with_fields {
    ($run:ident) => {
        $run!(
            through,
            edits,
            closings,
            depth,
            leaves_out,
            is_closing,
            is_in_run,
            empty,
            is_in_cdata,
            was_in_cdata,
            is_run_changed,
            is_run_odd,
            skipped_at,
            run_to,
            holds,
            raw,
            left_out_to,
            closed_from,
            is_ending,
            ended_to,
            is_cut,
            tracks_cuts,
            has_return,
            piece_to,
            failed
        )
    };
}

impl<D: Balance> Rewriter<D> {
    /// Returns the state of the rewriter as bytes, including the output that was not taken: see [`Parser::checkpoint`].
    ///
    /// ```
    /// use tagstream::{Html, Rewriter};
    ///
    /// let mut rewriter = Rewriter::new(Html::default());
    /// rewriter.feed("<p>See <a hr");
    /// while rewriter.next_event()?.is_some() {}
    /// let mut rewriter = Rewriter::restore(Html::default(), &rewriter.checkpoint())?;
    /// rewriter.feed("ef=/b>this");
    /// while let Some(mut event) = rewriter.next_event()? {
    ///     if event.as_start().is_some() {
    ///         event.set_attribute("rel", "nofollow");
    ///     }
    /// }
    /// assert_eq!(rewriter.output(), b"<p>See <a href=/b rel=\"nofollow\">this");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn checkpoint(&self) -> Vec<u8> {
        macro_rules! save {
            ($($field:ident),*) => {{
                let Rewriter { parser, syntax: _, $($field),* } = self;
                parser.seal(CheckpointKind::Rewriter, |to| {
                    $($field.save(to);)*
                })
            }};
        }
        with_fields!(save)
    }

    /// Restores a rewriter from a [`checkpoint`](Rewriter::checkpoint).
    ///
    /// ```
    /// use tagstream::{CheckpointError, Rewriter, Xml};
    ///
    /// let parser = tagstream::Parser::new(Xml::default());
    /// let error = Rewriter::restore(Xml::default(), &parser.checkpoint()).unwrap_err();
    /// assert_eq!(error.to_string(), "the checkpoint is of another kind: a parser");
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`Parser::restore`].
    pub fn restore(dialect: D, checkpoint: &[u8]) -> Result<Rewriter<D>, CheckpointError> {
        let syntax = dialect.syntax();
        unseal(
            dialect,
            CheckpointKind::Rewriter,
            checkpoint,
            |dialect, from| {
                let parser = Parser::load(dialect, D::balance_in_order, |_| {}, from)?;
                macro_rules! load {
                    ($($field:ident),*) => {
                        Rewriter { parser, syntax, $($field: Checkpointable::load(from)?),* }
                    };
                }
                Ok(with_fields!(load))
            },
        )
    }

    /// Returns the number of bytes of the input that were fed: see [`Parser::resume_at`].
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a>");
    /// assert_eq!(rewriter.resume_at(), 3);
    /// ```
    pub fn resume_at(&self) -> u64 {
        self.parser.resume_at()
    }
}
