//! The oracle for tests of character classes: parses a production of single characters in the notation of the XML
//! standard, and compares it with a predicate for all code points.

use alloc::vec::Vec;

/// Compares `predicate` with `production` for every character.
pub(super) fn check(name: &str, production: &str, predicate: impl Fn(char) -> bool) {
    let ranges = ranges(production);
    for character in '\0'..=char::MAX {
        let code = u32::from(character);
        let expected = ranges
            .iter()
            .any(|&(first, last)| first <= code && code <= last);
        assert_eq!(predicate(character), expected, "{name} of U+{code:04X}");
    }
}

/// Parses the alternatives of a production as ranges of code points. Alternatives look like `":"`, `[a-z]`, `[abc]`,
/// `#xB7` or `[#xC0-#xD6]`.
fn ranges(production: &str) -> Vec<(u32, u32)> {
    let mut ranges = Vec::new();
    for term in production.split('|').map(str::trim) {
        if let Some(class) = term.strip_prefix('[') {
            let mut rest = class.strip_suffix(']').expect("a class ends in `]`");
            while !rest.is_empty() {
                let first = point(&mut rest);
                let mut last = first;
                if let Some(after) = rest.strip_prefix('-').filter(|after| !after.is_empty()) {
                    rest = after;
                    last = point(&mut rest);
                }
                ranges.push((first, last));
            }
        } else if let Some(literal) = term.strip_prefix('"') {
            let literal = literal.strip_suffix('"').expect("a literal ends in `\"`");
            ranges.extend(literal.chars().map(|c| (u32::from(c), u32::from(c))));
        } else {
            let mut rest = term;
            let code = point(&mut rest);
            assert!(rest.is_empty(), "`{term}` is no single character");
            ranges.push((code, code));
        }
    }
    ranges
}

/// Removes one character from the front of `rest`: `#x` with hexadecimal digits, or a literal character.
fn point(rest: &mut &str) -> u32 {
    if let Some(number) = rest.strip_prefix("#x") {
        let end = number
            .find(|c: char| !c.is_ascii_hexdigit())
            .unwrap_or(number.len());
        *rest = &number[end..];
        return u32::from_str_radix(&number[..end], 16).expect("hexadecimal digits");
    }
    let mut characters = rest.chars();
    let first = characters.next().expect("a character");
    *rest = characters.as_str();
    u32::from(first)
}
