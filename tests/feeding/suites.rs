//! Where the conformance suites are, and what stands for them where they are not.

use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The folder of a suite, if it is there: below `TAGSTREAM_SUITES`, else beside the project.
fn folder(suite: &str) -> Option<PathBuf> {
    let root = std::env::var_os("TAGSTREAM_SUITES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/suites"),
        PathBuf::from,
    );
    Some(root.join(suite)).filter(|path| path.is_dir())
}

/// Runs the cases of a suite, or reports it as ignored where its folder is absent.
pub(crate) fn run(suite: &str, cases: impl FnOnce(&Path) -> Vec<Trial>) -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = match folder(suite) {
        Some(folder) => {
            let trials = cases(&folder);
            assert!(!trials.is_empty(), "no case in {}", folder.display());
            trials
        }
        None => vec![Trial::test(suite.to_owned(), || Ok(())).with_ignored_flag(true)],
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}
