//! Times tagstream's tokenizer of HTML beside html5ever's and html5gum's, and compares them token by
//! token, with the same switching for elements that hold text and with scripting on.
//!
//! - `engines.rs`: each engine, driven through its public interface.
//! - `reading.rs`: what is done with the tokens, the same for all.
//!
//! Arguments are files, or folders of which the first thousand pages are read. Where the engines
//! differ, the first difference is shown, and the program fails.

mod engines;
mod reading;

use engines::ENGINES;
use reading::{Counts, Log};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// So many pages of all folders are read.
const PAGES: usize = 1000;

/// Each engine reads everything so often; the median counts.
const ROUNDS: usize = 5;

fn main() -> ExitCode {
    let paths: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        eprintln!("usage: html FILE-OR-FOLDER...");
        return ExitCode::from(2);
    }
    let mut files: Vec<PathBuf> = paths.iter().flat_map(|path| pages(path)).collect();
    files.truncate(PAGES);
    let pages: Vec<(PathBuf, String)> = files
        .into_iter()
        .filter_map(|path| std::fs::read_to_string(&path).ok().map(|text| (path, text)))
        .collect();
    let bytes: usize = pages.iter().map(|(_, text)| text.len()).sum();
    println!("{} pages, {bytes} bytes", pages.len());
    let differences = pages.iter().filter(|page| differs(page)).count();
    for (name, _, count) in ENGINES {
        let times = (0..ROUNDS).map(|_| time(*count, &pages)).collect();
        println!(
            "  {name:<12}{:>8.1} MB/s",
            bytes as f64 / median(times).as_secs_f64() / 1e6
        );
    }
    println!("pages on which engines differ: {differences}");
    match differences {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// The pages at or below a path, in order.
fn pages(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else {
        return vec![path.to_owned()];
    };
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    let mut found = Vec::new();
    for path in folders {
        if path.is_dir() && found.len() < PAGES {
            found.extend(pages(&path));
        } else if path
            .extension()
            .is_some_and(|extension| extension == "html")
        {
            found.push(path);
        }
    }
    found
}

/// Whether engines differ on a page; shows the first difference.
fn differs((path, text): &(PathBuf, String)) -> bool {
    let mut logs = ENGINES.iter().map(|(name, log, _)| {
        let mut tokens = Log::default();
        log(text, &mut tokens);
        (*name, tokens.finish())
    });
    let (_, expected) = logs.next().unwrap_or_default();
    for (name, found) in logs {
        if found != expected {
            let mut pairs = expected.iter().zip(&found);
            let at = pairs.position(|(one, two)| one != two);
            let at = at.unwrap_or(expected.len().min(found.len()));
            println!("{}: token {at}", path.display());
            println!(
                "  {}: {:?}\n  {name}: {:?}",
                ENGINES[0].0,
                expected.get(at),
                found.get(at)
            );
            return true;
        }
    }
    false
}

fn time(count: fn(&str, &mut Counts), pages: &[(PathBuf, String)]) -> Duration {
    let start = Instant::now();
    for (_, text) in pages {
        let mut counts = Counts::default();
        count(black_box(text), &mut counts);
        black_box(counts);
    }
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
