//! Tree construction a second time, as the standard says it, step for step: its trees are those of the
//! suite, and those that tagstream builds of random documents. It is the standard of 2026-08-19, without
//! out-of-order streaming; what it says otherwise since then is noted where it matters.

#[path = "html_tree/cases.rs"]
mod cases;

use cases::TreeCase;
use libtest_mimic::{Arguments, Failed, Trial};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tagstream::tree::{Edge, NodeKind, namespaces};
use tagstream::{Encoding, Html, Limits, Node, TreeBuilder};
use testing::generate::html::{self as grammar, Case};
use testing::model::html::construction::Construction;
use testing::model::html::tree::{self, Namespace, Order};
use testing::random::Random;

/// So many random documents for each seed, unless `TAGSTREAM_DOCUMENTS` says how many.
const DOCUMENTS: usize = 50_000;

/// Of so many documents less than one may differ.
const DIFFERENT: usize = 1000;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        Trial::test("random documents of a fixed seed", || {
            documents(0x6c69_7465_7261_6c00)
        }),
        Trial::test("random documents of a fresh seed", || {
            documents(Random::fresh_seed())
        }),
    ];
    let suites = std::env::var_os("TAGSTREAM_SUITES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/suites"),
        PathBuf::from,
    );
    let suite = suites.join("html/tree-construction");
    let ignored = !suite.is_dir();
    let check_suite = move || {
        let cases = cases::tree_cases(&suite);
        assert!(cases.len() > 1500, "the suite has more cases");
        cases.iter().try_for_each(check_case)
    };
    trials.push(Trial::test("the suite", check_suite).with_ignored_flag(ignored));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// What the suite wants is what the standard's steps build.
fn check_case(case: &TreeCase) -> Result<(), Failed> {
    for &scripting in &case.scripting {
        let mut construction = Construction::new(&case.input, case.context.as_deref(), scripting);
        let top = construction.run();
        let built = construction.tree.outline(top, Order::Sorted);
        if built != case.tree {
            let name = &case.name;
            return Err(format!("{name}\nwanted:\n{}\nbuilt:\n{built}", case.tree).into());
        }
    }
    Ok(())
}

/// A tree as text, and the document's mode.
type Outline = String;

/// What the standard's steps build, and whether it may differ: where a node was moved beside a
/// `selectedcontent`. The library tells ancestors and the first of a select from the open elements, as
/// its documentation says.
fn built(case: &Case) -> (Outline, bool) {
    let document = case.tokens.concat();
    let mut construction = Construction::new(&document, case.context, case.scripting);
    construction.tokenizer.processing_instructions = case.processing_instructions;
    let top = construction.run();
    let outline = construction.tree.outline(top, Order::Source);
    let may_differ = construction.has_selectedcontent && construction.has_moved;
    (format!("{outline}{:?}\n", construction.quirks), may_differ)
}

/// What tagstream builds.
fn found(case: &Case) -> Outline {
    let html = case.context.map_or_else(Html::default, Html::fragment);
    let html = html
        .scripting(case.scripting)
        .processing_instructions(case.processing_instructions)
        .encoding(Encoding::UTF_8);
    let mut builder = TreeBuilder::new(html).limits(Limits::none());
    builder.feed(case.tokens.concat());
    builder.finish();
    builder.build().expect("HTML has no fatal errors");
    let document = builder.into_sink();
    // A fragment is what its root element holds.
    let top = match (case.context, document.root_element()) {
        (Some(_), Some(root)) => root,
        _ => document.root(),
    };
    format!("{}{:?}\n", outline(top), document.quirks_mode())
}

/// What is below a node.
fn outline(top: Node<'_>) -> Outline {
    let mut out = String::new();
    let mut depth = 0_usize;
    for edge in top.edges().through_templates() {
        match edge {
            Edge::Open(node) if node == top => {}
            Edge::Open(node) => {
                write_node(node, depth, &mut out);
                depth += 1;
            }
            Edge::Close(_) => depth = depth.saturating_sub(1),
        }
    }
    out
}

fn write_node(node: Node<'_>, depth: usize, out: &mut Outline) {
    let line = match node.kind() {
        NodeKind::Element => {
            let namespace = match node.namespace() {
                Some(namespaces::SVG) => Namespace::Svg,
                Some(namespaces::MATHML) => Namespace::MathMl,
                _ => Namespace::Html,
            };
            tree::element_line(namespace, node.local_name())
        }
        NodeKind::Text => format!("\"{}\"", node.text()),
        NodeKind::Comment => format!("<!-- {} -->", node.text()),
        NodeKind::ProcessingInstruction => format!("<?{} {}?>", node.name(), node.text()),
        NodeKind::Doctype => {
            let doctype = node.doctype().expect("a doctype");
            let public = doctype.public_id().unwrap_or_default();
            tree::doctype_line(node.name(), public, doctype.system_id().unwrap_or_default())
        }
        _ => "content".to_owned(),
    };
    tree::write_line(&line, depth, out);
    let attributes = node.attributes().map(|attribute| {
        let prefix = match attribute.namespace() {
            Some(namespaces::XLINK) => "xlink ",
            Some(namespaces::XML) => "xml ",
            Some(namespaces::XMLNS) => "xmlns ",
            _ => "",
        };
        let name = match prefix {
            "" => attribute.name(),
            _ => attribute.local_name(),
        };
        (format!("{prefix}{name}"), attribute.value().to_owned())
    });
    tree::write_attributes(attributes.collect(), depth + 1, Order::Source, out);
}

/// Compares. `Ok(false)` says that the trees differ and may.
fn check(case: &Case) -> Result<bool, String> {
    let both = catch_unwind(AssertUnwindSafe(|| (built(case), found(case))));
    let Ok(((built, may_differ), found)) = both else {
        return Err("a panic".to_owned());
    };
    match built == found {
        false if !may_differ => Err(format!("by the standard:\n{built}\nfound:\n{found}")),
        is_same => Ok(is_same),
    }
}

fn documents(seed: u64) -> Result<(), Failed> {
    println!("seed {seed}");
    let said = std::env::var("TAGSTREAM_DOCUMENTS").ok();
    let documents = said.and_then(|said| said.parse().ok()).unwrap_or(DOCUMENTS);
    let mut random = Random(seed);
    let mut different = 0;
    for number in 0..documents {
        let case = grammar::case(&mut random);
        match check(&case) {
            Ok(true) => {}
            Ok(false) => different += 1,
            Err(problem) => {
                let (case, problem) = smaller(case, problem);
                let document = case.tokens.concat();
                let what = format!("seed {seed}, document {number}: {document:?}\n{case:?}");
                return Err(format!("{what}\n{problem}").into());
            }
        }
    }
    println!("{different} of {documents} documents differ as they may");
    match different * DIFFERENT < documents {
        true => Ok(()),
        false => Err(format!("{different} of {documents} documents differ").into()),
    }
}

/// Takes tokens out of a document as long as there is a problem with it.
fn smaller(mut case: Case, mut problem: String) -> (Case, String) {
    let mut length = case.tokens.len() / 2;
    while length > 0 {
        let mut at = 0;
        let mut is_smaller = false;
        while at + length <= case.tokens.len() {
            let mut less = case.clone();
            less.tokens.drain(at..at + length);
            match check(&less) {
                Err(still) => {
                    (case, problem) = (less, still);
                    is_smaller = true;
                }
                Ok(_) => at += 1,
            }
        }
        if !is_smaller {
            length /= 2;
        }
    }
    (case, problem)
}
