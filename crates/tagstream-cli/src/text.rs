//! Events for reading: one event per line, with its position, indented by depth.
//!
//! Text of the input is escaped, so that it can neither break a line nor control the terminal.

use crate::format::Format;
use crate::resolve::file_of;
use crate::shown;
use anstyle::{AnsiColor, Style};
use std::io::Write;
use tagstream::{Attributes, Event, StartTag};

/// Depth from which on elements are not indented further. Otherwise the length of the output would grow with the square
/// of the depth.
const DEEPEST: usize = 32;

pub(crate) struct Lines {
    /// The file name to write at the start of each line, if there are several files.
    file: Option<String>,
    depth: usize,
    palette: Palette,
}

/// The styles of the parts of a line; all of them are empty if there are no colours.
#[derive(Clone, Copy, Default)]
struct Palette {
    place: Style,
    name: Style,
    attribute: Style,
    value: Style,
    aside: Style,
    error: Style,
}

impl Palette {
    fn coloured() -> Palette {
        let colour = |colour: AnsiColor| colour.on_default();
        Palette {
            place: Style::new().dimmed(),
            name: colour(AnsiColor::Blue).bold(),
            attribute: colour(AnsiColor::Cyan),
            value: colour(AnsiColor::Green),
            aside: colour(AnsiColor::Magenta),
            error: colour(AnsiColor::Red),
        }
    }
}

impl Lines {
    /// Creates a writer whose first line has this depth.
    pub(crate) fn new(coloured: bool, file: Option<String>, depth: u64) -> Lines {
        Lines {
            file: file.map(|file| shown::shown(&file)),
            depth: depth as usize,
            palette: if coloured {
                Palette::coloured()
            } else {
                Palette::default()
            },
        }
    }

    fn start(&self, tag: &StartTag<'_>, out: &mut Vec<u8>) {
        out.push(b'<');
        paint(self.palette.name, out, |out| bare(tag.name(), out));
        self.attributes(tag.attributes(), out);
        out.extend_from_slice(if tag.is_self_closing() { b"/>" } else { b">" });
    }

    fn attributes(&self, attributes: Attributes<'_>, out: &mut Vec<u8>) {
        for attribute in attributes {
            out.push(b' ');
            let name = |out: &mut _| bare(attribute.name(), out);
            paint(self.palette.attribute, out, name);
            out.push(b'=');
            self.quoted(attribute.value(), out);
        }
    }

    fn quoted(&self, text: &str, out: &mut Vec<u8>) {
        paint(self.palette.value, out, |out| {
            out.push(b'"');
            quote(text, out);
            out.push(b'"');
        });
    }

    /// Writes ` NAME "value"` if there is a value.
    fn pair(&self, name: &str, value: Option<&str>, out: &mut Vec<u8>) {
        if let Some(value) = value {
            out.push(b' ');
            out.extend_from_slice(name.as_bytes());
            out.push(b' ');
            self.quoted(value, out);
        }
    }

    fn rare(&self, event: &Event<'_>, out: &mut Vec<u8>) {
        match event {
            Event::ProcessingInstruction(instruction) => paint(self.palette.aside, out, |out| {
                out.extend_from_slice(b"<?");
                bare(instruction.target(), out);
                out.push(b' ');
                bare(instruction.data(), out);
                out.extend_from_slice(b"?>");
            }),
            Event::Doctype(doctype) => {
                out.extend_from_slice(b"doctype ");
                paint(self.palette.name, out, |out| bare(doctype.name(), out));
                self.pair("public", doctype.public_id(), out);
                self.pair("system", doctype.system_id(), out);
            }
            Event::Declaration(declaration) => {
                out.extend_from_slice(b"declaration");
                self.pair("version", declaration.version(), out);
                self.pair("encoding", declaration.encoding(), out);
                let standalone = declaration.standalone();
                let word = standalone.map(|yes| if yes { "yes" } else { "no" });
                self.pair("standalone", word, out);
            }
            Event::SkippedEntity(entity) => {
                out.extend_from_slice(b"skipped entity ");
                paint(self.palette.name, out, |out| bare(entity.name(), out));
            }
            Event::Attributes(added) => {
                out.extend_from_slice(b"attributes ");
                paint(self.palette.name, out, |out| bare(added.name(), out));
                self.attributes(added.attributes(), out);
            }
            Event::EncodingChange(change) => {
                out.extend_from_slice(b"encoding change ");
                self.quoted(change.label(), out);
            }
            Event::ParseError(error) => paint(self.palette.error, out, |out| {
                let code = error.code();
                put(out, format_args!("error: {} ({code})", code.message()));
                if let Some(place) = error.entity() {
                    let file = shown::shown(&file_of(&place).to_string_lossy());
                    put(out, format_args!(" at {file}:{}", place.position()));
                }
            }),
            _ => {}
        }
    }
}

impl Format for Lines {
    fn depth(&self) -> u64 {
        self.depth as u64
    }

    fn write(&mut self, event: &Event<'_>, out: &mut Vec<u8>) {
        if let Event::End(_) = event {
            self.depth = self.depth.saturating_sub(1);
        }
        let position = event.position();
        paint(self.palette.place, out, |out| {
            let (line, column) = (position.line(), position.column());
            match &self.file {
                Some(file) => {
                    put(out, format_args!("{file}:"));
                    let place = out.len();
                    put(out, format_args!("{line}:{column} "));
                    out.resize(out.len().max(place + 11), b' ');
                }
                None => put(out, format_args!("{line:>5}:{column:<4} ")),
            }
        });
        out.resize(out.len() + 2 * self.depth.min(DEEPEST), b' ');
        match event {
            Event::Start(tag) => {
                self.start(tag, out);
                self.depth += 1;
            }
            Event::End(tag) => {
                out.extend_from_slice(b"</");
                paint(self.palette.name, out, |out| bare(tag.name(), out));
                out.push(b'>');
            }
            Event::Text(text) => self.quoted(text.as_str(), out),
            Event::Comment(comment) => paint(self.palette.aside, out, |out| {
                out.extend_from_slice(b"<!--");
                bare(comment.as_str(), out);
                out.extend_from_slice(b"-->");
            }),
            other => self.rare(other, out),
        }
        for word in words(event) {
            paint(self.palette.aside, out, |out| {
                put(out, format_args!(" {word}"))
            });
        }
        out.push(b'\n');
    }
}

/// Returns the annotations that balancing adds to an event: `implied` if the tag is not in the input, `moved` if the
/// node is at another position in the tree.
fn words(event: &Event<'_>) -> impl Iterator<Item = &'static str> {
    let is_implied = matches!(event, Event::Start(tag) if tag.is_implied());
    let implied = is_implied.then_some("implied");
    implied
        .into_iter()
        .chain(event.is_moved().then_some("moved"))
}

fn paint(style: Style, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    if style == Style::new() {
        write(out);
    } else {
        put(out, format_args!("{style}"));
        write(out);
        put(out, format_args!("{style:#}"));
    }
}

fn put(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    // Writing to memory cannot fail.
    let _ = out.write_fmt(text);
}

/// Writes `text` with quotes, backslashes and invisible characters escaped.
fn quote(text: &str, out: &mut Vec<u8>) {
    escape(text, |character| character == '"', out);
}

/// Writes `text` without quotes around it, with backslashes and invisible characters escaped.
fn bare(text: &str, out: &mut Vec<u8>) {
    escape(text, |_| false, out);
}

fn escape(text: &str, also: impl Fn(char) -> bool, out: &mut Vec<u8>) {
    let mut plain = 0;
    for (at, character) in text.char_indices() {
        if character != '\\' && !shown::is_unseen(character) && !also(character) {
            continue;
        }
        out.extend_from_slice(&text.as_bytes()[plain..at]);
        plain = at + character.len_utf8();
        match character {
            '"' | '\\' => out.extend_from_slice(&[b'\\', character as u8]),
            other => put(out, format_args!("{}", shown::Escaped(other))),
        }
    }
    out.extend_from_slice(&text.as_bytes()[plain..]);
}
