//! Rows of a table of cases, what stands in them, and the documents that the rows are to cover.

use super::feeding::pull::Pull;
use bytes::Bytes;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tagstream::Event;

/// One case of a table.
pub(crate) struct Row {
    /// A state or token of the document.
    pub(crate) state: String,
    /// An arm or mode of it.
    pub(crate) arm: String,
    /// What the input is read as.
    pub(crate) context: String,
    /// The input.
    pub(crate) input: String,
    /// What comes out.
    pub(crate) expected: String,
}

/// The rows of a table: five columns with TABs between them. In the input, `\` escapes.
pub(crate) fn rows(table: &str) -> Vec<Row> {
    let filled = table.lines().filter(|line| !line.is_empty());
    let lines = filled.filter(|line| !line.starts_with("//"));
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let [state, arm, context, input, expected] = columns[..] else {
                panic!("five columns, not {}: {line}", columns.len());
            };
            Row {
                state: state.to_owned(),
                arm: arm.to_owned(),
                context: context.to_owned(),
                input: unescaped(input),
                expected: expected.to_owned(),
            }
        })
        .collect()
}

/// What `\n`, `\r`, `\t`, `\f`, `\0`, `\b` (a byte-order mark) and `\\` stand for.
fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        out.push(match characters.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('f') => '\u{C}',
            Some('0') => '\0',
            Some('b') => '\u{FEFF}',
            Some('\\') => '\\',
            other => panic!("no escape: {other:?} in {text}"),
        });
    }
    out
}

/// A document that the project follows: below `TAGSTREAM_SPECS`, else beside the project.
pub(crate) fn document(name: &str) -> Option<String> {
    let root = std::env::var_os("TAGSTREAM_SPECS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/specs"),
        PathBuf::from,
    );
    std::fs::read_to_string(root.join(name)).ok()
}

/// A parse on one line: tags as written, `</a>^` for an end tag without a name, `</a>~` for one that
/// is not written; text between quotes; `!code` for what was repaired, `Err code` for the end.
pub(crate) fn outcome(mut parser: impl Pull, input: &[u8]) -> String {
    parser.feed(Bytes::copy_from_slice(input));
    parser.finish();
    let mut out = String::new();
    loop {
        match parser.pull() {
            Ok(Some(event)) => write_short(&mut out, &event),
            Ok(None) => break,
            Err(error) => {
                write!(out, " Err {}", error.as_str()).unwrap();
                break;
            }
        }
    }
    out.trim_start().escape_controls()
}

trait EscapeControls {
    fn escape_controls(&self) -> String;
}

impl EscapeControls for str {
    /// On one line and without TABs, which separate the columns.
    fn escape_controls(&self) -> String {
        let mut out = String::new();
        for character in self.chars() {
            match character.is_control() {
                true => out.extend(character.escape_default()),
                false => out.push(character),
            }
        }
        out
    }
}

fn write_short(out: &mut String, event: &Event<'_>) {
    match event {
        Event::Start(tag) => write!(out, " {tag:?}"),
        Event::End(tag) if tag.is_short() => write!(out, " {tag:?}^"),
        Event::End(tag) if tag.is_implied() => write!(out, " {tag:?}~"),
        Event::ParseError(error) => write!(out, " !{}", error.code().as_str()),
        other => write!(out, " {other:?}"),
    }
    .unwrap();
}
