//! A short notation for events, and rows of input and events in it. What it means stands at the top
//! of the file of rows.

use super::feeding::dump::Pull;
use bytes::Bytes;
use std::fmt::Write;
use tagstream::{Event, Status};

/// One input and its events.
pub(crate) struct Row {
    pub(crate) section: String,
    pub(crate) arm: String,
    pub(crate) input: String,
    pub(crate) events: String,
}

impl Row {
    /// The name of its test.
    pub(crate) fn name(&self) -> String {
        format!("{}, {}: {:?}", self.section, self.arm, self.input)
    }
}

/// The rows of a file, one for each arm.
pub(crate) fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut section = "";
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            section = name;
        } else if !line.is_empty() && !line.starts_with("# ") && line != "#" {
            let (arms, rest) = line.split_once(" | ").expect("arms");
            let (input, events) = rest.rsplit_once(" => ").expect("events");
            for arm in arms.split(" / ") {
                let place = character(arm);
                rows.push(Row {
                    section: section.to_owned(),
                    arm: arm.to_owned(),
                    input: unescape(input).replace("{}", &place),
                    events: events.replace("{}", &place.escape_debug().to_string()),
                });
            }
        }
    }
    rows
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

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('s') => out.push(' '),
            Some('u') => {
                let digits: String = characters.by_ref().skip(1).take_while(|c| *c != '}').collect();
                let number = u32::from_str_radix(&digits, 16).expect("a number");
                out.push(char::from_u32(number).expect("a character"));
            }
            other => out.extend(other),
        }
    }
    out
}

/// The events of an input, in the notation.
pub(crate) fn read(mut parser: impl Pull, input: &[u8]) -> String {
    let mut words = Vec::new();
    parser.feed(Bytes::copy_from_slice(input));
    parser.finish();
    loop {
        match parser.pull() {
            Ok(Some(event)) => words.push(word(&event)),
            Ok(None) => break,
            Err(error) => {
                words.push(format!("Err {}", error.as_str()));
                break;
            }
        }
    }
    assert_ne!(parser.status(), Status::NeedsInput);
    words.join(" ")
}

fn name(name: &str, namespace: Option<&str>) -> String {
    match namespace {
        None => name.to_owned(),
        Some("http://www.w3.org/2000/xmlns/") => format!("{{xmlns}}{name}"),
        Some("http://www.w3.org/XML/1998/namespace") => format!("{{xml}}{name}"),
        Some(namespace) => format!("{{{namespace}}}{name}"),
    }
}

fn word(event: &Event<'_>) -> String {
    let mut out = String::new();
    match event {
        Event::Start(tag) => {
            write!(out, "+{}", name(tag.name(), tag.namespace())).unwrap();
            let attributes: Vec<String> = tag
                .attributes()
                .map(|one| {
                    format!("{}={}", name(one.name(), one.namespace()), quoted(one.value()))
                })
                .collect();
            if !attributes.is_empty() {
                write!(out, "({})", attributes.join(" ")).unwrap();
            }
            out.push_str(if tag.is_self_closing() { "/" } else { "" });
        }
        Event::End(tag) => {
            write!(out, "-{}", name(tag.name(), tag.namespace())).unwrap();
            out.push_str(if tag.is_short() { "~" } else { "" });
        }
        Event::Text(text) => out.push_str(&quoted(text.as_str())),
        Event::Comment(comment) => write!(out, "#{}", quoted(comment.as_str())).unwrap(),
        Event::ProcessingInstruction(instruction) => {
            let (target, data) = (instruction.target(), instruction.data());
            write!(out, "?{target}{}", quoted(data)).unwrap();
        }
        Event::Doctype(doctype) => {
            write!(out, "D{}", quoted(doctype.name())).unwrap();
            optional(&mut out, 'P', doctype.public_id());
            optional(&mut out, 'S', doctype.system_id());
        }
        Event::Declaration(declaration) => {
            out.push('X');
            out.push_str(&declaration.version().map(quoted).unwrap_or_default());
            optional(&mut out, 'E', declaration.encoding());
            let standalone = declaration.standalone();
            optional(&mut out, 'S', standalone.map(|yes| if yes { "yes" } else { "no" }));
        }
        Event::SkippedEntity(entity) => write!(out, "&{};", entity.name()).unwrap(),
        Event::ParseError(error) => write!(out, "!{}", error.code()).unwrap(),
        other => write!(out, "{other:?}").unwrap(),
    }
    out
}

fn quoted(text: &str) -> String {
    let escaped = text.escape_debug().to_string().replace("\\'", "'");
    format!("\"{escaped}\"")
}

fn optional(out: &mut String, letter: char, text: Option<&str>) {
    if let Some(text) = text {
        write!(out, "{letter}{}", quoted(text)).unwrap();
    }
}
