//! A scan over the text of a selector that finds the byte offsets of its pseudo-classes, pseudo-elements, sibling
//! combinators, and of the keyword `of`.
//!
//! The parser in the crate `selectors` does not report offsets. Errors on unsupported parts need them, so this module
//! scans the text before that parser runs. The scan also limits the depth of nesting, as that parser is recursive.

use alloc::string::String;
use alloc::vec::Vec;

/// Maximum number of parentheses, brackets and braces that are open at the same time. The parser of selectors recurses
/// at each level.
pub(super) const MAX_NESTING_DEPTH: usize = 32;

/// A part of a selector that needs an offset in errors, or that is not supported everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SelectorPart {
    /// Byte offset in the text of the selector of the first character of the part.
    pub(super) offset: usize,
    pub(super) kind: PartKind,
}

/// The kind of a part of a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    /// A pseudo-class. `name` is in lower case and without the colon; `is_function` is true if an opening parenthesis
    /// follows; `has_type_selector` is true if a type selector precedes the pseudo-class in the same compound selector
    /// (`li:nth-of-type(2)`).
    PseudoClass {
        name: String,
        is_function: bool,
        has_type_selector: bool,
    },
    /// A pseudo-element, with its name in lower case and without colons.
    PseudoElement(String),
    /// A sibling combinator: the character `+` or `~`.
    Sibling(char),
    /// The keyword `of` in the arguments of `:nth-child` or `:nth-last-child`.
    Of,
    /// An opening parenthesis, bracket or brace that exceeds [`MAX_NESTING_DEPTH`].
    TooDeep,
}

/// A block in parentheses, brackets or braces that the scan is inside of. `closing_byte` is the byte that ends the
/// block. The other fields are the values that the fields of [`Scan`] had before the block, and get again after the
/// block.
#[derive(Clone, Copy)]
struct Block {
    closing_byte: u8,
    /// True if the compound selector before the block contains a type selector.
    has_type_selector: bool,
    /// True if the block is inside an An+B expression.
    is_in_an_plus_b: bool,
}

/// Returns the parts of a selector that this module searches for, in the order of their offsets.
pub(super) fn find_parts(text: &str) -> Vec<SelectorPart> {
    let mut scan = Scan {
        text,
        at: 0,
        open: Vec::new(),
        has_type_selector: false,
        is_in_an_plus_b: false,
        found: Vec::new(),
    };
    while scan.step() {}
    scan.found
}

/// The state of the scan over the text of a selector.
struct Scan<'t> {
    text: &'t str,
    /// Byte offset in `text` of the next token.
    at: usize,
    /// The blocks that the scan is inside of, the innermost last.
    open: Vec<Block>,
    /// True if the current compound selector contains a type selector.
    has_type_selector: bool,
    /// True inside an An+B expression, where `+` is not a combinator.
    is_in_an_plus_b: bool,
    /// The parts found so far.
    found: Vec<SelectorPart>,
}

impl Scan<'_> {
    /// Returns the byte that is `ahead` bytes after the next one, or `None` at the end of the text.
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// Consumes one token, and stores it if it is one of the parts. Returns false at the end of the text, and if
    /// nesting is too deep.
    fn step(&mut self) -> bool {
        let Some(byte) = self.byte(0) else {
            return false;
        };
        match byte {
            b'/' if self.byte(1) == Some(b'*') => self.comment(),
            b'"' | b'\'' => self.string(byte),
            b'(' | b'[' | b'{' => return self.open_block(byte, false),
            b')' | b']' | b'}' => {
                self.at += 1;
                if self
                    .open
                    .last()
                    .is_some_and(|block| block.closing_byte == byte)
                    && let Some(block) = self.open.pop()
                {
                    (self.has_type_selector, self.is_in_an_plus_b) =
                        (block.has_type_selector, block.is_in_an_plus_b);
                }
            }
            _ if self
                .open
                .last()
                .is_some_and(|block| block.closing_byte != b')') =>
            {
                self.consume_character()
            }
            b':' => return self.pseudo(),
            b'+' | b'~' => {
                if !self.is_in_an_plus_b {
                    self.push_part(self.at, PartKind::Sibling(byte.into()));
                }
                self.has_type_selector = false;
                self.at += 1;
            }
            b' ' | b'\t' | b'\n' | b'\r' | 0xC | b'>' | b',' | b'*' => {
                self.has_type_selector = false;
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
                    true => self.consume_character(),
                    false if self.is_in_an_plus_b && name.eq_ignore_ascii_case("of") => {
                        self.is_in_an_plus_b = false;
                        self.push_part(begin, PartKind::Of);
                    }
                    false => self.has_type_selector = true,
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

    /// Appends a part to the found parts.
    fn push_part(&mut self, offset: usize, kind: PartKind) {
        self.found.push(SelectorPart { offset, kind });
    }

    /// Consumes the opening byte of a block in parentheses, brackets or braces. `is_in_an_plus_b` is true if An+B
    /// follows. Returns false if nesting is too deep.
    fn open_block(&mut self, byte: u8, is_in_an_plus_b: bool) -> bool {
        let closing_byte = match byte {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        if self.open.len() == MAX_NESTING_DEPTH {
            self.push_part(self.at, PartKind::TooDeep);
            return false;
        }
        self.at += 1;
        self.open.push(Block {
            closing_byte,
            has_type_selector: self.has_type_selector,
            is_in_an_plus_b: self.is_in_an_plus_b,
        });
        (self.has_type_selector, self.is_in_an_plus_b) = (false, is_in_an_plus_b);
        true
    }

    /// Consumes one character, or a backslash with the character that it escapes.
    fn consume_character(&mut self) {
        if self.byte(0) == Some(b'\\') {
            self.at += 1;
        }
        let character = self.text[self.at..].chars().next();
        self.at += character.map_or(0, char::len_utf8);
    }

    /// Consumes a string in quotes.
    fn string(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.byte(0) {
            match byte {
                b'\n' => return,
                _ if byte == quote => {
                    self.at += 1;
                    return;
                }
                _ => self.consume_character(),
            }
        }
    }

    /// Consumes a name, which may be empty, and returns it in lower case.
    fn name(&mut self) -> String {
        let begin = self.at;
        while let Some(byte) = self.byte(0) {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'\\' | 0x80.. => {
                    self.consume_character();
                }
                _ => break,
            }
        }
        self.text[begin..self.at].to_ascii_lowercase()
    }

    /// Consumes the name of a pseudo-class or pseudo-element with its opening parenthesis, if there is one. Returns
    /// false if nesting is too deep.
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
        let is_in_an_plus_b = name.starts_with("nth-");
        let old = ["before", "after", "first-line", "first-letter"];
        let kind = match is_element || old.contains(&&*name) {
            true => PartKind::PseudoElement(name),
            false => PartKind::PseudoClass {
                name,
                is_function,
                has_type_selector: self.has_type_selector,
            },
        };
        self.push_part(begin, kind);
        match is_function {
            true => self.open_block(b'(', is_in_an_plus_b),
            false => true,
        }
    }
}
