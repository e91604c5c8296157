//! What is done with the tokens: written down to be compared, or counted for the clock. It knows
//! nothing of the engines.

use std::fmt;

/// Takes what an engine reads.
pub trait Reading {
    /// A start tag, its attributes in any order.
    fn start<'a>(
        &mut self,
        name: &str,
        attributes: impl Iterator<Item = (&'a str, &'a str)>,
        self_closing: bool,
    );
    /// An end tag.
    fn end(&mut self, name: &str);
    /// Text, or some of it.
    fn text(&mut self, text: &str);
    /// A comment.
    fn comment(&mut self, text: &str);
    /// A DOCTYPE's name.
    fn doctype(&mut self, name: &str);
}

/// Every token in words, text joined.
#[derive(Debug, Default)]
pub struct Log {
    tokens: Vec<String>,
    text: String,
}

impl Log {
    /// All of it.
    pub fn finish(mut self) -> Vec<String> {
        self.flush();
        self.tokens
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.tokens.push(format!("text {text:?}"));
        }
    }

    fn push(&mut self, token: String) {
        self.flush();
        self.tokens.push(token);
    }
}

impl Reading for Log {
    fn start<'a>(
        &mut self,
        name: &str,
        attributes: impl Iterator<Item = (&'a str, &'a str)>,
        self_closing: bool,
    ) {
        let mut attributes: Vec<_> = attributes.collect();
        attributes.sort();
        self.push(format!("start {name} {attributes:?} {self_closing}"));
    }

    fn end(&mut self, name: &str) {
        self.push(format!("end {name}"));
    }

    fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn comment(&mut self, text: &str) {
        self.push(format!("comment {text:?}"));
    }

    fn doctype(&mut self, name: &str) {
        self.push(format!("doctype {name}"));
    }
}

/// Lengths of all strings, so that all are looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    tokens: usize,
    bytes: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} strings of {} bytes", self.tokens, self.bytes)
    }
}

impl Counts {
    fn add(&mut self, text: &str) {
        self.tokens += 1;
        let last = text.as_bytes().last().copied().unwrap_or_default();
        self.bytes += text.len() + usize::from(last);
    }
}

impl Reading for Counts {
    fn start<'a>(
        &mut self,
        name: &str,
        attributes: impl Iterator<Item = (&'a str, &'a str)>,
        self_closing: bool,
    ) {
        self.add(name);
        self.bytes += usize::from(self_closing);
        for (name, value) in attributes {
            self.add(name);
            self.add(value);
        }
    }

    fn end(&mut self, name: &str) {
        self.add(name);
    }

    fn text(&mut self, text: &str) {
        self.add(text);
    }

    fn comment(&mut self, text: &str) {
        self.add(text);
    }

    fn doctype(&mut self, name: &str) {
        self.add(name);
    }
}
