//! The parts of a rewriter's output that differ from its source.
//!
//! A rewriter passes the bytes of the source on, except where an edit omits some or inserts others. It does not say
//! where. But the output is taken after each event, and the byte range of each event is known. An event whose bytes are in
//! its output cuts source and output into pieces that belong together:
//!
//! ```text
//! source   text  | <a href=1>                | link | </a>
//! output   text  | <a href=1 rel="nofollow"> | link | </a>
//!                  the piece that differs
//! ```
//!
//! Of a piece that differs, the common beginning and end are unchanged. If a cut is missing, because the rewriter retains
//! some bytes or an element was removed, the piece is longer.
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
            ranges: Vec::new(),
        }
    }

    /// Called after the output of an event was appended. `start` and `end` are the byte range of the event in the source,
    /// and `before` is the length of the output before the event.
    pub(crate) fn pass(&mut self, (start, end): Range, before: usize, is_edited: bool) {
        // An implied event has no bytes. Balanced events may be out of the order of the source.
        if start < self.read || end <= start {
            return;
        }
        let (event, written) = (&self.source[start..end], &self.output[before..]);
        if is_edited {
            let (old, new) = (
                &self.source[self.read..start],
                &self.output[self.written..before],
            );
            // Input that has no event may be passed on with the event.
            let rest = old.strip_prefix(new).unwrap_or_default();
            let has_rest = written.starts_with(rest);
            let read = if has_rest { start - rest.len() } else { start };
            return self.compare(read, before);
        }
        // An element that ends here may have content inserted before or after its end tag.
        let at = if written.starts_with(event) {
            before
        } else if written.ends_with(event) {
            self.output.len() - event.len()
        } else {
            return;
        };
        let end_of_event = at + event.len();
        self.compare(start, at);
        (self.read, self.written) = (end, end_of_event);
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
        (self.read, self.written) = (read, written);
    }

    /// Called after the end of the output. Returns the output, and the changed ranges as UTF-16 offsets.
    pub(crate) fn finish(mut self) -> (String, Vec<Range>) {
        // Events that are not in the order of the source can cut equal texts at different places.
        if self.output == self.source {
            self.ranges.clear();
            self.read = self.source.len();
            self.written = self.output.len();
        }
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
