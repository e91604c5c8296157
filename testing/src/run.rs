//! A test program of named cases. Names begin with the dialect, such as `html/data state/…`, so that a filter can
//! select one dialect, one state or one case.

use crate::effort::Effort;
use crate::suites;
pub use libtest_mimic::Failed;
use libtest_mimic::{Arguments, Trial};
use std::path::Path;
use std::process::ExitCode;
use std::sync::RwLock;

/// Beginnings of the names of cases. A filter that starts with one of them matches only the beginning of a name.
const DIALECTS: [&str; 8] = [
    "html/",
    "xml/",
    "microxml/",
    "sky/",
    "leafxml/",
    "core/",
    "tree/",
    "cli/",
];

/// Cases hold this lock for reading. A case that runs alone holds it for writing.
static ALONE: RwLock<()> = RwLock::new(());

/// The result of a case: `()` if the case panics when it fails, or a `Result`.
pub trait Outcome {
    /// Converts the result to that of the test harness.
    ///
    /// # Errors
    ///
    /// Returns a description of the problem.
    fn told(self) -> Result<(), Failed>;
}

impl Outcome for () {
    fn told(self) -> Result<(), Failed> {
        Ok(())
    }
}

impl<E: Into<Failed>> Outcome for Result<(), E> {
    fn told(self) -> Result<(), Failed> {
        self.map_err(Into::into)
    }
}

/// The cases of a program, and the descriptions of those that are left out.
#[derive(Default)]
pub struct Program {
    trials: Vec<Trial>,
    left_out: Vec<String>,
}

impl Program {
    /// Adds a case. The case fails if it panics or returns an error.
    ///
    /// # Panics
    ///
    /// Panics if the name does not begin with a dialect.
    pub fn case<T: Outcome>(
        &mut self,
        name: impl Into<String>,
        run: impl FnOnce() -> T + Send + 'static,
    ) {
        let name = name.into();
        let known = DIALECTS.iter().any(|dialect| name.starts_with(dialect));
        assert!(known, "of no dialect: {name}");
        self.trials.push(Trial::test(name, || {
            let _others = ALONE.read();
            run().told()
        }));
    }

    /// Adds a case that runs while no other case is running, because it measures the whole process.
    pub fn case_alone<T: Outcome>(
        &mut self,
        name: impl Into<String>,
        run: impl FnOnce() -> T + Send + 'static,
    ) {
        self.trials.push(Trial::test(name, || {
            let _others = ALONE.write();
            run().told()
        }));
    }

    /// Adds a case that returns a description of the problem if it fails.
    pub fn check(
        &mut self,
        name: impl Into<String>,
        run: impl FnOnce() -> Result<(), String> + Send + 'static,
    ) {
        self.case(name, run);
    }

    /// Adds the cases of a suite, if the suite is installed.
    pub fn suite(&mut self, name: &str, add: impl FnOnce(&Path, &mut Program)) {
        let Some(folder) = suites::suite(name) else {
            self.leave_out(format!("the suite {name}, which is missing"));
            return;
        };
        let before = self.trials.len();
        add(&folder, self);
        assert!(
            self.trials.len() > before,
            "no case in {}",
            folder.display()
        );
    }

    /// Adds a description of cases that are not run.
    pub fn leave_out(&mut self, what: impl Into<String>) {
        self.left_out.push(what.into());
    }

    /// Adds a description of cases that are not run in the quick effort.
    pub fn leave_out_in_quick(&mut self, what: impl Into<String>) {
        if !Effort::is_full() {
            self.leave_out(what);
        }
    }

    /// Runs the cases that the arguments select.
    #[must_use]
    pub fn run(mut self) -> ExitCode {
        let arguments = Arguments::from_args();
        if !arguments.list {
            eprintln!("effort: {:?}", Effort::get());
            for what in &self.left_out {
                eprintln!("left out: {what}");
            }
        }
        if let Some(filter) = &arguments.filter
            && DIALECTS.iter().any(|dialect| filter.starts_with(dialect))
        {
            self.trials
                .retain(|trial| trial.name().starts_with(filter.as_str()));
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

/// Adds functions as cases: `cases!(program, "core/parser", first, second)`. With `alone` before the arguments, no
/// other case runs at the same time.
#[macro_export]
macro_rules! cases {
    (alone $program:expr, $of:literal, $($name:ident),* $(,)?) => {
        $($program.case_alone(concat!($of, "/", stringify!($name)).replace('_', " "), $name);)*
    };
    ($program:expr, $of:literal, $($name:ident),* $(,)?) => {
        $($program.case(concat!($of, "/", stringify!($name)).replace('_', " "), $name);)*
    };
}
