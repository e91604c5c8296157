//! Times the dialects of the XML kind with the same plain documents, beside Xml: elements, attributes,
//! text and the five references are the same in all of them. None may take twice the time of Xml.
//!
//! `cargo run --release --bin dialects [--only DIALECT] [FILE]...`
//!
//! Arguments are plain documents; without any, those of `benches/documents` are read, made plain. All
//! that is read is counted and hashed, and must agree. With one dialect alone, `perf stat -e
//! instructions:u,cycles:u` says what no other program disturbs.

use bytes::Bytes;
use peers::inputs::{self, Input};
use peers::reading::{Exact, Quick, Reading};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tagstream::microxml::Revision;
use tagstream::{Dialect, Error, Event, LeafXml, MicroXml, Parser, Sky, Xml};

/// Each dialect reads each document so often, in turn with the others.
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

/// A document that is plain, if it was but for what is taken away here.
fn plain(text: &str) -> Bytes {
    let text = match text.strip_prefix("<?xml ") {
        Some(rest) => rest.split_once("?>").map_or("", |(_, rest)| rest),
        None => text,
    };
    let text = text.replace("<![CDATA[a < b]]>", "a &lt; b");
    Bytes::from(text.replace("&#x2014;", "\u{2014}"))
}

/// The best time of each reader: what else the machine does is no part of it.
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
