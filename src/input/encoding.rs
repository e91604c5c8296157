//! The character encodings that input can be in, and the labels that name them.
//!
//! Two vocabularies give the same label two meanings: the Encoding Standard reads `iso-8859-1` as
//! windows-1252, as the web does; the registry of IANA, which XML refers to, reads it as Latin-1.
//! This file knows labels and names; it must not know how bytes are decoded, nor where in a
//! document a label stands.

use super::labels;
use core::fmt;

/// A character encoding.
///
/// There is every encoding of the WHATWG Encoding Standard, and beside them UTF-32 and those that
/// IANA's registry understands otherwise than that standard: ISO-8859-1, ISO-8859-9 and
/// ISO-8859-11, whose bytes 0x80 to 0x9F are control characters, and US-ASCII, which has no bytes
/// from 0x80 up. Those that are tables can be read with the feature `encodings` alone, which is on by default
/// ([`is_available`](Encoding::is_available)).
///
/// ```
/// use tagstream::Encoding;
///
/// // On the web, `latin1` has long meant windows-1252; in XML it means what it says.
/// assert_eq!(Encoding::for_label(" Latin1 "), Some(Encoding::WINDOWS_1252));
/// assert_eq!(Encoding::for_xml_label("Latin1"), Some(Encoding::LATIN_1));
/// assert_eq!(Encoding::for_label("no such thing"), None);
/// assert_eq!(Encoding::UTF_8.name(), "UTF-8");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding(Scheme);

/// How an encoding's bytes become characters: what the decoder dispatches on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) enum Scheme {
    Utf8,
    Utf16Le,
    Utf16Be,
    Windows1252,
    /// ASCII, and 0x80 to 0xFF as U+F780 to U+F7FF.
    UserDefined,
    /// Nothing is read in it.
    Replacement,
    /// Another encoding of the Encoding Standard: its row in the table of labels.
    Table(u8),
    /// Every byte is the code point of its number.
    Latin1,
    /// windows-1254, but 0x80 to 0x9F are control characters.
    Latin5,
    /// windows-874, but 0x80 to 0x9F are control characters.
    LatinThai,
    /// Seven bits; the eighth is ill-formed.
    Ascii,
    /// Units of four bytes, the low one first.
    Utf32Le,
    /// Units of four bytes, the high one first.
    Utf32Be,
}

const WHITE_SPACE: [char; 5] = ['\t', '\n', '\u{C}', '\r', ' '];

/// Of the rows of labels of encodings without tables.
const OWN: [Scheme; labels::OWN.len()] = [
    Scheme::Utf8,
    Scheme::Utf16Le,
    Scheme::Utf16Be,
    Scheme::Windows1252,
    Scheme::UserDefined,
    Scheme::Replacement,
];

/// What XML calls by other names than the Encoding Standard, or means otherwise: labels in lower
/// case, with one space in between.
const XML_LABELS: &[(Encoding, &str)] = &[
    (
        Encoding::LATIN_1,
        "iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 iso-ir-100 latin1 l1 ibm819 \
         cp819 csisolatin1",
    ),
    (
        Encoding::US_ASCII,
        "us-ascii ascii ansi_x3.4-1968 ansi_x3.4-1986 iso_646.irv:1991 iso646-us iso-ir-6 us \
         ibm367 cp367 csascii",
    ),
    (
        Encoding(Scheme::Latin5),
        "iso-8859-9 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 iso-ir-148 latin5 l5 csisolatin5",
    ),
    (
        Encoding(Scheme::LatinThai),
        "iso-8859-11 iso8859-11 iso885911 tis-620 cstis620",
    ),
    (Encoding::UTF_8, "csutf8"),
    (Encoding::UTF_16LE, "utf-16le csutf16le"),
    // Without a byte-order mark, the unmarked names mean the high byte first (RFC 2781, 4.3).
    (
        Encoding::UTF_16BE,
        "utf-16 csutf16 utf-16be csutf16be iso-10646-ucs-2 ucs-2 csunicode",
    ),
    (Encoding::UTF_32LE, "utf-32le csutf32le"),
    (
        Encoding::UTF_32BE,
        "utf-32 csutf32 utf-32be csutf32be iso-10646-ucs-4 ucs-4 csucs4",
    ),
];

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Self = Self(Scheme::Utf8);
    /// UTF-16, the low byte of each unit first.
    pub const UTF_16LE: Self = Self(Scheme::Utf16Le);
    /// UTF-16, the high byte of each unit first.
    pub const UTF_16BE: Self = Self(Scheme::Utf16Be);
    /// UTF-32, the low byte of each unit first.
    pub const UTF_32LE: Self = Self(Scheme::Utf32Le);
    /// UTF-32, the high byte of each unit first.
    pub const UTF_32BE: Self = Self(Scheme::Utf32Be);
    /// ISO-8859-1 as IANA means it: every byte is the code point of its number.
    pub const LATIN_1: Self = Self(Scheme::Latin1);
    /// US-ASCII as IANA means it: bytes from 0x80 up are ill-formed.
    pub const US_ASCII: Self = Self(Scheme::Ascii);
    /// windows-1252, which the web reads where a document says ISO-8859-1.
    pub const WINDOWS_1252: Self = Self(Scheme::Windows1252);
    /// x-user-defined: ASCII, and 0x80 to 0xFF as U+F780 to U+F7FF.
    pub const X_USER_DEFINED: Self = Self(Scheme::UserDefined);
    /// ISO-2022-JP, in which an escape sequence says what the bytes behind it mean.
    pub(crate) const ISO_2022_JP: Self = Self(Scheme::Table(31));
    /// "replacement", in which nothing is read.
    pub(crate) const REPLACEMENT: Self = Self(Scheme::Replacement);

    /// The encoding that the Encoding Standard gets from a label, in any case, with white space
    /// around it; whether it [is available](Self::is_available) or not.
    ///
    /// Labels that the standard maps to its "replacement" encoding give that: everything in it
    /// decodes to one U+FFFD. UTF-32 has no label there.
    ///
    /// ```
    /// use tagstream::Encoding;
    ///
    /// assert_eq!(Encoding::for_label("\tUTF8\n"), Some(Encoding::UTF_8));
    /// assert_eq!(Encoding::for_label("utf-16"), Some(Encoding::UTF_16LE));
    /// assert_eq!(Encoding::for_label("utf-32"), None);
    /// ```
    #[must_use]
    pub fn for_label(label: &str) -> Option<Self> {
        let label = label.trim_matches(WHITE_SPACE);
        if let Some(own) = labels::find(labels::OWN, label) {
            return Some(Self(OWN[own]));
        }
        let table = labels::find(labels::TABLES, label)?;
        Some(Self(Scheme::Table(table as u8)))
    }

    /// The encoding that a name has in XML: as IANA registers it, where that differs from
    /// [`for_label`](Self::for_label), which answers for all other names.
    ///
    /// `UTF-16`, `UTF-32`, `ISO-10646-UCS-2` and `ISO-10646-UCS-4`, which leave the order of bytes
    /// to a mark, mean the high byte first. Supersets that only give a meaning to bytes which
    /// the registered encoding leaves undefined stay: `gb2312` is GBK, `euc-kr` windows-949.
    ///
    /// ```
    /// use tagstream::Encoding;
    ///
    /// assert_eq!(Encoding::for_xml_label("ISO-8859-1"), Some(Encoding::LATIN_1));
    /// assert_eq!(Encoding::for_xml_label("us-ascii"), Some(Encoding::US_ASCII));
    /// assert_eq!(Encoding::for_xml_label("UTF-32LE"), Some(Encoding::UTF_32LE));
    /// // Here the web has a "replacement" of everything by one U+FFFD; XML has no such thing.
    /// assert_eq!(Encoding::for_xml_label("iso-2022-kr"), None);
    /// ```
    #[must_use]
    pub fn for_xml_label(label: &str) -> Option<Self> {
        let trimmed = label.trim_matches(WHITE_SPACE);
        // PERF: nearly every document's; 18,000 instructions to read all labels (one of 1,000 bytes: 53,000 to 35,000).
        if trimmed.eq_ignore_ascii_case("utf-8") {
            return Some(Encoding::UTF_8);
        }
        for (encoding, labels) in XML_LABELS {
            if labels
                .split(' ')
                .any(|known| known.eq_ignore_ascii_case(trimmed))
            {
                return Some(*encoding);
            }
        }
        Self::for_label(trimmed).filter(|found| *found != Self::REPLACEMENT)
    }

    /// Whether this build of the library reads it: all but the tables of the Encoding Standard are always there,
    /// and these with the feature `encodings`, which is on by default.
    ///
    /// Input in another encoding ends with an error,
    /// [`ErrorKind::UnavailableEncoding`](crate::ErrorKind::UnavailableEncoding).
    ///
    /// ```
    /// use tagstream::Encoding;
    ///
    /// assert!(Encoding::UTF_16LE.is_available() && Encoding::WINDOWS_1252.is_available());
    /// let is_there = Encoding::for_label("koi8-r").is_some_and(Encoding::is_available);
    /// assert_eq!(is_there, cfg!(feature = "encodings"));
    /// ```
    #[must_use]
    pub fn is_available(self) -> bool {
        let is_table = matches!(
            self.0,
            Scheme::Table(_) | Scheme::Latin5 | Scheme::LatinThai
        );
        cfg!(feature = "encodings") || !is_table
    }

    /// The encoding's name, as the Encoding Standard or IANA spells it.
    ///
    /// ```
    /// use tagstream::Encoding;
    ///
    /// assert_eq!(Encoding::for_label("sjis").map(Encoding::name), Some("Shift_JIS"));
    /// assert_eq!(Encoding::LATIN_1.name(), "ISO-8859-1");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Scheme::Utf8 => "UTF-8",
            Scheme::Utf16Le => "UTF-16LE",
            Scheme::Utf16Be => "UTF-16BE",
            Scheme::Windows1252 => "windows-1252",
            Scheme::UserDefined => "x-user-defined",
            Scheme::Replacement => "replacement",
            Scheme::Table(row) => labels::TABLES[usize::from(row)].0,
            Scheme::Latin1 => "ISO-8859-1",
            Scheme::Latin5 => "ISO-8859-9",
            Scheme::LatinThai => "ISO-8859-11",
            Scheme::Ascii => "US-ASCII",
            Scheme::Utf32Le => "UTF-32LE",
            Scheme::Utf32Be => "UTF-32BE",
        }
    }

    /// Is it UTF-8?
    ///
    /// ```
    /// use tagstream::Encoding;
    ///
    /// assert!(Encoding::UTF_8.is_utf8());
    /// assert!(!Encoding::US_ASCII.is_utf8());
    /// ```
    #[must_use]
    pub fn is_utf8(self) -> bool {
        self == Self::UTF_8
    }

    /// Do bytes below 0x80 mean ASCII characters wherever a character begins? They do not in
    /// UTF-16, UTF-32, ISO-2022-JP and "replacement".
    ///
    /// ```
    /// use tagstream::Encoding;
    ///
    /// assert!(Encoding::WINDOWS_1252.is_ascii_compatible());
    /// assert!(!Encoding::UTF_16LE.is_ascii_compatible());
    /// ```
    #[must_use]
    pub fn is_ascii_compatible(self) -> bool {
        let is_wide = matches!(
            self.0,
            Scheme::Utf16Le | Scheme::Utf16Be | Scheme::Utf32Le | Scheme::Utf32Be
        );
        !is_wide && self != Self::REPLACEMENT && self != Self::ISO_2022_JP
    }

    /// So many bytes are written at most for a byte of text, but for UTF-8, of which the text is the bytes.
    pub(crate) fn bytes_for_text(self) -> usize {
        match self.0 {
            _ if self.is_utf8() => 0,
            Scheme::Utf32Le | Scheme::Utf32Be => 4,
            _ if self == Encoding::ISO_2022_JP => 4,
            _ => 2,
        }
    }

    /// How its bytes become characters.
    pub(crate) fn scheme(self) -> Scheme {
        self.0
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Encoding({})", self.name())
    }
}

#[cfg(feature = "checkpoints")]
impl crate::saved::Saved for Encoding {
    fn save<S: serde_core::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serde_core::Serialize::serialize(&self.0, to)
    }

    fn load<'de, D: serde_core::Deserializer<'de>>(from: D) -> Result<Encoding, D::Error> {
        let scheme: Scheme = serde_core::Deserialize::deserialize(from)?;
        match scheme {
            Scheme::Table(row) if usize::from(row) >= labels::TABLES.len() => {
                Err(serde_core::de::Error::custom("no such encoding"))
            }
            _ => Ok(Encoding(scheme)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_the_web() {
        for (label, name) in [
            ("utf-8", Some("UTF-8")),
            ("Unicode-1-1-UTF-8", Some("UTF-8")),
            ("ascii", Some("windows-1252")),
            ("iso-8859-1", Some("windows-1252")),
            ("iso-8859-9", Some("windows-1254")),
            ("tis-620", Some("windows-874")),
            ("gb2312", Some("GBK")),
            ("utf-16", Some("UTF-16LE")),
            ("iso-2022-kr", Some("replacement")),
            ("\u{C}\r x-user-defined\t\n", Some("x-user-defined")),
            ("utf-32", None),
            ("", None),
            ("\u{A0}utf-8", None),
        ] {
            assert_eq!(
                Encoding::for_label(label).map(Encoding::name),
                name,
                "{label}"
            );
        }
    }

    #[test]
    fn labels_are_those_of_encoding_rs() {
        let mut count = 0;
        for (name, labels) in labels::OWN.iter().chain(labels::TABLES) {
            for label in *labels {
                let right = encoding_rs::Encoding::for_label(label.as_bytes());
                assert_eq!(
                    right.map(encoding_rs::Encoding::name),
                    Some(*name),
                    "{label}"
                );
                let encoding = Encoding::for_label(&label.to_uppercase()).expect(label);
                assert_eq!(encoding.name(), *name, "{label}");
                let is_compatible = right.is_some_and(|right| right.is_ascii_compatible());
                assert_eq!(encoding.is_ascii_compatible(), is_compatible, "{label}");
                count += 1;
            }
        }
        // So many are in the standard.
        assert_eq!(count, 228);
        assert_eq!(Encoding::ISO_2022_JP.name(), "ISO-2022-JP");
    }

    #[test]
    fn names_in_xml() {
        for (label, name) in [
            ("UTF-8", Some("UTF-8")),
            ("csUTF8", Some("UTF-8")),
            ("ASCII", Some("US-ASCII")),
            ("ANSI_X3.4-1968", Some("US-ASCII")),
            (" ISO_8859-1:1987 ", Some("ISO-8859-1")),
            ("cp819", Some("ISO-8859-1")),
            ("windows-1252", Some("windows-1252")),
            ("latin5", Some("ISO-8859-9")),
            ("TIS-620", Some("ISO-8859-11")),
            ("windows-874", Some("windows-874")),
            ("iso-8859-2", Some("ISO-8859-2")),
            ("gb2312", Some("GBK")),
            ("UTF-16", Some("UTF-16BE")),
            ("UTF-16LE", Some("UTF-16LE")),
            ("utf-16be", Some("UTF-16BE")),
            ("UTF-32", Some("UTF-32BE")),
            ("UTF-32LE", Some("UTF-32LE")),
            ("ISO-10646-UCS-4", Some("UTF-32BE")),
            ("hz-gb-2312", None),
            ("klingon", None),
            ("", None),
        ] {
            assert_eq!(
                Encoding::for_xml_label(label).map(Encoding::name),
                name,
                "{label}"
            );
        }
    }

    #[test]
    fn no_label_has_two_meanings() {
        let all = || XML_LABELS.iter().flat_map(|row| row.1.split(' '));
        for label in all() {
            assert_eq!(all().filter(|other| *other == label).count(), 1, "{label}");
            assert!(!label.is_empty());
        }
    }
}
