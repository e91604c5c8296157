//! Offsets in the source of a text that differs from its source.
//!
//! Tree construction may split a run of text, for example into the whitespace before the body and the first characters
//! of the body. The parts are separate events, so each needs its own range in the source. If the text contains character
//! references or other changes, a [`SourceMap`] finds that range: it reads the source once more and compares it with the
//! text.
//!
//! ```text
//! source    \r\n&#32;x&amp;y        text   \n x&y
//! offset    0   2    7 8    13      offset 0 1 2 3 4
//! anchors   (1, 2), (2, 7), (4, 13)
//! ```

use crate::engine::input::BufferOffset;
use crate::engine::input::sizes::Sizes;
use crate::write::escape::html_reference;
use alloc::string::String;
use alloc::vec::Vec;

/// The constructs in a kind of text that mean something else than what is written.
#[derive(Clone, Copy, Debug)]
struct Syntax {
    has_references: bool,
    /// True if CDATA sections and end tags without a name are removed.
    has_markup: bool,
}

/// The kinds of text: that of most elements, that of elements such as `title`, and that of elements such as `style`. The
/// kind of a text is not known here. The text differs for each kind that gives a difference, so it decides.
const SYNTAXES: [Syntax; 3] = [
    Syntax {
        has_references: true,
        has_markup: true,
    },
    Syntax {
        has_references: true,
        has_markup: false,
    },
    Syntax {
        has_references: false,
        has_markup: false,
    },
];

/// Maps the offsets in a text to those in its source.
#[derive(Clone, Debug)]
pub(super) struct SourceMap {
    /// Pairs of an offset in the text and the offset of the same place in the source, in bytes. After a pair, the text
    /// equals its source up to the next pair.
    anchors: Vec<(u32, u32)>,
    /// Offset of the source in the buffered text.
    start: BufferOffset,
    /// Number of the token that the map is for, or 0.
    pub(super) token: u64,
    /// Number of anchors up to which the memory is kept for the next text.
    pub(super) max_kept_anchors: usize,
}

impl Default for SourceMap {
    fn default() -> SourceMap {
        SourceMap {
            anchors: Vec::new(),
            start: BufferOffset::ZERO,
            token: 0,
            max_kept_anchors: Sizes::USUAL.kept_anchors,
        }
    }
}

impl SourceMap {
    /// Makes the map of a text whose source starts at the offset `start`. `token` is the number of its token. If the
    /// text cannot be derived from the source, the map is that of no token.
    #[cold]
    #[inline(never)]
    pub(super) fn make(&mut self, text: &str, source: &str, start: BufferOffset, token: u64) {
        (self.start, self.token) = (start, token);
        // A line feed belongs to a carriage return at the end of the piece of text before this one.
        let line_feed = usize::from(source.starts_with('\n'));
        let is_found = (0..=line_feed).any(|from| {
            SYNTAXES
                .iter()
                .any(|syntax| self.compare(text, source, from, *syntax))
        });
        if !is_found {
            self.token = 0;
        }
    }

    /// Returns the offset, in the buffered text, of the source of the character at the offset `at` in the text.
    pub(super) fn offset(&self, at: usize) -> BufferOffset {
        let at = at as u32;
        let before = self.anchors.partition_point(|(text, _)| *text <= at);
        let (text, source) = match before.checked_sub(1) {
            Some(last) => self.anchors[last],
            None => (0, 0),
        };
        self.start + source + (at - text)
    }

    /// Discards the memory of a long map. This changes no result, because a map is used for one token only.
    pub(super) fn shrink(&mut self) {
        if self.anchors.capacity() > self.max_kept_anchors {
            self.anchors = Vec::new();
            self.token = 0;
        }
    }

    /// Compares a text with its source from the offset `from` on, and collects the anchors. Returns whether the source
    /// is the text once its references are resolved and its newlines are normalized.
    fn compare(&mut self, text: &str, source: &str, from: usize, syntax: Syntax) -> bool {
        self.anchors.clear();
        let (mut rest, mut meant) = (&source[from..], text);
        if from > 0 {
            self.anchors.push((0, from as u32));
        }
        let mut in_cdata = false;
        while !rest.is_empty() {
            let plain = plain_length(rest);
            if plain > 0 {
                let (Some(now), Some(then)) = (rest.get(..plain), meant.get(..plain)) else {
                    return false;
                };
                if now != then {
                    return false;
                }
                (rest, meant) = (&rest[plain..], &meant[plain..]);
                continue;
            }
            let Some((length, taken)) = change(rest, meant, syntax, &mut in_cdata) else {
                return false;
            };
            (rest, meant) = (&rest[length..], &meant[taken..]);
            if length != taken {
                let anchor = (text.len() - meant.len(), source.len() - rest.len());
                self.anchors.push((anchor.0 as u32, anchor.1 as u32));
            }
        }
        meant.is_empty()
    }
}

/// Returns the length of the start of a source that certainly equals its text.
fn plain_length(source: &str) -> usize {
    let special = |byte: u8| matches!(byte, b'&' | b'<' | b'\r' | b']' | 0);
    let length = source.bytes().position(special);
    length.unwrap_or(source.len())
}

/// Returns the length of the construct at the start of a source, and the number of bytes that it means at the start of
/// the text `meant`. Returns `None` if the text begins with something else.
fn change(
    source: &str,
    meant: &str,
    syntax: Syntax,
    in_cdata: &mut bool,
) -> Option<(usize, usize)> {
    let means = |length: usize, text: &str| meant.starts_with(text).then_some((length, text.len()));
    if *in_cdata && source.starts_with("]]>") {
        *in_cdata = false;
        return Some((3, 0));
    }
    if source.starts_with("\r\n") {
        return means(2, "\n");
    }
    match source.as_bytes().first()? {
        b'\r' => return means(1, "\n"),
        // In some kinds of content, the tokenizer has replaced it.
        0 => return means(1, "\0").or_else(|| means(1, "\u{FFFD}")),
        b'&' if syntax.has_references && !*in_cdata => {
            if let Some((length, first, second)) = html_reference(&source[1..]) {
                let text = String::from_iter([Some(first), second].into_iter().flatten());
                return means(1 + length, &text);
            }
        }
        b'<' if syntax.has_markup && !*in_cdata => {
            if source.starts_with("</>") {
                return Some((3, 0));
            }
            if source.starts_with("<![CDATA[") {
                *in_cdata = true;
                return Some(("<![CDATA[".len(), 0));
            }
        }
        _ => {}
    }
    (source.as_bytes().first() == meant.as_bytes().first()).then_some((1, 1))
}

#[cfg(test)]
mod tests {
    use super::{BufferOffset, SourceMap};
    use alloc::vec::Vec;

    /// Returns the offset in the source of each character of a text, and of its end. `None` if the source does not
    /// mean the text.
    fn offsets(source: &str, text: &str) -> Option<Vec<u32>> {
        let mut map = SourceMap::default();
        map.make(text, source, BufferOffset::ZERO, 1);
        let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        let offsets = starts.map(|at| map.offset(at).get()).collect();
        (map.token == 1).then_some(offsets)
    }

    #[test]
    fn the_source_of_each_character_is_found() {
        for (source, text, expected) in [
            ("\r\n&#32;x&amp;y", "\n x&y", &[0, 2, 7, 8, 13, 14][..]),
            ("a\rb&b&", "a\nb&b&", &[0, 1, 2, 3, 4, 5, 6]),
            ("</>a</>b", "ab", &[3, 7, 8]),
            ("\0&#x0;&Tab;\0", "\0\u{FFFD}\t\u{FFFD}", &[0, 1, 6, 11, 12]),
            (
                "<![CDATA[&lt;]]]>&lt;",
                "&lt;]<",
                &[9, 10, 11, 12, 13, 17, 21],
            ),
            (
                "é&NotEqualTilde;é",
                "é\u{2242}\u{338}é",
                &[0, 15, 18, 17, 19],
            ),
            ("\na", "a", &[1, 2]),
            ("\r\n&#1;", "\n&#1;", &[0, 2, 3, 4, 5, 6]),
            ("</>&lt;", "</><", &[0, 1, 2, 3, 7]),
        ] {
            let found = offsets(source, text);
            // Inside a reference that means two characters, the offset has no meaning.
            let found = found.map(|mut found| {
                if source.contains("Tilde") {
                    (found[1], found[2]) = (expected[1], expected[2]);
                }
                found
            });
            assert_eq!(found.as_deref(), Some(expected), "{source:?}");
        }
    }

    #[test]
    fn a_text_of_another_source_has_no_map() {
        for (source, text) in [
            ("a", "b"),
            ("&amp;", "<"),
            ("a", "ab"),
            ("ab", "a"),
            ("\r", "\r"),
        ] {
            assert_eq!(offsets(source, text), None, "{source:?}");
        }
    }
}
