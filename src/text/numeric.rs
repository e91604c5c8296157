//! Numeric character references: an accumulator that can stop after any digit, and what HTML
//! makes of the number. Must not know how a reference begins or ends.

/// The number of a reference whose digits are being read. Past the last code point it saturates,
/// so that any count of digits is harmless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Number {
    /// At most [`OUT_OF_RANGE`].
    value: u32,
    digits: bool,
}

/// What every number beyond the last code point is taken for.
const OUT_OF_RANGE: u32 = char::MAX as u32 + 1;

impl Number {
    /// Takes a decimal digit. `false`: the byte is none, and nothing changed.
    pub(crate) const fn push_decimal(&mut self, byte: u8) -> bool {
        match byte {
            b'0'..=b'9' => self.push(10, byte - b'0'),
            _ => return false,
        }
        true
    }

    /// Takes a hexadecimal digit of either case. `false`: the byte is none, and nothing changed.
    pub(crate) const fn push_hex(&mut self, byte: u8) -> bool {
        match byte {
            b'0'..=b'9' => self.push(16, byte - b'0'),
            b'a'..=b'f' => self.push(16, byte - b'a' + 10),
            b'A'..=b'F' => self.push(16, byte - b'A' + 10),
            _ => return false,
        }
        true
    }

    /// Whether any digit has been taken.
    pub(crate) const fn digits(self) -> bool {
        self.digits
    }

    /// The number; 0x110000 for all that is larger.
    pub(crate) const fn value(self) -> u32 {
        self.value
    }

    /// The character of that number, if there is one: not beyond the last, not a surrogate.
    pub(crate) const fn character(self) -> Option<char> {
        char::from_u32(self.value)
    }

    const fn push(&mut self, radix: u32, digit: u8) {
        let value = self.value * radix + digit as u32;
        self.value = if value < OUT_OF_RANGE {
            value
        } else {
            OUT_OF_RANGE
        };
        self.digits = true;
    }
}
