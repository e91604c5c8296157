//! Attributes as the DOCTYPE declares them: values normalised by their types, and defaults.

use super::declarations::{Element, tokens};
use super::machine::{Cursor, XmlMachine};
use crate::event::record::{Attr, NAME_CLEANED, PREFIXED, Queue, VALUE_CLEANED};
use crate::limits::Limit;
use alloc::sync::Arc;
use alloc::vec::Vec;

impl XmlMachine {
    /// Applies what is declared for the element to the attributes of its tag, which is held in one
    /// piece.
    pub(super) fn apply_declarations<'w>(
        &mut self,
        mut input: Cursor<'w>,
        out: &mut Queue,
    ) -> Cursor<'w> {
        let declarations = Arc::clone(&self.declarations);
        let name = input.one_piece(&out.carry, self.name, self.name_end);
        out.work.compared += name.len() as u64;
        let Some(element) = declarations.element(name) else {
            return input;
        };
        let present = self.normalise(&input, out, element);
        self.add_defaults(&mut input, out, element, &present);
        input
    }

    /// Normalises the values of attributes that are not CDATA; gives the declared ones that are there.
    fn normalise(&mut self, input: &Cursor<'_>, out: &mut Queue, element: &Element) -> Vec<u32> {
        let mut present = Vec::new();
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
        present.sort_unstable();
        present
    }

    /// Adds the declared attributes that are not there and have defaults.
    fn add_defaults(
        &mut self,
        input: &mut Cursor<'_>,
        out: &mut Queue,
        element: &Element,
        present: &[u32],
    ) {
        let (start, end) = (self.token, input.mark());
        for (index, declared) in element.defaulted() {
            let Some(value) = &declared.default else {
                continue;
            };
            if present.binary_search(&index).is_ok() {
                continue;
            }
            if out.attributes.len() - out.open as usize >= self.limits.attributes {
                self.exceed(input, out, Limit::Attributes, start, end);
                return;
            }
            if !self.expand(input, out, declared.name.len() + value.len(), start, end) {
                return;
            }
            let clean_name = out.scratch.len() as u32;
            out.scratch.push_str(&declared.name);
            // A name has no NUL, and one ends it.
            out.scratch.push('\0');
            let from = out.scratch.len() as u32;
            out.scratch.push_str(value);
            let prefixed = match declared.name.contains(':') {
                true => PREFIXED,
                false => 0,
            };
            out.attributes.push(Attr {
                name: start,
                name_end: end,
                raw: start,
                raw_end: end,
                clean_name,
                value: from,
                value_end: out.scratch.len() as u32,
                flags: NAME_CLEANED | VALUE_CLEANED | prefixed,
                ..Attr::EMPTY
            });
        }
    }
}
