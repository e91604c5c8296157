//! The constructor of [`Rewriter`].

use super::edits::Edits;
use super::through::Through;
use super::{ContentModel, Rewriter, Syntax};
use crate::engine::dialect::Balance;
use crate::engine::parser::{Parser, TextPolicy};
use alloc::string::String;
use alloc::vec::Vec;

impl<D: Balance> Rewriter<D> {
    /// Creates a rewriter for a new document.
    ///
    /// ```
    /// use tagstream::{Rewriter, Xml};
    ///
    /// let mut rewriter = Rewriter::new(Xml::default());
    /// rewriter.feed("<a b = 'c' />");
    /// rewriter.finish();
    /// while rewriter.next_event()?.is_some() {}
    /// assert_eq!(rewriter.output(), b"<a b = 'c' />");
    /// # Ok::<(), tagstream::RewriteError>(())
    /// ```
    pub fn new(dialect: D) -> Rewriter<D> {
        let syntax = dialect.syntax();
        let parser = Parser::new(dialect).prepared(D::balance_in_order);
        Rewriter {
            parser: parser.text_for_tree(TextPolicy::Pieces),
            syntax,
            through: Through::new(syntax),
            edits: Edits::default(),
            closings: Vec::new(),
            depth: 0,
            leaves_out: None,
            is_closing: false,
            is_in_run: false,
            empty: None,
            is_in_cdata: false,
            was_in_cdata: false,
            is_run_changed: false,
            is_run_odd: false,
            skipped_at: None,
            run_to: 0,
            holds: ContentModel::All,
            raw: String::new(),
            left_out_to: None,
            closed_from: u64::MAX,
            failed: None,
            is_ending: false,
            ended_to: 0,
            is_cut: false,
            tracks_cuts: matches!(syntax, Syntax::MicroXml { .. }),
            has_return: false,
            piece_to: 0,
        }
    }
}
