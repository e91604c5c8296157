//! Tests of the public API, of trees, and of the rules for the source code.

mod any_dialect;
mod checkpoints;
mod chunks;
mod dependencies;
mod directions;
mod documentation;
mod documents;
mod entities;
mod errors;
mod front_page;
mod generated;
mod kept_events;
mod loops;
mod parser;
mod tidy;
mod tree;
mod values;

use std::process::ExitCode;
use tagstream::{Dialect, Error, Parser, Xml};
use testing::run::Program;

fn main() -> ExitCode {
    let mut program = Program::default();
    any_dialect::add(&mut program);
    checkpoints::add(&mut program);
    chunks::add(&mut program);
    dependencies::add(&mut program);
    directions::add(&mut program);
    documentation::add(&mut program);
    documents::add(&mut program);
    entities::add(&mut program);
    errors::add(&mut program);
    front_page::add(&mut program);
    generated::add(&mut program);
    kept_events::add(&mut program);
    loops::add(&mut program);
    parser::add(&mut program);
    tidy::add(&mut program);
    tree::add(&mut program);
    values::add(&mut program);
    program.run()
}

/// Creates a parser that has received a whole document.
fn fed<D: Dialect>(dialect: D, document: &str) -> Parser<D> {
    let mut parser = Parser::new(dialect);
    parser.feed(document.as_bytes());
    parser.finish();
    parser
}

/// Returns the `Debug` representations of the available events, or the error that ends them.
fn events(parser: &mut Parser<Xml>) -> Result<Vec<String>, Error> {
    let mut events = Vec::new();
    while let Some(event) = parser.next_event()? {
        events.push(format!("{event:?}"));
    }
    Ok(events)
}

/// Returns the events before the error that ends them, and the error.
fn until_error(parser: &mut Parser<Xml>) -> (Vec<String>, Error) {
    let mut events = Vec::new();
    loop {
        match parser.next_event() {
            Ok(Some(event)) => events.push(format!("{event:?}")),
            Ok(None) => panic!("no error after {events:?}"),
            Err(error) => return (events, error),
        }
    }
}
