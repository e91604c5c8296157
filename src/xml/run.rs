//! The machine as the parser runs it: what it holds of its input, and on what it goes on. It must not
//! know what the states do.

use super::classes::{Xml11Classes, XmlClasses};
use super::errors;
use super::machine::{Lexer, XmlMachine};
use super::state::State;
use crate::dialect::{Answer, Machine};
use crate::entity::EntityRequest;
use crate::event::record::{MORE, NONE, Piece, Queue};
use crate::input::sniff::Sniffed;
use crate::input::{Advance, Input};
use crate::limits::Limits;
use core::mem::take;

impl Machine for XmlMachine {
    fn set_limits(&mut self, limits: &Limits) {
        self.limits = *limits;
        self.open.set_limits(limits.depth, limits.memory);
    }

    fn inherit(&mut self, other: &mut XmlMachine) {
        self.open.inherit(&mut other.open);
    }

    fn sniff(&mut self, prefix: &[u8], finished: bool) -> Option<Sniffed> {
        self.sniffed = self
            .sniffer
            .sniff(prefix, finished, self.options.certain_encoding());
        self.sniffed
    }

    fn keep(&self, end: u32) -> u32 {
        end.min(self.text.start).min(self.token)
    }

    fn token(&self) -> u32 {
        self.token
    }

    fn advance(&mut self, input: &mut Input, out: &mut Queue, most: usize) -> Advance {
        let keep = self.keep(input.end());
        self.bindings.forget(&mut out.namespaces);
        let advance = match self.is_1_1 {
            true => input.advance::<Xml11Classes>(keep, &mut out.carry, most),
            false => input.advance::<XmlClasses>(keep, &mut out.carry, most),
        };
        let by = advance.rebase;
        if by > 0 {
            self.rebased = true;
            self.base += u64::from(by);
            self.text.rebase(by);
            self.string.rebase(by);
            for mark in [&mut self.token, &mut self.inner, &mut self.stray_percent] {
                if *mark != NONE {
                    *mark = mark.wrapping_sub(by);
                }
            }
            for mark in [&mut self.name, &mut self.name_end, &mut self.reference] {
                *mark = mark.wrapping_sub(by);
            }
            self.attribute.rebase(by);
        }
        advance
    }

    fn ill_formed(&mut self, input: &mut Input, out: &mut Queue) {
        let lex = &mut Lexer::new(input.cursor(false), out);
        let start = lex.mark();
        let end = start + char::REPLACEMENT_CHARACTER.len_utf8() as u32;
        self.error(lex, errors::ILL_FORMED_BYTES, start, end);
    }

    fn run(&mut self, input: &mut Input, out: &mut Queue, eof: bool) {
        if self.bindings.is_stale() && out.records.is_empty() {
            self.bindings.forget(&mut out.namespaces);
        }
        if take(&mut self.turns_1_1) {
            let by = input.replace_line_ends(&mut out.carry);
            self.rebased |= by > 0;
            self.base += u64::from(by);
            if !eof {
                return;
            }
        }
        if self.is_answered() {
            self.go_on(input, out);
            if out.fatal.is_some() {
                return;
            }
        }
        loop {
            if !self.frames.is_empty() {
                self.run_frames(out);
                let full = out.is_full();
                if full || !self.frames.is_empty() || out.fatal.is_some() {
                    return;
                }
            }
            if self.asked.is_some() {
                return;
            }
            let mut lex = Lexer::new(input.cursor(eof), &mut *out);
            if !eof && take(&mut self.after_cr) && lex.peek() == Some(b'\n') {
                lex.skip(1);
                let at = lex.mark() - 1;
                lex.replace(self.piece(), at, at + 1, "");
            }
            let (at, again) = self.states(lex);
            let taken = input.took(at);
            out.work.states += taken as u64 + u64::from(again);
            if self.frames.is_empty() {
                return;
            }
        }
    }

    fn is_busy(&self) -> bool {
        !self.frames.is_empty() || self.is_answered()
    }

    fn wants(&self) -> Option<&EntityRequest> {
        self.wanted_entity()
    }

    fn answer(&mut self, answer: Answer) {
        self.take_answer(answer);
    }

    fn flush(&mut self, input: &mut Input, out: &mut Queue, more: bool) {
        let lex = &mut Lexer::new(input.cursor(false), out);
        let mut until = self.certain(lex.mark());
        if more && self.state == State::Data {
            // With a `>` after them, two brackets are wrong: they must be there to be looked at.
            let last = until.saturating_sub(2).max(self.text.start);
            while until > last && lex.byte(until - 1) == b']' {
                until -= 1;
            }
        }
        if self.text.start < until && !self.text.is_empty(until) {
            self.emit_cleaned_text(lex, until, if more { MORE } else { 0 });
            self.text = Piece::at(until);
        }
    }

    fn rebase_scratch(&mut self, by: u32) {
        self.text.rebase_scratch(by);
        self.string.rebase_scratch(by);
        self.attribute.rebase_scratch(by);
    }

    fn is_finished(&self) -> bool {
        self.state == State::Finished
    }
}
