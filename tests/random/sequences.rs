//! Sequences of edits of the documents of `tests/data/edit-sequences.txt`.

use testing::cases::{self, Case};
use testing::effort;
use testing::rewriting;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/edit-sequences.txt");
    let cases = cases::cases("tests/data/edit-sequences.txt", text);
    cases::add(program, cases, prefix, check);
}

fn check(case: &Case) -> Result<(), String> {
    let seed = effort::seed(0x7365_7175);
    rewriting::sequences::check(case, seed).map_err(|wrong| format!("seed {seed}: {wrong}"))
}

fn prefix(case: &Case) -> &'static str {
    match case.option("dialect") {
        Some("html") => "html/edit sequences",
        Some("microxml") => "microxml/edit sequences",
        Some("sky") => "sky/edit sequences",
        Some("leafxml") => "leafxml/edit sequences",
        _ => "xml/edit sequences",
    }
}
