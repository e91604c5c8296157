//! The states of end tags in RCDATA and RAWTEXT: less-than sign, end tag open and end tag name.

use crate::dialects::html::machine::{HtmlMachine, Lexer, reconsume};
use crate::dialects::html::state::{Next, State};
use crate::engine::input::BufferOffset;
use crate::engine::tokenizer::Unit::{self, Byte};

impl HtmlMachine {
    /// Implements the *RCDATA less-than sign state*: after `<` in RCDATA.
    pub(super) fn rcdata_less_than_sign(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'/') => State::RcdataEndTagOpen,
            unit => self.text_again(lex, unit, State::Rcdata),
        })
    }

    /// Implements the *RCDATA end tag open state*: after `</` in RCDATA.
    pub(super) fn rcdata_end_tag_open(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.start_name(lex.mark() - 1, byte);
                State::RcdataEndTagName
            }
            unit => self.text_again(lex, unit, State::Rcdata),
        })
    }

    /// Implements the *RCDATA end tag name state*: after `</` and a letter in RCDATA.
    pub(super) fn rcdata_end_tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        Some(self.text_end_tag_name(lex, unit, State::Rcdata))
    }

    /// Implements the *RAWTEXT less-than sign state*: after `<` in RAWTEXT.
    pub(super) fn rawtext_less_than_sign(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(b'/') => State::RawtextEndTagOpen,
            unit => self.text_again(lex, unit, State::Rawtext),
        })
    }

    /// Implements the *RAWTEXT end tag open state*: after `</` in RAWTEXT.
    pub(super) fn rawtext_end_tag_open(&mut self, lex: &mut Lexer<'_>) -> Next {
        Some(match lex.next()? {
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.start_name(lex.mark() - 1, byte);
                State::RawtextEndTagName
            }
            unit => self.text_again(lex, unit, State::Rawtext),
        })
    }

    /// Implements the *RAWTEXT end tag name state*: after `</` and a letter in RAWTEXT.
    pub(super) fn rawtext_end_tag_name(&mut self, lex: &mut Lexer<'_>) -> Next {
        let unit = lex.next()?;
        Some(self.text_end_tag_name(lex, unit, State::Rawtext))
    }

    /// Discards the unfinished tag, whose characters become text, and reconsumes `unit` in `state`.
    pub(super) fn text_again(&mut self, lex: &mut Lexer<'_>, unit: Unit, state: State) -> State {
        self.token = BufferOffset::NONE;
        reconsume(lex, unit, state)
    }

    /// Implements the end tag name states of RCDATA, RAWTEXT and script data. `unit` was just consumed in or after
    /// the name of a possible end tag; `state` is the state of the text, which continues if this is not the
    /// appropriate end tag.
    pub(super) fn text_end_tag_name(
        &mut self,
        lex: &mut Lexer<'_>,
        unit: Unit,
        state: State,
    ) -> State {
        let after = match unit {
            Byte(b'\t' | b'\n' | b'\x0C' | b'\r' | b' ') => State::BeforeAttributeName,
            Byte(b'/') => State::SelfClosingStartTag,
            Byte(b'>') => State::Data,
            Byte(byte) if byte.is_ascii_alphabetic() => {
                self.dialect.odd_name |= byte.is_ascii_uppercase();
                return self.state;
            }
            _ => return self.text_again(lex, unit, state),
        };
        if !self.is_appropriate_end_tag(lex, lex.mark() - 1) {
            return self.text_again(lex, unit, state);
        }
        self.dialect.is_end_tag = true;
        self.name_end = lex.mark() - 1;
        self.end_text_before(lex, self.token);
        if after != State::Data {
            return after;
        }
        self.emit_tag(lex, 0)
    }

    /// Returns whether the name that ends at the offset `end` is the name of the last start tag (an "appropriate end
    /// tag token").
    fn is_appropriate_end_tag(&self, lex: &mut Lexer<'_>, end: BufferOffset) -> bool {
        if (end - self.name) as usize != self.dialect.last_start_tag.len() {
            return false;
        }
        lex.out.work.compared += u64::from(end - self.name);
        let (first, second) = lex.pieces(self.name, end);
        let name = first.bytes().chain(second.bytes());
        name.map(|byte| byte.to_ascii_lowercase())
            .eq(self.dialect.last_start_tag.bytes())
    }
}
