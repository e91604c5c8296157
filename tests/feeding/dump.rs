//! A parse written down in full: its events, and how it ended.

use super::pull::{Pull, write_event, write_position};
use bytes::Bytes;
use std::fmt::Write;
use tagstream::Error;

/// The whole of an input, fed at once.
pub(crate) fn dump(mut parser: impl Pull, input: &[u8]) -> String {
    parser.feed(Bytes::copy_from_slice(input));
    let mut out = String::new();
    drain(&mut parser, &mut out);
    end(parser, &mut out);
    out
}

/// Writes the events that are there; after an error there are none.
pub(crate) fn drain(parser: &mut impl Pull, out: &mut String) {
    while let Ok(Some(event)) = parser.pull() {
        write_event(out, &event);
    }
}

/// Ends the input; writes the events left and how it ended.
pub(crate) fn end(mut parser: impl Pull, out: &mut String) {
    parser.finish();
    drain(&mut parser, out);
    write_outcome(parser.pull().map(|_| ()), out);
    // What a parser has said once, it says again.
    let mut again = String::new();
    write_outcome(parser.pull().map(|_| ()), &mut again);
    assert!(out.ends_with(&again), "the end changed to {again}");
    writeln!(out, "{:?}", parser.status()).unwrap();
}

fn write_outcome(outcome: Result<(), Error>, out: &mut String) {
    if let Err(error) = outcome {
        write!(out, "Err {} {}", error.as_str(), error.span()).unwrap();
        write_position(out, error.position());
        writeln!(out, " {error} {:?}", error.blame()).unwrap();
    }
}
