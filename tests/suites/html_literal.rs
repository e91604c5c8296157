//! The steps of the standard as they are written, on the tree-construction suite: what the random
//! documents are compared with builds what the suite wants, and what the stack of open elements says at
//! once is what the standard finds out by walking down it.

use std::path::Path;
use testing::compare::html::stack;
use testing::drawn::Feed;
use testing::model::html::construction::Construction;
use testing::model::html::tree::Order;
use testing::run::Program;
use testing::suites::{TreeCase, tree_cases};

pub(crate) fn add(folder: &Path, program: &mut Program) {
    for case in tree_cases(folder) {
        let name = case.name.clone();
        let walked = case.clone();
        program.case(format!("html/stack of {name}"), move || {
            let (context, scripting) = (walked.context.as_deref(), walked.scripting[0]);
            stack(context, scripting, Feed::WHOLE, walked.input.as_bytes())
        });
        program.case(format!("html/literal {name}"), move || check(&case));
    }
}

fn check(case: &TreeCase) {
    for &scripting in &case.scripting {
        let mut construction = Construction::new(&case.input, case.context.as_deref(), scripting);
        let top = construction.run();
        let built = construction.tree.outline(top, Order::Sorted);
        assert_eq!(built, case.tree, "{:?}", case.input);
    }
}
