//! Compares the trees that tagstream and html5ever build for random documents, for pages, or for the inputs of the
//! tree-construction suite.
//!
//! - `case.rs`: the names of tags. The documents come from `testing::generate::html`.
//! - `engines.rs`: runs each engine through its public interface. `tree.rs`: the trees that the engines return.
//! - `rules.rs`: the known differences of html5ever, each with the sentence of the standard that it violates.
//! - `compare.rs`: compares both trees of a document, explains a difference, and reduces the document.
//! - `watch.rs`: ends the program if a document takes too long.
//!
//! ```sh
//! cargo run                                        # 10 000 documents, as CI does
//! cargo run --release -- --documents 200000
//! cargo run --release -- --seed 17 --documents 1000
//! cargo run --release -- page.html folder          # pages
//! ../lexbor/build.sh && cargo run --release -- --lexbor    # compares with lexbor too
//! ```
//!
//! The seed of the documents is fixed, unless `--seed` sets it or `TAGSTREAM_SEED` is a number or `fresh`. The program
//! fails if trees differ and no rule explains the difference, or if rules were needed for at least one document in
//! twenty.

mod case;
mod compare;
mod engines;
#[path = "../../lexbor/lexbor.rs"]
mod lexbor;
mod rules;
mod tree;
mod watch;

use compare::{Outcome, Peer};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use testing::generate::html::{Case, case};
use testing::random::Random;

/// Number of random documents, unless `--documents` sets it.
const DOCUMENTS: usize = 10_000;

/// Seed of the random documents, unless `--seed` or `TAGSTREAM_SEED` sets it.
const SEED: u64 = 0x7461_6773_7472_6561;

/// Number of differences that are printed, unless `--show` sets it.
const SHOWN: usize = 5;

const USAGE: &str =
    "usage: differential [--lexbor] [--show N] [--documents N] [--seed S] [PAGE-OR-FOLDER]...";

const HTML5EVER: Peer = Peer {
    name: "html5ever",
    tree: engines::html5ever,
    rules: rules::HTML5EVER,
};

/// A second parser to compare with. Its differences are printed, but not explained.
const LEXBOR: Peer = Peer {
    name: "lexbor",
    tree: engines::lexbor,
    rules: &[],
};

#[derive(Debug)]
struct Tally {
    peer: Peer,
    shown: usize,
    documents: usize,
    explained: usize,
    by_rule: Vec<usize>,
    differences: usize,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (mut documents, mut seed, mut pages) = (DOCUMENTS, None, Vec::new());
    let (mut peer, mut shown) = (HTML5EVER, SHOWN);
    while let Some(word) = arguments.next() {
        let number = |word: Option<String>| word.and_then(|word| word.parse::<u64>().ok());
        match word.as_str() {
            "--documents" | "--seed" | "--show" => {
                match (word.as_str(), number(arguments.next())) {
                    ("--documents", Some(number)) => documents = number as usize,
                    ("--show", Some(number)) => shown = number as usize,
                    (_, Some(number)) => seed = Some(number),
                    (_, None) => {
                        eprintln!("{USAGE}");
                        return ExitCode::from(2);
                    }
                }
            }
            "--lexbor" if lexbor::is_there() => peer = LEXBOR,
            "--lexbor" => {
                eprintln!("benches/lexbor/build.sh builds it");
                return ExitCode::from(2);
            }
            _ if word.starts_with('-') => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
            _ => pages.push(PathBuf::from(word)),
        }
    }
    watch::start();
    let mut tally = Tally {
        by_rule: vec![0; peer.rules.len()],
        peer,
        shown,
        documents: 0,
        explained: 0,
        differences: 0,
    };
    if pages.is_empty() {
        random_documents(
            documents,
            seed.or_else(Random::said_seed).unwrap_or(SEED),
            &mut tally,
        );
    } else {
        for path in pages.iter().flat_map(|path| files(path)) {
            page(&path, &mut tally);
        }
    }
    report(&tally)
}

fn random_documents(documents: usize, seed: u64, tally: &mut Tally) {
    println!("seed {seed}, {documents} documents");
    let mut random = Random(seed);
    for _ in 0..documents {
        let mut case = case(&mut random);
        // Processing instructions are kept in one document of ten only, because html5ever reads them as comments.
        if !random.one_in(10) {
            case.tokens.retain(|token| !token.starts_with("<?"));
        }
        case.processing_instructions = true;
        compare_one(&case, tally);
    }
}

fn compare_one(case: &Case, tally: &mut Tally) {
    tally.documents += 1;
    watch::begins(case);
    match compare::compare(&tally.peer, case) {
        Outcome::Same => {}
        Outcome::Explained(rules) => {
            tally.explained += 1;
            rules.into_iter().for_each(|rule| tally.by_rule[rule] += 1);
        }
        Outcome::Different => {
            tally.differences += 1;
            if tally.differences <= tally.shown {
                compare::show(&tally.peer, &compare::smaller(&tally.peer, case));
            }
        }
    }
}

fn page(path: &Path, tally: &mut Tally) {
    // Pages that are not UTF-8 are skipped.
    let Ok(text) = std::fs::read_to_string(path) else {
        return;
    };
    for scripting in [false, true] {
        let case = Case {
            tokens: compare::split(&text),
            context: None,
            scripting,
            processing_instructions: true,
        };
        let before = tally.differences;
        compare_one(&case, tally);
        if tally.differences > before {
            println!("  in {}", path.display());
        }
    }
}

/// Returns the pages at or below a path, sorted.
fn files(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else {
        return vec![path.to_owned()];
    };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    let is_page = |path: &PathBuf| {
        path.is_dir()
            || path
                .extension()
                .is_some_and(|end| end == "html" || end == "htm")
    };
    entries.retain(|path| !path.is_symlink() && is_page(path));
    entries.iter().flat_map(|path| files(path)).collect()
}

fn report(tally: &Tally) -> ExitCode {
    println!("{} documents", tally.documents);
    let name = tally.peer.name;
    println!("{} with a difference that is {name}'s:", tally.explained);
    for (rule, count) in tally.peer.rules.iter().zip(&tally.by_rule) {
        println!("{count:>8}  {}: {}", rule.name, rule.sentence);
    }
    println!("{} with an unexplained difference", tally.differences);
    let many = tally.explained * 20 >= tally.documents.max(1);
    if many {
        println!("rules explain too many: 5 % or more");
    }
    println!(
        "{} passed, {} failed",
        tally.documents - tally.differences,
        tally.differences
    );
    match tally.differences == 0 && !many {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
