//! Compares reading records into batches, and the inference of their schema, with reading the events alone.
//!
//! `records_speed [TASK|DOCUMENT|all] [MEGABYTES] [TIMES]` prints the best speed on generated records. The tasks of a
//! document run in turns. A task is `table-rows`, for example: a document (`pages`, `wide`, `eight`, `table`, `lists`), and
//!
//! - `events`, `pieces`: the events alone, with whole texts or pieces of text;
//! - `rows`: all columns (of `pages`, three of four);
//! - `one`: one column;
//! - `infer`: inference of the schema from the whole document;
//! - `threads-1`, `threads-2`: all columns with `ParallelReader`.

use arrow_schema::{Schema, SchemaRef};
use bytes::Bytes;
use std::sync::Arc;
use std::time::Instant;
use tagstream::{Event, Parser, TextPolicy, Xml};
use tagstream_arrow::{Decoder, Inferrer, Options, ParallelReader};

const CHUNK_BYTES: usize = 256 * 1024;

/// Number of bytes from which the columns of a document are inferred.
const SAMPLE_BYTES: usize = 64 * 1024;

/// Returns records with an attribute, a title, a number and a text.
fn records(bytes: usize) -> Vec<u8> {
    let words = [
        "tag",
        "stream",
        "parser",
        "markup",
        "bytes",
        "events",
        "chunk",
        "tree",
        "window",
        "folio",
        "&amp;",
        "&lt;b&gt;",
    ];
    let mut xml = String::from("<pages>\n");
    let mut row = 0u64;
    while xml.len() < bytes {
        let word = |at: u64| {
            words[(row
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .wrapping_add(at * at * 7919)
                >> 7) as usize
                % 12]
        };
        let body: Vec<_> = (0..40).map(word).collect();
        xml += &format!(
            "<page id=\"{row}\">\n  <title>{} {}</title>\n  <n>{}</n>\n  <text>{}</text>\n</page>\n",
            word(50),
            row % 1000,
            row % 100,
            body.join(" ")
        );
        row += 1;
    }
    xml += "</pages>\n";
    xml.into_bytes()
}

/// Returns records with twenty fields.
fn wide(bytes: usize) -> Vec<u8> {
    let mut xml = String::from("<rows>\n");
    let mut row = 0u64;
    while xml.len() < bytes {
        xml += "<row>";
        for column in 0..20 {
            xml += &format!(
                "<column{column}>{}</column{column}>",
                row.wrapping_mul(column + 7) % 100_000
            );
        }
        xml += "</row>\n";
        row += 1;
    }
    xml += "</rows>\n";
    xml.into_bytes()
}

/// Returns records with eight columns of several types, of about 220 bytes each.
fn eight(bytes: usize) -> Vec<u8> {
    let mut xml = String::from("<orders>\n");
    let mut row = 0u64;
    while xml.len() < bytes {
        xml += &format!(
            "<order id=\"{row}\" state=\"{}\">\n  <name>Customer {row}</name>\n  <date>2026-0{}-1{}</date>\n  \
             <total>{}.25</total>\n  <paid>{}</paid>\n  <note>a note about order {row}</note>\n  <count>{}</count>\n\
             </order>\n",
            if row.is_multiple_of(3) {
                "open"
            } else {
                "closed"
            },
            row % 9 + 1,
            row % 10,
            row % 1000,
            row.is_multiple_of(2),
            row % 17,
        );
        row += 1;
    }
    xml += "</orders>\n";
    xml.into_bytes()
}

/// Returns records with twenty columns of texts, numbers, dates and times.
fn table(bytes: usize) -> Vec<u8> {
    let mut xml = String::from("<rows>\n");
    let mut row = 0u64;
    while xml.len() < bytes {
        xml += "  <row>\n";
        for column in 0..20 {
            let number = row.wrapping_mul(column + 7) % 100_000;
            let (month, day) = (number % 12 + 1, number % 28 + 1);
            let value = match column % 5 {
                0 => format!("Some words about {number}"),
                1 => format!("{number}"),
                2 => format!("{number}.{column}"),
                3 => format!("2026-{month:02}-{day:02}"),
                _ => format!("2026-{month:02}-{day:02}T12:{day:02}:{month:02}Z"),
            };
            xml += &format!("    <column{column}>{value}</column{column}>\n");
        }
        xml += "  </row>\n";
        row += 1;
    }
    xml += "</rows>\n";
    xml.into_bytes()
}

/// Returns records with optional elements, a list of texts and a list of structs.
fn lists(bytes: usize) -> Vec<u8> {
    let mut xml = String::from("<orders>\n");
    let mut row = 0u64;
    while xml.len() < bytes {
        xml += &format!("  <order id=\"{row}\">\n");
        if !row.is_multiple_of(3) {
            xml += &format!(
                "    <customer><name>Customer {row}</name><since>2026-01-1{}</since></customer>\n",
                row % 10
            );
        }
        for tag in 0..row % 4 {
            xml += &format!("    <tag>tag {tag}</tag>\n");
        }
        for item in 0..row % 5 {
            xml += &format!(
                "    <item sku=\"A-{item}\"><price>{}.50</price><count>{item}</count></item>\n",
                row % 1000
            );
        }
        xml += "  </order>\n";
        row += 1;
    }
    xml += "</orders>\n";
    xml.into_bytes()
}

/// A generated document, and its columns that can be read.
struct Document {
    /// The first part of the names of its tasks.
    name: &'static str,
    generate: fn(usize) -> Vec<u8>,
    row_tag: &'static str,
    /// The columns that the task `rows` reads. If there are none, the inferred ones are read.
    columns: &'static [&'static str],
    /// The column that the task `one` reads.
    one: &'static str,
}

const DOCUMENTS: [Document; 5] = [
    Document {
        name: "pages",
        generate: records,
        row_tag: "page",
        columns: &["_id", "title", "n"],
        one: "n",
    },
    Document {
        name: "wide",
        generate: wide,
        row_tag: "row",
        columns: &[],
        one: "column13",
    },
    Document {
        name: "eight",
        generate: eight,
        row_tag: "order",
        columns: &[],
        one: "count",
    },
    Document {
        name: "table",
        generate: table,
        row_tag: "row",
        columns: &[],
        one: "column13",
    },
    Document {
        name: "lists",
        generate: lists,
        row_tag: "order",
        columns: &[],
        one: "tag",
    },
];

fn events(xml: &Bytes, policy: TextPolicy) -> usize {
    let mut parser = Parser::new(Xml::default()).text(policy);
    let mut count = 0;
    let mut at = 0;
    loop {
        while let Some(event) = parser.next_event().unwrap() {
            match event {
                Event::Start(tag) => count += tag.name().len(),
                Event::Text(text) => count += text.as_str().len(),
                Event::End(_) => count += 1,
                _ => {}
            }
        }
        if at == xml.len() {
            break;
        }
        let end = xml.len().min(at + CHUNK_BYTES);
        parser.feed(xml.slice(at..end));
        at = end;
    }
    parser.finish();
    while parser.next_event().unwrap().is_some() {}
    count
}

fn rows(xml: &Bytes, row_tag: &str, schema: &SchemaRef) -> usize {
    let mut decoder = Decoder::new(Arc::clone(schema), Options::new(row_tag)).unwrap();
    let mut count = 0;
    let mut at = 0;
    loop {
        while let Some(batch) = decoder.next_batch().unwrap() {
            count += std::hint::black_box(batch).num_rows();
        }
        if at == xml.len() {
            break;
        }
        let end = xml.len().min(at + CHUNK_BYTES);
        decoder.feed(xml.slice(at..end));
        at = end;
    }
    decoder.finish();
    while let Some(batch) = decoder.next_batch().unwrap() {
        count += batch.num_rows();
    }
    count
}

fn infer(xml: &Bytes, row_tag: &str) -> SchemaRef {
    let mut inferrer = Inferrer::new(Options::new(row_tag)).unwrap();
    let mut at = 0;
    while at < xml.len() {
        let end = xml.len().min(at + CHUNK_BYTES);
        inferrer.feed(xml.slice(at..end)).unwrap();
        at = end;
    }
    inferrer.finish().unwrap().schema
}

fn parallel(xml: &Bytes, row_tag: &str, schema: &SchemaRef, threads: usize) -> usize {
    let read = std::io::Cursor::new(xml.clone());
    let schema = Arc::clone(schema);
    let reader = ParallelReader::new(read, schema, Options::new(row_tag), threads).unwrap();
    reader
        .map(|batch| std::hint::black_box(batch.unwrap()).num_rows())
        .sum()
}

fn run(task: &str, document: &Document, xml: &Bytes, schema: &SchemaRef, one: &SchemaRef) -> usize {
    let row_tag = document.row_tag;
    match task {
        "events" => events(xml, TextPolicy::Whole),
        "pieces" => events(xml, TextPolicy::Pieces),
        "rows" => rows(xml, row_tag, schema),
        "one" => rows(xml, row_tag, one),
        "infer" => infer(xml, row_tag).fields().len(),
        "threads-1" => parallel(xml, row_tag, schema, 1),
        _ => parallel(xml, row_tag, schema, 2),
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let wanted = args.get(1).filter(|task| *task != "all");
    let megabytes: f64 = args.get(2).map_or(50.0, |size| size.parse().unwrap());
    let times: usize = args.get(3).map_or(5, |times| times.parse().unwrap());
    let tasks = [
        "events",
        "pieces",
        "rows",
        "one",
        "infer",
        "threads-1",
        "threads-2",
    ];
    for document in &DOCUMENTS {
        let is_wanted = |task: &str| {
            let name = format!("{}-{task}", document.name);
            wanted.is_none_or(|wanted| *wanted == name || *wanted == document.name)
        };
        if !tasks.iter().any(|task| is_wanted(task)) {
            continue;
        }
        let xml = Bytes::from((document.generate)((megabytes * 1e6) as usize));
        let inferred = infer(&xml.slice(..xml.len().min(SAMPLE_BYTES)), document.row_tag);
        let chosen = |names: &[&str]| {
            let fields = inferred.fields().iter();
            let fields = fields.filter(|field| names.contains(&field.name().as_str()));
            Arc::new(Schema::new(fields.cloned().collect::<Vec<_>>()))
        };
        let schema = match document.columns.is_empty() {
            true => Arc::clone(&inferred),
            false => chosen(document.columns),
        };
        let one = chosen(&[document.one]);
        let mut best = [f64::MAX; 7];
        for _ in 0..times {
            for (index, task) in tasks.iter().enumerate() {
                if is_wanted(task) {
                    let began = Instant::now();
                    std::hint::black_box(run(task, document, &xml, &schema, &one));
                    best[index] = best[index].min(began.elapsed().as_secs_f64());
                }
            }
        }
        for (task, best) in tasks.iter().zip(best).filter(|(_, best)| *best < f64::MAX) {
            let name = format!("{}-{task}", document.name);
            println!("{name:16} {:6.0} MB/s", megabytes / best);
        }
    }
}
