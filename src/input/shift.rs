//! What a decoder of ISO-2022-JP remembers. It must not know what is decoded.

/// Where ISO-2022-JP stands between characters.
///
/// Its decoder has two things to remember there: the set of characters in use, which the last
/// escape sequence chose, and whether anything came after that, as an escape sequence right after
/// another is an error. In every state of it an escape byte begins a sequence, and whatever looks
/// like a whole sequence is one; so both can be read off the bytes.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Shift {
    /// The last three bytes.
    recent: [u8; 3],
    /// The last escape sequence; none at the beginning, which is ASCII.
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

    /// The escape sequences, by their number from one on.
    const ESCAPES: [[u8; 3]; 5] = [*b"\x1B(B", *b"\x1B(I", *b"\x1B(J", *b"\x1B$@", *b"\x1B$B"];

    /// Reads what [`number`](Shift::number) gave.
    pub(super) fn from_number(number: u64) -> Shift {
        let escape = (number >> 1)
            .checked_sub(1)
            .map(|index| Self::ESCAPES[index as usize]);
        let recent = escape.filter(|_| number & 1 == 1).unwrap_or_default();
        Shift { recent, escape }
    }

    /// All that it remembers between two characters, in four bits.
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

    /// Brings a new decoder to this place; what it writes on the way is nobody's text.
    #[cfg(feature = "encodings")]
    pub(super) fn restore(&self, decoder: &mut encoding_rs::Decoder, buffer: &mut str) {
        if let Some(escape) = self.escape {
            let _ = decoder.decode_to_str_without_replacement(&escape, buffer, false);
            if self.recent != escape {
                // Whole characters in every set: two, or one of two bytes.
                let _ = decoder.decode_to_str_without_replacement(b"$$", buffer, false);
            }
        }
    }
}
