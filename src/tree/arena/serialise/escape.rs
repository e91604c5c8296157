//! Text in which some characters are replaced.

use alloc::string::String;
use core::fmt;

/// The replacement of a character.
pub(super) enum Escape {
    /// This.
    As(&'static str),
    /// Its number as a decimal reference.
    Decimal,
    /// Its number as Rust has it in strings: `\u{1b}`.
    Braced,
}

/// Writes `text`, asking `escape` about every character.
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

/// Returns the output of `write` as a string.
pub(super) fn written(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut out = String::new();
    write(&mut out).expect("a string takes all that is written to it");
    out
}
