//! The lines that an error is shown in, cut around its place, however long they are.
//!
//! Only a bounded number of bytes around the place is looked at: a hundred thousand errors in one
//! line cost as much as in a hundred thousand lines.

use super::source::Source;
use crate::shown::is_unseen;
use memchr::{memchr2, memrchr2};
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// So many columns of a line are shown.
const COLUMNS: usize = 100;

/// So many of them are kept for the place and what follows it, if there is so much.
const AHEAD: usize = 60;

/// So many columns stand for a tab.
const TAB: usize = 4;

/// Of what spans more lines, the first is shown.
const LINES: usize = 4;

/// So many bytes before a place are looked at, which is more than there are columns.
pub(crate) const BEFORE: usize = 1 << 10;

/// So many bytes behind it.
const BEHIND: usize = 2 << 10;

/// Stands where a line is cut.
const CUT: char = '…';

/// Lines to be shown, and what is to be marked in them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Excerpt {
    pub(crate) text: String,
    pub(crate) marked: Range<usize>,
    /// The line that is there for what stands before the place, not for the place.
    pub(crate) context: Option<Range<usize>>,
    /// How many lines what is marked has.
    pub(crate) lines: usize,
}

/// The lines of what is between two offsets of the input; none if the text is gone.
pub(crate) fn excerpt(source: &Source, span: Range<u64>) -> Option<Excerpt> {
    let place = source.index(span.start)?;
    let text = source.text();
    let end = source.index(span.end).unwrap_or(text.len()).max(place);
    let first = source.first().max(place.saturating_sub(BEFORE)).min(place);
    let before = &text[first..place];
    let is_begin = first == source.first() && source.has_begin();
    let behind = &text[place..text.len().min(place + BEHIND)];
    let marked = (end - place).min(behind.len());

    let mut excerpt = Excerpt::default();
    let (line, begins) = last_line(before);
    if line.is_empty() && begins && next_line(behind).0 == 0 {
        // An empty line, as most inputs have at their end, says little without the one before it.
        let above = &before[..before.len() - line_end(before)];
        let (above, begins) = last_line(above);
        excerpt.push_end(above, begins || is_begin, COLUMNS);
        excerpt.context = Some(0..excerpt.text.len());
        excerpt.text.push('\n');
    }
    excerpt.push_first(line, begins || is_begin, behind, marked);
    Some(excerpt)
}

/// The lines of what is between two offsets of a text that is there as a whole.
pub(crate) fn excerpt_of(text: &str, span: Range<u64>) -> Option<Excerpt> {
    // What is marked is cut where it is too long.
    let end = span.end.min(span.start + BEHIND as u64);
    let source = Source::of(text, span.start..end, BEFORE, BEHIND);
    excerpt(&source, span)
}

/// Whether all is there that will be shown of what begins at one offset and ends at another.
pub(crate) fn is_ready(source: &Source, span: Range<u64>) -> bool {
    let Some(place) = source.index(span.start).filter(|_| !source.has_end()) else {
        return true;
    };
    let behind = &source.text()[place..];
    let Some(end) = source.index(span.end) else {
        return behind.len() >= BEHIND;
    };
    let rest = &source.text()[end.max(place)..];
    let rest = &rest[..rest.len().min(BEHIND)];
    // A CR may be half of a line's end.
    let ended = memchr2(b'\n', b'\r', rest).is_some_and(|at| rest[at..] != *b"\r");
    ended || behind.len() >= BEHIND
}

/// What stands behind the last line end, and whether there is one.
fn last_line(text: &[u8]) -> (&[u8], bool) {
    match memrchr2(b'\n', b'\r', text) {
        Some(at) => (&text[at + 1..], true),
        None => (text, false),
    }
}

/// The length of the line end that `text` ends with.
fn line_end(text: &[u8]) -> usize {
    match text {
        [.., b'\r', b'\n'] => 2,
        _ => 1,
    }
}

/// The length of the line that `text` begins with, and of that with its end.
fn next_line(text: &[u8]) -> (usize, usize) {
    match memchr2(b'\n', b'\r', text) {
        None => (text.len(), text.len()),
        Some(at) if text[at..].starts_with(b"\r\n") => (at, at + 2),
        Some(at) => (at, at + 1),
    }
}

impl Excerpt {
    /// The line of the place, of which `line` stands before it, and the further ones, if what is
    /// marked runs into a few such.
    fn push_first(&mut self, line: &[u8], begins: bool, behind: &[u8], marked: usize) {
        let (length, _) = next_line(behind);
        let ahead = String::from_utf8_lossy(&behind[..length]);
        let room = COLUMNS - fitting(&ahead, AHEAD).1;
        let room = COLUMNS - self.push_end(line, begins, room);
        self.marked.start = self.text.len();
        self.push_marked(&behind[..length], marked.min(length), room);
        self.lines = 1;
        let line_end = self.text.len();
        let mark_end = self.marked.end;
        if self.push_further(behind, marked).is_none() {
            self.text.truncate(line_end);
            self.marked.end = mark_end;
            self.lines = 1;
        }
    }

    /// The lines behind the first that what is marked runs into; none if these are too many.
    fn push_further(&mut self, behind: &[u8], marked: usize) -> Option<()> {
        let mut at = next_line(behind).1;
        while at < marked {
            if self.lines == LINES {
                return None;
            }
            self.text.push('\n');
            self.lines += 1;
            let (length, whole) = next_line(&behind[at..]);
            let line = &behind[at..at + length];
            self.push_marked(line, (marked - at).min(length), COLUMNS);
            at += whole;
        }
        Some(())
    }

    /// A line or the rest of one, cut where it exceeds `room`; `marked` bytes of it are marked.
    fn push_marked(&mut self, line: &[u8], marked: usize, room: usize) {
        let (inside, behind) = line.split_at(marked);
        let (inside, behind) = (
            String::from_utf8_lossy(inside),
            String::from_utf8_lossy(behind),
        );
        let (length, columns) = fitting(&inside, room);
        self.push(&inside[..length]);
        self.marked.end = self.text.len();
        let mut is_cut = length < inside.len();
        if !is_cut {
            let (length, _) = fitting(&behind, room - columns);
            self.push(&behind[..length]);
            is_cut = length < behind.len();
        }
        if is_cut {
            self.text.push(CUT);
        }
    }

    /// The end of a line, as far as it fits; gives how many columns it takes.
    fn push_end(&mut self, line: &[u8], begins: bool, room: usize) -> usize {
        let line = String::from_utf8_lossy(line);
        let (mut from, mut columns) = (line.len(), 0);
        for (at, character) in line.char_indices().rev() {
            let more = columns + width(character);
            if more > room {
                break;
            }
            (from, columns) = (at, more);
        }
        if from > 0 || !begins {
            self.text.push(CUT);
        }
        self.push(&line[from..]);
        columns
    }

    /// Pushes text; what is unseen and has no picture is replaced.
    fn push(&mut self, text: &str) {
        let shown = text.chars().map(|character| match is_replaced(character) {
            true => char::REPLACEMENT_CHARACTER,
            false => character,
        });
        self.text.extend(shown);
    }
}

/// How many bytes of `text` fit into so many columns, and how many columns they take.
fn fitting(text: &str, room: usize) -> (usize, usize) {
    let mut columns = 0;
    for (at, character) in text.char_indices() {
        let more = columns + width(character);
        if more > room {
            return (at, columns);
        }
        columns = more;
    }
    (text.len(), columns)
}

/// Whether U+FFFD is shown for a character. The control characters of ASCII have pictures, which they
/// get when this is written.
fn is_replaced(character: char) -> bool {
    !character.is_ascii() && is_unseen(character)
}

fn width(character: char) -> usize {
    match character {
        '\t' => TAB,
        other if is_replaced(other) => 1,
        // Something stands for whatever has no width of its own.
        other => other.width().unwrap_or(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use tagstream::Encoding;

    fn shown(text: &str, span: Range<u64>) -> Excerpt {
        let mut source = Source::default();
        source.settle(Encoding::UTF_8);
        source.take(Some(&Bytes::copy_from_slice(text.as_bytes())));
        source.take(None);
        excerpt(&source, span).unwrap_or_default()
    }

    #[test]
    fn every_span_of_a_text_can_be_shown() {
        let text = "a\tb\r\n\r\n中é\n\n\rx\u{301}\u{85}\n";
        let ends = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
        let ends: Vec<_> = ends.collect();
        for (index, from) in ends.iter().enumerate() {
            for to in &ends[index..] {
                let excerpt = shown(text, *from as u64..*to as u64);
                let marked = excerpt.text.get(excerpt.marked.clone());
                let marked = marked.unwrap_or("not between characters").trim();
                let wanted = text[*from..*to].replace("\r\n", "\n").replace('\r', "\n");
                let wanted = wanted.replace('\u{85}', "\u{FFFD}");
                let whole = wanted.trim().starts_with(marked);
                assert!(whole, "{from}..{to}: {excerpt:?}");
            }
        }
    }

    #[test]
    fn long_lines_are_cut_on_both_sides() {
        let text = format!("{}<b>{}", "中".repeat(9_000), "y".repeat(9_000));
        let excerpt = shown(&text, 27_000..27_003);
        assert_eq!(&excerpt.text[excerpt.marked.clone()], "<b>");
        assert!(excerpt.text.starts_with("…中"), "{excerpt:?}");
        assert!(excerpt.text.ends_with("y…"), "{excerpt:?}");
        let columns: usize = excerpt.text.chars().map(width).sum();
        assert_eq!(columns, COLUMNS + 2);
    }
}
