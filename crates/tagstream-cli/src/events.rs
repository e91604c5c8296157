//! The subcommand `events`: reads chunks, and writes a line for each event.

use crate::checkpoint::Keeper;
use crate::failure::Failure;
use crate::format::Format;
use crate::input::Input;
use crate::options::{DialectName, EventsFormat, EventsOptions, name_among};
use crate::output::Output;
use crate::resolve::{self, Resolver};
use crate::{json, text};
use tagstream::{Balance, Dialect, Form, Parser, Status, TextPolicy};

/// The parser of the events, and its input.
struct Source<D: Dialect, F: Form> {
    parser: Parser<D, F>,
    resolver: Option<Resolver>,
    input: Input,
    keeper: Option<Keeper>,
}

/// Writes the events of `input`.
pub(crate) fn run<D: Balance>(
    dialect: D,
    name: DialectName,
    options: &EventsOptions,
    mut input: Input,
) -> Result<(), Failure> {
    input.show_progress();
    let resolver = options.input.resolver(input.file())?;
    let keeper = Keeper::open(options, &input)?;
    let json = json::Lines {
        namespaces: name == DialectName::LeafXml,
        positions: options.positions,
        file: name_among(&options.files, input.file()),
    };
    match options.balanced {
        true => {
            let new = |dialect| new_parser(dialect, options).balanced();
            let source = begin(dialect, new, resolver, keeper, input)?;
            formatted(source, json, options)
        }
        false => {
            let new = |dialect| new_parser(dialect, options);
            let source = begin(dialect, new, resolver, keeper, input)?;
            formatted(source, json, options)
        }
    }
}

/// Creates a source at the beginning of the input, or at the checkpoint.
fn begin<D: Dialect, F: Form>(
    dialect: D,
    new: impl FnOnce(D) -> Parser<D, F>,
    resolver: Option<Resolver>,
    mut keeper: Option<Keeper>,
    mut input: Input,
) -> Result<Source<D, F>, Failure> {
    let parser = match &mut keeper {
        Some(keeper) => keeper.resume(dialect, &mut input, new)?,
        None => new(dialect),
    };
    Ok(Source {
        parser,
        resolver,
        input,
        keeper,
    })
}

fn new_parser<D: Balance>(dialect: D, options: &EventsOptions) -> Parser<D> {
    let policy = if options.pieces {
        TextPolicy::Pieces
    } else {
        TextPolicy::Whole
    };
    Parser::new(dialect)
        .text(policy)
        .report_errors(options.errors)
}

fn formatted<D: Dialect, F: Form>(
    source: Source<D, F>,
    json: json::Lines,
    options: &EventsOptions,
) -> Result<(), Failure> {
    let file = name_among(&options.files, source.input.file());
    let (output, coloured, depth) = match &source.keeper {
        Some(keeper) => {
            let (file, offset, depth) = keeper.output()?;
            (
                Output::file(file, offset, keeper.output_path()),
                false,
                depth,
            )
        }
        None => match options.format {
            EventsFormat::Json => (Output::plain(), false, 0),
            EventsFormat::Text => {
                let (output, coloured) = Output::coloured();
                (output, coloured, 0)
            }
        },
    };
    match options.format {
        EventsFormat::Json => write(source, json, output),
        EventsFormat::Text => write(source, text::Lines::new(coloured, file, depth), output),
    }
}

fn write<D: Dialect, F: Form>(
    mut source: Source<D, F>,
    mut format: impl Format,
    mut output: Output,
) -> Result<(), Failure> {
    let done = pump(&mut source, &mut format, &mut output);
    // Events that were read before a failure are written, before the failure is reported.
    let flushed = output.flush();
    if let Some(keeper) = &source.keeper
        && flushed.is_ok()
        && matches!(done, Ok(()) | Err(Failure::Refused(_)))
    {
        output.sync()?;
        keeper.remove()?;
    }
    done?;
    Ok(flushed?)
}

fn pump<D: Dialect, F: Form>(
    source: &mut Source<D, F>,
    format: &mut impl Format,
    output: &mut Output,
) -> Result<(), Failure> {
    let (parser, input) = (&mut source.parser, &mut source.input);
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
                        resolve::answer(source.resolver.as_ref(), &request, parser);
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
        if let Some(keeper) = &mut source.keeper
            && keeper.is_due(parser.resume_at())
        {
            output.sync()?;
            keeper.write(parser, output.written(), format.depth())?;
        }
    }
}
