//! Canonical XML: the examples of the Recommendation, and rows for what it says beside them.

use tagstream::tree::C14n;
use tagstream::{Document, Html, WriteError, Xml};
use testing::rows::unescaped;
use testing::run::Program;

const ROWS: &str = include_str!("../data/c14n.txt");

pub(crate) fn add(program: &mut Program) {
    let mut section = "";
    for line in ROWS.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            section = name;
        } else if !line.is_empty() && !line.starts_with("# ") {
            let is_html = section == "trees of HTML";
            let name = format!("xml/c14n, {section}: {line}");
            program.case(name, move || check(line, is_html));
        }
    }
}

fn check(line: &str, is_html: bool) {
    let (form, rest) = match line.strip_prefix("- ") {
        Some(rest) => (C14n::WithoutComments, rest),
        None => (C14n::WithComments, line),
    };
    let (input, wanted) = rest.rsplit_once(" => ").expect("a document");
    let wanted = String::from_utf8(unescaped(wanted)).expect("text");
    let document = match is_html {
        true => Document::parse(Html::default(), unescaped(input)).expect("HTML"),
        false => Document::parse(Xml::strict(), unescaped(input)).expect("well-formed"),
    };
    let found = match document.to_c14n(form) {
        Ok(found) => found,
        Err(WriteError::Refused(refusal)) => format!("!{}", refusal.as_str()),
        Err(error) => panic!("{error}"),
    };
    assert_eq!(found, wanted);
    if !found.starts_with('!') {
        let again = Document::parse(Xml::strict(), &*found).expect("well-formed");
        assert_eq!(again.to_c14n(form).expect("it is in this form"), found);
    }
}
