//! The character classes of XML 1.0, fifth edition: names, characters of a document and public identifiers. Also the
//! five predefined entity names.
//!
//! For ASCII each class is one bit in a table built from the production; for other characters it is a list of ranges.

/// The bits of an entry of [`ASCII`], one for each character class.
const NAME_START: u8 = 1 << 0;
const NAME: u8 = 1 << 1;
const PUBID: u8 = 1 << 2;
const CHAR_1_0: u8 = 1 << 3;

/// The classes of each ASCII character.
static ASCII: [u8; 128] = {
    let mut table = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte as usize] = ascii_classes(byte);
        byte += 1;
    }
    table
};

/// Returns whether the character is in the production `NameStartChar` of XML 1.0.
pub(crate) const fn is_name_start_char(character: char) -> bool {
    if character.is_ascii() {
        return ASCII[character as usize] & NAME_START != 0;
    }
    matches!(character,
        '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}'
        | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}'
        | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

/// Returns whether the character is in the production `NameChar` of XML 1.0.
pub(crate) const fn is_name_char(character: char) -> bool {
    if character.is_ascii() {
        return ASCII[character as usize] & NAME != 0;
    }
    is_name_start_char(character)
        || matches!(character, '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// Returns whether the character may start an `NCName` of Namespaces in XML: a `NameStartChar` other than `:`.
pub(crate) const fn is_ncname_start_char(character: char) -> bool {
    character != ':' && is_name_start_char(character)
}

/// Returns whether the character is in the production `NCNameChar` of Namespaces in XML: a `NameChar` other than `:`.
pub(crate) const fn is_ncname_char(character: char) -> bool {
    character != ':' && is_name_char(character)
}

/// Returns true for the characters of the production S: tab, line feed, carriage return and space.
#[inline]
pub(crate) const fn is_white_space(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' ')
}

/// Returns the part of a name before its first colon, or `None` if there is no colon.
///
/// PERF: names are short, so an inline loop is faster than a call of a search function.
#[inline]
pub(crate) fn prefix(name: &str) -> Option<&str> {
    let colon = name.bytes().position(|byte| byte == b':')?;
    Some(&name[..colon])
}

/// Returns whether the character is in the production `Char` of XML 1.0.
pub(crate) const fn is_char(character: char) -> bool {
    if character.is_ascii() {
        return ASCII[character as usize] & CHAR_1_0 != 0;
    }
    // A `char` is never a surrogate, so only two code points are excluded.
    !matches!(character, '\u{FFFE}' | '\u{FFFF}')
}

/// Returns whether the character is in the production `PubidChar`: the characters of a public identifier.
pub(crate) const fn is_pubid_char(character: char) -> bool {
    character.is_ascii() && ASCII[character as usize] & PUBID != 0
}

/// Returns whether the whole text is one `NCName`: a `Name` without `:`.
pub(crate) fn is_ncname(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(is_ncname_start_char) && characters.all(is_ncname_char)
}

/// Returns the character of one of the five predefined entities. `name` is without `&` and `;`.
pub(crate) const fn predefined(name: &str) -> Option<char> {
    predefined_bytes(name.as_bytes())
}

/// As [`predefined`], for the bytes of a name.
pub(crate) const fn predefined_bytes(name: &[u8]) -> Option<char> {
    match name {
        b"amp" => Some('&'),
        b"lt" => Some('<'),
        b"gt" => Some('>'),
        b"quot" => Some('"'),
        b"apos" => Some('\''),
        _ => None,
    }
}

/// Maximum length in bytes of the name of a predefined entity.
pub(crate) const MAX_PREDEFINED_BYTES: u32 = 4;

/// Returns all classes of one ASCII character.
const fn ascii_classes(byte: u8) -> u8 {
    let mut classes = 0;
    if byte.is_ascii_alphabetic() || matches!(byte, b':' | b'_') {
        classes |= NAME_START | NAME;
    }
    if byte.is_ascii_digit() || matches!(byte, b'-' | b'.') {
        classes |= NAME;
    }
    if byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r') {
        classes |= CHAR_1_0;
    }
    if byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'\r' | b'\n') {
        classes |= PUBID;
    }
    if matches!(
        byte,
        b'-' | b'\'' | b'(' | b')' | b'+' | b',' | b'.' | b'/' | b':' | b'=' | b'?'
    ) || matches!(byte, b';' | b'!' | b'*' | b'#' | b'@' | b'$' | b'_' | b'%')
    {
        classes |= PUBID;
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::super::production::check;
    use super::*;
    use alloc::format;

    const NAME_START_PRODUCTION: &str = "\":\" | [A-Z] | \"_\" | [a-z] | [#xC0-#xD6] \
        | [#xD8-#xF6] | [#xF8-#x2FF] | [#x370-#x37D] | [#x37F-#x1FFF] | [#x200C-#x200D] \
        | [#x2070-#x218F] | [#x2C00-#x2FEF] | [#x3001-#xD7FF] | [#xF900-#xFDCF] \
        | [#xFDF0-#xFFFD] | [#x10000-#xEFFFF]";
    const NAME_PRODUCTION: &str = "\"-\" | \".\" | [0-9] | #xB7 | [#x0300-#x036F] \
        | [#x203F-#x2040]";

    #[test]
    fn name_classes_are_the_productions() {
        let name = format!("{NAME_START_PRODUCTION} | {NAME_PRODUCTION}");
        check("NameStartChar", NAME_START_PRODUCTION, is_name_start_char);
        check("NameChar", &name, is_name_char);
        let without_colon = NAME_START_PRODUCTION.strip_prefix("\":\" | ").unwrap();
        let name = format!("{without_colon} | {NAME_PRODUCTION}");
        check("NCName's first", without_colon, is_ncname_start_char);
        check("NCNameChar", &name, is_ncname_char);
    }

    #[test]
    fn other_classes_are_the_productions() {
        let char_1_0 = "#x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]";
        let pubid = "#x20 | #xD | #xA | [a-zA-Z0-9] | [-'()+,./:=?;!*#@$_%]";
        check("Char of XML 1.0", char_1_0, is_char);
        check("PubidChar", pubid, is_pubid_char);
    }

    #[test]
    fn whole_texts() {
        // Each case: text, whether it is an `NCName`.
        let cases = [
            ("", false),
            ("a", true),
            ("_", true),
            (":", false),
            ("a:b", false),
            ("a:", false),
            ("-a", false),
            ("1", false),
            ("a-1.b", true),
            ("a b", false),
            (" a", false),
            ("é\u{301}", true),
            ("\u{301}é", false),
            ("a\u{D7}", false),
            ("\u{10000}\u{EFFFF}", true),
            ("a\u{F0000}", false),
        ];
        for (text, ncname) in cases {
            assert_eq!(is_ncname(text), ncname, "NCName {text:?}");
        }
    }

    #[test]
    fn five_names_are_predefined() {
        let five = [
            ("amp", '&'),
            ("lt", '<'),
            ("gt", '>'),
            ("quot", '"'),
            ("apos", '\''),
        ];
        for (name, character) in five {
            assert_eq!(predefined(name), Some(character), "{name}");
            assert_eq!(
                predefined(&name[1..]),
                None,
                "{name} without its first letter"
            );
            assert_eq!(predefined(&format!("{name};")), None, "{name};");
            assert_eq!(
                predefined(&name.to_ascii_uppercase()),
                None,
                "{name} in capitals"
            );
        }
        assert_eq!(predefined(""), None);
        assert_eq!(predefined("nbsp"), None);
    }
}
