//! The engines: functions that parse a document and return its tree.

use crate::lexbor::{self, Seen};
use crate::tree::{Tree, attribute_name};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use tagstream::tree::Edge;
use tagstream::{Limits, Node, NodeKind, TreeBuilder};
use testing::generate::html::Case;
use testing::pull::built;

/// Returns the tree that tagstream builds.
pub fn tagstream(case: &Case) -> Tree {
    let builder = TreeBuilder::new(case.html()).limits(Limits::none());
    let document = built(builder, [case.text().as_bytes()]).expect("HTML has no fatal errors");
    match (case.context, document.root_element()) {
        // The nodes of a fragment are the content of the root element.
        (Some(_), Some(root)) => below(root),
        _ => below(document.root()),
    }
}

/// Returns the descendants of a node as a tree.
fn below(top: Node<'_>) -> Tree {
    let mut tree = Tree::default();
    let mut depth = 0_usize;
    for edge in top.edges().through_templates() {
        match edge {
            Edge::Open(node) if node == top => {}
            Edge::Open(node) => {
                push(&mut tree, depth, node);
                depth += 1;
            }
            Edge::Close(_) => depth = depth.saturating_sub(1),
        }
    }
    tree
}

fn push(tree: &mut Tree, depth: usize, node: Node<'_>) {
    match node.kind() {
        NodeKind::Element => {
            let namespace = node.namespace().unwrap_or_default();
            let attributes = node.attributes().map(|attribute| {
                let namespace = attribute.namespace().unwrap_or_default();
                (
                    attribute_name(namespace, attribute.local_name()),
                    attribute.value().to_owned(),
                )
            });
            tree.push_element(depth, namespace, node.local_name(), attributes);
        }
        NodeKind::Text => tree.push(depth, format!("{:?}", node.text())),
        NodeKind::Comment => tree.push(depth, format!("<!--{:?}-->", node.text())),
        NodeKind::Doctype => {
            let doctype = node.doctype().expect("a doctype");
            let public_id = doctype.public_id().unwrap_or_default();
            let system_id = doctype.system_id().unwrap_or_default();
            tree.push(depth, doctype_line(doctype.name(), public_id, system_id));
        }
        NodeKind::DocumentFragment => tree.push(depth, "content".to_owned()),
        _ => tree.push(depth, format!("<?{:?} {:?}>", node.name(), node.text())),
    }
}

fn doctype_line(name: &str, public_id: &str, system_id: &str) -> String {
    format!("<!DOCTYPE {name:?} {public_id:?} {system_id:?}>")
}

/// Returns the tree that lexbor builds, or `None` if the library was not built or does not support the case.
pub fn lexbor(case: &Case) -> Option<Tree> {
    let mut tree = Tree::default();
    let mut element: Option<(usize, &'static str, String)> = None;
    let mut doctype = (String::new(), String::new());
    let mut attributes: Vec<(String, String)> = Vec::new();
    let flush = |tree: &mut Tree,
                 element: &mut Option<(usize, &'static str, String)>,
                 attributes: &mut Vec<_>| {
        if let Some((depth, namespace, name)) = element.take() {
            tree.push_element(depth, namespace, &name, attributes.drain(..));
        }
    };
    let is_read = lexbor::walk(&case.text(), case.context, case.scripting, |depth, seen| {
        if let Seen::Attribute(namespace, name, value) = seen {
            let local = match namespace {
                "" => name,
                _ => name.split_once(':').map_or(name, |(_, local)| local),
            };
            attributes.push((attribute_name(namespace, local), value.to_owned()));
            return;
        }
        flush(&mut tree, &mut element, &mut attributes);
        match seen {
            Seen::Element(namespace, name) => element = Some((depth, namespace, name.to_owned())),
            Seen::Text(text) => tree.push(depth, format!("{text:?}")),
            Seen::Comment(text) => tree.push(depth, format!("<!--{text:?}-->")),
            Seen::Doctype(name, id) => doctype = (name.to_owned(), id.to_owned()),
            Seen::SystemId(id) => tree.push(depth, doctype_line(&doctype.0, &doctype.1, id)),
            Seen::Content => tree.push(depth, "content".to_owned()),
            Seen::Instruction(target, data) => {
                tree.push(depth, format!("<?{target:?} {data:?}>"));
            }
            Seen::Attribute(..) => {}
        }
    });
    flush(&mut tree, &mut element, &mut attributes);
    is_read.then_some(tree)
}

/// Returns the tree that html5ever builds.
pub fn html5ever(case: &Case) -> Option<Tree> {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: case.scripting,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let mut tree = Tree::default();
    let Some(context) = case.context else {
        let dom = html5ever::parse_document(RcDom::default(), options).one(case.text());
        dom.document
            .children
            .borrow()
            .iter()
            .for_each(|child| push_handle(&mut tree, 0, child));
        return Some(tree);
    };
    let dom = RcDom::default();
    let element =
        html5ever::interface::create_element(&dom, context_name(context), no_attributes());
    // "Set the parser's form element pointer to the nearest node to context that is a form element."
    let form = (context == "form").then(|| element.clone());
    let dom =
        html5ever::driver::parse_fragment_for_element(dom, options, element, case.scripting, form)
            .one(case.text());
    // The nodes of a fragment are the content of the root element.
    let root = dom.document.children.borrow()[0].clone();
    root.children
        .borrow()
        .iter()
        .for_each(|child| push_handle(&mut tree, 0, child));
    Some(tree)
}

fn no_attributes() -> Vec<Attribute> {
    Vec::new()
}

fn context_name(context: &str) -> QualName {
    let (namespace, name) = match context.split_once(' ') {
        Some(("svg", name)) => ("http://www.w3.org/2000/svg", name),
        Some((_, name)) => ("http://www.w3.org/1998/Math/MathML", name),
        None => ("http://www.w3.org/1999/xhtml", context),
    };
    QualName::new(None, Namespace::from(namespace), LocalName::from(name))
}

fn push_handle(tree: &mut Tree, depth: usize, node: &Handle) {
    let mut template = None;
    match &node.data {
        NodeData::Document => {}
        NodeData::Element {
            name,
            attrs,
            template_contents,
            ..
        } => {
            let attributes = attrs.borrow();
            let attributes = attributes.iter().map(|attribute| {
                (
                    attribute_name(&attribute.name.ns, &attribute.name.local),
                    attribute.value.to_string(),
                )
            });
            tree.push_element(depth, &name.ns, &name.local, attributes);
            template = template_contents.borrow().clone();
        }
        NodeData::Text { contents } => tree.push(depth, format!("{:?}", &**contents.borrow())),
        NodeData::Comment { contents } => tree.push(depth, format!("<!--{:?}-->", &**contents)),
        NodeData::Doctype {
            name,
            public_id,
            system_id,
        } => tree.push(depth, doctype_line(name, public_id, system_id)),
        NodeData::ProcessingInstruction { target, contents } => {
            tree.push(depth, format!("<?{:?} {:?}>", &**target, &**contents));
        }
    }
    if let Some(contents) = template {
        tree.push(depth + 1, "content".to_owned());
        contents
            .children
            .borrow()
            .iter()
            .for_each(|child| push_handle(tree, depth + 2, child));
    }
    node.children
        .borrow()
        .iter()
        .for_each(|child| push_handle(tree, depth + 1, child));
}
