//! Properties of events that tell how the event is written in the input: each tag with the byte range of its name, and
//! the words of [`facts`].
//!
//! `TAGSTREAM_REWRITE=1 cargo test --test documents core/event-facts` replaces the expected results; review the difference
//! before you commit it.

use crate::html_events;
use std::fmt::Write;
use tagstream::microxml::Revision;
use tagstream::{
    Balance, Encoding, Event, Form, LeafXml, MicroXml, OwnedEvent, Parser, Sizes, Sky, Xml,
};
use testing::cases::{self, Case};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let path = testing::source::root().join("tests/data/event-facts.txt");
    if std::env::var_os("TAGSTREAM_REWRITE").is_some() {
        cases::rewrite(&path, |case| {
            let found = events(case, &case.input(), usize::MAX, Sizes::USUAL);
            vec![("events", found.expect("a dialect"))]
        });
    }
    let text = std::fs::read_to_string(path).expect("the cases");
    let cases = cases::cases("tests/data/event-facts.txt", &text);
    cases::add(program, cases, |_| "core/event-facts", check);
}

/// The events are the same for each cut.
fn check(case: &Case) -> Result<(), Failed> {
    let input = case.input();
    case.expect("events", &events(case, &input, usize::MAX, Sizes::USUAL)?)?;
    for chunk in [1, 2, 3, 7] {
        for sizes in [Sizes::USUAL, Sizes::all(1)] {
            let found = events(case, &input, chunk, sizes)?;
            let compared = case.expect("events", &found);
            compared.map_err(|problem| format!("in chunks of {chunk}: {problem}"))?;
        }
    }
    Ok(())
}

/// Reads an input in the dialect of a case.
fn events(case: &Case, input: &[u8], chunk: usize, sizes: Sizes) -> Result<String, Failed> {
    let read = (case, input, chunk, sizes);
    Ok(match case.option("dialect") {
        Some("xml") => of(Xml::default(), read),
        Some("strict") => of(Xml::strict(), read),
        Some("microxml") => of(MicroXml::default(), read),
        Some("microxml-final") => of(MicroXml::default().revision(Revision::Final), read),
        Some("sky") => of(Sky::fragment(), read),
        Some("leafxml") => of(
            LeafXml::default()
                .comments(true)
                .processing_instructions(true)
                .doctype(true),
            read,
        ),
        Some("html") => match case.option("encoding") {
            Some(label) => {
                let encoding = Encoding::for_label(label).ok_or("an encoding")?;
                of(html_events::dialect(case).encoding(encoding), read)
            }
            None => of(html_events::dialect(case), read),
        },
        other => return Err(format!("no such dialect: {other:?}").into()),
    })
}

type Read<'c> = (&'c Case, &'c [u8], usize, Sizes);

fn of<D: Balance>(dialect: D, read: Read<'_>) -> String {
    let parser = Parser::new(dialect);
    match read.0.has("balanced") {
        true => pull(parser.balanced_in_order(), read),
        false => pull(parser, read),
    }
}

fn pull<D: Balance, F: Form>(parser: Parser<D, F>, (_, input, chunk, sizes): Read<'_>) -> String {
    let mut parser = parser.inspect_sizes(sizes);
    let mut found = Vec::new();
    let mut take = |parser: &mut Parser<D, F>| {
        while let Ok(Some(event)) = parser.next_event() {
            let line = facts(&event);
            let owned: OwnedEvent = event.to_owned();
            assert_eq!(line, facts(&owned.event()), "the owned event");
            found.push(line);
        }
    };
    for piece in input.chunks(chunk) {
        parser.feed(piece);
        take(&mut parser);
    }
    parser.finish();
    take(&mut parser);
    found.join(", ")
}

/// Writes the kind, the name and the properties of an event.
fn facts(event: &Event<'_>) -> String {
    let (mut line, name) = match event {
        Event::Start(tag) => (format!("start {}", tag.name()), Some(tag.name_span())),
        Event::End(tag) => (format!("end {}", tag.name()), Some(tag.name_span())),
        Event::Text(text) => (format!("text {:?}", text.as_str()), None),
        Event::Comment(comment) => (format!("comment {:?}", comment.as_str()), None),
        Event::ProcessingInstruction(it) => (format!("instruction {}", it.target()), None),
        Event::Doctype(doctype) => (format!("doctype {}", doctype.name()), None),
        Event::SkippedEntity(entity) => (format!("skipped {}", entity.name()), None),
        Event::Declaration(_) => ("declaration".to_owned(), None),
        other => (format!("{other:?}"), None),
    };
    write!(line, " {}", event.span()).expect("a string");
    if let Some(name) = name {
        write!(line, " name {name}").expect("a string");
    }
    let is_foreign = matches!(event, Event::Start(tag) if tag.is_foreign());
    for (fact, word) in [
        (is_foreign, " foreign"),
        (!event.is_complete(), " incomplete"),
        (event.is_from_entity(), " from-entity"),
    ] {
        line += if fact { word } else { "" };
    }
    line
}
