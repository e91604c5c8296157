//! Where the nodes of trees stand: rows of a dialect, a document and its nodes with their spans, the same for every
//! size of chunk. `!` is before a comment, `?` before an instruction, `-` stands for none.

use tagstream::{
    Buildable, Encoding, Html, LeafXml, MicroXml, Node, NodeKind, Sky, TreeBuilder, Xml,
};
use testing::rows::{Row, rows};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    for row in rows(include_str!("../data/positions.txt")) {
        program.case(row.name("core/positions"), move || check(&row));
    }
}

fn check(row: &Row) -> Result<(), Failed> {
    let (dialect, encoding) = row
        .context
        .split_once(' ')
        .unwrap_or((&row.context, "utf-8"));
    match dialect {
        "html" => {
            let encoding = Encoding::for_label(encoding).ok_or("an encoding")?;
            cut(&Html::default().encoding(encoding), row)
        }
        "xml" => cut(&Xml::default(), row),
        "microxml" => cut(&MicroXml::default(), row),
        "sky" => cut(&Sky::fragment(), row),
        _ => cut(&LeafXml::default(), row),
    }
}

fn cut<D: Buildable>(dialect: &D, row: &Row) -> Result<(), Failed> {
    for size in [usize::MAX, 1, 2, 5] {
        let mut builder = TreeBuilder::new(dialect.clone()).positions(true);
        for chunk in row.input.chunks(size) {
            builder.feed(chunk)?;
        }
        let document = builder.finish()?;
        let nodes = document.root().descendants().map(|node| told(&node));
        row.compare(&nodes.collect::<Vec<_>>().join(", "))?;
        for node in document.root().descendants() {
            assert_eq!(node.span().is_some(), node.position().is_some());
        }
    }
    Ok(())
}

fn told(node: &Node<'_>) -> String {
    let name = match node.kind() {
        NodeKind::Text => format!("{:?}", node.text()),
        NodeKind::Comment => format!("!{:?}", node.text()),
        NodeKind::ProcessingInstruction => format!("?{}", node.name()),
        _ => node.name().to_owned(),
    };
    match node.span() {
        Some(span) => format!("{name} {}..{}", span.start, span.end),
        None => format!("{name} -"),
    }
}
