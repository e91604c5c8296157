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
    let json = json::Lines {
        namespaces: dialect == DialectName::LeafXml,
    };
    match dialect {
        DialectName::Xml => read(options.xml()?, json, command, input),
        DialectName::MicroXml => read(options.microxml(), json, command, input),
        DialectName::Sky => read(options.sky(&mut input)?, json, command, input),
        DialectName::LeafXml => read(options.leafxml(), json, command, input),
        DialectName::Html => match command {
            Command::Events(events) => events::run(options.html()?, json, events, input),
            Command::Tree(tree) => tree::run(options.html()?, Html5libStyle::Html, tree, input),
        },
    }
}

fn read<D: Streamable>(
    dialect: D,
    json: json::Lines,
    command: &Command,
    input: Input,
) -> Result<(), Failure> {
    match command {
        Command::Events(events) => events::run(dialect, json, events, input),
        Command::Tree(tree) => tree::run(dialect, Html5libStyle::Xml, tree, input),
    }
}
