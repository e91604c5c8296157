//! The memory of rows: a row that never ends, and rows of few bytes with many columns.

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use bytes::Bytes;
use peak_alloc::PeakAlloc;
use std::io::Cursor;
use std::sync::Arc;
use tagstream_arrow::{Decoder, Inferrer, Options, ParallelReader, XmlReader};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const MIB: usize = 1 << 20;

/// Returns the peak of memory during `work` in MiB, minus the memory before.
fn peak(work: impl FnOnce()) -> usize {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    work();
    ALLOCATOR.peak_usage().saturating_sub(before) / MIB
}

fn schema(columns: impl IntoIterator<Item = (String, DataType)>) -> SchemaRef {
    let field = |(name, data_type)| Field::new(name, data_type, true);
    let fields: Vec<_> = columns.into_iter().map(field).collect();
    Arc::new(Schema::new(fields))
}

/// Reads 16 MiB of a row, and more is to come, with and without the column of corrupt records.
fn endless_row(schema: &SchemaRef, content: &str) -> usize {
    peak(|| {
        let options = Options::new("r").max_row_bytes(MIB as u64);
        let mut decoder = Decoder::new(schema.clone(), options.clone()).unwrap();
        let mut inferrer = Inferrer::new(options).unwrap();
        decoder.feed_slice(b"<a><r>");
        inferrer.feed(Bytes::from_static(b"<a><r>")).unwrap();
        for _ in 0..64 {
            let chunk = Bytes::from(content.repeat(MIB / 4 / content.len()));
            decoder.feed(chunk.clone());
            inferrer.feed(chunk).unwrap();
            assert!(decoder.next_batch().unwrap().is_none());
        }
    })
}

/// Reads rows of four bytes with 3,000 columns. Returns the peak in one pass and on two threads.
fn wide_rows() -> (usize, usize) {
    let columns = (0..3_000).map(|at| (format!("c{at}"), DataType::Int64));
    let schema = schema(columns);
    let xml = format!("<a>{}</a>", "<r/>".repeat(27_000));
    let (read, options) = (|| Cursor::new(xml.clone()), Options::new("r"));
    let one = peak(|| {
        let reader = XmlReader::new(read(), schema.clone(), options.clone()).unwrap();
        let rows: usize = reader.map(|batch| batch.unwrap().num_rows()).sum();
        assert_eq!(rows, 27_000);
    });
    let several = peak(|| {
        // The second piece has nearly all rows, and is read ahead.
        let (schema, options) = (schema.clone(), options.clone());
        let reader = ParallelReader::with_piece_bytes(read(), schema, options, 2, 50_000).unwrap();
        let rows: usize = reader.map(|batch| batch.unwrap().num_rows()).sum();
        assert_eq!(rows, 27_000);
    });
    (one, several)
}

/// All memory of the process is counted, so this is the only test of the program.
#[test]
fn memory_is_bounded() {
    let text = || ("t".to_owned(), DataType::Utf8);
    let list = DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true)));
    let corrupt = || ("_corrupt_record".to_owned(), DataType::Utf8);
    for columns in [
        vec![text(), ("i".to_owned(), list.clone())],
        vec![text(), ("i".to_owned(), list), corrupt()],
        vec![corrupt()],
    ] {
        let schema = schema(columns);
        for content in [
            "<t>some text</t><i>1</i>\n",
            "text without a tag ",
            "<i>1</i>",
        ] {
            let found = endless_row(&schema, content);
            assert!(found <= 8, "{found} MiB: {content}");
        }
    }
    let (one, several) = wide_rows();
    assert!(one <= 120, "{one} MiB in one pass");
    assert!(several <= 320, "{several} MiB on two threads");
}
