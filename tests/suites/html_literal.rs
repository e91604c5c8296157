//! The steps of the standard as they are written, on the tree-construction suite: what the random
//! documents are compared with builds what the suite wants.

use std::path::Path;
use testing::model::html::construction::Construction;
use testing::model::html::tree::Order;
use testing::run::Program;
use testing::suites::{TreeCase, tree_cases};

pub(crate) fn add(folder: &Path, program: &mut Program) {
    for case in tree_cases(folder) {
        program.case(format!("html/literal {}", case.name), move || check(&case));
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
