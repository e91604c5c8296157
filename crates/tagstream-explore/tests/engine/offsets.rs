//! The maps between offsets in bytes and in UTF-16 code units, compared with independent decoders.

use super::fed;
use serde_json::json;
use tagstream_explore::{Session, encode};

/// A text for each encoding that can express it.
const TEXTS: &[(&str, &str)] = &[
    ("utf-8", "aé€😀\u{10FFFF}b"),
    ("utf-16le", "aé€😀b"),
    ("utf-16be", "aé€😀b"),
    ("windows-1252", "aé€b"),
    ("koi8-r", "aПривет b"),
    ("shift_jis", "a日本語ｶﾅb"),
    ("euc-jp", "a日本語ｶﾅb"),
    ("iso-2022-jp", "a日本語b日c"),
    ("gbk", "a中文b"),
    ("gb18030", "a中文😀b"),
    ("big5", "a繁體中文b"),
    ("euc-kr", "a한국어b"),
    ("x-user-defined", "ab"),
];

#[test]
fn offsets_agree_with_independent_decoders() {
    for (label, text) in TEXTS {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let bytes = encode(text, label).unwrap();
        let session = fed(&json!({"encoding": label}).to_string(), &bytes);
        assert_eq!(session.source_text(), *text, "{label}");
        let mark = if label.starts_with("utf-16") { 2 } else { 0 };
        let ends: Vec<u32> = (0..=bytes.len() as u32).collect();
        for (end, unit) in ends.iter().zip(session.offsets(&ends)) {
            // A decoder that gets the bytes before the offset has decoded the characters before it.
            let mut decoder = encoding.new_decoder_without_bom_handling();
            let mut before = String::with_capacity(100);
            let _ = decoder.decode_to_string(
                &bytes[mark.min(*end as usize)..*end as usize],
                &mut before,
                false,
            );
            assert_eq!(unit, before.encode_utf16().count() as u32, "{label} {end}");
        }
        check_round_trip(&session, bytes.len(), label);
    }
}

/// Checks that both maps are monotonic, and that each is the reverse of the other at the starts of characters.
fn check_round_trip(session: &Session, length: usize, label: &str) {
    let bytes: Vec<u32> = (0..=length as u32 + 2).collect();
    let units = session.offsets(&bytes);
    assert!(units.is_sorted(), "{label}");
    let total = session.source_text().encode_utf16().count() as u32;
    assert_eq!(units.last(), Some(&total), "{label}");
    let all: Vec<u32> = (0..=total + 2).collect();
    let back = session.byte_offsets(&all);
    assert!(back.is_sorted(), "{label}");
    for (unit, again) in all.iter().zip(session.offsets(&back)) {
        assert!(
            again <= *unit && unit - again <= 2,
            "{label} {unit} {again} {:?} {back:?}",
            session.source_text()
        );
    }
}

#[test]
fn malformed_bytes_are_decoded_as_by_independent_decoders() {
    let mut seed = 88_172_645_463_325_252_u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed >> 11
    };
    for (label, text) in TEXTS.iter().filter(|(label, _)| *label != "utf-16le") {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        for _ in 0..100 {
            let mut bytes = encode(text, label).unwrap();
            for _ in 0..3.min(bytes.len()) {
                let at = random() as usize % bytes.len().max(1);
                match random() % 3 {
                    0 if bytes.len() > 1 => drop(bytes.remove(at)),
                    1 => bytes.insert(at, random() as u8),
                    _ => bytes[at] = random() as u8,
                }
            }
            // A mark at the start would take precedence.
            bytes.insert(0, b'x');
            if *label == "utf-16be" {
                bytes.insert(0, 0);
            }
            let session = fed(&json!({"encoding": label}).to_string(), &bytes);
            let expected = encoding.decode_without_bom_handling(&bytes).0;
            assert_eq!(session.source_text(), expected, "{label} {bytes:X?}");
            check_round_trip(&session, bytes.len(), label);
        }
    }
}

#[test]
fn a_byte_order_mark_is_not_text() {
    let session = fed("{}", "\u{FEFF}<p>a".as_bytes());
    assert_eq!(session.source_text(), "<p>a");
    assert_eq!(session.offsets(&[0, 3, 4, 6]), [0, 0, 1, 3]);
    assert_eq!(session.byte_offsets(&[0, 1, 3]), [3, 4, 6]);
}
