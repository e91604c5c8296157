//! The byte classes of XML: the sets of bytes at which states stop. It must not know the states.

use crate::scan::{Classes, Set, classify, classify_bytes};
use alloc::vec::Vec;

/// In text: what may be markup, and what must be looked at. U+FFFE and U+FFFF begin with 0xEF.
pub(super) const TEXT: usize = 0;
/// Anything but a character that may stand in any name and has no further meaning.
pub(super) const NAME: usize = 1;
/// In a value between quotes, of either kind: the other kind is taken like any character.
pub(super) const QUOTED_VALUE: usize = 2;
/// In comments, CDATA sections, processing instructions.
pub(super) const DELIMITED: usize = 3;
/// Anything but white space.
pub(super) const NOT_SPACE: usize = 4;

const SETS: [Set; 5] = [
    Set::of(b"<&>").and_controls().and(0xEF),
    Set::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-").complement(),
    Set::of(b"\"'<&\t\n").and_controls().and(0xEF),
    Set::of(b"-?]>").and_controls().and(0xEF),
    Set::of(b"\t\n\r ").complement(),
];

/// The byte classes of XML.
#[derive(Clone, Copy, Debug)]
pub struct XmlClasses;

impl Classes for XmlClasses {
    const SETS: &'static [Set] = &SETS;
    type Block = [u64; SETS.len()];

    fn classify(window: &[u8], masks: &mut Vec<u64>) {
        classify::<Self, { SETS.len() }>(window, masks);
    }
}

/// The byte classes of XML 1.1, where more characters must be looked at. They give masks for the same
/// questions: a cursor need not know which they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Xml11Classes;

impl Classes for Xml11Classes {
    const SETS: &'static [Set] = &SETS;
    type Block = [u64; SETS.len()];

    fn classify(window: &[u8], masks: &mut Vec<u64>) {
        let is_in = |class: usize, byte: u8| {
            // From U+007F to U+009F: the latter are 0xC2 and a further byte.
            let control = matches!(byte, 0x7F | 0xC2);
            SETS[class].contains(byte) || control && class != NAME && class != NOT_SPACE
        };
        classify_bytes::<5>(window, is_in, masks);
    }
}

/// Classifies a window of text that is in hand.
pub(super) fn classify_text(window: &[u8], is_1_1: bool, masks: &mut Vec<u64>) {
    match is_1_1 {
        true => Xml11Classes::classify(window, masks),
        false => XmlClasses::classify(window, masks),
    }
}
