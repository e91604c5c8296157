//! The tree-construction suite: after every token, the summaries of the stack of open elements equal those that a
//! search down the stack computes.

use std::path::Path;
use testing::invariants::html_stack::stack;
use testing::random_cases::Feed;
use testing::run::Program;
use testing::suites::tree_cases;

pub(crate) fn add(folder: &Path, program: &mut Program) {
    for case in tree_cases(folder) {
        program.case(format!("html/stack of {}", case.name), move || {
            let (context, scripting) = (case.context.as_deref(), case.scripting[0]);
            stack(context, scripting, Feed::whole(), case.input.as_bytes())
        });
    }
}
