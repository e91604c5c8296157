//! `cargo run --release -p testing --bin pages -- FOLDER…` folds the balanced events of all HTML files below folders
//! and prints for how many files the result is the tree. The program fails if there is a difference although no event
//! is marked as moved.

use std::path::PathBuf;
use std::process::ExitCode;
use tagstream::Html;
use testing::html_files::below;
use testing::invariants::html_balanced::{Found, compare};

fn main() -> ExitCode {
    let folders: Vec<String> = std::env::args().skip(1).collect();
    if folders.is_empty() {
        eprintln!("usage: pages FOLDER…");
        return ExitCode::from(2);
    }
    let pages: Vec<PathBuf> = folders.iter().flat_map(|folder| below(folder)).collect();
    let (mut found, mut wrong) = (Vec::new(), 0);
    for page in &pages {
        let compared = std::fs::read(page)
            .map_err(|error| error.to_string())
            .and_then(|input| compare(&Html::default(), &input));
        match compared {
            Ok(one) => found.push(one),
            Err(problem) => {
                wrong += 1;
                eprintln!("{}: {problem}", page.display());
            }
        }
    }
    let count = |which: fn(&Found) -> bool| found.iter().filter(|one| which(one)).count();
    println!("{} pages", pages.len());
    println!("{} of them with nothing moved", count(|one| one.none_moved));
    println!("{} whose events fold to the tree", count(|one| one.equal));
    let obeying = count(|one| one.obeying_equal);
    println!("{obeying} where the fold puts what is moved elsewhere");
    println!("{} with no end moved", count(|one| one.no_end_moved));
    match wrong {
        0 => ExitCode::SUCCESS,
        wrong => {
            println!("{wrong} wrong");
            ExitCode::FAILURE
        }
    }
}
