//! The cases of the schema, read from `tests/data/html-schema.txt` and run.

use std::fs;
use std::path::PathBuf;
use tagstream::{Encoding, Event, Html, TreeBuilder};
use testing::cases::{self, Case};
use testing::event_text;
use testing::tree_text;

/// A case. It has the same name as the row that it needs.
#[derive(Clone, Debug)]
pub(crate) struct SchemaCase {
    pub(crate) case: Case,
    html: Html,
}

/// The result of a case.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The parse errors with their byte ranges, one per line.
    errors: String,
    tree: String,
    /// The number of steps that the tree construction took.
    steps: u64,
}

fn path() -> PathBuf {
    testing::source::root().join("tests/data/html-schema.txt")
}

/// Returns all cases.
pub(crate) fn cases() -> Vec<SchemaCase> {
    let text = fs::read_to_string(path()).expect("the cases");
    let cases = cases::cases("tests/data/html-schema.txt", &text);
    cases.into_iter().map(SchemaCase::new).collect()
}

/// Writes the cases with their current results.
pub(crate) fn rewrite() {
    cases::rewrite(&path(), |case| {
        let found = SchemaCase::new(case.clone()).run(Rules::Usual);
        let errors = found
            .errors
            .lines()
            .map(|error| ("error", error.to_owned()));
        errors.chain([("tree", found.tree.clone())]).collect()
    });
}

impl SchemaCase {
    fn new(case: Case) -> SchemaCase {
        let html = match case.option("fragment") {
            Some(context) => Html::fragment(context).expect("a context"),
            None => Html::default(),
        };
        let html = html.scripting(case.has("scripting"));
        SchemaCase {
            html: html.encoding(Encoding::UTF_8),
            case,
        }
    }

    /// Compares a result with the expected one.
    pub(crate) fn compare(&self, found: &Found) -> Result<(), String> {
        self.case.expect("error", &found.errors)?;
        self.case.expect("tree", &found.tree)
    }

    /// Builds the tree with these rules.
    pub(crate) fn run(&self, rules: Rules) -> Found {
        let mut builder = TreeBuilder::new(self.html.clone()).report_errors(true);
        match rules {
            Rules::Usual => {}
            Rules::WithoutPlans => builder = builder.without_plans(),
            Rules::WithoutRow(row) => assert!(builder.drop_row(row), "there are fewer rows"),
        }
        builder.supply(self.case.input());
        builder.supply_end();
        let mut errors = Vec::new();
        while let Some(event) = builder.next_event().expect("HTML has no fatal errors") {
            if let Event::ParseError(error) = event {
                errors.push(event_text::error(error.code().as_str(), error.span()));
            }
        }
        let steps = builder.steps();
        let document = builder.into_sink();
        let tree = match (self.case.has("fragment"), document.root_element()) {
            (true, Some(root)) => tree_text::below_html(root),
            _ => tree_text::of_html(&document),
        };
        Found {
            errors: errors.join("\n"),
            tree,
            steps,
        }
    }
}

/// The rules that the tree construction follows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rules {
    /// The rules that every program uses.
    Usual,
    /// The rows of the schema, without the plans that are derived from them.
    WithoutPlans,
    /// The schema without the row of this number.
    WithoutRow(usize),
}
