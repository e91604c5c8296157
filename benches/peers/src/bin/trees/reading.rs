//! What is done with a tree: all of it hashed, the same way for every engine. It knows nothing of
//! the engines.

/// A tree as it is walked: every node, in document order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// How many nodes and attributes there were.
    pub count: u64,
    hash: u64,
}

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

impl Reading {
    /// Cheap, for what is timed is the building of trees: words are mixed once a string.
    fn word(&mut self, word: u64) {
        self.hash = self.hash.rotate_left(5) ^ word;
    }

    fn text(&mut self, text: &str) {
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.word(u64::from_le_bytes(last));
        self.word(text.len() as u64);
        self.hash = self.hash.wrapping_mul(MIX);
    }

    /// A node: how deep it stands, of what kind it is, its name or target, its text.
    pub fn node(&mut self, depth: usize, kind: u8, name: &str, text: &str) {
        self.count += 1;
        self.word((depth as u64) << 8 | u64::from(kind));
        self.text(name);
        self.text(text);
    }

    /// An attribute of the last element.
    pub fn attribute(&mut self, name: &str, value: &str) {
        self.count += 1;
        self.text(name);
        self.text(value);
    }
}

/// Kinds of nodes.
pub mod kind {
    /// An element of HTML.
    pub const HTML: u8 = 0;
    /// An element of SVG.
    pub const SVG: u8 = 1;
    /// An element of MathML.
    pub const MATHML: u8 = 2;
    /// Text.
    pub const TEXT: u8 = 3;
    /// A comment.
    pub const COMMENT: u8 = 4;
    /// A doctype.
    pub const DOCTYPE: u8 = 5;
    /// The contents of a template.
    pub const CONTENT: u8 = 6;
    /// A processing instruction.
    pub const INSTRUCTION: u8 = 7;

    /// The kind of an element in a namespace.
    pub fn of_element(namespace: &str) -> u8 {
        match namespace {
            "http://www.w3.org/2000/svg" => SVG,
            "http://www.w3.org/1998/Math/MathML" => MATHML,
            _ => HTML,
        }
    }
}
