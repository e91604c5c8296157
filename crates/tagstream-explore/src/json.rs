//! JSON: functions that append values to a string, and a parser for the options that the page sends.
//!
//! The crate writes a few flat objects and reads small ones, so these functions take the place of a library, which
//! would be a tenth of the program.

use std::fmt::Write;

/// Maximum depth of arrays and objects that [`parse`] accepts.
const MAX_DEPTH: u32 = 16;

/// Appends a string with its quotes.
pub(crate) fn string(text: &str, out: &mut String) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\t' => "\\t",
            b'\r' => "\\r",
            0..0x20 | 0x7F => "",
            _ => continue,
        };
        out.push_str(&text[plain..at]);
        plain = at + 1;
        match escape {
            "" => {
                let digit = |digit: u8| char::from(b"0123456789abcdef"[usize::from(digit)]);
                out.push_str("\\u00");
                out.push(digit(byte >> 4));
                out.push(digit(byte & 15));
            }
            _ => out.push_str(escape),
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

/// Appends a string, or `null`.
pub(crate) fn optional(text: Option<&str>, out: &mut String) {
    match text {
        Some(text) => string(text, out),
        None => out.push_str("null"),
    }
}

/// Appends a number.
pub(crate) fn number(number: u64, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{number}");
}

/// Appends `,"key":number`.
pub(crate) fn number_field(key: &str, value: u64, out: &mut String) {
    key_of(key, out);
    number(value, out);
}

/// Appends `,"key":"text"`.
pub(crate) fn string_field(key: &str, text: &str, out: &mut String) {
    key_of(key, out);
    string(text, out);
}

/// Appends `,"key":true` or `,"key":false`.
pub(crate) fn bool_field(key: &str, value: bool, out: &mut String) {
    key_of(key, out);
    out.push_str(if value { "true" } else { "false" });
}

/// Appends `,"range":[start,end]`.
pub(crate) fn range_field((start, end): (u32, u32), out: &mut String) {
    key_of("range", out);
    range((start, end), out);
}

/// Appends `[start,end]`.
pub(crate) fn range((start, end): (u32, u32), out: &mut String) {
    out.push('[');
    number(start.into(), out);
    out.push(',');
    number(end.into(), out);
    out.push(']');
}

/// Appends `,"key":`, without the comma after `{`.
pub(crate) fn key_of(key: &str, out: &mut String) {
    if !out.ends_with('{') {
        out.push(',');
    }
    out.push('"');
    out.push_str(key);
    out.push_str("\":");
}

/// Appends items in brackets, separated by commas.
pub(crate) fn list<T>(
    items: impl IntoIterator<Item = T>,
    out: &mut String,
    mut write: impl FnMut(T, &mut String),
) {
    out.push('[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}

/// A value of JSON. Numbers are kept as they are written, because no option is a number with a fraction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// The value `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number as written.
    Number(String),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object. The order of its members is that of the text.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Returns the member of an object with a name. If the name occurs several times, the last member counts.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Object(members) => {
                let found = members.iter().rev().find(|(key, _)| key == name);
                found.map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Returns a string, if the value is one.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

/// Parses a text that consists of one value.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0);
    reader.space();
    match value {
        Some(value) if reader.at == text.len() => Ok(value),
        _ => Err(format!("invalid JSON at offset {}", reader.at)),
    }
}

/// A position in the text that is parsed. Each function returns `None` if the text there is not what it expects.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn space(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += rest.iter().take_while(|byte| is_space(byte)).count();
    }

    fn next_is(&mut self, expected: &str) -> bool {
        let is_next = self.text[self.at..].starts_with(expected);
        if is_next {
            self.at += expected.len();
        }
        is_next
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.space();
        match *self.text.as_bytes().get(self.at)? {
            b'{' => self.object(depth),
            b'[' => self.array(depth),
            b'"' => self.string().map(Value::String),
            b't' => self.next_is("true").then_some(Value::Bool(true)),
            b'f' => self.next_is("false").then_some(Value::Bool(false)),
            b'n' => self.next_is("null").then_some(Value::Null),
            b'-' | b'0'..=b'9' => {
                let is_part =
                    |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
                let rest = &self.text[self.at..];
                let length = rest.bytes().take_while(is_part).count();
                self.at += length;
                Some(Value::Number(rest[..length].to_owned()))
            }
            _ => None,
        }
    }

    fn object(&mut self, depth: u32) -> Option<Value> {
        let mut members = Vec::new();
        self.at += 1;
        self.space();
        if self.next_is("}") {
            return Some(Value::Object(members));
        }
        loop {
            self.space();
            let key = self.string()?;
            self.space();
            if !self.next_is(":") {
                return None;
            }
            members.push((key, self.value(depth + 1)?));
            self.space();
            if self.next_is("}") {
                return Some(Value::Object(members));
            }
            if !self.next_is(",") {
                return None;
            }
        }
    }

    fn array(&mut self, depth: u32) -> Option<Value> {
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        if self.next_is("]") {
            return Some(Value::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            if self.next_is("]") {
                return Some(Value::Array(items));
            }
            if !self.next_is(",") {
                return None;
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        if !self.next_is("\"") {
            return None;
        }
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(['"', '\\'])?;
            text.push_str(&rest[..plain]);
            self.at += plain;
            if self.next_is("\"") {
                return Some(text);
            }
            let escape = *self.text.as_bytes().get(self.at + 1)?;
            if !self.text.is_char_boundary(self.at + 2) {
                return None;
            }
            self.at += 2;
            text.push(match escape {
                b'"' | b'\\' | b'/' => char::from(escape),
                b'b' => '\u{8}',
                b'f' => '\u{C}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'u' => self.escaped()?,
                _ => return None,
            });
        }
    }

    /// Reads the digits after `\u`, and the second escape of a surrogate pair. A lone surrogate becomes U+FFFD.
    fn escaped(&mut self) -> Option<char> {
        let first = self.four_digits()?;
        let before = self.at;
        let is_high = (0xD800..0xDC00).contains(&first);
        if is_high
            && self.next_is("\\u")
            && let Some(second @ 0xDC00..0xE000) = self.four_digits()
        {
            return char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
        }
        self.at = before;
        Some(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}

/// Returns `{"output":…}` or `{"error":…}`.
pub(crate) fn result(result: Result<String, String>) -> String {
    let mut out = String::from("{");
    match result {
        Ok(output) => string_field("output", &output, &mut out),
        Err(error) => string_field("error", &error, &mut out),
    }
    out.push('}');
    out
}

/// Maximum number of characters of a string of an event or of a node.
const MAX_CHARACTERS: usize = 200;

/// Returns the part of a string that the page gets.
pub(crate) fn beginning(text: &str) -> &str {
    let end = text.char_indices().nth(MAX_CHARACTERS);
    &text[..end.map_or(text.len(), |(at, _)| at)]
}
