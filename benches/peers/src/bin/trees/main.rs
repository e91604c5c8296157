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
#[expect(
    dead_code,
    reason = "namespaces and identifiers are read by the differential alone"
)]
mod lexbor;
mod reading;

use engines::{Engine, Page, engines};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

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
    let (mut built, mut read) = (Times::default(), Times::default());
    let (mut bytes, mut nodes, mut differences) = (0, 0, 0);
    for path in &files {
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        let page = Page::new(text);
        let readings: Vec<_> = engines.iter().map(|engine| (engine.read)(&page)).collect();
        if readings.iter().any(|reading| *reading != readings[0]) {
            differences += 1;
            println!("{}: trees differ: {readings:?}", path.display());
        }
        bytes += page.len();
        nodes += readings[0].count;
        built.0.push(medians(&engines, |engine| {
            (engine.build)(black_box(&page));
        }));
        read.0.push(medians(&engines, |engine| {
            black_box((engine.read)(black_box(&page)));
        }));
    }
    println!(
        "{} pages, {bytes} bytes, {nodes} nodes and attributes",
        built.0.len()
    );
    built.print("built and dropped", &engines, bytes);
    read.print("built, read and dropped", &engines, bytes);
    println!("pages on which trees differ: {differences}");
    match differences {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// The seconds of each engine, page by page.
#[derive(Default)]
struct Times(Vec<Vec<f64>>);

impl Times {
    fn print(&self, what: &str, engines: &[Engine], bytes: usize) {
        println!("{what}:");
        let ours = engines.iter().position(|engine| engine.name == "tagstream");
        for (at, engine) in engines.iter().enumerate() {
            let seconds: f64 = self.0.iter().map(|page| page[at]).sum();
            // How many times as fast tagstream is: geometric mean, least and most of the pages.
            let ratio = |page: &Vec<f64>| page[at] / page[ours.unwrap_or(at)];
            let mut ratios: Vec<f64> = self.0.iter().map(ratio).collect();
            ratios.sort_by(f64::total_cmp);
            let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64;
            let (least, most) = (
                ratios.first().unwrap_or(&1.0),
                ratios.last().unwrap_or(&1.0),
            );
            println!(
                "  {:<12}{:>8.1} MB/s; its time over tagstream's: {:.2} ({least:.2} to {most:.2})",
                engine.name,
                bytes as f64 / seconds / 1e6,
                mean.exp()
            );
        }
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

/// The median time of each engine, in turn with the others.
fn medians(engines: &[Engine], run: impl Fn(&Engine)) -> Vec<f64> {
    let mut times = vec![Vec::new(); engines.len()];
    for _ in 0..ROUNDS {
        for (engine, times) in engines.iter().zip(&mut times) {
            let start = Instant::now();
            run(engine);
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    times.iter_mut().map(median).collect()
}
