//! A set of bytes in the forms that the ways of searching want. It must not know what the bytes mean.

/// A set of bytes, made at compile time from the production that it stands for.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// The truth: whether a byte is in the set.
    table: [bool; 256],
    /// For each low nibble of an ASCII byte, a bit for each high nibble.
    pub(super) rows: [u8; 16],
    /// The same of bytes from 0x80 on.
    pub(super) high_rows: [u8; 16],
    /// What is said of those in short.
    pub(super) high: High,
    /// The members that a search by words compares with, if they are few.
    needles: [u8; 8],
    needle_count: usize,
    controls: bool,
}

/// Which bytes from 0x80 on are in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum High {
    None,
    All,
    Only(u8),
    Some,
}

impl Set {
    /// The set of these bytes.
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

    /// With `byte` too.
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

    /// With the bytes below 0x20 too, but for TAB and LF.
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

    /// With the bytes from 0x80 on too.
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

    /// With these bytes from 0x80 on too.
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

    /// All other bytes.
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

    /// Whether `byte` is in the set.
    #[inline(always)]
    pub(crate) const fn contains(&self, byte: u8) -> bool {
        self.table[byte as usize]
    }

    /// The members to compare with and whether to look for control characters beside them, or `None`
    /// where they are too many for that to pay.
    pub(super) fn needles(&self) -> Option<(&[u8], bool)> {
        self.needles
            .get(..self.needle_count)
            .map(|needles| (needles, self.controls))
    }
}
