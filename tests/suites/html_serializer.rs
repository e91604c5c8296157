//! The serializer cases of html5lib-tests that describe the algorithm of the HTML standard.

use serde_json::Value;
use std::path::Path;
use tagstream::tree::{QualifiedName, namespaces};
use tagstream::{Document, TreeSink};
use testing::run::Program;
use testing::suites::json_cases;

/// Cases of other algorithms: attribute values without quotes or in single quotes, and identifiers of a DOCTYPE.
const NOT_OURS: [&str; 4] = [
    "proper attribute value non-quoting (with <)",
    "proper attribute value non-quoting (with linetab)",
    "proper attribute value quoting (with \")",
    "HTML 4.01 DOCTYPE without system identifier",
];

pub(crate) fn add(folder: &Path, program: &mut Program) {
    for test in json_cases(&folder.join("core.test")) {
        let title = test["description"].as_str().unwrap_or_default();
        if !NOT_OURS.contains(&title) {
            program.case(format!("html/serializer {title:?}"), move || check(&test));
        }
    }
}

fn check(test: &Value) {
    let (document, ends) = built(&test["input"]);
    let wanted = test["expected"][0].as_str().expect("one output").to_owned() + &ends;
    assert_eq!(document.to_html(), wanted, "{}", test["input"]);
}

/// Builds the tree of the tokens. Returns the tree, and the end tags that are missing in the tokens. The serializer
/// writes an end tag for every element.
fn built(tokens: &Value) -> (Document, String) {
    let mut document = Document::new();
    let html = document.namespace(namespaces::HTML);
    let mut parent = document.document();
    let mut ends = String::new();
    for token in tokens.as_array().expect("tokens") {
        let text = |index: usize| token[index].as_str().unwrap_or_default();
        match text(0) {
            kind @ ("StartTag" | "EmptyTag") => {
                let (name, attributes) = match kind {
                    "StartTag" => (text(2), &token[3]),
                    _ => (text(1), &token[2]),
                };
                let namespace = Some(html);
                let element = document.create_element(QualifiedName::unprefixed(name, namespace));
                for attribute in attributes.as_array().into_iter().flatten() {
                    let name = attribute["name"].as_str().expect("a name");
                    let value = attribute["value"].as_str().expect("a value");
                    document.add_attribute(element, QualifiedName::new(name), value);
                }
                TreeSink::append(&mut document, parent, element);
                if name != "img" {
                    parent = element;
                    ends = format!("</{name}>{ends}");
                }
            }
            "Characters" => TreeSink::append_text(&mut document, parent, text(1)),
            "Doctype" => {
                let doctype = document.create_doctype(text(1), None, None);
                TreeSink::append(&mut document, parent, doctype);
            }
            other => panic!("an unknown token: {other}"),
        }
    }
    (document, ends)
}
