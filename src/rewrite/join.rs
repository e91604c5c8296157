//! Checks for tokens that become adjacent in the output because of an edit: would the second token be parsed as a part
//! of the first? For example, text that ends with `&am` and text that begins with `p;` must not form a reference.

/// Maximum number of characters before an edit that are examined for an unfinished token. The names of all references
/// in HTML are shorter.
pub(super) const LOOKED: usize = 64;

/// The end of the output so far, classified by the characters that would become a part of its last token if they were
/// written next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// The last token is complete: no character can become a part of it.
    Closed,
    /// The output ends with a carriage return. A line feed after it would be a part of the same newline.
    Return,
    /// The output ends with a start tag of HTML after which the parser ignores a newline.
    Dropping,
    /// The output ends with `]`, which could become a part of `]]>`.
    Bracket,
    /// The output ends with a reference without its semicolon, such as `&am`. Name characters, digits or a semicolon
    /// would become a part of the reference.
    Reference,
}

/// Returns true if a byte can be a part of a reference. Non-ASCII bytes count as name characters.
fn is_in_reference(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'#' | b'-' | b'.' | b':' | b'_')
}

impl Tail {
    /// Classifies the end of the output. The iterator yields the bytes of the output backwards; it yields a byte of
    /// 0x80 or more for each non-ASCII character.
    pub(super) fn of(before: impl Iterator<Item = u8>) -> Tail {
        for (count, byte) in before.enumerate() {
            match byte {
                b'\r' if count == 0 => return Tail::Return,
                b']' if count == 0 => return Tail::Bracket,
                b'&' => return Tail::Reference,
                // A reference of this length may still be a numeric one with leading zeros.
                _ if is_in_reference(byte) && count >= LOOKED => return Tail::Reference,
                _ if is_in_reference(byte) => {}
                _ => break,
            }
        }
        Tail::Closed
    }

    /// Classifies the end of inserted text. Each `&` in the text is escaped, so the text does not end with an
    /// unfinished reference.
    pub(super) fn of_put(text: &str) -> Tail {
        match text.ends_with(']') {
            true => Tail::Bracket,
            false => Tail::Closed,
        }
    }

    /// Returns true if this character would become a part of the last token of the output, if it was written next.
    pub(super) fn goes_on_with(self, next: char) -> bool {
        match self {
            // An ill-formed byte in the input, which was decoded to U+FFFD, may complete a character together with the
            // last bytes of the output.
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
