//! HTML as a balanced stream: a row for each of its rules, the same events for every cut.
//!
//! An element is `name(attribute="value")(another="value")[ … ]`, `*` before it if no tag wrote it, `~` before or
//! behind it if its start or its end is moved; `~` stands before other events that are. `#` is before a comment, `?` an
//! instruction, `D` a DOCTYPE, `+` before the name of an element that gets attributes.

use std::fmt::Write;
use tagstream::{Attributes, Encoding, Event, Html, Limits, Nested, Parser};
use testing::pull::Pull;
use testing::rows::{Row, rows};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    for row in rows(include_str!("../data/html-balanced.txt")) {
        program.case(row.name("html/balanced"), move || check(&row));
    }
}

/// The parser that a context names.
fn parser(context: &str) -> Parser<Html, Nested> {
    let (option, value) = context.split_once(' ').unwrap_or((context, ""));
    let html = match option {
        "in" => Html::fragment(value).expect("a context"),
        "scripting" => Html::default().scripting(true),
        _ => Html::default(),
    };
    let parser = Parser::new(html.encoding(Encoding::UTF_8)).balanced();
    match option {
        // One event of two may wait.
        "limited" => parser.limits(Limits::default().depth(512).memory(64 * 600)),
        "errors" => parser.report_errors(true),
        _ => parser,
    }
}

fn check(row: &Row) -> Result<(), Failed> {
    for size in [usize::MAX, 1, 2, 3, 7] {
        let mut out = String::new();
        let mut parser = parser(&row.context);
        let mut take = |parser: &mut Parser<Html, Nested>| -> Result<(), Failed> {
            while let Some(event) = parser.pull()? {
                write_event(&mut out, &event)?;
            }
            Ok(())
        };
        for chunk in row.input.chunks(size) {
            parser.feed(chunk);
            take(&mut parser)?;
        }
        parser.finish();
        take(&mut parser)?;
        row.compare(out.trim_end())?;
    }
    Ok(())
}

fn write_event(out: &mut String, event: &Event<'_>) -> Result<(), Failed> {
    let moved = if event.is_moved() { "~" } else { "" };
    match event {
        Event::Start(tag) => {
            let implied = if tag.is_implied() { "*" } else { "" };
            write!(out, "{moved}{implied}{}", tag.name())?;
            write_attributes(out, tag.attributes())?;
            out.push_str("[ ");
        }
        Event::End(_) => write!(out, "]{moved} ")?,
        Event::Text(text) => write!(out, "{moved}{:?} ", text.as_str())?,
        Event::Comment(comment) => write!(out, "{moved}#{:?} ", comment.as_str())?,
        Event::ProcessingInstruction(found) => {
            write!(out, "{moved}?{}{:?} ", found.target(), found.data())?;
        }
        Event::Doctype(doctype) => write!(out, "D{:?} ", doctype.name())?,
        Event::Attributes(added) => {
            write!(out, "+{}", added.name())?;
            write_attributes(out, added.attributes())?;
            out.push(' ');
        }
        Event::ParseError(error) => write!(out, "!{} ", error.code())?,
        other => write!(out, "{other:?} ")?,
    }
    Ok(())
}

fn write_attributes(out: &mut String, attributes: Attributes<'_>) -> Result<(), Failed> {
    for attribute in attributes {
        write!(out, "({}={:?})", attribute.name(), attribute.value())?;
    }
    Ok(())
}
