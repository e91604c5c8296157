//! Trees of MicroXML and Sky; and of plain documents: elements, attributes, text and the five references,
//! well-formed by all four documents of the XML-like dialects, give the same tree in all of them, however
//! they are fed.
//!
//! What is plain is what no dialect reads in a way of its own: names of elements that begin in ASCII,
//! tags without tabs, values without white space but single spaces inside, text of white space alone
//! only inside a `t`, no script, style or template, characters in NFC.

use tagstream::{Buildable, MicroXml, Sky, TreeBuilder};
use testing::compare::plain::plain;
use testing::pull::built;
use testing::random_cases::Feed;
use testing::rows::{Row, rows};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    for row in rows(include_str!("../data/trees.txt")) {
        let name = format!("{}/tree of {:?}", row.section, row.written);
        program.case(name, move || match &*row.section {
            "microxml" => tree(MicroXml::default(), &row),
            "sky" => tree(Sky::fragment(), &row),
            _ => Ok(row.compare(&plain(Feed::WHOLE, &row.input)?)?),
        });
    }
}

fn tree(dialect: impl Buildable, row: &Row) -> Result<(), Failed> {
    for size in [1, 3, usize::MAX] {
        let builder = TreeBuilder::new(dialect.clone());
        row.compare(&built(builder, row.input.chunks(size))?.to_html())?;
    }
    Ok(())
}
