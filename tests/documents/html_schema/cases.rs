//! The cases of the schema, read from `tests/data/html-schema.txt` and run.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use tagstream::{Encoding, Event, Html, TreeBuilder};
use testing::tree_formats::TreeFormats as _;

/// A case, and the row that it needs.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) row: String,
    /// On one line: `\n` and `\0` stand for characters.
    pub(crate) input: String,
    /// The context of a fragment.
    context: Option<String>,
    scripting: bool,
    /// The parse errors with their spans, then the tree.
    pub(crate) wanted: String,
}

fn path() -> PathBuf {
    testing::source::root().join("tests/data/html-schema.txt")
}

/// All cases.
pub(crate) fn cases() -> Vec<Case> {
    let text = fs::read_to_string(path()).expect("the cases");
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(row) = line.strip_prefix("#row ") {
            cases.push(Case {
                row: row.to_owned(),
                input: String::new(),
                context: None,
                scripting: false,
                wanted: String::new(),
            });
            continue;
        }
        let case = cases.last_mut().expect("a row first");
        if let Some(input) = line.strip_prefix("#input ") {
            case.input = input.to_owned();
        } else if let Some(context) = line.strip_prefix("#in ") {
            case.context = Some(context.to_owned());
        } else if line == "#scripting" {
            case.scripting = true;
        } else {
            case.wanted += &format!("{line}\n");
        }
    }
    cases
}

/// Writes the cases with what they give now.
pub(crate) fn rewrite(cases: &[Case]) {
    let mut text = String::new();
    for case in cases {
        writeln!(text, "#row {}\n#input {}", case.row, case.input).unwrap();
        if let Some(context) = &case.context {
            writeln!(text, "#in {context}").unwrap();
        }
        if case.scripting {
            text += "#scripting\n";
        }
        writeln!(text, "{}", case.run(Rules::Usual).0).unwrap();
    }
    fs::write(path(), text).expect("the cases");
}

impl Case {
    /// The errors and the tree of the case, and the number of steps that the construction took.
    pub(crate) fn run(&self, rules: Rules) -> (String, u64) {
        let html = match &self.context {
            Some(context) => Html::fragment(context).expect("a context"),
            None => Html::default(),
        };
        let html = html.scripting(self.scripting).encoding(Encoding::UTF_8);
        let mut builder = TreeBuilder::new(html).report_errors(true);
        match rules {
            Rules::Usual => {}
            Rules::WithoutPlans => builder = builder.without_plans(),
            Rules::WithoutRow(row) => assert!(builder.drop_row(row), "there are fewer rows"),
        }
        builder.supply(self.input.replace("\\n", "\n").replace("\\0", "\0"));
        builder.supply_end();
        let mut found = String::new();
        while let Some(event) = builder.next_event().expect("HTML has no fatal errors") {
            if let Event::ParseError(error) = event {
                writeln!(found, "#error {} {}", error.code().as_str(), error.span()).unwrap();
            }
        }
        let steps = builder.steps();
        let document = builder.into_sink();
        found += &match (&self.context, document.root_element()) {
            (Some(_), Some(root)) => root.to_html5lib(),
            _ => document.to_html5lib(),
        };
        (found, steps)
    }
}

/// The rules that a case is run by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rules {
    /// Those of every program.
    Usual,
    /// The rows of the schema, without the plans that are derived from them.
    WithoutPlans,
    /// The schema without the row of this number.
    WithoutRow(usize),
}
