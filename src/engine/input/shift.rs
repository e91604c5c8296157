//! The shift state of ISO-2022-JP.

/// The state of an ISO-2022-JP decoder between two characters.
///
/// The decoder has to remember two things there: the current character set, which the last escape sequence selected,
/// and whether any character followed that escape sequence, because two escape sequences in a row are an error. In
/// every state an ESC byte starts an escape sequence, and all bytes that look like a complete escape sequence are
/// one. Both facts can therefore be derived from the bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shift {
    /// The last three bytes that the decoder consumed.
    recent: [u8; 3],
    /// The last escape sequence. `None` at the start of the stream, where the character set is ASCII.
    escape: Option<[u8; 3]>,
}

impl Shift {
    pub(super) fn pass(&mut self, byte: u8) {
        self.recent = [self.recent[1], self.recent[2], byte];
        if matches!(
            self.recent,
            [0x1B, b'(', b'B' | b'I' | b'J'] | [0x1B, b'$', b'@' | b'B']
        ) {
            self.escape = Some(self.recent);
        }
    }

    /// The escape sequences; number `n` of [`number`](Shift::number) is at index `n - 1`.
    const ESCAPES: [[u8; 3]; 5] = [*b"\x1B(B", *b"\x1B(I", *b"\x1B(J", *b"\x1B$@", *b"\x1B$B"];

    /// Converts a result of [`number`](Shift::number) back to a state.
    pub(super) fn from_number(number: u64) -> Shift {
        let escape = (number >> 1)
            .checked_sub(1)
            .map(|index| Self::ESCAPES[index as usize]);
        let recent = escape.filter(|_| number & 1 == 1).unwrap_or_default();
        Shift { recent, escape }
    }

    /// Returns the state as a 4-bit number: the number of the escape sequence, or 0, and in the lowest bit whether no
    /// character followed it.
    pub(super) fn number(self) -> u64 {
        let index = Self::ESCAPES
            .iter()
            .position(|escape| Some(*escape) == self.escape);
        let is_fresh = self.escape == Some(self.recent);
        index.map_or(0, |index| 2 * (index as u64 + 1)) + u64::from(is_fresh)
    }

    pub(super) fn is_ascii(self) -> bool {
        self.escape.is_none_or(|escape| escape == Self::ESCAPES[0])
    }

    /// Brings a new decoder into this state. The text that it writes meanwhile is discarded.
    #[cfg(feature = "encodings")]
    pub(super) fn restore(&self, decoder: &mut encoding_rs::Decoder, buffer: &mut str) {
        if let Some(escape) = self.escape {
            let _ = decoder.decode_to_str_without_replacement(&escape, buffer, false);
            if self.recent != escape {
                // Two bytes that are whole characters in every character set: either two characters or one of two
                // bytes.
                let _ = decoder.decode_to_str_without_replacement(b"$$", buffer, false);
            }
        }
    }
}

crate::checkpoint::checkpointable! {
    struct Shift { recent, escape }
}
