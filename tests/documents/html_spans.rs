//! The tokens of HTML and the parse errors of the tokenizer, each with its byte range. The cases of
//! `tests/data/html-spans.txt` contain every transition of the tokenizer's states: each state with each class of
//! characters and with the end of the input.
//!
//! `TAGSTREAM_REWRITE=1 cargo test --test documents html/spans` replaces the expected results; review the difference
//! before you commit it.

use crate::html_events::dialect;
use tagstream::{Parser, Sizes};
use testing::cases::{self, Case};
use testing::event_text::event;
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    let path = testing::source::root().join("tests/data/html-spans.txt");
    if std::env::var_os("TAGSTREAM_REWRITE").is_some() {
        cases::rewrite(&path, |case| {
            vec![("events", events(case, usize::MAX, Sizes::USUAL))]
        });
    }
    let text = std::fs::read_to_string(path).expect("the cases");
    let cases = cases::cases("tests/data/html-spans.txt", &text);
    cases::add(program, cases, |_| "html/spans", check);
}

/// The events are the same for each chunk size, and with and without the fast path.
fn check(case: &Case) -> Result<(), Failed> {
    let states = Sizes {
        plain: usize::MAX,
        ..Sizes::USUAL
    };
    for (chunk, sizes) in [
        (usize::MAX, Sizes::USUAL),
        (usize::MAX, states),
        (1, Sizes::USUAL),
        (1, Sizes::all(1)),
        (3, states),
    ] {
        let compared = case.expect("events", &events(case, chunk, sizes));
        compared.map_err(|problem| format!("in chunks of {chunk}: {problem}"))?;
    }
    Ok(())
}

fn events(case: &Case, chunk: usize, sizes: Sizes) -> String {
    let parser = Parser::new(dialect(case)).report_errors(true);
    let mut parser = parser.inspect_sizes(sizes);
    let mut found = Vec::new();
    let mut pull = |parser: &mut Parser<_>| {
        while let Some(next) = parser.next_event().expect("HTML has no fatal errors") {
            found.push(format!("{} {}", event(&next), next.span()));
        }
    };
    for piece in case.input().chunks(chunk) {
        parser.feed(piece.to_vec());
        pull(&mut parser);
    }
    parser.finish();
    pull(&mut parser);
    found.join(", ")
}
