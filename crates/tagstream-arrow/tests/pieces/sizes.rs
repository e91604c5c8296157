//! Rows by name and by selector, with limits, options and sizes drawn independently: one decoder that is fed with the
//! whole document against decoders that are fed with chunks, and against several threads that read pieces.

use crate::cases;
use crate::documents::{document, generator, schema};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use bytes::Bytes;
use std::io::Read;
use tagstream::Limits;
use tagstream_arrow::{Decoder, Error, Inferrer, Mode, Options, ParallelReader, RowError};
use testing::draws;
use testing::random::Random;

/// Selectors of rows.
const SELECTORS: &[&str] = &[
    "r",
    "a > r",
    "r:nth-child(5n)",
    "r:nth-child(2n + 1)",
    "r:nth-of-type(3n)",
    "r:first-child",
    "r[n]",
    "*|r",
    "b > r",
    "o > r",
    "o > r:first-child",
    "a > b r:nth-child(even)",
    ":root > *",
    "r r, b",
    "a > :not(o)",
    "r:not([n]) > *",
];

/// Everything that reading a document returns.
#[derive(Debug, Default)]
struct Outcome {
    rows: Vec<String>,
    errors: Vec<RowError>,
    error_count: u64,
    failed: Option<Failed>,
}

impl Outcome {
    /// Fails if the outcome is not the expected one.
    fn check(&self, expected: &Outcome, about: impl Fn() -> String) {
        let rows = self.rows.iter().zip(&expected.rows);
        if let Some((at, (found, row))) = rows.enumerate().find(|(_, (found, row))| found != row) {
            panic!("{}\nrow {at}: {found}\nexpected {row}", about());
        }
        let errors = self.errors.iter().zip(&expected.errors);
        if let Some((found, error)) = errors.clone().find(|(found, error)| found != error) {
            panic!("{}\nerror {found:?}\nexpected {error:?}", about());
        }
        let counts = |outcome: &Outcome| {
            let (rows, errors) = (outcome.rows.len(), outcome.errors.len());
            (rows, errors, outcome.error_count)
        };
        let ends = |outcome: &Outcome| format!("{:?} {:?}", counts(outcome), outcome.failed);
        assert_eq!(ends(self), ends(expected), "{}", about());
    }
}

/// The error that ended a document.
#[derive(Debug, PartialEq)]
enum Failed {
    Row(RowError),
    /// The error, and its message, which has other places too.
    Parse(tagstream::Error, String),
    Other(String),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        match error {
            Error::Row(error) => Failed::Row(*error),
            Error::Parse(error) => {
                let message = error.to_string();
                Failed::Parse(error, message)
            }
            error => Failed::Other(error.to_string()),
        }
    }
}

fn push_rows(rows: &mut Vec<String>, batch: &RecordBatch) {
    assert!(batch.num_rows() > 0, "an empty batch");
    for row in 0..batch.num_rows() {
        let columns = batch.columns().iter();
        let columns: Vec<_> = columns
            .map(|column| format!("{:?}", column.slice(row, 1)))
            .collect();
        rows.push(columns.join("|"));
    }
}

/// Reads a document in chunks with one decoder. Returns the number of rows of each batch too.
fn read<'a>(
    chunks: impl IntoIterator<Item = &'a [u8]>,
    schema: &SchemaRef,
    options: &Options,
) -> (Outcome, Vec<usize>) {
    let mut decoder = Decoder::new(schema.clone(), options.clone()).unwrap();
    let (mut outcome, mut sizes) = (Outcome::default(), Vec::new());
    let mut chunks = chunks.into_iter();
    let mut is_finished = false;
    loop {
        match decoder.next_batch() {
            Ok(Some(batch)) => {
                sizes.push(batch.num_rows());
                push_rows(&mut outcome.rows, &batch);
            }
            Ok(None) if is_finished => break,
            Ok(None) => match chunks.next() {
                Some(chunk) => decoder.feed(Bytes::copy_from_slice(chunk)),
                None => {
                    is_finished = true;
                    decoder.finish();
                }
            },
            Err(error) => {
                outcome.failed = Some(error.into());
                break;
            }
        }
    }
    outcome.errors = decoder.row_errors().to_vec();
    outcome.error_count = decoder.row_error_count();
    (outcome, sizes)
}

/// A reader that returns chunks of random lengths.
struct Chunked {
    xml: Bytes,
    random: Random,
    longest: usize,
}

impl Read for Chunked {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = (1 + self.random.below(self.longest))
            .min(buffer.len())
            .min(self.xml.len());
        buffer[..length].copy_from_slice(&self.xml.split_to(length));
        Ok(length)
    }
}

/// Reads a document with several threads. Returns the number of pieces that were read beside others too.
fn read_pieces(
    read: impl Read + Send + 'static,
    schema: &SchemaRef,
    options: &Options,
    (threads, length): (usize, usize),
) -> (Outcome, u64) {
    let (schema, options) = (schema.clone(), options.clone());
    let mut reader =
        ParallelReader::with_piece_bytes(read, schema, options, threads, length).unwrap();
    let mut outcome = Outcome::default();
    loop {
        match reader.next_batch() {
            Ok(Some(batch)) => push_rows(&mut outcome.rows, &batch),
            Ok(None) => break,
            Err(error) => {
                outcome.failed = Some(error.into());
                break;
            }
        }
    }
    outcome.errors = reader.row_errors().to_vec();
    outcome.error_count = reader.row_error_count();
    (outcome, reader.confirmed_pieces())
}

/// Draws the limits of the parser. With several threads, the limit of memory depends on the text before a piece: an index
/// of the names of open elements is made after an end tag without its start tag. So it is only drawn with selectors, with
/// which documents are not cut.
fn limits(random: &mut Random, has_selector: bool) -> Limits {
    let mut limits = draws::limits(random);
    if random.one_in(6) {
        limits = limits
            .entity_ratio(random.below(8))
            .entity_allowance(random.below(2000));
    }
    match has_selector {
        true => limits,
        false => limits.memory(Limits::default().memory),
    }
}

fn options(random: &mut Random, selector: Option<&str>) -> Options {
    let mode = [
        Mode::Permissive,
        Mode::Permissive,
        Mode::DropMalformed,
        Mode::FailFast,
    ][random.below(4)];
    let mut options = match selector {
        Some(selector) => Options::selector(selector),
        None => Options::new("r"),
    };
    options = options
        .mode(mode)
        .inspect_limits(limits(random, selector.is_some()));
    if random.one_in(3) {
        options = options.max_row_bytes(10 + random.below(300) as u64);
    }
    if random.one_in(2) {
        options = options.batch_size(1 + random.below(100));
    }
    if random.one_in(2) {
        options = options.max_batch_bytes(1 + random.below(3000));
    }
    if random.one_in(4) {
        options = options.null_value(Some("null"));
    }
    if random.one_in(4) {
        options = options.ignore_surrounding_spaces(false);
    }
    if selector.is_none() && random.one_in(8) {
        options = options.ignore_namespace(true);
    }
    options
}

/// Returns the result of inference: the schema, the notes and the error.
fn infer<'a>(chunks: impl IntoIterator<Item = &'a [u8]>, options: &Options) -> String {
    let mut inferrer = Inferrer::new(options.clone()).unwrap();
    for chunk in chunks {
        if let Err(error) = inferrer.feed(Bytes::copy_from_slice(chunk)) {
            return error.to_string();
        }
    }
    match inferrer.finish() {
        Ok(inferred) => format!("{inferred:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn rows_do_not_depend_on_sizes() {
    let (mut in_pieces, mut failed, mut with_errors) = (0, 0, 0);

    // Some documents are long, and each is read six times.
    let cases = (cases() / 4).max(100);
    for number in 1..=cases {
        let mut random = generator(0x5157_D0E2_4B1C_93A7, number);
        // One document in sixteen is long.
        let items = [30, 30, 30, 30, 100, 100, 100, 2000][random.below(8)];
        let items = if items == 2000 && random.one_in(2) {
            300
        } else {
            items
        };
        let mut xml = document(&mut random, items).into_bytes();
        if random.one_in(16) {
            let at = random.below(xml.len());
            xml.insert(at, 0xC3);
        }
        let schema = schema(&mut random);
        let selector = (random.one_in(2)).then(|| random.pick(SELECTORS));
        let options = options(&mut random, selector);
        let (expected, batches) = read([&xml[..]], &schema, &options);
        failed += u64::from(expected.failed.is_some());
        with_errors += u64::from(expected.error_count > 0);
        let about = |how: String| {
            let xml = String::from_utf8_lossy(&xml);
            let seed = testing::effort::seed(0x5157_D0E2_4B1C_93A7);
            format!("TAGSTREAM_SEED={seed}, document {number}, {how}: {options:?}\n{xml}")
        };
        for _ in 0..2 {
            let options = options.clone().inspect_sizes(draws::sizes(&mut random));
            let chunks = draws::chunks(&mut random, &xml);
            let found = read(chunks.iter().copied(), &schema, &options);
            let how = || {
                format!(
                    "chunks {:?}",
                    chunks.iter().map(|chunk| chunk.len()).collect::<Vec<_>>()
                )
            };
            found.0.check(&expected, || about(how()));
            assert_eq!(found.1, batches, "{}", about(how()));
        }
        for _ in 0..2 {
            let options = options.clone().inspect_sizes(draws::sizes(&mut random));
            let length =
                [1, 20 + random.below(200), 200 + random.below(800), 5000][random.below(4)];
            let threads = 1 + random.below(3);
            let read = Chunked {
                xml: Bytes::copy_from_slice(&xml),
                longest: [10, 100, 10_000][random.below(3)],
                random: Random(random.number()),
            };
            let (found, confirmed) = read_pieces(read, &schema, &options, (threads, length));
            found.check(&expected, || about(format!("pieces of {length}")));
            in_pieces += confirmed;
        }
        let options = options.clone().inspect_sizes(draws::sizes(&mut random));
        let chunks = draws::chunks(&mut random, &xml);
        assert_eq!(
            infer(chunks, &options),
            infer([&xml[..]], &options),
            "{}",
            about("inference".to_owned())
        );
    }
    // Documents without pieces, limits or errors would test little.
    assert!(in_pieces > cases, "{in_pieces}");
    assert!(failed > cases / 5 && failed < cases * 2 / 3, "{failed}");
    assert!(with_errors > cases / 3, "{with_errors}");
}
