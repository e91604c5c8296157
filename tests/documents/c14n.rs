//! Canonical XML: the examples of the Recommendation, and further cases of its rules.

use tagstream::tree::C14n;
use tagstream::{Document, Html, WriteError, Xml};
use testing::cases::{self, Case};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/c14n.txt");
    let cases = cases::cases("tests/data/c14n.txt", text);
    cases::add(program, cases, |_| "xml/c14n", check);
}

fn check(case: &Case) -> Result<(), Failed> {
    let form = match case.option("comments") {
        Some("off") => C14n::WithoutComments,
        _ => C14n::WithComments,
    };
    let document = match case.option("dialect") {
        Some("html") => Document::parse(Html::default(), case.input())?,
        _ => Document::parse(Xml::strict(), case.input())?,
    };
    let found = match document.to_c14n(form) {
        Ok(found) => found,
        Err(WriteError::Refused(refusal)) => return Ok(case.expect("error", refusal.as_str())?),
        Err(error) => return Err(error.into()),
    };
    case.expect("markup", &found)?;
    let again = Document::parse(Xml::strict(), &*found)?;
    assert_eq!(again.to_c14n(form)?, found, "canonical XML stays the same");
    Ok(())
}
