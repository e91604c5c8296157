//! The character classes of LeafXML: its character set, names and whitespace. Normalization is in `normal.rs`.

/// Returns whether a LeafXML document may contain the character, literally or as an escape.
pub(crate) const fn is_char(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' => true,
        '\u{A0}'..='\u{FDCF}' | '\u{FDF0}'..=char::MAX => !is_trailing(character),
        _ => false,
    }
}

/// Returns whether a name may contain the character.
pub(crate) const fn is_name_char(character: char) -> bool {
    match character {
        '-' | '.' | '0'..='9' | ':' | '_' | 'A'..='Z' | 'a'..='z' => true,
        '\u{D7}' | '\u{F7}' | '\u{37E}' => false,
        '\u{B7}' | '\u{C0}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' => true,
        '\u{203F}'..='\u{2040}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}' => true,
        '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' => true,
        '\u{FDF0}'..='\u{EFFFD}' => !is_trailing(character),
        _ => false,
    }
}

/// Returns whether a name may start with the character.
pub(crate) const fn is_name_start_char(character: char) -> bool {
    is_name_char(character)
        && !matches!(character,
            '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// Returns whether the whole text is a name. The specification requires this of the name as written and of its
/// normalized form, so callers test both.
pub(crate) fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(is_name_start_char) && characters.all(is_name_char)
}

/// Returns whether the whole text is a namespace prefix or a local part: a name without `:`.
pub(crate) fn is_name_part(text: &str) -> bool {
    is_name(text) && !text.contains(':')
}

/// Returns whether the character is one of the specification's "trailing code points": the last two of a plane.
const fn is_trailing(character: char) -> bool {
    character as u32 & 0xFFFE == 0xFFFE
}

#[cfg(test)]
mod tests {
    use super::super::production::check;
    use super::*;
    use alloc::{format, string::String};

    /// Returns a production of the planes 1 to `last`, without the last two code points of each plane.
    fn planes(last: u32) -> String {
        (1..=last)
            .map(|plane| format!(" | [#x{plane:X}0000-#x{plane:X}FFFD]"))
            .collect()
    }

    #[test]
    fn classes_are_as_written() {
        let set = "#x9 | #xA | #xD | [#x20-#x7E] | #x85 | [#xA0-#xD7FF] | [#xE000-#xFDCF] \
            | [#xFDF0-#xFFFD]";
        check("character set", &format!("{set}{}", planes(16)), is_char);
        // The characters that a name may start with, and those that it may contain in addition.
        let first = ": | _ | [A-Z] | [a-z] | [#xC0-#xD6] | [#xD8-#xF6] | [#xF8-#x2FF] \
            | [#x370-#x37D] | [#x37F-#x1FFF] | #x200C | #x200D | [#x2070-#x218F] \
            | [#x2C00-#x2FEF] | [#x3001-#xD7FF] | [#xF900-#xFDCF] | [#xFDF0-#xFFFD]";
        let first = format!("{first}{}", planes(14));
        let rest = "- | . | [0-9] | #xB7 | [#x300-#x36F] | #x203F | #x2040";
        check("first of a name", &first, is_name_start_char);
        check("name", &format!("{first} | {rest}"), is_name_char);
    }

    #[test]
    fn whole_texts() {
        // Each case: text, whether it is a name, whether it is a prefix or a local part.
        let cases = [
            ("", false, false),
            ("a", true, true),
            ("a:b", true, false),
            (":", true, false),
            ("xmlns:", true, false),
            ("-a", false, false),
            ("a-.0\u{B7}\u{301}", true, true),
            ("\u{301}", false, false),
            ("a\u{37E}", false, false),
            ("a\u{1FFFF}", false, false),
            ("a b", false, false),
        ];
        for (text, name, part) in cases {
            assert_eq!(is_name(text), name, "{text:?}");
            assert_eq!(is_name_part(text), part, "{text:?}");
        }
    }
}
