//! The form owners of controls, for chunks of several sizes, after a clone, a checkpoint and a compaction.

use tagstream::tree::Edge;
use tagstream::{Document, Html, Limits, Node, TreeBuilder, TreeSink};
use testing::cases::{self, Case};
use testing::run::{Failed, Program};

const CONTROLS: [&str; 8] = [
    "button", "fieldset", "img", "input", "object", "output", "select", "textarea",
];

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/forms.txt");
    let cases = cases::cases("tests/data/forms.txt", text);
    cases::add(program, cases, |_| "html/forms", check);
}

fn check(case: &Case) -> Result<(), Failed> {
    let html = match case.option("fragment") {
        Some(context) => Html::fragment(context)?,
        None => Html::default(),
    };
    let limits = case.limits(Limits::default());
    for size in [usize::MAX, 1, 3] {
        let mut builder = TreeBuilder::new(html.clone().shadow_roots(true)).limits(limits);
        for chunk in case.input().chunks(size) {
            builder.feed(chunk)?;
        }
        builder = TreeBuilder::restore(html.clone().shadow_roots(true), &builder.checkpoint())?;
        let mut document = builder.finish()?;
        if case.option("last-element") == Some("moved-to-grandparent") {
            let last = document.root().descendants().last().ok_or("a node")?;
            let above = last.ancestors().nth(1).ok_or("a grandparent")?.id();
            let last = last.id();
            TreeSink::append(&mut document, above, last);
        }
        case.expect("markup", &owners(&document))?;
        case.expect("markup", &owners(&document.clone()))?;
        document.compact();
        case.expect("markup", &owners(&document))?;
    }
    Ok(())
}

/// The start tag of each control, with the id of its form owner as its only attribute.
fn owners(document: &Document) -> String {
    let edges = document.root().edges();
    let edges = edges.through_templates().through_shadow_roots();
    let tag = |edge: Edge<Node<'_>>| match edge {
        Edge::Open(node) if CONTROLS.contains(&node.name()) => {
            let form = node.form();
            let id = form.and_then(|form| form.attribute("id"));
            let form = id.map_or(String::new(), |id| format!(" form=\"{id}\""));
            Some(format!("<{}{form}>", node.name()))
        }
        Edge::Open(node) => {
            assert_eq!(node.form(), None);
            None
        }
        Edge::Close(_) => None,
    };
    edges.filter_map(tag).collect()
}
