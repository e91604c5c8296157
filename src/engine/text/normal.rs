//! A fast test for characters that LeafXML need not examine, because NFC normalization leaves them unchanged in any
//! context. Most text consists of such *plain* characters.

use super::normal_table::PLAIN;

/// Returns whether a character is plain: NFC never changes it or composes it with the character before it, its
/// combining class is 0, it is in LeafXML's character set, and it is not a line break. Beyond U+FFFF the test is
/// conservative: it returns false for many plain characters.
///
/// PERF: any other character costs two lookups in the Unicode tables.
#[inline(always)]
pub(crate) fn is_plain(character: char) -> bool {
    let code = character as u32;
    match code {
        0..0x1_0000 => is_plain_code(code),
        _ => {
            matches!(character, '\u{1D100}'..='\u{1D126}' | '\u{1D400}'..='\u{1D7FF}' | '\u{1F000}'..='\u{1FAFF}'
            | '\u{20000}'..='\u{2A6DF}')
        }
    }
}

/// Returns whether a code point up to U+FFFF is plain.
#[inline(always)]
fn is_plain_code(code: u32) -> bool {
    PLAIN[(code >> 5 & 0x7FF) as usize] >> (code & 31) & 1 != 0
}

/// Returns the length in bytes of the plain characters at the start of `text`. `<`, `&`, `]` and quotes end the run.
/// A space ends it too, unless `SPACE` is true or the space is between two characters that are certainly not
/// whitespace.
///
/// PERF: without this function, text outside ASCII is read at half the speed (`benches/peers`, `--bin dialects`).
pub(crate) fn plain_run<const SPACE: bool>(text: &str) -> usize {
    let bytes = text.as_bytes();
    let low = |byte: u8| u32::from(byte & 0x3F);
    let mut at = 0;
    while let Some(&lead) = bytes.get(at) {
        let length = LENGTHS[lead as usize];
        if length > 0 {
            at += length as usize;
            continue;
        }
        let code = u32::from(lead);
        let (plain, length) = match (lead, bytes.get(at + 1), bytes.get(at + 2)) {
            (b' ', next, _) => (SPACE || at > 0 && is_solid(next), 1),
            (0x80..0xE0, Some(&last), _) => (is_plain_code((code & 0x1F) << 6 | low(last)), 2),
            (0xE0..0xF0, Some(&middle), Some(&last)) => {
                let code = (code & 0xF) << 12 | low(middle) << 6 | low(last);
                (is_plain_code(code), 3)
            }
            (0xF0.., ..) => (text[at..].chars().next().is_some_and(is_plain), 4),
            _ => (false, 1),
        };
        if !plain {
            break;
        }
        at += length;
    }
    at
}

/// Lead bytes of UTF-8 sequences that start at least one character that is not plain.
pub(crate) const ODD_LEADS: [u8; 32] = [
    0xC2, 0xCC, 0xCD, 0xCE, 0xCF, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xDB, 0xDC,
    0xDD, 0xDE, 0xDF, 0xE0, 0xE1, 0xE2, 0xE3, 0xEA, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF2, 0xF3, 0xF4,
];

/// For each byte, the length of all characters that start with it if all of them are plain and not markup: ASCII,
/// much of Latin and Cyrillic, most of Chinese and Korean. 0 for other bytes.
static LENGTHS: [u8; 256] = {
    let mut lengths = [0; 256];
    let mut lead = 0x21;
    while lead < 0x100 {
        lengths[lead] = match lead as u8 {
            b'<' | b'&' | b']' | b'"' | b'\'' | 0x7F => 0,
            0x21..0x7F => 1,
            0xC3..=0xCB | 0xD0..=0xD1 => 2,
            0xE4..=0xE9 | 0xEB..=0xEC => 3,
            _ => 0,
        };
        lead += 1;
    }
    lengths
};

/// Returns whether the byte starts a character that is neither markup nor whitespace. Returns false for lead bytes
/// that line breaks share with other characters.
#[inline(always)]
fn is_solid(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| match byte {
        b'<' | b'&' | b'"' | b'\'' | 0x7F..=0xC2 | 0xE2 => false,
        _ => *byte > b' ',
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::text::leafxml_names::is_char;
    use alloc::format;
    use unicode_normalization::IsNormalized;
    use unicode_normalization::char::canonical_combining_class;

    #[test]
    fn what_is_plain_is_so_by_the_tables() {
        for character in ('\0'..=char::MAX).filter(|&character| is_plain(character)) {
            let code = u32::from(character);
            let quick = unicode_normalization::is_nfc_quick(core::iter::once(character));
            assert_eq!(quick, IsNormalized::Yes, "U+{code:04X}");
            assert_eq!(canonical_combining_class(character), 0, "U+{code:04X}");
            let line_break = matches!(character, '\u{85}' | '\u{2028}');
            assert!(is_char(character) && !line_break, "U+{code:04X}");
        }
    }

    #[test]
    fn odd_leads_are_the_others() {
        for lead in 0xC2..=0xF4 {
            let odd = LENGTHS[usize::from(lead)] == 0;
            assert_eq!(ODD_LEADS.contains(&lead), odd, "{lead:X}");
        }
    }

    #[test]
    fn spaces_in_runs() {
        for (text, run, spaced) in [
            (" a", 0, 2),
            ("a b", 3, 3),
            ("a  b", 1, 4),
            ("a ", 1, 2),
            ("a <", 1, 2),
            ("a &", 1, 2),
            ("a \"", 1, 2),
            ("\u{e9} \u{e9}'", 5, 5),
            ("a \u{2028}", 1, 2),
            ("a \u{85}", 1, 2),
            ("a \t", 1, 2),
        ] {
            assert_eq!(plain_run::<false>(text), run, "{text:?}");
            assert_eq!(plain_run::<true>(text), spaced, "{text:?}");
        }
    }

    #[test]
    fn runs_are_of_plain_characters() {
        for character in '\0'..=char::MAX {
            let markup = matches!(character, '<' | '&' | ']' | '"' | '\'');
            let length = match is_plain(character) && !markup {
                true => character.len_utf8(),
                false => 0,
            };
            let text = format!("{character}<");
            assert_eq!(plain_run::<true>(&text), length, "{character:?}");
            let text = format!("\u{e9}\u{65e5}x\u{1f600}{character}<");
            let length = if character == ' ' { 0 } else { length };
            assert_eq!(plain_run::<false>(&text), 10 + length, "{character:?}");
        }
    }
}
