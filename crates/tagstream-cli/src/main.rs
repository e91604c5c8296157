//! The command-line program `tagstream`: it writes events, trees, selected elements, records, rewritten or sanitized
//! documents, and errors of files.
//!
//! The program uses only the public API of the library. This file runs the subcommands; each other file is one step
//! between the arguments and the output.

mod check;
mod checkpoint;
mod documents;
mod events;
#[cfg(feature = "explore")]
mod explore;
mod failure;
mod format;
mod guess;
mod input;
mod json;
mod nodes;
mod options;
mod output;
mod packed;
mod page_text;
#[cfg(feature = "records")]
mod records;
mod replace;
mod resolve;
mod rewrite;
mod sanitize;
mod select;
mod selectors;
mod shown;
mod signature;
mod text;
mod tree;
mod tree_formats;

use clap::Parser as _;
use failure::Failure;
use input::Input;
use options::{Arguments, Command, DialectName, Writing};
use output::Output;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use tagstream::{Balance, Buildable};

/// The page about the parsing of HTML, which the library generates from its schema.
const SCHEMA: &str = include_str!("../html-schema.md");

fn main() -> ExitCode {
    let arguments = Arguments::parsed().unwrap_or_else(|error| refuse(&error));
    match &arguments.command {
        Command::Check(options) => check::run(options),
        Command::Sanitize(options) => match sanitize::run(options) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => ExitCode::from(failure.report()),
        },
        #[cfg(feature = "records")]
        Command::Records(options) => ExitCode::from(records::run(options)),
        #[cfg(feature = "explore")]
        Command::Explore(options) => match explore::run(options) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => ExitCode::from(failure.report()),
        },
        Command::Schema => print(SCHEMA.as_bytes()),
        Command::Completions { shell } => print(&documents::completions(*shell)),
        Command::Man { folder: None } => print(&documents::manual()),
        Command::Man {
            folder: Some(folder),
        } => match documents::write_manual(folder) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => ExitCode::from(failure.report()),
        },
        Command::Write(what) => ExitCode::from(write_all(what)),
    }
}

/// Writes text to standard output.
fn print(text: &[u8]) -> ExitCode {
    let mut output = Output::plain();
    output.buffer().extend_from_slice(text);
    match output.flush().map_err(Failure::from) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ExitCode::from(failure.report()),
    }
}

/// Runs a subcommand on each file, and returns the highest exit status. A file in which nothing was found does not
/// count if something was found in another file.
fn write_all(what: &Writing) -> u8 {
    if let Err(failure) = what.check().and_then(|()| check_arguments(what)) {
        return failure.report();
    }
    let (mut status, mut is_found, mut is_missed) = (0, false, 0);
    for file in what.files() {
        match write(what, file) {
            Ok(()) => is_found = true,
            Err(Failure::ClosedPipe) => return status,
            Err(failure @ Failure::NothingFound) => is_missed = failure.report(),
            Err(failure) => status = failure.report().max(status),
        }
    }
    match is_found {
        true => status,
        false => status.max(is_missed),
    }
}

/// Refuses selectors, expressions and names of the arguments before a file is opened.
fn check_arguments(what: &Writing) -> Result<(), Failure> {
    match what {
        Writing::Rewrite(rewrite) => rewrite::check(rewrite),
        Writing::Select(select) => selectors::Query::new(select).map(drop),
        Writing::Events(_) | Writing::Tree(_) | Writing::Text(_) => Ok(()),
    }
}

fn write(what: &Writing, file: &Path) -> Result<(), Failure> {
    let options = what.input();
    if let Some(reason) = what.needs_regular_file() {
        input::refuse_irregular(file, reason)?;
    }
    let given = options.given(file, what.chunk());
    let mut input = Input::open(file, given)?;
    let dialect = match options.dialect {
        Some(dialect) => dialect,
        None => guess::dialect(file, &mut input)?,
    };
    match dialect {
        DialectName::Xml => {
            let keeps = matches!(what, Writing::Tree(tree) if tree.keep_subset);
            read(options.xml()?.internal_subset(keeps), dialect, what, input)
        }
        DialectName::MicroXml => read(options.microxml()?, dialect, what, input),
        DialectName::Sky => read(options.sky(&mut input)?, dialect, what, input),
        DialectName::LeafXml => read(options.leafxml()?, dialect, what, input),
        DialectName::Html => read(options.html()?, dialect, what, input),
    }
}

fn read<D: Balance + Buildable>(
    dialect: D,
    name: DialectName,
    what: &Writing,
    input: Input,
) -> Result<(), Failure> {
    match what {
        Writing::Events(events) => events::run(dialect, name, events, input),
        Writing::Tree(tree) => tree::run(dialect, name, tree, input),
        Writing::Rewrite(rewrite) => rewrite::run(dialect, rewrite, input),
        Writing::Select(select) => select::run(dialect, name, select, input),
        Writing::Text(text) => page_text::run(dialect, text, input),
    }
}

/// Writes the error in the arguments, or the requested help, and ends the program.
fn refuse(error: &clap::Error) -> ! {
    // The message quotes the arguments. Parsing escaped arguments results in a message without control characters,
    // which clap can write itself.
    let arguments = std::env::args_os().map(|one| shown::shown(&one.to_string_lossy()));
    if let Err(error) = Arguments::try_parse_from(arguments) {
        error.exit();
    }
    let message = shown::shown_lines(&error.render().to_string());
    let _ = write!(io::stderr(), "{message}");
    std::process::exit(error.exit_code());
}
