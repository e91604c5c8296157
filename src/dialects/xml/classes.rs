//! Byte classes of XML: for each kind of text that the tokenizer scans, the set of bytes at which the scan stops.
//!
//! The scanner ([`crate::engine::scan`]) computes one bit mask per class for a whole window. A state then skips to the
//! next byte of its class in a few instructions ([`Lexer::until`](crate::engine::tokenizer::Lexer)). A class contains
//! every byte that the state has to look at, so it may contain bytes that turn out to be harmless.
//!
//! [`XmlClasses`] is used for XML 1.0. [`Xml11Classes`] is used once a document has declared XML 1.1, which forbids
//! more control characters.

use crate::engine::scan::{Classes, Masks, Set, classify, classify_bytes};

/// Stops in character data: `<`, `&` and `>` (which may end a misplaced `]]>`), control characters other than tab and
/// line feed, and 0xEF, the first byte of the illegal characters U+FFFE and U+FFFF.
pub(super) const TEXT: usize = 0;
/// Stops in names: every byte except ASCII letters, digits, `.`, `_` and `-`, which are allowed in any name and have
/// no further meaning. The state checks colons and characters beyond ASCII itself.
pub(super) const NAME: usize = 1;
/// Stops in quoted attribute values. Contains both kinds of quote; the state continues after the quote that does not
/// end its value.
pub(super) const QUOTED_VALUE: usize = 2;
/// Stops in comments, CDATA sections and processing instructions: the bytes `-`, `?`, `]` and `>` of their
/// terminators, control characters other than tab and line feed, and 0xEF.
pub(super) const DELIMITED: usize = 3;
/// Stops at every byte except tab, line feed, carriage return and space.
pub(super) const NOT_SPACE: usize = 4;

/// The byte sets, indexed by the constants [`TEXT`] to [`NOT_SPACE`].
const SETS: [Set; 5] = [
    Set::of(b"<&>").and_controls().and(0xEF),
    Set::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-").complement(),
    Set::of(b"\"'<&\t\n").and_controls().and(0xEF),
    Set::of(b"-?]>").and_controls().and(0xEF),
    Set::of(b"\t\n\r ").complement(),
];

/// The byte classes of XML 1.0.
#[derive(Clone, Copy, Debug)]
pub struct XmlClasses;

impl Classes for XmlClasses {
    const SETS: &'static [Set] = &SETS;
    type Block = [u64; SETS.len()];

    fn classify(window: &[u8], masks: &mut Masks) {
        classify::<Self, { SETS.len() }>(window, masks);
    }
}

/// The byte classes of XML 1.1, which forbids the control characters U+007F to U+009F.
///
/// The masks have the same layout and indices as those of [`XmlClasses`], so a cursor of type `Cursor<XmlClasses>`
/// reads them without knowing which of the two produced them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Xml11Classes;

impl Classes for Xml11Classes {
    const SETS: &'static [Set] = &SETS;
    type Block = [u64; SETS.len()];

    fn classify(window: &[u8], masks: &mut Masks) {
        let is_in = |class: usize, byte: u8| {
            // The control characters are U+007F (byte 0x7F) and U+0080 to U+009F (byte 0xC2 and a second byte).
            let control = matches!(byte, 0x7F | 0xC2);
            SETS[class].contains(byte) || control && class != NAME && class != NOT_SPACE
        };
        classify_bytes::<5>(window, is_in, masks);
    }
}

/// Computes the class masks of `window` for XML 1.1 if `is_1_1` is true, otherwise for XML 1.0, and writes them to
/// `masks`.
pub(super) fn classify_text(window: &[u8], is_1_1: bool, masks: &mut Masks) {
    match is_1_1 {
        true => Xml11Classes::classify(window, masks),
        false => XmlClasses::classify(window, masks),
    }
}
