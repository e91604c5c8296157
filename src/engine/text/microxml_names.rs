//! The character classes of MicroXML: those of its error recovery, in which nearly all characters outside ASCII are
//! name characters, and the characters of the strict language of 2012. Names of the strict language are XML names
//! without `:` (`xml_names.rs`).

use super::is_noncharacter;

/// Returns whether the character is in the production `NAME_START_CHAR` of MicroXML's error recovery.
pub(crate) const fn is_name_start_char(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, '_' | ':' | '$') || character >= '\u{80}'
}

/// Returns whether the character that starts with this byte is in the production `NAME_START_CHAR` of the error
/// recovery. All characters outside ASCII are, so nothing has to be decoded.
pub(crate) const fn is_name_start_byte(byte: u8) -> bool {
    // Every byte above 0x7F starts a character of the same class as U+0080.
    is_name_start_char(byte as char)
}

/// Returns whether the character that starts with this byte is in the production `NAME_CHAR` of the error recovery.
pub(crate) const fn is_name_byte(byte: u8) -> bool {
    is_name_start_byte(byte) || matches!(byte, b'0'..=b'9' | b'-' | b'.')
}

/// Returns whether the character is in the production `S` (whitespace) of the error recovery: tab, line feed, form
/// feed or space, but not carriage return.
pub(crate) const fn is_white_space(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\u{C}' | ' ')
}

/// Returns whether a document of the strict language may contain the character: tab, line feed, carriage return (as a
/// line end), and all other characters except for control characters and noncharacters.
pub(crate) const fn is_strict_char(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='~')
        || (character >= '\u{A0}' && !is_noncharacter(character))
}

/// Returns the length in bytes of the characters at the start of `text` that the strict language allows and that are
/// not markup in any context. Tabs and line ends are allowed, but they end the run too.
pub(crate) fn legal_run(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&lead) = bytes.get(at) {
        at += match lead {
            b'<' | b'>' | b'&' | b'"' | b'\'' | b'-' => break,
            b' '..=b'~' => 1,
            0xC3..0xE0 => 2,
            0xE0..0xEF => 3,
            // U+0080 to U+009F and all noncharacters start with other bytes than those above.
            0x80.. => match text[at..].chars().next() {
                Some(character) if is_strict_char(character) => character.len_utf8(),
                _ => break,
            },
            _ => break,
        };
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::production::check;
    use super::*;
    use alloc::format;

    #[test]
    fn classes_are_the_productions() {
        let name_start = "[A-Za-z_:$] | [#x80-#x10FFFF]";
        check("NAME_START_CHAR", name_start, is_name_start_char);
        check("S", "#x9 | #xA | #xC | #x20", is_white_space);
        let mut strict = "#x9 | #xA | #xD | [#x20-#x7E] | [#xA0-#xFDCF] | [#xFDF0-#xFFFD]".into();
        for plane in 1..=16 {
            strict = format!("{strict} | [#x{plane:X}0000-#x{plane:X}FFFD]");
        }
        check("char of the strict language", &strict, is_strict_char);
    }

    #[test]
    fn runs_end_where_a_character_is_not_legal() {
        for character in '\0'..=char::MAX {
            let markup = matches!(character, '<' | '>' | '&' | '"' | '\'' | '-');
            let legal = !markup && !character.is_control() && is_strict_char(character);
            let length = if legal { character.len_utf8() } else { 0 };
            assert_eq!(legal_run(&format!("{character}<")), length, "{character:?}");
            let after = "\u{e9}\u{3b1}\u{65e5}\u{1f600}";
            let text = format!("{after}{character}");
            assert_eq!(legal_run(&text), after.len() + length, "{character:?}");
        }
    }

    #[test]
    fn bytes_agree_with_characters() {
        let mut buffer = [0; 4];
        for character in '\0'..=char::MAX {
            let bytes = character.encode_utf8(&mut buffer).as_bytes();
            assert_eq!(is_name_start_byte(bytes[0]), is_name_start_char(character));
        }
    }
}
