//! Tokens that become adjacent in the output because of an edit: decides whether the second would be parsed as a part
//! of the first. For example, text that ends with `&am` and text that begins with `p;` must not form a reference.

/// Number of characters before an edit that are examined. The names of all references in HTML are shorter.
pub(super) const LOOKED: usize = 64;

/// The possible continuation of the last output, if certain characters follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// No character continues the last output.
    Closed,
    /// A carriage return, which forms one newline with a line feed.
    Return,
    /// A start tag after which HTML ignores a newline.
    Dropping,
    /// A `]`, which could begin the end `]]>` of a CDATA section.
    Bracket,
    /// An unfinished reference.
    Reference,
}

/// Returns true if a byte can be a part of a reference. Non-ASCII bytes count as name characters.
fn is_in_reference(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'#' | b'-' | b'.' | b':' | b'_')
}

impl Tail {
    /// Returns the tail of the last output. The iterator yields bytes backwards; a non-ASCII character is any byte of
    /// 0x80 or more.
    pub(super) fn of(before: impl Iterator<Item = u8>) -> Tail {
        for (count, byte) in before.enumerate() {
            match byte {
                b'\r' if count == 0 => return Tail::Return,
                b']' if count == 0 => return Tail::Bracket,
                b'&' => return Tail::Reference,
                // A longer reference may be numeric, with leading zeros.
                _ if is_in_reference(byte) && count >= LOOKED => return Tail::Reference,
                _ if is_in_reference(byte) => {}
                _ => break,
            }
        }
        Tail::Closed
    }

    /// Returns the tail of inserted text. Its last `&` is escaped, so it cannot end in an unfinished reference.
    pub(super) fn of_put(text: &str) -> Tail {
        match text.ends_with(']') {
            true => Tail::Bracket,
            false => Tail::Closed,
        }
    }

    /// Returns true if this character would continue the last output.
    pub(super) fn goes_on_with(self, next: char) -> bool {
        match self {
            // A byte that is not a character may complete one.
            _ if next == char::REPLACEMENT_CHARACTER => true,
            Tail::Closed | Tail::Dropping => false,
            Tail::Return => next == '\n',
            Tail::Bracket => matches!(next, ']' | '>'),
            Tail::Reference => next == ';' || !next.is_ascii() || is_in_reference(next as u8),
        }
    }
}

crate::checkpoint::checkpointable! {
    enum Tail { Closed, Return, Dropping, Bracket, Reference }
}
