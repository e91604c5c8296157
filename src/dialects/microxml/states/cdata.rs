//! Of the final revision of the specification: CDATA sections, whose content is text.

use crate::dialects::microxml::classes::{CDATA, NOT_SPACE};
use crate::dialects::microxml::errors;
use crate::dialects::microxml::machine::{Lexer, MicroXmlMachine};
use crate::dialects::microxml::state::{Next, State};
use crate::engine::event::queue::SplitAt;
use crate::engine::event::record::IN_CDATA;
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::Unit::{Byte, Eof};

impl MicroXmlMachine {
    /// Reads `CDATA_OPEN`, `<![CDATA[`, one byte at a time.
    pub(super) fn cdata_open(&mut self, lex: &mut Lexer<'_>) -> Next {
        let Byte(byte) = lex.next()? else {
            return Some(self.no_token_at_end(lex));
        };
        Some(match self.keyword.take(byte) {
            Some(true) => {
                let (start, end) = (self.token, lex.mark());
                self.refuse(lex, errors::STRAY_MARKUP, start, end);
                if !self.split_text(lex, SplitAt::Section, (start, end), 0) {
                    lex.remove(&mut self.text, start, end);
                }
                self.token = BufferOffset::NONE;
                State::Cdata
            }
            Some(false) => State::CdataOpen,
            None => self.no_token(lex, byte),
        })
    }

    /// Implements the *CData mode*: reads the content of a section up to a `]` or CR.
    pub(super) fn cdata(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = match self.dialect.blank {
            true => lex.until::<NOT_SPACE>()?,
            false => lex.until_set(&CDATA)?,
        };
        Some(match unit {
            Byte(byte) => self.cdata_byte(lex, byte),
            Eof => self.eof_in_cdata(lex, 0),
        })
    }

    /// Handles a byte in a CDATA section that may need attention.
    fn cdata_byte(&mut self, lex: &mut Lexer<'_>, byte: u8) -> State {
        match byte {
            b']' => return State::CdataBracket(1),
            b'\r' => {
                self.state = State::Cdata;
                lex.aside(|lex| self.carriage_return(lex));
            }
            b'\t' | b'\n' | 0xC | b' ' => {}
            _ => self.solid(lex, lex.mark() - 1),
        }
        State::Cdata
    }

    /// Implements the *CData mode* after `read` brackets, 1 or 2, which may start `CDATA_CLOSE` (`]]>`).
    pub(super) fn cdata_bracket(&mut self, read: u8, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b']') if read == 1 => State::CdataBracket(2),
            Byte(b'>') if read == 2 => {
                let end = lex.mark();
                if !self.split_text(lex, SplitAt::Section, (end - 3, end), IN_CDATA) {
                    lex.remove(&mut self.text, end - 3, end);
                }
                State::Main
            }
            Byte(byte) => {
                // The first of the brackets is data.
                self.solid(lex, lex.mark() - 1 - u32::from(read));
                match byte {
                    b']' => State::CdataBracket(2),
                    _ => self.cdata_byte(lex, byte),
                }
            }
            Eof => self.eof_in_cdata(lex, read),
        })
    }

    /// Handles the end of the input in a CDATA section, after `brackets` unfinished `]`, which are data.
    fn eof_in_cdata(&mut self, lex: &mut Lexer<'_>, brackets: u8) -> State {
        let end = lex.mark();
        if brackets > 0 {
            self.solid(lex, end - u32::from(brackets));
        }
        self.repair(lex, errors::UNFINISHED_CDATA, end, end);
        self.split_text(lex, SplitAt::Section, (end, end), IN_CDATA);
        self.end_of_file(lex)
    }
}
