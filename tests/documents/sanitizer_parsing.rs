//! Sanitizers that filter while they parse: the tree of each document, for a cut at each character.

use crate::sanitizer::configured;
use tagstream::{Document, Html};
use testing::cases::{self, Case};
use testing::run::{Failed, Program};
use testing::tree_text;

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/sanitizer-parsing.txt");
    let cases = cases::cases("tests/data/sanitizer-parsing.txt", text);
    cases::add(program, cases, |_| "html/sanitizer/parsing", check);
}

fn check(case: &Case) -> Result<(), Failed> {
    let (sanitizer, context) = configured(case)?;
    let input = case.input_text()?;
    let html = Html::fragment(&context)?;
    let found = tree(&sanitizer.parse(&html, &input)?)?;
    case.expect("tree", &found)?;
    for (cut, _) in input.char_indices() {
        let (before, after) = input.split_at(cut);
        let (document, _) = sanitizer.parse_chunks(&html, &[before, after])?;
        let of_chunks = tree(&document)?;
        if of_chunks != found {
            return Err(format!("cut at {cut}:\n{of_chunks}").into());
        }
    }
    Ok(())
}

fn tree(document: &Document) -> Result<String, Failed> {
    let root = document.root_element().ok_or("a root")?;
    Ok(tree_text::below_html(root))
}
