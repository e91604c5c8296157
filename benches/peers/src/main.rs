//! Measures tagstream and other parsers of XML and HTML in one process, in turn, and prints medians.
//! `benches/README.md` describes the arguments and lists results.
//!
//! - `tables.rs`: the tables: engines that are measured on the same documents.
//! - `small.rs`: short documents, and a very long document of records.
//! - `print.rs`: prints the tables.
//!
//! Before the measurement, each engine reads each document once with an exact hash. The hashes of the engines of a
//! table must be equal.

mod print;
mod small;
mod tables;

use peers::clock;
use peers::inputs::{self, Input};
use peers::reading::{Exact, Quick, Report};
use peers::values;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tables::{Documents, Table};

const USAGE: &str = "usage: peers [--seconds S] [--only WORD]...

  --seconds S   time for each engine with each document; 0.5 unless given
  --only WORD   tables whose title holds the word, only

The documents are those of the folder that TAGSTREAM_PAGES names: .html files as HTML, others as XML.
Without it, documents of XML are made up.";

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            println!("\nENGINES DIFFER: see above");
            ExitCode::FAILURE
        }
        Err(problem) => {
            eprintln!("{problem}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// The arguments of the program.
struct Arguments {
    seconds: f64,
    only: Vec<String>,
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
        let mut arguments = Arguments {
            seconds: 0.5,
            only: Vec::new(),
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--seconds" => {
                    let seconds = value()?.parse();
                    arguments.seconds = seconds.map_err(|error| format!("seconds: {error}"))?;
                }
                "--only" => arguments.only.push(value()?),
                _ => return Err(format!("unknown: {word}")),
            }
        }
        Ok(arguments)
    }

    fn wants(&self, table: &Table) -> bool {
        let is_part = |word: &String| table.title.contains(word.as_str());
        self.only.is_empty() || self.only.iter().any(is_part)
    }
}

/// Runs the program. Returns whether all engines agree.
fn run() -> Result<bool, String> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    let (xml, html) = documents()?;
    let (small_xml, small_html) = (small::xml(), small::html());
    let records = [small::records()];
    let values = values::documents();
    print::documents(xml.iter().chain(&html));
    let mut agree = true;
    for table in tables::tables() {
        let inputs: &[Input] = match table.documents {
            Documents::Xml => &xml,
            Documents::Html => &html,
            Documents::SmallXml => &small_xml,
            Documents::SmallHtml => &small_html,
            Documents::Records => &records,
            Documents::Values => &values,
        };
        if arguments.wants(&table) && !inputs.is_empty() {
            agree &= check(&table, inputs);
            let measured = inputs
                .iter()
                .map(|input| measure(&table, input, arguments.seconds));
            print::table(&table, inputs, &measured.collect::<Vec<_>>());
        }
    }
    Ok(agree)
}

/// Returns the XML documents and the HTML documents.
fn documents() -> Result<(Vec<Input>, Vec<Input>), String> {
    let Some(folder) = std::env::var_os("TAGSTREAM_PAGES") else {
        return Ok((inputs::made_up(), Vec::new()));
    };
    let folder = Path::new(&folder);
    let entries = std::fs::read_dir(folder);
    let entries = entries.map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    let is_html = |file: &PathBuf| file.extension().is_some_and(|name| name == "html");
    let (html, xml): (Vec<PathBuf>, Vec<PathBuf>) = files.into_iter().partition(is_html);
    let html: Result<Vec<Input>, String> = html.iter().map(|file| inputs::file(file)).collect();
    Ok((inputs::files(&xml)?, html?))
}

/// Reads each document once with each engine, exactly, and prints the differences. Returns whether all engines agree.
fn check(table: &Table, inputs: &[Input]) -> bool {
    let mut agree = true;
    for input in inputs {
        let mut expected: Option<Report> = None;
        for engine in &table.engines {
            let mut exact = Exact::default();
            let done = (engine.exact)(&table.job(input), &mut exact);
            let report = exact.report();
            let first = *expected.get_or_insert(report);
            if let Err(problem) = &done {
                println!("\n{} of {}: {problem}", engine.name, input.name);
            } else if report != first
                || input.counts.is_some_and(|counts| counts != report.counts())
            {
                println!(
                    "\n{} of {}:\n  {report}\n  {first}",
                    engine.name, input.name
                );
            } else {
                continue;
            }
            agree = false;
        }
    }
    agree
}

/// Returns the median seconds of each engine for a document.
fn measure(table: &Table, input: &Input, seconds: f64) -> Vec<f64> {
    let job = &table.job(input);
    let mut tasks = Vec::new();
    for engine in &table.engines {
        tasks.push(move || {
            let mut quick = Quick::default();
            let done = (engine.quick)(black_box(job), &mut quick);
            black_box((done.is_ok(), quick.report()));
        });
    }
    clock::medians(&mut tasks, seconds)
}
