//! Tokens in a few words, for the record of the rows that tree construction has applied.

use super::rules::{Content, ENDS, STARTS, Token};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

/// Describes a token in a few words.
pub(super) fn describe(token: &Token<'_>) -> String {
    let name = token.name.text;
    match token.column {
        ENDS.. => format!("</{name}>"),
        STARTS.. => format!("<{name}>"),
        _ => match token.content {
            Content::Doctype(doctype) => format!("<!DOCTYPE {}>", doctype.name()),
            Content::Instruction { target, .. } => format!("<?{target}>"),
            Content::Text(text) => {
                let kinds = ["U+0000", "whitespace", "characters", "comment"];
                let beginning: String = text.chars().take(MAX_SHOWN_CHARACTERS).collect();
                let dots = if beginning.len() < text.len() {
                    "…"
                } else {
                    ""
                };
                let kind = kinds.get(token.column).unwrap_or(&"token");
                format!("{kind} {beginning:?}{dots}")
            }
            _ => "end of file".to_owned(),
        },
    }
}

/// Maximum number of characters of a text that the description of a token contains.
const MAX_SHOWN_CHARACTERS: usize = 20;
