//! Records the text of the internal subset, for programs that ask for it.

use crate::dialects::xml::machine::{Lexer, XmlMachine};
use crate::engine::input::BufferOffset;
use crate::engine::input::held_text::HeldText;
use crate::engine::limits::Limit;
use alloc::string::String;

/// The text of the internal subset, as far as it was read.
#[derive(Clone, Debug)]
pub(super) struct SubsetText {
    /// The text that is no longer buffered.
    before: String,
    /// Offset of the text after `before`, or `BufferOffset::NONE` if the subset is not recorded.
    from: BufferOffset,
}

impl SubsetText {
    pub(super) const NONE: SubsetText = SubsetText {
        before: String::new(),
        from: BufferOffset::NONE,
    };
}

impl XmlMachine {
    /// Starts to record the internal subset, whose `[` was just consumed, if the program asked for that.
    pub(super) fn start_subset(&mut self, lex: &Lexer<'_>) {
        let register = &mut *self.dialect.doctype;
        if register.wanted && self.dialect.options.records_subset() {
            register.subset = SubsetText {
                from: lex.mark(),
                ..SubsetText::NONE
            };
        }
    }

    /// Ends the internal subset at the `]` that was just consumed, and stores its text in the event.
    pub(super) fn end_subset(&mut self, lex: &mut Lexer<'_>) {
        if self.check_subset(lex) {
            let register = &mut *self.dialect.doctype;
            let SubsetText { mut before, from } =
                core::mem::replace(&mut register.subset, SubsetText::NONE);
            let (first, second) = lex.pieces(from, lex.mark() - 1);
            before.extend([first, second]);
            lex.out.work.cleaned += before.len() as u64;
            if before.contains('\r') {
                before = before.replace("\r\n", "\n").replace('\r', "\n");
            }
            register.details.internal_subset = Some(before);
        }
    }

    /// Ends the parse if the recorded text exceeds the limit of memory. Returns whether the subset is recorded.
    pub(super) fn check_subset(&mut self, lex: &mut Lexer<'_>) -> bool {
        let SubsetText { before, from } = &self.dialect.doctype.subset;
        if from.is_none() || self.reading_in_doctype().is_some() {
            return false;
        }
        let length = before.len().saturating_add((lex.mark() - *from) as usize);
        if length <= self.limits.memory {
            return true;
        }
        let start = lex.mark() - 1;
        self.exceed(lex, Limit::Memory, start, lex.mark());
        false
    }

    /// Stores the recorded text before the offset `to`, which is about to be discarded.
    pub(in crate::dialects::xml) fn record_before_discard(
        &mut self,
        text: &HeldText<'_>,
        to: BufferOffset,
    ) {
        let from = self.dialect.doctype.subset.from;
        if from.is_none() || from >= to {
            return;
        }
        let most = self.limits.memory;
        let subset = &mut self.dialect.doctype.subset;
        // Text beyond the limit is not stored. The next construct in the subset then exceeds the limit.
        if subset.before.len() <= most {
            text.push_to(&mut subset.before, from, to);
        }
        subset.from = to;
    }

    /// Adapts the offset of the recorded text after `by` bytes at the start of the buffer were discarded.
    pub(in crate::dialects::xml) fn rebase_subset(&mut self, by: u32) {
        if !self.dialect.doctype.subset.from.is_none() {
            let from = &mut self.dialect.doctype.subset.from;
            *from = from.rebased(by);
        }
    }
}

crate::checkpoint::checkpointable! {
    struct SubsetText { before, from }
}
