//! Counts of the errors in each file: the summary, and the exit status.

use crate::shown::shown;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The result of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Read,
    /// The file was not read, or not to its end.
    Unusable,
}

#[derive(Debug, Default)]
pub(crate) struct Tally {
    files: u64,
    unusable: u64,
    errors: u64,
    /// The files that have errors, each with the number of its errors.
    wrong: Vec<(PathBuf, u64)>,
}

impl Tally {
    pub(crate) fn add(&mut self, file: &Path, errors: u64, outcome: Outcome) {
        self.files += 1;
        self.unusable += u64::from(outcome == Outcome::Unusable);
        self.errors += errors;
        if errors > 0 {
            self.wrong.push((file.to_owned(), errors));
        }
    }

    /// Writes the summary and returns the exit status.
    pub(crate) fn report(&self) -> ExitCode {
        let mut summary = String::new();
        for (file, errors) in &self.wrong {
            // Writing to a string cannot fail.
            let file = shown(&file.to_string_lossy());
            let _ = writeln!(summary, "{file}: {}", counted(*errors, "error"));
        }
        if self.files > 1 || self.wrong.is_empty() && self.unusable == 0 {
            let errors = match self.errors {
                0 => "no errors".to_owned(),
                errors => counted(errors, "error"),
            };
            let _ = write!(summary, "{errors} in {}", counted(self.files, "file"));
            if self.unusable > 0 {
                let _ = write!(summary, ", {} not read", self.unusable);
            }
            summary.push('\n');
        }
        // If standard error is closed, the error cannot be reported.
        let _ = io::stderr().write_all(summary.as_bytes());
        ExitCode::from(match (self.unusable, self.errors) {
            (0, 0) => 0,
            (0, _) => 1,
            _ => 2,
        })
    }
}

fn counted(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
