//! Rewrites documents without edits: the output is the input. The other files make random edits:
//!
//! - `edits.rs`: the edits, made by a rewriter.
//! - `model.rs`: the same edits of a plain tree and of a list of tokens.
//! - `tree.rs`: compares the edits with those of trees and of events.
//! - `sequences.rs`: sequences of up to three edits of each kind of node.
//! - `nodes.rs`: the edits of events as edits of a tree.
//! - `chunks.rs` and `cuts.rs`: the edits do not depend on chunks and encodings.
//! - `dom.rs`: the edits as those of the DOM of a browser.

pub mod chunks;
pub mod cuts;
pub mod dom;
pub mod edits;
pub mod model;
pub mod nodes;
pub mod sequences;
pub mod tree;

use crate::cuts::positions;
use tagstream::{Balance, Form, Rewriter, Sizes};

/// Rewrites an input in chunks without edits. Returns the output, and whether all of the input was read.
fn passed_on<'i, D: Balance, F: Form>(
    mut rewriter: Rewriter<D, F>,
    chunks: impl Iterator<Item = &'i [u8]>,
) -> (Vec<u8>, bool) {
    let mut out = Vec::new();
    for chunk in chunks.map(Some).chain([None]) {
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        let is_read = loop {
            match rewriter.next_event() {
                Ok(Some(_)) => {}
                Ok(None) => break true,
                Err(_) => break false,
            }
        };
        rewriter.output_to(&mut out);
        if !is_read {
            return (out, false);
        }
    }
    (out, true)
}

/// Checks that rewriting an input in chunks without edits does not change it, with tags as written and with balanced
/// events.
///
/// # Errors
///
/// Returns the output if it differs.
pub fn is_same<'i, D: Balance>(
    dialect: &D,
    sizes: Sizes,
    input: &[u8],
    chunks: impl Iterator<Item = &'i [u8]> + Clone,
) -> Result<(), String> {
    let rewriter = || Rewriter::new(dialect.clone());
    let written = passed_on(rewriter().inspect_sizes(sizes), chunks.clone());
    let balanced = passed_on(rewriter().balanced().inspect_sizes(sizes), chunks);
    for (form, (out, is_read)) in [("as written", written), ("balanced", balanced)] {
        // If the parse ends in an error, the output may end there.
        let is_right = if is_read {
            out == input
        } else {
            input.starts_with(&out)
        };
        if !is_right {
            return Err(format!(
                "rewritten {form} without a change, {:?} is\n{:?}",
                String::from_utf8_lossy(input),
                String::from_utf8_lossy(&out)
            ));
        }
    }
    Ok(())
}

/// Checks that rewriting an input without edits does not change it: whole, byte by byte, and cut at every position.
///
/// # Panics
///
/// Panics if the output differs from the input.
pub fn check_same<D: Balance>(dialect: &D, input: &[u8]) {
    let check = |chunks: &[&[u8]]| {
        let chunks = chunks.iter().copied();
        is_same(dialect, Sizes::USUAL, input, chunks).unwrap_or_else(|wrong| panic!("{wrong}"));
    };
    check(&[input]);
    check(&input.chunks(1).collect::<Vec<_>>());
    for at in positions(input.len()) {
        check(&[&input[..at], &input[at..]]);
    }
}
