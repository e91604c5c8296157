//! The reasons for which the program ends early, and their exit statuses.

use crate::shown;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use tagstream::{Category, Error};

#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of the output has closed it, so there is nothing more to do.
    ClosedPipe,
    /// The search found nothing.
    NothingFound,
    /// The input was read and refused.
    Refused(String),
    /// The input cannot be read, the output cannot be written, or the arguments are wrong.
    Unusable(String),
}

impl Failure {
    /// Converts an error that ended the parse of `file`.
    pub(crate) fn parse(file: &Path, error: &Error) -> Failure {
        let message = format!("{}:{error}", file.display());
        match error.category() {
            Category::Input | Category::Limit => Failure::Refused(message),
            _ => Failure::Unusable(message),
        }
    }

    /// Creates the failure for a `file` that cannot be read or written.
    pub(crate) fn read(file: &Path, reason: impl Display) -> Failure {
        Failure::Unusable(format!("{}: {reason}", file.display()))
    }

    /// Writes the message to standard error, in one line, and returns the exit status. The status of a closed output is
    /// that of success.
    pub(crate) fn report(self) -> u8 {
        let (status, message) = match self {
            Failure::ClosedPipe => return 0,
            // The exit status alone reports this.
            Failure::NothingFound => return 1,
            Failure::Refused(message) => (1, message),
            Failure::Unusable(message) => (2, format!("tagstream: {message}")),
        };
        self::message(&message);
        status
    }
}

/// Writes a message to standard error, in one line.
pub(crate) fn message(text: &str) {
    // If standard error is closed, the message cannot be reported.
    let _ = writeln!(io::stderr(), "{}", shown::shown(text));
}

/// Converts an error of an [`Output`](crate::output::Output), whose message contains the name of the output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Unusable(error.to_string()),
        }
    }
}
