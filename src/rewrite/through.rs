//! The bytes of the input on their way to the output: copied, left out, with others put between. It must not
//! know why.

use super::encode::{Encode, Unit, is_c1};
use super::join::{LOOKED, Tail};
use crate::dialect::Syntax;
use crate::error::Span;
use crate::input::encoding::Encoding;
use crate::work;
use crate::write::{Reason, Refusal, sure};
use alloc::vec::Vec;

/// What was fed and is not passed, and what is put out.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Through {
    /// What was fed, from the offset `base` on.
    raw: Vec<u8>,
    base: u64,
    /// All before this offset is put out, or left out.
    done: u64,
    out: Vec<u8>,
    /// The output has been lent, and goes.
    is_taken: bool,
    /// A line feed in this place goes with the carriage return before it, from which it was parted.
    parted: Option<u64>,
    /// What stands before what is put next, if that was not before it in the input.
    join: Option<Tail>,
    /// What was put out and stands before this offset is complete.
    closed: u64,
    /// Anything was put out.
    is_begun: bool,
    /// Behind this offset a line feed is dropped, by who reads what is put out.
    dropping: Option<u64>,
    /// Behind this offset a line feed was dropped, and is one no more.
    dropped: Option<u64>,
    /// Whose text has a `<` of its own: HTML directly before markup alone.
    is_html: bool,
    /// Whose references can't be to U+FFFE and U+FFFF, and have none of them in names.
    is_xml: bool,
    /// Whose references to ends of lines are ends of lines.
    is_leafxml: bool,
    /// U+0085 is one end of a line with a carriage return before it.
    has_nel: bool,
    encode: Encode,
    /// The offset that `is_cut` was last called with, and its result.
    cut_from: Option<(u64, bool)>,
}

/// Whether a document that begins so says its encoding by that, or has a declaration.
fn tells(bytes: &[u8]) -> bool {
    let is_mark = matches!(bytes, [0xFE | 0xFF, ..]);
    is_mark || bytes.starts_with(b"<?xml") || bytes.iter().take(4).any(|byte| *byte == 0)
}

/// A state to come back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    done: u64,
    out: usize,
    parted: Option<u64>,
    join: Option<Tail>,
    closed: u64,
    is_begun: bool,
    dropping: Option<u64>,
    dropped: Option<u64>,
    encode: Encode,
}

impl Through {
    pub(super) fn new(syntax: Syntax) -> Through {
        let is_leafxml = syntax == Syntax::LeafXml;
        Through {
            is_html: matches!(syntax, Syntax::Html { .. }),
            is_xml: syntax == Syntax::Xml,
            is_leafxml,
            has_nel: is_leafxml,
            ..Through::default()
        }
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let passed = (self.done - self.base) as usize;
        // What was put out last tells what may come beside it.
        let passed = passed.saturating_sub(4 * LOOKED);
        if passed > self.raw.len() / 2 {
            work::count(self.raw.len() - passed);
            self.raw.drain(..passed);
            self.base += passed as u64;
        }
        self.raw.extend_from_slice(bytes);
        self.cut_from = None;
    }

    /// Begins anew, in the same memory.
    pub(super) fn reset(&mut self) {
        let (mut raw, mut out) = (
            core::mem::take(&mut self.raw),
            core::mem::take(&mut self.out),
        );
        raw.clear();
        out.clear();
        *self = Through {
            raw,
            out,
            is_html: self.is_html,
            is_xml: self.is_xml,
            is_leafxml: self.is_leafxml,
            has_nel: self.is_leafxml,
            ..Through::default()
        };
    }

    pub(super) fn set_encoding(&mut self, encoding: Option<Encoding>) {
        self.encode.set(encoding);
    }

    pub(super) fn set_nel(&mut self, has_nel: bool) {
        self.has_nel = has_nel;
    }

    /// A start tag ends there behind which a line feed is dropped.
    #[cold]
    pub(super) fn set_dropping(&mut self, end: u64) {
        if self.is_html {
            self.dropping = Some(end);
        }
    }

    /// A start tag was put, behind which a line feed was dropped or not, and now is or not.
    pub(super) fn drop_as(&mut self, was: bool, is: bool) {
        if self.is_html && (was || is) {
            self.dropping = is.then_some(self.done);
            if was != is {
                self.join = self.join.or(Some(Tail::Closed));
            }
            match (was, is) {
                (true, false) => self.dropped = Some(self.done),
                (false, true) => self.join = Some(Tail::Dropping),
                _ => {}
            }
        }
    }

    /// So many bytes a character of ASCII has.
    pub(super) fn unit(&self) -> u64 {
        self.encode.unit().len() as u64
    }

    /// The character of ASCII at an offset.
    fn ascii_at(&self, at: u64) -> Option<u8> {
        let unit = self.encode.unit();
        let bytes = self.between(at.max(self.base), at + unit.len() as u64);
        (bytes.len() == unit.len()).then(|| unit.ascii(bytes))?
    }

    /// Whether a slash stands there.
    pub(super) fn is_slash(&self, at: u64) -> bool {
        self.ascii_at(at) == Some(b'/')
    }

    /// Whether a `<` stands at an offset.
    pub(super) fn is_angle(&self, at: u64) -> bool {
        self.ascii_at(at) == Some(b'<')
    }

    /// Whether a CDATA section begins before an offset.
    pub(super) fn begins_section(&self, to: u64) -> bool {
        const WORD: &str = "<![CDATA[";
        let from = to.saturating_sub(WORD.len() as u64 * self.unit());
        let span = Span {
            start: from.max(self.base),
            end: to,
        };
        self.rfind(WORD, span).is_some()
    }

    /// Whether a carriage return stands before an offset.
    pub(super) fn ends_with_return(&self, to: u64) -> bool {
        to.checked_sub(self.unit())
            .is_some_and(|at| self.ascii_at(at) == Some(b'\r'))
    }

    /// All before this offset is done.
    pub(super) fn done(&self) -> u64 {
        self.done
    }

    pub(super) fn end(&self) -> u64 {
        self.base + self.raw.len() as u64
    }

    /// What was lent goes, before more is put.
    #[inline(always)]
    pub(super) fn forget_taken(&mut self) {
        if self.is_taken {
            self.out.clear();
            self.is_taken = false;
        }
    }

    /// Lends what was put.
    pub(super) fn take(&mut self) -> &[u8] {
        self.is_taken = true;
        &self.out
    }

    pub(super) fn before(&self) -> Before {
        Before {
            done: self.done,
            out: self.out.len(),
            parted: self.parted,
            join: self.join,
            closed: self.closed,
            is_begun: self.is_begun,
            dropping: self.dropping,
            dropped: self.dropped,
            encode: self.encode,
        }
    }

    /// Goes back to a state.
    pub(super) fn go_back(&mut self, before: Before) {
        self.done = before.done;
        (self.parted, self.join) = (before.parted, before.join);
        (self.closed, self.is_begun) = (before.closed, before.is_begun);
        (self.dropping, self.dropped) = (before.dropping, before.dropped);
        self.out.truncate(before.out);
        self.encode = before.encode;
    }

    fn ahead(&self, to: u64) -> &[u8] {
        let end = to.min(self.end()).max(self.done);
        let from = (self.done - self.base) as usize;
        self.raw
            .get(from..(end - self.base) as usize)
            .unwrap_or_default()
    }

    /// Where a word of ASCII stands last in a part of the input.
    pub(super) fn rfind(&self, word: &str, span: Span) -> Option<usize> {
        self.search(word, span, memchr::memmem::rfind)
    }

    fn search(
        &self,
        word: &str,
        span: Span,
        search: fn(&[u8], &[u8]) -> Option<usize>,
    ) -> Option<usize> {
        let from = span.start.saturating_sub(self.base) as usize;
        let to = span.end.min(self.end()).saturating_sub(self.base) as usize;
        let raw = self.raw.get(from..to)?;
        work::count(raw.len());
        if self.encode.unit() == Unit::One {
            return match raw.len() <= word.len() {
                true => (raw == word.as_bytes()).then_some(0),
                false => search(raw, word.as_bytes()),
            };
        }
        let mut wanted = Vec::new();
        self.encode.put_ascii(word, &mut wanted);
        search(raw, &wanted)
    }

    /// Where a word of ASCII that stands last in a part of the input ends.
    pub(super) fn last_end(&self, word: &str, span: Span) -> Option<u64> {
        let at = self.rfind(word, span)?;
        let length = word.len() * self.encode.unit().len();
        Some(self.base.max(span.start) + (at + length) as u64)
    }

    /// Where white space stands that comes before other text of HTML, in another element, if that can be told: both
    /// have the place of the whole.
    pub(super) fn beginning_of(&self, span: Span, text: &str) -> Option<Span> {
        if !self.encode.is_ascii() {
            return None;
        }
        let raw = self.between(span.start, span.end);
        work::count(raw.len());
        let mut rest = raw;
        for character in text.bytes() {
            rest = match (character, rest) {
                (b'\n', [b'\r', b'\n', rest @ ..] | [b'\r' | b'\n', rest @ ..]) => rest,
                (b'\t' | b' ' | 0xC, [byte, rest @ ..]) if *byte == character => rest,
                _ => return None,
            };
        }
        let end = span.start + (raw.len() - rest.len()) as u64;
        Some(Span { end, ..span })
    }

    /// Where text of HTML stands before which white space may be dropped, or be in another element, if that can be
    /// told.
    pub(super) fn rest_of(&self, span: Span, text: &str, is_parted: bool) -> Option<Span> {
        let raw = self.between(span.start, span.end);
        work::count(raw.len());
        let is_space = |byte: u8| matches!(byte, b'\t' | b'\n' | 0xC | b'\r' | b' ');
        let has_space = text.bytes().next().is_some_and(is_space);
        if !self.encode.is_ascii() {
            let first = self.ascii_at(span.start).unwrap_or(b'x');
            let is_whole = has_space == is_space(first) && first != b'&' && first != 0;
            return (is_whole && !is_parted).then_some(span);
        }
        let spaces = raw.iter().take_while(|byte| is_space(**byte)).count();
        let rest = &raw[spaces..];
        let is_odd = match rest {
            [] => false,
            // Behind a tag of no effect there may be more of it.
            [b'<', ..] => spaces > 0,
            [0, ..] => spaces > 0 || rest.iter().any(|byte| is_space(*byte)),
            [b'&', ..] => [&b"&#"[..], b"&Tab;", b"&NewLine;"]
                .iter()
                .any(|word| rest.starts_with(word)),
            _ => false,
        };
        if is_odd || is_parted && (spaces == 0 || has_space) {
            return None;
        }
        let start = if has_space { 0 } else { spaces };
        Some(Span {
            start: span.start + start as u64,
            ..span
        })
    }

    /// Whether markup that ends at an offset has no end of its own.
    pub(super) fn is_cut_before(&self, to: u64) -> bool {
        let unit = self.encode.unit();
        let last = self.between(to.saturating_sub(unit.len() as u64).max(self.base), to);
        unit.ascii(last) != Some(b'>')
    }

    /// Whether the input ends inside markup that begins at or after an offset.
    ///
    /// All elements that are open at the end of the input ask this, with the same offset, so the result is kept.
    pub(super) fn is_cut(&mut self, from: u64) -> bool {
        if self.cut_from.is_none_or(|(known, _)| known != from) {
            self.cut_from = Some((from, self.ends_in_markup(from)));
        }
        self.cut_from.is_some_and(|(_, is_cut)| is_cut)
    }

    fn ends_in_markup(&self, from: u64) -> bool {
        let unit = self.encode.unit();
        let raw = self.between(from.max(self.base), self.end());
        let mut next = None;
        for bytes in raw.rchunks_exact(unit.len()) {
            work::count(bytes.len());
            match unit.ascii(bytes) {
                Some(b'>') => return false,
                Some(b'<') => {
                    let begins = |byte: u8| byte.is_ascii_alphabetic() || b"/!?".contains(&byte);
                    return next.is_some_and(begins);
                }
                other => next = other,
            }
        }
        false
    }

    /// The characters of ASCII before an offset, backwards; 0x80 for others.
    fn backwards(&self, to: u64) -> impl Iterator<Item = u8> {
        let from = self.closed.max(self.base);
        let raw = self.between(from, to);
        let unit = self.encode.unit();
        raw.rchunks_exact(unit.len())
            .map(move |bytes| unit.ascii(bytes).unwrap_or(0x80))
    }

    fn between(&self, from: u64, to: u64) -> &[u8] {
        let index = |offset: u64| offset.saturating_sub(self.base) as usize;
        self.raw
            .get(index(from)..index(to.min(self.end())))
            .unwrap_or_default()
    }

    /// Where what stands before an offset, not yet put out, could go on with what comes next, from its first `<` or
    /// at its last end of a line.
    fn open_from(&self, to: u64) -> Option<u64> {
        let unit = self.unit();
        let held = to.saturating_sub(self.done) / unit;
        let most = held.min(LOOKED as u64) as usize;
        let mut first = None;
        let mut back = 0;
        for byte in self.backwards(to).take(most) {
            back += 1;
            match byte {
                b'>' => break,
                b'<' => first = Some(to - back * unit),
                // There nothing but a `<`, or one with its `/`, is left as it is.
                b'/' if self.is_html && back == 1 => {}
                _ if self.is_html => break,
                _ => {}
            }
        }
        first.or_else(|| self.line_end(to).map(|(from, _)| from))
    }

    /// The first of the ends of lines before an offset that a line feed would be a part of: from where to where it
    /// stands.
    fn line_end(&self, to: u64) -> Option<(u64, u64)> {
        let unit = self.unit();
        let most = LOOKED as u64 * unit;
        let (mut first, mut at) = (None, self.before_tokens(to));
        while to - at < most && at > self.done {
            let one = match self.ascii_at(at.saturating_sub(unit)) {
                Some(b'\r') => Some((at - unit, at)),
                _ if self.is_leafxml => self.line_end_otherwise(at),
                _ => None,
            };
            let Some((from, _)) = one else { break };
            first = one;
            at = self.before_tokens(from);
        }
        first
    }

    /// Where tokens begin that end at an offset and that ends of lines of LeafXML go on past.
    fn before_tokens(&self, to: u64) -> u64 {
        let mut raw = self.between(self.done.max(to.saturating_sub(LOOKED as u64)), to);
        let length = raw.len();
        loop {
            let begins: &[u8] = match raw {
                _ if !self.is_leafxml => break,
                [.., b'-', b'-', b'>'] => b"<!--",
                [.., b'?', b'>'] => b"<?",
                [.., b'A', b'['] => b"<![CDATA[",
                _ => break,
            };
            let Some(at) = memchr::memmem::rfind(raw, begins) else {
                break;
            };
            raw = &raw[..at];
        }
        to - (length - raw.len()) as u64
    }

    /// The same at the end of a section, or as a reference.
    fn line_end_otherwise(&self, to: u64) -> Option<(u64, u64)> {
        let raw = self.between(self.done.max(to.saturating_sub(LOOKED as u64)), to);
        if let Some(inner) = raw.strip_suffix(b"]]>") {
            return inner.ends_with(b"\r").then_some((to - 4, to - 3));
        }
        let from = raw.iter().rposition(|byte| *byte == b'&')?;
        let number = raw[from..].strip_prefix(b"&#")?.strip_suffix(b";")?;
        let (number, last) = match number.strip_prefix(b"x") {
            Some([number @ .., last]) => (number, last.eq_ignore_ascii_case(&b'D')),
            Some(_) => return None,
            None => (number.strip_suffix(b"13")?, true),
        };
        let is_it = last && number.iter().all(|byte| *byte == b'0');
        is_it.then_some((to - (raw.len() - from) as u64, to))
    }

    /// Whether text before an offset, of an element that holds text as it stands, could become its end with what
    /// comes next, or that of a comment in it.
    pub(super) fn is_raw_open(&self, to: u64) -> bool {
        const END: usize = "</plaintext".len();
        let mut before = self.backwards(to).take(END).peekable();
        before.peek() == Some(&b'-')
            || before.find(|byte| matches!(byte, b'<' | b'>')) == Some(b'<')
    }

    /// Up to where it may be put out, if no more is known yet.
    pub(super) fn held(&self, to: u64) -> u64 {
        self.open_from(to).unwrap_or(to)
    }

    /// Puts what comes before an offset, where what comes next in the input will not stand behind it.
    pub(super) fn copy_apart_to(&mut self, to: u64) -> Result<(), Refusal> {
        let unit = self.unit();
        while let Some(at) = self.open_from(to) {
            self.copy_to(at);
            // What is in its place stands behind the same.
            if self.is_angle(at) {
                self.put("&lt;", false)?;
                self.leave_out_to(at + unit);
            } else if let Some((_, end)) = self.line_end(to) {
                let is_behind = at > self.closed && self.ends_with_return(at);
                self.put(if is_behind { "&#xA;" } else { "\n" }, false)?;
                self.leave_out_to(end);
                // What comes behind it here is another end of a line.
                self.parted = None;
            }
        }
        self.copy_to(to);
        self.part();
        Ok(())
    }

    /// What is put next was not behind what was put out last.
    pub(super) fn part(&mut self) {
        if self.join.is_none() {
            self.join = Some(match self.dropping == Some(self.done) {
                true => Tail::Dropping,
                false => Tail::of(self.backwards(self.done)),
            });
        }
    }

    /// Leaves out data or markup before an offset.
    pub(super) fn cut_to(&mut self, to: u64) {
        self.part();
        self.leave_out_to(to);
    }

    /// Data comes in a place that it had not: with a reference, where it would go on with what is before it.
    #[cold]
    fn put_joined(&mut self, to: u64) {
        let tail = self.join.take().unwrap_or(Tail::Closed);
        self.closed = self.done;
        if tail == Tail::Dropping && matches!(self.ascii_at(self.done), Some(b'\n' | b'\r' | b'&'))
        {
            self.encode.put_plain('\n', &mut self.out);
        }
        let next = self.encode.first(self.ahead(to));
        if !self.is_begun && tells(self.ahead(to)) {
            self.out.push(b' ');
        }
        let goes_on = |next: char| self.goes_on(tail, next);
        if let Some((next, length)) = next.filter(|(next, _)| goes_on(*next)) {
            let mut encode = self.encode;
            encode.leave_out(&self.ahead(to)[..length]);
            if encode.put_reference(next, &mut self.out) {
                self.encode = encode;
                self.done += length as u64;
                self.closed = self.done;
            }
        }
    }

    /// Whether a character is to be a reference: it would go on with what is before it, or be a mark at the
    /// beginning of what is put out.
    fn goes_on(&self, tail: Tail, next: char) -> bool {
        let is_mark = !self.is_begun && next == '\u{FEFF}';
        let can_be_none = match next {
            '\u{FFFE}' | '\u{FFFF}' => self.is_xml,
            _ => self.is_html && is_c1(next),
        };
        (is_mark || tail.goes_on_with(next)) && !can_be_none
    }

    /// Leaves out the line feed of an end of a line that was taken apart.
    #[cold]
    fn end_line(&mut self, to: u64) {
        if to > self.done {
            let unit = self.unit();
            if self.dropped.take() == Some(self.done) {
                let is = |at: u64, byte: u8| at < to && self.ascii_at(at) == Some(byte);
                let from = self.done;
                let from = if is(from, b'\r') { from + unit } else { from };
                let from = if is(from, b'\n') { from + unit } else { from };
                (self.done, self.closed) = (from, from);
                self.parted = (from > unit && self.ends_with_return(from)).then_some(from);
                return;
            }
            let mut nel = Vec::new();
            if self.has_nel {
                self.encode.put_plain('\u{85}', &mut nel);
            }
            let ahead = self.ahead(to);
            let is_feed = self.ascii_at(self.done) == Some(b'\n');
            let length = match is_feed {
                true => self.encode.unit().len(),
                false if !nel.is_empty() && ahead.starts_with(&nel) => nel.len(),
                false => 0,
            };
            if self.parted == Some(self.done) {
                self.done += length as u64;
                self.closed = self.done;
            }
            self.parted = None;
        }
    }

    /// An end of a line may be taken apart here.
    fn note_line_end(&mut self) {
        let unit = self.encode.unit();
        let from = self.done.saturating_sub(unit.len() as u64);
        let is_return =
            self.base <= from && unit.ascii(self.between(from, self.done)) == Some(b'\r');
        if is_return {
            self.parted = Some(self.done);
        }
    }

    /// Puts what comes before an offset.
    #[inline]
    pub(super) fn copy_to(&mut self, to: u64) {
        if self.parted.is_some() || self.dropped.is_some() {
            self.end_line(to);
        }
        if self.join.is_some() && to > self.done {
            self.put_joined(to);
        }
        let mut encode = self.encode;
        let mut out = core::mem::take(&mut self.out);
        let bytes = self.ahead(to);
        work::count(bytes.len());
        encode.copy(bytes, &mut out);
        let length = bytes.len() as u64;
        self.done += length;
        self.is_begun |= length > 0;
        (self.encode, self.out) = (encode, out);
    }

    /// Leaves out what comes before an offset.
    pub(super) fn leave_out_to(&mut self, to: u64) {
        if self.parted.is_some() || self.dropped.is_some() {
            self.end_line(to);
        }
        let mut encode = self.encode;
        let bytes = self.ahead(to);
        work::count(bytes.len());
        encode.leave_out(bytes);
        self.done += bytes.len() as u64;
        self.encode = encode;
        self.closed = self.done;
        self.note_line_end();
    }

    /// Where a word of ASCII ends, if it stands at an offset; else the offset.
    pub(super) fn end_of(&self, word: &str, at: u64) -> u64 {
        let end = at + word.len() as u64 * self.unit();
        match self.rfind(word, Span { start: at, end }) {
            Some(_) => end,
            None => at,
        }
    }

    /// Whether a tag goes on at an offset with what is apart from what is before it.
    pub(super) fn is_apart(&self, at: u64) -> bool {
        let next = self.ascii_at(at);
        next.is_some_and(|next| next.is_ascii_whitespace() || matches!(next, b'/' | b'>'))
    }

    /// Leaves out what stands between pieces of text, but for a late DOCTYPE, which says what references mean.
    pub(super) fn leave_out_gap_to(&mut self, to: u64) {
        let gap = Span {
            start: self.done,
            end: to,
        };
        if let Some(at) = self.rfind("<!DOCTYPE", gap).filter(|_| !self.is_html) {
            // An end tag that ends nothing may hold anything, and does no harm.
            let before = Span {
                end: gap.start + at as u64,
                ..gap
            };
            let tag = self.search("</", before, memchr::memmem::find);
            self.leave_out_to(gap.start + tag.unwrap_or(at) as u64);
            self.copy_to(to);
        }
        self.leave_out_to(to);
    }

    /// Puts text; with references, if it may have any, in place of what the encoding has not.
    pub(super) fn put(&mut self, text: &str, may_refer: bool) -> Result<(), Refusal> {
        self.put_all(&[(text, may_refer)])
    }

    /// Puts several one behind the other, of which each may have references or not; the last is something, or all are
    /// nothing.
    pub(super) fn put_all(&mut self, parts: &[(&str, bool)]) -> Result<(), Refusal> {
        let Some((last, _)) = parts.last().filter(|(last, _)| !last.is_empty()) else {
            return Ok(());
        };
        // A character that the input breaks off in would go on.
        sure(self.done.is_multiple_of(self.unit()), Reason::Cut, last)?;
        self.note_line_end();
        (self.closed, self.is_begun) = (self.done, true);
        if self.dropping.take() == Some(self.done) {
            self.dropped = Some(self.done);
        }
        self.join = self.join.map(|_| Tail::of_put(last));
        parts.iter().try_for_each(|(text, may_refer)| {
            let may_refer = may_refer.then_some(self.is_html);
            self.encode.put(text, may_refer, &mut self.out)
        })
    }

    /// The same of data: its first character too is a reference where it would go on with what is before it.
    pub(super) fn put_data(&mut self, text: &str) -> Result<(), Refusal> {
        self.part();
        let tail = self.join.unwrap_or(Tail::Closed);
        if tail == Tail::Dropping && text.starts_with(['\n', '&']) {
            self.put("\n", false)?;
        }
        let mut characters = text.chars();
        match characters.next().filter(|first| self.goes_on(tail, *first)) {
            Some(first) => {
                self.put("&", false)?;
                self.put(&alloc::format!("#x{:X};", u32::from(first)), false)?;
                self.put(characters.as_str(), true)
            }
            None => self.put(text, true),
        }
    }
}
