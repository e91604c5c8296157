//! Small limits: the error, its position and the events before it are the same for every cut.

use tagstream::{Limits, Parser, Xml};
use testing::effort::Effort;
use testing::run::{Failed, Program};
use testing::shapes::shapes;

pub(crate) fn add(program: &mut Program) {
    program.leave_out_in_quick("seven of eight small limits");
    for (number, shape) in shapes("small limits").into_iter().enumerate() {
        let name = format!("xml/small limits: input {number}");
        program.case(name, move || check(&shape.of_units(0)));
    }
}

fn check(input: &str) -> Result<(), Failed> {
    let mut limited = 0;
    for size in (0..=80).step_by(Effort::choose(8, 1)) {
        let none = Limits::none();
        for limits in [
            none.token(size),
            none.name(size),
            none.depth(size),
            none.attributes(size),
            none.declarations(size),
        ] {
            limited += usize::from(check_limits(input.as_bytes(), limits)?);
        }
    }
    match limited {
        0 => Err("no limit was reached".into()),
        _ => Ok(()),
    }
}

/// Returns true if the limit was reached.
fn check_limits(input: &[u8], limits: Limits) -> Result<bool, Failed> {
    for errors in [false, true] {
        let whole = outcome(input, limits, errors, [input.len(), input.len()]);
        for first in 0..input.len() {
            for cuts in [[first, input.len()], [first, first + 1]] {
                let found = outcome(input, limits, errors, cuts);
                if found != whole {
                    let report = format!("{limits:?}\ncut at {cuts:?}\n{whole:#?}\n{found:#?}");
                    return Err(report.into());
                }
            }
        }
        let mut parser = Parser::new(Xml::default())
            .limits(limits)
            .report_errors(errors);
        let mut bytes = Vec::new();
        input
            .chunks(1)
            .for_each(|byte| take(&mut parser, byte, &mut bytes));
        finish(parser, &mut bytes);
        if bytes != whole {
            return Err(format!("{limits:?}\nbyte by byte\n{whole:#?}\n{bytes:#?}").into());
        }
        if errors && whole.last().is_some_and(|end| end.starts_with("Err")) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn outcome(input: &[u8], limits: Limits, errors: bool, [first, second]: [usize; 2]) -> Vec<String> {
    let mut parser = Parser::new(Xml::default())
        .limits(limits)
        .report_errors(errors);
    let mut out = Vec::new();
    for piece in [&input[..first], &input[first..second], &input[second..]] {
        take(&mut parser, piece, &mut out);
    }
    finish(parser, &mut out);
    out
}

fn take(parser: &mut Parser<Xml>, piece: &[u8], out: &mut Vec<String>) {
    parser.feed(piece);
    while let Ok(Some(event)) = parser.next_event() {
        out.push(format!("{} {} {event:?}", event.span(), event.position()));
    }
}

fn finish(mut parser: Parser<Xml>, out: &mut Vec<String>) {
    parser.finish();
    take(&mut parser, b"", out);
    if let Err(error) = parser.next_event() {
        // The error is not that of a chunk after the end of the input: `take` fed an empty chunk, which is allowed.
        out.push(format!("Err {} {} {error}", error.as_str(), error.span()));
    }
}
