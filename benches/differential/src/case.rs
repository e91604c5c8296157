//! A document to compare, as a list of tokens. It knows nothing of what parses it.

use std::fmt;

/// A document, or a fragment in a context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Tags, text, comments, …, each as it is written.
    pub tokens: Vec<String>,
    /// The element that a fragment is parsed in: `div`, `svg path`, `math mi`.
    pub context: Option<&'static str>,
    /// Whether scripting is on.
    pub scripting: bool,
}

impl Case {
    /// The input.
    pub fn text(&self) -> String {
        self.tokens.concat()
    }
}

impl fmt::Display for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.text())?;
        if let Some(context) = self.context {
            write!(formatter, " in {context}")?;
        }
        match self.scripting {
            true => formatter.write_str(", scripting"),
            false => Ok(()),
        }
    }
}

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
