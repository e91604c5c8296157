//! The program `tagstream`: events, trees and errors of files, on the command line.
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
mod shown;
mod text;
mod tree;

use clap::Parser as _;
use failure::Failure;
use input::Input;
use options::{Arguments, Command, DialectName, Writing};
use std::process::ExitCode;
use tagstream::tree::Html5libStyle;
use tagstream::{Balance, Buildable};

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| failure::refuse(&error));
    match &arguments.command {
        Command::Check(options) => check::run(options),
        Command::Write(what) => match write(what) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => failure.report(),
        },
    }
}

fn write(what: &Writing) -> Result<(), Failure> {
    let (file, options) = what.input();
    let mut input = Input::open(file)?;
    let dialect = match options.dialect {
        Some(dialect) => dialect,
        None => guess::dialect(file, &mut input)?,
    };
    let json = json::Lines {
        namespaces: dialect == DialectName::LeafXml,
    };
    let style = match dialect {
        DialectName::Html => Html5libStyle::Html,
        _ => Html5libStyle::Xml,
    };
    let json = (json, style);
    match dialect {
        DialectName::Xml => read(options.xml()?, json, what, input),
        DialectName::MicroXml => read(options.microxml(), json, what, input),
        DialectName::Sky => read(options.sky(&mut input)?, json, what, input),
        DialectName::LeafXml => read(options.leafxml(), json, what, input),
        DialectName::Html => read(options.html()?, json, what, input),
    }
}

fn read<D: Balance + Buildable>(
    dialect: D,
    (json, style): (json::Lines, Html5libStyle),
    what: &Writing,
    input: Input,
) -> Result<(), Failure> {
    match what {
        Writing::Events(events) => events::run(dialect, json, events, input),
        Writing::Tree(tree) => tree::run(dialect, style, tree, input),
    }
}
