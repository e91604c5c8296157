//! Random documents of every dialect. They are compared with the models of the dialects, and checked for every
//! invariant that holds for any input. `TAGSTREAM_DOCUMENTS` sets the number of documents of each kind.
//! `TAGSTREAM_SEED` sets the seed: a number, or `fresh`.
//!
//! - `edits.rs`: random edits of trees.
//! - `found.rs`: inputs that these tests found to be handled incorrectly.
//! - `peers.rs`: serialized documents, read by another parser.
//! - `round_trips`: values of every shape, serialized and read back.
//! - `sanitizer.rs`: sanitized markup.
//! - `sequences.rs`: every sequence of up to three edits of an event.
//! - `stored.rs`: events that are saved and read back.
//! - `values.rs`: deserialization and serialization of values.

mod edits;
mod found;
mod peers;
mod round_trips;
mod sanitizer;
mod sequences;
mod stored;
mod values;

use std::process::ExitCode;
use testing::awkward;
use testing::compare::{leafxml, microxml, plain, prefixes, select, sky, xml};
use testing::invariants::{
    apart, async_events, html_balanced, html_encoding, html_plans, html_scripted, html_stack,
    random_inputs,
};
use testing::rewriting;
use testing::run::Program;
use testing::writing;

fn main() -> ExitCode {
    let mut program = Program::default();
    program.leave_out_in_quick("nine of ten random documents");
    html_plans::PLANS.add(&mut program);
    html_encoding::ENCODING.add(&mut program);
    html_balanced::FOLDS.add(&mut program);
    html_balanced::MISNESTED.add(&mut program);
    html_stack::STACK.add(&mut program);
    html_scripted::TREE.add(&mut program);
    xml::EVENTS.add(&mut program);
    microxml::EVENTS.add(&mut program);
    sky::TREE.add(&mut program);
    leafxml::EVENTS.add(&mut program);
    plain::TREE.add(&mut program);
    prefixes::NAMESPACES.add(&mut program);
    select::HTML.add(&mut program);
    select::XML.add(&mut program);
    for test in random_inputs::TESTS {
        test.add(&mut program);
    }
    for test in apart::TESTS {
        test.add(&mut program);
    }
    for test in async_events::TESTS {
        test.add(&mut program);
    }
    edits::add(&mut program);
    awkward::CONTENT.add(&mut program);
    for test in rewriting::tree::TESTS {
        test.add(&mut program);
    }
    for test in rewriting::chunks::TESTS {
        test.add(&mut program);
    }
    writing::WELL_FORMED.add(&mut program);
    writing::ANY.add(&mut program);
    writing::HTML.add(&mut program);
    writing::CALLS.add(&mut program);
    writing::XML_TREES.add(&mut program);
    writing::HTML_TREES.add(&mut program);
    writing::COERCED_XML.add(&mut program);
    writing::COERCED_HTML.add(&mut program);
    found::add(&mut program);
    peers::add(&mut program);
    round_trips::add(&mut program);
    sanitizer::add(&mut program);
    sequences::add(&mut program);
    stored::add(&mut program);
    values::add(&mut program);
    program.run()
}
