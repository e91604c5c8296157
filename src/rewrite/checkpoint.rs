//! Checkpoints of a rewriter: the state of the parser, the input that is not yet output, and the pending edits.

use super::{RewriteError, Rewriter};
use crate::checkpoint::{self, CheckpointError, CheckpointKind, Loaded, Saving};
use crate::engine::dialect::Balance;
use crate::engine::parser::Parser;
use alloc::vec::Vec;

/// Runs a macro with the names of all fields of `Rewriter`, except for those that are saved in another way or that
/// follow from the dialect.
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
            piece_to
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
                let Rewriter { parser, syntax: _, failed, $($field),* } = self;
                parser.seal(CheckpointKind::Rewriter, |bytes| {
                    $(bytes.extend(checkpoint::to_bytes($field));)*
                    bytes.extend(checkpoint::to_bytes(&Saving(failed)));
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
        Parser::unseal(
            dialect,
            CheckpointKind::Rewriter,
            checkpoint,
            |dialect, payload| {
                let (parser, rest) = Parser::load(dialect, D::balance_in_order, |_| {}, payload)?;
                macro_rules! load {
                ($($field:ident),*) => {{
                    $(let ($field, rest) = checkpoint::first(rest)?;)*
                    let Loaded(failed) = checkpoint::from_bytes(rest)?;
                    Ok(Rewriter { parser, syntax, failed, $($field),* })
                }};
            }
                with_fields!(load)
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

/// A checkpoint contains the error that the next call of `next_event` will return.
impl checkpoint::Saved for RewriteError {
    fn save<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (read, refused) = match self {
            RewriteError::Read(error) => (Some(error), None),
            RewriteError::Refused(refusal, position) => (None, Some((refusal, position))),
        };
        let refused = refused.map(|(refusal, position)| (Saving(refusal), Saving(position)));
        serde_core::Serialize::serialize(&(read.map(Saving), refused), to)
    }

    fn load<'de, D: serde_core::Deserializer<'de>>(from: D) -> Result<RewriteError, D::Error> {
        match serde_core::Deserialize::deserialize(from)? {
            (Some(Loaded(error)), None) => Ok(RewriteError::Read(error)),
            (None, Some((Loaded(refusal), Loaded(position)))) => {
                Ok(RewriteError::Refused(refusal, position))
            }
            _ => Err(serde_core::de::Error::custom("no reason")),
        }
    }
}
