//! The tree-construction suite: after every token, the summaries of the stack of open elements equal those that a
//! search down the stack computes.

use std::path::Path;
use tagstream::{Encoding, Html, Limits};
use testing::invariants::html_stack::stack;
use testing::random_cases::Feed;
use testing::run::Program;
use testing::suites::tree_cases;

pub(crate) fn add(folder: &Path, program: &mut Program) {
    for case in tree_cases(folder) {
        program.case(format!("html/stack of {}", case.name), move || {
            let html = case
                .context
                .as_deref()
                .map_or_else(Html::default, |context| {
                    Html::fragment(context).expect("a context")
                });
            let html = html.scripting(case.scripting[0]).encoding(Encoding::UTF_8);
            stack(html, Limits::none(), Feed::whole(), case.input.as_bytes())
        });
    }
}
