//! Names: their characters, their normal form, and whether a tag has two attributes of one name.

use crate::event::record::Attr;
use crate::event::referred::Referred;
use crate::event::strings::{Cleaned, Str};
use crate::input::Mark;
use crate::leafxml::errors;
use crate::leafxml::machine::{LeafXmlMachine, Lexer};
use crate::limits::Limit;
use crate::text::leafxml_names::{is_char, is_name, is_name_char, is_name_start_char};
use alloc::string::String;
use unicode_normalization::UnicodeNormalization;

/// The name of a tag: where it is written, and its normal form if that is another.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(in crate::leafxml) struct TagName {
    pub(in crate::leafxml) start: Mark,
    pub(in crate::leafxml) end: Mark,
    pub(in crate::leafxml) clean: Option<Cleaned>,
    pub(in crate::leafxml) colon: bool,
}

impl Default for TagName {
    fn default() -> TagName {
        TagName::at(Mark::ZERO)
    }
}

impl TagName {
    pub(in crate::leafxml) fn at(start: Mark) -> TagName {
        TagName {
            start,
            end: start,
            clean: None,
            colon: false,
        }
    }

    /// Where its normal form is.
    #[inline(always)]
    pub(in crate::leafxml) fn string(&self) -> Str {
        match self.clean {
            Some(clean) => Str::Cleaned(clean),
            None => Str::Lent(self.start, self.end),
        }
    }

    pub(in crate::leafxml) fn rebase(&mut self, by: u32) {
        self.start = self.start.rebased(by);
        self.end = self.end.rebased(by);
    }

    pub(in crate::leafxml) fn rebase_scratch(&mut self, by: u32) {
        self.clean = self.clean.map(|clean| clean.rebased(by));
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
    pub(super) fn name_character(&mut self, lex: &mut Lexer<'_>, byte: u8) -> Option<Mark> {
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
        from: Mark,
        to: Mark,
    ) -> Option<Cleaned> {
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
    pub(super) fn end_name(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        self.own.name.end = end;
        let start = self.own.name.start;
        if (end - start) as usize > self.limits.name {
            self.exceed(lex, Limit::Name, start, end);
        }
        if !self.own.tag_normal.sure {
            let clean = lex.aside(|lex| self.normal_name(lex, start, end));
            self.own.name.clean = clean.or(self.own.name.clean);
        }
    }

    /// The name of the current attribute ends at the mark `end`.
    #[inline(always)]
    pub(super) fn end_attribute_name(&mut self, lex: &mut Lexer<'_>, end: Mark) {
        let attribute = &mut self.attribute;
        attribute.name_end = end;
        attribute.raw = end;
        attribute.raw_end = end;
        let name = attribute.name;
        if !self.own.tag_normal.sure {
            let clean = lex.aside(|lex| self.normal_name(lex, name, end));
            if let Some(clean) = clean {
                self.attribute.set_name(clean.start);
                lex.out.scratch.push('\0');
                self.own.cleaned_names = true;
            }
        }
        if let Some(limit) = self.attribute_limit(lex, end) {
            self.exceed(lex, limit, name, end);
        } else if self.is_duplicate(lex, self.attribute) {
            lex.aside(|lex| {
                let first = lex.first_attribute(&self.names, &self.attribute, true);
                let first = first.map(Referred::first_attribute);
                self.fail_about(lex, errors::DUPLICATE_ATTRIBUTE, (name, end), first)
            });
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
