//! Why the program ends before its work is done, and with which exit status.

use crate::options::Arguments;
use crate::shown;
use clap::Parser as _;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use tagstream::{Category, Error};

#[derive(Debug)]
pub(crate) enum Failure {
    /// Nobody reads the output any more: the work is done.
    ClosedPipe,
    /// What was looked for is not there.
    NothingFound,
    /// The input was read and refused.
    Refused(String),
    /// There is nothing that could be read, or nowhere to write to.
    Unusable(String),
}

impl Failure {
    /// A parse of `file` ended.
    pub(crate) fn parse(file: &Path, error: &Error) -> Failure {
        let message = format!("{}:{error}", file.display());
        match error.category() {
            Category::Input | Category::Limit => Failure::Refused(message),
            _ => Failure::Unusable(message),
        }
    }

    /// `file` cannot be read.
    pub(crate) fn read(file: &Path, reason: impl Display) -> Failure {
        Failure::Unusable(format!("{}: {reason}", file.display()))
    }

    /// Says it, in one line, and gives the exit status; that of nobody listening is success.
    pub(crate) fn report(self) -> u8 {
        let (status, message) = match self {
            Failure::ClosedPipe => return 0,
            // Silence says it.
            Failure::NothingFound => return 1,
            Failure::Refused(message) => (1, message),
            Failure::Unusable(message) => (2, format!("tagstream: {message}")),
        };
        // Where standard error is closed, too, nobody is left to tell.
        let _ = writeln!(io::stderr(), "{}", shown::shown(&message));
        status
    }
}

/// Says what is wrong with the arguments, or what help they ask for, and ends the program.
pub(crate) fn refuse(error: &clap::Error) -> ! {
    // Said of arguments of which everything can be shown, it can be shown itself.
    let arguments = std::env::args_os().map(|one| shown::shown(&one.to_string_lossy()));
    if let Err(error) = Arguments::try_parse_from(arguments) {
        error.exit();
    }
    let message = shown::shown_lines(&error.render().to_string());
    let _ = write!(io::stderr(), "{message}");
    std::process::exit(error.exit_code());
}

/// What an [`Output`](crate::output::Output) fails with; the message says which output it is.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Unusable(error.to_string()),
        }
    }
}
