//! The events and errors of a parse, in a compact form.
//!
//! Each event is a record of 24 bytes and a range of one buffer, which has its strings. JSON is written only for the
//! events that the page asks for.

use crate::json;
use tagstream::{Attributes, Event, Position, Span};

/// Maximum number of events that are kept. The page can still count further events.
const MAX_EVENTS: usize = 2_000_000;
/// Maximum number of bytes of strings of the events that are kept.
const MAX_STRING_BYTES: usize = 64 << 20;
/// Maximum number of errors that are kept.
const MAX_ERRORS: usize = 200_000;
/// Maximum number of attributes of an event that are kept.
const MAX_ATTRIBUTES: usize = 200;

const KINDS: [&str; 10] = [
    "start",
    "end",
    "text",
    "comment",
    "pi",
    "doctype",
    "declaration",
    "entity",
    "encoding",
    "attributes",
];

/// Flags of an event, and their names in JSON.
const SELF_CLOSING: u8 = 1;
const IMPLIED: u8 = 2;
const CUT: u8 = 4;
const MOVED: u8 = 8;
const CDATA: u8 = 16;
const FLAGS: [(u8, &str); 5] = [
    (SELF_CLOSING, "self_closing"),
    (IMPLIED, "implied"),
    (CUT, "cut"),
    (MOVED, "moved"),
    (CDATA, "cdata"),
];

/// An event.
struct Record {
    range: (u32, u32),
    depth: u32,
    /// Index in the buffer of the strings. The strings end where those of the next event begin.
    strings: u32,
    kind: u8,
    flags: u8,
}

/// An error that the parser recovered from, or the one that ended the parse.
pub(crate) struct Problem {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) range: (u32, u32),
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// The events and errors so far.
#[derive(Default)]
pub(crate) struct Log {
    records: Vec<Record>,
    /// The strings of the events. Each string follows its length, which is four bytes long.
    strings: Vec<u8>,
    errors: Vec<Problem>,
    /// Numbers of all events and errors, also of those that were dropped.
    pub(crate) event_count: u64,
    pub(crate) error_count: u64,
}

/// Returns a range of offsets. Sessions refuse documents whose offsets do not fit.
pub(crate) fn range_of(span: Span) -> (u32, u32) {
    let offset = |offset: u64| u32::try_from(offset).unwrap_or(u32::MAX);
    (offset(span.start), offset(span.end))
}

/// Returns the line and the column.
pub(crate) fn place_of(position: Position) -> (u32, u32) {
    let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    (number(position.line()), number(position.column()))
}

impl Log {
    /// Returns the number of events that were not kept.
    pub(crate) fn dropped(&self) -> u64 {
        self.event_count - self.records.len() as u64
    }

    /// Adds an event. Parse errors are not events here.
    pub(crate) fn add(&mut self, event: &Event<'_>, depth: u32) {
        self.event_count += 1;
        if self.dropped() > 1
            || self.records.len() >= MAX_EVENTS
            || self.strings.len() >= MAX_STRING_BYTES
        {
            return;
        }
        let strings = self.strings.len() as u32;
        let (kind, flags) = self.add_strings(event);
        let moved = if event.is_moved() { MOVED } else { 0 };
        self.records.push(Record {
            range: range_of(event.span()),
            depth,
            strings,
            kind,
            flags: flags | moved,
        });
    }

    /// Changes the depth of the last event, which is known only after the event has changed the tree.
    pub(crate) fn set_depth(&mut self, depth: u32) {
        if self.dropped() == 0
            && let Some(last) = self.records.last_mut()
        {
            last.depth = depth;
        }
    }

    fn add_strings(&mut self, event: &Event<'_>) -> (u8, u8) {
        match event {
            Event::Start(tag) => {
                let closing = if tag.is_self_closing() {
                    SELF_CLOSING
                } else {
                    0
                };
                let implied = if tag.is_implied() { IMPLIED } else { 0 };
                let cut = self.push(tag.name());
                (
                    0,
                    cut | closing | implied | self.push_attributes(tag.attributes()),
                )
            }
            Event::End(tag) => {
                let implied = if tag.is_implied() { IMPLIED } else { 0 };
                (1, self.push(tag.name()) | implied)
            }
            Event::Text(text) => {
                let cdata = if text.is_cdata() { CDATA } else { 0 };
                (2, self.push(text.as_str()) | cdata)
            }
            Event::Comment(comment) => (3, self.push(comment.as_str())),
            Event::ProcessingInstruction(instruction) => {
                let cut = self.push(instruction.target());
                (4, cut | self.push(instruction.data()))
            }
            Event::Doctype(doctype) => {
                let cut = self.push(doctype.name());
                let mut text = String::new();
                let ids = [
                    ("PUBLIC", doctype.public_id()),
                    ("SYSTEM", doctype.system_id()),
                ];
                for (keyword, id) in ids {
                    if let Some(id) = id {
                        let space = if text.is_empty() { "" } else { " " };
                        text += &format!("{space}{keyword} \"{id}\"");
                    }
                }
                (5, cut | self.push(&text))
            }
            Event::Declaration(declaration) => {
                let mut text = String::new();
                let standalone = declaration
                    .standalone()
                    .map(|is| if is { "yes" } else { "no" });
                for (name, value) in [
                    ("version", declaration.version()),
                    ("encoding", declaration.encoding()),
                    ("standalone", standalone),
                ] {
                    if let Some(value) = value {
                        let space = if text.is_empty() { "" } else { " " };
                        text += &format!("{space}{name}=\"{value}\"");
                    }
                }
                self.push("xml");
                (6, self.push(&text))
            }
            Event::SkippedEntity(entity) => (7, self.push(entity.name())),
            Event::EncodingChange(change) => (8, self.push(change.label())),
            Event::Attributes(added) => {
                let cut = self.push(added.name());
                (9, cut | self.push_attributes(added.attributes()))
            }
            _ => (7, self.push("")),
        }
    }

    fn push_attributes(&mut self, attributes: Attributes<'_>) -> u8 {
        let mut cut = if attributes.len() > MAX_ATTRIBUTES {
            CUT
        } else {
            0
        };
        for attribute in attributes.take(MAX_ATTRIBUTES) {
            cut |= self.push(attribute.name());
            cut |= self.push(attribute.value());
            let (start, end) = match attribute.is_specified() {
                true => range_of(attribute.span()),
                false => (0, 0),
            };
            self.strings.extend_from_slice(&start.to_le_bytes());
            self.strings.extend_from_slice(&end.to_le_bytes());
        }
        cut
    }

    /// Adds a string. Returns [`CUT`] if it had to be cut.
    fn push(&mut self, text: &str) -> u8 {
        let kept = json::beginning(text);
        self.strings
            .extend_from_slice(&(kept.len() as u32).to_le_bytes());
        self.strings.extend_from_slice(kept.as_bytes());
        if kept.len() < text.len() { CUT } else { 0 }
    }

    /// Adds an error.
    pub(crate) fn add_error(&mut self, problem: Problem) {
        self.error_count += 1;
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(problem);
        }
    }

    /// Returns events as a JSON array.
    pub(crate) fn events(&self, from: usize, count: usize) -> String {
        let from = from.min(self.records.len());
        let to = from.saturating_add(count).min(self.records.len());
        let mut out = String::new();
        json::list(from..to, &mut out, |index, out| self.write(index, out));
        out
    }

    fn write(&self, index: usize, out: &mut String) {
        let record = &self.records[index];
        let end = match self.records.get(index + 1) {
            Some(next) => next.strings as usize,
            None => self.strings.len(),
        };
        let mut strings = Strings(&self.strings[record.strings as usize..end]);
        out.push('{');
        json::number_field("i", index as u64, out);
        json::string_field("kind", KINDS[usize::from(record.kind)], out);
        match record.kind {
            0 | 9 => {
                json::string_field("name", &strings.string(), out);
                json::key_of("attributes", out);
                let attributes = std::iter::from_fn(|| {
                    let is_there = !strings.0.is_empty();
                    is_there.then(|| {
                        (
                            strings.string(),
                            strings.string(),
                            strings.number(),
                            strings.number(),
                        )
                    })
                });
                json::list(attributes, out, |(name, value, start, end), out| {
                    out.push('[');
                    json::string(&name, out);
                    out.push(',');
                    json::string(&value, out);
                    if end > start {
                        out.push(',');
                        json::range((start, end), out);
                    }
                    out.push(']');
                });
            }
            1 | 7 | 8 => json::string_field("name", &strings.string(), out),
            2 | 3 => json::string_field("text", &strings.string(), out),
            _ => {
                json::string_field("name", &strings.string(), out);
                json::string_field("text", &strings.string(), out);
            }
        }
        for (flag, name) in FLAGS {
            if record.flags & flag != 0 {
                json::bool_field(name, true, out);
            }
        }
        json::range_field(record.range, out);
        json::number_field("depth", record.depth.into(), out);
        out.push('}');
    }

    /// Returns the index of the shortest event whose range contains an offset, or `None`.
    pub(crate) fn event_at(&self, offset: u32) -> Option<usize> {
        let contains = |(start, end): (u32, u32)| start <= offset && offset < end;
        let found = self.records.iter().enumerate();
        let found = found.filter(|(_, record)| contains(record.range));
        let shortest = found.min_by_key(|(_, record)| record.range.1 - record.range.0);
        shortest.map(|(index, _)| index)
    }

    /// Returns errors as a JSON array. `link` returns the page of the standard for a code.
    pub(crate) fn errors(
        &self,
        from: usize,
        count: usize,
        link: impl Fn(&str) -> Option<String>,
    ) -> String {
        let mut out = String::new();
        let kept = self.errors.iter().skip(from).take(count);
        json::list(kept, &mut out, |error, out| {
            out.push('{');
            json::string_field("code", error.code, out);
            json::string_field("message", &error.message, out);
            json::range_field(error.range, out);
            json::number_field("line", error.line.into(), out);
            json::number_field("column", error.column.into(), out);
            json::key_of("link", out);
            json::optional(link(error.code).as_deref(), out);
            out.push('}');
        });
        out
    }
}

/// The strings of an event that were not read yet.
struct Strings<'s>(&'s [u8]);

impl Strings<'_> {
    fn number(&mut self) -> u32 {
        match self.0.split_first_chunk() {
            Some((number, rest)) => {
                self.0 = rest;
                u32::from_le_bytes(*number)
            }
            None => 0,
        }
    }

    fn string(&mut self) -> String {
        let length = self.number() as usize;
        let (text, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        String::from_utf8_lossy(text).into_owned()
    }
}
