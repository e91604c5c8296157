//! Application of attribute declarations to start tags: normalization of values by type, and default values.

use super::declarations::tokens;
use super::entities::DEFAULT_ATTRIBUTE_CHARGE_BYTES;
use super::machine::{Lexer, XmlMachine};
use crate::engine::event::record::{Attr, DEFAULTED, NAME_CLEANED, PREFIXED, VALUE_CLEANED};
use crate::engine::event::strings::Cleaned;
use crate::engine::input::BufferOffset;
use crate::engine::limits::Limit;
use alloc::vec::Vec;
use core::mem::take;

impl XmlMachine {
    /// Applies the attribute declarations of the element whose name is in `from..to` to the attributes of its start
    /// tag. The tag must have been joined, so that its text is contiguous.
    #[inline(never)]
    pub(super) fn apply_declarations(
        &mut self,
        lex: &mut Lexer<'_>,
        from: BufferOffset,
        to: BufferOffset,
    ) {
        lex.out.work.compared += u64::from(to - from);
        let name = lex.one_piece(from, to);
        if let Some(element) = self.dialect.dtd.declarations.element(name) {
            let mut present = take(&mut self.dialect.dtd.present);
            present.clear();
            self.normalise(lex, element, &mut present);
            self.add_defaults(lex, element, &present);
            if lex.out.is_large() {
                lex.suspend();
            }
            self.dialect.dtd.present = present;
        }
    }

    /// Normalizes the values of attributes whose declared type is not CDATA. Appends the index of each declared
    /// attribute that the tag has to `present`, and sorts the list.
    fn normalise(&mut self, lex: &mut Lexer<'_>, element: usize, present: &mut Vec<u32>) {
        let element = self.dialect.dtd.declarations.attributes(element);
        for at in lex.out.open as usize..lex.out.attributes.len() {
            let attribute = lex.out.attributes[at];
            lex.out.work.compared += u64::from(attribute.name_end - attribute.name);
            let name = lex.one_piece(attribute.name, attribute.name_end);
            let Some((index, declared)) = element.attribute(name) else {
                continue;
            };
            present.push(index);
            if !declared.tokenized {
                continue;
            }
            let value = lex.joined(attribute.value());
            let spaced = value.starts_with(' ') || value.ends_with(' ') || value.contains("  ");
            if spaced {
                let value = tokens(value);
                let value = lex.clean(&value);
                lex.out.attributes[at].set_value(value);
            }
        }
        if present.len() > 1 {
            present.sort_unstable();
        }
    }

    /// Adds each declared attribute that has a default value and is not in `present`. The new attributes get the span
    /// of the tag. Ends the parse if the limit of attributes or of entity expansion is exceeded.
    fn add_defaults(&mut self, lex: &mut Lexer<'_>, element: usize, present: &[u32]) {
        let (start, end) = (self.token, lex.mark());
        for at in 0..self.dialect.dtd.declarations.attributes(element).defaults() {
            let (index, declared) = self
                .dialect
                .dtd
                .declarations
                .attributes(element)
                .default(at);
            let length = declared.name.len() + declared.default.as_ref().map_or(0, |it| it.len());
            if present.binary_search(&index).is_ok() {
                continue;
            }
            if lex.out.attributes.len() - lex.out.open as usize >= self.limits.attributes {
                self.exceed(lex, Limit::Attributes, start, end);
                return;
            }
            if !self.expand(lex, (length, DEFAULT_ATTRIBUTE_CHARGE_BYTES), start, end) {
                return;
            }
            let (_, declared) = self
                .dialect
                .dtd
                .declarations
                .attributes(element)
                .default(at);
            let clean_name = lex.out.scratch_end();
            lex.out.scratch.push_str(&declared.name);
            // A name cannot contain NUL, so a NUL marks its end in the scratch buffer.
            lex.out.scratch.push('\0');
            let value = lex.out.scratch_end();
            lex.out
                .scratch
                .push_str(declared.default.as_deref().unwrap_or_default());
            let prefixed = declared.name.contains(':');
            self.dialect.tag.prefixed_attributes += u32::from(prefixed);
            self.dialect.tag.may_declare |= &*declared.name == "xmlns";
            lex.out.attributes.push(Attr {
                name: start,
                name_end: end,
                raw: start,
                raw_end: end,
                clean_name,
                value: Cleaned::since(value, &lex.out.scratch),
                flags: DEFAULTED
                    | NAME_CLEANED
                    | VALUE_CLEANED
                    | if prefixed { PREFIXED } else { 0 },
                ..Attr::EMPTY
            });
        }
    }
}
