//! Declarative shadow roots, in chunks of any size: rows of a document and of what its body holds, written with shadow
//! roots; `~` stands for what an arm names. `none` is written where there is none. What is written is read as the same.

use tagstream::tree::{Edge, Serializer};
use tagstream::{Document, Html, Node, TreeBuilder};
use testing::rows::{Row, rows_of_names};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    for row in rows_of_names(include_str!("../data/shadow.txt")) {
        program.case(row.name("html/shadow roots"), move || check(&row));
    }
}

fn check(row: &Row) -> Result<(), Failed> {
    let html = match &*row.context {
        "fragment" => Html::fragment("div")?,
        _ => Html::default(),
    };
    let html = html.shadow_roots(row.context != "off");
    for size in [usize::MAX, 1, 3] {
        let mut builder = TreeBuilder::new(html.clone());
        for chunk in row.input.chunks(size) {
            builder.feed(chunk)?;
        }
        let document = builder.finish()?;
        let found = written(&document)?;
        match (roots(&document), &*row.events) {
            (0, "none") => {}
            (0, _) => return Err("no shadow root".into()),
            _ => row.compare(&found)?,
        }
        if row.context.is_empty() && row.events != "none" {
            let again = Document::parse(html.clone(), format!("<body>{found}"))?;
            assert_eq!(written(&again)?, found);
            assert_eq!(roots(&again), roots(&document));
        }
    }
    Ok(())
}

fn roots(document: &Document) -> usize {
    let edges = document
        .root()
        .edges()
        .through_templates()
        .through_shadow_roots();
    let is_root =
        |edge: &Edge<Node<'_>>| matches!(edge, Edge::Open(node) if node.as_shadow_root().is_some());
    edges.filter(is_root).count()
}

/// What is in the body, or in the document.
fn written(document: &Document) -> Result<String, Failed> {
    let mut nodes = document.root().descendants();
    let body = nodes.find(|node| node.name() == "body");
    let inner = Serializer::html().inner(true).shadow_roots(true);
    let in_body = inner.to_string(body.unwrap_or(document.root()))?;
    match in_body.is_empty() || document.root_element().is_none() {
        // All of it is in the head.
        true => Ok(inner.to_string(document.root())?),
        false => Ok(in_body),
    }
}
