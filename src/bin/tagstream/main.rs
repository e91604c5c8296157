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
        DialectName::Xml => {
            let xml = options.xml()?;
            match command {
                Command::Events(events) => events::run(xml, events, input),
                Command::Tree(tree) => tree::run(xml, Html5libStyle::Xml, tree, input),
            }
        }
        DialectName::Html => match command {
            Command::Events(events) => events::run(options.html()?, events, input),
            Command::Tree(_) => Err(Failure::Unusable(
                "trees of html are not in this version; events are".to_owned(),
            )),
        },
        absent => Err(options.no_dialect(absent)),
    }
}
