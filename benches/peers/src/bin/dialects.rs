//! Measures the XML-like dialects on the same plain documents. Elements, attributes, text and the five predefined
//! references are the same in all of these dialects. The program fails if a dialect takes more than twice the time of
//! Xml.
//!
//! `cargo run --release --bin dialects [--only DIALECT] [FILE]...`
//!
//! Arguments are plain documents. Without arguments, the documents of `benches/documents` are read after they were made
//! plain. Everything that is read is counted and hashed, and all dialects must agree. With `--only`, the program can be
//! run under `perf stat -e instructions:u,cycles:u`, whose counts other programs do not disturb.

use bytes::Bytes;
use peers::inputs::{self, Input};
use peers::reading::{Exact, Quick, Reading};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tagstream::microxml::Revision;
use tagstream::{Dialect, Error, Event, LeafXml, MicroXml, Parser, Sky, Xml};

/// Number of times that each dialect reads each document, in turn with the others.
const ROUNDS: usize = 25;

struct Reader {
    name: &'static str,
    exact: fn(&Bytes, &mut Exact) -> Result<(), Error>,
    quick: fn(&Bytes, &mut Quick) -> Result<(), Error>,
}

macro_rules! readers {
    ($($name:literal $dialect:expr;)*) => {
        [$(Reader {
            name: $name,
            exact: |input, reading| read($dialect, input, reading),
            quick: |input, reading| read($dialect, input, reading),
        }),*]
    };
}

fn main() -> ExitCode {
    let readers = readers! {
        "xml" Xml::default();
        "xml, strict" Xml::strict();
        "microxml" MicroXml::default();
        "microxml, final" MicroXml::default().revision(Revision::Final);
        "microxml, strict" MicroXml::strict();
        "sky" Sky::fragment();
        "leafxml" LeafXml::default();
    };
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut readers = Vec::from(readers);
    if files.len() > 1 && files[0] == "--only" {
        readers.retain(|reader| reader.name == files[1]);
        files.drain(..2);
    }
    let inputs = match files.is_empty() {
        true => Ok(inputs::made_up()),
        false => inputs::files(&files),
    };
    let inputs: Vec<Input> = match inputs {
        Ok(inputs) => inputs,
        Err(problem) => {
            eprintln!("{problem}\nusage: dialects [--only DIALECT] [FILE]...");
            return ExitCode::from(2);
        }
    };
    let mut agree = true;
    for document in &inputs {
        let input = &plain(document.text());
        println!("{}: {} bytes", document.name, input.len());
        let mut expected = None;
        let mut reference = 0.0;
        let times = measure(&readers, input);
        for (reader, time) in readers.iter().zip(times) {
            let mut exact = Exact::default();
            let read = (reader.exact)(input, &mut exact);
            let report = exact.report();
            let counts = document.counts.unwrap_or(report.counts());
            let same = *expected.get_or_insert(report) == report && report.counts() == counts;
            let same = same && read.is_ok();
            agree &= same;
            let speed = input.len() as f64 / time.as_secs_f64() / 1e6;
            if reference == 0.0 {
                reference = speed;
            }
            let (ratio, note) = (speed / reference, if same { "" } else { "   DIFFERS" });
            println!(
                "  {:<18}{speed:>7.0} MB/s {ratio:>5.2}x  {report}{note}",
                reader.name
            );
        }
    }
    match agree {
        true => ExitCode::SUCCESS,
        false => {
            println!("DIALECTS DIFFER: see above");
            ExitCode::FAILURE
        }
    }
}

/// Makes a document plain by removing the parts that are not plain.
fn plain(text: &str) -> Bytes {
    let text = match text.strip_prefix("<?xml ") {
        Some(rest) => rest.split_once("?>").map_or("", |(_, rest)| rest),
        None => text,
    };
    let text = text.replace("<![CDATA[a < b]]>", "a &lt; b");
    Bytes::from(text.replace("&#x2014;", "\u{2014}"))
}

/// Returns the shortest time of each reader, which is the one that other programs disturbed least.
fn measure(readers: &[Reader], input: &Bytes) -> Vec<Duration> {
    let mut times = vec![Vec::new(); readers.len()];
    for _ in 0..ROUNDS {
        for (reader, times) in readers.iter().zip(&mut times) {
            let mut quick = Quick::default();
            let start = Instant::now();
            let done = (reader.quick)(black_box(input), &mut quick);
            times.push(start.elapsed());
            black_box((done.is_ok(), quick.report()));
        }
    }
    let best = |times: Vec<Duration>| times.into_iter().min().unwrap_or_default();
    times.into_iter().map(best).collect()
}

fn read<R: Reading>(dialect: impl Dialect, input: &Bytes, reading: &mut R) -> Result<(), Error> {
    let mut parser = Parser::new(dialect);
    parser.feed(input.clone());
    parser.finish();
    while let Some(event) = parser.next_event()? {
        match event {
            Event::Start(tag) => {
                reading.start(tag.name());
                for attribute in tag.attributes() {
                    reading.attribute(attribute.name(), attribute.value());
                }
            }
            Event::End(tag) => reading.end(tag.name()),
            Event::Text(text) => reading.text(text.as_str()),
            _ => {}
        }
    }
    Ok(())
}
