//! Events in a few words each: the notation of all rows in `tests/data`.
//!
//! `+name(attribute="value")` is a start tag, with `/` after it an empty one; `-name` an end tag, with
//! `~` after it a short one, with `^` one that is not written; `"text"`, `#"comment"`, `?target"data"`,
//! `D"doctype"` with `P"public"`, `S"system"` and `Q` where it forces quirks, `X"version"` with
//! `E"encoding"` and `S"standalone"`, `&skipped;`, `@"encoding"` a late change of it, `!error`; and
//! `Err error@span` what ended the parse. `{namespace}` stands before a name that is in one.

use crate::pull::Pull;
use bytes::Bytes;
use std::fmt::Write;
use tagstream::{Event, Status};

/// The events of an input, in the notation.
pub fn read(mut parser: impl Pull, input: &[u8]) -> String {
    let mut words = Vec::new();
    parser.feed(Bytes::copy_from_slice(input));
    parser.finish();
    loop {
        match parser.pull() {
            Ok(Some(event)) => words.push(word(&event)),
            Ok(None) => break,
            Err(error) => {
                words.push(format!("Err {}@{}", error.as_str(), error.span()));
                break;
            }
        }
    }
    assert!(!matches!(
        parser.status(),
        Status::NeedsInput | Status::HasEvents
    ));
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

/// Returns one event in the notation.
pub fn word(event: &Event<'_>) -> String {
    let mut out = String::new();
    match event {
        Event::Start(tag) => {
            write!(out, "+{}", name(tag.name(), tag.namespace())).unwrap();
            let attributes: Vec<String> = tag
                .attributes()
                .map(|one| {
                    format!(
                        "{}={}",
                        name(one.name(), one.namespace()),
                        quoted(one.value())
                    )
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
            out.push_str(if tag.is_implied() { "^" } else { "" });
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
            out.push_str(if doctype.force_quirks() { "Q" } else { "" });
        }
        Event::Declaration(declaration) => {
            out.push('X');
            out.push_str(&declaration.version().map(quoted).unwrap_or_default());
            optional(&mut out, 'E', declaration.encoding());
            let standalone = declaration.standalone();
            optional(
                &mut out,
                'S',
                standalone.map(|yes| if yes { "yes" } else { "no" }),
            );
        }
        Event::SkippedEntity(entity) => write!(out, "&{};", entity.name()).unwrap(),
        Event::EncodingChange(change) => write!(out, "@{}", quoted(change.label())).unwrap(),
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
