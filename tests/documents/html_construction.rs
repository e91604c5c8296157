//! Trees of HTML, with the parse errors of tree construction and the mode of the document. Each case of
//! `tests/data/html-construction.txt` fails if one fact of the implementation changes, such as one token of a row of the
//! schema, one member of a set of elements, or one condition of a procedure. Facts that the tree-construction suite or
//! `tests/data/html-schema.txt` prove are not repeated here.

use crate::html_blocks::{self, Block};
use std::fmt::Write;
use tagstream::{Event, TreeBuilder};
use testing::run::Program;
use testing::tree_formats::TreeFormats as _;

pub(crate) fn add(program: &mut Program) {
    html_blocks::add(program, "html/construction", "html-construction.txt", find);
}

/// Returns the errors with their spans, the mode, and the tree. With and without plans, they are the same.
fn find(block: &Block) -> Result<String, String> {
    let builder = || TreeBuilder::new(block.html()).report_errors(true);
    let [by_plans, by_rows] = [builder(), builder().without_plans()].map(|one| lines(one, block));
    match by_plans == by_rows {
        true => Ok(by_plans),
        false => Err(format!("by plans:\n{by_plans}\nby rows:\n{by_rows}")),
    }
}

fn lines(mut builder: TreeBuilder<tagstream::Html>, block: &Block) -> String {
    builder.supply(block.input());
    builder.supply_end();
    let mut found = String::new();
    while let Some(event) = builder.next_event().expect("HTML has no fatal errors") {
        if let Event::ParseError(error) = event {
            writeln!(found, "#error {} {}", error.code().as_str(), error.span()).expect("a string");
        }
    }
    let document = builder.into_sink();
    let tree = match document.root_element().filter(|_| block.is_fragment()) {
        Some(root) => root.to_html5lib(),
        None => {
            writeln!(found, "#mode {:?}", document.quirks_mode()).expect("a string");
            document.to_html5lib()
        }
    };
    found + &tree
}
