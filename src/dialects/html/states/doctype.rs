//! The states of DOCTYPEs, up to the keyword after the name, and the bogus DOCTYPE state.

use crate::dialects::html::errors;
use crate::dialects::html::machine::{BOGUS, HtmlMachine, Lexer, NAME, NOT_SPACE, reconsume};
use crate::dialects::html::state::{Next, State};
use crate::engine::event::record::{Record, RecordKind};
use crate::engine::event::strings::Str;
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limit;
use crate::engine::tokenizer::{
    Keyword, TextBuffer,
    Unit::{self, Byte, Eof},
};
use alloc::string::String;
use alloc::sync::Arc;

impl HtmlMachine {
    /// Implements the *DOCTYPE state*: after `<!DOCTYPE`.
    pub(super) fn doctype(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::BeforeDoctypeName,
            unit @ Byte(b'>') => reconsume(lex, unit, State::BeforeDoctypeName),
            Eof => self.eof_in_doctype(lex),
            unit @ Byte(_) => {
                let code = errors::MISSING_WHITESPACE_BEFORE_DOCTYPE_NAME;
                self.error_at(lex, code, unit);
                reconsume(lex, unit, State::BeforeDoctypeName)
            }
        })
    }

    /// Implements the *before DOCTYPE name state*: before the name of a DOCTYPE.
    pub(super) fn before_doctype_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.until_set(&NOT_SPACE)?;
        Some(match unit {
            unit @ Byte(b'>') => {
                self.error_at(lex, errors::MISSING_DOCTYPE_NAME, unit);
                self.dialect.doctype.force_quirks = true;
                self.emit_doctype(lex)
            }
            Eof => self.eof_in_doctype(lex),
            Byte(_) => {
                self.value = TextBuffer::at(lex.mark() - 1);
                reconsume(lex, unit, State::DoctypeName)
            }
        })
    }

    /// Implements the *DOCTYPE name state*: in the name of a DOCTYPE.
    pub(super) fn doctype_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<NAME>()? {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => {
                self.end_doctype_name(lex, lex.mark() - 1);
                State::AfterDoctypeName
            }
            Byte(b'>') => {
                self.end_doctype_name(lex, lex.mark() - 1);
                self.emit_doctype(lex)
            }
            Byte(0) => {
                self.null(lex);
                State::DoctypeName
            }
            Byte(_) => State::DoctypeName,
            Eof => {
                self.end_doctype_name(lex, lex.mark());
                self.eof_in_doctype(lex)
            }
        })
    }

    /// Implements the *after DOCTYPE name state*: after the name of a DOCTYPE, before `PUBLIC`, `SYSTEM` or `>`.
    pub(super) fn after_doctype_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.until_set(&NOT_SPACE)?;
        self.keyword = match unit {
            Byte(b'>') => return Some(self.emit_doctype(lex)),
            Eof => return Some(self.eof_in_doctype(lex)),
            Byte(b'P' | b'p') => Keyword::in_any_case(b"PUBLIC"),
            Byte(b'S' | b's') => Keyword::in_any_case(b"SYSTEM"),
            Byte(_) => {
                let code = errors::INVALID_CHARACTER_SEQUENCE_AFTER_DOCTYPE_NAME;
                return Some(self.bogus_doctype_after(lex, code, unit));
            }
        };
        self.name = lex.mark() - 1;
        Some(State::AfterDoctypeNameKeyword)
    }

    /// Not a state of the standard: continues the after DOCTYPE name state in the middle of `PUBLIC` or `SYSTEM`.
    pub(super) fn after_doctype_name_keyword(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        let taken = match unit {
            Byte(byte) => self.keyword.take(byte),
            Eof => None,
        };
        Some(match taken {
            Some(false) => State::AfterDoctypeNameKeyword,
            Some(true) if self.keyword.word() == b"PUBLIC" => State::AfterDoctypePublicKeyword,
            Some(true) => State::AfterDoctypeSystemKeyword,
            None => {
                let code = errors::INVALID_CHARACTER_SEQUENCE_AFTER_DOCTYPE_NAME;
                self.error(lex, code, self.name, self.name + 1);
                self.dialect.doctype.force_quirks = true;
                reconsume(lex, unit, State::BogusDoctype)
            }
        })
    }

    /// Implements the *bogus DOCTYPE state*: in a DOCTYPE after a syntax error, up to `>`.
    pub(super) fn bogus_doctype(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until_set(&BOGUS)? {
            Byte(b'>') => self.emit_doctype(lex),
            unit @ Byte(0) => {
                self.error_at(lex, errors::UNEXPECTED_NULL_CHARACTER, unit);
                State::BogusDoctype
            }
            Byte(_) => State::BogusDoctype,
            Eof => {
                lex.incomplete(|lex| self.emit_doctype(lex));
                self.finish(lex)
            }
        })
    }

    /// Ends the name of the DOCTYPE at the offset `end`, and converts it to lowercase.
    fn end_doctype_name(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        let start = self.value.start;
        if (end - start) as usize > self.limits.name {
            self.exceed(lex, Limit::Name, start, end);
        }
        self.dialect.doctype.name = self.take_string(lex, end);
        self.dialect.doctype.name.make_ascii_lowercase();
    }

    /// Ends the current string at the offset `end` and returns a copy of it.
    pub(super) fn take_string(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) -> String {
        let string = lex.finish(&mut self.value, end);
        self.value = TextBuffer::NONE;
        match string {
            Str::Cleaned(string) => String::from(string.within(&lex.out.scratch)),
            Str::Borrowed(from, to) => lex.string(from, to),
        }
    }

    /// Reports `unit`, which is not allowed in the DOCTYPE, and reconsumes it in the bogus DOCTYPE state. Sets the
    /// force-quirks flag.
    pub(super) fn bogus_doctype_after(
        &mut self,
        lex: &mut Lexer<'_>,
        code: crate::engine::error::ErrorCode,
        unit: Unit,
    ) -> State {
        self.error_at(lex, code, unit);
        self.dialect.doctype.force_quirks = true;
        reconsume(lex, unit, State::BogusDoctype)
    }

    pub(super) fn eof_in_doctype(&mut self, lex: &mut Lexer<'_>) -> State {
        self.error_at(lex, errors::EOF_IN_DOCTYPE, Eof);
        self.dialect.doctype.force_quirks = true;
        lex.incomplete(|lex| self.emit_doctype(lex));
        self.finish(lex)
    }

    /// Emits the DOCTYPE and ends the batch, because a batch can hold the details of one DOCTYPE only.
    pub(super) fn emit_doctype(&mut self, lex: &mut Lexer<'_>) -> State {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        lex.out.prologue.doctype = Some(Arc::new(core::mem::take(&mut self.dialect.doctype)));
        lex.out.unfinished = lex.out.scratch_end();
        self.push(lex, Record::new(RecordKind::Doctype, start, end));
        self.content(lex);
        lex.suspend();
        State::Data
    }
}
