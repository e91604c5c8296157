//! Names: their characters, their normal form NFC, and duplicate attributes.

use crate::dialects::leafxml::errors;
use crate::dialects::leafxml::machine::{LeafXmlMachine, Lexer};
use crate::engine::event::record::Attr;
use crate::engine::event::referred::Referred;
use crate::engine::event::strings::Cleaned;
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limit;
use crate::engine::text::leafxml_names::{is_char, is_name, is_name_char, is_name_start_char};
use alloc::string::String;
use unicode_normalization::UnicodeNormalization;

/// Returns true if the character is a line break beyond ASCII, which is whitespace in a tag.
pub(super) const fn is_wide_break(character: char) -> bool {
    matches!(character, '\u{85}' | '\u{2028}')
}

impl LeafXmlMachine {
    /// Checks the first character of a name, which starts with `byte` and is neither an ASCII letter nor `_` nor `:`.
    /// Returns false, and ends the parse, if a name cannot start with it.
    #[cold]
    #[inline(never)]
    pub(super) fn name_start(&mut self, lex: &mut Lexer<'_>, byte: u8) -> bool {
        let (character, from, to) = lex.character(byte);
        let good = is_name_start_char(character);
        if good {
            self.dialect.tag_normal.take(character, from, to);
        } else {
            let code = match is_char(character) {
                true => errors::INVALID_NAME_START,
                false => errors::DISALLOWED_CHARACTER,
            };
            self.fail(lex, code, from, to);
        }
        good
    }

    /// Handles a character of a name at which the scan has stopped, and which is not an ASCII delimiter. Returns the
    /// offset of the character if it is a line break, which ends the name. Ends the parse if the character is not
    /// allowed.
    #[cold]
    #[inline(never)]
    pub(super) fn name_character(&mut self, lex: &mut Lexer<'_>, byte: u8) -> Option<BufferOffset> {
        let (character, from, to) = lex.character(byte);
        if is_wide_break(character) {
            return Some(from);
        }
        if is_name_char(character) {
            self.dialect.tag_normal.take(character, from, to);
        } else {
            let code = match is_char(character) {
                true => errors::INVALID_NAME,
                false => errors::DISALLOWED_CHARACTER,
            };
            self.fail(lex, code, from, to);
        }
        None
    }

    /// Returns the normal form of the name in `from..to`, in the scratch buffer, or `None` if it does not differ from
    /// the source. Ends the parse if the normal form is not a valid name.
    #[cold]
    #[inline(never)]
    pub(super) fn normal_name(
        &mut self,
        lex: &mut Lexer<'_>,
        from: BufferOffset,
        to: BufferOffset,
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

    /// Ends the name of the current tag at offset `end`: checks its length, and normalizes it if necessary.
    #[inline(always)]
    pub(super) fn end_name(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        self.dialect.name.end = end;
        let start = self.dialect.name.start;
        if (end - start) as usize > self.limits.name {
            self.exceed(lex, Limit::Name, start, end);
        }
        if !self.dialect.tag_normal.sure {
            let clean = lex.aside(|lex| self.normal_name(lex, start, end));
            self.dialect.name.clean = clean.or(self.dialect.name.clean);
        }
    }

    /// Ends the name of the current attribute at offset `end`: normalizes it if necessary, and checks the limits and
    /// duplicates.
    #[inline(always)]
    pub(super) fn end_attribute_name(&mut self, lex: &mut Lexer<'_>, end: BufferOffset) {
        let attribute = &mut self.attribute;
        attribute.name_end = end;
        attribute.raw = end;
        attribute.raw_end = end;
        let name = attribute.name;
        if !self.dialect.tag_normal.sure {
            let clean = lex.aside(|lex| self.normal_name(lex, name, end));
            if let Some(clean) = clean {
                self.attribute.set_name(clean.start);
                lex.out.scratch.push('\0');
                self.dialect.cleaned_names = true;
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
            self.dialect.declares = true;
        }
    }

    /// Returns true if the tag already has an attribute with the name of `new`.
    #[inline(always)]
    pub(in crate::dialects::leafxml) fn is_duplicate(
        &mut self,
        lex: &mut Lexer<'_>,
        new: Attr,
    ) -> bool {
        match self.dialect.cleaned_names {
            false => lex.has_attribute(&mut self.names, &new),
            true => lex.aside(|lex| lex.has_attribute_cold(&mut self.names, &new, true)),
        }
    }
}
