//! Details of an error, which its message shows after the general sentence.

use super::related::Related;
use alloc::string::String;
use core::fmt;

/// Details of an error. Fields without data are empty or `None`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    /// The input at the position of the error, if it is short.
    pub(crate) written: String,
    /// Name of the element whose end tag is missing.
    pub(crate) open: String,
    /// A second position that explains the error.
    pub(crate) related: Option<Related>,
    /// Value of the limit that was exceeded.
    pub(crate) limit: Option<usize>,
}

impl About {
    /// Maximum length in bytes of `written`. Longer source text would make the message hard to read.
    pub(crate) const MAX_WRITTEN_BYTES: u32 = 60;

    /// Returns true if the text is not empty and is safe to display within one line: it contains no control characters,
    /// invisible characters or characters that change the direction of writing.
    fn is_plain(text: &str) -> bool {
        let is_odd = |character: char| {
            character.is_control()
                || matches!(
                    character,
                    '\u{AD}'
                        | '\u{61C}'
                        | '\u{200B}'..='\u{200F}'
                        | '\u{2028}'..='\u{202E}'
                        | '\u{2060}'..='\u{206F}'
                        | '\u{FEFF}'
                        | '\u{FFF9}'..='\u{FFFB}'
                        | '\u{E0000}'..='\u{E0FFF}'
                )
        };
        !text.is_empty() && !text.chars().any(is_odd)
    }
}

impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = Some(&*self.written).filter(|text| About::is_plain(text));
        let open = Some(&*self.open).filter(|name| About::is_plain(name));
        // A colon separates the first detail from the sentence; commas separate the other details.
        let mut sign = ":";
        if let Some(open) = open {
            write!(f, "{sign} expected `</{open}>`")?;
            sign = ",";
        } else if let Some(written) = written {
            write!(f, "{sign} `{written}`")?;
            sign = ",";
        }
        if let Some(related) = &self.related {
            write!(f, "{sign} {related}")?;
            sign = ",";
        }
        if let (Some(_), Some(written)) = (open, written) {
            write!(f, "{sign} found `{written}`")?;
            sign = ",";
        }
        match self.limit {
            Some(limit) => write!(f, "{sign} more than {limit}"),
            None => Ok(()),
        }
    }
}

crate::checkpoint::checkpointable! {
    struct About { written, open, related, limit }
}
