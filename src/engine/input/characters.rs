//! The lengths of single characters in a document, for programs that convert all offsets of a source.

use super::decode::Decoder;
use super::decoded::Decoded;
use super::encoding::Encoding;
use alloc::string::String;

impl Encoding {
    /// Decodes bytes character by character, as a parser does. Calls `each` with the offset after the bytes of a
    /// character, or of a run of ASCII characters, and with its text, which is U+FFFD for an ill-formed sequence. A
    /// byte-order mark is a character here. With `is_ended`, an unfinished character at the end is ill-formed.
    #[doc(hidden)]
    pub fn inspect_characters(
        self,
        bytes: &[u8],
        is_ended: bool,
        each: &mut dyn FnMut(usize, &str),
    ) {
        let mut decoder = Decoder::new(self);
        let mut text = String::new();
        let mut at = 0;
        loop {
            let rest = &bytes[at..];
            if decoder.partial().is_empty() {
                let passed = decoder.pass_ascii(rest, usize::MAX);
                if let Ok(ascii) = core::str::from_utf8(&rest[..passed])
                    && passed > 0
                {
                    at += passed;
                    each(at, ascii);
                    continue;
                }
            }
            if rest.is_empty() && !is_ended {
                return;
            }
            let mut piece = &rest[..rest.len().min(1)];
            let length = piece.len();
            let decoded = decoder.decode(&mut piece, rest.is_empty(), &mut text, usize::MAX);
            at += length - piece.len();
            if decoded == Decoded::IllFormed {
                text.push(char::REPLACEMENT_CHARACTER);
                // Decode the held bytes again, so that each character gets its own offset.
                at -= decoder.release_held();
            } else if rest.is_empty() {
                return;
            }
            if !text.is_empty() {
                each(at - decoder.partial().len(), &text);
                text.clear();
            }
        }
    }

    /// Returns whether the encoding is a form of Unicode, which can begin with a byte-order mark.
    #[doc(hidden)]
    pub fn inspect_is_unicode(self) -> bool {
        let forms = [
            Encoding::UTF_8,
            Encoding::UTF_16LE,
            Encoding::UTF_16BE,
            Encoding::UTF_32LE,
            Encoding::UTF_32BE,
        ];
        forms.contains(&self)
    }
}
