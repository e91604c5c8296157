//! XPath expressions of every shape at and beyond the limits of length and depth, on a stack of 2 MB; and expressions over
//! a deep document, which take linear time.

use std::thread;
use tagstream::xpath::{XPath, XPathErrorKind};
use tagstream::{Document, Limits, TreeBuilder, Xml};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    program.case("core/xpath, sizes of expressions", || {
        on_a_small_stack(sizes)
    });
    program.case("core/xpath, a deep document", || {
        on_a_small_stack(deep_document)
    });
}

/// Runs a test in a thread with the stack that threads have by default.
fn on_a_small_stack(test: fn() -> Result<(), String>) -> Result<(), Failed> {
    let thread = thread::Builder::new().stack_size(2 << 20).spawn(test)?;
    Ok(thread.join().map_err(|_| "it panicked")??)
}

/// A number of copies of a text, another one, and the same number of copies of a third one.
fn nested(count: usize, before: &str, inner: &str, after: &str) -> String {
    before.repeat(count) + inner + &after.repeat(count)
}

/// Expressions that are evaluated.
fn allowed() -> Vec<String> {
    vec![
        nested(63, "(", "1", ")"),
        nested(64, "-", "1", ""),
        nested(64, "1+", "1", ""),
        nested(64, "b<", "b", ""),
        nested(63, "*[", "*", "]"),
        nested(63, "not(", "1", ")"),
        nested(63, "concat('',", "1", ")"),
        nested(10, "lang(", "1", ")"),
        nested(12, "name(*[", "*", "])"),
        nested(8, "(1+1-(a or b=(*[", "1", "])))"),
        nested(3000, "a or ", "a", ""),
        nested(2500, "a and ", "a", ""),
        nested(8000, "a|", "a", ""),
        nested(8000, "*/", "*", ""),
        nested(5000, "//*", "", ""),
        format!("a{}", "[1]".repeat(5000)),
        format!("concat({}1)", "1,".repeat(8000)),
    ]
}

/// Expressions that are too long or too deep.
fn refused() -> Vec<String> {
    vec![
        nested(64, "(", "1", ")"),
        nested(5000, "(", "1", ")"),
        nested(8000, "(", "", ""),
        nested(65, "-", "1", ""),
        nested(16_000, "-", "1", ""),
        nested(65, "1+", "1", ""),
        nested(5000, "+1", "", ""),
        nested(8000, "b=", "b", ""),
        nested(64, "*[", "*", "]"),
        nested(64, "not(", "1", ")"),
        nested(11, "lang(", "1", ")"),
        nested(20, "1+(a|(b and ", "c", "))"),
        nested(17_000, "a", "", ""),
    ]
}

fn sizes() -> Result<(), String> {
    let document =
        Document::parse(Xml::default(), "<a><b/>".repeat(20)).map_err(|e| e.to_string())?;
    let shown = |text: &str| text.chars().take(60).collect::<String>();
    for text in allowed() {
        let expression = XPath::new(&text).map_err(|error| format!("{}: {error}", shown(&text)))?;
        let value = expression.evaluate(document.root());
        value.map_err(|error| format!("{}: {error}", shown(&text)))?;
        // The translation to a selector must not overflow the stack either.
        let _ = expression.to_selector();
    }
    for text in refused() {
        let kind = XPath::new(&text).map_err(|error| error.kind());
        if kind.err() != Some(XPathErrorKind::TooLarge) {
            return Err(format!("{} is not refused", shown(&text)));
        }
    }
    // The parser fails at the end of a long chain, whose tree is then dropped.
    for text in [nested(8000, "a|", "", ""), nested(3000, "a or ", "", "")] {
        let kind = XPath::new(&text).map_err(|error| error.kind());
        if kind.err() != Some(XPathErrorKind::Syntax) {
            return Err(format!("{} is no syntax error", shown(&text)));
        }
    }
    Ok(())
}

fn deep_document() -> Result<(), String> {
    const DEPTH: usize = 50_000;
    let limits = Limits::default().depth(DEPTH + 1);
    let mut builder = TreeBuilder::new(Xml::default()).limits(limits);
    let fed = builder.feed("<a>".repeat(DEPTH));
    fed.map_err(|error| error.to_string())?;
    let document = builder.finish().map_err(|error| error.to_string())?;
    for (text, wanted) in [
        ("count(//a)", "50000"),
        ("count(//*[not(*)]/ancestor::*)", "49999"),
        ("string-length(/)", "0"),
        ("count(//a[last()] | //a)", "50000"),
        ("count((//a)[last()]/preceding::* | //a[1]/..)", "50000"),
    ] {
        let value = XPath::new(text).and_then(|expression| expression.evaluate(document.root()));
        let value = value.map_err(|error| error.to_string())?.to_string();
        if value != wanted {
            return Err(format!("{text}: {value}, not {wanted}"));
        }
    }
    Ok(())
}
