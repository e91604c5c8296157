//! Rows that would take too much memory or time: a clear error, and the other rows.

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use bytes::Bytes;
use std::sync::Arc;
use tagstream_arrow::{
    ChunkReader, Decoder, Error, Inferrer, Mode, Options, ParallelReader, RowErrorKind,
    SchemaError, infer_schema,
};

mod common;

fn schema(fields: &[(&str, DataType)]) -> SchemaRef {
    let field = |(name, data_type): &(&str, DataType)| Field::new(*name, data_type.clone(), true);
    Arc::new(Schema::new(fields.iter().map(field).collect::<Vec<_>>()))
}

/// Returns the number of rows, and the errors of rows.
fn read(
    chunks: impl IntoIterator<Item = Bytes>,
    schema: &SchemaRef,
    options: Options,
) -> (usize, Vec<RowErrorKind>) {
    let mut reader = ChunkReader::new(chunks, schema.clone(), options).unwrap();
    let mut rows = 0;
    while let Some(batch) = reader.next_batch().unwrap() {
        rows += batch.num_rows();
    }
    (
        rows,
        reader
            .decoder()
            .row_errors()
            .iter()
            .map(|error| error.kind.clone())
            .collect(),
    )
}

#[test]
fn deep_rows_are_read() {
    let schema = schema(&[("n", DataType::Int64), ("s", DataType::Utf8)]);
    for (open, close) in [
        ("<a>", "</a>"),
        ("<s>", "</s>"),
        ("<r>", "</r>"),
        ("<n>", "</n>"),
    ] {
        let xml = format!(
            "<x><r>{}{}</r><r><n>2</n></r></x>",
            open.repeat(9000),
            close.repeat(9000)
        );
        let (rows, _) = read(
            common::chunks(xml.as_bytes(), 1000),
            &schema,
            Options::new("r"),
        );
        assert_eq!(rows, 2);
        let inferred = infer_schema(xml.as_bytes(), &Options::new("r")).unwrap();
        assert_eq!(inferred.rows, 2);
        Decoder::new(inferred.schema, Options::new("r")).unwrap();
    }
    // The parser has a limit of its own.
    let xml = format!("<x><r>{}", "<a>".repeat(20_000));
    let mut reader = ChunkReader::new(
        common::chunks(xml.as_bytes(), 1000),
        schema,
        Options::new("r"),
    )
    .unwrap();
    assert!(matches!(reader.next_batch(), Err(Error::Parse(_))));
}

#[test]
fn schemas_that_are_too_deep_or_wide_are_refused() {
    let mut data_type = DataType::Utf8;
    for _ in 0..300 {
        data_type = DataType::Struct(vec![Field::new("a", data_type, true)].into());
    }
    let refused = Decoder::new(schema(&[("a", data_type)]), Options::new("r")).unwrap_err();
    assert_eq!(refused, SchemaError::Depth { limit: 256 });
    let row: String = (0..10_001).map(|column| format!("<c{column}/>")).collect();
    let wide = format!("<x><r>{row}</r></x>");
    let refused = infer_schema(wide.as_bytes(), &Options::new("r")).unwrap_err();
    assert!(
        matches!(
            refused,
            Error::Schema(SchemaError::Columns { limit: 10_000 })
        ),
        "{refused}"
    );
    let inferred = infer_schema(wide.as_bytes(), &Options::new("r").max_columns(20_000)).unwrap();
    assert_eq!(inferred.schema.fields().len(), 10_001);
    let (rows, errors) = read(
        [wide.into()],
        &inferred.schema,
        Options::new("r").max_columns(20_000),
    );
    assert_eq!((rows, errors), (1, vec![]));
}

#[test]
fn names_that_differ_in_case_are_different_columns() {
    let xml = "<x><r><a>1</a><A>x</A></r></x>";
    let inferred = infer_schema(xml.as_bytes(), &Options::new("r")).unwrap();
    let names: Vec<_> = inferred
        .schema
        .fields()
        .iter()
        .map(|field| field.name().as_str())
        .collect();
    assert_eq!(names, ["A", "a"]);
    let twice = Arc::new(Schema::new(vec![
        Field::new("a", DataType::Utf8, true),
        Field::new("a", DataType::Utf8, true),
    ]));
    assert_eq!(
        Decoder::new(twice, Options::new("r")).unwrap_err(),
        SchemaError::Duplicate { column: "a".into() }
    );
}

#[test]
fn entities_that_expand_to_much_end_a_row() {
    let mut xml = String::from("<!DOCTYPE x [<!ENTITY e0 'ten bytes '>");
    for level in 1..9 {
        xml += &format!(
            "<!ENTITY e{level} '{}'>",
            format!("&e{};", level - 1).repeat(10)
        );
    }
    xml += "]><x><r><s>1</s></r><r><s>BOMB</s></r><r><s>3</s></r></x>";
    let schema = schema(&[("s", DataType::Utf8)]);
    let options = Options::new("r")
        .max_row_bytes(1 << 16)
        .mode(Mode::DropMalformed);
    let document = xml;
    let xml = document.replace("BOMB", "&e4;");
    // One row expands to a hundred thousand bytes, which the parser reads but the column does not take.
    let mut reader = ChunkReader::new(
        common::chunks(xml.as_bytes(), 64),
        schema.clone(),
        options.clone(),
    )
    .unwrap();
    assert_eq!(
        reader.next_batch().unwrap().map(|batch| batch.num_rows()),
        Some(2)
    );
    assert_eq!(
        reader.decoder().row_errors()[0].kind,
        RowErrorKind::TooLong { limit: 1 << 16 }
    );
    // With more, the limit of the parser ends the document. The row before is returned first.
    let xml = document.replace("BOMB", "&e8;");
    let mut reader = ChunkReader::new(common::chunks(xml.as_bytes(), 64), schema, options).unwrap();
    assert_eq!(
        reader.next_batch().unwrap().map(|batch| batch.num_rows()),
        Some(1)
    );
    assert!(matches!(reader.next_batch(), Err(Error::Parse(_))));
}

#[test]
fn a_huge_row_is_left_out() {
    let filler = Bytes::from("x".repeat(1 << 20));
    let schema = schema(&[
        ("n", DataType::Int64),
        ("s", DataType::Utf8),
        ("_corrupt_record", DataType::Utf8),
    ]);
    let elements = Bytes::from("<n>1</n>".repeat(1 << 16));
    for (open, piece, close) in [
        ("<s>", &filler, "</s>"),
        ("<q>", &filler, "</q>"),
        ("", &elements, ""),
    ] {
        // 100 MB in one row.
        let mut chunks = vec![Bytes::from("<x><r><n>1</n></r><r>"), Bytes::from(open)];
        chunks.extend(std::iter::repeat_n(piece.clone(), 100));
        chunks.push(Bytes::from(format!("{close}</r><r><n>3</n></r></x>")));
        for (mode, expected) in [(Mode::Permissive, 3), (Mode::DropMalformed, 2)] {
            let (rows, errors) = read(
                chunks.clone(),
                &schema,
                Options::new("r").mode(mode).max_row_bytes(8 << 20),
            );
            assert_eq!(
                (rows, errors),
                (expected, vec![RowErrorKind::TooLong { limit: 8 << 20 }])
            );
        }
    }
}

#[test]
fn a_row_that_is_too_long_does_not_depend_on_the_chunks() {
    let schema = schema(&[("a", DataType::Utf8)]);
    let row = |length: usize| {
        format!(
            "<r><a>{}</a><b>{}</b></r>",
            "x".repeat(length / 2),
            "y".repeat(length - length / 2)
        )
    };
    for length in 60..90 {
        let xml = format!("<x>{}{}{}</x>", row(1), row(length), row(2));
        let whole = read(
            [xml.clone().into()],
            &schema,
            Options::new("r").max_row_bytes(100),
        );
        for chunk in [1, 2, 7, 50] {
            let chunks = common::chunks(xml.as_bytes(), chunk);
            assert_eq!(
                read(chunks, &schema, Options::new("r").max_row_bytes(100)),
                whole,
                "{length} {chunk}"
            );
        }
    }
}

/// Rows that are too long, in all of their parts: the values of the rows around them stay, in chunks and whole.
#[test]
fn values_around_a_row_that_is_too_long_stay() {
    let list = DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true)));
    let schema = schema(&[
        ("n", DataType::Int64),
        ("i", list),
        (
            "b",
            DataType::Struct(
                vec![
                    Field::new("_VALUE", DataType::Int64, true),
                    Field::new("n", DataType::Boolean, true),
                ]
                .into(),
            ),
        ),
        ("t", DataType::Utf8),
    ]);
    // The row is found to be too long where a chunk ends in the second comment.
    let long = format!("<!--{0}--><!--{0}-->", "x".repeat(200));
    for row in [
        format!("<n>2{long}3</n>"),
        format!("<i>2</i><i>2{long}3</i><i>4</i>"),
        format!("<b>2{long}3<n>true{long}</n>4</b>"),
        format!("<t>2{long}3</t><n>5</n>"),
        format!("<t>2<u>{long}</u>3</t>"),
        format!("<z>2<u>{long}</u>3</z><n>4</n>"),
        format!("{long}<n>4{long}"),
    ] {
        let good = "<r><n>1</n><i>7</i><i>8</i><b>9<n>true</n></b><t>text</t></r>";
        let xml = format!("<x>{good}{good}<r>{row}</r>{good}</x>");
        let options = Options::new("r").max_row_bytes(100);
        let batches = |chunk: usize| {
            let chunks = common::chunks(xml.as_bytes(), chunk);
            let reader = ChunkReader::new(chunks, schema.clone(), options.clone()).unwrap();
            let batches: Vec<_> = reader.map(|batch| batch.unwrap()).collect();
            format!("{batches:?}")
        };
        let whole = batches(xml.len());
        for chunk in [1, 2, 7, 50] {
            assert_eq!(batches(chunk), whole, "{row}, chunks of {chunk}");
        }
    }
}

/// Inference leaves out the rows that reading leaves out, however the input is divided.
#[test]
fn inference_of_a_row_that_is_too_long_does_not_depend_on_the_chunks() {
    let entity = format!("<!DOCTYPE x [<!ENTITY e '{}'>]>", "z".repeat(60));
    for row in [
        format!("<a>{}</a>", "x".repeat(85)),
        format!("<a>{}</a>", "x".repeat(86)),
        format!("<a>{}</a>", "x".repeat(87)),
        "<a>&e;</a><b>&e;</b>".to_owned(),
        format!("<a>{}</b>", "x".repeat(200)),
    ] {
        let xml = format!("{entity}<x><r><n>1</n></r><r>{row}</r><r><n>2.5</n></r></x>");
        for mode in [Mode::Permissive, Mode::DropMalformed, Mode::FailFast] {
            let options = Options::new("r").max_row_bytes(100).mode(mode);
            let infer = |chunk: usize| {
                let mut inferrer = Inferrer::new(options.clone()).unwrap();
                for chunk in common::chunks(xml.as_bytes(), chunk) {
                    if let Err(error) = inferrer.feed(chunk) {
                        return error.to_string();
                    }
                }
                match inferrer.finish() {
                    Ok(inferred) => format!("{inferred:?}"),
                    Err(error) => error.to_string(),
                }
            };
            let whole = infer(xml.len());
            for chunk in [1, 2, 7, 50] {
                assert_eq!(infer(chunk), whole, "{row}, chunks of {chunk}");
            }
            let schema = schema(&[("a", DataType::Utf8), ("b", DataType::Utf8)]);
            let (_, errors) = match mode {
                Mode::FailFast => continue,
                _ => read([Bytes::from(xml.clone())], &schema, options.clone()),
            };
            // The row that is left out has a note of its own.
            assert_eq!(
                whole.contains("longer than"),
                !errors.is_empty(),
                "{row}: {whole}"
            );
        }
    }
}

/// Rows of few bytes and many columns: a batch ends by its cells. Pieces that would need too much memory are not read
/// ahead, and all rows are read.
#[test]
fn wide_batches_have_fewer_rows() {
    let names: Vec<String> = (0..9_000).map(|at| format!("c{at}")).collect();
    let columns = names.iter().map(|name| (name.as_str(), DataType::Int64));
    let schema = schema(&columns.collect::<Vec<_>>());
    let xml = Bytes::from(format!("<a>{}</a>", "<r/>".repeat(1_500)));
    let max_rows = (4 << 20) / 9_000;
    let reader = ChunkReader::new([xml.clone()], schema.clone(), Options::new("r")).unwrap();
    let rows: Vec<_> = reader.map(|batch| batch.unwrap().num_rows()).collect();
    assert!(rows.iter().all(|rows| *rows <= max_rows), "{rows:?}");
    assert_eq!(rows.iter().sum::<usize>(), 1_500);
    // With thirty threads, batches of 16 MiB can wait for each. A piece of 300 rows has 21 MB.
    for (length, confirmed) in [(100, true), (1_200, false)] {
        let read = std::io::Cursor::new(xml.clone());
        let options = Options::new("r");
        let mut reader =
            ParallelReader::with_piece_bytes(read, schema.clone(), options, 30, length).unwrap();
        let rows: Vec<_> = (&mut reader)
            .map(|batch| batch.unwrap().num_rows())
            .collect();
        assert!(rows.iter().all(|rows| *rows <= max_rows), "{rows:?}");
        assert_eq!(rows.iter().sum::<usize>(), 1_500);
        assert_eq!(
            reader.confirmed_pieces() > 0,
            confirmed,
            "pieces of {length}"
        );
    }
}

/// A row of empty elements with many columns each.
#[test]
fn a_row_with_too_many_cells_is_an_error() {
    let fields: Vec<_> = (0..9_000)
        .map(|at| Field::new(format!("c{at}"), DataType::Boolean, true))
        .collect();
    let element = Field::new_list_field(DataType::Struct(fields.into()), true);
    let schema = schema(&[
        ("e", DataType::List(Arc::new(element))),
        ("n", DataType::Int64),
    ]);
    let limit = 32 << 20;
    let fitting = limit / 9_000;
    for (count, fits) in [(fitting, true), (fitting + 1, false)] {
        let elements = "<e/>".repeat(count);
        let xml = format!("<a><r><n>1</n>{elements}</r><r><n>2</n></r></a>");
        let (rows, errors) = read([xml.into()], &schema, Options::new("r"));
        assert_eq!(rows, 2);
        let expected = RowErrorKind::TooManyCells {
            limit: limit as u64,
        };
        assert_eq!(errors, if fits { vec![] } else { vec![expected] });
    }
}
