//! HTML's balanced stream, on inputs for which a simple tree construction takes quadratic time. The number of steps per
//! token is small, the memory is within its limit, and each start has its end.

use crate::html_steps::{SHAPES, UNITS, allowed, counted};
use crate::memory::{MIB, at_most, peak};
use tagstream::{Encoding, Error, Event, Html, Limits, Nested, Parser};
use testing::effort::sized;
use testing::run::{Failed, Program};
use testing::shapes::{Shape, shapes};

pub(crate) fn add(program: &mut Program) {
    for shape in shapes(SHAPES) {
        let name = format!("html/balanced, steps: {}", shape.name());
        let same = shape.clone();
        program.case(name, move || steps(&shape));
        let name = format!("html/balanced, memory: {}", same.name());
        program.case_alone(name, move || held(&same));
    }
    program.case_alone("html/balanced, memory: an endless page", endless);
    program.case_alone("html/balanced, memory: long attributes again", again);
    program.case_alone(
        "html/balanced, memory: endless after the body",
        after_the_body,
    );
}

fn parser() -> Parser<Html, Nested> {
    Parser::new(Html::default().encoding(Encoding::UTF_8)).balanced()
}

/// Reads all available events. Returns their number, and updates the number of open elements.
fn pull(parser: &mut Parser<Html, Nested>, open: &mut u64) -> Result<u64, Error> {
    let mut count = 0;
    while let Some(event) = parser.next_event()? {
        count += 1;
        match event {
            Event::Start(_) => *open += 1,
            Event::End(_) => *open -= 1,
            _ => {}
        }
    }
    Ok(count)
}

/// Reads an input to its end. Returns the numbers of events and steps.
fn read(input: &[u8], size: usize, mut parser: Parser<Html, Nested>) -> Result<(u64, u64), Error> {
    let (mut events, mut open) = (0, 0);
    for chunk in input.chunks(size) {
        parser.feed(chunk);
        events += pull(&mut parser, &mut open)?;
    }
    parser.finish();
    events += pull(&mut parser, &mut open)?;
    assert_eq!(open, 0, "each start has its end");
    Ok((events, parser.inspect_machine().balancing_steps()))
}

/// Asserts that the number of steps is small and linear. The stream takes at most twice as many steps as tree
/// construction: one step for each start and one for each end are added.
fn steps(shape: &Shape) -> Result<(), Failed> {
    let units = sized(UNITS);
    let (tokens, _) = counted(shape, units, usize::MAX);
    let limits = Limits::default().depth(512).memory(usize::MAX);
    let parser = || parser().limits(limits);
    let (events, steps) = read(shape.of_units(units).as_bytes(), usize::MAX, parser())?;
    let (_, of_two) = read(shape.of_units(2 * units).as_bytes(), usize::MAX, parser())?;
    let (_, cut) = read(shape.of_units(units / 10).as_bytes(), 1, parser())?;
    let most = 2 * allowed(shape, units, tokens);
    println!("{events} events, {steps} steps for {tokens} tokens");
    match steps > 0 && steps <= most && of_two * 10 <= steps * 21 && cut <= most {
        true => Ok(()),
        false => {
            Err(format!("{steps} steps for {tokens} tokens, {of_two} for twice, {cut} cut").into())
        }
    }
}

/// Asserts that the memory is within its limit, apart from a batch of events, whatever elements are open.
fn held(shape: &Shape) -> Result<(), Failed> {
    let limits = Limits::default().depth(512).memory(4 * MIB);
    let input = shape.of_bytes(sized(4 * MIB));
    let held = peak(|| match read(&input, 4096, parser().limits(limits)) {
        Ok(_) => Ok(()),
        Err(error) if error.as_str() == "memory-limit" => Ok(()),
        Err(error) => Err(error.into()),
    })?;
    at_most(held, 12 * MIB)
}

/// Asserts that no memory is retained for elements that have ended.
fn endless() -> Result<(), Failed> {
    let unit = "<p class=a>b <b>c<i id=d>e<p>f</b>g <table><tr><td>h<td>i</table> <!--j--> ";
    let held = peak(|| {
        read(
            unit.repeat(sized(8 * MIB) / unit.len()).as_bytes(),
            4096,
            parser(),
        )
        .map(|_| ())
        .map_err(Failed::from)
    })?;
    at_most(held, 10 * MIB)
}

/// Elements that are reopened in each batch are copied, within the limit of copies.
fn again() -> Result<(), Failed> {
    let mut input = format!("<p><b title={}>", "x".repeat(MIB / 8)).into_bytes();
    input.extend(b"<p>a<title></title>".repeat(sized(50_000)));
    let mut parser = parser();
    let mut open = 0;
    let held = peak(|| {
        let mut copied = 0;
        for chunk in input.chunks(4096) {
            parser.feed(chunk);
            while let Some(event) = parser.next_event()? {
                match event {
                    Event::Start(tag) if tag.is_implied() => {
                        copied += tag.attribute("title").map_or(0, str::len);
                        open += 1;
                    }
                    _ => {}
                }
            }
        }
        let limits = Limits::default();
        let most = (limits.tree_allowance / 2).max(limits.tree_ratio / 2 * input.len());
        match copied <= most + MIB && open > 0 {
            true => Ok(()),
            false => Err(format!("{copied} bytes were copied, {most} may be").into()),
        }
    })?;
    at_most(held, 8 * MIB)
}

/// Comments that are delayed until the end of the body take at most a 64th of the memory limit.
fn after_the_body() -> Result<(), Failed> {
    let limits = Limits::default().depth(512).memory(32 * MIB);
    let input = "<p></body><!--comment-->".repeat(sized(MIB));
    let held = peak(|| {
        read(input.as_bytes(), 4096, parser().limits(limits))
            .map(|_| ())
            .map_err(Failed::from)
    })?;
    at_most(held, input.len() / 1000 + 4 * MIB)
}
