//! Detection of a document's encoding from its first bytes ("sniffing").
//!
//! A sniffer is called with a growing prefix of the input until it returns an answer, which it does at the first byte
//! that decides. This file contains the parts that XML and HTML share and the algorithm for XML; the one for HTML is
//! in `sniff/html.rs`.

use core::str;

use super::encoding::Encoding;

pub(crate) mod html;

/// The result of a sniffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sniffed {
    pub(crate) encoding: Encoding,
    /// Length in bytes of the byte-order mark, which is not part of the text; 0 if there is none.
    pub(crate) mark: usize,
    pub(crate) source: Source,
    /// True if the document declares an encoding with an unknown name.
    pub(crate) unknown: bool,
}

/// The information that determined the encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A byte-order mark at the start of the input.
    ByteOrderMark,
    /// The pattern of the first characters, each of which is spread over two or four bytes.
    Pattern,
    /// The program specified the encoding as certain.
    Caller,
    /// A declaration in the document: XML's declaration, or the result of HTML's prescan.
    Declaration,
    /// The program specified the encoding as a hint.
    Hint,
    /// There was no information, so the default encoding is used.
    Default,
    /// There was no information yet. The first bytes outside ASCII will decide (see `open.rs`).
    Open,
}

impl Sniffed {
    /// Returns whether a `meta` element in an HTML document may still change the encoding: the standard's confidence
    /// is "tentative", and the encoding is not UTF-16.
    pub(crate) fn is_tentative(&self) -> bool {
        let utf_16 = [Encoding::UTF_16LE, Encoding::UTF_16BE].contains(&self.encoding);
        let told = matches!(
            self.source,
            Source::Declaration | Source::Hint | Source::Default | Source::Open
        );
        told && !utf_16
    }

    /// Returns whether the first bytes outside ASCII decide the encoding.
    pub(crate) fn is_open(&self) -> bool {
        self.source == Source::Open
    }

    fn new(encoding: Encoding, source: Source) -> Self {
        Self {
            encoding,
            mark: 0,
            source,
            unknown: false,
        }
    }
}

/// Bytes at the very start of a document that determine the encoding. The first `mark` of them are a byte-order mark.
struct Opening {
    bytes: &'static [u8],
    mark: usize,
    encoding: Encoding,
}

const fn mark(bytes: &'static [u8], encoding: Encoding) -> Opening {
    Opening {
        bytes,
        mark: bytes.len(),
        encoding,
    }
}

const fn pattern(bytes: &'static [u8], encoding: Encoding) -> Opening {
    Opening {
        bytes,
        mark: 0,
        encoding,
    }
}

const XML_OPENINGS: &[Opening] = &[
    mark(b"\xEF\xBB\xBF", Encoding::UTF_8),
    mark(b"\xFE\xFF", Encoding::UTF_16BE),
    mark(b"\xFF\xFE", Encoding::UTF_16LE),
    mark(b"\x00\x00\xFE\xFF", Encoding::UTF_32BE),
    mark(b"\xFF\xFE\x00\x00", Encoding::UTF_32LE),
    pattern(b"\x00<\x00?", Encoding::UTF_16BE),
    pattern(b"<\x00?\x00", Encoding::UTF_16LE),
    pattern(b"\x00\x00\x00<", Encoding::UTF_32BE),
    pattern(b"<\x00\x00\x00", Encoding::UTF_32LE),
];

const UNICODE_MARKS: &[Opening] = &[
    mark(b"\xEF\xBB\xBF", Encoding::UTF_8),
    mark(b"\xFE\xFF", Encoding::UTF_16BE),
    mark(b"\xFF\xFE", Encoding::UTF_16LE),
];

/// Detects a byte-order mark of UTF-8 or UTF-16. Without one, the encoding is UTF-8.
pub(crate) fn sniff_mark(prefix: &[u8], finished: bool) -> Option<Sniffed> {
    match opening(UNICODE_MARKS, prefix, finished) {
        Opened::As(sniffed) => Some(sniffed),
        Opened::Undecided => None,
        Opened::NotAtAll => Some(Sniffed::new(Encoding::UTF_8, Source::Default)),
    }
}

/// Returns the result for a document that is fed as a string: it is UTF-8, whatever the document declares.
pub(crate) fn of_text(prefix: &[u8]) -> Sniffed {
    Sniffed {
        source: Source::Caller,
        ..utf8(prefix, true).unwrap_or(Sniffed::new(Encoding::UTF_8, Source::Caller))
    }
}

/// Result of comparing the first bytes with a list of openings.
enum Opened {
    As(Sniffed),
    Undecided,
    NotAtAll,
}

/// Finds the longest opening that `prefix` starts with. The result is undecided while more bytes could make an
/// opening fit.
fn opening(openings: &[Opening], prefix: &[u8], finished: bool) -> Opened {
    // PERF: most documents start like this, and none of the nine comparisons is made.
    if let [b'<', second, ..] = prefix
        && *second != 0
    {
        return Opened::NotAtAll;
    }
    let mut found: Option<&Opening> = None;
    for opening in openings {
        if prefix.starts_with(opening.bytes) {
            if found.is_none_or(|shorter| shorter.bytes.len() < opening.bytes.len()) {
                found = Some(opening);
            }
        } else if !finished && opening.bytes.starts_with(prefix) {
            return Opened::Undecided;
        }
    }
    let Some(opening) = found else {
        return Opened::NotAtAll;
    };
    let source = if opening.mark > 0 {
        Source::ByteOrderMark
    } else {
        Source::Pattern
    };
    Opened::As(Sniffed {
        mark: opening.mark,
        ..Sniffed::new(opening.encoding, source)
    })
}

/// Detects the encoding for a dialect that is always UTF-8: only a byte-order mark of UTF-8 is recognized.
pub(crate) fn utf8(prefix: &[u8], finished: bool) -> Option<Sniffed> {
    match opening(&XML_OPENINGS[..1], prefix, finished) {
        Opened::As(sniffed) => Some(sniffed),
        Opened::Undecided => None,
        Opened::NotAtAll => Some(Sniffed::new(Encoding::UTF_8, Source::Default)),
    }
}

/// Maximum number of whitespace characters before an XML declaration. A document with more of them has no declaration.
pub(crate) const MAX_LEADING_SPACES: usize = 1024;

/// Returns true for the whitespace of XML.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Finds the pattern of UTF-16 or UTF-32 that follows whitespace in the same encoding. The result is undecided while more
/// bytes could make a pattern fit.
fn spaced_pattern(prefix: &[u8], finished: bool) -> Opened {
    if !prefix
        .first()
        .is_some_and(|byte| *byte == 0 || is_space(*byte))
    {
        return Opened::NotAtAll;
    }
    for pattern in XML_OPENINGS.iter().filter(|opening| opening.mark == 0) {
        // The patterns of UTF-16 have two characters, those of UTF-32 have one.
        let unit = match pattern.bytes.contains(&b'?') {
            true => 2,
            false => 4,
        };
        let fits = |(byte, expected): (&u8, &u8)| match expected {
            0 => *byte == 0,
            _ => is_space(*byte),
        };
        let is_blank = |one: &[u8]| one.iter().zip(pattern.bytes).all(fits);
        let units = prefix.chunks_exact(unit).take(MAX_LEADING_SPACES);
        let spaces = units.take_while(|one| is_blank(one)).count();
        let rest = &prefix[spaces * unit..];
        if spaces > 0 && rest.starts_with(pattern.bytes) {
            return Opened::As(Sniffed::new(pattern.encoding, Source::Pattern));
        }
        let may_continue = spaces < MAX_LEADING_SPACES && rest.len() < unit && is_blank(rest);
        if !finished && (may_continue || pattern.bytes.starts_with(rest)) {
            return Opened::Undecided;
        }
    }
    Opened::NotAtAll
}

/// Detects the encoding of an XML document or external entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct XmlSniffer {
    /// Number of bytes of whitespace at the start that were passed over.
    leading: usize,
    /// Number of bytes examined so far, with those of the whitespace.
    looked: usize,
    place: DeclarationPosition,
    /// True if the previous byte is a question mark, so that `>` would end the declaration.
    questioned: bool,
}

/// Position of the sniffer in the grammar of the XML declaration. `start` is an index in the input; `wanted` is true
/// if the pseudo-attribute is `encoding`.
#[derive(Clone, Copy, Debug, Default)]
enum DeclarationPosition {
    /// In `<?xml` or before it.
    #[default]
    Opening,
    /// Before a pseudo-attribute or the end.
    Between,
    /// In a name that starts at `start`.
    Name { start: usize },
    /// After a name, in whitespace.
    AfterName { wanted: bool },
    /// After an equals sign.
    BeforeValue { wanted: bool },
    /// In a value that starts at `start`.
    Value {
        wanted: bool,
        quote: u8,
        start: usize,
    },
    /// In something ill-formed, which is skipped up to whitespace.
    Unreadable,
}

/// The beginning of most XML declarations, up to the value of `encoding`.
///
/// PERF: the byte-by-byte examination of this text takes 1,300 instructions, 5 % of those for the events of a document
/// of 1,000 bytes (`valgrind --tool=callgrind`).
const USUAL_DECLARATION: &[u8] = b"<?xml version=\"1.0\" encoding=\"";

impl XmlSniffer {
    /// Examines a prefix of the input, which grows from call to call. Answers as soon as no further byte can change the
    /// answer. `finished` is true if no further bytes follow. `skips_space` is true if at most [`MAX_LEADING_SPACES`] may
    /// precede the declaration.
    pub(crate) fn sniff(
        &mut self,
        prefix: &[u8],
        finished: bool,
        certain: Option<Encoding>,
        skips_space: bool,
    ) -> Option<Sniffed> {
        // PERF: most documents without a declaration begin like this. The rest of this function has the same result, and
        // is a twentieth of the code that a very short document takes.
        if let [b'<', second, ..] = prefix
            && !matches!(second, 0 | b'?')
            && self.looked == 0
        {
            return Some(match certain {
                Some(encoding) => Sniffed::new(encoding, Source::Caller),
                None => Sniffed::new(Encoding::UTF_8, Source::Default),
            });
        }
        let mut opened = opening(XML_OPENINGS, prefix, finished);
        if skips_space && matches!(opened, Opened::NotAtAll) {
            opened = spaced_pattern(prefix, finished);
        }
        match opened {
            Opened::As(sniffed) => return Some(sniffed),
            Opened::Undecided => return None,
            Opened::NotAtAll => {}
        }
        if let Some(encoding) = certain {
            return Some(Sniffed::new(encoding, Source::Caller));
        }
        while skips_space
            && self.looked == self.leading
            && self.leading < MAX_LEADING_SPACES
            && prefix.get(self.leading).is_some_and(|byte| is_space(*byte))
        {
            self.leading += 1;
            self.looked += 1;
        }
        if self.looked == self.leading && prefix[self.leading..].starts_with(USUAL_DECLARATION) {
            self.looked += USUAL_DECLARATION.len();
            self.place = DeclarationPosition::Value {
                wanted: true,
                quote: b'"',
                start: self.looked,
            };
        }
        while let Some(byte) = prefix.get(self.looked) {
            if let Some(sniffed) = self.declaration(prefix, *byte) {
                return Some(sniffed);
            }
            self.looked += 1;
        }
        finished.then_some(Sniffed::new(Encoding::UTF_8, Source::Default))
    }

    /// Examines one byte of the declaration.
    ///
    /// The declaration ends at the first `?>`, even within a value. An ill-formed pseudo-attribute counts as absent,
    /// and examination continues after it.
    fn declaration(&mut self, prefix: &[u8], byte: u8) -> Option<Sniffed> {
        const OPENING: &[u8] = b"<?xml";
        let at = self.looked;
        let space = is_space(byte);
        let ends = self.questioned && byte == b'>';
        let in_opening = OPENING.get(at - self.leading);
        self.questioned = byte == b'?' && in_opening.is_none();
        let nothing = Some(Sniffed::new(Encoding::UTF_8, Source::Default));
        if ends {
            return nothing;
        }
        if let DeclarationPosition::Opening = self.place {
            self.place = match in_opening {
                Some(expected) if byte == *expected => DeclarationPosition::Opening,
                None if space => DeclarationPosition::Between,
                None if byte == b'?' => DeclarationPosition::Unreadable,
                _ => return nothing,
            };
            return None;
        }
        if let DeclarationPosition::Value {
            wanted: true,
            quote,
            start,
        } = self.place
            && byte == quote
        {
            return Some(declared(prefix.get(start..at).unwrap_or_default()));
        }
        self.place = self.next_place(prefix, byte, space);
        None
    }

    /// Returns the position after a byte that neither ends the declaration nor the name of the encoding.
    fn next_place(&self, prefix: &[u8], byte: u8, space: bool) -> DeclarationPosition {
        use DeclarationPosition::{
            AfterName, BeforeValue, Between, Name, Opening, Unreadable, Value,
        };
        let at = self.looked;
        match self.place {
            Unreadable if space => Between,
            Between | AfterName { .. } | BeforeValue { .. } if space => self.place,
            Name { start } if space || byte == b'=' => {
                let wanted = prefix.get(start..at) == Some(b"encoding");
                match space {
                    true => AfterName { wanted },
                    false => BeforeValue { wanted },
                }
            }
            AfterName { wanted } if byte == b'=' => BeforeValue { wanted },
            BeforeValue { wanted } if matches!(byte, b'"' | b'\'') => Value {
                wanted,
                quote: byte,
                start: at + 1,
            },
            Opening | Unreadable | BeforeValue { .. } => Unreadable,
            Value { quote, .. } if byte == quote => Between,
            Between | Name { .. } | AfterName { .. }
                if matches!(byte, b'"' | b'\'' | b'?' | b'=') =>
            {
                Unreadable
            }
            Name { .. } | Value { .. } => self.place,
            Between | AfterName { .. } => Name { start: at },
        }
    }
}

/// Returns the result for the encoding name in an XML declaration.
///
/// The declaration was readable as ASCII, so a declaration of UTF-16 or UTF-32 cannot be correct and is overruled by
/// UTF-8.
fn declared(label: &[u8]) -> Sniffed {
    let encoding = str::from_utf8(label).ok().and_then(Encoding::for_xml_label);
    let wide = [
        Encoding::UTF_16LE,
        Encoding::UTF_16BE,
        Encoding::UTF_32LE,
        Encoding::UTF_32BE,
    ];
    let believed = encoding.filter(|encoding| !wide.contains(encoding));
    Sniffed {
        unknown: encoding.is_none(),
        ..Sniffed::new(believed.unwrap_or(Encoding::UTF_8), Source::Declaration)
    }
}

crate::checkpoint::checkpointable! {
    struct Sniffed { encoding, mark, source, unknown }
    enum Source { ByteOrderMark, Pattern, Caller, Declaration, Hint, Default, Open }
    struct XmlSniffer { leading, looked, place, questioned }
    enum DeclarationPosition {
        Opening, Between, Name { start }, AfterName { wanted }, BeforeValue { wanted },
        Value { wanted, quote, start }, Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;
    use alloc::{format, string::String};

    use super::*;

    /// Calls a sniffer with all prefixes in turn. Describes the answer and the number of bytes after which it came.
    pub(super) fn answer(
        input: &[u8],
        mut sniff: impl FnMut(&[u8], bool) -> Option<Sniffed>,
    ) -> (Sniffed, String) {
        let early = (0..=input.len()).find_map(|at| Some((sniff(&input[..at], false)?, at)));
        let (sniffed, at) = match early {
            Some((sniffed, at)) => (sniffed, format!("{at}")),
            None => (
                sniff(input, true).expect("an answer at the end"),
                String::from("end"),
            ),
        };
        let Sniffed {
            encoding,
            mark,
            source,
            unknown,
        } = sniffed;
        let unknown = if unknown { " unknown" } else { "" };
        (
            sniffed,
            format!("{} {mark} {source:?}{unknown} @{at}", encoding.name()),
        )
    }

    fn check_xml(input: &[u8], certain: Option<Encoding>, skips_space: bool, expected: &str) {
        let mut sniffer = XmlSniffer::default();
        let (sniffed, told) = answer(input, |prefix, end| {
            sniffer.sniff(prefix, end, certain, skips_space)
        });
        let shown = input.escape_ascii();
        assert_eq!(told, expected, "{shown}");
        let whole = XmlSniffer::default().sniff(input, true, certain, skips_space);
        assert_eq!(whole, Some(sniffed), "whole: {shown}");
        // An answer that was given before the end must not change, whatever follows.
        if !told.ends_with("end") {
            for more in ["", "\0\0", " encoding='koi8-r'?>", "'", "\""] {
                let longer = [input, more.as_bytes()].concat();
                let whole = XmlSniffer::default().sniff(&longer, true, certain, skips_space);
                assert_eq!(whole, Some(sniffed), "with {more:?}: {shown}");
            }
        }
    }

    #[test]
    fn xml_without_a_caller() {
        let cases: &[(&[u8], &str)] = &[
            // Inputs with a byte-order mark.
            (
                b"\xEF\xBB\xBF<?xml version='1.0' encoding='latin1'?>",
                "UTF-8 3 ByteOrderMark @3",
            ),
            (b"\xFE\xFF\0<", "UTF-16BE 2 ByteOrderMark @2"),
            (b"\xFF\xFE<\0", "UTF-16LE 2 ByteOrderMark @3"),
            (b"\xFF\xFE\0a", "UTF-16LE 2 ByteOrderMark @4"),
            (b"\xFF\xFE", "UTF-16LE 2 ByteOrderMark @end"),
            (b"\xFF\xFE\0", "UTF-16LE 2 ByteOrderMark @end"),
            (b"\xFF\xFE\0\0<\0\0\0", "UTF-32LE 4 ByteOrderMark @4"),
            (b"\0\0\xFE\xFF\0\0\0<", "UTF-32BE 4 ByteOrderMark @4"),
            // Inputs with a part of a byte-order mark.
            (b"\xEF\xBBx", "UTF-8 0 Default @3"),
            (b"\xEF\xBB", "UTF-8 0 Default @end"),
            (b"\xFEx", "UTF-8 0 Default @2"),
            (b"\0\0\xFEx", "UTF-8 0 Default @4"),
            // Inputs that are recognized by the pattern of their first characters.
            (b"\0<\0?\0x", "UTF-16BE 0 Pattern @4"),
            (b"<\0?\0x\0", "UTF-16LE 0 Pattern @4"),
            (b"\0\0\0<", "UTF-32BE 0 Pattern @4"),
            (b"<\0\0\0", "UTF-32LE 0 Pattern @4"),
            (b"<\0a\0", "UTF-8 0 Default @3"),
            (b"\0<\0a", "UTF-8 0 Default @4"),
            // Inputs without an XML declaration.
            (b"", "UTF-8 0 Default @end"),
            (b"x", "UTF-8 0 Default @1"),
            (b"<a>", "UTF-8 0 Default @2"),
            (b"<", "UTF-8 0 Default @end"),
            (b"<?xm", "UTF-8 0 Default @end"),
            (b"<?xml", "UTF-8 0 Default @end"),
            (b"<?xmp encoding='latin1'?>", "UTF-8 0 Default @5"),
            (
                b"<?xml-stylesheet encoding='latin1'?>",
                "UTF-8 0 Default @6",
            ),
            (b"<?XML encoding='latin1'?>", "UTF-8 0 Default @3"),
            (b" <?xml encoding='latin1'?>", "UTF-8 0 Default @1"),
            (b"\0\n\0<\0?", "UTF-8 0 Default @2"),
            // Inputs with an XML declaration.
            (
                b"<?xml version='1.0' encoding='latin1'?>",
                "ISO-8859-1 0 Declaration @37",
            ),
            (
                b"<?xml\tencoding\r\n = \n\"Shift_JIS\" ?>",
                "Shift_JIS 0 Declaration @31",
            ),
            (
                b"<?xml version='1.0'?><a encoding='latin1'/>",
                "UTF-8 0 Default @21",
            ),
            (b"<?xml?> encoding='latin1'", "UTF-8 0 Default @7"),
            (b"<?xml ?> encoding='latin1'", "UTF-8 0 Default @8"),
            (b"<?xml version='1.0", "UTF-8 0 Default @end"),
            (b"<?xml encoding='utf-16'?>", "UTF-8 0 Declaration @23"),
            (b"<?xml encoding='UTF-32LE'?>", "UTF-8 0 Declaration @25"),
            (
                b"<?xml encoding='klingon'?>",
                "UTF-8 0 Declaration unknown @24",
            ),
            (b"<?xml encoding=''?>", "UTF-8 0 Declaration unknown @17"),
            (
                b"<?xml encoding='\xFF'?>",
                "UTF-8 0 Declaration unknown @18",
            ),
            // The word `encoding` in other places.
            (
                b"<?xml a=\" encoding='koi8-r'\" encoding='l1'?>",
                "ISO-8859-1 0 Declaration @42",
            ),
            (b"<?xml a=' encoding=\"koi8-r\"'?>", "UTF-8 0 Default @30"),
            (b"<?xml xencoding='koi8-r'?>", "UTF-8 0 Default @26"),
            (b"<?xml encodings='koi8-r'?>", "UTF-8 0 Default @26"),
            (b"<?xml Encoding='koi8-r'?>", "UTF-8 0 Default @25"),
            (b"<?xml 'encoding='koi8-r'?>", "UTF-8 0 Default @26"),
            // The first readable pseudo-attribute in an ill-formed declaration.
            (
                b"<?xml encoding='l1' encoding='koi8-r'?>",
                "ISO-8859-1 0 Declaration @19",
            ),
            (
                b"<?xml encoding=koi8-r encoding='l1'?>",
                "ISO-8859-1 0 Declaration @35",
            ),
            (
                b"<?xml encoding encoding='l1'?>",
                "ISO-8859-1 0 Declaration @28",
            ),
            (b"<?xml ? > encoding='l1'?>", "ISO-8859-1 0 Declaration @23"),
            (
                b"<?xml a='b'encoding='l1'?>",
                "ISO-8859-1 0 Declaration @24",
            ),
            (b"<?xml encoding='l1?>'", "UTF-8 0 Default @20"),
            (b"<?xml encoding=?>'l1'", "UTF-8 0 Default @17"),
            (b"<?xml encoding??>'l1'", "UTF-8 0 Default @17"),
        ];
        for (input, expected) in cases {
            check_xml(input, None, false, expected);
        }
    }

    #[test]
    fn xml_with_a_caller() {
        let cases: &[(&[u8], &str)] = &[
            (b"\xEF\xBB\xBF<", "UTF-8 3 ByteOrderMark @3"),
            (b"\0<\0?\0x", "UTF-16BE 0 Pattern @4"),
            (b"<?xml encoding='latin1'?>", "KOI8-R 0 Caller @2"),
            (b"<", "KOI8-R 0 Caller @end"),
            (b"", "KOI8-R 0 Caller @end"),
            (b"x", "KOI8-R 0 Caller @1"),
        ];
        for (input, expected) in cases {
            check_xml(input, Encoding::for_label("koi8-r"), false, expected);
        }
    }

    #[test]
    fn xml_after_white_space() {
        let cases: &[(&[u8], &str)] = &[
            (
                b"\n<?xml encoding='latin1'?>",
                "ISO-8859-1 0 Declaration @24",
            ),
            (
                b"\t \r\n<?xml version=\"1.0\" encoding=\"latin1\"?>",
                "ISO-8859-1 0 Declaration @41",
            ),
            (b" <?xml?> encoding='latin1'", "UTF-8 0 Default @8"),
            (
                b" \xEF\xBB\xBF<?xml encoding='latin1'?>",
                "UTF-8 0 Default @2",
            ),
            (b"\x0C<?xml encoding='latin1'?>", "UTF-8 0 Default @1"),
            (b" <a>", "UTF-8 0 Default @3"),
            (b" x", "UTF-8 0 Default @2"),
            (b" \n", "UTF-8 0 Default @end"),
            // UTF-16 and UTF-32.
            (b"\0\n\0<\0?", "UTF-16BE 0 Pattern @6"),
            (b"\0\n\0 \0<\0?", "UTF-16BE 0 Pattern @8"),
            (b"\n\0<\0?\0", "UTF-16LE 0 Pattern @6"),
            (b"\n\0 \0\r\0<\0?\0", "UTF-16LE 0 Pattern @10"),
            (b"\0\0\0\n\0\0\0<", "UTF-32BE 0 Pattern @8"),
            (b"\n\0\0\0\t\0\0\0<\0\0\0", "UTF-32LE 0 Pattern @12"),
            (b"\n\0<\0a\0", "UTF-8 0 Default @5"),
            (b"\0\n\0<\0a", "UTF-8 0 Default @6"),
            (b"\n\0\0x", "UTF-8 0 Default @4"),
            (b"\n\0 ", "UTF-8 0 Default @end"),
        ];
        for (input, expected) in cases {
            check_xml(input, None, true, expected);
        }
        let caller = Encoding::for_label("koi8-r");
        check_xml(
            b" <?xml encoding='l1'?>",
            caller,
            true,
            "KOI8-R 0 Caller @2",
        );
        check_xml(b"\0 \0<\0?", caller, true, "UTF-16BE 0 Pattern @6");
    }

    #[test]
    fn xml_after_too_much_white_space() {
        for unit in [&b"\n"[..], b"\0\n", b"\n\0", b"\0\0\0\n", b"\n\0\0\0"] {
            let declaration = b"<?xml encoding='latin1'?>".iter();
            let declaration: Vec<u8> = declaration
                .flat_map(|ascii| {
                    unit.iter()
                        .map(move |byte| if *byte == 0 { 0 } else { *ascii })
                })
                .collect();
            let encoding = |spaces: usize| {
                let input = [unit.repeat(spaces), declaration.clone()].concat();
                let whole = XmlSniffer::default().sniff(&input, true, None, true);
                let (sniffed, _) = {
                    let mut sniffer = XmlSniffer::default();
                    answer(&input, |prefix, end| sniffer.sniff(prefix, end, None, true))
                };
                assert_eq!(whole, Some(sniffed), "{spaces} of {unit:?}");
                sniffed.encoding
            };
            assert_ne!(encoding(MAX_LEADING_SPACES), Encoding::UTF_8, "{unit:?}");
            assert_eq!(
                encoding(MAX_LEADING_SPACES + 1),
                Encoding::UTF_8,
                "{unit:?}"
            );
        }
    }
}
