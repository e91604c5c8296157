//! [`Lexer`]: the argument of every state, which reads from a window and writes records.

use super::cursor::Cursor;
use super::text_buffer::TextBuffer;
use crate::engine::attributes::{AttributeNames, MAX_UNHASHED_ATTRIBUTES};
use crate::engine::error::ErrorCode;
use crate::engine::event::queue::Queue;
use crate::engine::event::record::{
    Attr, DUPLICATES, IMPLIED, INCOMPLETE, NAME_CLEANED, Record, RecordKind, SELF_CLOSING,
    TEXT_FROM_ENTITY,
};
use crate::engine::event::referred::Referred;
use crate::engine::event::strings::{Cleaned, ScratchOffset, Str};
use crate::engine::input::BufferOffset;
use crate::engine::input::View;
use crate::engine::scan::{Classes, same};
use alloc::string::String;
use core::ops::{Deref, DerefMut};

/// The argument of every state: a cursor on the window, and the queue that records are written to.
///
/// It dereferences to its cursor. The compiler keeps the cursor in registers as long as the lexer is a local variable
/// of the function that runs the states, and everything that borrows it is inlined there. A function that is not
/// inlined gets a copy instead, with [`aside`](Lexer::aside).
pub struct Lexer<'w, K: Classes> {
    input: Cursor<'w, K>,
    pub(crate) out: &'w mut Queue,
}

impl<'w, K: Classes> Deref for Lexer<'w, K> {
    type Target = Cursor<'w, K>;

    #[inline(always)]
    fn deref(&self) -> &Cursor<'w, K> {
        &self.input
    }
}

impl<'w, K: Classes> DerefMut for Lexer<'w, K> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Cursor<'w, K> {
        &mut self.input
    }
}

impl<'w, K: Classes> Lexer<'w, K> {
    /// Creates a lexer over a window. `eof` says that the end of the input follows it.
    #[inline(always)]
    pub(crate) fn over(view: View<'w>, eof: bool, out: &'w mut Queue) -> Lexer<'w, K> {
        Lexer {
            input: Cursor::new(view, eof),
            out,
        }
    }

    /// Calls the function `run`, which is not inlined, with a copy of the lexer. Afterwards continues at the position
    /// that the copy has reached. The lexer itself is never borrowed by such a function, so the compiler keeps it in
    /// machine registers.
    #[inline(always)]
    pub(crate) fn aside<T>(&mut self, run: impl FnOnce(&mut Lexer<'_, K>) -> T) -> T {
        if cfg!(target_family = "wasm") {
            // Programs for the web are small rather than fast.
            return run(self);
        }
        let mut copy = Lexer {
            input: self.input,
            out: &mut *self.out,
        };
        let answer = run(&mut copy);
        let stands = copy.input;
        self.input.follow(stands);
        answer
    }

    /// Returns the byte at an offset in the buffered text.
    pub(crate) fn byte(&self, mark: BufferOffset) -> u8 {
        self.input.byte(&self.out.retained, mark)
    }

    /// Returns the text between two offsets in two pieces: the first from the retained bytes, the second from the
    /// chunk.
    #[inline(always)]
    pub(crate) fn pieces(&self, from: BufferOffset, to: BufferOffset) -> (&str, &str) {
        self.input.pieces(&self.out.retained, from, to)
    }

    /// Returns a copy of the text between two offsets.
    pub(crate) fn string(&self, from: BufferOffset, to: BufferOffset) -> String {
        let (first, second) = self.pieces(from, to);
        String::from_iter([first, second])
    }

    /// Returns a copy of the text between two offsets, or an empty string if it is longer than `most` bytes.
    pub(crate) fn short(&self, from: BufferOffset, to: BufferOffset, most: u32) -> String {
        match to - from <= most {
            true => self.string(from, to),
            false => String::new(),
        }
    }

    /// Returns the text between two offsets of a token that is contiguous after [`join`](Self::join).
    #[inline(always)]
    pub(crate) fn one_piece(&self, from: BufferOffset, to: BufferOffset) -> &str {
        self.input.one_piece(&self.out.retained, from, to)
    }

    /// Returns a string of a token that is contiguous after [`join`](Self::join).
    #[inline(always)]
    pub(crate) fn joined(&self, string: Str) -> &str {
        match string {
            Str::Borrowed(from, to) => self.one_piece(from, to),
            Str::Cleaned(string) => string.within(&self.out.scratch),
        }
    }

    /// Consumes the rest of the character whose first byte, `byte`, was just consumed. Returns the character and its
    /// start and end offset.
    #[inline]
    pub(crate) fn character(&mut self, byte: u8) -> (char, BufferOffset, BufferOffset) {
        let from = self.mark() - 1;
        let character = match byte {
            0..0x80 => char::from(byte),
            _ => self.wide(),
        };
        (character, from, self.mark())
    }

    /// Returns the offset of the character that ends at `at`. It must still be buffered.
    #[inline]
    pub(crate) fn before(&self, at: BufferOffset) -> BufferOffset {
        let mut at = at - 1;
        while self.byte(at) & 0xC0 == 0x80 {
            at -= 1;
        }
        at
    }

    /// Returns the character that ends at `at`, and its offset. It must still be buffered.
    pub(crate) fn character_before(&self, at: BufferOffset) -> (char, BufferOffset) {
        let from = self.before(at);
        let (first, second) = self.pieces(from, at);
        let character = first.chars().chain(second.chars()).next();
        (character.unwrap_or(char::REPLACEMENT_CHARACTER), from)
    }

    /// Makes the source of the token between two offsets contiguous. If the token starts in the retained bytes, the
    /// rest of it is appended to them.
    #[inline(always)]
    pub(crate) fn join(&mut self, from: BufferOffset, to: BufferOffset) {
        if from < self.input.chunk().1 {
            self.out.work.copied += self.input.join(&mut self.out.retained, to) as u64;
        }
    }

    /// Returns whether the current tag already has an attribute with the name of `new`. Names are compared as
    /// written.
    #[inline(always)]
    pub(crate) fn has_attribute(&mut self, names: &mut AttributeNames, new: &Attr) -> bool {
        let others = &self.out.attributes[self.out.open as usize..];
        let Some(first) = others.first() else {
            return false;
        };
        let (chunk, chunk_start) = self.input.chunk();
        if first.name < chunk_start || others.len() > MAX_UNHASHED_ATTRIBUTES {
            return self.aside(|lex| lex.has_attribute_cold(names, new, false));
        }
        let bytes = chunk.as_bytes();
        let name_of = |attribute: &Attr| {
            &bytes
                [attribute.name.index_from(chunk_start)..attribute.name_end.index_from(chunk_start)]
        };
        let name = name_of(new);
        others.iter().any(|other| same(name_of(other), name))
    }

    /// Returns whether the current tag already has an attribute with the name of `new`. `cleaned` says that some
    /// names differ from how they are written.
    #[cold]
    #[inline(never)]
    pub(crate) fn has_attribute_cold(
        &mut self,
        names: &mut AttributeNames,
        new: &Attr,
        cleaned: bool,
    ) -> bool {
        let Queue {
            attributes,
            open,
            retained,
            scratch,
            work,
            ..
        } = &mut *self.out;
        let others = &attributes[*open as usize..];
        let name = |attribute: &Attr| match cleaned && attribute.flags & NAME_CLEANED != 0 {
            true => ("", attribute.clean_name(scratch)),
            false => self
                .input
                .pieces(retained, attribute.name, attribute.name_end),
        };
        names.contains(others, new, name, &mut work.compared)
    }

    /// Returns the range of the name of the first attribute with the same name as `new`, for an error message.
    /// `cleaned` says that some names differ from how they are written.
    #[cold]
    pub(crate) fn first_attribute(
        &self,
        names: &AttributeNames,
        new: &Attr,
        cleaned: bool,
    ) -> Option<(BufferOffset, BufferOffset)> {
        let Queue {
            attributes,
            open,
            retained,
            scratch,
            ..
        } = &*self.out;
        let name = |attribute: &Attr| match cleaned && attribute.flags & NAME_CLEANED != 0 {
            true => ("", attribute.clean_name(scratch)),
            false => self
                .input
                .pieces(retained, attribute.name, attribute.name_end),
        };
        let first = names.first(&attributes[*open as usize..], new, name)?;
        Some((first.name, first.name_end))
    }

    /// Records that an attribute of the current tag was dropped because its name is a duplicate.
    #[cold]
    pub(crate) fn mark_duplicates(&mut self) {
        let open = self.out.open as usize;
        if let Some(first) = self.out.attributes.get_mut(open) {
            first.flags |= DUPLICATES;
        }
    }

    /// Copies a string to the scratch buffer.
    pub(crate) fn clean(&mut self, string: &str) -> Cleaned {
        let start = self.out.scratch_end();
        self.out.scratch.push_str(string);
        self.out.work.cleaned += string.len() as u64;
        Cleaned::since(start, &self.out.scratch)
    }

    /// Copies the text between two offsets to the scratch buffer.
    pub(crate) fn copy(&mut self, from: BufferOffset, to: BufferOffset) -> Cleaned {
        let Queue {
            scratch,
            retained,
            work,
            ..
        } = &mut *self.out;
        let (first, second) = self.input.pieces(retained, from, to);
        let start = ScratchOffset::end_of(scratch);
        scratch.push_str(first);
        scratch.push_str(second);
        work.cleaned += u64::from(to - from);
        Cleaned::since(start, scratch)
    }

    /// Appends a record to the queue. Suspends at the next read if the batch is full.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn emit(&mut self, record: Record) {
        if self.out.push(record) {
            self.input.suspend();
        }
    }

    /// Records that the text between two offsets means `meant` in the value of a string.
    pub(crate) fn replace(
        &mut self,
        string: &mut TextBuffer,
        from: BufferOffset,
        to: BufferOffset,
        meant: &str,
    ) {
        string.replace(self.input, self.out, from, to, meant);
    }

    /// Records that the text between two offsets means one character in the value of a string.
    pub(crate) fn replace_by(
        &mut self,
        string: &mut TextBuffer,
        from: BufferOffset,
        to: BufferOffset,
        meant: char,
    ) {
        let mut buffer = [0; 4];
        let meant = &*meant.encode_utf8(&mut buffer);
        self.replace(string, from, to, meant);
    }

    /// Excludes the text between two offsets from the value of a string. No copy is made if that text is at the start
    /// or at the end of the string.
    pub(crate) fn remove(&mut self, string: &mut TextBuffer, from: BufferOffset, to: BufferOffset) {
        string.remove(self.input, self.out, from, to);
    }

    /// Excludes the text between two offsets from a string. At the start of the string, the string's source then begins
    /// after that text.
    pub(crate) fn skip_in(
        &mut self,
        string: &mut TextBuffer,
        from: BufferOffset,
        to: BufferOffset,
    ) {
        string.skip(self.input, self.out, from, to);
    }

    /// Excludes the text between two offsets from a string, because that text is a token of its own inside the string,
    /// such as a comment.
    pub(crate) fn leave_out(
        &mut self,
        string: &mut TextBuffer,
        from: BufferOffset,
        to: BufferOffset,
    ) {
        string.leave_out(self.input, self.out, from, to);
    }

    /// Ends a string at `end`. Returns its value: a range of the buffered text, or of the scratch buffer.
    #[inline(always)]
    pub(crate) fn finish(&mut self, string: &mut TextBuffer, end: BufferOffset) -> Str {
        string.finish(self.input, self.out, end)
    }

    /// Ends a string at `end` and stores its value in a record.
    pub(crate) fn finish_in(
        &mut self,
        record: &mut Record,
        string: &mut TextBuffer,
        end: BufferOffset,
    ) {
        self.join(record.start, record.end);
        let meant = self.finish(string, end);
        if let Str::Cleaned(cleaned) = meant {
            self.out.unfinished = cleaned.end;
        }
        *record = record.with(meant);
        *string = TextBuffer::NONE;
    }

    /// Emits a token other than a start tag with `emit`, and marks it as incomplete: its closing delimiter is missing.
    /// Text and implied tags that are emitted too are not marked.
    #[cold]
    #[inline(never)]
    pub(crate) fn incomplete<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        let from = self.out.records.len();
        let result = emit(self);
        for record in self.out.records.iter_mut().skip(from) {
            let is_token = match record.kind {
                RecordKind::End => record.flags & (IMPLIED | SELF_CLOSING) == 0,
                RecordKind::Comment | RecordKind::ProcessingInstruction | RecordKind::Doctype => {
                    true
                }
                _ => false,
            };
            record.flags |= if is_token { INCOMPLETE } else { 0 };
        }
        result
    }

    /// Ends a run of text at `end` and emits it, unless it is empty.
    #[inline(always)]
    pub(crate) fn emit_text(&mut self, text: &mut TextBuffer, end: BufferOffset, flags: u8) {
        let start = text.start;
        if start < end {
            if let Some(a) = text.as_written() {
                if a < end {
                    self.join(start, end);
                    let record = Record::new(RecordKind::Text, start, end).of(a, end);
                    self.emit(Record { flags, ..record });
                }
            } else {
                self.aside(|lex| lex.emit_cleaned_text(text, end, flags));
            }
        }
        text.start = BufferOffset::NONE;
    }

    /// Emits the run of text up to `end`, for a run whose value may differ from its source. `flags` are the flags of
    /// the record: [`MORE`] if the run may continue, and [`CONTINUED`] if it continues an earlier event.
    #[cold]
    #[inline(never)]
    pub(crate) fn emit_cleaned_text(
        &mut self,
        text: &mut TextBuffer,
        end: BufferOffset,
        flags: u8,
    ) {
        let start = text.start;
        let flags = flags
            | if text.is_from_entity {
                TEXT_FROM_ENTITY
            } else {
                0
            };
        let string = self.finish(text, end);
        let end = text.end(end);
        match string {
            Str::Borrowed(..) => self.join(start, end),
            Str::Cleaned(cleaned) => self.out.unfinished = cleaned.end,
        }
        if !string.is_empty() {
            let record = Record::new(RecordKind::Text, start, end);
            self.emit(Record { flags, ..record }.with(string));
        }
    }

    /// Reports a parse error between two offsets, which the dialect recovers from.
    #[inline(always)]
    pub(crate) fn report(&mut self, code: ErrorCode, start: BufferOffset, end: BufferOffset) {
        self.aside(|lex| lex.report_cold(code, start, end));
    }

    #[cold]
    #[inline(never)]
    fn report_cold(&mut self, code: ErrorCode, start: BufferOffset, end: BufferOffset) {
        self.report_about(code, start, end, None);
    }

    /// Reports a parse error between two offsets that refers to another place in the document.
    #[cold]
    pub(crate) fn report_about(
        &mut self,
        code: ErrorCode,
        start: BufferOffset,
        end: BufferOffset,
        referred: Option<Referred>,
    ) {
        if self.out.settings.reports_errors && self.out.fatal.is_none() {
            self.out.push_error_in(code, (start, end), None, referred);
            if self.out.has_full_batch() {
                self.input.suspend();
            }
        }
    }
}
