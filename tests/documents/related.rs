//! What errors refer to, beside their own places: start tags, first attributes, declarations. The same for
//! every cut, where what is referred to is long gone too.

use tagstream::{
    Dialect, EntityPlace, Event, Html, LeafXml, MicroXml, Parser, Related, Sizes, Sky, Span,
    Status, Xml,
};
use testing::rows::{Row, rows};
use testing::run::Program;

const ROWS: &str = include_str!("../data/related.txt");

pub(crate) fn add(program: &mut Program) {
    for row in rows(ROWS) {
        program.case(row.name("core/related"), move || check(&row));
    }
}

fn check(row: &Row) -> Result<(), String> {
    match &*row.context {
        "xml" => check_in(
            row,
            &[Xml::strict(), Xml::default()].map(|xml| asking(row, xml)),
        ),
        "fragment" => check_in(row, &[Xml::strict().fragment(), Xml::default().fragment()]),
        "microxml" => check_in(row, &[MicroXml::strict(), MicroXml::default()]),
        "leafxml" => check_in(row, &[LeafXml::default()]),
        "sky" => check_in(row, &[Sky::fragment()]),
        "html" => check_in(row, &[Html::default()]),
        other => Err(format!("no dialect {other}")),
    }
}

/// External entities are read where the row has one.
fn asking(row: &Row, xml: Xml) -> Xml {
    xml.external_entities(row.entity.is_some())
}

fn check_in<D: Dialect>(row: &Row, dialects: &[D]) -> Result<(), String> {
    let input = written(row);
    for dialect in dialects {
        // Where all is small, what an error refers to has left when it comes.
        for sizes in [Sizes::USUAL, Sizes::all(1), Sizes::all(8)] {
            let parser = || Parser::new(dialect.clone()).inspect_sizes(sizes);
            for size in 1..=input.len() {
                let found = first(parser(), row, input.chunks(size));
                let told = row.compare(&found);
                told.map_err(|problem| format!("{sizes:?}, by {size}: {problem}"))?;
            }
            for cut in 1..input.len() {
                let (one, two) = input.split_at(cut);
                let found = first(parser(), row, [one, two].into_iter());
                let told = row.compare(&found);
                told.map_err(|problem| format!("{sizes:?}, cut at {cut}: {problem}"))?;
            }
        }
    }
    Ok(())
}

/// The input in the encoding of the row.
fn written(row: &Row) -> Vec<u8> {
    let units = || String::from_utf8_lossy(&row.input).into_owned();
    match &*row.arm {
        "UTF-16LE" => units().encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => units().encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => row.input.clone(),
    }
}

/// The first error.
fn first<'i, D: Dialect>(
    parser: Parser<D>,
    row: &Row,
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
                    let owned = parser.current().expect("it is in hand").to_owned();
                    let Event::ParseError(owned) = owned.event() else {
                        panic!("another event is in hand");
                    };
                    assert_eq!(owned.related(), related, "of what is kept");
                    return told(owned.code().as_str(), owned.span(), related.as_ref());
                }
                Ok(Some(_)) => {}
                Ok(None) => {
                    if !matches!(parser.status(), Status::NeedsEntity(_)) {
                        break;
                    }
                    parser.feed_entity(row.entity.as_deref().unwrap_or_default());
                    parser.finish_entity(None);
                }
                Err(error) => return told(error.as_str(), error.span(), error.related()),
            }
        }
    }
    String::new()
}

fn told(code: &str, span: Span, related: Option<&Related>) -> String {
    let told = |related: &Related| {
        let place = (related.relation(), related.position(), related.span());
        format!(" {} {} {}", place.0, place.1, place.2)
    };
    let inside = |place: &EntityPlace| format!(" in {} {}", place.position(), place.span());
    let entity = related.and_then(Related::entity);
    let (related, entity) = (related.map(told), entity.map(inside));
    format!(
        "{code}@{span}{}{}",
        related.unwrap_or_default(),
        entity.unwrap_or_default()
    )
}
