//! The dialects, checked against their specifications: cases for every state, arm, production, sentence and constraint.
//! Each case has the same events for every cut, and each event is delivered as early as possible.
//!
//! The cases are in `tests/data/*.txt`, in the format that `testing/src/cases.rs` describes.

mod c14n;
mod edits;
mod element_source;
mod event_facts;
mod format;
mod forms;
mod html_balanced;
mod html_construction;
mod html_events;
mod html_in_order;
mod html_schema;
mod html_spans;
mod inner_text;
mod leafxml;
mod microxml;
mod owned;
mod pieces;
mod positions;
mod related;
mod rewrite;
mod rewrite_encodings;
mod rewrite_errors;
mod rewrite_pieces;
mod rewrite_selectors;
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
mod xpath;

use std::process::ExitCode;
use tagstream::Limits;
use testing::cases::Case;
use testing::cuts;
use testing::run::Program;

fn main() -> ExitCode {
    let mut program = Program::default();
    program.leave_out_in_quick(cuts::LEFT_OUT);
    edits::add(&mut program);
    element_source::add(&mut program);
    event_facts::add(&mut program);
    c14n::add(&mut program);
    format::add(&mut program);
    forms::add(&mut program);
    html_balanced::add(&mut program);
    html_events::add(&mut program);
    html_in_order::add(&mut program);
    html_construction::add(&mut program);
    html_schema::add(&mut program);
    html_spans::add(&mut program);
    inner_text::add(&mut program);
    leafxml::add(&mut program);
    microxml::add(&mut program);
    rewrite::add(&mut program);
    rewrite_encodings::add(&mut program);
    rewrite_errors::add(&mut program);
    rewrite_pieces::add(&mut program);
    rewrite_selectors::add(&mut program);
    owned::add(&mut program);
    pieces::add(&mut program);
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
    xpath::add(&mut program);
    program.run()
}

/// Returns an error if a list of missing cases is not empty.
fn none(missing: &[String]) -> Result<(), String> {
    match missing.is_empty() {
        true => Ok(()),
        false => Err(missing.join("\n")),
    }
}

/// Returns the limits of a case: only the limits that its options set, or the defaults.
fn limits(case: &Case) -> Limits {
    match case.has("name-limit") {
        true => case.limits(Limits::none()),
        false => Limits::default(),
    }
}
