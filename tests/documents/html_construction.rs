//! Trees of HTML, with the parse errors of tree construction and the mode of the document. Each case of
//! `tests/data/html-construction.txt` fails if one fact of the implementation changes, such as one token of a row of
//! the schema, one member of a set of elements, or one condition of a procedure. Facts that the tree-construction suite
//! or `tests/data/html-schema.txt` tests are not repeated here.
//!
//! `TAGSTREAM_REWRITE=1 cargo test --test documents html/construction` replaces the expected results; review the
//! difference before you commit it.

use crate::html_events::dialect;
use tagstream::{Event, Html, TreeBuilder};
use testing::cases::{self, Case};
use testing::event_text;
use testing::run::{Failed, Program};
use testing::tree_text;

pub(crate) fn add(program: &mut Program) {
    let path = testing::source::root().join("tests/data/html-construction.txt");
    if std::env::var_os("TAGSTREAM_REWRITE").is_some() {
        cases::rewrite(&path, |case| lines(builder(case), case));
    }
    let text = std::fs::read_to_string(path).expect("the cases");
    let cases = cases::cases("tests/data/html-construction.txt", &text);
    cases::add(program, cases, |_| "html/construction", check);
}

/// The results are the same with and without plans.
fn check(case: &Case) -> Result<(), Failed> {
    let by_plans = lines(builder(case), case);
    let by_rows = lines(builder(case).without_plans(), case);
    if by_plans != by_rows {
        return Err(format!("by plans:\n{by_plans:?}\nby rows:\n{by_rows:?}").into());
    }
    for key in ["error", "mode", "tree"] {
        let found = by_plans.iter().filter(|(of, _)| *of == key);
        let found: Vec<&str> = found.map(|(_, value)| value.as_str()).collect();
        case.expect(key, &found.join("\n"))?;
    }
    Ok(())
}

fn builder(case: &Case) -> TreeBuilder<Html> {
    TreeBuilder::new(dialect(case)).report_errors(true)
}

/// Returns the errors with their byte ranges, the mode, and the tree.
fn lines(mut builder: TreeBuilder<Html>, case: &Case) -> Vec<(&'static str, String)> {
    builder.supply(case.input());
    builder.supply_end();
    let mut found = Vec::new();
    while let Some(event) = builder.next_event().expect("HTML has no fatal errors") {
        if let Event::ParseError(error) = event {
            let error = event_text::error(error.code().as_str(), error.span());
            found.push(("error", error));
        }
    }
    let document = builder.into_sink();
    match document.root_element().filter(|_| case.has("fragment")) {
        Some(root) => found.push(("tree", tree_text::below_html(root))),
        None => {
            found.push(("mode", format!("{:?}", document.quirks_mode())));
            found.push(("tree", tree_text::of_html(&document)));
        }
    }
    found
}
