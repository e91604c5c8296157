//! The names of tags among the tokens of a document. It knows nothing of what parses it.

/// The name of a start tag (`<name`) or an end tag (`</name`); nothing for other tokens.
pub fn start_name(token: &str) -> Option<&str> {
    let rest = token.strip_prefix('<')?;
    rest.starts_with(|c: char| c.is_ascii_alphabetic())
        .then(|| word(rest))
}

/// The name of an end tag.
pub fn end_name(token: &str) -> Option<&str> {
    token.strip_prefix("</").map(word)
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| c.is_ascii_whitespace() || "/>".contains(c));
    &text[..end.unwrap_or(text.len())]
}
