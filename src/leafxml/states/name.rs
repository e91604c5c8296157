//! Names: their characters, their normal form, and whether a tag has two attributes of one name.

use crate::event::record::{Attr, NAME_CLEANED, NONE, Queue};
use crate::input::cursor::same;
use crate::leafxml::errors;
use crate::leafxml::machine::{Cursor, LeafXmlMachine};
use crate::limits::Limit;
use crate::seeds::Seeds;
use crate::text::leafxml_names::{is_char, is_name, is_name_char, is_name_start_char};
use core::hash::BuildHasher;
use hashbrown::HashTable;
use unicode_normalization::UnicodeNormalization;

/// Up to so many attributes, each new name is compared with all others; then they are hashed.
const FEW: usize = 16;

/// The names of the attributes of one tag.
#[derive(Clone, Debug, Default)]
pub(in crate::leafxml) struct Names {
    /// Some are not as written.
    pub(in crate::leafxml) cleaned: bool,
    seeds: Seeds,
    /// Once there are many: hash, and index of the attribute.
    table: HashTable<(u64, u32)>,
}

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
    pub(super) fn name_start<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        byte: u8,
    ) -> (bool, Cursor<'w>) {
        let (character, from, to) = Self::character(&mut input, byte);
        let good = is_name_start_char(character);
        if good {
            self.tag_normal.take(character, from, to);
        } else {
            let code = match is_char(character) {
                true => errors::INVALID_NAME_START,
                false => errors::DISALLOWED_CHARACTER,
            };
            self.fail(&mut input, out, code, from, to);
        }
        (good, input)
    }

    /// A byte was taken in a name that is no ASCII delimiter of it and no plain character. Gives the
    /// mark of a line break that ends the name.
    #[cold]
    #[inline(never)]
    pub(super) fn name_character<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        byte: u8,
    ) -> (Option<u32>, Cursor<'w>) {
        let (character, from, to) = Self::character(&mut input, byte);
        if is_wide_break(character) {
            return (Some(from), input);
        }
        if is_name_char(character) {
            self.tag_normal.take(character, from, to);
        } else {
            let code = match is_char(character) {
                true => errors::INVALID_NAME,
                false => errors::DISALLOWED_CHARACTER,
            };
            self.fail(&mut input, out, code, from, to);
        }
        (None, input)
    }

    /// The normal form of the name between two marks, in the scratch buffer, if it is another; the
    /// name obeys the rule again.
    #[cold]
    #[inline(never)]
    pub(super) fn normal_name<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        from: u32,
        to: u32,
    ) -> (Option<(u32, u32)>, Cursor<'w>) {
        let (first, second) = input.pieces(&out.carry, from, to);
        let clean = out.scratch.len();
        let written = first.chars().chain(second.chars());
        out.scratch.extend(written.clone().nfc());
        let name = &out.scratch[clean..];
        out.work.cleaned += name.len() as u64;
        if written.eq(name.chars()) {
            out.scratch.truncate(clean);
            return (None, input);
        }
        if !is_name(name) {
            self.fail(&mut input, out, errors::INVALID_NORMALIZED_NAME, from, to);
        }
        (Some((clean as u32, out.scratch.len() as u32)), input)
    }

    /// The tag's name has ended before the mark `end`.
    #[inline(always)]
    pub(super) fn end_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue, end: u32) {
        self.name.end = end;
        let start = self.name.start;
        if (end - start) as usize > self.limits.name {
            self.exceed(input, out, Limit::Name, start, end);
        }
        if !self.tag_normal.sure {
            let clean;
            (clean, *input) = self.normal_name(*input, out, start, end);
            if let Some((clean, clean_end)) = clean {
                (self.name.clean, self.name.clean_end) = (clean, clean_end);
            }
        }
    }

    /// The name of the current attribute ends at the mark `end`.
    #[inline(always)]
    pub(super) fn end_attribute_name(&mut self, input: &mut Cursor<'_>, out: &mut Queue, end: u32) {
        let attribute = &mut self.attribute;
        attribute.name_end = end;
        attribute.raw = end;
        attribute.raw_end = end;
        let name = attribute.name;
        if !self.tag_normal.sure {
            let clean;
            (clean, *input) = self.normal_name(*input, out, name, end);
            if let Some((clean, _)) = clean {
                let attribute = &mut self.attribute;
                attribute.clean_name = clean;
                out.scratch.push('\0');
                attribute.flags |= NAME_CLEANED;
                self.names.cleaned = true;
            }
        }
        let count = out.attributes.len() - out.open as usize;
        if (end - name) as usize > self.limits.name {
            self.exceed(input, out, Limit::Name, name, end);
        } else if count >= self.limits.attributes {
            self.exceed(input, out, Limit::Attributes, name, end);
        } else if self.is_duplicate(input, out, self.attribute) {
            self.fail(input, out, errors::DUPLICATE_ATTRIBUTE, name, end);
        }
        if end - name == 5 && input.byte(&out.carry, name) == b'x' {
            self.declares = true;
        }
    }

    /// Whether this attribute is a further one of its name.
    #[inline(always)]
    pub(in crate::leafxml) fn is_duplicate(
        &mut self,
        input: &Cursor<'_>,
        out: &mut Queue,
        attribute: Attr,
    ) -> bool {
        let others = &out.attributes[out.open as usize..];
        if others.is_empty() {
            return false;
        }
        let (chunk, shift) = input.chunk();
        if self.token < shift || self.names.cleaned || others.len() > FEW {
            return self.is_duplicate_cold(*input, out, attribute);
        }
        let bytes = chunk.as_bytes();
        let name_of = |attribute: &Attr| {
            &bytes[(attribute.name - shift) as usize..(attribute.name_end - shift) as usize]
        };
        let name = name_of(&attribute);
        others.iter().any(|other| same(name_of(other), name))
    }

    #[cold]
    #[inline(never)]
    fn is_duplicate_cold(&mut self, input: Cursor<'_>, out: &mut Queue, attribute: Attr) -> bool {
        let others = &out.attributes[out.open as usize..];
        let name_of = |attribute: &Attr| match attribute.flags & NAME_CLEANED != 0 {
            true => ("", attribute.clean_name(&out.scratch)),
            false => input.pieces(&out.carry, attribute.name, attribute.name_end),
        };
        let length = |(first, second): (&str, &str)| first.len() + second.len();
        let is_equal = |other: &Attr| {
            let (one, two) = (name_of(other), name_of(&attribute));
            let bytes = one.0.bytes().chain(one.1.bytes());
            length(one) == length(two) && bytes.eq(two.0.bytes().chain(two.1.bytes()))
        };
        if others.len() <= FEW {
            return others.iter().any(is_equal);
        }
        let Names { seeds, table, .. } = &mut self.names;
        let hash_of = |attribute: &Attr| match name_of(attribute) {
            ("", name) | (name, "") => seeds.hash_one(name),
            (first, second) => seeds.hash_one(&*[first, second].concat()),
        };
        if table.len() != others.len() {
            // The first name beyond a few: the others are entered now.
            table.clear();
            for (index, other) in others.iter().enumerate() {
                let hash = hash_of(other);
                table.insert_unique(hash, (hash, index as u32), |entry| entry.0);
            }
        }
        let hash = hash_of(&attribute);
        out.work.compared += length(name_of(&attribute)) as u64;
        let found = table.find(hash, |entry| {
            entry.0 == hash && is_equal(&others[entry.1 as usize])
        });
        if found.is_some() {
            return true;
        }
        table.insert_unique(hash, (hash, others.len() as u32), |entry| entry.0);
        false
    }
}
