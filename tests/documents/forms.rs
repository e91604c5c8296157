//! The forms of controls, in chunks of any size: rows of a document and the elements that may have a form, each with
//! the id of its form; `-` stands for none, and `none` where there is no such element. `~` stands for what an arm names.

use tagstream::tree::Edge;
use tagstream::{Document, Html, Limits, Node, TreeBuilder, TreeSink};
use testing::rows::{Row, rows_of_names};
use testing::run::{Failed, Program};

const CONTROLS: [&str; 8] = [
    "button", "fieldset", "img", "input", "object", "output", "select", "textarea",
];

pub(crate) fn add(program: &mut Program) {
    for row in rows_of_names(include_str!("../data/forms.txt")) {
        program.case(row.name("html/forms"), move || check(&row));
    }
}

fn check(row: &Row) -> Result<(), Failed> {
    let html = match &*row.context {
        "form" => Html::fragment("form")?,
        _ => Html::default(),
    };
    let limits = match &*row.context {
        "deep" => Limits::default().depth(4),
        _ => Limits::default(),
    };
    for size in [usize::MAX, 1, 3] {
        let mut builder = TreeBuilder::new(html.clone().shadow_roots(true)).limits(limits);
        for chunk in row.input.chunks(size) {
            builder.feed(chunk)?;
        }
        builder = TreeBuilder::restore(html.clone().shadow_roots(true), &builder.checkpoint())?;
        let mut document = builder.finish()?;
        if row.context == "moved" {
            let last = document.root().descendants().last().ok_or("a node")?;
            let above = last.ancestors().nth(1).ok_or("a place")?.id();
            let last = last.id();
            TreeSink::append(&mut document, above, last);
        }
        row.compare(&told(&document))?;
        row.compare(&told(&document.clone()))?;
        document.compact();
        row.compare(&told(&document))?;
    }
    Ok(())
}

fn told(document: &Document) -> String {
    let edges = document.root().edges();
    let edges = edges.through_templates().through_shadow_roots();
    let told = |edge: Edge<Node<'_>>| match edge {
        Edge::Open(node) if CONTROLS.contains(&node.name()) => {
            let form = node.form();
            let id = form.and_then(|form| form.attribute("id"));
            Some(format!("{} {}", node.name(), id.unwrap_or("-")))
        }
        Edge::Open(node) => {
            assert_eq!(node.form(), None);
            None
        }
        Edge::Close(_) => None,
    };
    match edges.filter_map(told).collect::<Vec<_>>().join(", ") {
        told if told.is_empty() => "none".to_owned(),
        told => told,
    }
}
