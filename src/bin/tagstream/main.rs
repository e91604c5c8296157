//! The program `tagstream`: events and trees of a file, on the command line.
//!
//! It is a user of the library like any other and must not know its insides. Here stands what runs
//! what; each file beside it is one step on the way from the arguments to the output.

mod events;
mod failure;
mod guess;
mod input;
mod json;
mod options;
mod output;
mod text;
mod tree;

use clap::Parser as _;
use failure::Failure;
use input::Input;
use options::{Arguments, Command, DialectName};
use std::process::ExitCode;
use tagstream::Streamable;
use tagstream::tree::Html5libStyle;

fn main() -> ExitCode {
    match run(&Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: &Command) -> Result<(), Failure> {
    let options = command.options();
    let mut input = Input::open(&options.file)?;
    let dialect = match options.dialect {
        Some(dialect) => dialect,
        None => guess::dialect(&options.file, &mut input)?,
    };
    match dialect {
        DialectName::Xml => read(options.xml()?, command, input),
        DialectName::MicroXml => read(options.microxml(), command, input),
        DialectName::Sky => read(options.sky(&mut input)?, command, input),
        absent => Err(options.no_dialect(absent)),
    }
}

fn read<D: Streamable>(dialect: D, command: &Command, input: Input) -> Result<(), Failure> {
    match command {
        Command::Events(events) => events::run(dialect, events, input),
        Command::Tree(tree) => tree::run(dialect, Html5libStyle::Xml, tree, input),
    }
}
