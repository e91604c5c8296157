//! Decoding of bytes in any encoding to UTF-8, in pieces of any size.
//!
//! Between two pieces a [`Decoder`] keeps the bytes of an incomplete character and, for ISO-2022-JP, the last escape
//! sequence. The algorithms are in `unicode.rs`, `one_byte.rs` and `tables.rs`. A decoder neither detects encodings
//! nor handles byte-order marks.

use alloc::string::String;

use super::decoded::Decoded;
use super::encoding::{Encoding, Scheme};
use super::one_byte;
use super::shift::Shift;
use crate::engine::scan;

/// A streaming decoder that can be cloned after any byte.
#[derive(Clone, Debug)]
pub(crate) struct Decoder {
    pub(super) encoding: Encoding,
    /// Bytes that were consumed and not yet decoded: the beginning of an incomplete character.
    pub(super) partial: PartialCharacter,
    /// The shift state of ISO-2022-JP; unused in all other encodings.
    pub(super) shift: Shift,
    /// True if the encoding is "replacement" and its one error was returned.
    replaced: bool,
}

impl Encoding {
    /// Decodes bytes in this encoding. Each ill-formed sequence becomes U+FFFD, as in a parser. A byte-order mark is
    /// not removed. If the encoding [is not available](Encoding::is_available), the result is one U+FFFD.
    ///
    /// ```
    /// use tagstream::Encoding;
    ///
    /// assert_eq!(Encoding::UTF_16LE.decode(b"<\0\xE9\0>\0"), "<\u{E9}>");
    /// assert_eq!(Encoding::US_ASCII.decode(b"<\xE9>"), "<\u{FFFD}>");
    /// ```
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> String {
        let mut text = String::new();
        let mut decoder = Decoder::new(self);
        let mut rest = bytes;
        loop {
            match decoder.decode(&mut rest, true, &mut text, usize::MAX) {
                Decoded::Text if rest.is_empty() => return text,
                Decoded::Text => {}
                Decoded::IllFormed => text.push(char::REPLACEMENT_CHARACTER),
            }
        }
    }
}

impl Decoder {
    pub(crate) fn new(encoding: Encoding) -> Self {
        Self {
            encoding,
            partial: PartialCharacter::default(),
            shift: Shift::default(),
            replaced: false,
        }
    }

    /// Creates a decoder in the middle of a stream, between two characters, with the given shift state.
    pub(super) fn at(encoding: Encoding, shift: Shift) -> Self {
        Self {
            shift,
            ..Self::new(encoding)
        }
    }

    /// Returns the shift state before the first held byte.
    pub(super) fn shift(&self) -> Shift {
        self.shift
    }

    /// Skips bytes at the front of `bytes` that decode to the ASCII characters of the same numbers, at most `most` of
    /// them. Returns their number. The decoder must not hold bytes of an incomplete character.
    pub(super) fn pass_ascii(&mut self, bytes: &[u8], most: usize) -> usize {
        debug_assert!(self.partial.bytes().is_empty(), "half a character is ASCII");
        let front = &bytes[..bytes.len().min(most)];
        if self.encoding.is_ascii_compatible() {
            return scan::ascii(front);
        }
        if self.encoding != Encoding::ISO_2022_JP || !self.shift.is_ascii() {
            return 0;
        }
        let is_shift = |byte: &u8| matches!(byte, 0xE | 0xF | 0x1B);
        let ascii = &front[..scan::ascii(front)];
        let length = ascii.iter().position(is_shift).unwrap_or(ascii.len());
        ascii[..length]
            .iter()
            .for_each(|byte| self.shift.pass(*byte));
        length
    }

    /// Returns the bytes that were consumed and are not decoded yet.
    pub(super) fn partial(&self) -> &[u8] {
        self.partial.bytes()
    }

    /// Discards the held bytes and returns their number.
    pub(super) fn release_held(&mut self) -> usize {
        core::mem::take(&mut self.partial).bytes().len()
    }

    /// Decodes bytes from the front of `bytes`, removes the consumed bytes from that slice, and appends about `most`
    /// bytes of text to `out`, in whole characters. `last` is true if the stream ends with these bytes.
    ///
    /// Call this method until it returns [`Decoded::Text`] and `bytes` is empty. After an ill-formed sequence, bytes
    /// consumed by earlier calls may still have to be decoded, even if `bytes` is empty already.
    pub(crate) fn decode(
        &mut self,
        bytes: &mut &[u8],
        last: bool,
        out: &mut String,
        most: usize,
    ) -> Decoded {
        let goal = out.len().saturating_add(most.max(1));
        match self.encoding.scheme() {
            Scheme::Utf8 => self.utf8(bytes, last, out, goal),
            Scheme::Utf16Le => self.utf16(u16::from_le_bytes, bytes, last, out, goal),
            Scheme::Utf16Be => self.utf16(u16::from_be_bytes, bytes, last, out, goal),
            Scheme::Utf32Le => self.utf32(u32::from_le_bytes, bytes, last, out, goal),
            Scheme::Utf32Be => self.utf32(u32::from_be_bytes, bytes, last, out, goal),
            Scheme::Windows1252 => one_byte::decode(one_byte::windows_1252, bytes, out, goal),
            Scheme::UserDefined => one_byte::decode(one_byte::user_defined, bytes, out, goal),
            Scheme::Latin1 => one_byte::decode(char::from, bytes, out, goal),
            Scheme::Ascii => one_byte::decode_ascii(bytes, out, goal),
            Scheme::Replacement => self.replace(bytes),
            #[cfg(feature = "encodings")]
            Scheme::Table(_) | Scheme::Latin5 | Scheme::LatinThai => {
                self.table(bytes, last, out, goal)
            }
            // The parser stops with an error before it decodes in an unavailable encoding; `Encoding::decode` returns
            // one U+FFFD.
            #[cfg(not(feature = "encodings"))]
            Scheme::Table(_) | Scheme::Latin5 | Scheme::LatinThai => self.replace(bytes),
        }
    }

    /// Decodes the "replacement" encoding: the whole stream is a single error.
    fn replace(&mut self, bytes: &mut &[u8]) -> Decoded {
        match *bytes {
            [_, rest @ ..] if !self.replaced => {
                self.replaced = true;
                *bytes = rest;
                Decoded::IllFormed
            }
            _ => {
                *bytes = &[];
                Decoded::Text
            }
        }
    }
}

/// A buffer of at most four bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PartialCharacter {
    bytes: [u8; 4],
    count: u8,
}

impl PartialCharacter {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.count)]
    }

    /// Appends a byte. A fifth byte would be dropped, but no encoding needs more than four bytes to decide.
    pub(super) fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(usize::from(self.count)) {
            *place = byte;
            self.count += 1;
        }
    }

    pub(super) fn whole(&self) -> Option<[u8; 4]> {
        (self.count == 4).then_some(self.bytes)
    }
}

crate::checkpoint::checkpointable! {
    struct Decoder { encoding, partial, shift, replaced }
    struct PartialCharacter { bytes, count }
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec::Vec};

    use super::*;

    /// A xorshift random number generator with a fixed seed.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % limit
        }
    }

    /// One label for each encoding of the Encoding standard.
    const STANDARD: &str = "utf-8 ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 \
        iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 \
        iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 windows-1251 windows-1252 \
        windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 \
        x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr replacement utf-16be \
        utf-16le x-user-defined";

    /// Bytes and escape sequences that are special in some encoding, separated by `|`.
    const PIECES: &[u8] = b"a|0|9|<|(|$|$$|~|\\|\x1B|\x1B(|\x1B$|\x1B(B|\x1B(J|\x1B(I|\x1B$@|\
        \x1B$B|\x1B$C|\x0E|\x00|\x00\x00|\x81|\x810|\x810\x81|\x810\x810|\xE39\xFE9|\x8E|\x8F|\
        \x8F\xA2|\xA1|\xA4\xA2|\xF0\x9F\x98\x80|\xE2\x82|\xC3\xA9|\xED\xA0\x80|\xF4\x90|\xD8|\
        \xD8\x3D|\xDC\x00|\x3D\xD8|\x00\xDE|\xFF|\xFE|\x80|\x88\x62|\x88\x66|\x82\xA0|\xC7\x41";

    const WORDS: &str = "Straße, naïve ‘Größe’; Ελλάδα, Україна, ישראל, العربية, ประเทศไทย; \
        日本語とカタカナ、ｶﾀｶﾅ; 中文简体，繁體中文; 한국어 문서; 😀 Ê̄ €";

    fn random_bytes(numbers: &mut Numbers, most: usize) -> Vec<u8> {
        let pieces: Vec<&[u8]> = PIECES.split(|byte| *byte == b'|').collect();
        let mut bytes = Vec::new();
        let style = numbers.below(4);
        let length = numbers.below(most);
        while bytes.len() < length {
            match if style == 3 { numbers.below(3) } else { style } {
                0 => bytes.extend_from_slice(pieces[numbers.below(pieces.len())]),
                1 => bytes.push((0x80 + numbers.below(0x80)) as u8),
                _ => bytes.push(numbers.below(0x100) as u8),
            }
        }
        bytes
    }

    /// Decodes one piece completely, and checks that each call makes progress and respects `most`.
    fn feed(decoder: &mut Decoder, mut piece: &[u8], last: bool, out: &mut String, most: usize) {
        let mut calls = 0;
        loop {
            let (length, left) = (out.len(), piece.len());
            match decoder.decode(&mut piece, last, out, most) {
                Decoded::IllFormed => out.push('\u{FFFD}'),
                Decoded::Text if piece.is_empty() => return,
                Decoded::Text => assert!(piece.len() < left || out.len() > length, "no progress"),
            }
            assert!(out.len() - length <= most.saturating_add(16), "{most}");
            calls += 1;
            assert!(calls < 100_000, "no end");
        }
    }

    fn decode_in(encoding: Encoding, pieces: &[&[u8]], most: usize) -> String {
        let mut decoder = Decoder::new(encoding);
        let mut out = String::new();
        for piece in pieces {
            feed(&mut decoder, piece, false, &mut out, most);
        }
        feed(&mut decoder, &[], true, &mut out, most);
        out
    }

    /// Decodes `bytes` whole, with each limit, byte by byte and split at every byte, and compares each result with
    /// `right`.
    fn check(encoding: Encoding, bytes: &[u8], right: &str) {
        let same = |text: &str, way: &str, at: usize| {
            assert_eq!(text, right, "{way} {at}: {encoding:?} {bytes:X?}");
        };
        for most in [4, 5, 7, 64, usize::MAX] {
            same(&decode_in(encoding, &[bytes], most), "most", most);
        }
        // Decode byte by byte. Before each byte, also clone the decoder and give all remaining bytes to the clone at
        // once.
        let mut decoder = Decoder::new(encoding);
        let mut out = String::new();
        for (at, byte) in bytes.iter().enumerate() {
            let (mut clone, mut text) = (decoder.clone(), out.clone());
            feed(&mut clone, &bytes[at..], true, &mut text, usize::MAX);
            same(&text, "clone at", at);
            feed(&mut decoder, &[*byte], false, &mut out, 4);
            let pieces = [&bytes[..at], &bytes[at..]];
            same(&decode_in(encoding, &pieces, usize::MAX), "cut at", at);
        }
        feed(&mut decoder, &[], true, &mut out, 4);
        same(&out, "byte by byte to", bytes.len());
    }

    fn named(label: &str) -> (Encoding, &'static encoding_rs::Encoding) {
        let standard = encoding_rs::Encoding::for_label(label.as_bytes()).expect(label);
        (Encoding::for_label(label).expect(label), standard)
    }

    /// Returns every encoding of the Encoding standard that this build can decode.
    fn available() -> impl Iterator<Item = (&'static str, Encoding, &'static encoding_rs::Encoding)>
    {
        STANDARD.split_ascii_whitespace().filter_map(|label| {
            let (encoding, standard) = named(label);
            encoding
                .is_available()
                .then_some((label, encoding, standard))
        })
    }

    #[test]
    fn like_encoding_rs_on_random_bytes() {
        let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
        // Each input is split everywhere, so the long inputs take most of the time. The crate `testing`, which reads
        // this variable elsewhere, is not part of the published package.
        let is_full = std::env::var_os("TAGSTREAM_EFFORT").is_some_and(|effort| effort == "full");
        let long = if is_full { 10 } else { 1 };
        for (_, encoding, standard) in available() {
            let rounds = if standard.is_single_byte() { 200 } else { 2000 };
            for _ in 0..rounds {
                let bytes = random_bytes(&mut numbers, 24);
                let right = standard.decode_without_bom_handling(&bytes).0;
                check(encoding, &bytes, &right);
            }
            for _ in 0..long {
                let bytes = random_bytes(&mut numbers, 1500);
                let right = standard.decode_without_bom_handling(&bytes).0;
                check(encoding, &bytes, &right);
            }
        }
    }

    #[test]
    fn like_encoding_rs_on_text() {
        for (label, encoding, standard) in available() {
            let bytes = match label {
                "utf-16le" => WORDS.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                "utf-16be" => WORDS.encode_utf16().flat_map(u16::to_be_bytes).collect(),
                _ => standard.encode(WORDS).0.into_owned(),
            };
            let right = standard.decode_without_bom_handling(&bytes).0;
            assert_eq!(
                right.contains('\u{FFFD}'),
                label == "replacement",
                "{label}"
            );
            check(encoding, &bytes, &right);
            // Long enough to fill the decoder's buffer many times.
            let long = bytes.repeat(200);
            let right = standard.decode_without_bom_handling(&long).0;
            let halves = [&long[..1001], &long[1001..]];
            for most in [100, 10_000, usize::MAX] {
                assert_eq!(decode_in(encoding, &[&long], most), right, "{label}");
                assert_eq!(decode_in(encoding, &halves, most), right, "{label}");
            }
        }
    }

    /// Compares all short sequences of a few pieces, in encodings where the decoder gives bytes back or has a state.
    #[test]
    fn like_encoding_rs_exhaustively() {
        let tables: [(&str, &[u8], u32); 5] = [
            (
                "iso-2022-jp",
                b"\x1B|(|$|B|J|\x80|\x1B(B|\x1B(I|\x1B$B|$\"",
                4,
            ),
            ("gb18030", b"0|@|\x80|\x81|\xFE|\xFF", 5),
            ("euc-jp", b"a|\x80|\x8E|\x8F|\xA1|\xA2", 5),
            ("utf-8", b"a|\x80|\x9F|\xA0|\xC2|\xE0|\xED|\xF0", 4),
            ("utf-16le", b"\0|\xD8|\xDC|a", 6),
        ];
        for (label, pieces, depth) in tables {
            let (encoding, standard) = named(label);
            if !encoding.is_available() {
                continue;
            }
            let pieces: Vec<&[u8]> = pieces.split(|byte| *byte == b'|').collect();
            for mut number in 0..pieces.len().pow(depth) {
                let mut bytes = Vec::new();
                for _ in 0..depth {
                    bytes.extend_from_slice(pieces[number % pieces.len()]);
                    number /= pieces.len();
                }
                let right = standard.decode_without_bom_handling(&bytes).0;
                check(encoding, &bytes, &right);
            }
        }
    }

    #[test]
    fn encodings_of_iana() {
        let every: Vec<u8> = (0..=0xFF).collect();
        let latin1: String = every.iter().map(|byte| char::from(*byte)).collect();
        check(Encoding::LATIN_1, &every, &latin1);
        let ascii: String = latin1
            .chars()
            .map(|c| if c.is_ascii() { c } else { '\u{FFFD}' })
            .collect();
        check(Encoding::US_ASCII, &every, &ascii);
        for (label, standard) in [
            ("iso-8859-9", encoding_rs::WINDOWS_1254),
            ("iso-8859-11", encoding_rs::WINDOWS_874),
        ] {
            let encoding = Encoding::for_xml_label(label).expect(label);
            if !encoding.is_available() {
                continue;
            }
            let upper = standard.decode_without_bom_handling(&every[0xA0..]).0;
            let right: String = latin1.chars().take(0xA0).chain(upper.chars()).collect();
            check(encoding, &every, &right);
        }
    }

    #[test]
    fn utf_32() {
        let cases: &[(&[u32], &str)] = &[
            (&[0x41, 0xE9, 0x20AC, 0x1F600, 0], "Aé€😀\0"),
            (&[0x10FFFF, 0x110000, 0x42], "\u{10FFFF}\u{FFFD}B"),
            (
                &[0xD800, 0xDC00, 0xDFFF, 0xE000],
                "\u{FFFD}\u{FFFD}\u{FFFD}\u{E000}",
            ),
            (&[0xFFFF_FFFF], "\u{FFFD}"),
        ];
        for (numbers, right) in cases {
            let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_be_bytes()).collect();
            check(Encoding::UTF_32BE, &bytes, right);
            let swapped: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
            check(Encoding::UTF_32LE, &swapped, right);
            for cut in 1..4 {
                let right = format!("{right}\u{FFFD}");
                let bytes = [&bytes[..], &bytes[..cut]].concat();
                check(Encoding::UTF_32BE, &bytes, &right);
            }
        }
    }

    /// Checks that an error is returned as soon as the byte that reveals it is fed, and that a character is written as
    /// soon as its last byte is fed.
    #[test]
    fn promptly() {
        for (label, bytes, told) in [
            ("utf-8", &b"\xE2\x82\xAC\xE2\x28"[..], &[0, 0, 1, 0, 2][..]),
            ("gb18030", b"\x810\x81a", &[0, 0, 0, 3]),
            (
                "iso-2022-jp",
                b"\x1B$B$\"\x1B(B\x1B(B",
                &[0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1],
            ),
            ("big5", b"\x88\x62\x88 ", &[0, 2, 0, 2]),
            (
                "utf-16be",
                b"\0a\xD8\0\xDC\0\xD8\0\0b",
                &[0, 1, 0, 0, 0, 1, 0, 0, 0, 2],
            ),
        ] {
            let encoding = named(label).0;
            if !encoding.is_available() {
                continue;
            }
            let mut decoder = Decoder::new(encoding);
            let mut text = String::new();
            for (byte, count) in bytes.iter().zip(told) {
                let before = text.chars().count();
                feed(&mut decoder, &[*byte], false, &mut text, 100);
                assert_eq!(text.chars().count(), before + count, "{label} {text}");
            }
        }
    }

    #[test]
    fn can_be_sent_and_shared() {
        fn is_send_and_sync<T: Send + Sync + Clone>() {}
        is_send_and_sync::<Decoder>();
    }
}
