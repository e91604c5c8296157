//! Times tagstream's tokenizer of HTML beside those of others, with the same switching for elements
//! that hold text and with scripting on.
//!
//! Arguments are files and folders, of which a thousand pages are read; without any, the
//! documentation of Rust is. `tests/html.rs` compares what the engines read.

use peers::html::engines::TIMED;
use peers::html::pages;
use peers::html::reading::Counts;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Each engine reads everything so often; the median counts.
const ROUNDS: usize = 9;

/// The engine that all are measured by.
const REFERENCE: &str = "html5ever";

fn main() -> ExitCode {
    let mut paths: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        paths.extend(pages::rust_documentation());
    }
    let files = paths.iter().flat_map(|path| pages::at(path));
    let pages: Vec<String> = files
        .filter_map(|file| std::fs::read_to_string(file).ok())
        .collect();
    if pages.is_empty() {
        eprintln!("usage: html FILE-OR-FOLDER...");
        return ExitCode::from(2);
    }
    let large: Vec<&str> = pages
        .iter()
        .map(String::as_str)
        .filter(|page| (100_000..2_000_000).contains(&page.len()))
        .collect();
    report(
        "all pages",
        &pages.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    report("pages of 100 KB to 2 MB", &large);
    ExitCode::SUCCESS
}

/// The speed of each engine and its ratio to that of the reference, and what it has read.
fn report(what: &str, pages: &[&str]) {
    let bytes: usize = pages.iter().map(|page| page.len()).sum();
    println!("{what}: {} pages, {bytes} bytes", pages.len());
    let mut times = vec![Vec::new(); TIMED.len()];
    let mut counts = vec![Counts::default(); TIMED.len()];
    // In turn, so that what else the machine does falls on all of them.
    for _ in 0..ROUNDS {
        for (engine, (_, count)) in TIMED.iter().enumerate() {
            let (time, read) = time(*count, pages);
            times[engine].push(time);
            counts[engine] = read;
        }
    }
    let seconds: Vec<f64> = times
        .into_iter()
        .map(|times| median(times).as_secs_f64())
        .collect();
    let reference = TIMED.iter().position(|(name, _)| *name == REFERENCE);
    for (engine, (name, _)) in TIMED.iter().enumerate() {
        let speed = bytes as f64 / seconds[engine] / 1e6;
        let ratio = reference.map_or(f64::NAN, |reference| seconds[reference] / seconds[engine]);
        let counts = counts[engine];
        println!("  {name:<12}{speed:>8.1} MB/s {ratio:>6.2} x {REFERENCE}  {counts}");
    }
}

fn time(count: fn(&str, &mut Counts), pages: &[&str]) -> (Duration, Counts) {
    let start = Instant::now();
    let mut counts = Counts::default();
    for page in pages {
        count(black_box(page), &mut counts);
    }
    (start.elapsed(), black_box(counts))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
