//! The related positions of errors, such as a start tag, the first attribute of the same name, or a declaration. They
//! are the same for every cut, even if the parser has discarded the related part of the input.

use tagstream::{
    Dialect, EntityPlace, Event, Html, LeafXml, MicroXml, Parser, Related, Sizes, Sky, Span,
    Status, Xml,
};
use testing::cases::{self, Case};
use testing::event_text;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/related.txt");
    let cases = cases::cases("tests/data/related.txt", text);
    cases::add(program, cases, |_| "core/related", check);
}

fn check(case: &Case) -> Result<(), String> {
    match case.option("dialect").unwrap_or_default() {
        "xml" if case.has("fragment") => {
            check_in(case, &[Xml::strict(), Xml::default()].map(Xml::fragment))
        }
        "xml" => {
            let has_entity = case.text("entity").is_some();
            let reading = |xml: Xml| xml.external_entities(has_entity);
            check_in(case, &[Xml::strict(), Xml::default()].map(reading))
        }
        "microxml" => check_in(case, &[MicroXml::strict(), MicroXml::default()]),
        "leafxml" => check_in(case, &[LeafXml::default()]),
        "sky" => check_in(case, &[Sky::fragment()]),
        "html" => check_in(case, &[Html::default()]),
        other => Err(format!("no dialect {other}")),
    }
}

fn check_in<D: Dialect>(case: &Case, dialects: &[D]) -> Result<(), String> {
    let input = encoded(case);
    let entity = case.bytes("entity").unwrap_or_default();
    for dialect in dialects {
        // With small buffers, the related part of the input is discarded before the error is found.
        for sizes in [Sizes::USUAL, Sizes::all(1), Sizes::all(8)] {
            let parser = || Parser::new(dialect.clone()).inspect_sizes(sizes);
            for size in 1..=input.len() {
                let found = first(parser(), &entity, input.chunks(size));
                let compared = case.expect("error", &found);
                compared.map_err(|problem| format!("{sizes:?}, by {size}: {problem}"))?;
            }
            for cut in 1..input.len() {
                let (one, two) = input.split_at(cut);
                let found = first(parser(), &entity, [one, two].into_iter());
                let compared = case.expect("error", &found);
                compared.map_err(|problem| format!("{sizes:?}, cut at {cut}: {problem}"))?;
            }
        }
    }
    Ok(())
}

/// Returns the input in the encoding of the case.
fn encoded(case: &Case) -> Vec<u8> {
    let input = case.input();
    let text = || String::from_utf8_lossy(&input).into_owned();
    match case.option("encoding") {
        Some("utf-16le") => text().encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Some("utf-16be") => text().encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => input,
    }
}

/// Returns the first error.
fn first<'i, D: Dialect>(
    parser: Parser<D>,
    entity: &[u8],
    chunks: impl Iterator<Item = &'i [u8]>,
) -> String {
    let mut parser = parser.report_errors(true);
    for chunk in chunks.map(Some).chain([None]) {
        match chunk {
            Some(chunk) => parser.feed(chunk),
            None => parser.finish(),
        }
        loop {
            match parser.next_event() {
                Ok(Some(Event::ParseError(error))) => {
                    let related = error.related();
                    let owned = parser.current().expect("the current event").to_owned();
                    let Event::ParseError(owned) = owned.event() else {
                        panic!("another event is current");
                    };
                    assert_eq!(owned.related(), related, "of the owned event");
                    return shown(owned.code().as_str(), owned.span(), related.as_ref());
                }
                Ok(Some(_)) => {}
                Ok(None) => {
                    if !matches!(parser.status(), Status::NeedsEntity(_)) {
                        break;
                    }
                    parser.feed_entity(entity);
                    parser.finish_entity(None);
                }
                Err(error) => return shown(error.as_str(), error.span(), error.related()),
            }
        }
    }
    String::new()
}

/// Returns the error, the kind, position and byte range of its related position, and both positions in the entity.
fn shown(code: &str, span: Span, related: Option<&Related>) -> String {
    let place = |related: &Related| {
        let place = (related.relation(), related.position(), related.span());
        format!(", {} {} {}", place.0, place.1, place.2)
    };
    let inside =
        |place: &EntityPlace| format!(", in the entity {} {}", place.position(), place.span());
    let entity = related.and_then(Related::entity);
    event_text::error(code, span)
        + &related.map(place).unwrap_or_default()
        + &entity.map(inside).unwrap_or_default()
}
