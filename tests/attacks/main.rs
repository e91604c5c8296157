//! Inputs that want to cost more than they are: work is counted, not timed, and memory is counted by
//! the allocator. Limits are the same for every cut.

mod edges;
mod entities;
mod html;
mod html_copies;
mod html_steps;
mod input;
mod inputs;
mod limits;
mod memory;
mod microxml;
mod sky;
mod streams;
mod xml;

use inputs::{Attack, attacks};
use std::process::ExitCode;
use tagstream::{Dialect, Error, Limits, Parser, Xml};
use testing::effort::Effort;
use testing::run::{Failed, Program};

/// Chunk sizes; the last stands for the whole.
const SIZES: [usize; 4] = [1, 64, 4096, usize::MAX];

fn main() -> ExitCode {
    let mut program = Program::default();
    program.leave_out_in_quick("all but an eighth of each input's length");
    for attack in attacks() {
        let name = attack.name;
        program.case(format!("xml/work: {name}"), move || work(&attack));
    }
    for attack in attacks() {
        let name = attack.name;
        program.case(format!("xml/default limits: {name}"), move || {
            default_limits(&attack)
        });
    }
    edges::add(&mut program);
    entities::add(&mut program);
    html::add(&mut program);
    html_copies::add(&mut program);
    html_steps::add(&mut program);
    input::add(&mut program);
    limits::add(&mut program);
    memory::add(&mut program);
    microxml::add(&mut program);
    sky::add(&mut program);
    streams::add(&mut program);
    xml::add(&mut program);
    program.run()
}

/// So long in full, an eighth of it in quick.
fn sized(length: usize) -> usize {
    Effort::choose(length / 8, length)
}

/// Feeds in chunks and throws the events away; gives how it ended.
fn run(parser: &mut Parser<impl Dialect>, input: &[u8], size: usize) -> Result<usize, Error> {
    let mut count = 0;
    for chunk in input.chunks(size) {
        parser.feed_slice(chunk);
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

/// The promise: states take or look at no more than 1.1 times the input, all work together is no
/// more than twice the input and a little.
fn work(attack: &Attack) -> Result<(), Failed> {
    let input = (attack.make)();
    let length = attack.text_length(&input);
    let mut counts = Vec::new();
    for size in SIZES {
        let mut parser = Parser::new(Xml::default()).limits(Limits::none());
        counts.push(run(&mut parser, &input, size)?);
        let work = parser.work();
        let (most, all) = if attack.reconsumed { (20, 3) } else { (11, 2) };
        if work.states * 10 > length * most + 640 || work.total() > length * all + 64 {
            let (states, total) = (work.states, work.total());
            return Err(format!(
                "chunks of {size}: {states} by states, {total} in all, for {length}: {work:?}"
            )
            .into());
        }
    }
    match counts.iter().all(|count| *count == counts[0]) {
        true => Ok(()),
        false => Err(format!("numbers of events: {counts:?}").into()),
    }
}

/// The default limits give the same end for every chunk size, and it is the one named.
fn default_limits(attack: &Attack) -> Result<(), Failed> {
    let input = (attack.make)();
    let mut ends = Vec::new();
    for size in SIZES {
        let mut parser = Parser::new(Xml::default());
        ends.push(match run(&mut parser, &input, size) {
            Ok(count) => format!("{count} events"),
            Err(error) => format!("{} {} {error}", error.as_str(), error.span()),
        });
    }
    if ends.iter().any(|end| *end != ends[0]) {
        return Err(format!("it depends on the chunks: {ends:#?}").into());
    }
    let found = ends[0]
        .split(' ')
        .next()
        .filter(|name| name.ends_with("-limit"));
    match found == attack.limit {
        true => Ok(()),
        false => Err(format!("wanted {:?}, found {}", attack.limit, ends[0]).into()),
    }
}
