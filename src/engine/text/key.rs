//! Keys for hashing and comparing short names: two words and a length instead of a string.

/// Maximum length in bytes of a name for which a key exists.
const MAX_NAME_BYTES: usize = u8::MAX as usize;

/// The part of a name that is hashed and compared. For names of up to 16 bytes it determines the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// The first eight bytes, or the whole name if it is shorter, as a little-endian number.
    head: u64,
    /// The last eight bytes, or 0 if `head` contains the whole name.
    tail: u64,
    length: u8,
}

/// A multiplier for [`Key::place`], for hash tables of any names: 2⁶⁴ divided by the golden ratio.
pub(crate) const GOLDEN_RATIO: u64 = 0x9E37_79B9_7F4A_7C15;

impl Key {
    /// A placeholder that is the key of no name.
    pub(crate) const EMPTY: Self = Self {
        head: 0,
        tail: 0,
        length: 0,
    };

    /// Returns the key of the name between two indices of a text, or `None` if the name is empty or longer than 255
    /// bytes.
    ///
    /// PERF: if the text has eight bytes from the start of a short name on, one load and one mask are the key.
    #[inline(always)]
    pub(crate) fn within(text: &[u8], from: usize, to: usize) -> Option<Self> {
        let length = to.wrapping_sub(from);
        if length.wrapping_sub(1) < 8
            && let Some(word) = text.get(from..from.wrapping_add(8))
            && let Some(word) = word.first_chunk()
        {
            return Some(Self {
                head: u64::from_le_bytes(*word) & u64::MAX >> (64 - 8 * length),
                tail: 0,
                length: length as u8,
            });
        }
        Self::new(&text[from..to])
    }

    /// Returns the key of a name, or `None` if the name is empty or longer than 255 bytes.
    #[inline]
    pub(crate) const fn new(name: &[u8]) -> Option<Self> {
        let length = name.len();
        let (head, tail) = match length {
            // A name of one to three bytes: combine the first, the middle and the last byte, which may coincide.
            1..=3 => {
                let (middle, last) = (length / 2, length - 1);
                let ends = name[0] as u64 | (name[last] as u64) << (8 * last);
                (ends | (name[middle] as u64) << (8 * middle), 0)
            }
            // Two words that may overlap.
            4..=8 => (
                half(name, 0) as u64 | (half(name, length - 4) as u64) << (8 * (length - 4)),
                0,
            ),
            9..=MAX_NAME_BYTES => (word(name, 0), word(name, length - 8)),
            _ => return None,
        };
        Some(Self {
            head,
            tail,
            length: length as u8,
        })
    }

    /// Returns the key of the name in lower case.
    #[inline]
    pub(crate) const fn in_lower_case(self) -> Self {
        Self {
            head: in_lower_case(self.head),
            tail: in_lower_case(self.tail),
            length: self.length,
        }
    }

    /// Returns whether the key determines the name, so that no other name has the same key.
    #[inline]
    pub(crate) const fn is_all(self) -> bool {
        self.length <= 16
    }

    /// Returns false if the name certainly contains no colon.
    #[inline]
    pub(crate) const fn may_have_colon(self) -> bool {
        !self.is_all() || has_byte(self.head, b':') || has_byte(self.tail, b':')
    }

    /// Returns the name's index in a hash table with 2 to the power of `bits` entries. `multiplier` is the constant
    /// that the table was built with.
    #[inline]
    pub(crate) const fn place(self, multiplier: u64, bits: u32) -> usize {
        let mixed = self.head ^ self.tail.rotate_left(23) ^ (self.length as u64) << 59;
        (mixed.wrapping_mul(multiplier) >> (64 - bits)) as usize
    }
}

/// Returns whether a byte of the word has a value.
#[inline]
const fn has_byte(word: u64, byte: u8) -> bool {
    const ONES: u64 = u64::MAX / 255;
    let word = word ^ (byte as u64 * ONES);
    word.wrapping_sub(ONES) & !word & (ONES << 7) != 0
}

/// Returns four bytes as a little-endian number.
#[inline]
const fn half(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Returns eight bytes as a little-endian number.
#[inline]
const fn word(bytes: &[u8], at: usize) -> u64 {
    (half(bytes, at) as u64) | (half(bytes, at + 4) as u64) << 32
}

/// Returns eight bytes with the letters A to Z in lower case.
#[inline]
const fn in_lower_case(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let low = word & (0x7F * ONES);
    // The highest bit of each byte: at least `A`, greater than `Z`.
    let is_from_a = low + (0x80 - b'A' as u64) * ONES;
    let is_after_z = low + (0x7F - b'Z' as u64) * ONES;
    let is_upper = is_from_a & !is_after_z & !word & (0x80 * ONES);
    word | is_upper >> 2
}

crate::checkpoint::checkpointable! {
    struct Key { head, tail, length }
}

#[cfg(test)]
mod tests {
    use super::Key;
    use alloc::{string::String, vec::Vec};

    /// Checks that all names of up to 16 bytes have different keys: all names of two letters up to length 12, and
    /// longer names in which one letter differs.
    #[test]
    fn short_names_have_keys_of_their_own() {
        let mut names: Vec<String> = Vec::new();
        for length in 1..=12_u32 {
            for bits in 0..1_u32 << length {
                let letter = |at| if bits >> at & 1 == 1 { 'a' } else { 'b' };
                names.push((0..length).map(letter).collect());
            }
        }
        for length in 13..=16 {
            let letter = |at, other| if at == other { 'a' } else { 'b' };
            names.extend(
                (0..=length).map(|other| (0..length).map(|at| letter(at, other)).collect()),
            );
        }
        let keys = names.iter().filter_map(|name| Key::new(name.as_bytes()));
        let mut keys: Vec<Key> = keys.filter(|key| key.is_all()).collect();
        assert_eq!(keys.len(), 8_190 + 14 + 15 + 16 + 17);
        keys.sort_by_key(|key| (key.length, key.head, key.tail));
        keys.dedup();
        assert_eq!(keys.len(), names.len());
        for byte in 0..=u8::MAX {
            let (name, lower) = ([byte; 9], [byte.to_ascii_lowercase(); 9]);
            assert_eq!(Key::new(&name).map(Key::in_lower_case), Key::new(&lower));
        }
        let text = b"abcdefghijklmnopqrstuvwxyz";
        for (from, to) in
            (0..text.len()).flat_map(|from| (from..=text.len()).map(move |to| (from, to)))
        {
            assert_eq!(Key::within(text, from, to), Key::new(&text[from..to]));
        }
        assert!(Key::new(&[b'a'; 17]).is_some_and(|key| !key.is_all()));
        assert_eq!(Key::new(b""), None);
        assert_eq!(Key::new(&[b'a'; 256]), None);
    }
}
