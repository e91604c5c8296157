//! Inputs that could cost more than their length justifies. Work is counted instead of timed, and the allocator counts
//! memory. Limits are the same for every cut.

mod edges;
mod encodings;
mod entities;
mod html_balanced;
mod html_copies;
mod html_pages;
mod html_steps;
mod input;
mod limits;
mod memory;
mod rewrite;
mod sanitizer;
mod select;
mod values;
mod work;
mod written;
mod xml;
mod xpath;

use std::process::ExitCode;
use tagstream::{Dialect, Error, Parser};
use testing::run::Program;

/// Sizes of chunks. The last one is the whole input.
const SIZES: [usize; 4] = [1, 64, 4096, usize::MAX];

fn main() -> ExitCode {
    let mut program = Program::default();
    program.leave_out_in_quick("all but an eighth of each input's length");
    edges::add(&mut program);
    encodings::add(&mut program);
    entities::add(&mut program);
    html_balanced::add(&mut program);
    html_copies::add(&mut program);
    html_pages::add(&mut program);
    html_steps::add(&mut program);
    input::add(&mut program);
    limits::add(&mut program);
    memory::add(&mut program);
    rewrite::add(&mut program);
    sanitizer::add(&mut program);
    select::add(&mut program);
    values::add(&mut program);
    work::add(&mut program);
    written::add(&mut program);
    xml::add(&mut program);
    xpath::add(&mut program);
    program.run()
}

/// Feeds an input in chunks and discards the events. Returns the number of events, or the error that ended the parse.
fn run(parser: &mut Parser<impl Dialect>, input: &[u8], size: usize) -> Result<usize, Error> {
    let mut count = 0;
    for chunk in input.chunks(size) {
        parser.feed(chunk);
        while parser.next_event()?.is_some() {
            count += 1;
        }
    }
    parser.finish();
    while parser.next_event()?.is_some() {
        count += 1;
    }
    Ok(count)
}
