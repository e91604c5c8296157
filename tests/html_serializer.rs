//! The serializer cases of html5lib-tests that describe the standard's own algorithm.

#[path = "feeding/suites.rs"]
mod suites;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;
use tagstream::tree::{QualifiedName, namespaces};
use tagstream::{Document, TreeSink};

/// What other algorithms write: values without quotes or in single ones, a DOCTYPE's identifier.
const NOT_OURS: [&str; 4] = [
    "proper attribute value non-quoting (with <)",
    "proper attribute value non-quoting (with linetab)",
    "proper attribute value quoting (with \")",
    "HTML 4.01 DOCTYPE without system identifier",
];

fn main() -> ExitCode {
    suites::run("html/serializer", cases)
}

fn cases(folder: &Path) -> Vec<Trial> {
    let text = std::fs::read_to_string(folder.join("core.test")).expect("a file of cases");
    let json: Value = serde_json::from_str(&text).expect("a file of JSON");
    let tests = json["tests"].as_array().expect("tests");
    let ours = tests.iter().filter(|test| {
        let title = test["description"].as_str().unwrap_or_default();
        !NOT_OURS.contains(&title)
    });
    let trials: Vec<Trial> = ours
        .map(|test| {
            let title = test["description"].as_str().unwrap_or_default();
            let test = test.clone();
            Trial::test(format!("{title:?}"), move || check(&test))
        })
        .collect();
    assert_eq!(trials.len(), 12);
    trials
}

fn check(test: &Value) -> Result<(), Failed> {
    let (document, ends) = built(&test["input"]);
    let wanted = test["expected"][0].as_str().expect("one output").to_owned() + &ends;
    let found = document.to_html();
    if wanted != found {
        return Err(format!("{}\nwanted: {wanted:?}\nfound:  {found:?}", test["input"]).into());
    }
    Ok(())
}

/// The tree of the tokens, and the end tags that they lack: a tree's elements have them all.
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
                document.append(parent, element);
                if name != "img" {
                    parent = element;
                    ends = format!("</{name}>{ends}");
                }
            }
            "Characters" => document.append_text(parent, text(1)),
            "Doctype" => {
                let doctype = document.create_doctype(text(1), None, None);
                document.append(parent, doctype);
            }
            other => panic!("an unknown token: {other}"),
        }
    }
    (document, ends)
}
