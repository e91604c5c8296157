//! Character encodings of the input, their names and labels.
//!
//! The same label can mean two encodings: the Encoding standard maps `iso-8859-1` to windows-1252, as browsers do;
//! the IANA registry, which XML refers to, defines it as Latin-1. Each vocabulary has a function of its own
//! ([`Encoding::for_label`], [`Encoding::for_xml_label`]).

use super::labels;
use core::fmt;

/// A character encoding.
///
/// There are all encodings of the WHATWG Encoding Standard and UTF-32. There are also four encodings that IANA's
/// registry defines differently from that standard: ISO-8859-1, ISO-8859-9 and ISO-8859-11, in which the bytes 0x80
/// to 0x9F are control characters, and US-ASCII, in which bytes from 0x80 up are ill-formed. Encodings that need
/// tables can be decoded only with the feature `encodings`, which is on by default
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

/// The decoding algorithm of an encoding.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Scheme {
    Utf8,
    Utf16Le,
    Utf16Be,
    Windows1252,
    /// x-user-defined: ASCII, and the bytes 0x80 to 0xFF decode to U+F780 to U+F7FF.
    UserDefined,
    /// The "replacement" encoding of the Encoding standard, in which the whole input decodes to one U+FFFD.
    Replacement,
    /// An encoding of the Encoding standard that needs a table. The number is its row in [`labels::TABLES`].
    Table(u8),
    /// ISO-8859-1: every byte is the code point with the same number.
    Latin1,
    /// ISO-8859-9: like windows-1254, but 0x80 to 0x9F are control characters.
    Latin5,
    /// ISO-8859-11: like windows-874, but 0x80 to 0x9F are control characters.
    LatinThai,
    /// US-ASCII: bytes from 0x80 up are ill-formed.
    Ascii,
    /// UTF-32, little-endian.
    Utf32Le,
    /// UTF-32, big-endian.
    Utf32Be,
}

const WHITE_SPACE: [char; 5] = ['\t', '\n', '\u{C}', '\r', ' '];

/// The encodings of the rows of [`labels::OWN`], in the same order.
const OWN: [Scheme; labels::OWN.len()] = [
    Scheme::Utf8,
    Scheme::Utf16Le,
    Scheme::Utf16Be,
    Scheme::Windows1252,
    Scheme::UserDefined,
    Scheme::Replacement,
];

/// Names in XML that the Encoding standard lacks or maps to another encoding: labels in lower case, separated by
/// single spaces.
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
    // Without a byte-order mark, these names mean big-endian (RFC 2781, 4.3).
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
    /// UTF-16, little-endian.
    pub const UTF_16LE: Self = Self(Scheme::Utf16Le);
    /// UTF-16, big-endian.
    pub const UTF_16BE: Self = Self(Scheme::Utf16Be);
    /// UTF-32, little-endian.
    pub const UTF_32LE: Self = Self(Scheme::Utf32Le);
    /// UTF-32, big-endian.
    pub const UTF_32BE: Self = Self(Scheme::Utf32Be);
    /// ISO-8859-1 as IANA defines it: every byte is the code point with the same number.
    pub const LATIN_1: Self = Self(Scheme::Latin1);
    /// US-ASCII as IANA defines it: bytes from 0x80 up are ill-formed.
    pub const US_ASCII: Self = Self(Scheme::Ascii);
    /// windows-1252, which browsers use for documents that declare ISO-8859-1.
    pub const WINDOWS_1252: Self = Self(Scheme::Windows1252);
    /// x-user-defined: ASCII, and the bytes 0x80 to 0xFF decode to U+F780 to U+F7FF.
    pub const X_USER_DEFINED: Self = Self(Scheme::UserDefined);
    /// ISO-2022-JP, in which escape sequences select the character set of the bytes that follow.
    pub(crate) const ISO_2022_JP: Self = Self(Scheme::Table(31));
    /// The "replacement" encoding, in which the whole input decodes to one U+FFFD.
    pub(crate) const REPLACEMENT: Self = Self(Scheme::Replacement);

    /// Returns the encoding for a label of the Encoding Standard, or `None` if the label is unknown. Case and
    /// surrounding whitespace are ignored. The encoding may be one that [is not available](Self::is_available) in
    /// this build.
    ///
    /// For labels that the standard maps to its "replacement" encoding, that encoding is returned: any input in it
    /// decodes to one U+FFFD. The standard has no labels for UTF-32.
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
        if let Some(own) = row_of(labels::OWN, label) {
            return Some(Self(OWN[own]));
        }
        let table = row_of(labels::TABLES, label)?;
        Some(Self(Scheme::Table(table as u8)))
    }

    /// Returns the encoding for a name in an XML declaration, or `None` if the name is unknown. Names that IANA
    /// registers for another encoding than the Encoding Standard have IANA's meaning; all others are as in
    /// [`for_label`](Self::for_label).
    ///
    /// `UTF-16`, `UTF-32`, `ISO-10646-UCS-2` and `ISO-10646-UCS-4` leave the byte order to a byte-order mark; without
    /// one they are big-endian. `gb2312` is GBK and `euc-kr` is windows-949, as on the web: these supersets only add
    /// meanings for bytes that the registered encodings leave undefined.
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
        // PERF: nearly all documents declare UTF-8, and comparing all labels takes 18,000 instructions (a document of
        // 1,000 bytes: 35,000 instead of 53,000).
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

    /// Returns whether this build of the library can decode the encoding. Encodings that need tables are available
    /// with the feature `encodings`, which is on by default; all others are always available.
    ///
    /// Input in an unavailable encoding is an error,
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

    /// Returns the encoding's name, as the Encoding Standard or IANA spells it.
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

    /// Returns whether the encoding is UTF-8.
    #[must_use]
    pub fn is_utf8(self) -> bool {
        self == Self::UTF_8
    }

    /// Returns whether bytes below 0x80 that start a character mean the ASCII characters of the same numbers. This is
    /// false for UTF-16, UTF-32, ISO-2022-JP and "replacement".
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

    /// Returns the maximum number of encoded bytes per byte of decoded text. For UTF-8 it is 0, because the encoded
    /// bytes are the text itself and are not kept separately.
    pub(crate) fn bytes_for_text(self) -> usize {
        match self.0 {
            _ if self.is_utf8() => 0,
            Scheme::Utf32Le | Scheme::Utf32Be => 4,
            _ if self == Encoding::ISO_2022_JP => 4,
            _ => 2,
        }
    }

    /// Returns the decoding algorithm.
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
impl Encoding {
    /// Returns an error if a checkpoint names an encoding that does not exist.
    fn validate(&mut self) -> Result<(), crate::checkpoint::Damaged> {
        match self.0 {
            Scheme::Table(row) if usize::from(row) >= labels::TABLES.len() => {
                Err(crate::checkpoint::Damaged)
            }
            _ => Ok(()),
        }
    }
}

/// Returns the index of the row that contains `label`, ignoring case.
fn row_of(rows: &[labels::Row], label: &str) -> Option<usize> {
    let is_it = |known: &&str| known.eq_ignore_ascii_case(label);
    rows.iter().position(|(_, labels)| labels.iter().any(is_it))
}

crate::checkpoint::checkpointable! {
    struct Encoding(scheme; then Encoding::validate);
    enum Scheme {
        Utf8, Utf16Le, Utf16Be, Windows1252, UserDefined, Replacement, Table(value), Latin1, Latin5,
        LatinThai, Ascii, Utf32Le, Utf32Be,
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
        // The number of labels in the standard.
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
