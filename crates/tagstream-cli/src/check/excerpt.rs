//! The lines that contain an error, shortened around the position of the error.
//!
//! Only a bounded number of bytes around the position is examined, so that a hundred thousand errors in one line cost
//! as much as in a hundred thousand lines.

use super::source::Source;
use crate::shown::is_unseen;
use memchr::{memchr2, memrchr2};
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// Maximum number of columns of a line.
const COLUMNS: usize = 100;

/// Number of columns that are reserved for the position and the text after it, if there is enough text.
const AHEAD: usize = 60;

/// Number of columns of a tab.
const TAB: usize = 4;

/// Maximum number of lines of a marked range. Of a longer range, only the first line is shown.
const LINES: usize = 4;

/// Number of bytes before a position that are examined. This is more than the number of columns.
pub(crate) const BEFORE: usize = 1 << 10;

/// Number of bytes after a position that are examined.
const AFTER: usize = 2 << 10;

/// The character that is shown where a line is cut.
const CUT: char = '…';

/// Lines to show, and the range in them to mark.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Excerpt {
    pub(crate) text: String,
    pub(crate) marked: Range<usize>,
    /// Byte range of the preceding line, if it is shown as context.
    pub(crate) context: Option<Range<usize>>,
    /// Number of lines of the marked range.
    pub(crate) lines: usize,
}

/// Returns the lines of a byte range of the input, or `None` if their text was discarded.
pub(crate) fn excerpt(source: &Source, span: Range<u64>) -> Option<Excerpt> {
    let place = source.index(span.start)?;
    let text = source.text();
    let end = source.index(span.end).unwrap_or(text.len()).max(place);
    let first = source.first().max(place.saturating_sub(BEFORE)).min(place);
    let before = &text[first..place];
    let is_begin = first == source.first() && source.has_begin();
    let after = &text[place..text.len().min(place + AFTER)];
    let marked = (end - place).min(after.len());

    let mut excerpt = Excerpt::default();
    let (line, begins) = last_line(before);
    if line.is_empty() && begins && next_line(after).0 == 0 {
        // An empty line, which is often the last line of an input, is shown together with the line before it.
        let above = &before[..before.len() - line_end(before)];
        let (above, begins) = last_line(above);
        excerpt.push_end(above, begins || is_begin, COLUMNS);
        excerpt.context = Some(0..excerpt.text.len());
        excerpt.text.push('\n');
    }
    excerpt.push_first(line, begins || is_begin, after, marked);
    Some(excerpt)
}

/// Returns the lines of a byte range of a complete text.
pub(crate) fn excerpt_of(text: &str, span: Range<u64>) -> Option<Excerpt> {
    // A marked range that is too long is cut.
    let end = span.end.min(span.start + AFTER as u64);
    let source = Source::of(text, span.start..end, BEFORE, AFTER);
    excerpt(&source, span)
}

/// Returns true if all text is available that will be shown for a byte range of the input.
pub(crate) fn is_ready(source: &Source, span: Range<u64>) -> bool {
    let Some(place) = source.index(span.start).filter(|_| !source.has_end()) else {
        return true;
    };
    let after = &source.text()[place..];
    let Some(end) = source.index(span.end) else {
        return after.len() >= AFTER;
    };
    let rest = &source.text()[end.max(place)..];
    let rest = &rest[..rest.len().min(AFTER)];
    // A CR may be the first half of a CR LF.
    let ended = memchr2(b'\n', b'\r', rest).is_some_and(|at| rest[at..] != *b"\r");
    ended || after.len() >= AFTER
}

/// Returns the text after the last newline, and true if there is a newline.
fn last_line(text: &[u8]) -> (&[u8], bool) {
    match memrchr2(b'\n', b'\r', text) {
        Some(at) => (&text[at + 1..], true),
        None => (text, false),
    }
}

/// Returns the length of the newline at the end of `text`.
fn line_end(text: &[u8]) -> usize {
    match text {
        [.., b'\r', b'\n'] => 2,
        _ => 1,
    }
}

/// Returns the length of the first line of `text`, without and with its newline.
fn next_line(text: &[u8]) -> (usize, usize) {
    match memchr2(b'\n', b'\r', text) {
        None => (text.len(), text.len()),
        Some(at) if text[at..].starts_with(b"\r\n") => (at, at + 2),
        Some(at) => (at, at + 1),
    }
}

impl Excerpt {
    /// Pushes the first line of the marked range, with `line` as its part before the range. Pushes the other lines too,
    /// unless there are too many.
    fn push_first(&mut self, line: &[u8], begins: bool, after: &[u8], marked: usize) {
        let (length, _) = next_line(after);
        let ahead = String::from_utf8_lossy(&after[..length]);
        let room = COLUMNS - fitting(&ahead, AHEAD).1;
        let room = COLUMNS - self.push_end(line, begins, room);
        self.marked.start = self.text.len();
        self.push_marked(&after[..length], marked.min(length), room);
        self.lines = 1;
        let line_end = self.text.len();
        let mark_end = self.marked.end;
        if self.push_further(after, marked).is_none() {
            self.text.truncate(line_end);
            self.marked.end = mark_end;
            self.lines = 1;
        }
    }

    /// Pushes the other lines of the marked range. Returns `None` if there are too many.
    fn push_further(&mut self, after: &[u8], marked: usize) -> Option<()> {
        let mut at = next_line(after).1;
        while at < marked {
            if self.lines == LINES {
                return None;
            }
            self.text.push('\n');
            self.lines += 1;
            let (length, whole) = next_line(&after[at..]);
            let line = &after[at..at + length];
            self.push_marked(line, (marked - at).min(length), COLUMNS);
            at += whole;
        }
        Some(())
    }

    /// Pushes a line or the rest of one, cut if it exceeds `room` columns. Its first `marked` bytes are marked.
    fn push_marked(&mut self, line: &[u8], marked: usize, room: usize) {
        let (inside, after) = line.split_at(marked);
        let (inside, after) = (
            String::from_utf8_lossy(inside),
            String::from_utf8_lossy(after),
        );
        let (length, columns) = fitting(&inside, room);
        self.push(&inside[..length]);
        self.marked.end = self.text.len();
        let mut is_cut = length < inside.len();
        if !is_cut {
            let (length, _) = fitting(&after, room - columns);
            self.push(&after[..length]);
            is_cut = length < after.len();
        }
        if is_cut {
            self.text.push(CUT);
        }
    }

    /// Pushes as much of the end of a line as fits into `room` columns. Returns the number of columns used.
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

    /// Pushes text. Invisible characters that have no visible substitute are replaced.
    fn push(&mut self, text: &str) {
        let shown = text.chars().map(|character| match is_replaced(character) {
            true => char::REPLACEMENT_CHARACTER,
            false => character,
        });
        self.text.extend(shown);
    }
}

/// Returns the number of bytes of `text` that fit into `room` columns, and the number of columns that they take.
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

/// Returns true if U+FFFD is shown for a character. For ASCII control characters the renderer shows control pictures
/// instead.
fn is_replaced(character: char) -> bool {
    !character.is_ascii() && is_unseen(character)
}

fn width(character: char) -> usize {
    match character {
        '\t' => TAB,
        other if is_replaced(other) => 1,
        // Zero-width and control characters without a width are shown as one column.
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
