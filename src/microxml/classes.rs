//! The byte classes of MicroXML: the sets of bytes at which states stop. It must not know the states.

use crate::scan::{Classes, Set, classify, classify_bytes};
use alloc::vec::Vec;

/// In text: what may be markup, and CR.
pub(super) const TEXT: usize = 0;
/// What is no character of a name.
pub(super) const NAME: usize = 1;
/// In a value between double quotes.
pub(super) const DOUBLE_QUOTED: usize = 2;
/// In a value between single quotes.
pub(super) const SINGLE_QUOTED: usize = 3;
/// Anything but `S`.
pub(super) const NOT_SPACE: usize = 4;

const SETS: [Set; 5] = [
    Set::of(b"<&\r"),
    NOT_NAME,
    Set::of(b"\"&\r<>"),
    Set::of(b"'&\r<>"),
    Set::of(b"\t\n\x0C ").complement(),
];

const NOT_NAME: Set = Set::of(b"\t\n !\"#%&'()*+,/;<=>?@[\\]^`{|}~\x7F").and_controls();

/// The byte classes of MicroXML.
#[derive(Clone, Copy, Debug)]
pub struct MicroXmlClasses;

impl Classes for MicroXmlClasses {
    const SETS: &'static [Set] = &SETS;
    type Block = [u64; SETS.len()];

    fn classify(window: &[u8], masks: &mut Vec<u64>) {
        classify::<Self, { SETS.len() }>(window, masks);
    }
}

/// The bytes beyond ASCII that begin characters not all of which are legal in strict parses.
const ODD_LEADS: [u8; 7] = [0xC2, 0xEF, 0xF0, 0xF1, 0xF2, 0xF3, 0xF4];

/// In strict parses: what may be no legal character too, and a form feed is no white space.
const STRICT: [Set; 5] = [
    Set::of(b"<&>\x7F").and_controls().and_some_high(&ODD_LEADS),
    NOT_NAME,
    Set::of(b"\"&<>\x7F")
        .and_controls()
        .and_some_high(&ODD_LEADS),
    Set::of(b"'&<>\x7F")
        .and_controls()
        .and_some_high(&ODD_LEADS),
    Set::of(b"\t\n ").complement(),
];

/// The byte classes of strict parses. They give masks for the same questions, for every window: a
/// cursor need not know which they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct StrictClasses;

impl Classes for StrictClasses {
    const SETS: &'static [Set] = &STRICT;
    type Block = [u64; STRICT.len()];

    fn classify(window: &[u8], masks: &mut Vec<u64>) {
        classify::<Self, { STRICT.len() }>(window, masks);
        if masks.is_empty() {
            classify_bytes::<5>(window, |class, byte| STRICT[class].contains(byte), masks);
        }
    }
}

// What is seldom looked for has no masks.

/// In a CDATA section.
pub(super) const CDATA: Set = Set::of(b"]\r");
/// What is no `DECL_CHAR`.
pub(super) const DECL: Set = Set::of(b"[]<>\"'");
/// What ends a comment, a processing instruction or a literal, by its last byte.
pub(super) const CLOSER: Set = Set::of(b">\"'");
/// In a comment, in strict parses.
pub(super) const COMMENT: Set = Set::of(b"-\x7F").and_controls().and_high();
