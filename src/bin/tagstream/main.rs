//! The program `tagstream`: events and trees of a file, on the command line.
//!
//! It is a user of the library like any other and must not know its insides. Here stands what runs
//! what; each file beside it is one step on the way from the arguments to the output.

mod check;
mod events;
mod failure;
mod guess;
mod input;
mod json;
mod options;
mod output;
mod resolve;
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
    let (file, options) = match command {
        Command::Events(events) => (&events.file, &events.input),
        Command::Tree(tree) => (&tree.file, &tree.input),
        Command::Check(check) => return check::run(check),
    };
    let mut input = Input::open(file)?;
    let dialect = match options.dialect {
        Some(dialect) => dialect,
        None => guess::dialect(file, &mut input)?,
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
            Command::Tree(_) | Command::Check(_) => Err(Failure::Unusable(
                "trees of html are not in this version; events are".to_owned(),
            )),
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
        // It reads its files itself.
        Command::Check(_) => Ok(()),
    }
}
