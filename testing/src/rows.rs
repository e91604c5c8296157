//! The rows of `tests/data/*.txt`: inputs, and what comes of them.
//!
//! ```text
//! ## section
//! arm / arm @context | input || external entity => events
//! ```
//!
//! A section is a state, a production or a sentence of a document; each of its arms has a test of its
//! own. Arms, the context in which the input is read, and the entity may be missing. `{}` in input and
//! events stands for the character that an arm names. Escapes in inputs are `\n` `\r` `\t` `\f` `\0` `\s`
//! (a space) `\\` `\u{…}`, and `\xHH` for a byte. Lines that begin with `# ` say something. The events
//! are in the notation of `notation.rs`.

use std::sync::LazyLock;

/// One input and what comes of it.
#[derive(Clone, Debug)]
pub struct Row {
    /// The state, production or sentence.
    pub section: String,
    /// Which arm of it.
    pub arm: String,
    /// What the input is read as.
    pub context: String,
    /// The input as it stands in the file.
    pub written: String,
    /// The input.
    pub input: Vec<u8>,
    /// What its external entity holds.
    pub entity: Option<Vec<u8>>,
    /// In the notation.
    pub events: String,
}

impl Row {
    /// The name of its test.
    #[must_use]
    pub fn name(&self, dialect: &str) -> String {
        let mut name = format!("{dialect}/{}", self.section);
        if !self.arm.is_empty() {
            name += &format!(", {}", self.arm);
        }
        if !self.context.is_empty() {
            name += &format!(" @{}", self.context);
        }
        name + ": " + &self.written
    }

    /// Whether this is what comes of it.
    ///
    /// # Errors
    ///
    /// Says what differs.
    pub fn compare(&self, found: &str) -> Result<(), String> {
        match found == self.events {
            true => Ok(()),
            false => Err(format!("wanted: {}\nfound:  {found}", self.events)),
        }
    }
}

/// The rows of a file, one for each arm.
///
/// # Panics
///
/// Panics if a line is no row.
#[must_use]
pub fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for (section, line) in lines(text) {
        let (arms, rest) = line.split_once("| ").expect("arms");
        let (input, events) = rest.rsplit_once(" =>").expect("events");
        let (arms, context) = match arms.strip_prefix('@') {
            Some(context) => ("", context.trim_end()),
            None => arms
                .trim_end()
                .split_once(" @")
                .unwrap_or((arms.trim_end(), "")),
        };
        let (input, entity) = match input.split_once(" || ") {
            Some((input, entity)) => (input, Some(entity)),
            None => (input, None),
        };
        for arm in arms.split(" / ") {
            let place = character(arm);
            let written = input.replace("{}", &place.escape_debug().to_string());
            rows.push(Row {
                section: section.to_owned(),
                arm: arm.to_owned(),
                context: context.to_owned(),
                input: unescaped(&input.replace("{}", &place)),
                written,
                entity: entity.map(unescaped),
                events: events
                    .trim_start()
                    .replace("{}", &place.escape_debug().to_string()),
            });
        }
    }
    rows
}

/// The same, where `~` in a row stands for what its arm names.
///
/// # Panics
///
/// Panics if a line is no row.
#[must_use]
pub fn rows_of_names(text: &str) -> Vec<Row> {
    let mut rows = rows(text);
    for row in rows.iter_mut().filter(|row| row.written.contains('~')) {
        let input = String::from_utf8_lossy(&row.input);
        row.input = input.replace('~', &row.arm).into_bytes();
        row.events = row.events.replace('~', &row.arm);
    }
    rows
}

/// The sections of a file, those without rows too.
pub fn sections(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("## "))
}

/// The lines that are rows, each with its section.
fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut section = "";
    text.lines().filter_map(move |line| {
        if let Some(name) = line.strip_prefix("## ") {
            section = name;
            return None;
        }
        let is_row = !line.is_empty() && line != "#" && !line.starts_with("# ");
        is_row.then_some((section, line))
    })
}

/// The character that an arm names; nothing for the others.
fn character(arm: &str) -> String {
    let digits = arm.strip_prefix("U+").and_then(|rest| rest.get(..4));
    digits
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .and_then(char::from_u32)
        .map(String::from)
        .unwrap_or_default()
}

/// The words of a list: spaces stand between them, and `␣` for a space in one.
#[must_use]
pub fn words(list: &str) -> Vec<String> {
    let words = list.split(' ').map(|word| word.replace('␣', " "));
    words.collect()
}

/// Pieces of documents.
pub type Pieces = LazyLock<Vec<Vec<u8>>>;

/// The words of such a list with escapes in them, between white space of any kind.
#[must_use]
pub fn pieces(list: &str) -> Vec<Vec<u8>> {
    let pieces = list.split_ascii_whitespace();
    pieces
        .map(|piece| unescaped(&piece.replace('␣', " ")))
        .collect()
}

/// Bytes with their escapes resolved.
///
/// # Panics
///
/// Panics if there is no such escape.
#[must_use]
pub fn unescaped(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut pieces = text.split('\\');
    out.extend(pieces.next().unwrap_or_default().bytes());
    while let Some(piece) = pieces.next() {
        // Nothing stands between two backslashes.
        let Some(kind) = piece.chars().next() else {
            out.push(b'\\');
            out.extend(pieces.next().unwrap_or_default().bytes());
            continue;
        };
        let number = |digits: &str| u32::from_str_radix(digits, 16).expect("hexadecimal digits");
        let (bytes, rest) = match kind {
            'n' => (vec![b'\n'], &piece[1..]),
            'r' => (vec![b'\r'], &piece[1..]),
            't' => (vec![b'\t'], &piece[1..]),
            'f' => (vec![b'\x0C'], &piece[1..]),
            's' => (vec![b' '], &piece[1..]),
            '0' => (vec![0], &piece[1..]),
            'x' => (vec![number(&piece[1..3]) as u8], &piece[3..]),
            'u' => {
                let (digits, rest) = piece[2..].split_once('}').expect("an end of an escape");
                let character = char::from_u32(number(digits)).expect("a character");
                (character.to_string().into_bytes(), rest)
            }
            other => panic!("no escape: {other:?} in {text}"),
        };
        out.extend(bytes);
        out.extend(rest.bytes());
    }
    out
}
