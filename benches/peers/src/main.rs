//! Times tagstream beside other parsers of XML, in one process, in turn, and shows medians.
//!
//! - `arguments.rs`: what is asked for; `inputs.rs`: what is read.
//! - `reading.rs`: what is done with everything read, the same for all.
//! - `engines/`: one file for each crate, each driving it through its public interface.
//!
//! Each engine first reads each file once with an exact hash, which must agree among them.

mod arguments;
mod engines;

use arguments::Arguments;
use engines::{Engine, Job};
use peers::inputs::{self, Input};
use peers::reading::{Exact, Quick, Reading, Report};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The least number of rounds that a median is taken of.
const ROUNDS: usize = 5;

/// The engine that all are measured by.
const REFERENCE: &str = "quick-xml";

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{problem}\n{}", arguments::USAGE);
            return ExitCode::from(2);
        }
    };
    let inputs = match inputs::inputs(&arguments.files) {
        Ok(inputs) => inputs,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::from(2);
        }
    };
    let engines: Vec<&Engine> = engines::ENGINES
        .iter()
        .filter(|engine| engine.name == REFERENCE || arguments.wants(engine.name))
        .collect();
    for input in &inputs {
        println!("{}: {} bytes", input.name, input.bytes.len());
    }
    let agree = check(&engines, &inputs, arguments.chunk);
    let speeds = measure(&engines, &inputs, &arguments);
    show(&engines, &inputs, &speeds, arguments.chunk);
    if agree {
        ExitCode::SUCCESS
    } else {
        println!("ENGINES DIFFER: see above");
        ExitCode::FAILURE
    }
}

/// Reads everything once, exactly, and shows counts and hash; gives whether all agree.
fn check(engines: &[&Engine], inputs: &[Input], chunk: usize) -> bool {
    let mut agree = true;
    for input in inputs {
        println!("\n{}", input.name);
        let mut expected: Option<Report> = None;
        for engine in engines {
            let job = Job { input, chunk };
            let mut exact = Exact::default();
            match (engine.exact)(&job, &mut exact) {
                Ok(()) => {
                    let report = exact.report();
                    let counts = input.counts.unwrap_or(report.counts());
                    let same = *expected.get_or_insert(report) == report;
                    let same = same && report.counts() == counts;
                    agree &= same;
                    let note = if same { "" } else { "   DIFFERS" };
                    println!("  {:<24}{report}{note}", engine.name);
                }
                Err(problem) => {
                    agree = false;
                    println!("  {:<24}FAILED: {problem}", engine.name);
                }
            }
        }
    }
    agree
}

/// Megabytes a second of each engine with each input; none where it fails.
fn measure(engines: &[&Engine], inputs: &[Input], arguments: &Arguments) -> Vec<Vec<f64>> {
    let mut speeds = vec![Vec::new(); engines.len()];
    for input in inputs {
        let mut times: Vec<Vec<Duration>> = vec![Vec::new(); engines.len()];
        let budget = Duration::from_secs_f64(arguments.seconds * engines.len() as f64);
        let begin = Instant::now();
        let mut round = 0;
        while round < ROUNDS || begin.elapsed() < budget {
            for (engine, times) in engines.iter().zip(&mut times) {
                let job = Job {
                    input: black_box(input),
                    chunk: arguments.chunk,
                };
                let start = Instant::now();
                let mut quick = Quick::default();
                let done = (engine.quick)(&job, &mut quick).is_ok();
                black_box(quick.report());
                if done {
                    times.push(start.elapsed());
                }
            }
            round += 1;
        }
        for (speeds, times) in speeds.iter_mut().zip(&mut times) {
            times.sort();
            let median = times.get(times.len() / 2);
            let speed = median.map(|time| input.bytes.len() as f64 / time.as_secs_f64() / 1e6);
            speeds.push(speed.unwrap_or(f64::NAN));
        }
    }
    speeds
}

fn show(engines: &[&Engine], inputs: &[Input], speeds: &[Vec<f64>], chunk: usize) {
    let chunks = match chunk {
        usize::MAX => "whole".to_owned(),
        size => format!("chunks of {size}"),
    };
    println!("\nMB/s and ratio to {REFERENCE} (always whole), {chunks}");
    print!("{:<26}", "");
    for input in inputs {
        print!("{:>20}", input.name);
    }
    println!("{:>12}", "geom. mean");
    let reference = engines.iter().position(|engine| engine.name == REFERENCE);
    for (engine, row) in engines.iter().zip(speeds) {
        print!("{:<26}", engine.name);
        let mut logarithms = 0.0;
        for (column, speed) in row.iter().enumerate() {
            let ratio = reference.map_or(f64::NAN, |at| speed / speeds[at][column]);
            logarithms += ratio.ln();
            print!("{speed:>12.0}  {ratio:>5.2}x");
        }
        println!("{:>11.2}x", (logarithms / row.len() as f64).exp());
    }
    show_strictness(engines, speeds);
}

/// How fast strict events are beside those of the mode that recovers, which do the same work.
fn show_strictness(engines: &[&Engine], speeds: &[Vec<f64>]) {
    let row = |name| {
        let at = engines.iter().position(|engine| engine.name == name)?;
        speeds.get(at)
    };
    let (Some(strict), Some(recovering)) = (row("tagstream-strict"), row("tagstream")) else {
        return;
    };
    print!("{:<26}", "strict to recovering");
    let mut logarithms = 0.0;
    for (strict, recovering) in strict.iter().zip(recovering) {
        let ratio = strict / recovering;
        logarithms += ratio.ln();
        print!("{:>12}  {ratio:>5.2}x", "");
    }
    println!("{:>11.2}x", (logarithms / strict.len() as f64).exp());
}
