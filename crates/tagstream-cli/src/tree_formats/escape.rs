//! Text in which some characters are replaced.

use std::fmt;

/// The replacement of a character.
pub(super) enum Escape {
    /// This string.
    As(&'static str),
    /// The number of the character as a decimal reference: `&#10;`.
    Decimal,
    /// The number of the character as in strings of Rust: `\u{1b}`.
    Braced,
}

/// Writes `text`. Calls `escape` for every character.
pub(super) fn write_escaped(
    out: &mut impl fmt::Write,
    text: &str,
    escape: impl Fn(char) -> Option<Escape>,
) -> fmt::Result {
    let mut plain = 0;
    for (at, character) in text.char_indices() {
        let Some(escape) = escape(character) else {
            continue;
        };
        out.write_str(&text[plain..at])?;
        match escape {
            Escape::As(replacement) => out.write_str(replacement)?,
            Escape::Decimal => write!(out, "&#{};", u32::from(character))?,
            Escape::Braced => write!(out, "\\u{{{:x}}}", u32::from(character))?,
        }
        plain = at + character.len_utf8();
    }
    out.write_str(&text[plain..])
}

/// Returns true if a character is invisible, or may control a terminal or change the order in which the text around it is
/// read: control characters of ASCII and of Unicode; marks, embeddings, overrides and isolates of text direction; line and
/// paragraph separators.
pub(crate) fn is_unseen(character: char) -> bool {
    match character {
        ' '..='~' => false,
        '\u{61C}' | '\u{200E}' | '\u{200F}' => true,
        '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
        other => other.is_control(),
    }
}
