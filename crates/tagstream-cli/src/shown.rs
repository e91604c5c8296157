//! Escaping of untrusted text for people: no character controls a terminal, or changes the direction in which the text
//! around it is displayed.

use std::fmt::{self, Write};

/// Returns true if a character is escaped: control characters of ASCII and of Unicode; marks, embeddings, overrides and
/// isolates of text direction; line and paragraph separators.
pub(crate) fn is_unseen(character: char) -> bool {
    match character {
        ' '..='~' => false,
        '\u{61C}' | '\u{200E}' | '\u{200F}' => true,
        '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
        other => other.is_control(),
    }
}

/// Writes `text` with all invisible characters escaped, including newlines and tabs.
pub(crate) fn write(text: &str, out: &mut impl Write) -> fmt::Result {
    write_but(text, |_| false, out)
}

/// Writes `text` of several lines with all invisible characters escaped except newlines and tabs.
pub(crate) fn write_lines(text: &str, out: &mut impl Write) -> fmt::Result {
    write_but(text, |character| matches!(character, '\n' | '\t'), out)
}

fn write_but(text: &str, stays: impl Fn(char) -> bool, out: &mut impl Write) -> fmt::Result {
    let mut plain = 0;
    for (at, character) in text.char_indices() {
        if !is_unseen(character) || stays(character) {
            continue;
        }
        out.write_str(&text[plain..at])?;
        write!(out, "{}", Escaped(character))?;
        plain = at + character.len_utf8();
    }
    out.write_str(&text[plain..])
}

/// The escaped form of an invisible character: `\n`, or `\u{9b}`.
pub(crate) struct Escaped(pub(crate) char);

impl fmt::Display for Escaped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            '\n' => f.write_str("\\n"),
            '\r' => f.write_str("\\r"),
            '\t' => f.write_str("\\t"),
            other => write!(f, "\\u{{{:x}}}", u32::from(other)),
        }
    }
}

/// Returns the text that [`write`] writes.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    // Writing to a string cannot fail.
    let _ = write(text, &mut shown);
    shown
}

/// Returns the text that [`write_lines`] writes.
pub(crate) fn shown_lines(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let _ = write_lines(text, &mut shown);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_seen_or_escaped() {
        for character in '\0'..=char::MAX {
            let text = character.to_string();
            let escaped = format!("\\u{{{:x}}}", u32::from(character));
            let expected = match u32::from(character) {
                0x9 => "\\t",
                0xA => "\\n",
                0xD => "\\r",
                0..0x20 | 0x7F..0xA0 | 0x61C | 0x200E | 0x200F => &escaped,
                0x2028..=0x202E | 0x2066..=0x2069 => &escaped,
                _ => &text,
            };
            assert_eq!(shown(&text), expected);
            let lines = shown_lines(&text);
            match character {
                '\t' | '\n' => assert_eq!(lines, text),
                _ => assert_eq!(lines, expected),
            }
        }
        assert_eq!(shown("é\u{9b}x\ny\u{202e}"), "é\\u{9b}x\\ny\\u{202e}");
    }
}
