//! States in the tokens that the *token filtering* of the specification discards: instructions, the DOCTYPE,
//! comments.
//!
//! A content assembly continues after such a token. If an option makes the token an event, the event comes before the
//! text of this assembly.

use crate::dialects::leafxml::errors;
use crate::dialects::leafxml::machine::{DELIMITED, LeafXmlMachine, Lexer};
use crate::dialects::leafxml::normal::Normality;
use crate::dialects::leafxml::state::{Next, State};
use crate::engine::event::details::DoctypeDetails;
use crate::engine::event::queue::SplitAt;
use crate::engine::event::record::{Payload, Record, RecordKind};
use crate::engine::text::xml_names::is_white_space;
use crate::engine::tokenizer::{
    TextBuffer,
    Unit::{Byte, Eof},
};
use alloc::sync::Arc;

impl LeafXmlMachine {
    /// Reads a comment up to a `-` or a character that needs attention.
    pub(super) fn comment(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DELIMITED>()? {
            Byte(b'-') => State::CommentDash,
            Byte(byte) => self.filtered_character(lex, byte, State::Comment),
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_COMMENT),
        })
    }

    /// Reads the unit after one `-` in a comment.
    pub(super) fn comment_dash(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'-') => State::CommentEnd,
            Byte(_) => lex.reconsume(State::Comment),
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_COMMENT),
        })
    }

    /// Reads the unit after `--` in a comment. A `>` ends the comment.
    pub(super) fn comment_end(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => {
                let (start, end) = (self.token, lex.mark());
                self.filter(lex);
                if self.dialect.options.has_comments() {
                    lex.join(start, end);
                    let record =
                        Record::new(RecordKind::Comment, start, end).of(start + 4, end - 3);
                    lex.emit(record);
                }
                self.content()
            }
            Byte(b'-') => State::CommentEnd,
            Byte(_) => lex.reconsume(State::Comment),
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_COMMENT),
        })
    }

    /// Reads an instruction up to a `?` or a character that needs attention.
    pub(super) fn instruction(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.until::<DELIMITED>()? {
            Byte(b'?') => State::InstructionEnd,
            Byte(byte) => self.filtered_character(lex, byte, State::Instruction),
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_INSTRUCTION),
        })
    }

    /// Reads the unit after a `?` in an instruction (other than the `?` of its `<?`). A `>` ends the instruction.
    pub(super) fn instruction_end(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => {
                self.filter(lex);
                if self.dialect.options.has_instructions() {
                    self.emit_instruction(lex);
                }
                self.content()
            }
            Byte(b'?') => State::InstructionEnd,
            Byte(_) => lex.reconsume(State::Instruction),
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_INSTRUCTION),
        })
    }

    /// Emits an instruction as an event. Its first word is the target, and the rest is the data.
    fn emit_instruction(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let inner = &lex.one_piece(start, end)[2..(end - start) as usize - 2];
        let target = inner.find(is_white_space).unwrap_or(inner.len());
        let data = inner.len() - inner[target..].trim_start_matches(is_white_space).len();
        let record = Record {
            payload: Payload::target(start + 2, start + 2 + target as u32),
            ..Record::new(RecordKind::ProcessingInstruction, start, end)
        };
        lex.emit(record.of(start + 2 + data as u32, end - 2));
    }

    /// Reads a DOCTYPE outside quotes.
    pub(super) fn doctype(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'>') => {
                self.filter(lex);
                if self.dialect.options.has_doctype() {
                    self.emit_doctype(lex);
                }
                self.content()
            }
            Byte(b'\'') => State::DoctypeSingleQuoted,
            Byte(b'"') => State::DoctypeDoubleQuoted,
            Byte(byte @ (b'[' | b']')) => self.fail_here(lex, byte, errors::BRACKET_IN_DOCTYPE),
            Byte(byte) => self.filtered_character(lex, byte, State::Doctype),
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_DOCTYPE),
        })
    }

    /// Reads a DOCTYPE between quotes.
    pub(super) fn doctype_quoted(&mut self, lex: &mut Lexer<'_>, quote: u8) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte == quote => State::Doctype,
            Byte(byte) => self.filtered_character(lex, byte, self.state),
            Eof => self.fail_at_end(lex, errors::UNTERMINATED_DOCTYPE),
        })
    }

    /// Emits a DOCTYPE as an event. Its first word is the name, and the quoted parts after `PUBLIC` or `SYSTEM` are
    /// the identifiers.
    fn emit_doctype(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        lex.join(start, end);
        let inner = &lex.one_piece(start, end)[9..(end - start) as usize - 1];
        let inner = inner.trim_start_matches(is_white_space);
        let name_ends = |character| is_white_space(character) || matches!(character, '\'' | '"');
        let (name, rest) = inner.split_at(inner.find(name_ends).unwrap_or(inner.len()));
        let rest = rest.trim_start_matches(is_white_space);
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
        lex.out.work.cleaned += u64::from(end - start);
        lex.out.prologue.doctype = Some(Arc::new(details));
        lex.emit(Record::new(RecordKind::Doctype, start, end));
    }

    /// Checks a character of a token that is discarded. Returns `within`, the state that continues.
    fn filtered_character(&mut self, lex: &mut Lexer<'_>, byte: u8, within: State) -> State {
        if !matches!(byte, b'\t' | b'\n' | b'\r' | b' '..0x7F) {
            self.check_characters(lex, byte);
        }
        within
    }

    /// Removes the token that ends here from the content assembly.
    fn filter(&mut self, lex: &mut Lexer<'_>) {
        let (start, end) = (self.token, lex.mark());
        if self.split_content(lex, SplitAt::Markup, (start, end), 0) {
            return;
        }
        if self.text.start == start {
            self.text = TextBuffer::at(end);
            self.dialect.normal = Normality::at(end);
        } else {
            self.note_split(lex, start);
            lex.leave_out(&mut self.text, start, end);
            self.dialect.normal.removed(start, end);
        }
    }
}
