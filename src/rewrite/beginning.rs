//! The beginning of the output, which must not decide the encoding of the document, or declare a version of XML, if the
//! input did not: as a byte-order mark, as the pattern of another encoding, or as an XML declaration.

use super::encode::Unit;
use crate::engine::dialect::{Syntax, TopLevel};
use crate::engine::input::sniff::MAX_LEADING_SPACES;

/// Returns true if a document that begins with these bytes could be decoded differently: they can be the beginning of a
/// byte-order mark. In UTF-8, the bytes have the whole first character. In other encodings, the bytes after the first one
/// may be unknown.
pub(super) fn looks_like_mark(bytes: &[u8], is_utf8: bool) -> bool {
    match bytes {
        [0xFE | 0xFF, ..] | [0xEF, 0xBB, 0xBF, ..] => true,
        [0xEF, ..] => !is_utf8,
        _ => false,
    }
}

/// Returns the output after its byte-order mark.
fn without_mark(out: &[u8], unit: Unit) -> &[u8] {
    match (unit.length, out) {
        (1, [0xEF, 0xBB, 0xBF, rest @ ..])
        | (2, [0xFE, 0xFF, rest @ ..] | [0xFF, 0xFE, rest @ ..])
        | (4, [0, 0, 0xFE, 0xFF, rest @ ..] | [0xFF, 0xFE, 0, 0, rest @ ..]) => rest,
        _ => out,
    }
}

/// The output as far as it can be a part of such a beginning: whitespace.
#[derive(Clone, Debug)]
pub(super) struct Beginning {
    /// Number of characters of the output that is not buffered any more, if all of them are whitespace. [`TOO_MANY`] if
    /// the output has another character, or more of them.
    discarded: u32,
    /// True if an edit was made in XML after whitespace, and only whitespace was copied since then. Neither an XML
    /// declaration nor the pattern of another encoding must follow.
    pub(super) is_guarded: bool,
    /// True if whitespace at the start of the document is text.
    is_fragment: bool,
}

/// The number of whitespace characters after which there is no XML declaration.
const TOO_MANY: usize = MAX_LEADING_SPACES + 1;

impl Beginning {
    pub(super) fn new(top_level: TopLevel) -> Beginning {
        Beginning {
            discarded: 0,
            is_guarded: false,
            is_fragment: top_level == TopLevel::Any,
        }
    }

    /// Returns the number of whitespace characters of which the output consists. `out` is its buffered end. Returns
    /// [`TOO_MANY`] if the output has another character, or more of them.
    fn spaces(&mut self, out: &[u8], unit: Unit) -> usize {
        let before = self.discarded as usize;
        if before == TOO_MANY {
            return TOO_MANY;
        }
        let out = match before {
            0 => without_mark(out, unit),
            _ => out,
        };
        let looked = &out[..out.len().min(TOO_MANY * unit.length)];
        let is_space = |one: &[u8]| unit.ascii(one).is_some_and(|one| one.is_ascii_whitespace());
        let spaces = match looked.chunks(unit.length).all(is_space) {
            true => TOO_MANY.min(before + looked.len() / unit.length),
            false => TOO_MANY,
        };
        if spaces == TOO_MANY {
            self.discarded = TOO_MANY as u32;
        }
        spaces
    }

    /// Notes that the next part of the output is discarded.
    pub(super) fn discard(&mut self, part: &[u8], unit: Unit) {
        self.discarded = self.spaces(part, unit) as u32;
    }

    /// Notes that an edit was made at the end of the output.
    pub(super) fn edit(&mut self, out: &[u8], syntax: Syntax, unit: Unit) {
        self.is_guarded = syntax == Syntax::Xml && self.spaces(out, unit) < TOO_MANY;
    }

    /// Returns the number of spaces to write between whitespace and the next characters of XML.
    pub(super) fn padding(&mut self, out: &[u8], next: [Option<u8>; 5], unit: Unit) -> usize {
        let enough = match next {
            _ if next == b"<?xml".map(Some) => TOO_MANY,
            // A space and NUL can be the first character of UTF-16 and UTF-32, two spaces cannot.
            [Some(0), ..] if unit.length == 1 => 2,
            _ => return 0,
        };
        // The whitespace of a fragment is text, so there is no declaration after it.
        let enough = if self.is_fragment { 1 } else { enough };
        enough.saturating_sub(self.spaces(out, unit))
    }
}

crate::checkpoint::checkpointable! {
    struct Beginning { discarded, is_guarded, is_fragment }
}
