//! Byte classes of MicroXML: for each kind of text that the tokenizer scans, the set of bytes at which the scan
//! stops.
//!
//! The scanner ([`crate::engine::scan`]) computes one bit mask per class for a whole window, so that a state can skip
//! to the next byte of its class in a few instructions.

use crate::engine::scan::{Classes, Masks, Set, classify, classify_bytes};

/// Stops in character data: the bytes that may start markup, and CR. In strict parses, also bytes of characters that
/// may be illegal.
pub(super) const TEXT: usize = 0;
/// Stops in names: the bytes that are not allowed in a name.
pub(super) const NAME: usize = 1;
/// Stops in values between double quotes.
pub(super) const DOUBLE_QUOTED: usize = 2;
/// Stops in values between single quotes.
pub(super) const SINGLE_QUOTED: usize = 3;
/// Stops at every byte that is not whitespace (`S` in the specification).
pub(super) const NOT_SPACE: usize = 4;

/// The byte sets of parses that recover, indexed by the constants [`TEXT`] to [`NOT_SPACE`].
const SETS: [Set; 5] = [
    Set::of(b"<&\r"),
    NOT_NAME,
    Set::of(b"\"&\r<>"),
    Set::of(b"'&\r<>"),
    Set::of(b"\t\n\x0C ").complement(),
];

/// The ASCII bytes that are not allowed in a name.
const NOT_NAME: Set = Set::of(b"\t\n !\"#%&'()*+,/;<=>?@[\\]^`{|}~\x7F").and_controls();

/// The byte classes of parses that recover from errors.
#[derive(Clone, Copy, Debug)]
pub struct MicroXmlClasses;

impl Classes for MicroXmlClasses {
    const SETS: &'static [Set] = &SETS;
    type Block = [u64; SETS.len()];

    fn classify(window: &[u8], masks: &mut Masks) {
        classify::<Self, { SETS.len() }>(window, masks);
    }
}

/// The first bytes of the UTF-8 encoded characters that include characters illegal in strict parses.
const ODD_LEADS: [u8; 7] = [0xC2, 0xEF, 0xF0, 0xF1, 0xF2, 0xF3, 0xF4];

/// The byte sets of strict parses. They add bytes of characters that may be illegal, and treat a form feed as an
/// ordinary byte instead of whitespace.
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

/// The byte classes of strict parses. The masks have the same layout and indices as those of [`MicroXmlClasses`], so
/// a cursor of that type reads them without knowing which of the two produced them. Unlike those, they are computed
/// for short windows too, because the cursor would otherwise search with the wrong sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct StrictClasses;

impl Classes for StrictClasses {
    const SETS: &'static [Set] = &STRICT;
    type Block = [u64; STRICT.len()];

    fn classify(window: &[u8], masks: &mut Masks) {
        classify::<Self, { STRICT.len() }>(window, masks);
        if masks.is_empty() {
            classify_bytes::<5>(window, |class, byte| STRICT[class].contains(byte), masks);
        }
    }
}

// The scans below are rare, so they compare bytes directly and have no masks.

/// Stops in a CDATA section.
pub(super) const CDATA: Set = Set::of(b"]\r");
/// Stops in a declaration of a DOCTYPE: the bytes that are not a `DECL_CHAR` of the specification.
pub(super) const DECL: Set = Set::of(b"[]<>\"'");
/// The last bytes of the terminators `-->` and `?>`, and of literals.
pub(super) const CLOSER: Set = Set::of(b">\"'");
/// Stops in a comment, in strict parses.
pub(super) const COMMENT: Set = Set::of(b"-\x7F").and_controls().and_high();
