//! Escaping and unescaping of text and attribute values: `&` becomes `&amp;`.
//!
//! ```
//! use tagstream::escape;
//!
//! assert_eq!(escape::text("1 < 2 & 3"), "1 &lt; 2 &amp; 3");
//! assert_eq!(escape::attribute("\"a\"\n"), "&quot;a&quot;&#10;");
//! assert_eq!(escape::unescape("1 &lt; 2 &#38; &x33;"), "1 < 2 & &x33;");
//! ```
//!
//! The same characters are escaped for all dialects, and a parser reads the escaped text as the original text. These
//! functions do not check whether the dialect allows all characters of the text; [`Writer`](crate::Writer) does.

use super::check::is_restricted;
use super::error::{Reason, Refusal};
use crate::engine::scan::character_length;
use crate::engine::text::html_references::Match;
use crate::engine::text::numeric::{Number, html_value};
use crate::engine::text::xml_names::{is_char, predefined};
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write};

/// The context of escaped text: an attribute value or content, and the version of XML.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EscapeContext {
    /// True for an attribute value in quotes, false for text.
    pub(crate) is_value: bool,
    /// The version of XML whose characters are allowed: `Some(true)` for 1.1, `Some(false)` for 1.0, `None` for HTML,
    /// which allows all characters except for U+0000.
    pub(crate) xml: Option<bool>,
}

impl EscapeContext {
    /// Returns the set of classes of bytes that may have to be escaped or refused in this context, as the union of the
    /// bits [`SPECIAL`], [`SPECIAL_IN_VALUE`], [`SPECIAL_IN_XML`] and [`SPECIAL_IN_XML11`].
    #[inline(always)]
    fn special_classes(self) -> u8 {
        let in_xml = match self.xml {
            Some(false) => SPECIAL_IN_XML,
            Some(true) => SPECIAL_IN_XML | SPECIAL_IN_XML11,
            None => 0,
        };
        special_classes(self.is_value) | in_xml
    }
}

/// Returns the set of classes of bytes that may have to be escaped in an attribute value (`is_value`) or in text.
#[inline(always)]
pub(crate) fn special_classes(is_value: bool) -> u8 {
    SPECIAL | if is_value { SPECIAL_IN_VALUE } else { 0 }
}

/// Class of the bytes that are escaped or refused everywhere, as a bit.
const SPECIAL: u8 = 1;
/// Class of the bytes that are escaped in attribute values, as a bit.
const SPECIAL_IN_VALUE: u8 = 2;
/// Class of the bytes that may begin a character that is refused in XML, as a bit.
const SPECIAL_IN_XML: u8 = 4;
/// Class of the bytes that may begin a character that is written as a reference in XML 1.1, as a bit.
pub(crate) const SPECIAL_IN_XML11: u8 = 8;

/// Returns the reference that is written for a byte, or `None` for a byte that is written unchanged. `is_value` is true
/// in attribute values, where more bytes are escaped.
#[inline(always)]
const fn reference(byte: u8, is_value: bool) -> Option<&'static str> {
    Some(match byte {
        b'&' => "&amp;",
        b'<' => "&lt;",
        b'>' => "&gt;",
        b'\r' => "&#13;",
        b'"' if is_value => "&quot;",
        b'\t' if is_value => "&#9;",
        b'\n' if is_value => "&#10;",
        _ => return None,
    })
}

/// Appends `text` to `out`. Each character for which `replacement` returns a string is replaced by the string.
/// `replacement` is called with the rest of the text at each byte that is in one of the classes `special`.
#[inline]
pub(crate) fn write_replaced(
    out: &mut impl Write,
    text: &str,
    special: u8,
    replacement: impl Fn(&[u8]) -> Option<&'static str>,
) -> fmt::Result {
    let bytes = text.as_bytes();
    let (mut plain, mut at) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if CLASSES[usize::from(byte)] & special == 0 {
            continue;
        }
        if let Some(replacement) = replacement(&bytes[at - 1..]) {
            out.write_str(&text[plain..at - 1])?;
            out.write_str(replacement)?;
            plain = at - 1 + character_length(byte);
        }
    }
    out.write_str(&text[plain..])
}

/// The classes of each byte.
static CLASSES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            0 => SPECIAL,
            byte if reference(byte, false).is_some() => SPECIAL,
            byte if reference(byte, true).is_some() => SPECIAL_IN_VALUE,
            0x1..=0x1F => SPECIAL_IN_XML,
            // The first byte of U+FFFE and U+FFFF in UTF-8.
            0xEF => SPECIAL_IN_XML,
            // DELETE, and the first byte of U+0080 to U+009F and of U+2028 in UTF-8.
            0x7F | 0xC2 | 0xE2 => SPECIAL_IN_XML11,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Appends `text` to `out`, escaped for a context. Returns an error at the first character that the context does not
/// allow.
#[inline]
pub(crate) fn push(out: &mut String, text: &str, context: EscapeContext) -> Result<(), Refusal> {
    let special = context.special_classes();
    if is_plain(text.as_bytes(), special) {
        out.push_str(text);
        return Ok(());
    }
    push_escaped(out, text, context, special)
}

/// Appends text that may contain bytes of the classes `special`.
#[inline(never)]
fn push_escaped(
    out: &mut String,
    text: &str,
    context: EscapeContext,
    special: u8,
) -> Result<(), Refusal> {
    let (mut plain, mut at) = (0, 0);
    let bytes = text.as_bytes();
    while let Some(found) = find_special(bytes, at, special) {
        at = found + 1;
        let Some(replacement) = reference(bytes[found], true) else {
            push_special(out, text, plain, found, context)?;
            if is_by_reference(text, found, context) {
                plain = found + text[found..].chars().next().map_or(1, char::len_utf8);
            } else {
                // The character is allowed, and is written with the text that follows.
                plain = found;
            }
            continue;
        };
        out.push_str(&text[plain..found]);
        out.push_str(replacement);
        plain = at;
    }
    out.push_str(&text[plain..]);
    Ok(())
}

/// Returns the index of the first byte at or after `at` that is in one of the classes `special`, or `None` if there is
/// none.
fn find_special(bytes: &[u8], mut at: usize, special: u8) -> Option<usize> {
    let position = |bytes: &[u8]| {
        let mut classes = bytes.iter().map(|&byte| CLASSES[usize::from(byte)]);
        classes.position(|class| class & special != 0)
    };
    if special & SPECIAL_IN_XML11 == 0 {
        while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
            if may_be_special(block, special)
                && let Some(found) = position(block)
            {
                return Some(at + found);
            }
            at += BLOCK_BYTES;
        }
    }
    Some(at + position(bytes.get(at..)?)?)
}

/// Returns true if certainly no byte of a string is in one of the classes `special`. Most strings are written without
/// an escape.
///
/// PERF: writing vk.xml takes 8 million instructions less than with `find_special` alone (`valgrind --tool=callgrind`,
/// `benches/peers`).
#[inline]
fn is_plain(bytes: &[u8], special: u8) -> bool {
    if special & SPECIAL_IN_XML11 != 0 {
        return false;
    }
    let is_plain = |block: &_| !may_be_special(block, special);
    let Some(last) = bytes.last_chunk() else {
        let has_class = |&byte: &u8| CLASSES[usize::from(byte)] & special != 0;
        return match short_block(bytes) {
            Some(block) => is_plain(&block),
            None => !bytes.iter().any(has_class),
        };
    };
    bytes.as_chunks().0.iter().all(is_plain) && is_plain(last)
}

/// Number of bytes that [`may_be_special`] tests at once.
const BLOCK_BYTES: usize = 16;

/// Returns false if certainly no byte of a block is in one of the classes `special`, of which [`SPECIAL_IN_XML11`] is
/// not one.
#[inline(always)]
fn may_be_special(block: &[u8; BLOCK_BYTES], special: u8) -> bool {
    match special & SPECIAL_IN_VALUE == 0 {
        true => may_be_special_in_text(block),
        false => may_be_special_in_value(block),
    }
}

/// Like [`may_be_special`], for text, where line feeds are frequent and not special.
///
/// PERF: compilers make 25 vector instructions of this loop, but more than a hundred others if the function is inlined
/// where the block is not in memory.
#[inline(never)]
fn may_be_special_in_text(block: &[u8; BLOCK_BYTES]) -> bool {
    let mut any = 0;
    for &byte in block {
        let is_control = (byte < b' ') & (byte != b'\n') & (byte != b'\t');
        any |= u8::from(is_control | (byte == b'&') | (byte & !2 == b'<') | (byte == 0xEF));
    }
    any != 0
}

/// Like [`may_be_special`], for attribute values.
///
/// PERF: compilers make 24 instructions of two sums, and 70 of one sum, because they then compute both masks in one
/// vector.
#[inline(never)]
fn may_be_special_in_value(block: &[u8; BLOCK_BYTES]) -> bool {
    let (mut any, mut any_bracket) = (0, 0);
    for &byte in block {
        any |= u8::from((byte & !4 == b'"') | (byte < b' '));
        any_bracket |= u8::from((byte & !2 == b'<') | (byte == 0xEF));
    }
    any | any_bracket != 0
}

/// Returns a block that consists of all bytes of a string that is shorter than a block, some of them twice. Returns
/// `None` if the string is too short for that.
#[inline(always)]
fn short_block(bytes: &[u8]) -> Option<[u8; BLOCK_BYTES]> {
    let (first, last) = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => {
            let first = u32::from_le_bytes(*bytes.first_chunk()?);
            let last = u32::from_le_bytes(*bytes.last_chunk()?);
            let both = u64::from(first) | u64::from(last) << 32;
            (both, both)
        }
    };
    Some((u128::from(first) | u128::from(last) << 64).to_le_bytes())
}

/// Returns true if the character at `at` is written as a reference, because the context is XML 1.1.
#[cold]
fn is_by_reference(text: &str, at: usize, context: EscapeContext) -> bool {
    context.xml == Some(true) && text[at..].chars().next().is_some_and(is_restricted)
}

/// Appends the text from `plain` to the character at `at`, whose first byte is special. The character is then appended
/// as a reference if XML 1.1 requires one, is refused if the context does not allow it, or is left to the caller.
#[cold]
fn push_special(
    out: &mut String,
    text: &str,
    plain: usize,
    at: usize,
    context: EscapeContext,
) -> Result<(), Refusal> {
    out.push_str(&text[plain..at]);
    let Some(character) = text[at..].chars().next() else {
        return Ok(());
    };
    if is_by_reference(text, at, context) {
        let _ = write!(out, "&#{};", u32::from(character));
        return Ok(());
    }
    let is_well = match context.xml {
        Some(_) => is_char(character),
        None => character != '\0',
    };
    match is_well {
        true => Ok(()),
        false => Err(Refusal::new(
            Reason::Character,
            character.encode_utf8(&mut [0; 4]),
        )),
    }
}

/// Escapes text for the content of an element: `&`, `<` and `>` become references, and so does a carriage return, which
/// a parser would turn into a newline.
///
/// ```
/// assert_eq!(tagstream::escape::text("<b>"), "&lt;b&gt;");
/// ```
pub fn text(text: &str) -> Cow<'_, str> {
    escaped(text, false)
}

/// Escapes an attribute value for double quotes: in addition to the characters that [`text`] escapes, `"`, tab and
/// newline become references.
///
/// ```
/// assert_eq!(tagstream::escape::attribute("a \"b\""), "a &quot;b&quot;");
/// ```
pub fn attribute(value: &str) -> Cow<'_, str> {
    escaped(value, true)
}

/// Escapes a string as a value (`is_value`) or as text. The characters are not checked.
fn escaped(text: &str, is_value: bool) -> Cow<'_, str> {
    let replacement = |rest: &[u8]| reference(*rest.first()?, is_value);
    if !text.bytes().any(|byte| reference(byte, is_value).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let special = special_classes(is_value);
    write_replaced(&mut out, text, special, replacement)
        .expect("a string takes all that is written to it");
    Cow::Owned(out)
}

/// Replaces references by their characters: the five names of XML (`&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;`) and
/// numbers. All other references remain unchanged.
///
/// ```
/// assert_eq!(tagstream::escape::unescape("&lt;&#x62;&gt; &nbsp;"), "<b> &nbsp;");
/// ```
pub fn unescape(text: &str) -> Cow<'_, str> {
    unescaped(text, |rest| {
        let end = rest
            .bytes()
            .take(MAX_REFERENCE_BYTES)
            .position(|byte| byte == b';')?;
        let name = &rest[..end];
        let character = match name.strip_prefix('#') {
            Some(digits) => {
                let (number, length) = number(digits)?;
                let is_whole = length == digits.len() && !digits.starts_with('X');
                number.character().filter(|&one| is_whole && is_char(one))?
            }
            None => predefined(name)?,
        };
        Some((end + 1, character, None))
    })
}

/// Replaces references by their characters, by the rules of HTML for text: all names of the standard such as `&nbsp;`,
/// some of which need no `;`, and numbers as the standard reads them.
///
/// ```
/// assert_eq!(tagstream::escape::unescape_html("&lt;b&gt; &copy &#x80;"), "<b> © €");
/// ```
pub fn unescape_html(text: &str) -> Cow<'_, str> {
    unescaped(text, html_reference)
}

/// Reads the character reference in the text of HTML whose `&` precedes `rest`. Returns the number of its bytes after the
/// `&`, and the one or two characters that it represents, or `None` if `rest` does not start with a reference.
pub(crate) fn html_reference(rest: &str) -> Option<(usize, char, Option<char>)> {
    if let Some(digits) = rest.strip_prefix('#') {
        let (number, length) = number(digits)?;
        let end = usize::from(digits[length..].starts_with(';'));
        return Some((1 + length + end, html_value(number).0, None));
    }
    let mut name = Match::new();
    for byte in rest.bytes() {
        if !name.can_continue() || !name.step(byte) {
            break;
        }
    }
    let (length, found) = name.longest()?;
    Some((length, found.first, found.second))
}

/// Maximum number of bytes after `&` in which the `;` of a reference is searched. Only references with many leading
/// zeros are longer.
const MAX_REFERENCE_BYTES: usize = 64;

/// Reads the number at the start of `digits`, which is hexadecimal if it begins with `x`. Returns the number and its
/// length in bytes.
fn number(digits: &str) -> Option<(Number, usize)> {
    let mut number = Number::default();
    let hex = digits.strip_prefix(['x', 'X']);
    let digits_alone = hex.unwrap_or(digits).bytes();
    let length = match hex {
        Some(_) => digits_alone
            .take_while(|&byte| number.push_hex(byte))
            .count(),
        None => digits_alone
            .take_while(|&byte| number.push_decimal(byte))
            .count(),
    };
    (length > 0).then_some((number, length + usize::from(hex.is_some())))
}

/// Replaces references in `text`. `reference` receives the text after each `&`. It returns the number of bytes of the
/// reference after the `&`, and the one or two characters that the reference represents, or `None` if there is no
/// reference.
fn unescaped(
    text: &str,
    reference: impl Fn(&str) -> Option<(usize, char, Option<char>)>,
) -> Cow<'_, str> {
    let mut out = String::new();
    let mut plain = 0;
    for at in memchr::memchr_iter(b'&', text.as_bytes()) {
        if let Some((length, first, second)) = reference(&text[at + 1..]) {
            out.push_str(&text[plain..at]);
            out.push(first);
            out.extend(second);
            plain = at + 1 + length;
        }
    }
    if plain == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[plain..]);
    Cow::Owned(out)
}
