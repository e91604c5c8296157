//! Seams: places in the output where two pieces meet that are not adjacent in the input. There, the end of the left
//! piece and the beginning of the right piece must not be parsed as one token. For example, text that ends with `&am`
//! and text that begins with `p;` must not form a reference.

use crate::engine::text::html_facts;
use alloc::string::String;

/// Number of characters before a seam that are examined. The names of all references in HTML are shorter.
pub(super) const MAX_LOOKBACK: usize = 64;

/// The largest number of characters with which markup begins at the end of the output that is retained, because a seam
/// may have to escape them. If there are more, edits that create a seam after them are refused.
pub(super) const MAX_ANGLES: usize = MAX_LOOKBACK;

/// The content model at a seam: the characters that have a meaning there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Context {
    /// Markup, text and references.
    #[default]
    Content,
    /// Text and references, as in `title`.
    EscapableText,
    /// Text without references, as in `script`.
    RawText,
    /// The inside of a CDATA section.
    Cdata,
}

/// The end of the left piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// No character can become a part of the last token.
    Complete,
    /// A carriage return, which forms one newline with a line feed.
    CarriageReturn,
    /// The beginning of markup, such as `<` or `<!`, which is text only because of the characters that follow. Other
    /// such beginnings can precede it, as in `</<`, and become markup if only the last one is escaped. The value is the
    /// number of characters of all of them, and more than [`MAX_ANGLES`] if there are more than are examined.
    Angles(usize),
    /// A reference without its semicolon, such as `&am`.
    Reference,
    /// MicroXML: the beginning of a tag, such as `<a b`, which is text only because of the characters that follow.
    Tag,
    /// The beginning of an end tag in text with references, such as `</titl`. The value is true if its name is complete.
    EndTag(bool),
    /// `]`, which can become a part of `]]>`.
    Bracket,
    /// The start tag of an HTML element after which a parser ignores a newline.
    NewlineIgnored,
}

/// The operation that separates the two pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repair {
    Nothing,
    /// Write a line feed between the pieces.
    InsertNewline,
    /// Write each `<` at the end of the left piece as `&lt;`.
    EscapeLeft,
    /// Write the first character of the right piece as a reference.
    EscapeRight,
    /// End the CDATA section between the pieces, and begin a new one.
    DivideSection,
    /// Omit the newline at the beginning of the right piece, which the parser has ignored.
    OmitNewline,
}

/// The table of seams. `right` is the first character of the right piece, or `None` if it is not known; `is_ignored` is
/// true if it is a newline in the input that the parser has ignored.
pub(super) fn repair(
    context: Context,
    left: Left,
    right: Option<char>,
    is_ignored: bool,
) -> Repair {
    use Context::{Cdata, Content, EscapableText, RawText};
    let is_newline = matches!(right, Some('\n' | '\r'));
    match (context, left, right) {
        (_, Left::NewlineIgnored, Some('\n' | '\r')) if !is_ignored => Repair::InsertNewline,
        (_, Left::NewlineIgnored, _) => Repair::Nothing,
        _ if is_ignored && is_newline => Repair::OmitNewline,
        (_, Left::CarriageReturn, Some('\n')) => Repair::InsertNewline,
        (Cdata, Left::Bracket, Some(']' | '>')) => Repair::DivideSection,
        (Content | EscapableText, Left::Angles(_), _) => Repair::EscapeLeft,
        // An ill-formed byte, shown as U+FFFD, may complete a character together with the bytes before it.
        (Content | EscapableText, _, Some(char::REPLACEMENT_CHARACTER)) => Repair::EscapeRight,
        (Cdata | RawText, ..) | (_, Left::Complete | Left::CarriageReturn, _) => Repair::Nothing,
        (_, Left::Bracket, Some(']' | '>')) => Repair::EscapeRight,
        (_, Left::Reference, Some(right)) if is_in_reference(right) => Repair::EscapeRight,
        (_, Left::Tag, Some(right)) if !matches!(right, '<' | '&') => Repair::EscapeRight,
        (_, Left::EndTag(false), Some('a'..='z' | 'A'..='Z')) => Repair::EscapeRight,
        (_, Left::EndTag(true), Some('/' | '>')) => Repair::EscapeRight,
        (_, Left::EndTag(true), Some(right)) if right.is_ascii_whitespace() => Repair::EscapeRight,
        (_, Left::Bracket | Left::Reference | Left::Tag | Left::EndTag(_), _) => Repair::Nothing,
    }
}

/// Returns true if a character can be a part of a reference.
fn is_in_reference(character: char) -> bool {
    character == ';' || !character.is_ascii() || is_in_name(character as u8)
}

/// Returns true for the bytes that the name or the number of a reference can contain.
pub(super) fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'#' | b'-' | b'.' | b':' | b'_')
}

impl Left {
    /// Classifies the end of the output. The iterator yields its characters backwards: ASCII characters as they are,
    /// and 0x80 for all others.
    pub(super) fn of(mut backwards: impl Iterator<Item = u8> + Clone) -> Left {
        let before = backwards.clone();
        match backwards.next() {
            Some(b'\r') => return Left::CarriageReturn,
            Some(b']') => return Left::Bracket,
            Some(byte) if begins_markup(byte) && begun_markup(before.clone()).is_some() => {
                return Left::Angles(angles(before));
            }
            _ => {}
        }
        for (count, byte) in before.enumerate() {
            match byte {
                b'&' => return Left::Reference,
                // A numeric reference can have any number of leading zeros.
                _ if is_in_name(byte) && count >= MAX_LOOKBACK => return Left::Reference,
                _ if is_in_name(byte) => {}
                _ => break,
            }
        }
        Left::Complete
    }
}

impl Left {
    /// Classifies the end of the output of MicroXML that is complete otherwise.
    pub(super) fn of_microxml(backwards: impl Iterator<Item = u8>) -> Left {
        let is_in_tag = |byte: &u8| {
            is_in_name(*byte) || byte.is_ascii_whitespace() || matches!(byte, b'/' | b'!' | b'?')
        };
        match backwards.take(MAX_LOOKBACK).find(|byte| !is_in_tag(byte)) {
            Some(b'<') => Left::Tag,
            _ => Left::Complete,
        }
    }

    /// Classifies the end of the output in text with references that is complete otherwise.
    pub(super) fn of_escapable_text(mut backwards: impl Iterator<Item = u8>) -> Left {
        let mut name = String::new();
        while let Some(byte) = backwards.next() {
            match byte {
                b'/' if backwards.next() == Some(b'<') => {
                    let name: String = name.chars().rev().collect();
                    let is_complete = html_facts::ESCAPABLE_TEXT.contains_in_any_case(&name);
                    return Left::EndTag(is_complete);
                }
                _ if byte.is_ascii_alphabetic() && name.len() < MAX_LOOKBACK => {
                    name.push(char::from(byte))
                }
                _ => break,
            }
        }
        Left::Complete
    }
}

/// Returns the number of the last characters that are beginnings of markup, one directly after the other.
fn angles(mut backwards: impl Iterator<Item = u8> + Clone) -> usize {
    let mut count = 0;
    while let Some(length) = begun_markup(backwards.clone()) {
        count += length;
        if count > MAX_ANGLES {
            break;
        }
        backwards.nth(length - 1);
    }
    count
}

/// Returns the length of the beginning of markup at the end of the output, which is incomplete: `<`, `</`, `<!`, `<?` or
/// `<!-`.
fn begun_markup(mut backwards: impl Iterator<Item = u8>) -> Option<usize> {
    let mut last = backwards.next()?;
    let mut length = 1;
    if last == b'-' {
        last = backwards.next().filter(|before| *before == b'!')?;
        length += 1;
    }
    if matches!(last, b'/' | b'!' | b'?') {
        last = backwards.next()?;
        length += 1;
    }
    (last == b'<').then_some(length)
}

/// Returns true for the bytes with which markup begins before its name or its text.
pub(super) fn begins_markup(byte: u8) -> bool {
    matches!(byte, b'<' | b'/' | b'!' | b'?' | b'-')
}

/// LeafXML: returns true if the output ends with a carriage return, which can also be written as a reference, or be the
/// last character of a CDATA section, and which comments, processing instructions and the start of a section may follow.
pub(super) fn ends_in_return(out: &[u8]) -> bool {
    let mut rest = &out[out.len().saturating_sub(4 * MAX_LOOKBACK)..];
    loop {
        let begin: &[u8] = match rest {
            [.., b'-', b'-', b'>'] => b"<!--",
            [.., b'?', b'>'] => b"<?",
            [.., b'A', b'['] => b"<![CDATA[",
            _ => break,
        };
        let Some(at) = memchr::memmem::rfind(rest, begin) else {
            return false;
        };
        rest = &rest[..at];
    }
    let inner = rest.strip_suffix(b"]]>").unwrap_or(rest);
    if inner.ends_with(b"\r") {
        return true;
    }
    let reference = rest.rsplit(|byte| *byte == b'&').next();
    let reference = reference.and_then(|reference| core::str::from_utf8(reference).ok());
    let number = reference.and_then(|reference| reference.strip_prefix('#')?.strip_suffix(';'));
    number.is_some_and(|number| match number.strip_prefix('x') {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16) == Ok(13),
        None => number.parse() == Ok(13),
    })
}

crate::checkpoint::checkpointable! {
    enum Context { Content, EscapableText, RawText, Cdata }
}
