//! The times of expressions in two documents of the benches, beside those of lxml.

use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};
use tagstream::xpath::{XPath, XPathValue};
use tagstream::{Document, Html, Xml};
use testing::python::Python;

/// Number of evaluations, the shortest of which counts.
const RUNS: usize = 20;

/// The documents, with the expressions.
const EXPRESSIONS: [(&str, &[&str]); 2] = [
    (
        "vk.xml",
        &[
            "/registry/types/type/@name",
            "//member[@optional = 'true']",
            "count(//param[type = 'VkDevice'])",
            "//command/proto[starts-with(name, 'vkCmd')]/name",
            "//type[@category = 'struct']/member[1]",
            "count(//enum[not(@alias)]/preceding-sibling::enum[1])",
        ],
    ),
    (
        "wikipedia-2.html",
        &[
            "//a/@href",
            "//a[starts-with(@href, '/wiki/')]",
            "count(//li[a and not(ancestor::table)])",
            "//table//tr[td][last()]",
        ],
    ),
];

/// Measures the expressions, and prints the rows of a table.
pub(crate) fn run(folder: &str) -> Result<(), String> {
    let mut lxml = Python::start(include_str!("times.py"))?;
    println!(
        "| document | expression | values | tagstream | lxml | ratio |\n|---|---|---|---|---|---|"
    );
    for (name, expressions) in EXPRESSIONS {
        let path = Path::new(folder).join(name);
        let input = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let document = match name.ends_with(".html") {
            true => Document::parse(Html::default(), &*input),
            false => Document::parse(Xml::strict(), &*input),
        };
        let document = document.map_err(|error| error.to_string())?;
        let theirs: Vec<(f64, usize)> = lxml.ask(&json!({
            "path": path, "expressions": expressions, "runs": RUNS,
        }))?;
        for (expression, (seconds, values)) in expressions.iter().zip(theirs) {
            let (own, own_values) = measured(&document, expression)?;
            let own = own.as_secs_f64();
            if !name.ends_with(".html") && own_values != values {
                return Err(format!(
                    "{expression}: {own_values} values, and {values} by lxml"
                ));
            }
            println!(
                "| {name} | `{expression}` | {own_values} | {:.2} ms | {:.2} ms | {:.2} |",
                own * 1e3,
                seconds * 1e3,
                seconds / own
            );
        }
    }
    Ok(())
}

/// Returns the shortest time of an evaluation, and the number of nodes, or the number that is the value.
fn measured(document: &Document, expression: &str) -> Result<(Duration, usize), String> {
    let compiled = XPath::new(expression).map_err(|error| error.to_string())?;
    let (mut shortest, mut values) = (Duration::MAX, 0);
    for _ in 0..RUNS {
        let start = Instant::now();
        let value = compiled.evaluate(document.root());
        values = match value.map_err(|error| error.to_string())? {
            XPathValue::Nodes(nodes) => nodes.len(),
            value => value.to_number() as usize,
        };
        shortest = shortest.min(start.elapsed());
    }
    Ok((shortest, values))
}
