//! Names: their characters, their normal form, and whether a tag has two attributes of one name.

use crate::event::record::{Attr, NAME_CLEANED, NONE};
use crate::leafxml::errors;
use crate::leafxml::machine::{LeafXmlMachine, Lexer};
use crate::limits::Limit;
use crate::text::leafxml_names::{is_char, is_name, is_name_char, is_name_start_char};
use alloc::string::String;
use unicode_normalization::UnicodeNormalization;

/// The name of a tag: where it is written, and its normal form if that is another.
#[derive(Clone, Copy, Debug)]
pub(in crate::leafxml) struct TagName {
    pub(in crate::leafxml) start: u32,
    pub(in crate::leafxml) end: u32,
    /// Range in the scratch buffer, or none.
    pub(in crate::leafxml) clean: u32,
    pub(in crate::leafxml) clean_end: u32,
    pub(in crate::leafxml) colon: bool,
}

impl Default for TagName {
    fn default() -> TagName {
        TagName::at(0)
    }
}

impl TagName {
    pub(in crate::leafxml) fn at(start: u32) -> TagName {
        TagName {
            start,
            end: start,
            clean: NONE,
            clean_end: NONE,
            colon: false,
        }
    }

    pub(in crate::leafxml) fn is_clean(&self) -> bool {
        self.clean != NONE
    }

    pub(in crate::leafxml) fn rebase(&mut self, by: u32) {
        self.start = self.start.wrapping_sub(by);
        self.end = self.end.wrapping_sub(by);
    }

    pub(in crate::leafxml) fn rebase_scratch(&mut self, by: u32) {
        if self.clean != NONE {
            self.clean = self.clean.wrapping_sub(by);
            self.clean_end = self.clean_end.wrapping_sub(by);
        }
    }
}

/// Whether the character is a line break that is not ASCII: whitespace in a tag.
pub(super) const fn is_wide_break(character: char) -> bool {
    matches!(character, '\u{85}' | '\u{2028}')
}

impl LeafXmlMachine {
    /// The first byte of a name was taken, which is no ASCII letter or `_`, or `:`. Gives whether
    /// the character may begin a name.
    #[cold]
    #[inline(never)]
    pub(super) fn name_start(&mut self, lex: &mut Lexer<'_>, byte: u8) -> bool {
        let (character, from, to) = lex.character(byte);
        let good = is_name_start_char(character);
        if good {
            self.own.tag_normal.take(character, from, to);
        } else {
            let code = match is_char(character) {
                true => errors::INVALID_NAME_START,
                false => errors::DISALLOWED_CHARACTER,
            };
            self.fail(lex, code, from, to);
        }
        good
    }

    /// A byte was taken in a name that is no ASCII delimiter of it and no plain character. Gives the
    /// mark of a line break that ends the name.
    #[cold]
    #[inline(never)]
    pub(super) fn name_character(&mut self, lex: &mut Lexer<'_>, byte: u8) -> Option<u32> {
        let (character, from, to) = lex.character(byte);
        if is_wide_break(character) {
            return Some(from);
        }
        if is_name_char(character) {
            self.own.tag_normal.take(character, from, to);
        } else {
            let code = match is_char(character) {
                true => errors::INVALID_NAME,
                false => errors::DISALLOWED_CHARACTER,
            };
            self.fail(lex, code, from, to);
        }
        None
    }

    /// The normal form of the name between two marks, in the scratch buffer, if it is another; the
    /// name obeys the rule again.
    #[cold]
    #[inline(never)]
    pub(super) fn normal_name(
        &mut self,
        lex: &mut Lexer<'_>,
        from: u32,
        to: u32,
    ) -> Option<(u32, u32)> {
        let (first, second) = lex.pieces(from, to);
        let written = first.chars().chain(second.chars());
        let name: String = written.clone().nfc().collect();
        if written.eq(name.chars()) {
            lex.out.work.cleaned += name.len() as u64;
            return None;
        }
        if !is_name(&name) {
            self.fail(lex, errors::INVALID_NORMALIZED_NAME, from, to);
        }
        Some(lex.clean(&name))
    }

    /// The tag's name has ended before the mark `end`.
    #[inline(always)]
    pub(super) fn end_name(&mut self, lex: &mut Lexer<'_>, end: u32) {
        self.own.name.end = end;
        let start = self.own.name.start;
        if (end - start) as usize > self.limits.name {
            self.exceed(lex, Limit::Name, start, end);
        }
        if !self.own.tag_normal.sure {
            let clean = lex.aside(|lex| self.normal_name(lex, start, end));
            if let Some((clean, clean_end)) = clean {
                (self.own.name.clean, self.own.name.clean_end) = (clean, clean_end);
            }
        }
    }

    /// The name of the current attribute ends at the mark `end`.
    #[inline(always)]
    pub(super) fn end_attribute_name(&mut self, lex: &mut Lexer<'_>, end: u32) {
        let attribute = &mut self.attribute;
        attribute.name_end = end;
        attribute.raw = end;
        attribute.raw_end = end;
        let name = attribute.name;
        if !self.own.tag_normal.sure {
            let clean = lex.aside(|lex| self.normal_name(lex, name, end));
            if let Some((clean, _)) = clean {
                let attribute = &mut self.attribute;
                attribute.clean_name = clean;
                lex.out.scratch.push('\0');
                attribute.flags |= NAME_CLEANED;
                self.own.cleaned_names = true;
            }
        }
        if let Some(limit) = self.attribute_limit(lex, end) {
            self.exceed(lex, limit, name, end);
        } else if self.is_duplicate(lex, self.attribute) {
            self.fail(lex, errors::DUPLICATE_ATTRIBUTE, name, end);
        }
        if end - name == 5 && lex.byte(name) == b'x' {
            self.own.declares = true;
        }
    }

    /// Whether this attribute is a further one of its name.
    #[inline(always)]
    pub(in crate::leafxml) fn is_duplicate(&mut self, lex: &mut Lexer<'_>, new: Attr) -> bool {
        match self.own.cleaned_names {
            false => lex.has_attribute(&mut self.names, &new),
            true => lex.aside(|lex| lex.has_attribute_cold(&mut self.names, &new, true)),
        }
    }
}
