//! A scan over the text of a selector that finds the byte offsets of its pseudo-classes, pseudo-elements and sibling
//! combinators.
//!
//! The parser in the crate `selectors` does not report offsets. Errors on unsupported parts need them, so this module
//! scans the text before that parser runs. The scan also limits the depth of nesting, as that parser is recursive.

use alloc::string::String;
use alloc::vec::Vec;

/// Maximum depth of nested parentheses, brackets and braces. The parser of selectors recurses at each level.
pub(super) const DEPTH: usize = 32;

/// A part of a selector, with the byte offset of its first character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SelectorPart {
    pub(super) offset: usize,
    pub(super) what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A pseudo-class. `name` is in lower case; `is_function` is true if an opening parenthesis follows; `typed` is
    /// true if a type selector precedes it in the same compound (`li:nth-of-type(2)`).
    PseudoClass {
        name: String,
        is_function: bool,
        typed: bool,
    },
    PseudoElement(String),
    /// A sibling combinator: `+` or `~`.
    Sibling(char),
    /// The keyword `of` in the arguments of `:nth-child` or `:nth-last-child`.
    Of,
    /// An opening parenthesis, bracket or brace beyond the maximum depth.
    TooDeep,
}

/// An open parenthesis, bracket or brace. `closes` is the byte that closes it. The other fields are the values of the
/// fields of [`Scan`] to restore after that.
#[derive(Clone, Copy)]
struct Block {
    closes: u8,
    /// True if the compound before the opening byte contains a type selector.
    typed: bool,
    /// True if the opening byte is inside an An+B expression.
    counts: bool,
}

/// Returns the relevant parts of a selector, in order of their offsets.
pub(super) fn places(text: &str) -> Vec<SelectorPart> {
    let mut scan = Scan {
        text,
        at: 0,
        open: Vec::new(),
        typed: false,
        counts: false,
        found: Vec::new(),
    };
    while scan.step() {}
    scan.found
}

/// The state of the scan. `at` is the byte offset of the next token. `typed` is true after a type selector in the
/// current compound; `counts` is true within an An+B expression, where `+` is not a combinator.
struct Scan<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Block>,
    typed: bool,
    counts: bool,
    found: Vec<SelectorPart>,
}

impl Scan<'_> {
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// Consumes one token. Returns false at the end of the text, and where nesting is too deep.
    fn step(&mut self) -> bool {
        let Some(byte) = self.byte(0) else {
            return false;
        };
        match byte {
            b'/' if self.byte(1) == Some(b'*') => self.comment(),
            b'"' | b'\'' => self.string(byte),
            b'(' | b'[' | b'{' => return self.enter(byte, false),
            b')' | b']' | b'}' => {
                self.at += 1;
                if self.open.last().is_some_and(|block| block.closes == byte)
                    && let Some(block) = self.open.pop()
                {
                    (self.typed, self.counts) = (block.typed, block.counts);
                }
            }
            _ if self.open.last().is_some_and(|block| block.closes != b')') => self.pass(),
            b':' => return self.pseudo(),
            b'+' | b'~' => {
                if !self.counts {
                    self.note(self.at, What::Sibling(byte.into()));
                }
                self.typed = false;
                self.at += 1;
            }
            b' ' | b'\t' | b'\n' | b'\r' | 0xC | b'>' | b',' | b'*' => {
                self.typed = false;
                self.at += 1;
            }
            b'.' | b'#' => {
                self.at += 1;
                self.name();
            }
            _ => {
                let begin = self.at;
                let name = self.name();
                match name.is_empty() {
                    true => self.pass(),
                    false if self.counts && name.eq_ignore_ascii_case("of") => {
                        self.counts = false;
                        self.note(begin, What::Of);
                    }
                    false => self.typed = true,
                }
            }
        }
        true
    }

    /// Consumes a comment.
    fn comment(&mut self) {
        let rest = &self.text[self.at + 2..];
        let end = rest.find("*/").map(|end| self.at + 2 + end + 2);
        self.at = end.unwrap_or(self.text.len());
    }

    fn note(&mut self, offset: usize, what: What) {
        self.found.push(SelectorPart { offset, what });
    }

    /// Opens a parenthesis, bracket or brace. `counts` is true if An+B follows. Returns false if nesting is too deep.
    fn enter(&mut self, byte: u8, counts: bool) -> bool {
        let closes = match byte {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        if self.open.len() == DEPTH {
            self.note(self.at, What::TooDeep);
            return false;
        }
        self.at += 1;
        self.open.push(Block {
            closes,
            typed: self.typed,
            counts: self.counts,
        });
        (self.typed, self.counts) = (false, counts);
        true
    }

    /// Consumes one character, or a backslash with the character that it escapes.
    fn pass(&mut self) {
        if self.byte(0) == Some(b'\\') {
            self.at += 1;
        }
        let character = self.text[self.at..].chars().next();
        self.at += character.map_or(0, char::len_utf8);
    }

    fn string(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.byte(0) {
            match byte {
                b'\n' => return,
                _ if byte == quote => {
                    self.at += 1;
                    return;
                }
                _ => self.pass(),
            }
        }
    }

    /// Consumes a name, which may be empty, and returns it in lower case.
    fn name(&mut self) -> String {
        let begin = self.at;
        while let Some(byte) = self.byte(0) {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'\\' | 0x80.. => {
                    self.pass();
                }
                _ => break,
            }
        }
        self.text[begin..self.at].to_ascii_lowercase()
    }

    fn pseudo(&mut self) -> bool {
        let begin = self.at;
        self.at += 1;
        let is_element = self.byte(0) == Some(b':');
        self.at += usize::from(is_element);
        let name = self.name();
        let is_function = self.byte(0) == Some(b'(');
        if name.is_empty() {
            return true;
        }
        let counts = name.starts_with("nth-");
        let old = ["before", "after", "first-line", "first-letter"];
        let what = match is_element || old.contains(&&*name) {
            true => What::PseudoElement(name),
            false => What::PseudoClass {
                name,
                is_function,
                typed: self.typed,
            },
        };
        self.note(begin, what);
        match is_function {
            true => self.enter(b'(', counts),
            false => true,
        }
    }
}
