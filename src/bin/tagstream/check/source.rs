//! The text around the place in hand: as much of the input as an error may still be shown in.
//!
//! Of an input in UTF-8 these are the bytes themselves, of any other the text decoded from them; offsets
//! are the input's. It knows nothing of errors, nor of lines.

use bytes::Bytes;
use std::collections::VecDeque;
use std::ops::Range;
use tagstream::{Encoding, TextDecoder};

/// The most that is held. What an error tells of a token that is longer is told without its text.
const MOST: usize = 16 << 20;

#[derive(Default)]
pub(crate) struct Source {
    /// What came before the encoding was known.
    waiting: Vec<Bytes>,
    encoding: Option<Encoding>,
    decoded: Option<Decoded>,
    /// The text, of which what stands before `from` is done with.
    text: Vec<u8>,
    from: usize,
    /// Offset of `text` in all text.
    offset: u64,
    ended: bool,
}

/// An input in another encoding than UTF-8: its bytes, and what turns them into text.
struct Decoded {
    decoder: TextDecoder,
    /// From the first of the places on.
    bytes: Vec<u8>,
    /// Every so many bytes: how far the input and the text had come, and the decoder there.
    places: VecDeque<(u64, u64, TextDecoder)>,
    /// How far they have come.
    input: u64,
    text: u64,
    out: String,
}

/// So many bytes of such an input are decoded at a time.
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

    /// The text of the next bytes.
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

    /// The offset in the text of an offset in the input.
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

    /// Nothing before an offset in the text will be asked for.
    fn forget(&mut self, text: u64) {
        let Some((first, ..)) = self.places.front() else {
            return;
        };
        let first = *first;
        let done = self.places.partition_point(|(_, at, _)| *at <= text);
        // What moves is no more than what goes.
        if done > self.places.len() / 2 && done > 1 {
            self.places.drain(..done - 1);
            let dropped = self.places.front().map_or(0, |(at, ..)| at - first);
            self.bytes.drain(..dropped as usize);
        }
    }
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

    /// Says that nothing before `offset` will be asked for.
    pub(crate) fn forget(&mut self, offset: u64) {
        let Some(offset) = self.in_text(offset) else {
            return;
        };
        let done = usize::try_from(offset.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        let least = self.text.len().saturating_sub(MOST);
        self.from = self.from.max(done.max(least)).min(self.text.len());
        // What moves is no more than what goes.
        if self.from > self.text.len() / 2 {
            self.text.drain(..self.from);
            self.offset += self.from as u64;
            self.from = 0;
            if let Some(decoded) = &mut self.decoded {
                decoded.forget(self.offset);
            }
        }
    }

    /// Offset in all text.
    fn in_text(&self, offset: u64) -> Option<u64> {
        match &self.decoded {
            None => Some(offset),
            Some(decoded) => decoded.offset(offset),
        }
    }

    /// The index in [`text`](Source::text) of an offset in the input; none where the text is gone or
    /// not there yet.
    pub(crate) fn index(&self, offset: u64) -> Option<usize> {
        let index = self.in_text(offset)?.checked_sub(self.offset)?;
        let index = usize::try_from(index).ok()?;
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
