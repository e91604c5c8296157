//! The positions of the nodes of trees: the nodes of each document with their byte ranges, for chunks of several sizes.

use tagstream::{
    Buildable, Encoding, Html, LeafXml, MicroXml, Node, NodeKind, Sky, TreeBuilder, Xml,
};
use testing::cases::{self, Case};
use testing::event_text::quoted;
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/positions.txt");
    let cases = cases::cases("tests/data/positions.txt", text);
    cases::add(program, cases, |_| "core/positions", check);
}

fn check(case: &Case) -> Result<(), Failed> {
    match case.option("dialect") {
        Some("html") => {
            let encoding = case.option("encoding").unwrap_or("utf-8");
            let encoding = Encoding::for_label(encoding).ok_or("an encoding")?;
            cut(&Html::default().encoding(encoding), case)
        }
        Some("xml") => cut(&Xml::default(), case),
        Some("microxml") => cut(&MicroXml::default(), case),
        Some("sky") => cut(&Sky::fragment(), case),
        _ => cut(&LeafXml::default(), case),
    }
}

fn cut<D: Buildable>(dialect: &D, case: &Case) -> Result<(), Failed> {
    for size in [usize::MAX, 1, 2, 5] {
        let mut builder = TreeBuilder::new(dialect.clone()).positions(true);
        for chunk in case.input().chunks(size) {
            builder.feed(chunk)?;
        }
        let document = builder.finish()?;
        let nodes = document.root().descendants().map(|node| shown(&node));
        case.expect("events", &nodes.collect::<Vec<_>>().join(", "))?;
        for node in document.root().descendants() {
            assert_eq!(node.span().is_some(), node.position().is_some());
        }
    }
    Ok(())
}

/// Returns the event that begins a node, with the byte range of the node if it has one.
fn shown(node: &Node<'_>) -> String {
    let event = match node.kind() {
        NodeKind::Text => format!("text {}", quoted(node.text())),
        NodeKind::Comment => format!("comment {}", quoted(node.text())),
        NodeKind::ProcessingInstruction => format!("instruction {}", node.name()),
        _ => format!("start {}", node.name()),
    };
    match node.span() {
        Some(span) => format!("{event} {span}"),
        None => event,
    }
}
