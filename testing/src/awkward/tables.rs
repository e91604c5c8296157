//! The tables of awkward content: strings, and encodings with a decoder and an encoder that are not those of the library.

use std::sync::OnceLock;
use tagstream::{Encoding, TextDecoder};

/// Strings that are inserted.
pub const CONTENTS: [&str; 96] = [
    "",
    "]",
    "]]",
    "]]>",
    "-",
    "--",
    "--!",
    "-->",
    "->",
    ">",
    "<",
    "</",
    "<!",
    "<?",
    "<!-",
    "<!--",
    "<![CDATA[",
    "?>",
    "&",
    "&am",
    "&amp",
    "&amp;",
    "&#",
    "&#6",
    "&#x",
    "&#0;",
    "&#x85;",
    "&nbsp;",
    "&lt",
    "p;",
    "#65;",
    "x41;",
    "\r",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\u{1}",
    "\u{b}",
    "\u{c}",
    "\u{e}",
    "\u{f}",
    "\u{1b}",
    "\u{1b}(B",
    "\u{1b}$B",
    "\u{7f}",
    "\u{80}",
    "\u{85}",
    "\u{9f}",
    "\u{a0}",
    "\u{a5}",
    "\\",
    "~",
    "\u{203e}",
    "\u{2028}",
    "\u{feff}",
    "\u{fffd}",
    "\u{fffe}",
    "\u{ffff}",
    "\u{fdd0}",
    "é",
    "Ж",
    "日",
    "ﾊ",
    "€",
    "😀",
    "\u{10ffff}",
    "\u{f780}",
    "<b>",
    "</b>",
    "<b/>",
    "<b></b>",
    "<b></a>",
    "<p:x/>",
    "<xml:x/>",
    "<b xmlns:p='u'><p:x/></b>",
    "<b c=d c=d>",
    "<b c='d'/>",
    "<b c=\"&nbsp;\"/>",
    "<1/>",
    "< b",
    "<b c",
    "<b c='",
    "<?x y?>",
    "<?x y",
    "<?xml version='1.0'?>",
    "<?xml?>",
    "<!--c-->",
    "<!-- -- -->",
    "<!DOCTYPE b>",
    "<script",
    "</script",
    "</title>",
    "</textarea ",
    "\"",
    "'",
];

/// Names.
pub const NAMES: [&str; 20] = [
    "x", "a", "p:x", "xml:x", "xmlns", "xmlns:x", ":", "x:", ":x", "xml", "é", "日", "x\u{e}",
    "x\u{85}", "-x", "1x", "script", "pre", "a/b", "x=y",
];

/// Parts of the document that are kept.
pub const KEPT: [&str; 28] = [
    "k", " ", "\n", "\r", "\r\n", "&am", "&amp;", "&#65", "p;", "]", "]]", "-", "/", "!", "?", "é",
    "日", "日本", "ﾊ", "\u{a5}", "€", "😀", "<i>m</i>", "<!--n-->", "<", "</", "title", ";",
];

/// Bytes of the document that are ill-formed in some encoding, and escape sequences of ISO-2022-JP.
pub const RAW: [&[u8]; 16] = [
    b"\x80",
    b"\x81",
    b"\xFF",
    b"\xA1",
    b"\xE3\x81",
    b"\x82\xA0",
    b"\x8F",
    b"\x0E",
    b"\x1B",
    b"\x1B(",
    b"\x1B(B",
    b"\x1B(J",
    b"\x1B(J\\",
    b"\x1B$B",
    b"\x1B$BF|",
    b"\x1B(I1",
];

/// An encoding, with an encoder and a decoder that are not the library's.
#[derive(Clone, Copy, Debug)]
pub struct Charset {
    /// The encoding.
    pub encoding: Encoding,
    /// The decoder; `None` for UTF-32, which `encoding_rs` lacks.
    standard: Option<&'static encoding_rs::Encoding>,
}

/// The labels of the encodings of the Encoding standard. The last one is the encoding `replacement`.
pub const LABELS: [&str; 40] = [
    "utf-8",
    "ibm866",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "iso-2022-jp",
    "shift_jis",
    "euc-kr",
    "utf-16le",
    "utf-16be",
    "x-user-defined",
    "iso-2022-kr",
];

/// Returns the encodings of documents: those of the Encoding standard, of which ISO-2022-JP is frequent, and in XML also
/// UTF-32.
#[must_use]
pub fn charsets(is_xml: bool) -> &'static [Charset] {
    static KNOWN: [OnceLock<Vec<Charset>>; 2] = [const { OnceLock::new() }; 2];
    KNOWN[usize::from(is_xml)].get_or_init(|| {
        let labels = LABELS.into_iter().chain(["iso-2022-jp"; 8]);
        let known = labels.map(|label| Charset {
            encoding: Encoding::for_label(label).expect("a label"),
            standard: encoding_rs::Encoding::for_label(label.as_bytes()),
        });
        let wide = [Encoding::UTF_32LE, Encoding::UTF_32BE].map(|encoding| Charset {
            encoding,
            standard: None,
        });
        known.chain(wide.into_iter().filter(|_| is_xml)).collect()
    })
}

impl Charset {
    /// Encodes a text. Characters that the encoding lacks are left out.
    #[must_use]
    pub fn encoded(&self, text: &str) -> Vec<u8> {
        let is_big = [Encoding::UTF_32BE, Encoding::UTF_16BE].contains(&self.encoding);
        let bytes = |bytes: &mut [u8]| {
            if is_big {
                bytes.reverse();
            }
            bytes.to_vec()
        };
        match self.standard {
            None => {
                let wide = text.chars().map(|one| u32::from(one).to_le_bytes());
                wide.flat_map(|mut wide| bytes(&mut wide)).collect()
            }
            Some(standard) if standard.output_encoding() != standard => {
                // UTF-16, and `replacement`, whose bytes do not matter.
                let wide = text.encode_utf16().map(u16::to_le_bytes);
                wide.flat_map(|mut wide| bytes(&mut wide)).collect()
            }
            Some(standard) => {
                let is_there = |one: &char| !standard.encode(one.encode_utf8(&mut [0; 4])).2;
                let text: String = text.chars().filter(is_there).collect();
                standard.encode(&text).0.into_owned()
            }
        }
    }

    /// Decodes bytes.
    #[must_use]
    pub fn decoded(&self, bytes: &[u8]) -> String {
        if let Some(standard) = self.standard {
            return standard.decode_without_bom_handling(bytes).0.into_owned();
        }
        let is_big = self.encoding == Encoding::UTF_32BE;
        let units = bytes.chunks(4).map(|unit| {
            let Ok(unit) = unit.try_into() else {
                return char::REPLACEMENT_CHARACTER;
            };
            let code = match is_big {
                true => u32::from_be_bytes(unit),
                false => u32::from_le_bytes(unit),
            };
            char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
        });
        units.collect()
    }

    /// Decodes bytes with the library. `None` for bytes that begin with a byte-order mark.
    #[must_use]
    pub fn decoded_by_us(&self, bytes: &[u8]) -> Option<String> {
        let mut text = String::new();
        TextDecoder::new(self.encoding).decode(bytes, true, &mut text);
        (!self.decoded(bytes).starts_with('\u{feff}')).then_some(text)
    }
}
