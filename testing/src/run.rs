//! A test program of named cases. Names begin with the dialect: `html/data state/…`, so that one can
//! run one dialect, one state or one case by a part of its name.

use crate::effort::Effort;
use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;

/// The cases of a program, and what it leaves out.
#[derive(Default)]
pub struct Program {
    trials: Vec<Trial>,
    left_out: Vec<String>,
}

impl Program {
    /// Adds a case. It fails where it panics.
    pub fn case(&mut self, name: impl Into<String>, run: impl FnOnce() + Send + 'static) {
        self.trials.push(Trial::test(name, || {
            run();
            Ok(())
        }));
    }

    /// Adds a case that says what is wrong.
    pub fn check(
        &mut self,
        name: impl Into<String>,
        run: impl FnOnce() -> Result<(), String> + Send + 'static,
    ) {
        self.trials.push(Trial::test(name, || Ok(run()?)));
    }

    /// Says what is not run.
    pub fn leave_out(&mut self, what: impl Into<String>) {
        self.left_out.push(what.into());
    }

    /// Runs the cases that the arguments name.
    #[must_use]
    pub fn run(self) -> ExitCode {
        let arguments = Arguments::from_args();
        if !arguments.list {
            eprintln!("effort: {:?}", Effort::get());
            for what in &self.left_out {
                eprintln!("left out: {what}");
            }
        }
        let narrowed = arguments.filter.is_some() || !arguments.skip.is_empty();
        let conclusion = libtest_mimic::run(&arguments, self.trials);
        if !narrowed && !arguments.list && conclusion.num_passed + conclusion.num_failed == 0 {
            eprintln!("no case was run");
            return ExitCode::FAILURE;
        }
        conclusion.exit_code()
    }
}
