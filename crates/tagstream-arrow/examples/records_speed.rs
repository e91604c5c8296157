//! Compares reading records into batches with reading the events alone.
//!
//! `records_speed [TASK|all] [MEGABYTES] [TIMES]` prints the best time on generated records. All tasks run in turns.

use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use std::sync::Arc;
use std::time::Instant;
use tagstream::{Event, Parser, TextPolicy, Xml};
use tagstream_arrow::{Decoder, Options, ParallelReader, infer_schema};

const CHUNK_BYTES: usize = 256 * 1024;

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

fn rows(xml: &Bytes, row_tag: &str, fields: &[(&str, DataType)]) -> usize {
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, data_type)| Field::new(*name, data_type.clone(), true))
        .collect();
    let mut decoder = Decoder::new(Arc::new(Schema::new(fields)), Options::new(row_tag)).unwrap();
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

fn parallel(xml: &Bytes, row_tag: &str, fields: &[(&str, DataType)], threads: usize) -> usize {
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, data_type)| Field::new(*name, data_type.clone(), true))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let read = std::io::Cursor::new(xml.clone());
    let reader = ParallelReader::new(read, schema, Options::new(row_tag), threads).unwrap();
    reader
        .map(|batch| std::hint::black_box(batch.unwrap()).num_rows())
        .sum()
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let megabytes: usize = args.get(2).map_or(50, |size| size.parse().unwrap());
    let times: usize = args.get(3).map_or(5, |times| times.parse().unwrap());
    let three = [
        ("_id", DataType::Int64),
        ("title", DataType::Utf8),
        ("n", DataType::Int64),
    ];
    let names: Vec<String> = (0..20).map(|column| format!("column{column}")).collect();
    let all: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), DataType::Int64))
        .collect();
    let tasks = [
        "events",
        "events-pieces",
        "rows",
        "one",
        "wide-events",
        "wide",
        "wide-all",
        "threads-1",
        "threads-2",
        "eight",
        "infer",
    ];
    let wanted = args.get(1).filter(|task| *task != "all");
    let typed = [
        ("_id", DataType::Int64),
        ("_state", DataType::Utf8),
        ("name", DataType::Utf8),
        ("date", DataType::Date32),
        ("total", DataType::Float64),
        ("paid", DataType::Boolean),
        ("note", DataType::Utf8),
        ("count", DataType::Int64),
    ];
    let (mut tall, mut broad, mut orders) = (Bytes::new(), Bytes::new(), Bytes::new());
    let mut best = [f64::MAX; 11];
    for _ in 0..times {
        for (index, task) in tasks.iter().enumerate() {
            if wanted.is_some_and(|wanted| wanted != task) {
                continue;
            }
            let is_wide = task.starts_with("wide");
            if matches!(*task, "eight" | "infer") {
                if orders.is_empty() {
                    orders = eight(megabytes * 1_000_000).into();
                }
            } else if is_wide && broad.is_empty() {
                broad = wide(megabytes * 1_000_000).into();
            } else if !is_wide && tall.is_empty() {
                tall = records(megabytes * 1_000_000).into();
            }
            let began = Instant::now();
            let count = match *task {
                "events" => events(&tall, TextPolicy::Whole),
                "events-pieces" => events(&tall, TextPolicy::Pieces),
                "rows" => rows(&tall, "page", &three),
                "one" => rows(&tall, "page", &three[2..]),
                "wide-events" => events(&broad, TextPolicy::Whole),
                "threads-1" => parallel(&tall, "page", &three, 1),
                "threads-2" => parallel(&tall, "page", &three, 2),
                "eight" => rows(&orders, "order", &typed),
                "infer" => {
                    let inferred = infer_schema(&orders[..], &Options::new("order"));
                    inferred.unwrap().schema.fields().len()
                }
                "wide" => rows(&broad, "row", &all[13..14]),
                _ => rows(&broad, "row", &all),
            };
            std::hint::black_box(count);
            best[index] = best[index].min(began.elapsed().as_secs_f64());
        }
    }
    for (index, task) in tasks
        .iter()
        .enumerate()
        .filter(|(index, _)| best[*index] < f64::MAX)
    {
        println!("{task:14} {:6.0} MB/s", megabytes as f64 / best[index]);
    }
}
