//! Writes events as in `tests/data`: `start a b="c", text "x", error invalid-name 3..5, end a`.
//!
//! The first word is the kind of the event. A name may have its namespace before it in braces, as in `{svg}path` or
//! `{urn:example}name`. The words after the name and the attributes are properties: `implied` (no tag in the input),
//! `self-closing`, `short` (`</>`), `moved` (the node is elsewhere in the tree), `force-quirks`. `fatal` is an error
//! that ended the parse.

use crate::cases::quoted_end;
use crate::pull::Pull;
use bytes::Bytes;
use std::fmt::Write;
use tagstream::{Attributes, Event, Span, Status};

/// Returns the events of an input.
pub fn read(mut parser: impl Pull, input: &[u8]) -> String {
    let mut events = Vec::new();
    parser.feed(Bytes::copy_from_slice(input));
    parser.finish();
    loop {
        match parser.pull() {
            Ok(Some(found)) => events.push(event(&found)),
            Ok(None) => break,
            Err(found) => {
                events.push(format!("fatal {}", error(found.as_str(), found.span())));
                break;
            }
        }
    }
    assert!(!matches!(
        parser.status(),
        Status::NeedsInput | Status::HasEvents
    ));
    events.join(", ")
}

/// Returns the code and the byte range of an error.
#[must_use]
pub fn error(code: &str, span: Span) -> String {
    format!("{code} {span}")
}

/// Returns the error that ended the parse of these events.
#[must_use]
pub fn fatal(events: &str) -> Option<&str> {
    split(events).last()?.strip_prefix("fatal ")
}

/// Splits a list into its events.
#[must_use]
pub fn split(events: &str) -> Vec<&str> {
    split_at(events, ',')
}

/// Splits a list at the separator followed by a space, outside quotes. A quote opens at the start of a word and after
/// `=`; elsewhere it belongs to a name, as in `start a"`.
#[must_use]
pub fn split_at(events: &str, separator: char) -> Vec<&str> {
    let (mut list, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(character) = events[at..].chars().next() {
        let opens = at == 0 || events[..at].ends_with([' ', '=']);
        at += character.len_utf8();
        match character {
            '"' if opens => at += quoted_end(&events[at..]) + 1,
            _ if character == separator && events[at..].starts_with(' ') => {
                list.push(&events[start..at - 1]);
                start = at + 1;
            }
            _ => {}
        }
    }
    list.push(&events[start..]);
    list
}

/// Writes one event.
#[must_use]
pub fn event(event: &Event<'_>) -> String {
    let mut out = String::new();
    match event {
        Event::Start(tag) => {
            write!(out, "start {}", name(tag.name(), tag.namespace())).unwrap();
            write_attributes(&mut out, tag.attributes());
            out += if tag.is_implied() { " implied" } else { "" };
            let closes = tag.is_self_closing();
            out += if closes { " self-closing" } else { "" };
        }
        Event::End(tag) => {
            write!(out, "end {}", name(tag.name(), tag.namespace())).unwrap();
            out += if tag.is_short() { " short" } else { "" };
            out += if tag.is_implied() { " implied" } else { "" };
        }
        Event::Text(text) => write!(out, "text {}", quoted(text.as_str())).unwrap(),
        Event::Comment(comment) => write!(out, "comment {}", quoted(comment.as_str())).unwrap(),
        Event::ProcessingInstruction(instruction) => {
            let (target, data) = (instruction.target(), instruction.data());
            write!(out, "instruction {target} {}", quoted(data)).unwrap();
        }
        Event::Doctype(doctype) => {
            write!(out, "doctype {}", quoted(doctype.name())).unwrap();
            write_optional(&mut out, "public", doctype.public_id());
            write_optional(&mut out, "system", doctype.system_id());
            let quirks = doctype.force_quirks();
            out += if quirks { " force-quirks" } else { "" };
        }
        Event::Declaration(declaration) => {
            out += "declaration";
            write_optional(&mut out, "version", declaration.version());
            write_optional(&mut out, "encoding", declaration.encoding());
            let standalone = declaration.standalone();
            let standalone = standalone.map(|yes| if yes { "yes" } else { "no" });
            write_optional(&mut out, "standalone", standalone);
        }
        Event::Attributes(added) => {
            write!(out, "attributes {}", added.name()).unwrap();
            write_attributes(&mut out, added.attributes());
        }
        Event::SkippedEntity(entity) => write!(out, "skipped-entity {}", entity.name()).unwrap(),
        Event::EncodingChange(change) => {
            write!(out, "encoding-change {}", quoted(change.label())).unwrap();
        }
        Event::ParseError(error) => write!(out, "error {}", error.code()).unwrap(),
        other => write!(out, "{other:?}").unwrap(),
    }
    out + if event.is_moved() { " moved" } else { "" }
}

fn name(name: &str, namespace: Option<&str>) -> String {
    let Some(namespace) = namespace else {
        return name.to_owned();
    };
    let known = NAMESPACES.iter().find(|(_, known)| *known == namespace);
    let namespace = known.map_or(namespace, |(short, _)| short);
    format!("{{{namespace}}}{name}")
}

/// Namespaces that are written with a short name.
const NAMESPACES: [(&str, &str); 6] = [
    ("html", "http://www.w3.org/1999/xhtml"),
    ("svg", "http://www.w3.org/2000/svg"),
    ("mathml", "http://www.w3.org/1998/Math/MathML"),
    ("xlink", "http://www.w3.org/1999/xlink"),
    ("xml", "http://www.w3.org/XML/1998/namespace"),
    ("xmlns", "http://www.w3.org/2000/xmlns/"),
];

fn write_attributes(out: &mut String, attributes: Attributes<'_>) {
    for attribute in attributes {
        let name = name(attribute.name(), attribute.namespace());
        write!(out, " {name}={}", quoted(attribute.value())).unwrap();
    }
}

fn write_optional(out: &mut String, word: &str, text: Option<&str>) {
    if let Some(text) = text {
        write!(out, " {word}={}", quoted(text)).unwrap();
    }
}

/// Writes a text in quotes, with escapes.
#[must_use]
pub fn quoted(text: &str) -> String {
    let escaped = text.escape_debug().to_string().replace("\\'", "'");
    format!("\"{escaped}\"")
}
