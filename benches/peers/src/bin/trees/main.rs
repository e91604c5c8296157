//! Times the trees that tagstream builds of HTML beside those of html5ever with rcdom, and of lexbor
//! where `benches/lexbor/build.sh` has built it.
//!
//! - `engines.rs`: each engine, driven through its public interface.
//! - `reading.rs`: what is done with the trees, the same for all: every name, attribute and text
//!   hashed. The hashes must agree.
//!
//! Arguments are files, or folders of which pages of 100 KB to 2 MB are read, a hundred spread over
//! all there are.

mod engines;
#[path = "../../../../lexbor/lexbor.rs"]
mod lexbor;
mod reading;

use engines::{Engine, engines};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// So many pages of folders are read.
const PAGES: usize = 100;

/// Their sizes.
const SIZES: std::ops::RangeInclusive<u64> = 100_000..=2_000_000;

/// Each engine reads each page so often, in turn with the others; the median counts.
const ROUNDS: usize = 9;

fn main() -> ExitCode {
    let paths: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        eprintln!("usage: trees FILE-OR-FOLDER...");
        return ExitCode::from(2);
    }
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.into_iter().partition(|path| path.is_dir());
    let mut found: Vec<PathBuf> = folders.iter().flat_map(|folder| pages(folder)).collect();
    found.sort();
    let step = found.len().div_ceil(PAGES).max(1);
    files.extend(found.into_iter().step_by(step));
    let engines = engines();
    let mut times = vec![Duration::ZERO; engines.len()];
    let (mut bytes, mut nodes, mut differences, mut ratios) = (0, 0, 0, Vec::new());
    for path in &files {
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        let readings: Vec<_> = engines.iter().map(|(_, read)| read(&text)).collect();
        if readings.iter().any(|reading| *reading != readings[0]) {
            differences += 1;
            println!("{}: trees differ: {readings:?}", path.display());
        }
        bytes += text.len();
        nodes += readings[0].count;
        let medians = medians(&engines, &text);
        ratios.push(
            medians
                .iter()
                .map(Duration::as_secs_f64)
                .collect::<Vec<f64>>(),
        );
        for (sum, time) in times.iter_mut().zip(&medians) {
            *sum += *time;
        }
    }
    println!(
        "{} pages, {bytes} bytes, {nodes} nodes and attributes",
        ratios.len()
    );
    let ours = engines.iter().position(|(name, _)| *name == "tagstream");
    for (at, (name, _)) in engines.iter().enumerate() {
        let speed = bytes as f64 / times[at].as_secs_f64() / 1e6;
        // How many times as fast tagstream is: geometric mean, least and most of the pages.
        let mut times: Vec<f64> = ratios
            .iter()
            .map(|page| page[at] / page[ours.unwrap_or(at)])
            .collect();
        times.sort_by(f64::total_cmp);
        let mean = times.iter().map(|time| time.ln()).sum::<f64>() / times.len().max(1) as f64;
        let (least, most) = (times.first().unwrap_or(&1.0), times.last().unwrap_or(&1.0));
        println!(
            "  {name:<12}{speed:>8.1} MB/s; its time over tagstream's: {:.2} ({least:.2} to {most:.2})",
            mean.exp()
        );
    }
    println!("pages on which trees differ: {differences}");
    match differences {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// The pages of a fit size at or below a path.
fn pages(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        let is_fit = || {
            entry
                .metadata()
                .is_ok_and(|data| SIZES.contains(&data.len()))
        };
        if path.is_dir() && !path.is_symlink() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|end| end == "html") && is_fit() {
            found.push(path);
        }
    }
    found
}

fn medians(engines: &[Engine], text: &str) -> Vec<Duration> {
    let mut times = vec![Vec::new(); engines.len()];
    for _ in 0..ROUNDS {
        for ((_, read), times) in engines.iter().zip(&mut times) {
            let start = Instant::now();
            black_box(read(black_box(text)));
            times.push(start.elapsed());
        }
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort();
        times[times.len() / 2]
    };
    times.iter_mut().map(median).collect()
}
