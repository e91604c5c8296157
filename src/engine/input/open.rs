//! Detection of the encoding of an HTML document that declares none.
//!
//! Text in ASCII is parsed at once, because nearly every encoding reads it alike. The first byte sequence outside
//! ASCII decides: if it is well-formed UTF-8, the document is UTF-8, and otherwise windows-1252. A `meta` element
//! before that sequence takes precedence ([`Input::adopt`]). Windows therefore end before the first byte outside
//! ASCII until the encoding is decided.

use super::Input;
use super::decode::Decoder;
use super::encoding::Encoding;
use super::sniff::Source;
use crate::engine::scan;
use bytes::Bytes;

/// Maximum length in bytes of a character in UTF-8.
const MAX_CHARACTER_BYTES: usize = 4;

impl Input {
    /// Returns whether the encoding is still undecided. All text so far is ASCII then.
    pub(crate) fn is_open(&self) -> bool {
        self.fed_to().detection.is_open
    }

    /// Continues in the encoding that the document declares. All text so far must be ASCII.
    pub(crate) fn adopt(&mut self, encoding: Encoding) {
        self.fed_to_mut().adopt_here(encoding);
    }

    fn adopt_here(&mut self, encoding: Encoding) {
        self.detection.is_open = false;
        self.decoding.decoder = (encoding != Encoding::UTF_8).then(|| Decoder::new(encoding));
        if let Some(sniffed) = &mut self.detection.sniffed {
            sniffed.encoding = encoding;
            sniffed.source = Source::Declaration;
        }
        self.refuse();
    }

    /// Ensures that the next pending chunk consists of ASCII only, by splitting that chunk if necessary. If its first
    /// byte is not ASCII, decides the encoding. All text before the chunk must be consumed. Returns false if more bytes
    /// are needed to decide.
    pub(super) fn settle(&mut self) -> bool {
        if self.chunks.pending.is_empty()
            && !self.chunks.staged.is_empty()
            && !self.chunks.staged.is_ascii()
        {
            let staged = Bytes::copy_from_slice(&self.chunks.staged);
            self.chunks.staged.clear();
            self.chunks.pending.push_back(staged);
        }
        let Some(front) = self.chunks.pending.front_mut() else {
            // If the input ends here, all of it was ASCII and the encoding is decided.
            self.detection.is_open = !(self.chunks.is_finished && self.chunks.staged.is_empty());
            return true;
        };
        match scan::ascii(front) {
            0 => self.decide_encoding(),
            ascii if ascii == front.len() => true,
            ascii => {
                let ascii = front.split_to(ascii);
                self.chunks.pending.push_front(ascii);
                true
            }
        }
    }

    /// Decides the encoding by the pending bytes, the first of which is not ASCII. Returns false if more bytes are
    /// needed to decide.
    fn decide_encoding(&mut self) -> bool {
        let mut sequence = [0; MAX_CHARACTER_BYTES];
        let bytes = self
            .chunks
            .pending
            .iter()
            .flatten()
            .chain(&self.chunks.staged);
        let length = sequence
            .iter_mut()
            .zip(bytes)
            .map(|(to, byte)| *to = *byte)
            .count();
        let encoding = match core::str::from_utf8(&sequence[..length]) {
            Ok(_) => Encoding::UTF_8,
            Err(error) if error.valid_up_to() > 0 => Encoding::UTF_8,
            Err(error) if error.error_len().is_none() && !self.chunks.is_finished => return false,
            Err(_) => Encoding::WINDOWS_1252,
        };
        self.adopt_here(encoding);
        if let Some(sniffed) = &mut self.detection.sniffed {
            sniffed.source = Source::Default;
        }
        true
    }
}
