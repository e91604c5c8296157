//! What an error is about: said behind its sentence, where it helps a person.

use super::Related;
use alloc::string::String;
use core::fmt;

/// What an error is about.
#[derive(Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(crate) struct About {
    /// What stands at its place.
    pub(crate) written: String,
    /// The name of the element whose end tag is missing.
    pub(crate) open: String,
    /// What it refers to.
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    pub(crate) related: Option<Related>,
    /// The limit that was reached.
    pub(crate) limit: Option<usize>,
}

impl About {
    /// So much of what is written is told at most, in bytes: more is not read at a glance.
    pub(crate) const SHOWN: u32 = 60;

    /// Whether something of the input can be told so that it stands in a line and is what it looks like:
    /// nothing in it commands a terminal, is not seen, or turns the order of reading.
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
        // What comes first follows a colon, the rest commas.
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

#[cfg(feature = "checkpoints")]
crate::saved::plain!(About);
