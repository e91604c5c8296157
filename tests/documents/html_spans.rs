//! The tokens of HTML and the parse errors of the tokenizer, each with its span. The cases of `tests/data/html-spans.txt`
//! contain every transition of the tokenizer's states: each state with each class of characters and with the end of the
//! input. Each event is a line: its span, and the event in the notation of `testing/src/notation.rs`.

use crate::html_blocks::{self, Block};
use std::fmt::Write;
use tagstream::{Parser, Sizes};
use testing::notation::word;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    html_blocks::add(program, "html/spans", "html-spans.txt", find);
}

/// Returns the events. They are the same for each chunk size, and with and without the fast path.
fn find(block: &Block) -> Result<String, String> {
    let whole = lines(block, usize::MAX, Sizes::USUAL);
    let states = Sizes {
        plain: usize::MAX,
        ..Sizes::USUAL
    };
    for (chunk, sizes) in [
        (usize::MAX, states),
        (1, Sizes::USUAL),
        (1, Sizes::all(1)),
        (3, states),
    ] {
        let found = lines(block, chunk, sizes);
        if found != whole {
            return Err(format!("whole:\n{whole}\nin chunks of {chunk}:\n{found}"));
        }
    }
    Ok(whole)
}

fn lines(block: &Block, chunk: usize, sizes: Sizes) -> String {
    let parser = Parser::new(block.html()).report_errors(true);
    let mut parser = parser.inspect_sizes(sizes);
    let mut found = String::new();
    let mut pull = |parser: &mut Parser<_>| {
        while let Some(event) = parser.next_event().expect("HTML has no fatal errors") {
            writeln!(found, "{} {}", event.span(), word(&event)).expect("a string");
        }
    };
    for piece in block.input().chunks(chunk) {
        parser.feed(piece.to_vec());
        pull(&mut parser);
    }
    parser.finish();
    pull(&mut parser);
    found
}
