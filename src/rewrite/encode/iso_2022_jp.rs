//! ISO-2022-JP, in which escape sequences select the meaning of the bytes that follow.
//!
//! A decoder has a mode, which the last escape sequence selected. An escape sequence that directly follows another one
//! is an error, and is read as U+FFFD. So two pieces of input that were not adjacent cannot be joined byte by byte: the
//! second one may have been read in another mode, and an escape sequence at its beginning may have been read
//! differently. [`Modes`] therefore has the state of a decoder after the input and the state of a decoder after the
//! output. Input that is copied after a seam is read with the state that it had in the input.
//!
//! ```text
//! input    ESC$BF| ESC(B <p a=b t= ESC$BF| ESC(B >     attribute `t` is removed
//! output   ESC$BF| ESC(B <p a=b >                       `>` is read in ASCII, as in the input
//! ```

use alloc::vec::Vec;

/// The mode that an escape sequence selects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    #[default]
    Ascii,
    /// ASCII, except for two characters.
    Roman,
    Katakana,
    /// Two bytes for each character.
    Kanji,
}

pub(super) const ESCAPE: u8 = 0x1B;

/// Length of an escape sequence in bytes.
const SEQUENCE_BYTES: usize = 3;

impl Mode {
    /// Returns the mode that an escape sequence selects.
    pub(super) fn of(sequence: &[u8]) -> Option<Mode> {
        match sequence {
            b"\x1B(B" => Some(Mode::Ascii),
            b"\x1B(J" => Some(Mode::Roman),
            b"\x1B(I" => Some(Mode::Katakana),
            b"\x1B$@" | b"\x1B$B" => Some(Mode::Kanji),
            _ => None,
        }
    }

    pub(super) fn sequence(self) -> &'static [u8; SEQUENCE_BYTES] {
        match self {
            Mode::Ascii => b"\x1B(B",
            Mode::Roman => b"\x1B(J",
            Mode::Katakana => b"\x1B(I",
            Mode::Kanji => b"\x1B$B",
        }
    }

    /// Returns a byte that is a character of its own: the byte for an ASCII character, and [`OTHER`] for all others.
    fn character(self, byte: u8) -> u8 {
        match self {
            Mode::Ascii if byte.is_ascii() && !is_shift(byte) => byte,
            Mode::Roman if byte.is_ascii() && !is_shift(byte) && !matches!(byte, b'\\' | b'~') => {
                byte
            }
            _ => OTHER,
        }
    }
}

/// Returns true for the control characters that ISO-2022-JP does not contain, because they select character sets in
/// other encodings of this family.
pub(super) fn is_shift(byte: u8) -> bool {
    matches!(byte, 0xE | 0xF | ESCAPE)
}

/// The class of all characters outside ASCII, and of U+FFFD for ill-formed bytes.
const OTHER: u8 = 0x80;

/// Bytes that a decoder has read and that are not a character yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Partial {
    #[default]
    None,
    /// The first byte of a character of two bytes.
    Lead,
    Escape,
    /// ESC and this byte, which is `(` or `$`.
    EscapeAnd(u8),
}

/// The state of a decoder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Shift {
    mode: Mode,
    /// True if no character follows the last escape sequence. The Encoding standard calls this the output flag.
    is_fresh: bool,
    partial: Partial,
}

impl Shift {
    /// Reads a byte. Calls `emit` for each character that it completes: with its class, and the number of its bytes
    /// before the next character.
    fn pass(&mut self, byte: u8, mut emit: impl FnMut(u8, usize)) {
        match (self.partial, byte) {
            (Partial::None, ESCAPE) => self.partial = Partial::Escape,
            (Partial::None, _) => self.pass_plain(byte, emit),
            (Partial::Lead, ESCAPE) => {
                self.partial = Partial::Escape;
                emit(OTHER, 2);
            }
            (Partial::Lead, _) => {
                self.partial = Partial::None;
                emit(OTHER, 2);
            }
            (Partial::Escape, b'(' | b'$') => self.partial = Partial::EscapeAnd(byte),
            (Partial::Escape, _) => {
                emit(OTHER, 2);
                (self.partial, self.is_fresh) = (Partial::None, false);
                match byte {
                    ESCAPE => self.partial = Partial::Escape,
                    _ => self.pass_plain(byte, emit),
                }
            }
            (Partial::EscapeAnd(second), _) => {
                self.partial = Partial::None;
                if let Some(mode) = Mode::of(&[ESCAPE, second, byte]) {
                    if self.is_fresh {
                        emit(OTHER, SEQUENCE_BYTES);
                    }
                    (self.mode, self.is_fresh) = (mode, true);
                    return;
                }
                self.is_fresh = false;
                emit(OTHER, SEQUENCE_BYTES);
                self.pass_plain(second, |class, _| emit(class, 2));
                match (self.partial, byte) {
                    (Partial::Lead, _) => {
                        emit(OTHER, 2);
                        self.partial = match byte {
                            ESCAPE => Partial::Escape,
                            _ => Partial::None,
                        };
                    }
                    (_, ESCAPE) => self.partial = Partial::Escape,
                    _ => self.pass_plain(byte, emit),
                }
            }
        }
    }

    /// Reads a byte that is not a part of an escape sequence, between two characters.
    fn pass_plain(&mut self, byte: u8, mut emit: impl FnMut(u8, usize)) {
        self.is_fresh = false;
        match self.mode {
            Mode::Kanji if matches!(byte, 0x21..=0x7E) => self.partial = Partial::Lead,
            mode => emit(mode.character(byte), 1),
        }
    }

    /// Returns true if the bytes that followed another state are read in the same way after this state. The bytes that
    /// follow ESC are no escape sequence if a piece of the input begins with them.
    fn continues(self, other: Shift) -> bool {
        let is_same = (self.mode, self.partial) == (other.mode, other.partial);
        is_same && (self.partial != Partial::None || self.is_fresh == other.is_fresh)
    }

    /// Returns true if the last bytes are an escape sequence.
    fn is_after_escape(self) -> bool {
        self.is_fresh && self.partial == Partial::None
    }
}

/// A character at the end of the output.
#[derive(Clone, Copy, Debug)]
pub(in crate::rewrite) struct Character {
    /// Offset of its first byte in the output.
    pub(in crate::rewrite) start: usize,
    /// The character, if it is ASCII, and 0x80 otherwise.
    pub(in crate::rewrite) class: u8,
    mode: Mode,
}

/// Number of characters at the end of the output that are retained: at least this number, and at most twice as many.
const RETAINED_CHARACTERS: usize = crate::rewrite::seam::MAX_LOOKBACK + 16;

/// The states of decoders after the input and after the output.
#[derive(Clone, Debug, Default)]
pub(in crate::rewrite) struct Modes {
    /// The state after the input that was copied or omitted.
    read: Shift,
    /// The state after the output.
    written: Shift,
    /// An offset in the input after `read`, and the state there.
    ahead: Option<(u64, Shift)>,
    /// The last characters of the output.
    tail: Vec<Character>,
}

impl Modes {
    /// Appends bytes of the input to the output. They are the next bytes of the input.
    pub(super) fn copy(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.put_input(self.read, bytes, out);
        self.leave_out(bytes);
    }

    /// Appends bytes of the input that are not the next ones to the output. `skip` returns the bytes of the input
    /// between two offsets; `done` is the offset of the next byte of the input.
    pub(in crate::rewrite) fn copy_ahead(
        &mut self,
        [done, from]: [u64; 2],
        input: impl Fn(u64, u64) -> Vec<u8>,
        to: u64,
        out: &mut Vec<u8>,
    ) {
        let known = self.ahead.filter(|(at, _)| (done..=from).contains(at));
        let (at, mut state) = known.unwrap_or((done, self.read));
        for byte in input(at, from) {
            state.pass(byte, |_, _| {});
        }
        self.ahead = Some((from, state));
        self.put_input(state, &input(from, to), out);
    }

    /// Omits the next bytes of the input.
    pub(super) fn leave_out(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.read.pass(*byte, |_, _| {});
        }
    }

    /// Appends bytes that have followed the state `read` in the input.
    fn put_input(&mut self, read: Shift, bytes: &[u8], out: &mut Vec<u8>) {
        let begins = bytes
            .first_chunk::<SEQUENCE_BYTES>()
            .and_then(|first| Mode::of(first));
        let mut rest = bytes;
        match begins {
            _ if bytes.is_empty() || self.written.continues(read) => {}
            None => self.select(read.mode, out),
            // The escape sequence was an error.
            Some(_) if read.is_after_escape() => {
                if !self.written.is_after_escape() {
                    self.put(read.mode.sequence(), out);
                }
            }
            // The escape sequence was no error, and replaces the one at the end of the output.
            Some(mode) if self.written.is_after_escape() => {
                self.select(mode, out);
                rest = &bytes[SEQUENCE_BYTES..];
            }
            Some(_) => {}
        }
        self.put(rest, out);
    }

    /// Selects the mode of the next byte of the output.
    fn select(&mut self, mode: Mode, out: &mut Vec<u8>) {
        if self.written.mode == mode && self.written.partial == Partial::None {
            return;
        }
        if self.written.is_after_escape() {
            // A second escape sequence would be an error.
            out.truncate(out.len().saturating_sub(SEQUENCE_BYTES));
            out.extend_from_slice(mode.sequence());
            self.written.mode = mode;
            return;
        }
        self.put(mode.sequence(), out);
    }

    /// Appends bytes to the output.
    fn put(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for byte in bytes {
            out.push(*byte);
            let (end, tail) = (out.len(), &mut self.tail);
            let mode = self.written.mode;
            self.written.pass(*byte, |class, length| {
                tail.push(Character {
                    start: end.saturating_sub(length),
                    class,
                    mode,
                });
            });
        }
        if self.tail.len() > 2 * RETAINED_CHARACTERS {
            self.tail.drain(..self.tail.len() - RETAINED_CHARACTERS);
        }
    }

    /// Appends a character in a mode to the output. An ASCII character can also be written in the Roman mode.
    #[cfg(feature = "encodings")]
    pub(super) fn put_character(&mut self, bytes: &[u8], mode: Mode, out: &mut Vec<u8>) {
        let is_same = |byte: &u8| Mode::Roman.character(*byte) == *byte;
        let is_roman = self.written.mode == Mode::Roman && mode == Mode::Ascii;
        let mode = match is_roman && bytes.iter().all(is_same) {
            true => Mode::Roman,
            false => mode,
        };
        self.select(mode, out);
        self.put(bytes, out);
    }

    /// Returns the characters at the end of the output, in order.
    pub(in crate::rewrite) fn tail(&self) -> &[Character] {
        &self.tail
    }

    /// Returns the number of bytes at the end of the output that later bytes may replace: those of an escape sequence.
    pub(in crate::rewrite) fn replaceable(&self) -> usize {
        match self.written.is_after_escape() {
            true => SEQUENCE_BYTES,
            false => 0,
        }
    }

    /// Returns true if the last bytes of the output are not a whole character.
    pub(in crate::rewrite) fn is_partial(&self) -> bool {
        self.written.partial != Partial::None
    }

    /// Removes the last characters of the output, at most `count`. Returns the classes of the removed characters.
    pub(in crate::rewrite) fn remove_last(&mut self, count: usize, out: &mut Vec<u8>) -> Vec<u8> {
        let removed = self.tail.split_off(self.tail.len().saturating_sub(count));
        if let Some(first) = removed.first() {
            out.truncate(first.start);
            self.written = Shift {
                mode: first.mode,
                ..Shift::default()
            };
        }
        removed.iter().map(|one| one.class).collect()
    }

    /// Called after bytes were removed from the beginning of the output.
    pub(in crate::rewrite) fn discard(&mut self, bytes: usize) {
        self.tail.retain_mut(|one| {
            let start = one.start.checked_sub(bytes);
            one.start = start.unwrap_or_default();
            start.is_some()
        });
    }

    /// Called after bytes were inserted at the beginning of the output.
    pub(in crate::rewrite) fn advance(&mut self, bytes: usize) {
        self.tail.iter_mut().for_each(|one| one.start += bytes);
    }

    /// Returns bytes that bring a new decoder into the state after the input.
    pub(super) fn prefix(&self) -> Vec<u8> {
        let mut prefix = Vec::from(self.read.mode.sequence());
        if !self.read.is_after_escape() {
            // In each mode, these bytes are whole characters.
            prefix.extend_from_slice(b"$$");
        }
        prefix
    }
}

crate::checkpoint::checkpointable! {
    enum Mode { Ascii, Roman, Katakana, Kanji }
    enum Partial { None, Lead, Escape, EscapeAnd(second) }
    struct Shift { mode, is_fresh, partial }
    struct Character { start, class, mode }
    struct Modes { read, written, ahead, tail }
}
