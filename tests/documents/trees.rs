//! Trees of MicroXML and Sky, and trees of plain documents, which are the same in all four dialects that resemble XML.
//!
//! A plain document contains only elements, attributes, text and the five predefined references, and nothing that the
//! dialects treat differently: names of elements begin with an ASCII letter; tags contain no tabs; attribute values
//! contain no whitespace except single spaces between words; text that is only whitespace is inside a `t`; there is no
//! script, style or template; and all characters are in NFC.

use tagstream::{Buildable, Document, MicroXml, Sky, TreeBuilder, Xml};
use testing::cases::{self, Case};
use testing::compare::plain::plain;
use testing::pull::built;
use testing::random_cases::Feed;
use testing::run::{Failed, Program};
use testing::tree_text;

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/trees.txt");
    let cases = cases::cases("tests/data/trees.txt", text);
    cases::add(program, cases, prefix, check);
}

fn prefix(case: &Case) -> &'static str {
    match case.option("dialect") {
        Some("microxml") => "microxml/trees",
        Some("sky") => "sky/trees",
        _ => "core/trees",
    }
}

fn check(case: &Case) -> Result<(), Failed> {
    match case.option("dialect") {
        Some("microxml") => tree(MicroXml::default(), case),
        Some("sky") => tree(Sky::fragment(), case),
        _ => {
            plain(Feed::whole(), &case.input())?;
            let document = Document::parse(Xml::default(), case.input())?;
            Ok(case.expect("tree", &tree_text::of_xml(&document))?)
        }
    }
}

fn tree(dialect: impl Buildable, case: &Case) -> Result<(), Failed> {
    for size in [1, 3, usize::MAX] {
        let builder = TreeBuilder::new(dialect.clone());
        let document = built(builder, case.input().chunks(size))?;
        case.expect("markup", &document.to_html())?;
    }
    Ok(())
}
