//! The output buffer of a rewriter: copies input to the output, omits other input, and inserts new content.
//!
//! Unchanged input is copied late: when an edit follows it, or when the program takes the output. An edit creates seams
//! (`seam.rs`), and this file is the only place that repairs them.

use super::beginning::{Beginning, looks_like_mark};
use super::encode::{Encode, References, Unit};
use super::input::InputBuffer;
use super::seam::{
    Context, Left, MAX_ANGLES, MAX_LOOKBACK, Repair, begins_markup, ends_in_return, repair,
};
use crate::engine::dialect::{Syntax, TopLevel};
use crate::engine::error::Span;
use crate::engine::work;
use crate::write::Refusal;
use alloc::string::String;
use alloc::vec::Vec;
use bytes::Bytes;

/// Number of output bytes that are retained after the program has taken them, because a seam may follow them: four
/// bytes for each character.
const RETAINED_BYTES: usize = 4 * (MAX_LOOKBACK + 16);

/// Maximum number of characters of a tag name that is compared with names in a table.
const MAX_TAG_NAME: usize = 16;

/// The buffered input, and the output that the program has not taken.
#[derive(Clone, Debug)]
pub(super) struct OutputBuffer {
    input: InputBuffer,
    /// Offset in the input of the first byte that is neither copied nor omitted.
    done: u64,
    out: Vec<u8>,
    /// Length of the prefix of `out` that the program has taken.
    taken: usize,
    beginning: Beginning,
    pub(super) encode: Encode,
    /// The seam at the end of the output, if input was omitted or content was inserted there. `None` if the next input
    /// byte follows the last byte of the output in the input too.
    seam: Option<Seam>,
    /// Length of the prefix of `out` whose last token is complete, because it is inserted content.
    complete: usize,
    /// Offset in the input after the last start tag of an element such as `pre`, after which a parser of HTML ignores a
    /// newline.
    newline_input: Option<u64>,
    /// Length of the output up to the last such start tag.
    newline_output: Option<usize>,
    /// True if a carriage return and U+0085 form one newline, as in XML 1.1 and LeafXML.
    pub(super) has_nel: bool,
    /// Byte range in the input of the last rest of a newline that was omitted.
    pub(super) omitted_newline: Span,
    /// The reason why something could not be written.
    refused: Option<Refusal>,
    syntax: Syntax,
}

/// A seam between the output and the input that is copied next.
#[derive(Clone, Copy, Debug)]
struct Seam {
    /// The content model at the seam.
    context: Context,
    /// True if the input begins with a newline that the parser has ignored.
    ignores_newline: bool,
    /// True if the input before the seam ends with a carriage return. A line feed after it is a part of the same newline
    /// and is omitted.
    follows_return: bool,
}

impl OutputBuffer {
    pub(super) fn new(syntax: Syntax, top_level: TopLevel) -> OutputBuffer {
        OutputBuffer {
            input: InputBuffer::default(),
            done: 0,
            out: Vec::new(),
            taken: 0,
            beginning: Beginning::new(top_level),
            encode: Encode::default(),
            seam: None,
            complete: 0,
            newline_input: None,
            newline_output: None,
            has_nel: syntax == Syntax::LeafXml,
            omitted_newline: Span::default(),
            refused: None,
            syntax,
        }
    }

    pub(super) fn feed(&mut self, chunk: &Bytes) {
        self.forget_taken();
        self.input
            .discard_to(self.done.saturating_sub(RETAINED_BYTES as u64));
        self.input.feed(chunk);
    }

    /// Offset in the input of the first byte that is neither copied nor omitted.
    pub(super) fn done(&self) -> u64 {
        self.done
    }

    /// Offset in the input of the end of the last chunk.
    pub(super) fn end(&self) -> u64 {
        self.input.end()
    }

    pub(super) fn unit(&self) -> Unit {
        self.encode.unit()
    }

    /// Returns false if an offset is inside a code unit of UTF-16 or UTF-32.
    pub(super) fn is_between_characters(&self, at: u64) -> bool {
        at.is_multiple_of(self.unit().length as u64)
    }

    /// Returns the ASCII character at an offset in the input that is not copied yet.
    pub(super) fn ascii_at(&self, at: u64) -> Option<u8> {
        debug_assert!(at >= self.done, "the input before `done` may be discarded");
        let (bytes, length) = self.input.peek::<4>(at);
        let unit = self.unit();
        (length >= unit.length).then(|| unit.ascii(&bytes[..unit.length]))?
    }

    /// Returns the ASCII character after the character at an offset in the input that is not copied yet.
    pub(super) fn ascii_after(&self, at: u64) -> Option<u8> {
        self.ascii_at(at + self.unit().length as u64)
    }

    /// Returns the name of the tag at an offset in the input that is not copied yet, and true if it is an end tag. Letters
    /// are lowercase, and the name has at most [`MAX_TAG_NAME`] characters. `None` if there is no tag.
    pub(super) fn tag_name_at(&self, at: u64) -> Option<(bool, String)> {
        let unit = self.unit().length as u64;
        let mut next = (1..).map(|number| self.ascii_at(at + number * unit));
        let is_end = match (self.ascii_at(at), self.ascii_at(at + unit)) {
            (Some(b'<'), Some(b'/')) => next.next().is_some(),
            (Some(b'<'), _) => false,
            _ => return None,
        };
        let name = next.map_while(|byte| byte.filter(u8::is_ascii_alphanumeric));
        let name = name
            .take(MAX_TAG_NAME)
            .map(|byte| char::from(byte.to_ascii_lowercase()));
        let name: String = name.collect();
        (!name.is_empty()).then_some((is_end, name))
    }

    /// Returns the length of the byte-order mark at the start of the input.
    #[cold]
    pub(super) fn mark_length(&self) -> u64 {
        let (bytes, length) = self.input.peek::<4>(0);
        match (&bytes[..length], self.unit().length) {
            ([0xEF, 0xBB, 0xBF, ..], 1) => 3,
            ([0xFF, 0xFE, ..] | [0xFE, 0xFF, ..], 2) => 2,
            ([0xFF, 0xFE, 0, 0] | [0, 0, 0xFE, 0xFF], 4) => 4,
            _ => 0,
        }
    }

    /// Appends a range of the input that is not copied yet to the output, without moving in the input.
    pub(super) fn copy_range(&mut self, from: u64, to: u64) {
        if self.encode.has_modes() {
            let (modes, input) = (&mut self.encode.modes, &self.input);
            let range = |from, to| input.range(from, to);
            return modes.copy_ahead([self.done, from], range, to, &mut self.out);
        }
        self.copy_bytes(from, to);
    }

    /// Appends a range of the input to the output.
    fn copy_bytes(&mut self, from: u64, to: u64) {
        let (encode, out) = (&mut self.encode, &mut self.out);
        if encode.has_modes() {
            // An escape sequence may be divided between two chunks.
            return encode.copy(&self.input.range(from, to), out);
        }
        self.input.for_each(from, to, |part| {
            work::count(part.len());
            out.extend_from_slice(part);
        });
    }

    /// Returns true if the input before an offset ends with an ASCII string.
    pub(super) fn ends_with(&self, to: u64, word: &str) -> bool {
        let unit = self.unit();
        let bytes = self.input.before(to, word.len() * unit.length);
        let units = bytes.chunks_exact(unit.length);
        units.len() == word.len() && units.map(|one| unit.ascii(one)).eq(word.bytes().map(Some))
    }

    /// Returns the last character before an offset in the input that is not whitespace, or `None` if it is not ASCII, or
    /// further away than [`MAX_LOOKBACK`] characters.
    pub(super) fn last_visible_before(&self, to: u64) -> Option<u8> {
        let unit = self.unit();
        let bytes = self.input.before(to, MAX_LOOKBACK * unit.length);
        let units = bytes.rchunks_exact(unit.length);
        let mut characters = units.map(|one| unit.ascii(one));
        let is_space = |one: &Option<u8>| one.is_some_and(|one| one.is_ascii_whitespace());
        characters.find(|one| !is_space(one))?
    }

    // ------------------------------------------------------------------------------ Taking the output

    /// Returns the output. `to` is the offset up to which the input can be copied; `is_end` is true if nothing can
    /// follow.
    pub(super) fn take(&mut self, to: u64, is_end: bool) -> &[u8] {
        self.forget_taken();
        self.copy_to(to);
        let from = self.taken;
        // A seam may have to escape the end of the output, or to replace an escape sequence.
        let held = match is_end {
            true => 0,
            false if self.is_unrepairable() => self.encode.modes.replaceable(),
            false => self.angles().max(self.encode.modes.replaceable()),
        };
        self.taken = (self.out.len() - held).max(from);
        &self.out[from..self.taken]
    }

    /// Like [`take`](Self::take), but appends the output to a buffer. Unchanged input is copied once.
    pub(super) fn take_into(&mut self, to: u64, is_end: bool, sink: &mut Vec<u8>) {
        let to = to.min(self.input.end());
        let far = to.saturating_sub(RETAINED_BYTES as u64);
        let is_edited = self.seam.is_some() || self.beginning.is_guarded;
        if is_edited || far <= self.done || !self.encode.is_ascii() {
            let out = self.take(to, is_end);
            return sink.extend_from_slice(out);
        }
        sink.extend_from_slice(&self.out[self.taken..]);
        let unit = self.unit();
        self.beginning.discard(&self.out, unit);
        self.input.for_each(self.done, far, |part| {
            work::count(part.len());
            self.beginning.discard(part, unit);
            sink.extend_from_slice(part);
        });
        self.out.clear();
        (self.done, self.taken, self.complete) = (far, 0, 0);
        self.newline_output = None;
        let out = self.take(to, is_end);
        sink.extend_from_slice(out);
    }

    /// Discards output that the program has taken, except the end, which seams need. Called before more output is
    /// written, so that little has to be moved.
    fn forget_taken(&mut self) {
        if self.taken > 4 * RETAINED_BYTES {
            let by = self.taken - RETAINED_BYTES;
            work::count(self.out.len() - by);
            let unit = self.unit();
            self.beginning.discard(&self.out[..by], unit);
            self.out.drain(..by);
            self.taken = RETAINED_BYTES;
            self.complete = self.complete.saturating_sub(by);
            self.newline_output = self.newline_output.and_then(|at| at.checked_sub(by));
            self.encode.modes.discard(by);
        }
    }

    // ------------------------------------------------------------------------------ Copying and omitting

    /// Records a seam at the current offset in the input.
    fn set_seam(&mut self, context: Context) {
        let unit = self.unit();
        self.beginning.edit(&self.out, self.syntax, unit);
        self.seam = Some(Seam {
            context,
            ignores_newline: self.newline_input == Some(self.done),
            follows_return: self.ends_with(self.done, "\r"),
        });
    }

    /// Omits the rest of a newline whose carriage return precedes the seam.
    #[cold]
    fn skip_line_feed(&mut self) {
        let mut passed = &b""[..];
        loop {
            let (bytes, length) = self.input.peek::<9>(self.done);
            let next = &bytes[..length];
            let is_rest = |one| one == '\n' || one == '\u{85}' && self.has_nel;
            if let Some((_, length)) = self.encode.first(next).filter(|(one, _)| is_rest(*one)) {
                let (start, end) = (self.done, self.done + length as u64);
                self.omitted_newline = Span { start, end };
                self.skip_to(end);
                if let Some(seam) = &mut self.seam {
                    seam.follows_return = false;
                }
                return;
            }
            // In LeafXML, a delimiter of a CDATA section does not end the newline. After an end, `]]>` is text.
            let mut words = [&b"]]>"[..], b"<![CDATA["].into_iter();
            let is_delimiter =
                |word: &&[u8]| self.syntax == Syntax::LeafXml && next.starts_with(word);
            match words.find(is_delimiter).filter(|word| *word != passed) {
                Some(word) => {
                    passed = word;
                    let end = self.done + word.len() as u64;
                    self.copy_bytes(self.done, end);
                    self.done = end;
                }
                None => return,
            }
        }
    }

    /// Copies the input before an offset.
    #[inline]
    pub(super) fn copy_to(&mut self, to: u64) {
        if to > self.done {
            self.copy_some(to.min(self.input.end()));
        }
    }

    fn copy_some(&mut self, to: u64) {
        if self.seam.is_some_and(|seam| seam.follows_return) {
            self.skip_line_feed();
        }
        if to > self.done
            && let Some(seam) = self.seam.take()
        {
            self.repair_copied(seam, to);
        }
        if self.beginning.is_guarded && to > self.done {
            self.guard_declaration(to);
        }
        self.copy_bytes(self.done, to);
        self.done = self.done.max(to);
        if self.newline_input == Some(self.done) {
            self.newline_output = Some(self.out.len());
        }
    }

    /// Omits the input before an offset. The context is the content model there.
    pub(super) fn omit_to(&mut self, to: u64, context: Context) {
        if to > self.done {
            self.skip_to(to);
            self.set_seam(context);
        }
    }

    /// Omits the input before an offset inside a tag, where there are no seams.
    pub(super) fn skip_to(&mut self, to: u64) {
        let to = to.min(self.input.end());
        if self.encode.has_modes() {
            // An escape sequence may be divided between two chunks.
            self.encode.leave_out(&self.input.range(self.done, to));
        }
        self.done = self.done.max(to);
    }

    /// Records that the start tag before an offset in the input ignores a newline.
    pub(super) fn set_ignores_newline(&mut self, end: u64) {
        if let Some(previous) = self.newline_input {
            self.copy_to(previous);
        }
        self.newline_input = Some(end);
    }

    /// Called after a start tag was written with another name. `was` and `is` are true if the old and the new tag
    /// ignore a newline.
    pub(super) fn rename_tag(&mut self, was: bool, is: bool) {
        self.newline_output = is.then_some(self.out.len());
        if was {
            self.newline_input = Some(self.done);
        }
        if was != is {
            self.set_seam(Context::Content);
        }
    }

    // ------------------------------------------------------------------------------ Writing

    /// Writes a part of a tag. Characters that the encoding lacks become references if `may_refer` is true. The edit that
    /// needs the part has checked it with [`Encode::check`]; if the part cannot be written all the same, it is omitted,
    /// and [`take_refused`](Self::take_refused) returns the reason.
    pub(super) fn write(&mut self, part: &str, may_refer: bool) {
        let references = match may_refer {
            true => References::Of(self.syntax),
            false => References::No,
        };
        if let Err(refusal) = self.encode.put(part, references, &mut self.out) {
            self.refused.get_or_insert(refusal);
        }
        self.complete = self.out.len();
    }

    /// Returns true if input was omitted or content was inserted before the input that is copied next.
    pub(super) fn has_seam(&self) -> bool {
        self.seam.is_some()
    }

    /// Returns the reason why something could not be written, and forgets it.
    pub(super) fn take_refused(&mut self) -> Option<Refusal> {
        self.refused.take()
    }

    /// Called before a tag is written with [`write`](Self::write). `is_new` is true if the input has no tag here.
    pub(super) fn begin_tag(&mut self, is_new: bool) {
        if is_new || self.seam.is_some() {
            let left = repair(
                Context::Content,
                self.left(Context::Content),
                Some('<'),
                false,
            );
            self.repair_left(left);
        }
    }

    /// Inserts content, whose last token is complete.
    pub(super) fn insert(&mut self, piece: &str, context: Context) {
        let Some(first) = piece.chars().next() else {
            return;
        };
        let references = match context {
            Context::Content | Context::EscapableText => References::Of(self.syntax),
            Context::RawText | Context::Cdata => References::No,
        };
        if let Err(refusal) = self.encode.check(piece, references) {
            self.refused.get_or_insert(refusal);
            return;
        }
        let is_first = self.out.is_empty();
        let mut rest = piece;
        // Inserted content contains no `>` that could follow a `]`, and no ill-formed bytes.
        let right = Some(first).filter(|first| !matches!(first, ']' | '\u{FFFD}'));
        let left = self.left(context);
        let right = match left {
            _ if first == '\u{85}' && self.has_nel => Some('\n'),
            // A reference to a newline is ignored like a newline.
            Left::NewlineIgnored if piece.starts_with("&#") || piece.starts_with("&N") => {
                Some('\n')
            }
            // A reference to a line feed or to U+0085 belongs to the newline. A line feed before other references too is
            // harmless.
            Left::CarriageReturn if self.syntax == Syntax::LeafXml && piece.starts_with("&#") => {
                Some('\n')
            }
            _ => right,
        };
        match repair(context, left, right, false) {
            // A character to which no reference can be written continues no token either.
            Repair::EscapeRight if !self.can_refer_to(first) => {}
            // A carriage return, alone or with a line feed, is a newline.
            Repair::EscapeRight if first == '\r' => {
                self.encode.put_reference('\n', &mut self.out);
                rest = &piece[1..];
                rest = rest.strip_prefix('\n').unwrap_or(rest);
            }
            Repair::EscapeRight => {
                self.encode.put_reference(first, &mut self.out);
                rest = &piece[first.len_utf8()..];
            }
            other => self.repair_left(other),
        }
        self.write(rest, references != References::No);
        if is_first && self.may_be_mark(&self.out) {
            self.out.insert(0, b' ');
            self.encode.modes.advance(1);
        }
        let brackets = piece.bytes().rev().take_while(|byte| *byte == b']').count();
        self.complete = self.start_of_last(brackets.min(2));
        self.set_seam(context);
    }

    // ------------------------------------------------------------------------------ Seams

    /// Classifies the end of the output. `context` is the content model there.
    fn left(&self, context: Context) -> Left {
        if self.syntax.is_html() && self.newline_output == Some(self.out.len()) {
            return Left::NewlineIgnored;
        }
        if self.encode.has_modes() && self.encode.modes.is_partial() {
            // An escape sequence follows, which completes nothing.
            return Left::Complete;
        }
        if self.syntax == Syntax::LeafXml && ends_in_return(&self.out) {
            return Left::CarriageReturn;
        }
        match (Left::of(self.backwards()), context) {
            (Left::Complete, Context::EscapableText) => Left::of_escapable_text(self.backwards()),
            (Left::Complete, Context::Content) if self.is_microxml() => {
                Left::of_microxml(self.backwards())
            }
            (left, _) => left,
        }
    }

    fn is_microxml(&self) -> bool {
        matches!(self.syntax, Syntax::MicroXml { .. })
    }

    /// Returns the characters at the end of the output backwards, except those of inserted content, whose last token is
    /// complete: ASCII characters as they are, and 0x80 for all others.
    fn backwards(&self) -> impl Iterator<Item = u8> + Clone {
        self.backwards_to(self.complete)
    }

    /// Returns the characters of the output after an offset backwards.
    fn backwards_to(&self, from: usize) -> impl Iterator<Item = u8> + Clone {
        let unit = self.unit();
        let (tail, bytes) = match self.encode.has_modes() {
            true => (self.encode.modes.tail(), &[][..]),
            false => (&[][..], &self.out[from..]),
        };
        let tail = tail.iter().rev().take_while(move |one| one.start >= from);
        let units = bytes.rchunks_exact(unit.length);
        let units = units.map(move |one| unit.ascii(one).unwrap_or(0x80));
        tail.map(|one| one.class).chain(units)
    }

    /// Returns the offset in the output of one of its last characters: `count` characters follow the offset.
    fn start_of_last(&self, count: usize) -> usize {
        if self.encode.has_modes() && count > 0 {
            let last = self.encode.modes.tail().iter().nth_back(count - 1);
            return last.map_or(self.out.len(), |one| one.start);
        }
        self.out.len().saturating_sub(count * self.unit().length)
    }

    /// Returns true if the output, including inserted content, ends with an ASCII string.
    pub(super) fn ends_with_written(&self, word: &str) -> bool {
        let mut characters = self.backwards_to(0);
        let mut last = word.bytes().rev();
        last.all(|byte| characters.next() == Some(byte))
    }

    /// Returns the number of bytes of the `<` at the end of the output that a seam would escape.
    pub(super) fn angles(&self) -> usize {
        self.out.len() - self.start_of_last(self.count_angles())
    }

    /// Returns the number of the characters with which markup begins at the end of the output.
    fn count_angles(&self) -> usize {
        // PERF: most output ends otherwise, and its classification would look at the characters before.
        if !self.backwards().next().is_some_and(begins_markup) {
            return 0;
        }
        match self.left(Context::RawText) {
            Left::Angles(count) => count,
            _ => 0,
        }
    }

    /// Returns true if all characters between two offsets in the input are those with which markup begins, and those that
    /// were copied already are at the end of the output.
    pub(super) fn is_only_angles(&self, from: u64, to: u64) -> bool {
        let done = self.done.clamp(from, to);
        let is_copied = self.angles() as u64 >= done - from;
        // If there are more, they cannot be escaped anyway.
        if to - done > (MAX_ANGLES * self.unit().length) as u64 {
            return false;
        }
        let rest = self.input.range(done, to);
        let unit = self.unit();
        let mut rest = rest.chunks_exact(unit.length);
        is_copied && rest.all(|one| unit.ascii(one).is_some_and(begins_markup))
    }

    /// Returns true if a seam after the output cannot be repaired: more `<` precede it than are retained, or bytes of an
    /// incomplete character, which other bytes could complete.
    pub(super) fn is_unrepairable(&self) -> bool {
        self.count_angles() > MAX_ANGLES || self.ends_in_partial()
    }

    /// Returns true if the output ends with bytes of an incomplete character.
    pub(super) fn ends_in_partial(&self) -> bool {
        let from = self.out.len().saturating_sub(RETAINED_BYTES);
        let last = &self.out[from.max(self.complete)..];
        self.encode.ends_in_partial(last)
    }

    /// Returns true if a seam after an offset in the input could not be repaired, if the input before it were copied.
    pub(super) fn is_unrepairable_in_input(&self, to: u64) -> bool {
        let unit = self.unit();
        let bytes = self.input.before(to, (MAX_ANGLES + 2) * unit.length);
        let units = bytes.rchunks_exact(unit.length);
        let backwards = units.map(|one| unit.ascii(one).unwrap_or(0x80));
        let has_angles = matches!(Left::of(backwards), Left::Angles(count) if count > MAX_ANGLES);
        has_angles
            || self
                .encode
                .ends_in_partial(&self.input.before(to, RETAINED_BYTES))
    }

    /// Repairs the seam between the output and the input that is copied next.
    #[cold]
    fn repair_copied(&mut self, seam: Seam, to: u64) {
        let (bytes, length) = self.input.peek::<8>(self.done);
        let bytes = &bytes[..length.min((to - self.done) as usize)];
        let right = self.encode.first(bytes);
        let is_first = self.out.is_empty();
        let is_mark = is_first && matches!(right, Some(('\u{FEFF}', _)));
        if is_first && !is_mark && self.may_be_mark(bytes) {
            self.write(" ", false);
        }
        let next = right.map(|(character, _)| match character {
            // A reference to a newline is ignored like a newline, but not in MicroXML.
            '&' if !self.is_microxml()
                && matches!(self.ascii_after(self.done), Some(b'#' | b'N')) =>
            {
                '\n'
            }
            '\u{85}' if self.has_nel => '\n',
            other => other,
        });
        let repair = match is_mark && seam.context == Context::Content {
            true => Repair::EscapeRight,
            false => {
                let left = self.left(seam.context);
                repair(seam.context, left, next, seam.ignores_newline)
            }
        };
        match (repair, right) {
            (Repair::OmitNewline, _) => {
                for newline in ['\r', '\n'] {
                    let (bytes, length) = self.input.peek::<8>(self.done);
                    if let Some((first, length)) = self.encode.first(&bytes[..length])
                        && first == newline
                    {
                        self.skip_to(self.done + length as u64);
                    }
                }
            }
            (Repair::EscapeRight, Some(('\r', length))) => {
                // A carriage return, alone or with a line feed, is a newline.
                if self.encode.put_reference('\n', &mut self.out) {
                    self.skip_to(self.done + length as u64);
                    self.complete = self.out.len();
                    if self.ascii_at(self.done) == Some(b'\n') {
                        self.skip_to(self.done + self.unit().length as u64);
                    }
                }
            }
            (Repair::EscapeRight, Some((character, length))) => {
                if self.can_refer_to(character)
                    && self.encode.put_reference(character, &mut self.out)
                {
                    self.skip_to(self.done + length as u64);
                    self.complete = self.out.len();
                }
            }
            (other, _) => self.repair_left(other),
        }
    }

    /// Returns true if these bytes could be a byte-order mark at the start of a document.
    fn may_be_mark(&self, bytes: &[u8]) -> bool {
        self.unit().length == 1 && looks_like_mark(bytes, self.encode.is_utf8())
    }

    /// Copies whitespace, and keeps the characters after it from being an XML declaration or the pattern of an encoding: the
    /// output before it is whitespace. The input before `to` is copied next.
    #[cold]
    fn guard_declaration(&mut self, to: u64) {
        let unit = self.unit().length as u64;
        let mut at = self.done;
        while at < to
            && self
                .ascii_at(at)
                .is_some_and(|one| one.is_ascii_whitespace())
        {
            at += unit;
        }
        self.copy_bytes(self.done, at);
        self.done = at;
        if at == to {
            return;
        }
        self.beginning.is_guarded = false;
        let next: [_; 5] = core::array::from_fn(|number| self.ascii_at(at + number as u64 * unit));
        let unit = self.unit();
        let spaces = self.beginning.padding(&self.out, next, unit);
        self.write(&" ".repeat(spaces), false);
    }

    /// Returns true if a reference to a character can be written, and is read as this character.
    fn can_refer_to(&self, character: char) -> bool {
        References::Of(self.syntax).can_refer_to(character)
    }

    /// Removes the last characters of the output, which are ASCII, and returns them.
    fn remove_last(&mut self, count: usize) -> Vec<u8> {
        if self.encode.has_modes() {
            return self.encode.modes.remove_last(count, &mut self.out);
        }
        let unit = self.unit();
        let from = (self.out.len() - count * unit.length).max(self.taken);
        let removed = self.out.split_off(from);
        let units = removed.chunks_exact(unit.length);
        units.filter_map(|one| unit.ascii(one)).collect()
    }

    fn repair_left(&mut self, repair: Repair) {
        match repair {
            Repair::InsertNewline => self.write("\n", false),
            Repair::DivideSection => self.write("]]><![CDATA[", false),
            Repair::EscapeLeft => {
                let Left::Angles(count) = self.left(Context::RawText) else {
                    return;
                };
                for one in self.remove_last(count) {
                    match one {
                        b'<' => self.write("&lt;", false),
                        _ => self.write(char::from(one).encode_utf8(&mut [0; 4]), false),
                    }
                }
                self.complete = self.out.len();
            }
            Repair::Nothing | Repair::EscapeRight | Repair::OmitNewline => {}
        }
    }
}

crate::checkpoint::checkpointable! {
    struct Seam { context, ignores_newline, follows_return }
    struct OutputBuffer {
        input, done, out, taken, beginning, encode, seam, complete, newline_input, newline_output, has_nel,
        omitted_newline, refused, syntax
        ; then OutputBuffer::validate
    }
}

#[cfg(feature = "checkpoints")]
impl OutputBuffer {
    /// Returns an error if the lengths of a damaged checkpoint do not fit together.
    fn validate(&mut self) -> Result<(), crate::checkpoint::Damaged> {
        let is_well = self.taken <= self.out.len()
            && self.complete <= self.out.len()
            && self.done <= self.input.end();
        match is_well {
            true => Ok(()),
            false => Err(crate::checkpoint::Damaged),
        }
    }
}
