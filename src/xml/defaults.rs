//! Attributes as the DOCTYPE declares them: values normalised by their types, and defaults.

use super::declarations::tokens;
use super::entities::DEFAULTED as COST;
use super::machine::{Cursor, XmlMachine};
use crate::event::record::{Attr, DEFAULTED, NAME_CLEANED, PREFIXED, Queue, VALUE_CLEANED};
use crate::limits::Limit;
use alloc::vec::Vec;
use core::mem::take;

impl XmlMachine {
    /// Applies what is declared for the element to the attributes of its tag, which is held in one
    /// piece.
    #[inline(never)]
    pub(super) fn apply_declarations<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
        from: u32,
        to: u32,
    ) -> Cursor<'w> {
        let name = input.one_piece(&out.carry, from, to);
        out.work.compared += name.len() as u64;
        if let Some(element) = self.declarations.element(name) {
            let mut present = take(&mut self.present);
            present.clear();
            self.normalise(&input, out, element, &mut present);
            self.add_defaults(&mut input, out, element, &present);
            if out.is_large() {
                input.fence();
            }
            self.present = present;
        }
        input
    }

    /// Normalises the values of attributes that are not CDATA; gathers the declared ones that are
    /// there.
    fn normalise(
        &mut self,
        input: &Cursor<'_>,
        out: &mut Queue,
        element: usize,
        present: &mut Vec<u32>,
    ) {
        let element = self.declarations.attributes(element);
        let open = out.open as usize;
        for attribute in &mut out.attributes[open..] {
            let name = input.one_piece(&out.carry, attribute.name, attribute.name_end);
            out.work.compared += name.len() as u64;
            let Some((index, declared)) = element.attribute(name) else {
                continue;
            };
            present.push(index);
            if !declared.tokenized {
                continue;
            }
            let value = if attribute.flags & VALUE_CLEANED != 0 {
                &out.scratch[attribute.value as usize..attribute.value_end as usize]
            } else {
                input.one_piece(&out.carry, attribute.raw, attribute.raw_end)
            };
            let spaced = value.starts_with(' ') || value.ends_with(' ') || value.contains("  ");
            if spaced {
                let value = tokens(value);
                attribute.value = out.scratch.len() as u32;
                out.scratch.push_str(&value);
                attribute.value_end = out.scratch.len() as u32;
                attribute.flags |= VALUE_CLEANED;
                out.work.cleaned += value.len() as u64;
            }
        }
        if present.len() > 1 {
            present.sort_unstable();
        }
    }

    /// Adds the declared attributes that are not there and have defaults.
    fn add_defaults(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        element: usize,
        present: &[u32],
    ) {
        let (start, end) = (self.token, input.mark());
        for at in 0..self.declarations.attributes(element).defaults() {
            let (index, declared) = self.declarations.attributes(element).default(at);
            let length = declared.name.len() + declared.default.as_ref().map_or(0, |it| it.len());
            if present.binary_search(&index).is_ok() {
                continue;
            }
            if out.attributes.len() - out.open as usize >= self.limits.attributes {
                self.exceed(input, out, Limit::Attributes, start, end);
                return;
            }
            if !self.expand(input, out, (length, COST), start, end) {
                return;
            }
            let (_, declared) = self.declarations.attributes(element).default(at);
            let clean_name = out.scratch.len() as u32;
            out.scratch.push_str(&declared.name);
            // A name has no NUL, and one ends it.
            out.scratch.push('\0');
            let value = out.scratch.len() as u32;
            out.scratch
                .push_str(declared.default.as_deref().unwrap_or_default());
            let prefixed = declared.name.contains(':');
            self.prefixed += u32::from(prefixed);
            self.declares |= &*declared.name == "xmlns";
            out.attributes.push(Attr {
                name: start,
                name_end: end,
                raw: start,
                raw_end: end,
                clean_name,
                value,
                value_end: out.scratch.len() as u32,
                flags: DEFAULTED
                    | NAME_CLEANED
                    | VALUE_CLEANED
                    | if prefixed { PREFIXED } else { 0 },
                ..Attr::EMPTY
            });
        }
    }
}
