//! The bytes of the input on their way to the output: copied, left out, with others put between. It must not
//! know why.

use super::encode::Encode;
use crate::error::Span;
use crate::input::encoding::Encoding;
use crate::write::Refusal;
use alloc::vec::Vec;

/// What was fed and is not passed, and what is put out.
#[derive(Clone, Debug, Default)]
pub(super) struct Through {
    /// What was fed, from the offset `base` on.
    raw: Vec<u8>,
    base: u64,
    /// All before this offset is put out, or left out.
    done: u64,
    out: Vec<u8>,
    /// The output has been lent, and goes.
    is_taken: bool,
    line_end: LineEnd,
    encode: Encode,
}

/// A state to come back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    done: u64,
    out: usize,
    line_end: LineEnd,
    encode: Encode,
}

/// Whether a line feed that comes next is one with what came before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LineEnd {
    #[default]
    None,
    /// A carriage return was put.
    Open,
    /// Something was put after it, or it was left out: the line feed goes too.
    Broken,
}

impl Through {
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let passed = (self.done - self.base) as usize;
        if passed > self.raw.len() / 2 {
            self.raw.drain(..passed);
            self.base = self.done;
        }
        self.raw.extend_from_slice(bytes);
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
            ..Through::default()
        };
    }

    pub(super) fn set_encoding(&mut self, encoding: Option<Encoding>) {
        self.encode.set(encoding);
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
            line_end: self.line_end,
            encode: self.encode,
        }
    }

    /// Goes back to a state.
    pub(super) fn go_back(&mut self, before: Before) {
        self.done = before.done;
        self.line_end = before.line_end;
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
        let from = span.start.saturating_sub(self.base) as usize;
        let to = span.end.min(self.end()).saturating_sub(self.base) as usize;
        let mut wanted = Vec::new();
        self.encode.put_ascii(word, &mut wanted);
        memchr::memmem::rfind(self.raw.get(from..to)?, &wanted)
    }

    /// Where a word of ASCII stands first in a part of the input, its end.
    pub(super) fn find(&self, word: &str, span: Span) -> Option<u64> {
        let from = span.start.saturating_sub(self.base) as usize;
        let to = span.end.min(self.end()).saturating_sub(self.base) as usize;
        let mut wanted = Vec::new();
        self.encode.put_ascii(word, &mut wanted);
        let at = memchr::memmem::find(self.raw.get(from..to)?, &wanted)?;
        Some(self.base + (from + at + wanted.len()) as u64)
    }

    /// Whether a character of ASCII stands in a part of the input.
    pub(super) fn holds(&self, character: char, span: Span) -> bool {
        self.find(character.encode_utf8(&mut [0; 4]), span)
            .is_some()
    }

    /// Where text stands of which only a part is this: white space of HTML before other text stands in another
    /// element, or in none, and both have the place of the whole.
    pub(super) fn part_of(&self, span: Span, text: &str) -> Span {
        let from = span.start.saturating_sub(self.base) as usize;
        let to = span.end.min(self.end()).saturating_sub(self.base) as usize;
        let raw = self.raw.get(from..to).unwrap_or_default();
        let is_space = |byte: &u8| matches!(byte, b'\t' | b'\n' | 0xC | b'\r' | b' ');
        let spaces = raw.iter().take_while(|byte| is_space(byte)).count() as u64;
        let is_all = text.bytes().all(|byte| is_space(&byte));
        if !self.encode.is_ascii() || spaces == 0 || text.is_empty() {
            return span;
        }
        match text.bytes().next().is_some_and(|byte| is_space(&byte)) {
            true if is_all => Span {
                end: span.start + spaces.min(text.len() as u64),
                ..span
            },
            true => span,
            false => Span {
                start: span.start + spaces,
                ..span
            },
        }
    }

    /// Leaves out the line feed of an end of a line that was taken apart.
    #[inline(always)]
    fn end_line(&mut self, to: u64) {
        if self.line_end == LineEnd::Broken && to > self.done {
            let is_feed = self.encode.is_ascii() && self.ahead(to).first() == Some(&b'\n');
            self.done += u64::from(is_feed);
            self.line_end = LineEnd::None;
        }
    }

    /// Puts what comes before an offset.
    #[inline]
    pub(super) fn copy_to(&mut self, to: u64) {
        self.end_line(to);
        let mut encode = self.encode;
        let mut out = core::mem::take(&mut self.out);
        let bytes = self.ahead(to);
        encode.copy(bytes, &mut out);
        let line_end = match bytes.last() {
            Some(b'\r') => LineEnd::Open,
            Some(_) => LineEnd::None,
            None => self.line_end,
        };
        self.done += bytes.len() as u64;
        self.line_end = line_end;
        (self.encode, self.out) = (encode, out);
    }

    /// Leaves out what comes before an offset.
    pub(super) fn leave_out_to(&mut self, to: u64) {
        self.end_line(to);
        let mut encode = self.encode;
        let bytes = self.ahead(to);
        encode.leave_out(bytes);
        let line_end = match bytes.last() {
            Some(b'\r') => LineEnd::Broken,
            Some(_) => LineEnd::None,
            None => self.line_end,
        };
        self.done += bytes.len() as u64;
        self.line_end = line_end;
        self.encode = encode;
    }

    /// Puts text; with references, if it may have any, in place of what the encoding has not.
    pub(super) fn put(&mut self, text: &str, may_refer: bool) -> Result<(), Refusal> {
        if self.line_end == LineEnd::Open && !text.is_empty() {
            self.line_end = LineEnd::Broken;
        }
        self.encode.put(text, may_refer, &mut self.out)
    }
}
