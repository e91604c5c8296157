//! The text around the place in hand: as much of the input as an error may still be shown in.
//!
//! Of an input in UTF-8 these are the bytes themselves, of any other the text decoded from them,
//! as spans count. It knows nothing of errors, nor of lines.

use bytes::Bytes;
use std::ops::Range;
use tagstream::{Encoding, TextDecoder};

/// The most that is held. What an error tells of a token that is longer is told without its text.
const MOST: usize = 16 << 20;

#[derive(Default)]
pub(crate) struct Source {
    /// What came before the encoding was known.
    waiting: Vec<Bytes>,
    encoding: Option<Encoding>,
    decoder: Option<TextDecoder>,
    decoded: String,
    /// The text, of which what stands before `from` is done with.
    text: Vec<u8>,
    from: usize,
    /// Offset of `text` in the input.
    offset: u64,
    ended: bool,
}

impl Source {
    /// A text that is there as a whole, as far as something between two offsets may be shown in it.
    pub(crate) fn of(text: &str, span: Range<u64>, before: usize, behind: usize) -> Source {
        let at = |offset: u64| usize::try_from(offset).map_or(text.len(), |at| at.min(text.len()));
        let from = at(span.start).saturating_sub(before);
        let to = at(span.end.max(span.start).saturating_add(behind as u64));
        Source {
            encoding: Some(Encoding::UTF_8),
            text: text.as_bytes()[from..to].to_vec(),
            offset: from as u64,
            ended: true,
            ..Source::default()
        }
    }

    /// Takes a chunk of the input, or its end.
    pub(crate) fn take(&mut self, chunk: Option<&Bytes>) {
        self.ended = chunk.is_none();
        match chunk {
            Some(chunk) if self.encoding.is_none() => self.waiting.push(chunk.clone()),
            Some(chunk) => self.append(chunk, false),
            None if self.encoding.is_some() => self.append(&[], true),
            None => {}
        }
    }

    /// Says what the input is read in, as soon as that is known.
    pub(crate) fn settle(&mut self, encoding: Encoding) {
        if self.encoding.is_some() {
            return;
        }
        self.encoding = Some(encoding);
        self.decoder = (!encoding.is_utf8()).then(|| TextDecoder::new(encoding));
        for chunk in std::mem::take(&mut self.waiting) {
            self.append(&chunk, false);
        }
        if self.ended {
            self.append(&[], true);
        }
    }

    fn append(&mut self, bytes: &[u8], last: bool) {
        match &mut self.decoder {
            None => self.text.extend_from_slice(bytes),
            Some(decoder) => {
                self.decoded.clear();
                decoder.decode(bytes, last, &mut self.decoded);
                self.text.extend_from_slice(self.decoded.as_bytes());
            }
        }
    }

    /// Says that nothing before `offset` will be asked for.
    pub(crate) fn forget(&mut self, offset: u64) {
        let done = usize::try_from(offset.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        let least = self.text.len().saturating_sub(MOST);
        self.from = self.from.max(done.max(least)).min(self.text.len());
        // What moves is no more than what goes.
        if self.from > self.text.len() / 2 {
            self.text.drain(..self.from);
            self.offset += self.from as u64;
            self.from = 0;
        }
    }

    /// The index in [`text`](Source::text) of an offset in the input; none where the text is gone or
    /// not there yet.
    pub(crate) fn index(&self, offset: u64) -> Option<usize> {
        let index = usize::try_from(offset.checked_sub(self.offset)?).ok()?;
        (self.from..=self.text.len())
            .contains(&index)
            .then_some(index)
    }

    /// All text at hand. A byte-order mark at the start of the input is not in it.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Where in [`text`](Source::text) its first character is.
    pub(crate) fn first(&self) -> usize {
        let marked = self.has_begin() && self.text.starts_with(b"\xEF\xBB\xBF");
        if marked { 3 } else { self.from }
    }

    /// Whether that is the first character of the input.
    pub(crate) fn has_begin(&self) -> bool {
        self.offset == 0 && self.from == 0
    }

    /// Whether the rest of the input is there.
    pub(crate) fn has_end(&self) -> bool {
        self.ended
    }
}
