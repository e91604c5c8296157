//! What XML refuses, production by production and constraint by constraint: the code and its place,
//! of both modes, for every cut. Every code has a row.

#[path = "feeding/escapes.rs"]
mod escapes;
mod feeding;

use feeding::cuts::{check_cuts, check_pieces};
use libtest_mimic::{Arguments, Failed, Trial};
use std::process::ExitCode;
use tagstream::{Event, Parser, Status, TextPolicy, Xml};

const ROWS: &str = include_str!("data/xml-errors.txt");

/// A document, with its external entity if it has one, and what is wrong with it: its code and span,
/// and the span in the entity if it is in that.
struct Row {
    wanted: String,
    document: Vec<u8>,
    entity: Option<Vec<u8>>,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let (mut section, mut seen) = ("", Vec::new());
    for line in ROWS.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            section = name;
        } else if !line.is_empty() && line != "#" && !line.starts_with("# ") {
            let (wanted, text) = match line.strip_prefix("+ ") {
                Some(text) => ("", text),
                None => line.split_once(" | ").expect("a code and a document"),
            };
            seen.push(wanted.split(' ').next().unwrap_or_default());
            let (document, entity) = match text.split_once(" || ") {
                Some((document, entity)) => {
                    let (_, text) = entity.split_once(" = ").expect("a name and a text");
                    (document, Some(bytes(text)))
                }
                None => (text, None),
            };
            let row = Row {
                wanted: wanted.to_owned(),
                document: bytes(document),
                entity,
            };
            let name = format!("{section}: {text:?} {wanted}");
            trials.push(Trial::test(name, move || check(&row)));
        }
    }
    for code in tagstream::xml::errors::ALL {
        let found = seen.contains(&code.as_str());
        trials.push(Trial::test(format!("a row for {code}"), move || {
            found.then_some(()).ok_or_else(|| "there is none".into())
        }));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Text with its escapes resolved; `\xHH` is a byte.
fn bytes(text: &str) -> Vec<u8> {
    let mut pieces = text.split("\\x");
    let mut bytes = escapes::unescape(pieces.next().unwrap_or_default()).into_bytes();
    for piece in pieces {
        let (digits, rest) = piece.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
        bytes.extend_from_slice(escapes::unescape(rest).as_bytes());
    }
    bytes
}

fn check(row: &Row) -> Result<(), Failed> {
    for dialect in [Xml::strict(), Xml::default()] {
        let found = first(dialect, row);
        if found != row.wanted {
            return Err(format!("{dialect:?}: wanted {:?}, found {found:?}", row.wanted).into());
        }
        if row.entity.is_none() {
            check_cuts(|| Parser::new(dialect).errors(true), &row.document);
            let pieces = || Parser::new(dialect).text(TextPolicy::Pieces);
            check_pieces(|| Parser::new(dialect), pieces, &row.document);
        }
    }
    Ok(())
}

/// The first error: its code and span.
fn first(dialect: Xml, row: &Row) -> String {
    let asks = row.entity.is_some();
    let mut parser = Parser::new(dialect.external_entities(asks)).errors(true);
    parser.feed_slice(&row.document);
    parser.finish();
    loop {
        match parser.next_event() {
            Ok(Some(Event::ParseError(error))) => {
                let place = error.entity().map(|place| format!(" in {}", place.span()));
                return format!(
                    "{} {}{}",
                    error.code(),
                    error.span(),
                    place.unwrap_or_default()
                );
            }
            Ok(Some(_)) => {}
            Ok(None) => {
                if !matches!(parser.status(), Status::NeedsEntity(_)) {
                    return String::new();
                }
                parser.feed_entity(row.entity.as_deref().unwrap_or_default());
                parser.finish_entity(None);
            }
            Err(error) => {
                let place = error.entity().map(|place| format!(" in {}", place.span()));
                return format!(
                    "{} {}{}",
                    error.as_str(),
                    error.span(),
                    place.unwrap_or_default()
                );
            }
        }
    }
}
