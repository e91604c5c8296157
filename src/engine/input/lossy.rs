//! A decoder for programs that show the source text around a position.

use super::decode::Decoder;
use super::decoded::Decoded;
use super::encoding::Encoding;
use alloc::string::String;

/// A streaming decoder that produces exactly the text that a parser reads, so that a program can show the lines
/// around a [`Span`](crate::Span) of an input that is not in UTF-8.
///
/// A byte-order mark is dropped, and each ill-formed sequence becomes U+FFFD. The encoding of a document is
/// [`Parser::encoding`](crate::Parser::encoding). To decode just the bytes of a span, use
/// [`Encoding::decode`](crate::Encoding::decode).
///
/// ```
/// use tagstream::{Encoding, TextDecoder};
///
/// let mut decoder = TextDecoder::new(Encoding::UTF_16LE);
/// let mut text = String::new();
/// decoder.decode(b"\xFF\xFE<\0a", false, &mut text);
/// decoder.decode(b"\0>\0", true, &mut text);
/// assert_eq!(text, "<a>");
/// ```
#[derive(Clone, Debug)]
pub struct TextDecoder {
    decoder: Decoder,
    /// True until the first character, if the encoding can have a byte-order mark.
    may_be_marked: bool,
}

impl TextDecoder {
    /// Creates a decoder for the start of a stream.
    ///
    /// ```
    /// use tagstream::{Encoding, TextDecoder};
    ///
    /// let mut text = String::new();
    /// TextDecoder::new(Encoding::UTF_8).decode(b"\xEF\xBB\xBFa", true, &mut text);
    /// assert_eq!(text, "a");
    /// ```
    pub fn new(encoding: Encoding) -> TextDecoder {
        let marked = [
            Encoding::UTF_8,
            Encoding::UTF_16LE,
            Encoding::UTF_16BE,
            Encoding::UTF_32LE,
            Encoding::UTF_32BE,
        ];
        TextDecoder {
            decoder: Decoder::new(encoding),
            may_be_marked: marked.contains(&encoding),
        }
    }

    /// Decodes `bytes` and appends the text to `text`. The bytes of an incomplete character are kept for the next
    /// call. `last` says that the stream ends with these bytes.
    ///
    /// ```
    /// use tagstream::{Encoding, TextDecoder};
    ///
    /// let mut decoder = TextDecoder::new(Encoding::UTF_8);
    /// let mut text = String::new();
    /// decoder.decode(b"\xC3", false, &mut text);
    /// assert_eq!(text, "");
    /// decoder.decode(b"\xA9 \xFF", true, &mut text);
    /// assert_eq!(text, "\u{e9} \u{fffd}");
    /// ```
    pub fn decode(&mut self, bytes: &[u8], last: bool, text: &mut String) {
        let from = text.len();
        let mut rest = bytes;
        loop {
            match self.decoder.decode(&mut rest, last, text, usize::MAX) {
                Decoded::IllFormed => text.push(char::REPLACEMENT_CHARACTER),
                Decoded::Text if rest.is_empty() => break,
                Decoded::Text => {}
            }
        }
        if self.may_be_marked && text.len() > from {
            self.may_be_marked = false;
            if text[from..].starts_with('\u{FEFF}') {
                text.drain(from..from + '\u{FEFF}'.len_utf8());
            }
        }
    }
}
