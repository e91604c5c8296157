//! The names of tags among the tokens of a document.

/// Returns the name of a start tag (`<name`) or an end tag (`</name`). `None` for other tokens.
pub fn start_name(token: &str) -> Option<&str> {
    let rest = token.strip_prefix('<')?;
    rest.starts_with(|c: char| c.is_ascii_alphabetic())
        .then(|| word(rest))
}

/// Returns the name of an end tag. `None` for other tokens.
pub fn end_name(token: &str) -> Option<&str> {
    token.strip_prefix("</").map(word)
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| c.is_ascii_whitespace() || "/>".contains(c));
    &text[..end.unwrap_or(text.len())]
}
