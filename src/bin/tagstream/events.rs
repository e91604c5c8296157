//! The subcommand `events`: the loop from chunks to lines.

use crate::failure::Failure;
use crate::input::Input;
use crate::options::{EventsFormat, EventsOptions};
use crate::output::Output;
use crate::resolve::{self, Asks, Resolver};
use crate::{json, text};
use tagstream::{Balance, Event, Parser, Pull, Status, TextPolicy};

/// How an event becomes a line.
pub(crate) trait Format {
    /// Writes the line of `event`, its newline included.
    fn write(&mut self, event: &Event<'_>, out: &mut Vec<u8>);
}

/// Writes the events of `input`.
pub(crate) fn run<D: Balance>(
    dialect: D,
    namespaces: bool,
    options: &EventsOptions,
    mut input: Input,
) -> Result<(), Failure> {
    input.show_progress();
    let policy = if options.pieces {
        TextPolicy::Pieces
    } else {
        TextPolicy::Whole
    };
    let resolver = options.input.resolver(input.file())?;
    let parser = Parser::new(dialect)
        .text(policy)
        .report_errors(options.errors);
    let json = json::Lines {
        namespaces,
        positions: options.positions,
        file: options.told_apart(input.file()),
    };
    match options.balanced {
        true => formatted((parser.balanced(), resolver), json, options, input),
        false => formatted((parser, resolver), json, options, input),
    }
}

fn formatted<P: Pull + Asks>(
    source: (P, Option<Resolver>),
    json: json::Lines,
    options: &EventsOptions,
    input: Input,
) -> Result<(), Failure> {
    match options.format {
        EventsFormat::Json => write(source, input, json, Output::plain()),
        EventsFormat::Text => {
            let (output, coloured) = Output::coloured();
            let lines = text::Lines::new(coloured, options.told_apart(input.file()));
            write(source, input, lines, output)
        }
    }
}

fn write<P: Pull + Asks>(
    mut source: (P, Option<Resolver>),
    mut input: Input,
    mut format: impl Format,
    mut output: Output,
) -> Result<(), Failure> {
    let done = pump(&mut source, &mut input, &mut format, &mut output);
    // What was read before a failure is written in any case, and before the failure is told.
    let flushed = output.flush();
    done?;
    Ok(flushed?)
}

fn pump<P: Pull + Asks>(
    (parser, resolver): &mut (P, Option<Resolver>),
    input: &mut Input,
    format: &mut impl Format,
    output: &mut Output,
) -> Result<(), Failure> {
    loop {
        let chunk = input.next(output)?;
        let ended = chunk.is_none();
        match chunk {
            Some(chunk) => parser.feed(chunk),
            None => parser.finish(),
        }
        loop {
            match parser.next_event() {
                Ok(Some(event)) => format.write(&event, output.buffer()),
                Ok(None) => match parser.status() {
                    Status::NeedsEntity(request) => {
                        resolve::answer(resolver.as_ref(), &request, parser);
                    }
                    _ => break,
                },
                Err(error) => return Err(Failure::parse(input.file(), &error)),
            }
            output.settle()?;
        }
        if ended {
            return Ok(());
        }
    }
}
