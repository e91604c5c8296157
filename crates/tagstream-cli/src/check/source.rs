//! The text around the current position: the part of the input that errors may still have to show.
//!
//! For input in UTF-8, these are the bytes of the input; for other encodings, the decoded text. Offsets in the
//! interface are those of the input.

use bytes::Bytes;
use std::collections::VecDeque;
use std::ops::Range;
use tagstream::{Encoding, TextDecoder};

/// Maximum length of the retained text in bytes. An error at the start of a longer token is reported without its text.
const MAX_SOURCE_BYTES: usize = 16 << 20;

#[derive(Default)]
pub(crate) struct Source {
    /// Chunks that arrived before the encoding was known.
    waiting: Vec<Bytes>,
    encoding: Option<Encoding>,
    decoded: Option<Decoded>,
    /// Retained text in UTF-8. The text before the index `from` is no longer needed.
    text: Vec<u8>,
    from: usize,
    /// Byte offset of `text` in the whole text.
    offset: u64,
    ended: bool,
}

/// Decoder state of an input whose encoding is not UTF-8.
struct Decoded {
    decoder: TextDecoder,
    /// Input bytes from the first of `places` on.
    bytes: Vec<u8>,
    /// One entry for every `STEP` bytes: the offset in the input, the offset in the text, and the decoder at this
    /// point.
    places: VecDeque<(u64, u64, TextDecoder)>,
    /// Number of input bytes decoded so far.
    input: u64,
    /// Length in bytes of the text decoded so far.
    text: u64,
    out: String,
}

/// Number of bytes that are decoded at a time. This is the distance between two entries of `places`.
const STEP: usize = 1 << 10;

impl Decoded {
    fn new(encoding: Encoding) -> Decoded {
        Decoded {
            decoder: TextDecoder::new(encoding),
            bytes: Vec::new(),
            places: VecDeque::new(),
            input: 0,
            text: 0,
            out: String::new(),
        }
    }

    /// Decodes the next bytes and appends their text.
    fn append(&mut self, bytes: &[u8], last: bool, text: &mut Vec<u8>) {
        let mut steps = bytes.chunks(STEP).peekable();
        while let Some(step) = steps.next() {
            let place = (self.input, self.text, self.decoder.clone());
            self.places.push_back(place);
            self.decode(step, last && steps.peek().is_none(), text);
        }
        if last && bytes.is_empty() {
            self.decode(&[], true, text);
        }
    }

    fn decode(&mut self, step: &[u8], last: bool, text: &mut Vec<u8>) {
        self.out.clear();
        self.decoder.decode(step, last, &mut self.out);
        text.extend_from_slice(self.out.as_bytes());
        self.bytes.extend_from_slice(step);
        self.input += step.len() as u64;
        self.text += self.out.len() as u64;
    }

    /// Converts an offset in the input to an offset in the text.
    fn offset(&self, input: u64) -> Option<u64> {
        let before = self.places.partition_point(|(at, ..)| *at <= input);
        let (at, text, decoder) = self.places.get(before.checked_sub(1)?)?;
        let from = usize::try_from(at - self.places.front()?.0).ok()?;
        let length = usize::try_from(input - at).ok()?;
        let mut out = String::new();
        let last = input >= self.input;
        let bytes = self.bytes[from..].get(..length);
        let bytes = bytes.unwrap_or(&self.bytes[from..]);
        decoder.clone().decode(bytes, last, &mut out);
        Some(text + out.len() as u64)
    }

    /// Discards data that is needed only for text before an offset in the text.
    fn forget(&mut self, text: u64) {
        let Some((first, ..)) = self.places.front() else {
            return;
        };
        let first = *first;
        let done = self.places.partition_point(|(_, at, _)| *at <= text);
        // Drain only if at least as many entries are removed as are moved, so that the total cost is linear.
        if done > self.places.len() / 2 && done > 1 {
            self.places.drain(..done - 1);
            let dropped = self.places.front().map_or(0, |(at, ..)| at - first);
            self.bytes.drain(..dropped as usize);
        }
    }
}

impl Source {
    /// Creates a source from a complete text. Retains only the part that is needed to show a byte range: this range,
    /// and the given numbers of bytes before and after it.
    pub(crate) fn of(text: &str, span: Range<u64>, before: usize, after: usize) -> Source {
        let at = |offset: u64| usize::try_from(offset).map_or(text.len(), |at| at.min(text.len()));
        let from = at(span.start).saturating_sub(before);
        let to = at(span.end.max(span.start).saturating_add(after as u64));
        Source {
            encoding: Some(Encoding::UTF_8),
            text: text.as_bytes()[from..to].to_vec(),
            offset: from as u64,
            ended: true,
            ..Source::default()
        }
    }

    /// Adds a chunk of the input, or its end.
    pub(crate) fn take(&mut self, chunk: Option<&Bytes>) {
        self.ended = chunk.is_none();
        match chunk {
            Some(chunk) if self.encoding.is_none() => self.waiting.push(chunk.clone()),
            Some(chunk) => self.append(chunk, false),
            None if self.encoding.is_some() => self.append(&[], true),
            None => {}
        }
    }

    /// Sets the encoding of the input, as soon as it is known.
    pub(crate) fn settle(&mut self, encoding: Encoding) {
        if self.encoding.is_some() {
            return;
        }
        self.encoding = Some(encoding);
        self.decoded = (!encoding.is_utf8()).then(|| Decoded::new(encoding));
        for chunk in std::mem::take(&mut self.waiting) {
            self.append(&chunk, false);
        }
        if self.ended {
            self.append(&[], true);
        }
    }

    fn append(&mut self, bytes: &[u8], last: bool) {
        match &mut self.decoded {
            None => self.text.extend_from_slice(bytes),
            Some(decoded) => decoded.append(bytes, last, &mut self.text),
        }
    }

    /// Discards the text before an offset in the input, which no error will show.
    pub(crate) fn forget(&mut self, offset: u64) {
        let Some(offset) = self.in_text(offset) else {
            return;
        };
        let done = usize::try_from(offset.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        let least = self.text.len().saturating_sub(MAX_SOURCE_BYTES);
        self.from = self.from.max(done.max(least)).min(self.text.len());
        // Drain only if at least as many bytes are removed as are moved, so that the total cost is linear.
        if self.from > self.text.len() / 2 {
            self.text.drain(..self.from);
            self.offset += self.from as u64;
            self.from = 0;
            if let Some(decoded) = &mut self.decoded {
                decoded.forget(self.offset);
            }
        }
    }

    /// Converts an offset in the input to an offset in the whole text.
    fn in_text(&self, offset: u64) -> Option<u64> {
        match &self.decoded {
            None => Some(offset),
            Some(decoded) => decoded.offset(offset),
        }
    }

    /// Converts an offset in the input to an index in [`text`](Source::text). Returns `None` if that text was discarded
    /// or has not arrived.
    pub(crate) fn index(&self, offset: u64) -> Option<usize> {
        let index = self.in_text(offset)?.checked_sub(self.offset)?;
        let index = usize::try_from(index).ok()?;
        (self.from..=self.text.len())
            .contains(&index)
            .then_some(index)
    }

    /// Returns the retained text. It can begin with the byte-order mark of the input; see [`first`](Source::first).
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the index in [`text`](Source::text) of the first character that can be shown.
    pub(crate) fn first(&self) -> usize {
        let marked = self.has_begin() && self.text.starts_with(b"\xEF\xBB\xBF");
        if marked { 3 } else { self.from }
    }

    /// Returns true if the text has the bytes of the input, because these are in UTF-8.
    pub(crate) fn is_utf8(&self) -> bool {
        self.encoding.is_some() && self.decoded.is_none()
    }

    /// Returns true if that character is the first one of the input.
    pub(crate) fn has_begin(&self) -> bool {
        self.offset == 0 && self.from == 0
    }

    /// Returns true if the end of the input has arrived.
    pub(crate) fn has_end(&self) -> bool {
        self.ended
    }
}
