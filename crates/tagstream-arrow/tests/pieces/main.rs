//! One pass against pieces, chunks and other sizes, for random documents.

mod documents;
#[cfg(feature = "inspect")]
mod sizes;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use bytes::Bytes;
use documents::{PROLOG, document, generator, row, schema};
use std::io::Cursor;
use std::sync::Arc;
use tagstream_arrow::{Decoder, Head, Mode, Options, ParallelReader, XmlReader, index_rows};

/// Rows, one text for each.
fn rows(
    batches: impl Iterator<Item = Result<RecordBatch, arrow_schema::ArrowError>>,
    schema: &SchemaRef,
) -> (Vec<String>, Option<String>) {
    let mut rows = Vec::new();
    for batch in batches {
        match batch {
            Ok(batch) => {
                assert_eq!(batch.schema(), *schema);
                for row in 0..batch.num_rows() {
                    let columns: Vec<_> = batch
                        .columns()
                        .iter()
                        .map(|column| format!("{:?}", column.slice(row, 1)))
                        .collect();
                    rows.push(columns.join("|"));
                }
            }
            Err(error) => return (rows, Some(error.to_string())),
        }
    }
    (rows, None)
}

/// Number of documents. `TAGSTREAM_DOCUMENTS` sets another.
fn cases() -> u64 {
    std::env::var("TAGSTREAM_DOCUMENTS")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(1000)
}

#[test]
fn pieces_have_the_rows_of_one_pass() {
    let mut in_pieces = 0;
    for seed in 1..=cases() {
        let mut random = generator(0x9E37_79B9_7F4A_7C15, seed);
        let xml = document(&mut random, 30);
        // Some documents are in an encoding in which candidates cannot be searched.
        let is_wide = random.below(10) == 0;
        let bytes = match is_wide {
            true => std::iter::once(0xFEFF)
                .chain(xml.encode_utf16())
                .flat_map(u16::to_le_bytes)
                .collect(),
            false => xml.clone().into_bytes(),
        };
        let schema = schema(&mut random);
        let mode = [
            Mode::Permissive,
            Mode::Permissive,
            Mode::DropMalformed,
            Mode::FailFast,
        ][random.below(4)];
        let options = Options::new("r").mode(mode).file(Some("file.xml"));
        let mut one =
            XmlReader::new(Cursor::new(bytes.clone()), schema.clone(), options.clone()).unwrap();
        let (expected, failed) = rows(&mut one, &schema);
        let errors = one.decoder().row_errors();
        for length in [1, 20 + random.below(200), 300] {
            let read = Cursor::new(bytes.clone());
            let mut pieces =
                ParallelReader::with_piece_bytes(read, schema.clone(), options.clone(), 2, length)
                    .unwrap();
            let (found, problem) = rows(&mut pieces, &schema);
            assert_eq!(found, expected, "seed {seed}, pieces of {length}:\n{xml}");
            assert_eq!(problem, failed, "seed {seed}, pieces of {length}:\n{xml}");
            let found: Vec<_> = pieces
                .row_errors()
                .iter()
                .map(ToString::to_string)
                .collect();
            let wanted: Vec<_> = errors.iter().map(ToString::to_string).collect();
            assert_eq!(found, wanted, "seed {seed}, pieces of {length}:\n{xml}");
            assert_eq!(
                pieces.row_errors(),
                errors,
                "seed {seed}, pieces of {length}:\n{xml}"
            );
            let count = one.decoder().row_error_count();
            assert_eq!(pieces.row_error_count(), count, "seed {seed}:\n{xml}");
            in_pieces += pieces.confirmed_pieces();
        }
    }
    // Cuts that are never confirmed would test nothing.
    assert!(in_pieces > cases(), "{in_pieces}");
}

/// Reads documents in chunks of random lengths, with a flush after each, so that batches end in rows.
#[test]
fn flushes_change_no_rows() {
    for seed in 1..=cases() {
        let mut random = generator(0xA24B_AED4_963E_E407, seed);
        let xml = Bytes::from(document(&mut random, 30));
        let schema = schema(&mut random);
        let mode = [Mode::Permissive, Mode::DropMalformed][random.below(2)];
        let options = Options::new("r").mode(mode);
        let mut one =
            XmlReader::new(Cursor::new(xml.clone()), schema.clone(), options.clone()).unwrap();
        let expected = rows(&mut one, &schema);
        let mut decoder = Decoder::new(schema.clone(), options).unwrap();
        let mut batches = Vec::new();
        let mut rest = xml.clone();
        while !rest.is_empty() {
            let length = 1 + random.below(rest.len().min(20));
            decoder.feed(rest.split_to(length));
            assert!(decoder.next_batch().unwrap().is_none());
            batches.extend(decoder.flush().unwrap());
        }
        decoder.finish();
        batches.extend(decoder.next_batch().unwrap());
        assert_eq!(
            rows(batches.into_iter().map(Ok), &schema),
            expected,
            "seed {seed}:\n{}",
            String::from_utf8_lossy(&xml)
        );
    }
}

/// Reads the pieces of an index, the last one first.
#[test]
fn indexed_pieces_have_the_rows_of_one_pass() {
    let mut cuts = 0;
    for seed in 1..=cases() {
        let mut random = generator(0xD1B5_4A32_D192_ED03, seed);
        let xml = Bytes::from(document(&mut random, 30));
        let schema = schema(&mut random);
        let options = Options::new("r");
        let mut one =
            XmlReader::new(Cursor::new(xml.clone()), schema.clone(), options.clone()).unwrap();
        let (expected, failed) = rows(&mut one, &schema);
        let Ok(Some(index)) = index_rows(&xml[..], &options, random.below(100) as u64) else {
            continue;
        };
        let Some(head) = Head::of(&xml, &options).unwrap() else {
            panic!();
        };
        assert_eq!((failed, index.bytes), (None, xml.len() as u64));
        assert_eq!(index.to_string().parse(), Ok(index.clone()));
        let ends = index.starts.iter().skip(1).copied().chain([u64::MAX]);
        let mut pieces: Vec<_> = index.starts.iter().copied().zip(ends).collect();
        assert_eq!(index.starts[0], head.end());
        let mut found = Vec::new();
        while let Some((start, end)) = pieces.pop() {
            cuts += 1;
            let mut decoder =
                Decoder::piece(schema.clone(), options.clone(), &head, start..end).unwrap();
            decoder.feed(xml.slice(start as usize..));
            decoder.finish();
            let batches =
                std::iter::from_fn(|| decoder.next_batch().map_err(Into::into).transpose());
            found.splice(0..0, rows(batches, &schema).0);
        }
        assert_eq!(
            found,
            expected,
            "seed {seed}:\n{}",
            String::from_utf8_lossy(&xml)
        );
    }
    assert!(cuts > cases(), "{cuts}");
}

/// All errors of rows are counted, and the first hundred are kept.
#[test]
fn errors_of_rows_are_counted_in_all_pieces() {
    let schema: SchemaRef = Arc::new(Schema::new(vec![Field::new("_n", DataType::Int64, true)]));
    let rows: String = (0..300)
        .map(|at| match at % 2 {
            0 => format!("<r n='{at}'/>\n"),
            _ => format!("<r n='x{at}'/>\n"),
        })
        .collect();
    let xml = format!("<a>{rows}</a>");
    for length in [1, 100, 1_000, 100_000] {
        let read = Cursor::new(xml.clone());
        let options = Options::new("r");
        let mut reader =
            ParallelReader::with_piece_bytes(read, schema.clone(), options, 2, length).unwrap();
        let (mut rows, mut counts) = (0, Vec::new());
        while let Some(batch) = reader.next_batch().unwrap() {
            rows += batch.num_rows();
            counts.push(reader.row_error_count());
        }
        assert_eq!((rows, reader.row_error_count()), (300, 150));
        assert_eq!(reader.row_errors().len(), 100);
        assert!(
            counts.is_sorted() && counts.last() <= Some(&150),
            "{counts:?}"
        );
    }
}

/// Rows that a selector counts or finds by the elements around them, in pieces of all lengths, and with a decoder that
/// stops at each row.
#[test]
fn selectors_count_each_tag_once() {
    let rows_of_one = "<r n='1'/><r n='2'><t>x</t></r><o><r n='3'/></o>".repeat(40);
    let xml = Bytes::from(format!("<a>{rows_of_one}<b>{rows_of_one}</b></a>"));
    let schema: SchemaRef = Arc::new(Schema::new(vec![
        Field::new("_n", DataType::Int64, true),
        Field::new("t", DataType::Utf8, true),
    ]));
    for selector in [
        "r",
        "a > r",
        "b > r",
        "o > r",
        "a > b > r",
        "r:nth-child(5n)",
        "r:nth-child(2)",
        "r:nth-of-type(3n + 1)",
        "r:first-child",
        "r[n='2']",
        "*|r",
        "o > r:first-child",
    ] {
        let options = Options::selector(selector);
        let one = XmlReader::new(Cursor::new(xml.clone()), schema.clone(), options.clone());
        let (expected, failed) = rows(one.unwrap(), &schema);
        assert_eq!(failed, None);
        assert!(!expected.is_empty(), "{selector}");
        for length in [1, 10, 100, 333, 1000] {
            for threads in [1, 4] {
                let read = Cursor::new(xml.clone());
                let pieces = ParallelReader::with_piece_bytes(
                    read,
                    schema.clone(),
                    options.clone(),
                    threads,
                    length,
                );
                let (found, _) = rows(pieces.unwrap(), &schema);
                assert_eq!(found, expected, "{selector}, pieces of {length}");
            }
        }
        let mut decoder = Decoder::new(schema.clone(), options).unwrap();
        decoder.read_to(0);
        decoder.feed(xml.clone());
        decoder.finish();
        let mut batches = Vec::new();
        loop {
            batches.extend(decoder.next_batch().unwrap());
            let Some(next) = decoder.next_row() else {
                break;
            };
            let open: Vec<_> = next.open_elements().map(str::to_owned).collect();
            let before = &xml[..next.offset as usize];
            assert_eq!(open, open_elements(before), "{selector} at {}", next.offset);
            // Stops at the same row again, then reads that row.
            decoder.read_to(next.offset);
            assert_eq!(
                decoder.next_row().map(|again| again.offset),
                Some(next.offset)
            );
            decoder.read_to(next.offset + 1);
        }
        let (found, _) = rows(batches.into_iter().map(Ok), &schema);
        assert_eq!(found, expected, "{selector}, a stop at each row");
    }
}

/// The names of the elements that are open at the end of a text with tags only.
fn open_elements(text: &[u8]) -> Vec<String> {
    let mut open = Vec::new();
    for tag in String::from_utf8_lossy(text).split('<').skip(1) {
        match tag.strip_prefix('/') {
            Some(_) => _ = open.pop(),
            None if tag.contains("/>") => {}
            None => open.push(tag.split([' ', '>']).next().unwrap().to_owned()),
        }
    }
    open
}

/// The error that ends a document has the same place with several threads.
#[test]
fn the_error_of_a_limit_has_its_place_in_the_document() {
    let attributes: String = (0..10_001).map(|at| format!(" a{at}=''")).collect();
    let schema: SchemaRef = Arc::new(Schema::new(vec![Field::new("_n", DataType::Int64, true)]));
    for (before, row) in [
        ("", format!("<r{attributes}/>")),
        ("é ", format!("<r{attributes}/>")),
        ("\n  ", format!("<o>\n\n<p/><p{attributes}/>")),
    ] {
        let rows_before: String = (0..500).map(|n| format!("<r n='{n}'/>\n")).collect();
        let xml = format!("<a>\n{rows_before}{before}<r n='7'/>{row}</a>");
        let options = Options::new("r");
        let read = Cursor::new(xml.clone());
        let one = XmlReader::new(read, schema.clone(), options.clone()).unwrap();
        let (expected, failed) = rows(one, &schema);
        assert!(failed.is_some() && expected.len() == 501, "{failed:?}");
        for length in [100, 1000] {
            let read = Cursor::new(xml.clone());
            let mut pieces =
                ParallelReader::with_piece_bytes(read, schema.clone(), options.clone(), 2, length)
                    .unwrap();
            assert_eq!(
                rows(&mut pieces, &schema),
                (expected.clone(), failed.clone()),
                "pieces of {length}"
            );
            assert!(pieces.confirmed_pieces() > 3);
        }
    }
}

/// The limit of entity expansion is that of the whole document.
#[test]
fn entities_expand_as_far_as_the_document_allows() {
    let text = "x".repeat(10_000);
    let schema: SchemaRef = Arc::new(Schema::new(vec![
        Field::new("_n", DataType::Int64, true),
        Field::new("_VALUE", DataType::Utf8, true),
    ]));
    let plain = "<r n='1'></r>\n".repeat(12_000);
    let references = "<r>&e;</r>\n".repeat(1600);
    for (is_within, length, body) in [
        // A piece alone would be refused, but there is enough text before it.
        (true, 20_000, format!("{plain}{references}")),
        // Each piece alone would be read, but all together are too much.
        (false, 1000, references.clone()),
        (false, 1000, format!("{references}{plain}")),
        // Some pieces are read by their own decoders, and then one by the decoder before.
        (false, 4000, format!("{}{references}", &plain[..14 * 2000])),
    ] {
        let xml = format!("<!DOCTYPE a [<!ENTITY e '{text}'>]><a>\n{body}</a>");
        let options = Options::new("r").max_batch_bytes(1 << 20);
        let count = |batches: &mut dyn Iterator<Item = Result<RecordBatch, _>>| {
            let (mut rows, mut failed) = (0, None);
            for batch in batches {
                match batch {
                    Ok(batch) => rows += batch.num_rows(),
                    Err(error) => {
                        let error: arrow_schema::ArrowError = error;
                        failed = Some(error.to_string());
                    }
                }
            }
            (rows, failed)
        };
        let read = Cursor::new(xml.clone());
        let expected = count(&mut XmlReader::new(read, schema.clone(), options.clone()).unwrap());
        assert_eq!(expected.1.is_none(), is_within, "{expected:?}");
        for threads in [1, 4] {
            let (read, options) = (Cursor::new(xml.clone()), options.clone());
            let mut pieces =
                ParallelReader::with_piece_bytes(read, schema.clone(), options, threads, length)
                    .unwrap();
            assert_eq!(count(&mut pieces), expected, "pieces of {length}");
            assert!(pieces.confirmed_pieces() > 0);
        }
        if is_within {
            // A piece that is read alone, as in another process, knows the length of the text before it.
            let xml = Bytes::from(xml);
            let head = Head::of(&xml, &options).unwrap().unwrap();
            let start = xml.len() - references.len() - "</a>".len();
            let mut decoder =
                Decoder::piece(schema.clone(), options, &head, start as u64..u64::MAX).unwrap();
            decoder.feed(xml.slice(start..));
            decoder.finish();
            let mut batches =
                std::iter::from_fn(|| decoder.next_batch().map_err(Into::into).transpose());
            assert_eq!(count(&mut batches), (1600, None));
        }
    }
}

/// A row alone has the values that it has among other rows, whether they fit or not.
#[test]
fn a_row_alone_is_the_row_among_others() {
    for number in 1..=cases() {
        let mut random = generator(0x1B87_3593_CC9E_2D51, number);
        let schema = schema(&mut random);
        let is_broken = random.one_in(2);
        let sources: Vec<String> = (0..1 + random.below(8))
            .map(|_| {
                let mut xml = String::new();
                row(&mut random, &mut xml, is_broken);
                xml
            })
            .collect();
        let mode = [Mode::Permissive, Mode::DropMalformed][random.below(2)];
        let options = Options::new("r").mode(mode);
        let read = |rows_of_document: &str| {
            let xml = format!("{PROLOG}{rows_of_document}</a>");
            let reader = XmlReader::new(Cursor::new(xml), schema.clone(), options.clone()).unwrap();
            rows(reader, &schema)
        };
        let alone: Vec<String> = sources.iter().flat_map(|source| read(source).0).collect();
        // A row that is not closed takes the next one in.
        let is_closed = sources.iter().all(|source| !source.contains("<y>"));
        if is_closed {
            assert_eq!(
                read(&sources.concat()),
                (alone, None),
                "document {number}: {sources:#?}"
            );
        }
    }
}
