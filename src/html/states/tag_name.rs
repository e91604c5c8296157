//! Names of tags and attributes as they are meant: in lower case, U+FFFD for U+0000.

use crate::event::record::Queue;
use crate::html::machine::Cursor;

/// Appends the name between two marks to the scratch buffer as it is meant; gives its range there.
pub(in crate::html) fn clean(input: Cursor<'_>, out: &mut Queue, from: u32, to: u32) -> (u32, u32) {
    let begin = out.scratch.len();
    let (first, second) = input.pieces(&out.carry, from, to);
    for piece in [first, second] {
        for (index, part) in piece.split('\0').enumerate() {
            if index > 0 {
                out.scratch.push('\u{FFFD}');
            }
            out.scratch.push_str(part);
        }
    }
    out.scratch[begin..].make_ascii_lowercase();
    let end = out.scratch.len();
    out.work.cleaned += (end - begin) as u64;
    (begin as u32, end as u32)
}
