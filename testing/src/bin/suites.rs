//! `cargo run -p testing --bin suites -- CHECKOUTS TARGET` converts checkouts of the public suites to the files that
//! the tests read. `testing/suites.md` describes the checkouts.

use std::path::Path;
use std::process::ExitCode;
use testing::checkouts::convert;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [checkouts, target] = arguments.as_slice() else {
        eprintln!("usage: suites CHECKOUTS TARGET");
        return ExitCode::from(2);
    };
    match convert(Path::new(checkouts), Path::new(target)) {
        Ok(told) => {
            told.iter().for_each(|line| println!("{line}"));
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
