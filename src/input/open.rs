//! The encoding of a document that says none: the first sequence of bytes that is not ASCII tells.

use super::Input;
use super::decode::Decoder;
use super::encoding::Encoding;
use super::sniff::Source;
use crate::scan;
use bytes::Bytes;

/// A sequence of UTF-8 is no longer.
const LONGEST: usize = 4;

impl Input {
    /// Whether the encoding is not known yet, and all was ASCII so far.
    pub(crate) fn is_open(&self) -> bool {
        self.fed_to().is_open
    }

    /// Reads on in an encoding that the document has named. All that was read is ASCII.
    pub(crate) fn adopt(&mut self, encoding: Encoding) {
        self.fed_to_mut().adopt_here(encoding);
    }

    fn adopt_here(&mut self, encoding: Encoding) {
        self.is_open = false;
        self.decoder = (encoding != Encoding::UTF_8).then(|| Decoder::new(encoding));
        if let Some(sniffed) = &mut self.sniffed {
            sniffed.encoding = encoding;
            sniffed.source = Source::Declaration;
        }
        self.refuse();
    }

    /// Sees to it that the next piece is ASCII, or settles the encoding. All before it has been read by
    /// the machine. Gives false where more bytes must tell.
    pub(super) fn settle(&mut self) -> bool {
        if self.pending.is_empty() && !self.staged.is_empty() && !self.staged.is_ascii() {
            let staged = Bytes::copy_from_slice(&self.staged);
            self.staged.clear();
            self.pending.push_back(staged);
        }
        let Some(front) = self.pending.front_mut() else {
            // At the end all was ASCII.
            self.is_open = !(self.finished && self.staged.is_empty());
            return true;
        };
        match scan::ascii(front) {
            0 => self.tell(),
            ascii if ascii == front.len() => true,
            ascii => {
                let ascii = front.split_to(ascii);
                self.pending.push_front(ascii);
                true
            }
        }
    }

    /// Bytes that are not ASCII come next.
    fn tell(&mut self) -> bool {
        let mut sequence = [0; LONGEST];
        let bytes = self.pending.iter().flatten().chain(&self.staged);
        let length = sequence
            .iter_mut()
            .zip(bytes)
            .map(|(to, byte)| *to = *byte)
            .count();
        let encoding = match core::str::from_utf8(&sequence[..length]) {
            Ok(_) => Encoding::UTF_8,
            Err(error) if error.valid_up_to() > 0 => Encoding::UTF_8,
            Err(error) if error.error_len().is_none() && !self.finished => return false,
            Err(_) => Encoding::WINDOWS_1252,
        };
        self.adopt_here(encoding);
        if let Some(sniffed) = &mut self.sniffed {
            sniffed.source = Source::Default;
        }
        true
    }
}
