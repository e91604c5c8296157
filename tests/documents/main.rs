//! The dialects against their documents: rows for every state, arm, production, sentence and constraint,
//! each read the same for every cut, and every event as early as it can be.
//!
//! `tests/data/*.txt` are the rows; `testing/src/rows.rs` says how they are written.

mod c14n;
mod edits;
mod forms;
mod html_balanced;
mod html_blocks;
mod html_construction;
mod html_events;
mod html_schema;
mod html_spans;
mod leafxml;
mod microxml;
mod positions;
mod related;
mod rewrite;
mod sanitizer;
mod sanitizer_parsing;
mod select;
mod shadow;
mod sky;
mod sky_host;
mod trees;
mod values;
mod writer;
mod written;
mod xml_encodings;
mod xml_er;
mod xml_errors;

use std::process::ExitCode;
use tagstream::Limits;
use testing::cuts;
use testing::rows::Row;
use testing::run::Program;

fn main() -> ExitCode {
    let mut program = Program::default();
    program.leave_out_in_quick(cuts::LEFT_OUT);
    edits::add(&mut program);
    c14n::add(&mut program);
    forms::add(&mut program);
    html_balanced::add(&mut program);
    html_events::add(&mut program);
    html_construction::add(&mut program);
    html_schema::add(&mut program);
    html_spans::add(&mut program);
    leafxml::add(&mut program);
    microxml::add(&mut program);
    rewrite::add(&mut program);
    positions::add(&mut program);
    sanitizer::add(&mut program);
    sanitizer_parsing::add(&mut program);
    select::add(&mut program);
    shadow::add(&mut program);
    values::add(&mut program);
    related::add(&mut program);
    sky::add(&mut program);
    sky_host::add(&mut program);
    trees::add(&mut program);
    writer::add(&mut program);
    written::add(&mut program);
    xml_encodings::add(&mut program);
    xml_er::add(&mut program);
    xml_errors::add(&mut program);
    program.run()
}

/// That nothing is missing.
fn none(missing: &[String]) -> Result<(), String> {
    match missing.is_empty() {
        true => Ok(()),
        false => Err(missing.join("\n")),
    }
}

/// The limits that rows are read with.
fn limits(row: &Row) -> Limits {
    match &*row.context {
        "limited" => Limits::none().depth(3).name(4).attributes(2).token(40),
        _ => Limits::default(),
    }
}
