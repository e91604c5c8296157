//! Tokens that token filtering discards: instructions, DOCTYPE, comments. The content assembly that
//! they interrupt goes on after them; by option they are events before it.

use crate::event::record::{DoctypeDetails, Kind, Piece, Queue, Record};
use crate::input::cursor::Unit::{Byte, Eof};
use crate::leafxml::errors;
use crate::leafxml::machine::{Cursor, DELIMITED, LeafXmlMachine};
use crate::leafxml::normal::Normality;
use crate::leafxml::state::State;
use alloc::sync::Arc;

impl LeafXmlMachine {
    /// In a comment token.
    pub(in crate::leafxml) fn comment(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<DELIMITED>()? {
            Byte(b'-') => State::CommentDash,
            Byte(byte) => self.filtered_character(input, out, byte, State::Comment),
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_COMMENT),
        })
    }

    /// After `-` in a comment token.
    pub(in crate::leafxml) fn comment_dash(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'-') => State::CommentEnd,
            Byte(_) => {
                input.back();
                State::Comment
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_COMMENT),
        })
    }

    /// After `--` in a comment token.
    pub(in crate::leafxml) fn comment_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => {
                let (start, end) = (self.token, input.mark());
                self.filter(input, out);
                if self.options.has_comments() {
                    self.join(input, out, start, end);
                    let record = Record {
                        a: start + 4,
                        b: end - 3,
                        ..Record::new(Kind::Comment, start, end)
                    };
                    self.push(input, out, record);
                }
                self.content()
            }
            Byte(b'-') => State::CommentEnd,
            Byte(_) => {
                input.back();
                State::Comment
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_COMMENT),
        })
    }

    /// In an instruction token.
    pub(in crate::leafxml) fn instruction(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.until::<DELIMITED>()? {
            Byte(b'?') => State::InstructionEnd,
            Byte(byte) => self.filtered_character(input, out, byte, State::Instruction),
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_INSTRUCTION),
        })
    }

    /// After `?` in an instruction token, which is not that of its `<?`.
    pub(in crate::leafxml) fn instruction_end(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => {
                self.filter(input, out);
                if self.options.has_instructions() {
                    self.emit_instruction(input, out);
                }
                self.content()
            }
            Byte(b'?') => State::InstructionEnd,
            Byte(_) => {
                input.back();
                State::Instruction
            }
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_INSTRUCTION),
        })
    }

    /// An instruction, as events have it: its first word is the target.
    fn emit_instruction(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let (start, end) = (self.token, input.mark());
        self.join(input, out, start, end);
        let inner = &input.one_piece(&out.carry, start, end)[2..(end - start) as usize - 2];
        let is_space = |character| matches!(character, '\t' | '\n' | '\r' | ' ');
        let target = inner.find(is_space).unwrap_or(inner.len());
        let data = inner.len() - inner[target..].trim_start_matches(is_space).len();
        let record = Record {
            a: start + 2 + data as u32,
            b: end - 2,
            c: start + 2,
            d: start + 2 + target as u32,
            ..Record::new(Kind::ProcessingInstruction, start, end)
        };
        self.push(input, out, record);
    }

    /// In a type span of a DOCTYPE token.
    pub(in crate::leafxml) fn doctype(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(b'>') => {
                self.filter(input, out);
                if self.options.has_doctype() {
                    self.emit_doctype(input, out);
                }
                self.content()
            }
            Byte(b'\'') => State::DoctypeSingleQuoted,
            Byte(b'"') => State::DoctypeDoubleQuoted,
            Byte(byte @ (b'[' | b']')) => {
                self.fail_here(input, out, byte, errors::BRACKET_IN_DOCTYPE)
            }
            Byte(byte) => self.filtered_character(input, out, byte, State::Doctype),
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_DOCTYPE),
        })
    }

    /// In a quoted span of a DOCTYPE token.
    pub(in crate::leafxml) fn doctype_quoted(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        quote: u8,
    ) -> Option<State> {
        Some(match input.next()? {
            Byte(byte) if byte == quote => State::Doctype,
            Byte(byte) => self.filtered_character(input, out, byte, self.state),
            Eof => self.fail_at_end(input, out, errors::UNTERMINATED_DOCTYPE),
        })
    }

    /// A DOCTYPE, as events have it: its first word is the name, and the quoted spans after `PUBLIC` or
    /// `SYSTEM` are identifiers.
    fn emit_doctype(&mut self, input: &mut Cursor<'_>, out: &mut Queue) {
        let (start, end) = (self.token, input.mark());
        self.join(input, out, start, end);
        let inner = &input.one_piece(&out.carry, start, end)[9..(end - start) as usize - 1];
        let is_space = |character| matches!(character, '\t' | '\n' | '\r' | ' ');
        let inner = inner.trim_start_matches(is_space);
        let name_ends = |character| is_space(character) || matches!(character, '\'' | '"');
        let (name, rest) = inner.split_at(inner.find(name_ends).unwrap_or(inner.len()));
        let rest = rest.trim_start_matches(is_space);
        let quoted = |rest: &'_ str| -> Option<(usize, usize)> {
            let from = rest.find(['\'', '"'])?;
            let quote = char::from(rest.as_bytes()[from]);
            let length = rest[from + 1..].find(quote)?;
            Some((from + 1, from + 1 + length))
        };
        let mut details = DoctypeDetails {
            name: name.into(),
            ..DoctypeDetails::default()
        };
        let mut rest = rest;
        if rest.starts_with("PUBLIC")
            && let Some((from, to)) = quoted(rest)
        {
            details.public_id = Some(rest[from..to].into());
            rest = &rest[to + 1..];
        } else if !rest.starts_with("SYSTEM") {
            rest = "";
        }
        if let Some((from, to)) = quoted(rest) {
            details.system_id = Some(rest[from..to].into());
        }
        out.work.cleaned += u64::from(end - start);
        out.doctype = Some(Arc::new(details));
        self.push(input, out, Record::new(Kind::Doctype, start, end));
    }

    /// A character of a token to be discarded.
    fn filtered_character(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        byte: u8,
        within: State,
    ) -> State {
        if !matches!(byte, b'\t' | b'\n' | b'\r' | b' '..0x7F) {
            self.check_characters(input, out, byte);
        }
        within
    }

    /// The token that ends here is no part of the content assembly.
    fn filter(&mut self, input: &Cursor<'_>, out: &mut Queue) {
        let (start, end) = (self.token, input.mark());
        if self.text.start == start {
            self.text = Piece::at(end);
            self.normal = Normality::at(end);
        } else {
            self.text.leave_out(*input, out, start, end);
            self.normal.removed(start, end);
        }
    }
}
