//! Filtering of the declarations in a `style` attribute: those of allowed properties with harmless values are written
//! anew.
//!
//! The tokens, the blocks and the ends of declarations are those of CSS Syntax, <https://www.w3.org/TR/css-syntax-3/>. A
//! declaration is kept only if each of its tokens is of a kind that is known to be harmless: names without escapes,
//! numbers, strings without control characters, separators, and functions that compute a value. The output therefore has
//! a single way to be parsed, and filtering the output again does not change it.

use super::names::Names;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The functions that a value may contain: they compute a color, a length, a shape or a transformation, and load nothing.
const FUNCTIONS: &str = " abs acos asin atan atan2 blur brightness calc circle clamp color color-mix conic-gradient \
    contrast cos counter counters cubic-bezier drop-shadow ellipse exp fit-content grayscale hsl hsla hue-rotate hwb \
    hypot inset invert lab lch light-dark linear linear-gradient log matrix matrix3d max min minmax mod oklab oklch \
    opacity perspective polygon pow radial-gradient rect rem repeat repeating-conic-gradient \
    repeating-linear-gradient repeating-radial-gradient rgb rgba rotate rotate3d rotatex rotatey rotatez round \
    saturate scale scale3d scalex scaley scalez sepia sign sin skew skewx skewy sqrt steps tan translate translate3d \
    translatex translatey translatez xywh ";

/// Texts that no value may contain, in lowercase. They can be in strings, where they are harmless to a program that reads
/// strings as CSS says.
const REFUSED: [&str; 6] = [
    "url(",
    "image-set(",
    "expression",
    "javascript:",
    "vbscript:",
    "@import",
];

/// Returns the declarations of a `style` attribute whose properties are in `allowed` and whose values are harmless, in a
/// form that depends only on their tokens. The names in `allowed` are in lowercase, except for custom properties.
pub(super) fn filter(style: &str, allowed: &Names) -> String {
    let mut tokens = Tokens { rest: style };
    let mut clean = String::new();
    while !tokens.rest.is_empty() {
        let property = tokens.property();
        let value = tokens.value();
        let Some((mut property, value)) = property.map(ToString::to_string).zip(value) else {
            continue;
        };
        if !property.starts_with("--") {
            property.make_ascii_lowercase();
        }
        let lower = value.to_ascii_lowercase();
        if allowed.contains(&*property) && !REFUSED.iter().any(|refused| lower.contains(refused)) {
            if !clean.is_empty() {
                clean.push_str("; ");
            }
            clean.push_str(&property);
            clean.push_str(": ");
            clean.push_str(&value);
        }
    }
    clean
}

/// A token of CSS. Names with an escape are empty, because no declaration with such a name is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'s> {
    /// White space and comments.
    Space,
    /// An identifier.
    Ident(&'s str),
    /// The name of a function, and its opening parenthesis.
    Function(&'s str),
    /// A number, a percentage, a dimension or a hash, as written.
    Verbatim(&'s str),
    /// A string, with its quotes and escapes as written. The last quote is missing at the end of the input.
    Text(&'s str),
    /// `(`, `[` or `{`, or another single character.
    Character(char),
    /// A token that no kept declaration contains.
    Refused,
}

/// The rest of a `style` attribute, from which tokens are read.
#[derive(Clone, Copy, Debug)]
struct Tokens<'s> {
    rest: &'s str,
}

impl<'s> Tokens<'s> {
    /// Reads the name of a property and the colon. Returns `None` if no declaration begins here; then the next token is
    /// read again by [`value`](Tokens::value).
    fn property(&mut self) -> Option<&'s str> {
        let Some(Token::Ident(name)) = self.after_space() else {
            return None;
        };
        self.next_token();
        (self.after_space() == Some(Token::Character(':'))).then(|| {
            self.next_token();
            name
        })
    }

    /// Reads white space. Returns the token after the white space, which is not read.
    fn after_space(&mut self) -> Option<Token<'s>> {
        loop {
            let before = *self;
            match self.next_token() {
                Some(Token::Space) => {}
                token => {
                    *self = before;
                    return token;
                }
            }
        }
    }

    /// Reads to the end of a declaration: a semicolon outside parentheses, brackets and braces, or the end of the input.
    /// Returns the value that was read, or `None` if it is empty or not harmless.
    fn value(&mut self) -> Option<String> {
        let mut value = String::new();
        let mut closers: Vec<char> = Vec::new();
        let (mut is_harmless, mut is_important) = (true, false);
        while let Some(token) = self.next_token() {
            is_harmless &= !is_important || matches!(token, Token::Space | Token::Character(';'));
            match token {
                Token::Character(';') if closers.is_empty() => break,
                Token::Space => {
                    if !value.is_empty() && !value.ends_with(' ') {
                        value.push(' ');
                    }
                }
                Token::Ident(name) => {
                    is_harmless &= !name.is_empty();
                    value.push_str(name);
                }
                Token::Function(name) => {
                    is_harmless &= is_known_function(name);
                    value.push_str(name);
                    value.push('(');
                    closers.push(')');
                }
                Token::Verbatim(text) => value.push_str(text),
                Token::Text(text) => match unescaped(text) {
                    Some(text) => push_string(&mut value, &text),
                    None => is_harmless = false,
                },
                Token::Character(character) => match character {
                    '(' | '[' | '{' => {
                        is_harmless &= character != '{';
                        value.push(character);
                        closers.push(closer(character));
                    }
                    ')' | ']' | '}' if closers.last() == Some(&character) => {
                        value.push(character);
                        closers.pop();
                    }
                    ',' | '/' | '+' | '-' | '*' => value.push(character),
                    '!' if closers.is_empty() => {
                        is_important = true;
                        let word = self.after_space();
                        is_harmless &= matches!(word, Some(Token::Ident(word)) if word.eq_ignore_ascii_case("important"));
                        if is_harmless {
                            self.next_token();
                        }
                    }
                    _ => is_harmless = false,
                },
                Token::Refused => is_harmless = false,
            }
        }
        value.truncate(value.trim_end_matches(' ').len());
        if !is_harmless || value.is_empty() {
            return None;
        }
        value.extend(closers.iter().rev());
        if is_important {
            value.push_str(" !important");
        }
        Some(value)
    }

    /// Reads `length` bytes.
    fn take(&mut self, length: usize) -> &'s str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// Reads the characters of a name, which may be none. Returns the name, which is empty if it has an escape, and true
    /// if the name is `url`.
    fn name(&mut self) -> (&'s str, bool) {
        let start = self.rest;
        let mut decoded = String::new();
        let mut has_escape = false;
        loop {
            let plain = self.take(name_length(self.rest));
            // Only the first characters are needed, to compare the name with `url`.
            decoded.extend(plain.chars().take(4));
            if !is_escape(self.rest) {
                break;
            }
            has_escape = true;
            decoded.extend(self.escape());
        }
        let is_url = decoded.eq_ignore_ascii_case("url");
        match has_escape {
            true => ("", is_url),
            false => (&start[..start.len() - self.rest.len()], is_url),
        }
    }

    /// Reads an escape. Returns its character, or `None` for an escaped newline or the end of the input, which mean
    /// nothing in a string.
    fn escape(&mut self) -> Option<char> {
        self.take(1);
        let digits = self.rest.bytes().take(6).take_while(u8::is_ascii_hexdigit);
        let digits = self.take(digits.count());
        if digits.is_empty() {
            let length = match self.rest.starts_with("\r\n") {
                true => 2,
                false => self.rest.chars().next()?.len_utf8(),
            };
            let character = self.take(length).chars().next();
            return character.filter(|one| !matches!(one, '\n' | '\r' | '\x0C'));
        }
        let space = match self.rest.starts_with("\r\n") {
            true => 2,
            false => usize::from(self.rest.starts_with(is_space)),
        };
        self.take(space);
        let code = u32::from_str_radix(digits, 16).unwrap_or(0);
        let character = char::from_u32(code).filter(|character| *character != '\0');
        Some(character.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Reads an identifier, or a function with its opening parenthesis, or a URL without quotes.
    fn ident_like(&mut self) -> Token<'s> {
        let (name, is_url) = self.name();
        if !self.rest.starts_with('(') {
            return Token::Ident(name);
        }
        self.take(1);
        let argument = self.rest.trim_start_matches(is_space);
        if !is_url || argument.starts_with(['"', '\'']) {
            return Token::Function(name);
        }
        while let Some(character) = self.rest.chars().next() {
            match is_escape(self.rest) {
                true => drop(self.escape()),
                false => drop(self.take(character.len_utf8())),
            }
            if character == ')' {
                break;
            }
        }
        Token::Refused
    }

    /// Reads a string. A string that contains a newline ends before the newline, and is refused.
    fn string(&mut self, quote: char) -> Token<'s> {
        let start = self.rest;
        self.take(1);
        while let Some(character) = self.rest.chars().next() {
            match character {
                '\n' | '\r' | '\x0C' => return Token::Refused,
                '\\' => drop(self.escape()),
                _ => drop(self.take(character.len_utf8())),
            }
            if character == quote {
                break;
            }
        }
        Token::Text(&start[..start.len() - self.rest.len()])
    }

    /// Reads a number and its unit.
    fn number(&mut self) -> Token<'s> {
        let start = self.rest;
        self.take(number_length(start));
        if self.rest.starts_with('%') {
            self.take(1);
        } else if starts_ident(self.rest) && self.name().0.is_empty() {
            return Token::Refused;
        }
        Token::Verbatim(&start[..start.len() - self.rest.len()])
    }
}

impl<'s> Tokens<'s> {
    /// Reads the next token.
    fn next_token(&mut self) -> Option<Token<'s>> {
        let text = self.rest;
        let character = text.chars().next()?;
        Some(match character {
            _ if is_space(character) => {
                self.rest = text.trim_start_matches(is_space);
                Token::Space
            }
            '/' if text.starts_with("/*") => {
                let end = text[2..].find("*/");
                self.take(end.map_or(text.len(), |end| end + 4));
                Token::Space
            }
            '"' | '\'' => self.string(character),
            '#' | '@' => {
                self.take(1);
                let is_hash =
                    character == '#' && (name_length(self.rest) > 0 || is_escape(self.rest));
                match is_hash && !self.name().0.is_empty() {
                    true => Token::Verbatim(&text[..text.len() - self.rest.len()]),
                    false => Token::Refused,
                }
            }
            _ if number_length(text) > 0 => self.number(),
            _ if starts_ident(text) => self.ident_like(),
            _ => {
                self.take(character.len_utf8());
                Token::Character(character)
            }
        })
    }
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0C')
}

/// Returns true if a text begins with an escape that is part of a name.
fn is_escape(text: &str) -> bool {
    let escaped = text.strip_prefix('\\');
    escaped.is_some_and(|escaped| !escaped.starts_with(['\n', '\r', '\x0C']))
}

fn is_name_start(character: char) -> bool {
    character.is_ascii_alphabetic() || character == '_' || !character.is_ascii()
}

/// Returns the number of bytes at the start of a text that are part of a name, up to the first escape.
fn name_length(text: &str) -> usize {
    let is_part = |one: char| is_name_start(one) || one.is_ascii_digit() || one == '-';
    text.find(|one| !is_part(one)).unwrap_or(text.len())
}

/// Returns true if a text begins with an identifier.
fn starts_ident(text: &str) -> bool {
    match text.strip_prefix('-') {
        Some(rest) => rest.starts_with(is_name_start) || rest.starts_with('-') || is_escape(rest),
        None => text.starts_with(is_name_start) || is_escape(text),
    }
}

/// Returns the number of bytes of the number at the start of a text, without its unit; 0 if no number is there.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |at: usize| {
        let digits = bytes.get(at..).unwrap_or_default().iter();
        digits.take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut at = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = digits(at);
    at += whole;
    let fraction = match bytes.get(at) {
        Some(b'.') => digits(at + 1),
        _ => 0,
    };
    if fraction > 0 {
        at += 1 + fraction;
    }
    if whole == 0 && fraction == 0 {
        return 0;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at + 1 + sign);
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    at
}

fn closer(opener: char) -> char {
    match opener {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

fn is_known_function(name: &str) -> bool {
    !name.is_empty()
        && FUNCTIONS
            .split(' ')
            .any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns the contents of a string token, or `None` if they contain a control character.
fn unescaped(token: &str) -> Option<String> {
    let quote = token.chars().next()?;
    let mut tokens = Tokens { rest: &token[1..] };
    let mut text = String::new();
    while let Some(character) = tokens.rest.chars().next() {
        let character = match character {
            '\\' => tokens.escape(),
            _ => {
                tokens.take(character.len_utf8());
                (character != quote).then_some(character)
            }
        };
        if character.is_some_and(char::is_control) {
            return None;
        }
        text.extend(character);
    }
    Some(text)
}

/// Appends a string with its quotes.
fn push_string(value: &mut String, text: &str) {
    value.push('"');
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            value.push('\\');
        }
        value.push(character);
    }
    value.push('"');
}
