//! Canonical XML: the examples of the Recommendations, and further cases of their rules.

use crate::edits;
use tagstream::tree::C14n;
use tagstream::xpath::{XPath, XPathNode};
use tagstream::{Document, Html, Node, WriteError, Xml};
use testing::cases::{self, Case};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let text = include_str!("../data/c14n.txt");
    let cases = cases::cases("tests/data/c14n.txt", text);
    cases::add(program, cases, |_| "xml/c14n", check);
    program.case("xml/c14n, the contents of a template", contents);
}

/// The contents of a template are several nodes without a parent. Each element has the namespaces in scope of the template,
/// and its `xml:` attributes.
fn contents() -> Result<(), Failed> {
    let page = "<template xml:lang=en><b>1</b>2<!--3--><i xml:lang=fr></i></template>";
    let document = Document::parse(Html::default(), page)?;
    let mut all = document.root().descendants();
    let contents = all.find_map(|node| node.template_contents());
    let contents = contents.ok_or("the page has a template")?;
    let found = contents.to_c14n(C14n::inclusive().comments(true))?;
    let xmlns = r#"xmlns="http://www.w3.org/1999/xhtml""#;
    let b = format!(r#"<b {xmlns} xml:lang="en">1</b>"#);
    let wanted = format!(r#"{b}2<!--3--><i {xmlns} xml:lang="fr"></i>"#);
    assert_eq!(found, wanted);
    let first = contents.first_child().ok_or("the template is not empty")?;
    assert_eq!(first.to_c14n(C14n::inclusive())?, b);
    Ok(())
}

fn check(case: &Case) -> Result<(), Failed> {
    let form = match case.option("form") {
        Some("exclusive") => C14n::exclusive(),
        _ => C14n::inclusive(),
    };
    let prefixes = case.option("prefixes").unwrap_or_default();
    let form = form
        .comments(case.option("comments") != Some("off"))
        .inclusive_prefixes(prefixes);
    let mut document = match case.option("dialect") {
        Some("html") => Document::parse(Html::default(), case.input())?,
        _ => Document::parse(Xml::strict(), case.input())?,
    };
    let more = String::from_utf8(case.bytes("with").unwrap_or_default())?;
    for edit in case.texts("edit") {
        edits::change(&mut document, edit, &more)??;
    }
    let node = selected(case, &document)?;
    let found = match node.to_c14n(form) {
        Ok(found) => found,
        Err(WriteError::Refused(refusal)) => return Ok(case.expect("error", refusal.as_str())?),
        Err(error) => return Err(error.into()),
    };
    case.expect("markup", &found)?;
    if node.is_element() || node == document.root() {
        let again = Document::parse(Xml::strict(), &*found)?;
        assert_eq!(again.to_c14n(form)?, found, "canonical XML stays the same");
    }
    Ok(())
}

/// Returns the node that `xpath:` selects, or the document.
fn selected<'d>(case: &Case, document: &'d Document) -> Result<Node<'d>, Failed> {
    let Some(expression) = case.text("xpath") else {
        return Ok(document.root());
    };
    let nodes: Vec<XPathNode<'_>> = document.xpath(&XPath::new(expression)?)?.collect();
    match &nodes[..] {
        [XPathNode::Node(node)] => Ok(*node),
        nodes => Err(format!("{expression} selects {} nodes", nodes.len()).into()),
    }
}
