//! Detection of the encoding of an HTML document: the standard's ["encoding sniffing
//! algorithm"](https://html.spec.whatwg.org/multipage/parsing.html#encoding-sniffing-algorithm).
//!
//! Names in quotation marks are names in that algorithm. The prescan has its own definitions of tags and comments,
//! which differ from those of the tokenizer.

use core::str;

use super::{Opened, Opening, Sniffed, Source, UNICODE_MARKS, opening, pattern};
use crate::engine::input::encoding::Encoding;

/// Patterns that the prescan recognizes if the caller gives no certain encoding.
const HTML_PATTERNS: &[Opening] = &[
    pattern(b"<\x00?\x00x\x00", Encoding::UTF_16LE),
    pattern(b"\x00<\x00?\x00x", Encoding::UTF_16BE),
];

/// Number of bytes that are prescanned.
const PRESCAN: usize = 1024;

/// Detects the encoding of an HTML document with the standard's "encoding sniffing algorithm".
#[derive(Clone, Debug, Default)]
pub(crate) struct HtmlSniffer {
    /// Index up to which the input was prescanned. A tag or comment that was incomplete may start there.
    looked: usize,
}

impl HtmlSniffer {
    /// Examines a prefix of the input, which grows from call to call. Answers as soon as no further byte can change the
    /// answer. `finished` is true if no further bytes follow.
    ///
    /// An incomplete tag or comment is examined again from its start in the next call. The cost is bounded, because at
    /// most 1024 bytes are examined.
    pub(crate) fn sniff(
        &mut self,
        prefix: &[u8],
        finished: bool,
        certain: Option<Encoding>,
        hint: Option<Encoding>,
    ) -> Option<Sniffed> {
        let finished = finished || prefix.len() >= PRESCAN;
        let prefix = &prefix[..prefix.len().min(PRESCAN)];
        match opening(UNICODE_MARKS, prefix, finished) {
            Opened::As(sniffed) => return Some(sniffed),
            Opened::Undecided => return None,
            Opened::NotAtAll => {}
        }
        if let Some(encoding) = certain {
            return Some(Sniffed::new(encoding, Source::Caller));
        }
        match opening(HTML_PATTERNS, prefix, finished) {
            Opened::As(sniffed) => return Some(sniffed),
            Opened::Undecided => return None,
            Opened::NotAtAll => {}
        }
        if let Some(encoding) = self.prescan(prefix) {
            return Some(Sniffed::new(encoding, Source::Declaration));
        }
        if !finished {
            return None;
        }
        Some(match (xml_encoding(prefix), hint) {
            (Some(encoding), _) => Sniffed::new(encoding, Source::Declaration),
            (None, Some(encoding)) => Sniffed::new(encoding, Source::Hint),
            (None, None) => Sniffed::new(Encoding::UTF_8, Source::Open),
        })
    }

    /// "Prescan a byte stream to determine its encoding", from its third step. Returns `None` if the bytes ran out.
    fn prescan(&mut self, bytes: &[u8]) -> Option<Encoding> {
        while let Some(first) = bytes.get(self.looked..).and_then(<[u8]>::first) {
            if *first != b'<' {
                self.looked += 1;
                continue;
            }
            let mut scan = Scan {
                bytes,
                position: self.looked,
            };
            let found = scan.markup()?;
            if found.is_some() {
                return found;
            }
            // The step named "next byte".
            self.looked = scan.position + 1;
        }
        None
    }
}

/// A position in the bytes that are prescanned. Methods return `None` if the bytes ran out.
struct Scan<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Scan<'a> {
    /// Performs one round of the prescan's loop at a `<`, and moves to the last byte of the construct that starts
    /// there. Returns the encoding if the construct is a `meta` that declares one.
    fn markup(&mut self) -> Option<Option<Encoding>> {
        let rest = &self.bytes[self.position..];
        if rest.starts_with(b"<!--") {
            // The search starts at the hyphens that open the comment, because they may also close it: `<!-->`.
            let close = rest[2..].windows(3).position(|three| three == b"-->")?;
            self.position += 2 + close + 2;
            return Some(None);
        }
        let name = match rest {
            [_, b'/', name @ ..] => name,
            [_, name @ ..] => name,
            [] => return None,
        };
        if starts_with_ignoring_case(rest, b"<meta") && is_space_or_solidus(*rest.get(5)?) {
            self.position += 5;
            return self.meta();
        }
        if name.first()?.is_ascii_alphabetic() {
            while !is_space(self.byte()?) && self.byte()? != b'>' {
                self.position += 1;
            }
            while self.attribute()?.is_some() {}
        } else if matches!(rest.get(1)?, b'!' | b'/' | b'?') {
            while self.byte()? != b'>' {
                self.position += 1;
            }
        }
        Some(None)
    }

    /// Examines the attributes of a `meta`, and performs their "processing" step.
    fn meta(&mut self) -> Option<Option<Encoding>> {
        let (mut http_equiv, mut content, mut charset) = (false, false, false);
        let mut got_pragma = false;
        let mut need_pragma = None;
        // `None`, or the result of getting an encoding from a label, which may itself be `None`.
        let mut encoding: Option<Option<Encoding>> = None;
        while let Some((name, value)) = self.attribute()? {
            // Only these three names matter, and only the first attribute of each name.
            if name.eq_ignore_ascii_case(b"http-equiv") {
                got_pragma |= !http_equiv && value.eq_ignore_ascii_case(b"content-type");
                http_equiv = true;
            } else if name.eq_ignore_ascii_case(b"content") {
                if !content
                    && encoding.is_none()
                    && let Some(found) = from_content(value)
                {
                    encoding = Some(Some(found));
                    need_pragma = Some(true);
                }
                content = true;
            } else if name.eq_ignore_ascii_case(b"charset") {
                if !charset {
                    encoding = Some(from_label(value));
                    need_pragma = Some(false);
                }
                charset = true;
            }
        }
        let pragma = need_pragma.is_some_and(|need| !need || got_pragma);
        let found = encoding.flatten().filter(|_| pragma).map(not_utf_16);
        Some(found.map(not_user_defined))
    }

    /// "Get an attribute". Returns the name and the value as written, without converting them to lower case.
    fn attribute(&mut self) -> Option<Option<(&'a [u8], &'a [u8])>> {
        while is_space_or_solidus(self.byte()?) {
            self.position += 1;
        }
        if self.byte()? == b'>' {
            return Some(None);
        }
        let start = self.position;
        loop {
            match self.byte()? {
                b'=' if self.position > start => break,
                byte if is_space_or_solidus(byte) || byte == b'>' => break,
                _ => self.position += 1,
            }
        }
        let name = &self.bytes[start..self.position];
        self.skip_spaces()?;
        // If the name is followed directly by a solidus or `>`, this is not an equals sign either.
        if self.byte()? != b'=' {
            return Some(Some((name, b"")));
        }
        self.position += 1;
        self.skip_spaces()?;
        let first = self.byte()?;
        let start = self.position;
        if matches!(first, b'"' | b'\'') {
            self.position += 1;
            while self.byte()? != first {
                self.position += 1;
            }
            self.position += 1;
            return Some(Some((name, &self.bytes[start + 1..self.position - 1])));
        }
        while !is_space(self.byte()?) && self.byte()? != b'>' {
            self.position += 1;
        }
        Some(Some((name, &self.bytes[start..self.position])))
    }

    fn skip_spaces(&mut self) -> Option<()> {
        while is_space(self.byte()?) {
            self.position += 1;
        }
        Some(())
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }
}

/// Returns the encoding that a `meta` element with these attributes declares. During parsing, its start tag changes
/// the encoding to this one.
pub(crate) fn meta_encoding(
    charset: Option<&str>,
    http_equiv: Option<&str>,
    content: Option<&str>,
) -> Option<Encoding> {
    let declared = charset.and_then(Encoding::for_label).or_else(|| {
        let is_content_type = http_equiv?.eq_ignore_ascii_case("content-type");
        from_content(content.filter(|_| is_content_type)?.as_bytes())
    })?;
    Some(not_user_defined(not_utf_16(declared)))
}

/// "Extracting a character encoding from a `meta` element".
fn from_content(content: &[u8]) -> Option<Encoding> {
    let mut rest = content;
    loop {
        let found = rest
            .windows(7)
            .position(|seven| seven.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[found + 7..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            rest = value.trim_ascii_start();
            break;
        }
    }
    let quote = *rest.first()?;
    if matches!(quote, b'"' | b'\'') {
        let length = rest[1..].iter().position(|byte| *byte == quote)?;
        return from_label(&rest[1..=length]);
    }
    let end = rest
        .iter()
        .position(|byte| is_space(*byte) || *byte == b';');
    from_label(&rest[..end.unwrap_or(rest.len())])
}

/// "Get an XML encoding", for bytes that start like an XML declaration.
fn xml_encoding(bytes: &[u8]) -> Option<Encoding> {
    const WORD: &[u8] = b"encoding";
    if !bytes.starts_with(b"<?xml") {
        return None;
    }
    let end = bytes.iter().position(|byte| *byte == b'>')?;
    let word = bytes[..end]
        .windows(WORD.len())
        .position(|window| window == WORD)?;
    let rest = skip_controls(&bytes[word + WORD.len()..]).strip_prefix(b"=")?;
    let (quote, rest) = skip_controls(rest).split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = &rest[..rest.iter().position(|byte| byte == quote)?];
    if label.iter().any(|byte| *byte <= b' ') {
        return None;
    }
    from_label(label).map(not_utf_16)
}

fn skip_controls(bytes: &[u8]) -> &[u8] {
    let length = bytes.iter().take_while(|byte| **byte <= b' ').count();
    &bytes[length..]
}

fn from_label(label: &[u8]) -> Option<Encoding> {
    Encoding::for_label(str::from_utf8(label).ok()?)
}

/// Replaces UTF-16 by UTF-8: the label was readable as ASCII, so the document cannot be UTF-16.
fn not_utf_16(encoding: Encoding) -> Encoding {
    let wide = encoding == Encoding::UTF_16LE || encoding == Encoding::UTF_16BE;
    if wide { Encoding::UTF_8 } else { encoding }
}

/// Replaces x-user-defined by windows-1252, as the standard says.
fn not_user_defined(encoding: Encoding) -> Encoding {
    if encoding == Encoding::X_USER_DEFINED {
        Encoding::WINDOWS_1252
    } else {
        encoding
    }
}

fn starts_with_ignoring_case(bytes: &[u8], start: &[u8]) -> bool {
    bytes
        .get(..start.len())
        .is_some_and(|bytes| bytes.eq_ignore_ascii_case(start))
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

fn is_space_or_solidus(byte: u8) -> bool {
    is_space(byte) || byte == b'/'
}

crate::checkpoint::checkpointable! {
    struct HtmlSniffer { looked }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::super::tests::answer;
    use super::*;

    #[test]
    fn html() {
        let cases: &[(&[u8], &str)] = &[
            (b"\xEF\xBB\xBF<", "UTF-8 3 ByteOrderMark @3"),
            (b"\xFF\xFE\0\0", "UTF-16LE 2 ByteOrderMark @2"),
            (b"\xFE\xFF", "UTF-16BE 2 ByteOrderMark @2"),
            (b"<\0?\0x\0", "UTF-16LE 0 Pattern @6"),
            (b"\0<\0?\0x", "UTF-16BE 0 Pattern @6"),
            (b"<\0?\0y\0", "UTF-8 0 Open @end"),
            (b"", "UTF-8 0 Open @end"),
            (b"<p><meta charset=koi8-r>", "KOI8-R 0 Declaration @24"),
            (b"<META/CharSet = 'Koi8-R'x>", "KOI8-R 0 Declaration @26"),
            (b"<meta charset=koi8-r", "UTF-8 0 Open @end"),
            (b"<meta charset=koi8-r <p>", "KOI8-R 0 Declaration @24"),
            (b"<meta charset=utf-16be>", "UTF-8 0 Declaration @23"),
            (
                b"<meta charset=x-user-defined>",
                "windows-1252 0 Declaration @29",
            ),
            (
                b"<meta charset=klingon><meta charset=sjis>",
                "Shift_JIS 0 Declaration @41",
            ),
            (b"<meta charset=klingon charset=sjis>", "UTF-8 0 Open @end"),
            (b"<meta =charset=sjis>", "UTF-8 0 Open @end"),
            (b"<meta = charset=sjis>", "Shift_JIS 0 Declaration @21"),
            (
                b"<meta charset=big5 content=charset=sjis>",
                "Big5 0 Declaration @40",
            ),
            (b"<meta charset=>sjis>", "UTF-8 0 Open @end"),
            (b"<metal charset=sjis>", "UTF-8 0 Open @end"),
            (b"<meta content='charset=sjis'>", "UTF-8 0 Open @end"),
            (
                b"<meta content='a charset; charset = \"sjis\"' http-equiv=Content-Type>",
                "Shift_JIS 0 Declaration @68",
            ),
            (
                b"<meta http-equiv=content-type content='charset=\"sjis'>",
                "UTF-8 0 Open @end",
            ),
            (
                b"<meta http-equiv=content-type content=charset=sjis;x charset=big5>",
                "Big5 0 Declaration @66",
            ),
            // A `charset` with an unknown label still overrides `content`.
            (
                b"<meta content=charset=sjis charset=x http-equiv=content-type>",
                "UTF-8 0 Open @end",
            ),
            (b"<!--><meta charset=sjis>", "Shift_JIS 0 Declaration @24"),
            (b"<!--<meta charset=sjis>-->", "UTF-8 0 Open @end"),
            (b"<a title='<meta charset=sjis>'>", "UTF-8 0 Open @end"),
            (b"</a title='<meta charset=sjis>'>", "UTF-8 0 Open @end"),
            (b"</ title='<meta charset=sjis>'>", "UTF-8 0 Open @end"),
            (b"<! a><meta charset=sjis>", "Shift_JIS 0 Declaration @24"),
            (b"<1<meta charset=sjis>", "Shift_JIS 0 Declaration @21"),
            (b"<?xml encoding = 'sjis'?>", "Shift_JIS 0 Declaration @end"),
            (b"<?xml encoding='utf-16'?>", "UTF-8 0 Declaration @end"),
            (b"<?xml encoding='sj is'?>", "UTF-8 0 Open @end"),
            (b"<?xml encoding='sjis'", "UTF-8 0 Open @end"),
            (
                b"<?xml encoding='sjis'?><meta charset=big5>",
                "Big5 0 Declaration @42",
            ),
        ];
        for (input, expected) in cases {
            let mut sniffer = HtmlSniffer::default();
            let (sniffed, told) =
                answer(input, |prefix, end| sniffer.sniff(prefix, end, None, None));
            assert_eq!(told, *expected, "{}", input.escape_ascii());
            let whole = HtmlSniffer::default().sniff(input, true, None, None);
            assert_eq!(whole, Some(sniffed), "whole: {}", input.escape_ascii());
        }
    }

    #[test]
    fn html_with_a_caller_and_a_hint() {
        let (koi8, big5) = (Encoding::for_label("koi8-r"), Encoding::for_label("big5"));
        for (input, certain, hint, expected) in [
            (&b"\xFE\xFF"[..], koi8, big5, "UTF-16BE 2 ByteOrderMark @2"),
            (b"<meta charset=sjis>", koi8, big5, "KOI8-R 0 Caller @1"),
            (b"<\0?\0x\0", koi8, None, "KOI8-R 0 Caller @1"),
            (b"", koi8, None, "KOI8-R 0 Caller @end"),
            (
                b"<meta charset=sjis>",
                None,
                big5,
                "Shift_JIS 0 Declaration @19",
            ),
            (b"<p>", None, big5, "Big5 0 Hint @end"),
        ] {
            let mut sniffer = HtmlSniffer::default();
            let (_, told) = answer(input, |prefix, end| {
                sniffer.sniff(prefix, end, certain, hint)
            });
            assert_eq!(told, expected);
        }
    }

    #[test]
    fn html_stops_at_byte_1024() {
        const META: &[u8] = b"<meta charset=sjis>";
        for (spaces, expected) in [
            (1024 - META.len(), "Shift_JIS 0 Declaration @1024"),
            (1024 - META.len() + 1, "UTF-8 0 Open @1024"),
        ] {
            let input: Vec<u8> = [&b" ".repeat(spaces)[..], META, b"<meta charset=big5>"].concat();
            let mut sniffer = HtmlSniffer::default();
            let (_, told) = answer(&input, |prefix, end| sniffer.sniff(prefix, end, None, None));
            assert_eq!(told, expected);
        }
    }
}
