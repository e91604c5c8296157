//! Which encoding a document is in, found out from its first bytes.
//!
//! A sniffer is shown a growing beginning of the input and answers at the byte that settles the
//! matter. What XML and HTML have in common is here, and XML's algorithm; HTML's is in
//! `src/input/sniff/html.rs`. This file must not know how bytes are decoded,
//! and reads of a document only what its algorithms read.

use core::str;

use super::encoding::Encoding;

pub(crate) mod html;

/// The answer of a sniffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub struct Sniffed {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) encoding: Encoding,
    /// How many bytes the byte-order mark has, which is not part of the text.
    pub(crate) mark: usize,
    pub(crate) source: Source,
    /// The document declares an encoding by a name that nobody knows.
    pub(crate) unknown: bool,
}

/// Where the answer is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) enum Source {
    /// A byte-order mark.
    Mark,
    /// The first characters, which are spread over two or four bytes each.
    Pattern,
    /// The caller, who is certain.
    Caller,
    /// What the document declares: XML's declaration, or what HTML's prescan finds.
    Declaration,
    /// The caller, who has a hint.
    Hint,
    /// Nothing said anything.
    Default,
    /// Nothing said anything, and what the first bytes beyond ASCII are will tell.
    Open,
}

impl Sniffed {
    /// Whether an HTML document may still say better: the standard's confidence is "tentative", and
    /// the encoding is one in which it can be said.
    pub(crate) fn is_tentative(&self) -> bool {
        let utf_16 = [Encoding::UTF_16LE, Encoding::UTF_16BE].contains(&self.encoding);
        let told = matches!(
            self.source,
            Source::Declaration | Source::Hint | Source::Default | Source::Open
        );
        told && !utf_16
    }

    /// Whether the first bytes beyond ASCII will tell.
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

/// Bytes at the very beginning that tell the encoding, and how many of them are a mark.
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

/// The encoding that a byte-order mark of UTF-8 or UTF-16 says; UTF-8 if there is none.
pub(crate) fn sniff_mark(prefix: &[u8], finished: bool) -> Option<Sniffed> {
    match opening(UNICODE_MARKS, prefix, finished) {
        Opened::As(sniffed) => Some(sniffed),
        Opened::Undecided => None,
        Opened::NotAtAll => Some(Sniffed::new(Encoding::UTF_8, Source::Default)),
    }
}

/// The answer for a string, which is UTF-8 whatever it says of itself.
pub(crate) fn of_text(prefix: &[u8]) -> Sniffed {
    Sniffed {
        source: Source::Caller,
        ..utf8(prefix, true).unwrap_or(Sniffed::new(Encoding::UTF_8, Source::Caller))
    }
}

/// What the first bytes say of a list of openings.
enum Opened {
    As(Sniffed),
    Undecided,
    NotAtAll,
}

/// Of two openings that fit the longer is meant; while one may yet fit, nothing is decided.
fn opening(openings: &[Opening], prefix: &[u8], finished: bool) -> Opened {
    // PERF: most documents; of nine comparisons none is made.
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
        Source::Mark
    } else {
        Source::Pattern
    };
    Opened::As(Sniffed {
        mark: opening.mark,
        ..Sniffed::new(opening.encoding, source)
    })
}

/// The answer for a dialect that is always UTF-8: only a byte-order mark is looked for.
pub(crate) fn utf8(prefix: &[u8], finished: bool) -> Option<Sniffed> {
    match opening(&XML_OPENINGS[..1], prefix, finished) {
        Opened::As(sniffed) => Some(sniffed),
        Opened::Undecided => None,
        Opened::NotAtAll => Some(Sniffed::new(Encoding::UTF_8, Source::Default)),
    }
}

/// Finds the encoding of an XML document or external entity.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct XmlSniffer {
    /// How many bytes of the declaration were read.
    looked: usize,
    place: Place,
    /// The byte before was a question mark, which `>` makes the end.
    questioned: bool,
}

/// Where in the XML declaration the sniffer is. Names and values are kept as places in the input.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
enum Place {
    /// In `<?xml` or before it.
    #[default]
    Opening,
    /// Before a pseudo-attribute or the end.
    Between,
    /// In a name that began here.
    Name { start: usize },
    /// After a name, in white space.
    AfterName { wanted: bool },
    /// After an equals sign.
    BeforeValue { wanted: bool },
    /// In a value that began here.
    Value {
        wanted: bool,
        quote: u8,
        start: usize,
    },
    /// In what cannot be read, up to white space.
    Unreadable,
}

impl XmlSniffer {
    /// Looks at the input's beginning, which only grows from call to call, and answers as soon as
    /// no further byte can change the answer; `finished` says that there are no further bytes.
    pub(crate) fn sniff(
        &mut self,
        prefix: &[u8],
        finished: bool,
        certain: Option<Encoding>,
    ) -> Option<Sniffed> {
        match opening(XML_OPENINGS, prefix, finished) {
            Opened::As(sniffed) => return Some(sniffed),
            Opened::Undecided => return None,
            Opened::NotAtAll => {}
        }
        if let Some(encoding) = certain {
            return Some(Sniffed::new(encoding, Source::Caller));
        }
        while let Some(byte) = prefix.get(self.looked) {
            if let Some(sniffed) = self.declaration(prefix, *byte) {
                return Some(sniffed);
            }
            self.looked += 1;
        }
        finished.then_some(Sniffed::new(Encoding::UTF_8, Source::Default))
    }

    /// Reads one byte of the declaration.
    ///
    /// It ends at the first `?>`, in a value as well. A pseudo-attribute that cannot be read counts
    /// as absent, and reading goes on after it.
    fn declaration(&mut self, prefix: &[u8], byte: u8) -> Option<Sniffed> {
        const OPENING: &[u8] = b"<?xml";
        let at = self.looked;
        let space = matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let ends = self.questioned && byte == b'>';
        self.questioned = byte == b'?' && at >= OPENING.len();
        let nothing = Some(Sniffed::new(Encoding::UTF_8, Source::Default));
        if ends {
            return nothing;
        }
        self.place = match self.place {
            Place::Opening => match OPENING.get(at) {
                Some(expected) if byte == *expected => Place::Opening,
                None if space => Place::Between,
                None if byte == b'?' => Place::Unreadable,
                _ => return nothing,
            },
            Place::Between | Place::Unreadable | Place::AfterName { .. } if space => {
                match self.place {
                    Place::Unreadable => Place::Between,
                    same => same,
                }
            }
            Place::Unreadable => Place::Unreadable,
            Place::Name { start } if space || byte == b'=' => {
                let wanted = prefix.get(start..at) == Some(b"encoding");
                if space {
                    Place::AfterName { wanted }
                } else {
                    Place::BeforeValue { wanted }
                }
            }
            Place::AfterName { wanted } if byte == b'=' => Place::BeforeValue { wanted },
            Place::BeforeValue { wanted } => match byte {
                b'"' | b'\'' => Place::Value {
                    wanted,
                    quote: byte,
                    start: at + 1,
                },
                _ if space => self.place,
                _ => Place::Unreadable,
            },
            Place::Value {
                wanted,
                quote,
                start,
            } => {
                if byte == quote && wanted {
                    return Some(declared(prefix.get(start..at).unwrap_or_default()));
                }
                if byte == quote {
                    Place::Between
                } else {
                    self.place
                }
            }
            Place::Between | Place::Name { .. } | Place::AfterName { .. } => match byte {
                b'"' | b'\'' | b'?' | b'=' => Place::Unreadable,
                _ => match self.place {
                    Place::Name { start } => Place::Name { start },
                    _ => Place::Name { start: at },
                },
            },
        };
        None
    }
}

/// The encoding that an XML declaration names.
///
/// It was read as ASCII, so a name of UTF-16 or UTF-32 cannot be true, and is overruled.
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

#[cfg(test)]
mod tests {
    use alloc::{format, string::String};

    use super::*;

    /// Shows a sniffer all beginnings in turn, and says what it answered and after which byte.
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

    fn check_xml(input: &[u8], certain: Option<Encoding>, expected: &str) {
        let mut sniffer = XmlSniffer::default();
        let (sniffed, told) = answer(input, |prefix, end| sniffer.sniff(prefix, end, certain));
        let shown = input.escape_ascii();
        assert_eq!(told, expected, "{shown}");
        let whole = XmlSniffer::default().sniff(input, true, certain);
        assert_eq!(whole, Some(sniffed), "whole: {shown}");
        // Whatever follows, the answer stays, if it was given before the end.
        if !told.ends_with("end") {
            for more in ["", "\0\0", " encoding='koi8-r'?>", "'", "\""] {
                let longer = [input, more.as_bytes()].concat();
                let whole = XmlSniffer::default().sniff(&longer, true, certain);
                assert_eq!(whole, Some(sniffed), "with {more:?}: {shown}");
            }
        }
    }

    #[test]
    fn xml_without_a_caller() {
        let cases: &[(&[u8], &str)] = &[
            // Marks.
            (
                b"\xEF\xBB\xBF<?xml version='1.0' encoding='latin1'?>",
                "UTF-8 3 Mark @3",
            ),
            (b"\xFE\xFF\0<", "UTF-16BE 2 Mark @2"),
            (b"\xFF\xFE<\0", "UTF-16LE 2 Mark @3"),
            (b"\xFF\xFE\0a", "UTF-16LE 2 Mark @4"),
            (b"\xFF\xFE", "UTF-16LE 2 Mark @end"),
            (b"\xFF\xFE\0", "UTF-16LE 2 Mark @end"),
            (b"\xFF\xFE\0\0<\0\0\0", "UTF-32LE 4 Mark @4"),
            (b"\0\0\xFE\xFF\0\0\0<", "UTF-32BE 4 Mark @4"),
            // Halves of marks.
            (b"\xEF\xBBx", "UTF-8 0 Default @3"),
            (b"\xEF\xBB", "UTF-8 0 Default @end"),
            (b"\xFEx", "UTF-8 0 Default @2"),
            (b"\0\0\xFEx", "UTF-8 0 Default @4"),
            // Patterns.
            (b"\0<\0?\0x", "UTF-16BE 0 Pattern @4"),
            (b"<\0?\0x\0", "UTF-16LE 0 Pattern @4"),
            (b"\0\0\0<", "UTF-32BE 0 Pattern @4"),
            (b"<\0\0\0", "UTF-32LE 0 Pattern @4"),
            (b"<\0a\0", "UTF-8 0 Default @3"),
            (b"\0<\0a", "UTF-8 0 Default @4"),
            // No declaration.
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
            // Declarations.
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
            // The word elsewhere.
            (
                b"<?xml a=\" encoding='koi8-r'\" encoding='l1'?>",
                "ISO-8859-1 0 Declaration @42",
            ),
            (b"<?xml a=' encoding=\"koi8-r\"'?>", "UTF-8 0 Default @30"),
            (b"<?xml xencoding='koi8-r'?>", "UTF-8 0 Default @26"),
            (b"<?xml encodings='koi8-r'?>", "UTF-8 0 Default @26"),
            (b"<?xml Encoding='koi8-r'?>", "UTF-8 0 Default @25"),
            (b"<?xml 'encoding='koi8-r'?>", "UTF-8 0 Default @26"),
            // The first that can be read, of what is not well-formed.
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
            check_xml(input, None, expected);
        }
    }

    #[test]
    fn xml_with_a_caller() {
        let cases: &[(&[u8], &str)] = &[
            (b"\xEF\xBB\xBF<", "UTF-8 3 Mark @3"),
            (b"\0<\0?\0x", "UTF-16BE 0 Pattern @4"),
            (b"<?xml encoding='latin1'?>", "KOI8-R 0 Caller @2"),
            (b"<", "KOI8-R 0 Caller @end"),
            (b"", "KOI8-R 0 Caller @end"),
            (b"x", "KOI8-R 0 Caller @1"),
        ];
        for (input, expected) in cases {
            check_xml(input, Encoding::for_label("koi8-r"), expected);
        }
    }
}
