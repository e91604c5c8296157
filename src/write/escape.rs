//! Text and values as markup writes them, and back: `&` becomes `&amp;`.
//!
//! ```
//! use tagstream::escape;
//!
//! assert_eq!(escape::text("1 < 2 & 3"), "1 &lt; 2 &amp; 3");
//! assert_eq!(escape::attribute("\"a\"\n"), "&quot;a&quot;&#10;");
//! assert_eq!(escape::unescape("1 &lt; 2 &#38; &x33;"), "1 < 2 & &x33;");
//! ```
//!
//! What is escaped is the same in all dialects, and nothing is lost: what a parser reads is what was given.
//! Which characters a dialect has is another question, which [`Writer`](crate::Writer) asks.

use super::check::is_restricted;
use super::error::{Reason, Refusal};
use crate::engine::text::html_references::Match;
use crate::engine::text::numeric::{Number, html_value};
use crate::engine::text::xml_names::{is_char, predefined};
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write};

/// The context of escaped text: an attribute value or content, and the version of XML.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EscapeContext {
    /// Between quotes.
    pub(crate) is_value: bool,
    /// Characters that have to be XML's, of 1.0 or of 1.1.
    pub(crate) xml: Option<bool>,
}

impl EscapeContext {
    /// Returns the classes of bytes that may need to be escaped.
    #[inline(always)]
    fn odd_classes(self) -> u8 {
        let in_xml = match self.xml {
            Some(true) => ODD_IN_XML | ODD_IN_XML11,
            Some(false) => ODD_IN_XML,
            None => 0,
        };
        match self.is_value {
            true => ODD | ODD_IN_VALUE | in_xml,
            false => ODD | in_xml,
        }
    }
}

/// Bytes that are written otherwise, or may be the first of a character that is.
const ODD: u8 = 1;
/// The same in values.
const ODD_IN_VALUE: u8 = 2;
/// The same in XML.
const ODD_IN_XML: u8 = 4;
/// The same in XML 1.1.
const ODD_IN_XML11: u8 = 8;

/// The reference that is written for a byte: in text and in values, or in values only.
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

/// Writes text, with the replacement of each ASCII byte that has one.
pub(crate) fn write_replaced(
    out: &mut impl Write,
    text: &str,
    replacement: impl Fn(u8) -> Option<&'static str>,
) -> fmt::Result {
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if let Some(replacement) = replacement(byte) {
            out.write_str(&text[plain..at])?;
            out.write_str(replacement)?;
            plain = at + 1;
        }
    }
    out.write_str(&text[plain..])
}

static CLASSES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            0 => ODD,
            byte if reference(byte, false).is_some() => ODD,
            byte if reference(byte, true).is_some() => ODD_IN_VALUE,
            0x1..=0x1F => ODD_IN_XML,
            // U+FFFE and U+FFFF begin with it.
            0xEF => ODD_IN_XML,
            // U+0080 to U+009F, and U+2028.
            0x7F | 0xC2 | 0xE2 => ODD_IN_XML11,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Writes text, escaped for a context.
#[inline]
pub(crate) fn push(out: &mut String, text: &str, context: EscapeContext) -> Result<(), Refusal> {
    let odd = context.odd_classes();
    let (mut plain, mut at, mut looked_to) = (0, 0, 0);
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        // PERF: eight at once, of which hardly ever one is odd: 2 of 16 million instructions of a write of ml.xml
        // (`valgrind --tool=callgrind`, `benches/peers`).
        if at >= looked_to
            && let Some(eight) = bytes[at..].first_chunk::<8>()
        {
            let classes = eight.map(|byte| CLASSES[usize::from(byte)]);
            if classes.iter().fold(0, |all, class| all | class) & odd == 0 {
                at += 8;
                continue;
            }
            looked_to = at + 8;
        }
        at += 1;
        if CLASSES[usize::from(byte)] & odd == 0 {
            continue;
        }
        let Some(replacement) = reference(byte, true) else {
            push_odd(out, text, plain, at - 1, context)?;
            if is_by_reference(text, at - 1, context) {
                plain = at - 1 + text[at - 1..].chars().next().map_or(1, char::len_utf8);
            } else {
                // What was looked at stays.
                plain = at - 1;
            }
            continue;
        };
        out.push_str(&text[plain..at - 1]);
        out.push_str(replacement);
        plain = at;
    }
    out.push_str(&text[plain..]);
    Ok(())
}

/// Whether XML 1.1 writes the character as a reference.
#[cold]
fn is_by_reference(text: &str, at: usize, context: EscapeContext) -> bool {
    context.xml == Some(true) && text[at..].chars().next().is_some_and(is_restricted)
}

/// Writes what is plain before a character that may be odd, and that if it is.
#[cold]
fn push_odd(
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

/// Escapes an attribute value for double quotes: as [`text`] does, and `"`, tab and newline become references.
///
/// ```
/// assert_eq!(tagstream::escape::attribute("a \"b\""), "a &quot;b&quot;");
/// ```
pub fn attribute(value: &str) -> Cow<'_, str> {
    escaped(value, true)
}

fn escaped(text: &str, is_value: bool) -> Cow<'_, str> {
    let replacement = |byte| reference(byte, is_value);
    if !text.bytes().any(|byte| replacement(byte).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    write_replaced(&mut out, text, replacement).expect("a string takes all that is written to it");
    Cow::Owned(out)
}

/// Text without its references: the five names that all markup knows (`&amp;`, `&lt;`, `&gt;`, `&quot;`,
/// `&apos;`) and numbers. What is none of these stays as it is.
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

/// The same by the rules of HTML for text: all its names, `&nbsp;` among them, some without their `;`, and
/// numbers as the standard reads them.
///
/// ```
/// assert_eq!(tagstream::escape::unescape_html("&lt;b&gt; &copy &#x80;"), "<b> © €");
/// ```
pub fn unescape_html(text: &str) -> Cow<'_, str> {
    unescaped(text, |rest| {
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
    })
}

/// The number of a reference without `;` has more digits for no character, zeros aside.
const MAX_REFERENCE_BYTES: usize = 64;

/// The number that digits begin with, `x` before those of base 16, and how long it is.
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

/// Text with what `reference` reads after each `&`: how long that is, and one character or two.
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
