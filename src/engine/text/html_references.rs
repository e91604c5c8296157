//! The named character references of HTML: an incremental search for the longest name, which can be suspended after
//! any byte.
//!
//! The 2,231 names form a minimal automaton (a DFA). Its edges are packed into one array: the edge of a state for a
//! byte, if there is one, is at the index `base of the state + symbol of the byte`. A step is one load and one
//! comparison, however many edges the state has. No two states have the same base, so an edge belongs to the state
//! exactly if it carries the right symbol.
//!
//! An edge also carries a number: of the names that can end at or after its state, how many sort before all names
//! that use this edge. The sum of these numbers along a path is the index of the name in the sorted list, so the
//! states need not store their names.
//!
//! ```text
//!  31           20 19            8  7    6      0
//! +---------------+---------------+---+----------+
//! | names skipped |  base of the  |end|  symbol  |   an edge: EDGES[base + symbol]
//! | by this edge  |  next state   |   |          |   symbol: the byte − '0'
//! +---------------+---------------+---+----------+   end: a name ends with this edge
//! ```
//!
//! The tables take 15,636 bytes for edges, 4,462 for values and 260 for pairs.
//! `tests/api/generated/html_references.rs` generates them from `src/engine/text/html_references.txt`.

use super::html_references_table::{EDGES, PAIRS, ROOT, VALUES};

/// The state of a search for the longest name, after some bytes that follow the `&` were consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// Base of the automaton's current state.
    base: u16,
    /// Number of names that sort before all names that can still be reached.
    number: u16,
    /// Number of bytes consumed. The longest name has 32 bytes.
    taken: u8,
    /// Length in bytes of the longest name found so far, or 0.
    longest: u8,
    /// Index, in the sorted list, of the longest name found so far.
    longest_number: u16,
}

/// The one or two characters that a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expansion {
    pub(crate) first: char,
    pub(crate) second: Option<char>,
}

impl Match {
    /// Creates the state directly after the `&`.
    pub(crate) const fn new() -> Self {
        Self {
            base: ROOT,
            number: 0,
            taken: 0,
            longest: 0,
            longest_number: 0,
        }
    }

    /// Consumes the next byte of the input. Returns false, without a change, if no name continues with this byte; the
    /// result of [`longest`](Self::longest) is final then.
    #[inline]
    pub(crate) fn step(&mut self, byte: u8) -> bool {
        let symbol = byte.wrapping_sub(b'0');
        if symbol > b'z' - b'0' {
            return false;
        }
        let Some(&edge) = EDGES.get(usize::from(self.base) + usize::from(symbol)) else {
            return false;
        };
        if edge & SYMBOL != u32::from(symbol) {
            return false;
        }
        self.base = (edge >> BASE_SHIFT & FIELD) as u16;
        self.number += (edge >> NUMBER_SHIFT) as u16;
        self.taken += 1;
        if edge & END != 0 {
            self.longest = self.taken;
            self.longest_number = self.number;
        }
        true
    }

    /// Returns the number of bytes consumed, including those after the longest name.
    pub(crate) const fn taken(&self) -> usize {
        self.taken as usize
    }

    /// Returns the longest name that the consumed bytes start with: its length, including the `;` if it has one, and
    /// its characters.
    pub(crate) fn longest(&self) -> Option<(usize, Expansion)> {
        if self.longest == 0 {
            return None;
        }
        let value = *VALUES.get(usize::from(self.longest_number))?;
        Some((usize::from(self.longest), Expansion::unpack(value)?))
    }

    /// Returns whether any further byte could be consumed, so that a longer name may be found. This is false after
    /// the `;` of a name.
    pub(crate) const fn can_continue(&self) -> bool {
        self.base != DEAD_END
    }

    /// Returns whether the longest name found so far ends with `;`. No other name starts with such a name, so the
    /// search cannot find a longer one.
    pub(crate) const fn ends_with_semicolon(&self) -> bool {
        !self.can_continue()
    }
}

impl Expansion {
    /// Decodes an entry of `VALUES`. Surrogates are not characters, so their numbers encode other values: a high
    /// surrogate is an index in `PAIRS`, and a low surrogate a character of the mathematical alphabets at U+1D400.
    fn unpack(value: u16) -> Option<Self> {
        let (first, second) = match value {
            0xD800..=0xDBFF => {
                let pair = *PAIRS.get(usize::from(value - 0xD800))?;
                (pair >> 16, char::from_u32(pair & 0xFFFF))
            }
            0xDC00..=0xDFFF => (0x1_D400 + u32::from(value - 0xDC00), None),
            _ => (u32::from(value), None),
        };
        Some(Self {
            first: char::from_u32(first)?,
            second,
        })
    }
}

/// The fields of an edge, as a bit mask and shifts (see the picture in the module documentation).
const SYMBOL: u32 = 0x7F;
const END: u32 = 1 << 7;
const BASE_SHIFT: u32 = 8;
const NUMBER_SHIFT: u32 = 20;
const FIELD: u32 = 0xFFF;

/// Base of the state without edges, which follows every `;`. It is greater than the length of the array.
const DEAD_END: u16 = 0xFFF;

crate::checkpoint::checkpointable! {
    struct Match { base, number, taken, longest, longest_number }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::String, vec::Vec};

    /// Returns the list in its order: names and their characters.
    fn list() -> Vec<(&'static str, String)> {
        include_str!("html_references.txt")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| {
                let (name, points) = line.split_once(' ').expect("a name and its code points");
                let point = |point| char::from_u32(u32::from_str_radix(point, 16).unwrap());
                (
                    name,
                    points.split(',').map(|text| point(text).unwrap()).collect(),
                )
            })
            .collect()
    }

    /// Finds the longest name that `bytes` start with by comparing each length with the list. Also returns the number
    /// of bytes that can be consumed, which is the length of the longest prefix of any name.
    fn naive(list: &[(&str, String)], bytes: &[u8]) -> (Option<(usize, String)>, usize) {
        let (mut longest, mut taken) = (None, 0);
        for length in 1..=bytes.len() {
            let prefix = &bytes[..length];
            // The list is sorted, so the names that start with `prefix` begin here.
            let at = list.partition_point(|(name, _)| name.as_bytes() < prefix);
            let Some((name, value)) = list
                .get(at)
                .filter(|(name, _)| name.as_bytes().starts_with(prefix))
            else {
                break;
            };
            taken = length;
            if name.len() == length {
                longest = Some((length, value.clone()));
            }
        }
        (longest, taken)
    }

    fn text(expansion: Expansion) -> String {
        [Some(expansion.first), expansion.second]
            .into_iter()
            .flatten()
            .collect()
    }

    /// Searches in `bytes`, with a copy of the state for each step, and compares the result with the list after every
    /// byte.
    fn check(list: &[(&str, String)], bytes: &[u8]) {
        let mut state = Match::new();
        for (at, &byte) in bytes.iter().enumerate() {
            let mut next = state;
            let taken = next.step(byte);
            let seen = &bytes[..=at];
            let (longest, length) = naive(list, seen);
            assert_eq!(taken, length == at + 1, "{}", seen.escape_ascii());
            assert_eq!(next.taken(), length, "{}", seen.escape_ascii());
            assert_eq!(
                next.longest()
                    .map(|(length, expansion)| (length, text(expansion))),
                longest,
                "{}",
                seen.escape_ascii()
            );
            let semicolon = longest.is_some_and(|(length, _)| seen[length - 1] == b';');
            assert_eq!(
                next.ends_with_semicolon(),
                semicolon,
                "{}",
                seen.escape_ascii()
            );
            assert_eq!(next.can_continue(), !semicolon, "{}", seen.escape_ascii());
            if !taken {
                assert_eq!(next, state, "{}", seen.escape_ascii());
                return;
            }
            state = next;
        }
    }

    #[test]
    fn the_list_is_whole() {
        let list = list();
        assert_eq!(list.len(), 2_231);
        assert!(list.is_sorted_by(|(a, _), (b, _)| a < b));
        assert_eq!(
            list.iter().filter(|(name, _)| !name.ends_with(';')).count(),
            106
        );
        assert!(
            list.iter()
                .all(|(_, value)| matches!(value.chars().count(), 1 | 2))
        );
        assert_eq!(list.iter().map(|(name, _)| name.len()).max(), Some(32));
    }

    #[test]
    fn tables_are_as_small_as_the_documentation_says() {
        let sizes = [
            size_of_val(&EDGES),
            size_of_val(&VALUES),
            size_of_val(&PAIRS),
        ];
        assert_eq!(sizes, [15_636, 4_462, 260]);
    }

    #[test]
    fn every_name_and_every_prefix() {
        // `check` compares after every byte, so each name covers its prefixes.
        let list = list();
        for (name, value) in &list {
            check(&list, name.as_bytes());
            let mut state = Match::new();
            assert!(name.bytes().all(|byte| state.step(byte)), "{name}");
            let (length, expansion) = state.longest().unwrap();
            assert_eq!((length, &text(expansion)), (name.len(), value), "{name}");
        }
    }

    #[test]
    fn every_byte_after_every_prefix_of_every_name() {
        let list = list();
        let mut bytes = Vec::new();
        let mut before: &str = "";
        for (name, _) in &list {
            // Prefixes that this name shares with the previous name are already tested.
            let shared = before
                .bytes()
                .zip(name.bytes())
                .take_while(|(a, b)| a == b)
                .count();
            let start = if before.is_empty() { 0 } else { shared + 1 };
            for length in start..=name.len() {
                let mut state = Match::new();
                assert!(
                    name.bytes().take(length).all(|byte| state.step(byte)),
                    "{name}"
                );
                for byte in 0..=u8::MAX {
                    bytes.clear();
                    bytes.extend_from_slice(&name.as_bytes()[..length]);
                    bytes.push(byte);
                    let mut next = state;
                    let taken = next.step(byte);
                    let (longest, expected) = naive(&list, &bytes);
                    assert_eq!(taken, expected == length + 1, "{}", bytes.escape_ascii());
                    let found = next
                        .longest()
                        .map(|(length, expansion)| (length, text(expansion)));
                    assert_eq!(found, longest, "{}", bytes.escape_ascii());
                    assert!(taken || next == state, "{}", bytes.escape_ascii());
                }
            }
            before = name;
        }
    }

    #[test]
    fn examples() {
        let list = list();
        let examples = [
            "",
            ";",
            "&",
            "notit;",
            "notin;",
            "noti",
            "amp",
            "ampere",
            "AMP;x",
            "NotEqualTilde;",
            "fjlig;",
            "Afr;",
            "zopf;",
            "lt",
            "LT",
            "Lt",
            "nbsp\u{A0}",
            "é",
            "frac34",
            "there4;",
            "CounterClockwiseContourIntegral;;",
            "sup1sup1",
            "0",
            "\0",
            "\u{7F}",
        ];
        for example in examples {
            check(&list, example.as_bytes());
        }
        let mut state = Match::new();
        assert_eq!(
            "notit;"
                .bytes()
                .take_while(|&byte| state.step(byte))
                .count(),
            4
        );
        let not = Expansion {
            first: '¬',
            second: None,
        };
        assert_eq!((state.longest(), state.taken()), (Some((3, not)), 4));
        assert!(!state.ends_with_semicolon() && state.can_continue());
    }
}
