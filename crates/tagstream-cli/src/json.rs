//! Events as JSON: one object per line, written directly into the buffer.
//!
//! Keys are in a fixed order, `file` first and `span` last. A value that is absent is `null`.

use crate::format::Format;
use crate::resolve::file_of;
use crate::shown::is_unseen;
use std::io::Write;
use tagstream::leafxml::AttributeMaps;
use tagstream::{
    Attributes, Doctype, EntityPlace, Event, ParseError, Position, Related, Span, StartTag,
};

/// The JSON format of events.
pub(crate) struct Lines {
    /// True if the namespace and the local name of tags, and the attributes in a namespace, are also written
    /// separately.
    pub(crate) namespaces: bool,
    /// True if the line and the column of every event are written.
    pub(crate) positions: bool,
    /// The file name to write, if there are several files.
    pub(crate) file: Option<String>,
}

impl Format for Lines {
    fn write(&mut self, event: &Event<'_>, out: &mut Vec<u8>) {
        out.push(b'{');
        if let Some(file) = &self.file {
            out.extend_from_slice(br#""file":"#);
            string(file, out);
            out.push(b',');
        }
        match event {
            Event::Start(tag) => {
                start(tag, out);
                if self.namespaces {
                    expanded(tag, out);
                }
            }
            Event::End(tag) => {
                out.extend_from_slice(br#""event":"end","name":"#);
                string(tag.name(), out);
            }
            Event::Text(text) => {
                out.extend_from_slice(br#""event":"text","data":"#);
                string(text.as_str(), out);
            }
            Event::Comment(comment) => {
                out.extend_from_slice(br#""event":"comment","data":"#);
                string(comment.as_str(), out);
            }
            other => rare(other, out),
        }
        balance(event, out);
        // The position of an error was written already.
        if self.positions && !matches!(event, Event::ParseError(_)) {
            position(event.position(), out);
        }
        span(event.span(), out);
    }
}

/// Writes the annotations that balancing adds to an event: `implied` if the tag is not in the input, `moved` if the
/// node is at another position in the tree.
fn balance(event: &Event<'_>, out: &mut Vec<u8>) {
    let is_implied = matches!(event, Event::Start(tag) if tag.is_implied());
    if is_implied {
        out.extend_from_slice(br#","implied":true"#);
    }
    if event.is_moved() {
        out.extend_from_slice(br#","moved":true"#);
    }
}

fn start(tag: &StartTag<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(br#""event":"start","name":"#);
    string(tag.name(), out);
    attributes(tag.attributes(), out);
    out.extend_from_slice(br#","selfClosing":"#);
    boolean(Some(tag.is_self_closing()), out);
}

fn attributes(attributes: Attributes<'_>, out: &mut Vec<u8>) {
    pairs(attributes.map(|one| (one.name(), one.value())), out);
}

/// Writes the names and values of attributes.
pub(crate) fn pairs<'a>(attributes: impl Iterator<Item = (&'a str, &'a str)>, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","attributes":["#);
    for (index, (name, value)) in attributes.enumerate() {
        out.extend_from_slice(if index == 0 { b"[" } else { b",[" });
        string(name, out);
        out.push(b',');
        string(value, out);
        out.push(b']');
    }
    out.push(b']');
}

/// Writes the names and values of attributes as an object. Parsers keep only the first attribute of a name.
pub(crate) fn object<'a>(attributes: impl Iterator<Item = (&'a str, &'a str)>, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","attributes":{"#);
    for (index, (name, value)) in attributes.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        string(name, out);
        out.push(b':');
        string(value, out);
    }
    out.push(b'}');
}

fn expanded(tag: &StartTag<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","namespace":"#);
    optional(tag.namespace(), out);
    out.extend_from_slice(br#","localName":"#);
    string(tag.local_name(), out);
    out.extend_from_slice(br#","external":["#);
    for (index, attribute) in tag.external_attributes().enumerate() {
        out.extend_from_slice(if index == 0 { b"[" } else { b",[" });
        optional(attribute.namespace(), out);
        out.push(b',');
        string(attribute.local_name(), out);
        out.push(b',');
        string(attribute.value(), out);
        out.push(b']');
    }
    out.push(b']');
}

fn rare(event: &Event<'_>, out: &mut Vec<u8>) {
    match event {
        Event::ProcessingInstruction(instruction) => {
            out.extend_from_slice(br#""event":"pi","target":"#);
            string(instruction.target(), out);
            out.extend_from_slice(br#","data":"#);
            string(instruction.data(), out);
        }
        Event::Doctype(doctype) => self::doctype(doctype, out),
        Event::Declaration(declaration) => {
            out.extend_from_slice(br#""event":"declaration","version":"#);
            optional(declaration.version(), out);
            out.extend_from_slice(br#","encoding":"#);
            optional(declaration.encoding(), out);
            out.extend_from_slice(br#","standalone":"#);
            boolean(declaration.standalone(), out);
        }
        Event::SkippedEntity(entity) => {
            out.extend_from_slice(br#""event":"skippedEntity","name":"#);
            string(entity.name(), out);
        }
        Event::Attributes(added) => {
            out.extend_from_slice(br#""event":"attributes","name":"#);
            string(added.name(), out);
            attributes(added.attributes(), out);
        }
        Event::EncodingChange(change) => {
            out.extend_from_slice(br#""event":"encodingChange","label":"#);
            string(change.label(), out);
        }
        Event::ParseError(error) => parse_error(error, out),
        _ => out.extend_from_slice(br#""event":null"#),
    }
}

fn doctype(doctype: &Doctype<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(br#""event":"doctype","name":"#);
    optional(Some(doctype.name()).filter(|name| !name.is_empty()), out);
    out.extend_from_slice(br#","publicId":"#);
    optional(doctype.public_id(), out);
    out.extend_from_slice(br#","systemId":"#);
    optional(doctype.system_id(), out);
    if doctype.force_quirks() {
        out.extend_from_slice(br#","forceQuirks":true"#);
    }
}

fn parse_error(error: &ParseError<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(br#""event":"error","code":"#);
    string(error.code().as_str(), out);
    position(error.position(), out);
    if let Some(place) = error.entity() {
        entity(&place, out);
    }
    if let Some(second) = error.related() {
        related(&second, out);
    }
}

/// Writes a position in an external entity.
pub(crate) fn entity(place: &EntityPlace, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","entity":{"file":"#);
    string(&file_of(place).to_string_lossy(), out);
    position(place.position(), out);
    range(place.span(), out);
    out.push(b'}');
}

/// Writes the second position that an error refers to.
pub(crate) fn related(related: &Related, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","related":{"relation":"#);
    string(related.relation().as_str(), out);
    position(related.position(), out);
    if let Some(place) = related.entity() {
        entity(place, out);
    }
    range(related.span(), out);
    out.push(b'}');
}

/// Writes the line and the column.
pub(crate) fn position(position: Position, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","line":"#);
    number(position.line(), out);
    out.extend_from_slice(br#","column":"#);
    number(position.column(), out);
}

/// Writes the span, which ends an object.
pub(crate) fn span(span: Span, out: &mut Vec<u8>) {
    range(span, out);
    out.extend_from_slice(b"}\n");
}

pub(crate) fn range(span: Span, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","span":["#);
    number(span.start, out);
    out.push(b',');
    number(span.end, out);
    out.push(b']');
}

/// Writes a string. Invisible characters are escaped too, not only those that JSON requires, so that people can read
/// the lines.
pub(crate) fn string(text: &str, out: &mut Vec<u8>) {
    let start = out.len();
    // Writing to memory cannot fail, and a string can always be represented in JSON.
    let _ = serde_json::to_writer(&mut *out, text);
    if text.bytes().all(|byte| byte < 0x7F) || !text.contains(is_unseen) {
        return;
    }
    let written = out.split_off(start);
    for character in String::from_utf8_lossy(&written).chars() {
        let _ = match is_unseen(character) {
            // All invisible characters are in the Basic Multilingual Plane.
            true => write!(out, "\\u{:04x}", u32::from(character)),
            false => write!(out, "{character}"),
        };
    }
}

pub(crate) fn optional(text: Option<&str>, out: &mut Vec<u8>) {
    match text {
        Some(text) => string(text, out),
        None => out.extend_from_slice(b"null"),
    }
}

pub(crate) fn number(number: u64, out: &mut Vec<u8>) {
    let _ = serde_json::to_writer(out, &number);
}

fn boolean(value: Option<bool>, out: &mut Vec<u8>) {
    out.extend_from_slice(match value {
        Some(true) => b"true",
        Some(false) => b"false",
        None => b"null",
    });
}
