//! Markers: the processing instructions `<?marker name="x">` and `<?start name="x">` … `<?end>`, which mark a position
//! or a range in an HTML document. The parser inserts the content of `<template for=x>` there.

use super::document::{Content, Document};
use super::markers::Markers;
use super::node_id::{Link, NodeId};
use crate::engine::hash_seed::Seeds;
use crate::engine::text::xml_names::{is_char, is_name_char, is_name_start_char};
use crate::tree::patch_target::Patch;
use alloc::string::String;
use alloc::vec::Vec;
use hashbrown::HashSet;

/// The search for markers stops when a document has used `MAX_STEPS` steps, plus `MAX_STEPS_PER_NODE` steps for each of
/// its nodes. A step is the visit of one node or marker. Without the limit, an input with many markers of one name and
/// many templates that cannot use them would take quadratic time, because each template would examine all markers.
const MAX_STEPS: u64 = 1 << 24;
const MAX_STEPS_PER_NODE: u64 = 64;

impl Document {
    /// Finds the first marker with this name among the descendants of `scope`, and removes the nodes in its range.
    /// Returns the position for the content of the template, or `None` if there is no such marker.
    pub(super) fn patch(&mut self, scope: NodeId, name: &str) -> Option<Patch<NodeId>> {
        if self.instructions.is_empty() {
            return None;
        }
        let mut markers = self.markers.take().unwrap_or_default();
        self.look_for_markers(&mut markers);
        let start = self.first_marker(&mut markers, scope, name);
        self.markers = Some(markers);
        let start = start?;
        let target = self.record(start).parent?;
        let end = match self.target_of(start) {
            Some("marker") => Some(start),
            _ => self.end_of(start),
        };
        if end != Some(start) {
            let mut next = self.record(start).next;
            while let Some(node) = next.filter(|next| Some(*next) != end) {
                next = self.record(node).next;
                self.unlink(node);
            }
        }
        let level = core::iter::successors(Some(target), |id| self.parent_or_host(*id))
            .filter(|id| matches!(self.record(*id).content, Content::Element { .. }))
            .count();
        if let Some(markers) = &mut self.markers {
            markers.steps += level as u64;
        }
        Some(Patch {
            target,
            start,
            end,
            level: u32::try_from(level).unwrap_or(u32::MAX),
        })
    }

    fn target_of(&self, node: NodeId) -> Option<&str> {
        match self.record(node).content {
            Content::ProcessingInstruction(index) => {
                let (target, _) = self.instructions[index as usize];
                Some(self.strings.read(target))
            }
            _ => None,
        }
    }

    /// Adds the markers among the nodes that were created since the last call to `markers`.
    fn look_for_markers(&self, markers: &mut Markers) {
        for index in core::mem::replace(&mut markers.seen, self.nodes.len())..self.nodes.len() {
            let Content::ProcessingInstruction(instruction) = self.nodes[index].content else {
                continue;
            };
            let (target, data) = self.instructions[instruction as usize];
            if matches!(self.strings.read(target), "marker" | "start")
                && let Some(name) = attribute(self.strings.read(data), "name")
            {
                let list = markers.of_name.entry(name).or_default();
                list.push(NodeId::at(index));
            }
        }
    }

    /// Returns the first marker with this name among the descendants of `scope`, in tree order. Returns `None` if there
    /// is none, or if the search has reached its limit of steps.
    fn first_marker(&self, markers: &mut Markers, scope: NodeId, name: &str) -> Option<NodeId> {
        let list = markers.of_name.get_mut(name)?;
        let most = MAX_STEPS + MAX_STEPS_PER_NODE * self.nodes.len() as u64;
        if markers.steps > most {
            return None;
        }
        markers.steps += list.len() as u64;
        // A marker that was used has been removed from the tree, so that it has no parent.
        list.retain(|marker| self.record(*marker).parent.is_some());
        let mut first: Option<NodeId> = None;
        for &marker in &*list {
            if markers.steps > most {
                return None;
            }
            let is_first = self.is_in(marker, scope, &mut markers.steps)
                && first
                    .is_none_or(|first| self.is_before(marker, first, scope, &mut markers.steps));
            if is_first {
                first = Some(marker);
            }
        }
        first
    }

    /// Returns true if `node` is a descendant of `scope`. The contents of a template are not descendants of the
    /// template element. Adds the number of visited nodes to `steps`.
    fn is_in(&self, node: NodeId, scope: NodeId, steps: &mut u64) -> bool {
        let above = core::iter::successors(Some(node), |id| self.record(*id).parent);
        above.skip(1).inspect(|_| *steps += 1).any(|id| id == scope)
    }

    /// Returns true if `one` precedes `two` in tree order. Both have no children and are descendants of `scope`. Adds
    /// the number of visited nodes to `steps`.
    fn is_before(&self, one: NodeId, two: NodeId, scope: NodeId, steps: &mut u64) -> bool {
        let path = |node: NodeId| {
            let above = core::iter::successors(Some(node), |id| self.record(*id).parent);
            let mut path: Vec<NodeId> = above.take_while(|id| *id != scope).collect();
            path.reverse();
            path
        };
        let (one, two) = (path(one), path(two));
        *steps += (one.len() + two.len()) as u64;
        let mut both = one.iter().zip(&two);
        let Some((&one, &two)) = both.find(|(one, two)| one != two) else {
            return false;
        };
        // The two nodes are now siblings. Walk from both at the same time: the one from which the other is reached is
        // the first. This takes time proportional to their distance, or to the distance of the last one from the end.
        let (mut after_one, mut after_two) = (self.record(one).next, self.record(two).next);
        loop {
            *steps += 1;
            match (after_one, after_two) {
                (None, _) => return false,
                (_, None) => return true,
                (Some(id), _) if id == two => return true,
                (_, Some(id)) if id == one => return false,
                (Some(next), Some(last)) => {
                    after_one = self.record(next).next;
                    after_two = self.record(last).next;
                }
            }
        }
    }

    /// Returns the `<?end>` that matches a `<?start>`, or `None` if there is none. Pairs can be nested. The search
    /// takes linear time over the whole parse: the caller removes all nodes that it passes, up to the `<?end>`, so that
    /// it visits each node once.
    fn end_of(&self, start: NodeId) -> Link {
        let mut nested = 0_u32;
        let behind = core::iter::successors(self.record(start).next, |id| self.record(*id).next);
        for node in behind {
            match self.target_of(node) {
                Some("start") => nested += 1,
                Some("end") if nested == 0 => return Some(node),
                Some("end") => nested -= 1,
                _ => {}
            }
        }
        None
    }
}

/// Returns the value of an attribute of a processing instruction. The data is parsed like the attributes of an XML
/// start tag. If the data is not a list of well-formed attributes, the instruction has no attributes, and the result is
/// `None`.
fn attribute(data: &str, wanted: &str) -> Option<String> {
    let mut names: HashSet<&str, Seeds> = HashSet::default();
    let mut found = None;
    let mut rest = skip_space(data);
    while !rest.is_empty() {
        let name_end = rest.find(|character| !is_name_char(character))?;
        let (name, behind) = rest.split_at(name_end);
        if !name.starts_with(is_name_start_char) || !names.insert(name) {
            return None;
        }
        let behind = skip_space(skip_space(behind).strip_prefix('=')?);
        let quote = behind
            .chars()
            .next()
            .filter(|it| matches!(it, '"' | '\''))?;
        let (value, behind) = behind[1..].split_once(quote)?;
        let value = unescaped(value)?;
        if name == wanted {
            found = Some(value);
        }
        rest = skip_space(behind);
        if !rest.is_empty() && rest.len() == behind.len() {
            return None;
        }
    }
    found
}

fn skip_space(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\r'])
}

/// Replaces the character references in an attribute value, and newlines and tabs by spaces, as XML does. Returns
/// `None` if the value is not well-formed.
fn unescaped(value: &str) -> Option<String> {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(first) = rest.chars().next() {
        let mut behind = &rest[first.len_utf8()..];
        match first {
            '&' => {
                let (name, after) = behind.split_once(';')?;
                behind = after;
                out.push(referenced_char(name)?);
            }
            '<' => return None,
            '\t' | '\n' | '\r' => out.push(' '),
            first if is_char(first) => out.push(first),
            _ => return None,
        }
        rest = behind;
    }
    Some(out)
}

/// Returns the character that a reference denotes. `name` is the part of the reference between `&` and `;`. Returns
/// `None` for an unknown name or an invalid number.
fn referenced_char(name: &str) -> Option<char> {
    let number = match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        name => name.strip_prefix('#')?,
    };
    let (digits, radix) = match number.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    let code = u32::from_str_radix(digits, radix)
        .ok()
        .filter(|_| is_number)?;
    char::from_u32(code).filter(|character| is_char(*character))
}
