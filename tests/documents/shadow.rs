//! Declarative shadow roots, for chunks of several sizes: the content of the body with its shadow roots. Parsing the
//! output results in the same tree.

use tagstream::tree::{Edge, Serializer};
use tagstream::{Document, Html, Node, TreeBuilder};
use testing::cases::{self, Case};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/shadow.txt");
    let cases = cases::cases("tests/data/shadow.txt", text);
    cases::add(program, cases, |_| "html/shadow roots", check);
}

fn check(case: &Case) -> Result<(), Failed> {
    let html = match case.option("fragment") {
        Some(context) => Html::fragment(context)?,
        None => Html::default(),
    };
    let is_off = case.option("shadow-roots") == Some("off");
    let html = html.shadow_roots(!is_off);
    let has_none = case.has("without-shadow-root");
    for size in [usize::MAX, 1, 3] {
        let mut builder = TreeBuilder::new(html.clone());
        for chunk in case.input().chunks(size) {
            builder.feed(chunk)?;
        }
        let document = builder.finish()?;
        let found = written(&document)?;
        if (roots(&document) == 0) != has_none {
            return Err(format!("{} shadow roots: {found}", roots(&document)).into());
        }
        if has_none {
            continue;
        }
        case.expect("markup", &found)?;
        if !case.has_options() {
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

/// Returns the content of the body, or of the document if the body is empty.
fn written(document: &Document) -> Result<String, Failed> {
    let mut nodes = document.root().descendants();
    let body = nodes.find(|node| node.name() == "body");
    let inner = Serializer::html().inner(true).shadow_roots(true);
    let in_body = inner.to_string(body.unwrap_or(document.root()))?;
    match in_body.is_empty() || document.root_element().is_none() {
        // The content is in the head.
        true => Ok(inner.to_string(document.root())?),
        false => Ok(in_body),
    }
}
