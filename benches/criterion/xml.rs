//! Throughput of Xml on generated documents, whole and in chunks: events, balanced events, owned events and trees. Each
//! benchmark checks the number of elements and attributes that were read.

#[path = "../documents/mod.rs"]
mod documents;

use bytes::Bytes;
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use documents::{Document, documents};
use std::hint::black_box;
use tagstream::{Error, Event, Parser, TreeBuilder, Xml};

/// Size of each document.
const BYTES: usize = 1 << 20;

/// Chunk sizes in bytes, with their names.
const CHUNKS: [(usize, &str); 3] = [(usize::MAX, "whole"), (4096, "4096"), (64, "64")];

/// Numbers of elements and attributes, and a number of bytes, which is counted so that every string is read.
#[derive(Default, PartialEq, Eq, Debug)]
struct Counts {
    elements: u64,
    attributes: u64,
    bytes: u64,
}

impl Counts {
    #[inline]
    fn see(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(tag) => {
                self.elements += 1;
                self.bytes += tag.name().len() as u64;
                for attribute in tag.attributes() {
                    self.attributes += 1;
                    self.bytes += (attribute.name().len() + attribute.value().len()) as u64;
                }
            }
            Event::Text(text) => self.bytes += text.as_str().len() as u64,
            _ => {}
        }
    }
}

/// Reads an input in chunks of a size.
type Read = fn(&Bytes, usize) -> Result<Counts, Error>;

fn chunks(input: &Bytes, size: usize) -> impl Iterator<Item = Bytes> + '_ {
    let starts = (0..input.len()).step_by(size);
    starts.map(move |from| input.slice(from..from.saturating_add(size).min(input.len())))
}

fn events(input: &Bytes, chunk: usize) -> Result<Counts, Error> {
    let mut counts = Counts::default();
    let mut parser = Parser::new(Xml::default());
    for chunk in chunks(input, chunk) {
        parser.feed(chunk);
        while let Some(event) = parser.next_event()? {
            counts.see(&event);
        }
    }
    parser.finish();
    while let Some(event) = parser.next_event()? {
        counts.see(&event);
    }
    Ok(counts)
}

fn balanced(input: &Bytes, chunk: usize) -> Result<Counts, Error> {
    let mut counts = Counts::default();
    let mut parser = Parser::new(Xml::default()).balanced();
    for chunk in chunks(input, chunk) {
        parser.feed(chunk);
        while let Some(event) = parser.next_event()? {
            counts.see(&event);
        }
    }
    parser.finish();
    while let Some(event) = parser.next_event()? {
        counts.see(&event);
    }
    Ok(counts)
}

fn owned(input: &Bytes, chunk: usize) -> Result<Counts, Error> {
    let mut counts = Counts::default();
    let mut parser = Parser::new(Xml::default());
    for chunk in chunks(input, chunk) {
        parser.feed(chunk);
        for event in &mut parser {
            counts.see(&event?.event());
        }
    }
    parser.finish();
    for event in &mut parser {
        counts.see(&event?.event());
    }
    Ok(counts)
}

fn tree(input: &Bytes, chunk: usize) -> Result<Counts, Error> {
    let mut counts = Counts::default();
    let mut builder = TreeBuilder::new(Xml::default());
    for chunk in chunks(input, chunk) {
        builder.supply(chunk);
        builder.build()?;
    }
    builder.supply_end();
    builder.build()?;
    for node in builder.into_sink().root().descendants() {
        counts.bytes += node.text().len() as u64;
        if node.is_element() {
            counts.elements += 1;
            counts.bytes += node.name().len() as u64;
        }
        for attribute in node.attributes() {
            counts.attributes += 1;
            counts.bytes += (attribute.name().len() + attribute.value().len()) as u64;
        }
    }
    Ok(counts)
}

fn bench(group: &mut BenchmarkGroup<'_, WallTime>, document: &Document, read: Read) {
    let input = Bytes::from(document.text.clone());
    let whole = read(&input, usize::MAX).expect("the documents are well-formed");
    group.throughput(Throughput::Bytes(input.len() as u64));
    for (chunk, name) in CHUNKS {
        let counts = read(&input, chunk).expect("the documents are well-formed");
        assert_eq!(counts, whole, "{} in chunks of {name}", document.name);
        assert_eq!(counts.elements, document.elements, "{}", document.name);
        assert_eq!(counts.attributes, document.attributes, "{}", document.name);
        group.bench_function(BenchmarkId::new(document.name, name), |bencher| {
            bencher.iter(|| read(black_box(&input), chunk));
        });
    }
}

fn benches(criterion: &mut Criterion) {
    let documents = documents(BYTES);
    let readings: [(&str, Read); 4] = [
        ("events", events),
        ("balanced", balanced),
        ("owned", owned),
        ("tree", tree),
    ];
    for (name, read) in readings {
        let mut group = criterion.benchmark_group(name);
        for document in &documents {
            bench(&mut group, document, read);
        }
        group.finish();
    }
}

criterion_group!(xml, benches);
criterion_main!(xml);
