//! Where things stand in a selector: the pseudo-classes, the combinators and what they belong to, which the
//! reader of selectors does not say. It must not know what is refused.

use alloc::string::String;
use alloc::vec::Vec;

/// So deep selectors may be nested: reading them recurses.
pub(super) const DEPTH: usize = 32;

/// Something in a selector, and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) offset: usize,
    pub(super) what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// The name is in lower case; `typed` says that its compound names a type before it.
    PseudoClass {
        name: String,
        is_function: bool,
        typed: bool,
    },
    PseudoElement(String),
    /// `+` or `~`.
    Sibling(char),
    /// The `of` of `:nth-child`.
    Of,
    /// What is deeper than may be.
    TooDeep,
}

/// What is open.
#[derive(Clone, Copy)]
struct Block {
    closes: u8,
    /// The compound outside has named a type.
    typed: bool,
    /// An+B is read.
    counts: bool,
}

/// All that is of interest, in its order.
pub(super) fn places(text: &str) -> Vec<Place> {
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

struct Scan<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Block>,
    typed: bool,
    counts: bool,
    found: Vec<Place>,
}

impl Scan<'_> {
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// Passes one token; gives whether there was one.
    fn step(&mut self) -> bool {
        let Some(byte) = self.byte(0) else {
            return false;
        };
        match byte {
            b'/' if self.byte(1) == Some(b'*') => {
                let rest = &self.text[self.at + 2..];
                self.at = rest
                    .find("*/")
                    .map_or(self.text.len(), |end| self.at + 2 + end + 2);
            }
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

    fn note(&mut self, offset: usize, what: What) {
        self.found.push(Place { offset, what });
    }

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

    /// Passes one character, and what a backslash escapes.
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

    /// Passes a name, and gives it.
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
