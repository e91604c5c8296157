//! What stands side by side once something between was left out, or put there: whether the one would go on with
//! the other. It must not know what was changed.

/// No more is looked at of what stands before: no name of a reference in HTML is as long.
pub(super) const LOOKED: usize = 64;

/// What the end of data could still become, with what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) enum Tail {
    /// Nothing but what it is.
    Closed,
    /// One end of a line, with a line feed.
    Return,
    /// The start tag of an element behind which HTML drops a line feed.
    Dropping,
    /// The end of a section.
    Bracket,
    /// A reference.
    Reference,
}

/// Whether a byte of a name, or of what is no ASCII, stands in a reference.
fn is_in_reference(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'#' | b'-' | b'.' | b':' | b'_')
}

impl Tail {
    /// Of what was put out last, backwards; what is no ASCII as any byte beyond it.
    pub(super) fn of(before: impl Iterator<Item = u8>) -> Tail {
        for (count, byte) in before.enumerate() {
            match byte {
                b'\r' if count == 0 => return Tail::Return,
                b']' if count == 0 => return Tail::Bracket,
                b'&' => return Tail::Reference,
                // A longer one may be a number.
                _ if is_in_reference(byte) && count >= LOOKED => return Tail::Reference,
                _ if is_in_reference(byte) => {}
                _ => break,
            }
        }
        Tail::Closed
    }

    /// Of what was put.
    pub(super) fn of_put(text: &str) -> Tail {
        match text.ends_with(']') {
            true => Tail::Bracket,
            false => Tail::Closed,
        }
    }

    /// Whether it goes on with this character.
    pub(super) fn goes_on_with(self, next: char) -> bool {
        match self {
            // A byte that is no character may be the end of one.
            _ if next == char::REPLACEMENT_CHARACTER => true,
            Tail::Closed | Tail::Dropping => false,
            Tail::Return => next == '\n',
            Tail::Bracket => matches!(next, ']' | '>'),
            Tail::Reference => next == ';' || !next.is_ascii() || is_in_reference(next as u8),
        }
    }
}
