//! The parts of a rewriter's output that differ from its source.
//!
//! A rewriter passes the bytes of the source on, except where an edit omits some or inserts others. It does not say
//! where. But the output is taken after each event, and the byte range of each event is known, so source and output are
//! cut into short pieces that belong together:
//!
//! ```text
//! source   text  | <a href=1>                | link | </a>
//! output   text  | <a href=1 rel="nofollow"> | link | </a>
//!                  the piece that differs
//! ```
//!
//! Most pieces are equal. Of a piece that differs, the common beginning and end are unchanged. An event from which no
//! edit is known is not a reliable cut if its piece differs: an element can end there whose end was edited, or the
//! contents of a removed element lie before it. The piece then extends up to the next event that is passed on as it is.
//!
//! The cuts never decide whether the result is correct. Each byte outside of the changed ranges is a byte of the source,
//! in the order of the source, and each place where they are not adjacent in both has a range.

/// A byte range of the output. An empty range is the place of a removal.
pub(crate) type Range = (usize, usize);

/// The comparison of a source with the output of a rewriter, event by event.
pub(crate) struct Changes<'s> {
    source: &'s [u8],
    /// The output so far. The caller appends to it.
    pub(crate) output: Vec<u8>,
    /// Length of the prefix of the source that is compared.
    read: usize,
    /// Length of the prefix of the output that is compared.
    written: usize,
    /// Length of the common prefix of the rest of the source and the rest of the output, as far as it is known.
    matched: usize,
    /// Offset in the source of the end of the last event, if that event was edited, or seems to be.
    edited_end: Option<usize>,
    /// True if the rests of source and output begin with something that need not belong together.
    is_unknown: bool,
    /// The changed ranges in their order. Two ranges may touch each other.
    ranges: Vec<Range>,
}

impl<'s> Changes<'s> {
    pub(crate) fn new(source: &'s str) -> Changes<'s> {
        Changes {
            source: source.as_bytes(),
            output: Vec::new(),
            read: 0,
            written: 0,
            matched: 0,
            edited_end: None,
            is_unknown: false,
            ranges: Vec::new(),
        }
    }

    /// Called after the output of an event was appended. `start` and `end` are the byte range of the event in the source,
    /// and `before` is the length of the output before the event.
    pub(crate) fn pass(&mut self, (start, end): Range, before: usize, is_edited: bool) {
        let earliest = self.edited_end.unwrap_or(self.read);
        let is_in_order = earliest <= start && start <= end && end <= self.source.len();
        if is_in_order {
            self.settle(start, before, start == end);
        }
        // An event that is not in the source, or is not in its order, cuts nothing.
        if !is_in_order || start == end {
            self.is_unknown |= is_edited;
            return;
        }
        if is_edited {
            self.begin_edited(start, before);
            self.edited_end = Some(end);
            return;
        }
        let length = self.output.len() - self.written;
        let expected = end - self.read;
        let was_unknown = self.is_unknown;
        if !was_unknown {
            self.match_more(self.output.len());
            if self.matched == length && length <= expected {
                // The rewriter may retain the end of a text, if it consists of the bytes with which markup begins.
                let missing = &self.source[self.read + length..end];
                let is_retained = |byte: &u8| matches!(byte, b'<' | b'/' | b'!' | b'?');
                if missing.is_empty() {
                    self.compare(end, self.output.len());
                }
                if missing.iter().all(is_retained) {
                    return;
                }
            }
        }
        let own = end - start;
        if self.matched < expected
            && length >= own
            && self.output.ends_with(&self.source[start..end])
        {
            self.compare(start, self.output.len() - own);
            self.compare(end, self.output.len());
        } else if !was_unknown {
            // An element with edits ends here, or input after the event was passed on already.
            self.edited_end = Some(end);
        }
    }

    /// Called before an event at an offset in the source, and with the length of the output before it. Compares up to the
    /// end of the last edited event. `is_implied` is true if the event is not in the source: then only the gap between
    /// the events shows that it is at that offset.
    fn settle(&mut self, start: usize, before: usize, is_implied: bool) {
        let Some(end) = self.edited_end else {
            return;
        };
        // This input has no event, or its events were omitted.
        let gap = &self.source[end..start];
        let follows = self.output[before..].starts_with(gap);
        if is_implied && (gap.is_empty() || !follows) {
            return;
        }
        self.edited_end = None;
        let written = &self.output[self.written..before];
        let to = self.read + written.len();
        if to >= end && self.source[self.read..start].starts_with(written) {
            // Nothing has changed.
            return self.compare(to, before);
        }
        if follows {
            return self.compare(end, before);
        }
        // What was inserted may end like a part of the gap by chance.
        let passed_on = common(gap.iter().rev(), written.iter().rev());
        if passed_on > 0 && passed_on == gap.len().min(written.len()) {
            self.compare(end, before - passed_on);
            self.compare(start, before);
        } else {
            self.compare(end, before);
            self.is_unknown = true;
        }
    }

    /// Called before an edited event. Compares up to the event, except input without an event that was not passed on
    /// before the event.
    fn begin_edited(&mut self, start: usize, before: usize) {
        self.match_more(before);
        let to = self.read + self.matched;
        let is_equal = self.matched == before - self.written && to <= start;
        let rest = &self.source[to.min(start)..start];
        let own = &self.output[before..];
        if is_equal && own.starts_with(rest) {
            let passed_on = rest.len();
            self.compare(start, before + passed_on);
            return;
        }
        // The rewriter may retain the last bytes before the event.
        let is_retained = is_equal && rest.starts_with(own);
        if is_equal && (is_retained || !self.is_unknown) {
            self.compare(to, before);
        }
        if !is_retained {
            self.compare(start, before);
        }
    }

    /// Extends the common prefix of the rests of source and output, up to an offset in the output.
    fn match_more(&mut self, to: usize) {
        let rest = &self.source[(self.read + self.matched).min(self.source.len())..];
        let from = (self.written + self.matched).min(to);
        self.matched += common(rest.iter(), self.output[from..to].iter());
    }

    /// Compares the next pieces of source and output, which end at these offsets.
    fn compare(&mut self, read: usize, written: usize) {
        let (old, new) = (
            &self.source[self.read..read],
            &self.output[self.written..written],
        );
        if old != new {
            let (begin, end) = difference(old, new);
            self.ranges.push((self.written + begin, self.written + end));
        }
        (self.read, self.written, self.matched) = (read, written, 0);
        self.is_unknown = false;
    }

    /// Called after the end of the output. Returns the output, and the changed ranges as UTF-16 offsets.
    pub(crate) fn finish(mut self) -> (String, Vec<Range>) {
        self.settle(self.source.len(), self.output.len(), false);
        self.compare(self.source.len(), self.output.len());
        let mut ranges: Vec<Range> = Vec::new();
        let output = String::from_utf8_lossy(&self.output).into_owned();
        let (mut at, mut units) = (0, 0);
        let mut unit_of = |offset: usize| {
            units += output[at..offset].encode_utf16().count();
            at = offset;
            units
        };
        let mut bytes = 0;
        for (begin, end) in self.ranges {
            // A range contains whole characters.
            let (mut begin, mut end) = (begin.min(output.len()), end.min(output.len()));
            while !output.is_char_boundary(begin) {
                begin -= 1;
            }
            while !output.is_char_boundary(end) {
                end += 1;
            }
            let is_joined = !ranges.is_empty() && begin <= bytes;
            bytes = end.max(bytes);
            let begin = if is_joined { 0 } else { unit_of(begin) };
            let end = unit_of(bytes);
            match ranges.last_mut() {
                Some(last) if is_joined => last.1 = end,
                _ => ranges.push((begin, end)),
            }
        }
        (output, ranges)
    }
}

/// Returns the number of leading items that two sequences have in common.
fn common<'b>(left: impl Iterator<Item = &'b u8>, right: impl Iterator<Item = &'b u8>) -> usize {
    left.zip(right).take_while(|(a, b)| a == b).count()
}

/// Returns the range of `new` in which it differs from `old`.
fn difference(old: &[u8], new: &[u8]) -> Range {
    let prefix = common(old.iter(), new.iter());
    let suffix = common(old.iter().rev(), new.iter().rev());
    let shorter = old.len().min(new.len());
    if prefix + suffix >= shorter {
        // Something is only inserted or only removed. If several places are possible, as in `<b>` before `<br>`, it
        // begins at a tag, or else at a space.
        let longer = if old.len() > new.len() { old } else { new };
        let mut places = (shorter - suffix..=prefix).rev();
        let found = places
            .clone()
            .find(|at| longer.get(*at) == Some(&b'<'))
            .or_else(|| places.find(|at| longer.get(*at) == Some(&b' ')));
        let begin = found.unwrap_or(prefix);
        return (begin, begin + new.len() - shorter);
    }
    let (mut begin, mut end) = (prefix, new.len() - suffix);
    // A word is marked as a whole.
    let is_in_word = |at: usize| {
        let part = new.get(at.wrapping_sub(1)..=at);
        part.is_some_and(|part| part.iter().all(u8::is_ascii_alphanumeric))
    };
    while is_in_word(begin) {
        begin -= 1;
    }
    while is_in_word(end) {
        end += 1;
    }
    // A tag that is not there in the source is marked as a whole.
    let part = &new[begin..end];
    if part.starts_with(b"/") || part.iter().any(|byte| matches!(byte, b'<' | b'>')) {
        while begin > 0 && matches!(new[begin - 1], b'<' | b'/') {
            begin -= 1;
        }
        end += usize::from(new.get(end) == Some(&b'>'));
    }
    (begin, end)
}
