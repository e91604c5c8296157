//! A set of bytes, in the representations that the search algorithms need.

/// A set of bytes, built at compile time from the characters of a grammar production.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// For each byte, whether it is in the set.
    table: [bool; 256],
    /// For each low nibble of an ASCII byte, a bit mask of the high nibbles with which it is in the set.
    pub(super) rows: [u8; 16],
    /// For each low nibble of a byte from 0x80 up, a bit mask of the high nibbles with which it is in the set.
    pub(super) high_rows: [u8; 16],
    /// Summary of the bytes from 0x80 up that are in the set.
    pub(super) high: High,
    /// The members that a search by words compares with, if they are at most eight; `needle_count` counts all.
    /// `controls` is true if the control characters below 0x20 other than TAB and LF are members too.
    needles: [u8; 8],
    needle_count: usize,
    controls: bool,
}

/// The bytes from 0x80 up that are in a set: none, all, a single one, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum High {
    None,
    All,
    Only(u8),
    Some,
}

impl Set {
    /// Creates a set of the given bytes.
    pub(crate) const fn of(bytes: &[u8]) -> Set {
        let mut set = Set {
            table: [false; 256],
            rows: [0; 16],
            high_rows: [0; 16],
            high: High::None,
            needles: [0; 8],
            needle_count: 0,
            controls: false,
        };
        let mut i = 0;
        while i < bytes.len() {
            set = set.and(bytes[i]);
            i += 1;
        }
        set
    }

    /// Adds a byte.
    pub(crate) const fn and(mut self, byte: u8) -> Set {
        self.table[byte as usize] = true;
        if byte < 0x80 {
            self.rows[(byte & 15) as usize] |= 1 << (byte >> 4);
        } else {
            assert!(
                matches!(self.high, High::None),
                "one byte from 0x80 on, or all of them"
            );
            self.high = High::Only(byte);
            self.high_rows[(byte & 15) as usize] |= 1 << (byte >> 4 & 7);
        }
        if self.needle_count < self.needles.len() {
            self.needles[self.needle_count] = byte;
        }
        self.needle_count = self.needle_count.saturating_add(1);
        self
    }

    /// Adds the bytes below 0x20 except TAB and LF.
    pub(crate) const fn and_controls(mut self) -> Set {
        let mut byte = 0;
        while byte < 0x20 {
            if byte != b'\t' && byte != b'\n' {
                self.table[byte as usize] = true;
                self.rows[(byte & 15) as usize] |= 1 << (byte >> 4);
            }
            byte += 1;
        }
        self.controls = true;
        self
    }

    /// Adds all bytes from 0x80 up.
    pub(crate) const fn and_high(mut self) -> Set {
        assert!(
            matches!(self.high, High::None),
            "one byte from 0x80 on, or all of them"
        );
        self.high = High::All;
        self.high_rows = [0xFF; 16];
        let mut byte = 0x80;
        while byte < 0x100 {
            self.table[byte] = true;
            byte += 1;
        }
        self
    }

    /// Adds the given bytes, which must be 0x80 or more.
    pub(crate) const fn and_some_high(mut self, bytes: &[u8]) -> Set {
        assert!(
            matches!(self.high, High::None),
            "one byte from 0x80 on, some, or all of them"
        );
        self.high = High::Some;
        let mut i = 0;
        while i < bytes.len() {
            assert!(bytes[i] >= 0x80, "a byte from 0x80 on");
            self.table[bytes[i] as usize] = true;
            self.high_rows[(bytes[i] & 15) as usize] |= 1 << (bytes[i] >> 4 & 7);
            i += 1;
        }
        self.needle_count = usize::MAX;
        self
    }

    /// Returns the set of all other bytes.
    pub(crate) const fn complement(mut self) -> Set {
        let mut i = 0;
        while i < 256 {
            self.table[i] = !self.table[i];
            i += 1;
        }
        let mut i = 0;
        while i < 16 {
            self.rows[i] = !self.rows[i];
            self.high_rows[i] = !self.high_rows[i];
            i += 1;
        }
        self.high = match self.high {
            High::None => High::All,
            High::All => High::None,
            High::Only(_) | High::Some => {
                panic!("a complement takes all or none of the bytes from 0x80 on")
            }
        };
        self.needle_count = usize::MAX;
        self
    }

    /// Returns whether `byte` is in the set.
    #[inline(always)]
    pub(crate) const fn contains(&self, byte: u8) -> bool {
        self.table[byte as usize]
    }

    /// Returns the bytes to compare with and whether control characters are in the set, or `None` if there are so
    /// many bytes that a table lookup is faster.
    pub(super) fn needles(&self) -> Option<(&[u8], bool)> {
        self.needles
            .get(..self.needle_count)
            .map(|needles| (needles, self.controls))
    }
}
