//! DOCTYPEs: the states up to the name and the keyword after it, and the bogus one.

use crate::event::record::{Kind, Piece, Queue, Record};
use crate::html::errors;
use crate::html::machine::{BOGUS, Cursor, HtmlMachine, Keyword, NAME, NOT_SPACE};
use crate::html::state::State;
use crate::input::cursor::Unit::{self, Byte, Eof};
use crate::limits::Limit;
use alloc::string::String;
use alloc::sync::Arc;

impl HtmlMachine {
    /// DOCTYPE state
    pub(in crate::html) fn doctype(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::BeforeDoctypeName,
            unit @ Byte(b'>') => self.again(input, out, unit, State::BeforeDoctypeName),
            Eof => self.eof_in_doctype(input, out),
            unit @ Byte(_) => {
                let code = errors::MISSING_WHITESPACE_BEFORE_DOCTYPE_NAME;
                self.error_at(input, out, code, unit);
                self.again(input, out, unit, State::BeforeDoctypeName)
            }
        })
    }

    /// Before DOCTYPE name state
    pub(in crate::html) fn before_doctype_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until_set(&NOT_SPACE)?;
        Some(self.in_before_doctype_name(input, out, unit))
    }

    /// `unit` was taken in the before DOCTYPE name state.
    #[inline(always)]
    pub(in crate::html) fn in_before_doctype_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            unit @ Byte(b'>') => {
                self.error_at(input, out, errors::MISSING_DOCTYPE_NAME, unit);
                self.doctype.force_quirks = true;
                self.emit_doctype(input, out)
            }
            Eof => self.eof_in_doctype(input, out),
            Byte(_) => {
                self.string = Piece::at(input.mark() - 1);
                self.state = State::DoctypeName;
                self.in_doctype_name(input, out, unit)
            }
        }
    }

    /// DOCTYPE name state
    pub(in crate::html) fn doctype_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until::<NAME>()?;
        Some(self.in_doctype_name(input, out, unit))
    }

    /// `unit` was taken in the DOCTYPE name state.
    #[inline(always)]
    pub(in crate::html) fn in_doctype_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => {
                self.end_doctype_name(input, out, input.mark() - 1);
                State::AfterDoctypeName
            }
            Byte(b'>') => {
                self.end_doctype_name(input, out, input.mark() - 1);
                self.emit_doctype(input, out)
            }
            Byte(0) => {
                *input = self.null(*input, out);
                State::DoctypeName
            }
            Byte(_) => State::DoctypeName,
            Eof => {
                self.end_doctype_name(input, out, input.mark());
                self.eof_in_doctype(input, out)
            }
        }
    }

    /// After DOCTYPE name state
    pub(in crate::html) fn after_doctype_name(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until_set(&NOT_SPACE)?;
        self.keyword = match unit {
            Byte(b'>') => return Some(self.emit_doctype(input, out)),
            Eof => return Some(self.eof_in_doctype(input, out)),
            Byte(b'P' | b'p') => Keyword::new(b"PUBLIC", false),
            Byte(b'S' | b's') => Keyword::new(b"SYSTEM", false),
            Byte(_) => {
                let code = errors::INVALID_CHARACTER_SEQUENCE_AFTER_DOCTYPE_NAME;
                return Some(self.bogus_doctype_after(input, out, code, unit));
            }
        };
        self.name = input.mark() - 1;
        Some(State::AfterDoctypeNameKeyword)
    }

    /// Not a state of the standard: the after DOCTYPE name state in the middle of a word.
    pub(in crate::html) fn after_doctype_name_keyword(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.next()?;
        let taken = match unit {
            Byte(byte) => self.keyword.take(byte),
            Eof => None,
        };
        Some(match taken {
            Some(false) => State::AfterDoctypeNameKeyword,
            Some(true) if self.keyword.word[0] == b'P' => State::AfterDoctypePublicKeyword,
            Some(true) => State::AfterDoctypeSystemKeyword,
            None => {
                let code = errors::INVALID_CHARACTER_SEQUENCE_AFTER_DOCTYPE_NAME;
                self.error(input, out, code, self.name, self.name + 1);
                self.doctype.force_quirks = true;
                self.again(input, out, unit, State::BogusDoctype)
            }
        })
    }

    /// Bogus DOCTYPE state
    pub(in crate::html) fn bogus_doctype(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        let unit = input.until_set(&BOGUS)?;
        Some(self.in_bogus_doctype(input, out, unit))
    }

    /// `unit` was taken in the bogus DOCTYPE state.
    #[inline(always)]
    pub(in crate::html) fn in_bogus_doctype(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        unit: Unit,
    ) -> State {
        match unit {
            Byte(b'>') => self.emit_doctype(input, out),
            unit @ Byte(0) => {
                self.error_at(input, out, errors::UNEXPECTED_NULL_CHARACTER, unit);
                State::BogusDoctype
            }
            Byte(_) => State::BogusDoctype,
            Eof => {
                self.emit_doctype(input, out);
                self.finish(input, out)
            }
        }
    }

    /// The name ends at the mark `end`.
    fn end_doctype_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue, end: u32) {
        let start = self.string.start;
        if (end - start) as usize > self.limits.name {
            *input = self.exceed(*input, out, Limit::Name, start, end);
        }
        self.doctype.name = self.take_string(input, out, end);
        self.doctype.name.make_ascii_lowercase();
    }

    /// The current string, which ends at the mark `end`.
    pub(in crate::html) fn take_string(
        &mut self,
        input: &Cursor<'_>,
        out: &mut Queue,
        end: u32,
    ) -> String {
        let (a, b, cleaned) = self.string.finish(*input, out, end);
        self.string = Piece::NONE;
        if cleaned {
            return String::from(&out.scratch[a as usize..b as usize]);
        }
        let (first, second) = input.pieces(&out.carry, a, b);
        [first, second].concat()
    }

    /// `unit` is wrong: it is reconsumed in the bogus DOCTYPE state, and forces quirks.
    pub(in crate::html) fn bogus_doctype_after(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        code: crate::error::Code,
        unit: Unit,
    ) -> State {
        self.error_at(input, out, code, unit);
        self.doctype.force_quirks = true;
        self.again(input, out, unit, State::BogusDoctype)
    }

    pub(in crate::html) fn eof_in_doctype(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> State {
        self.error_at(input, out, errors::EOF_IN_DOCTYPE, Eof);
        self.doctype.force_quirks = true;
        self.emit_doctype(input, out);
        self.finish(input, out)
    }

    /// Emits the DOCTYPE. What it says has one place in a batch, which ends here.
    pub(in crate::html) fn emit_doctype(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> State {
        let (start, end) = (self.token, input.mark());
        self.join(input, out, start, end);
        out.doctype = Some(Arc::new(core::mem::take(&mut self.doctype)));
        out.unfinished = out.scratch.len() as u32;
        self.push(input, out, Record::new(Kind::Doctype, start, end));
        self.content(input);
        input.fence();
        State::Data
    }
}
