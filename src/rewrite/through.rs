//! The output buffer of the rewriter: copies input bytes to the output, omits others, and inserts text between them.
//!
//! An edit can make bytes adjacent that were not adjacent in the input. The buffer then prevents the two from being
//! parsed as one token: it writes a character as a reference, or inserts a separator ([`Tail`]).

mod put;

use super::encode::{Encode, Unit, is_c1};
use super::join::{LOOKED, Tail};
use crate::engine::dialect::Syntax;
use crate::engine::error::Span;
use crate::engine::input::encoding::Encoding;
use crate::engine::work;
use crate::write::Refusal;
use alloc::vec::Vec;

/// The output buffer: the input that was not copied to the output yet, and the output that the program has not taken
/// yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Through {
    /// Retained input bytes, from the offset `base` on.
    raw: Vec<u8>,
    /// Offset in the input of the first byte in `raw`.
    base: u64,
    /// Offset in the input of the first byte that is neither copied nor omitted.
    done: u64,
    /// Output that the program has not taken, or, if `is_taken` is true, the output that the last call returned.
    out: Vec<u8>,
    /// True if the bytes in `out` were returned to the program. They are discarded before more output is written.
    is_taken: bool,
    /// Offset after a carriage return that an edit has replaced or moved away from the following input. A line feed at
    /// this offset belongs to the same newline and is omitted.
    parted: Option<u64>,
    /// The end of the output, classified by [`Tail`], if the next bytes written did not follow it in the input. `None`
    /// if the output is continued as in the input.
    join: Option<Tail>,
    /// Offset in the input up to which bytes were omitted or written in another form. The search for unfinished tokens
    /// in copied input stops at this offset.
    closed: u64,
    /// True once any output was written.
    is_begun: bool,
    /// End offset in the input of a start tag after which a parser of the output ignores a newline. `None` if there is
    /// no such tag at the end of the output.
    dropping: Option<u64>,
    /// Offset of a leading newline that the parser ignored and that an edit has made significant. The newline is
    /// omitted.
    dropped: Option<u64>,
    /// True for HTML. There, a `<` in text can only become markup together with the character directly after it.
    is_html: bool,
    /// True for XML, where U+FFFE and U+FFFF are not allowed in references or names.
    is_xml: bool,
    /// True for LeafXML, where references to newline characters are normalized like newlines.
    is_leafxml: bool,
    /// True if a carriage return and U+0085 form one newline, as in XML 1.1 and LeafXML.
    has_nel: bool,
    encode: Encode,
    /// The offset that `is_cut` was last called with, and its result.
    cut_from: Option<(u64, bool)>,
}

/// Returns true if a document that begins with these bytes is decoded differently because of them: they look like a
/// byte-order mark, UTF-16 or UTF-32 text, or an XML declaration.
fn tells(bytes: &[u8]) -> bool {
    let is_mark = matches!(bytes, [0xFE | 0xFF, ..]);
    is_mark || bytes.starts_with(b"<?xml") || bytes.iter().take(4).any(|byte| *byte == 0)
}

/// A copy of the state of the buffer before an edit, from which the state is restored if the edit is refused.
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

    /// Appends a chunk of the input. Discards retained input that is no longer needed.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let passed = (self.done - self.base) as usize;
        // Retain the last bytes that are already output: they are examined to find out whether the next bytes would
        // continue their last token.
        let passed = passed.saturating_sub(4 * LOOKED);
        if passed > self.raw.len() / 2 {
            work::count(self.raw.len() - passed);
            self.raw.drain(..passed);
            self.base += passed as u64;
        }
        self.raw.extend_from_slice(bytes);
        self.cut_from = None;
    }

    /// Starts a new document and keeps the allocated memory.
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

    /// Records that a start tag ends at an offset, after which HTML ignores a newline.
    #[cold]
    pub(super) fn set_dropping(&mut self, end: u64) {
        if self.is_html {
            self.dropping = Some(end);
        }
    }

    /// Records that a start tag was rewritten, for example renamed. `was` is true if HTML ignores a newline after the
    /// old tag, and `is` is true if HTML ignores a newline after the new tag.
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

    /// Returns the number of bytes that an ASCII character has in the encoding of the input.
    pub(super) fn unit(&self) -> u64 {
        self.encode.unit().len() as u64
    }

    /// Returns the ASCII character at an offset.
    fn ascii_at(&self, at: u64) -> Option<u8> {
        let unit = self.encode.unit();
        let bytes = self.between(at.max(self.base), at + unit.len() as u64);
        (bytes.len() == unit.len()).then(|| unit.ascii(bytes))?
    }

    /// Returns true if the character at an offset is a slash.
    pub(super) fn is_slash(&self, at: u64) -> bool {
        self.ascii_at(at) == Some(b'/')
    }

    /// Returns true if the character at an offset is `<`.
    pub(super) fn is_angle(&self, at: u64) -> bool {
        self.ascii_at(at) == Some(b'<')
    }

    /// Returns true if the input before an offset ends with `<![CDATA[`.
    pub(super) fn begins_section(&self, to: u64) -> bool {
        const WORD: &str = "<![CDATA[";
        let from = to.saturating_sub(WORD.len() as u64 * self.unit());
        let span = Span {
            start: from.max(self.base),
            end: to,
        };
        self.rfind(WORD, span).is_some()
    }

    /// Returns true if the character before an offset is a carriage return.
    pub(super) fn ends_with_return(&self, to: u64) -> bool {
        to.checked_sub(self.unit())
            .is_some_and(|at| self.ascii_at(at) == Some(b'\r'))
    }

    /// Returns the offset of the first byte that is neither copied nor omitted.
    pub(super) fn done(&self) -> u64 {
        self.done
    }

    /// Returns the offset of the end of the input that was fed so far.
    pub(super) fn end(&self) -> u64 {
        self.base + self.raw.len() as u64
    }

    /// Discards the output that was returned to the program.
    #[inline(always)]
    pub(super) fn forget_taken(&mut self) {
        if self.is_taken {
            self.out.clear();
            self.is_taken = false;
        }
    }

    /// Returns the output, and records that the program has taken it.
    pub(super) fn take(&mut self) -> &[u8] {
        self.is_taken = true;
        &self.out
    }

    /// Returns a copy of the current state, for [`go_back`](Self::go_back).
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

    /// Restores a saved state.
    pub(super) fn go_back(&mut self, before: Before) {
        self.done = before.done;
        (self.parted, self.join) = (before.parted, before.join);
        (self.closed, self.is_begun) = (before.closed, before.is_begun);
        (self.dropping, self.dropped) = (before.dropping, before.dropped);
        self.out.truncate(before.out);
        self.encode = before.encode;
    }

    /// Returns the bytes of the input that are neither copied nor omitted yet, up to an offset.
    fn ahead(&self, to: u64) -> &[u8] {
        let end = to.min(self.end()).max(self.done);
        let from = (self.done - self.base) as usize;
        self.raw
            .get(from..(end - self.base) as usize)
            .unwrap_or_default()
    }

    /// Returns the index, relative to the range, of the last occurrence of an ASCII string in a range of the input.
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

    /// Returns the end offset of the last occurrence of an ASCII string in a range of the input.
    pub(super) fn last_end(&self, word: &str, span: Span) -> Option<u64> {
        let at = self.rfind(word, span)?;
        let length = word.len() * self.encode.unit().len();
        Some(self.base.max(span.start) + (at + length) as u64)
    }

    /// HTML: a run of text whose leading whitespace is inserted into another element than its rest becomes two text
    /// events, both with the span of the whole run. Returns the byte range of the leading whitespace `text`, or `None`
    /// if the range is uncertain.
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

    /// HTML: returns the byte range of a text without the leading whitespace of its run that was ignored or was
    /// inserted into another element. Returns `None` if the range is uncertain. `is_parted` is true if the whitespace
    /// is an event of its own.
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
            // The span begins with whitespace and an ignored tag, after which more whitespace may follow.
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

    /// Returns true if the character before an offset, at which markup ends, is not `>`: the markup lacks its closing
    /// delimiter.
    pub(super) fn is_cut_before(&self, to: u64) -> bool {
        let unit = self.encode.unit();
        let last = self.between(to.saturating_sub(unit.len() as u64).max(self.base), to);
        unit.ascii(last) != Some(b'>')
    }

    /// Returns true if the input ends inside markup that begins at or after an offset.
    ///
    /// All elements that are open at the end of the input call this function with the same offset, so the result is
    /// cached.
    pub(super) fn is_cut(&mut self, from: u64) -> bool {
        if self.cut_from.is_none_or(|(known, _)| known != from) {
            self.cut_from = Some((from, self.ends_in_markup(from)));
        }
        self.cut_from.is_some_and(|(_, is_cut)| is_cut)
    }

    /// Returns true if the input from an offset on ends inside markup: its last `<` begins a tag, comment or
    /// declaration, and no `>` follows.
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

    /// Returns the ASCII characters of the input before an offset, backwards, as far as the offset `closed`. Yields
    /// 0x80 for a non-ASCII character.
    fn backwards(&self, to: u64) -> impl Iterator<Item = u8> {
        let from = self.closed.max(self.base);
        let raw = self.between(from, to);
        let unit = self.encode.unit();
        raw.rchunks_exact(unit.len())
            .map(move |bytes| unit.ascii(bytes).unwrap_or(0x80))
    }

    /// Returns the retained bytes of the input between two offsets.
    fn between(&self, from: u64, to: u64) -> &[u8] {
        let index = |offset: u64| offset.saturating_sub(self.base) as usize;
        self.raw
            .get(index(from)..index(to.min(self.end())))
            .unwrap_or_default()
    }

    /// Returns the offset of the first character, in the input before `to` that is not output yet, that could be parsed
    /// as one token with the bytes written after `to`: a `<`, or a newline at the end. Returns `None` if there is no
    /// such character.
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
                // In HTML, only a `<` or `</` directly before `to` can be text that the next characters turn into a
                // tag.
                b'/' if self.is_html && back == 1 => {}
                _ if self.is_html => break,
                _ => {}
            }
        }
        first.or_else(|| self.line_end(to).map(|(from, _)| from))
    }

    /// Returns the range of the first newline in the sequence of newlines directly before an offset, each of which is a
    /// carriage return that would form one newline with a following line feed.
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

    /// In LeafXML, a carriage return and a line feed are one newline even if a comment, a processing instruction or the
    /// start of a CDATA section lies between them. Returns the offset of the first of these tokens that directly
    /// precede `to`, or `to` if there is none.
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

    /// In LeafXML, a carriage return can also be the last character of a CDATA section, or be written as a reference.
    /// Returns the range of such a carriage return that ends at an offset, or `None`.
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

    /// Returns true if the raw text before an offset ends with the beginning of an end tag or of `-->`, so that the
    /// bytes written next could complete an end tag or the end of a comment.
    pub(super) fn is_raw_open(&self, to: u64) -> bool {
        const END: usize = "</plaintext".len();
        let mut before = self.backwards(to).take(END).peekable();
        before.peek() == Some(&b'-')
            || before.find(|byte| matches!(byte, b'<' | b'>')) == Some(b'<')
    }

    /// Returns the offset up to which the input before `to` can be copied to the output although the next event, and
    /// its edits, are unknown.
    pub(super) fn held(&self, to: u64) -> u64 {
        self.open_from(to).unwrap_or(to)
    }

    /// Copies the input before an offset. The caller then writes other bytes than those that follow in the input.
    /// Characters that could be parsed as one token with those bytes are escaped.
    pub(super) fn copy_apart_to(&mut self, to: u64) -> Result<(), Refusal> {
        let unit = self.unit();
        while let Some(at) = self.open_from(to) {
            self.copy_to(at);
            // The escaped form is written after the same bytes as the character that it replaces.
            if self.is_angle(at) {
                self.put("&lt;", false)?;
                self.leave_out_to(at + unit);
            } else if let Some((_, end)) = self.line_end(to) {
                let is_behind = at > self.closed && self.ends_with_return(at);
                self.put(if is_behind { "&#xA;" } else { "\n" }, false)?;
                self.leave_out_to(end);
                // A line feed that follows in the input is not a part of the newline that was just written.
                self.parted = None;
            }
        }
        self.copy_to(to);
        self.part();
        Ok(())
    }

    /// Records that the bytes written next do not follow the bytes written last in the input, so that the two may have
    /// to be separated.
    pub(super) fn part(&mut self) {
        if self.join.is_none() {
            self.join = Some(match self.dropping == Some(self.done) {
                true => Tail::Dropping,
                false => Tail::of(self.backwards(self.done)),
            });
        }
    }

    /// Omits the input before an offset, and records that the bytes before and after it become adjacent in the output.
    pub(super) fn cut_to(&mut self, to: u64) {
        self.part();
        self.leave_out_to(to);
    }

    /// Called before input is copied after other bytes than those that precede it in the input. If the first character
    /// of this input would become a part of the last token of the output, writes the character as a reference.
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

    /// Returns true if a character must be written as a reference, because it would become a part of the last token of
    /// the output, or would be a byte-order mark at the start of the output. Returns false for characters that no
    /// reference can represent.
    fn goes_on(&self, tail: Tail, next: char) -> bool {
        let is_mark = !self.is_begun && next == '\u{FEFF}';
        let can_be_none = match next {
            '\u{FFFE}' | '\u{FFFF}' => self.is_xml,
            _ => self.is_html && is_c1(next),
        };
        (is_mark || tail.goes_on_with(next)) && !can_be_none
    }

    /// Omits a newline, or the line feed of a newline, at the current offset of the input. Applies to the line feed
    /// after a carriage return that an edit has replaced (`parted`), and to a newline that the parser had ignored
    /// (`dropped`).
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

    /// If the omitted input ends with a carriage return, records the offset after it, because the line feed of that
    /// newline has to be omitted too.
    fn note_line_end(&mut self) {
        let unit = self.encode.unit();
        let from = self.done.saturating_sub(unit.len() as u64);
        let is_return =
            self.base <= from && unit.ascii(self.between(from, self.done)) == Some(b'\r');
        if is_return {
            self.parted = Some(self.done);
        }
    }

    /// Copies the input before an offset to the output.
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

    /// Omits the input before an offset.
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

    /// Returns the end offset of an ASCII string if the input contains the string at the offset `at`. Otherwise returns
    /// `at`.
    pub(super) fn end_of(&self, word: &str, at: u64) -> u64 {
        let end = at + word.len() as u64 * self.unit();
        match self.rfind(word, Span { start: at, end }) {
            Some(_) => end,
            None => at,
        }
    }

    /// Returns true if the character at an offset ends an attribute: whitespace, `/` or `>`.
    pub(super) fn is_apart(&self, at: u64) -> bool {
        let next = self.ascii_at(at);
        next.is_some_and(|next| next.is_ascii_whitespace() || matches!(next, b'/' | b'>'))
    }

    /// Omits the input between two pieces of a run of text, up to an offset. Copies a DOCTYPE in this input to the
    /// output, because it declares entities to which later references refer.
    pub(super) fn leave_out_gap_to(&mut self, to: u64) {
        let gap = Span {
            start: self.done,
            end: to,
        };
        if let Some(at) = self.rfind("<!DOCTYPE", gap).filter(|_| !self.is_html) {
            // The DOCTYPE may be inside an end tag that closes no element, so copy from that end tag on. Such a tag has
            // no effect.
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
}

crate::checkpoint::checkpointable! {
    struct Through {
        raw, base, done, out, is_taken, parted, join, closed, is_begun, dropping, dropped, is_html,
        is_xml, is_leafxml, has_nel, encode, cut_from,
    }
}
