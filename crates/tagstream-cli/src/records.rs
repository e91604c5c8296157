//! The subcommand `records`: rows of XML in the formats of tables.
//!
//! The schema comes first: from a file, from a checkpoint, or from a sample of the input. Then the rows of each file are
//! read in parts and written. Row errors are reported as they are found.

mod files;
mod index;
mod reader;
mod reading;
mod saved;
mod schema;
mod sink;

use crate::failure::{Failure, message};
use crate::options::{RecordsFormat, RecordsOptions};
use crate::output::Output;
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use files::Ahead;
use indicatif::{HumanCount, ProgressBar};
use reader::{Opened, Part, RowReader, Settings};
use reading::{Reading, open, progress_bar};
use saved::{Interrupted, Keeper, Saved};
use sink::{Sink, Target};
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::thread;
use tagstream_arrow::{Inferred, RowError};

/// Maximum number of row errors that are shown one by one.
const MAX_SHOWN_ERRORS: u64 = 100;

/// Writes the rows of all files, and returns the exit status.
pub(crate) fn run(options: &RecordsOptions) -> u8 {
    match records(options) {
        Ok(status) => status,
        Err(failure) => failure.report(),
    }
}

/// Refuses combinations of arguments that clap cannot express.
fn check(options: &RecordsOptions) -> Result<(), Failure> {
    let is_text = matches!(options.format, RecordsFormat::Ndjson | RecordsFormat::Csv);
    let reason = match (&options.checkpoint, options.part_rows) {
        (Some(_), None) if !is_text => {
            "--checkpoint needs --part-rows for this format, whose files cannot be continued after an interruption"
        }
        (_, Some(_)) if is_text => "--part-rows is for arrow, arrow-stream and parquet",
        _ => {
            let Some(output) = &options.output else {
                return Ok(());
            };
            let Ok(output) = output.canonicalize() else {
                return Ok(());
            };
            let mut others = options.files.iter().chain(&options.schema);
            let is_same = |file: &PathBuf| file.canonicalize().is_ok_and(|file| file == output);
            match others.any(is_same) {
                true => "the output is one of the files that are read",
                false => return Ok(()),
            }
        }
    };
    Err(Failure::Unusable(reason.to_owned()))
}

fn records(options: &RecordsOptions) -> Result<u8, Failure> {
    check(options)?;
    if options.index {
        return index::write(options);
    }
    let reading = Reading::new(options)?;
    let mut stdin = None;
    let (mut keeper, saved) = match Keeper::open(options, &reading.timezone)? {
        Some((keeper, saved)) => (Some(keeper), saved),
        None => (None, None),
    };
    let (saved, schema) = match saved {
        Some(Interrupted { saved, schema }) => (Some(saved), schema),
        None => {
            let schema = match &options.schema {
                Some(file) => schema::read(file, &reading.timezone)?,
                None => inferred(options, &reading, &mut stdin)?,
            };
            (None, schema::with_columns(schema, &options.column)?)
        }
    };
    if options.print_schema {
        return print_schema(&schema);
    }
    sink::check(options.format, &schema, &options.column)?;
    let schema = Arc::new(match options.format {
        RecordsFormat::Ndjson | RecordsFormat::Csv => schema::with_offsets(&schema),
        _ => schema,
    });
    if let Some(keeper) = &mut keeper {
        keeper.set_schema(&schema);
    }
    let settings = Settings {
        schema: Arc::clone(&schema),
        options: reading.options,
        given: reading.given,
        is_fail_fast: reading.is_fail_fast,
        jobs: jobs(options),
        every: keeper.is_some().then_some(options.checkpoint_every),
    };
    // Errors of the schema are found before the output is opened.
    tagstream_arrow::Decoder::new(Arc::clone(&schema), settings.options.clone())
        .map_err(|error| Failure::Unusable(error.to_string()))?;
    let target = Target {
        format: options.format,
        path: options.output.as_deref(),
        part_rows: options.part_rows,
        has_checkpoint: keeper.is_some(),
        saved: saved.as_ref().map(Saved::progress),
        columns: &options.column,
    };
    let sink = Sink::open(&target, schema)?;
    let progress = progress_bar(options);
    let mut writer = Writer {
        is_new: saved.is_none(),
        saved: saved.unwrap_or_default(),
        next: 0,
        every: options.checkpoint_every,
        sink,
        keeper,
        progress,
    };
    let status = writer.files(options, &settings, stdin);
    writer.progress.finish_and_clear();
    status
}

/// Returns the number of threads.
fn jobs(options: &RecordsOptions) -> usize {
    let can_stream = options.files.iter().any(|file| !file.is_file());
    match options.jobs {
        Some(jobs) => jobs.into(),
        None if options.checkpoint.is_some() || can_stream => 1,
        None => thread::available_parallelism().map_or(1, usize::from),
    }
}

/// Infers the schema from a sample of the files. If standard input was read, puts it into `stdin`.
fn inferred(
    options: &RecordsOptions,
    reading: &Reading,
    stdin: &mut Option<Opened>,
) -> Result<Schema, Failure> {
    let each = schema::bytes_of_each(options.sample, options.files.len());
    let mut rest = options.sample;
    let mut found: Option<Schema> = None;
    let mut failed = None;
    let mut is_complete = true;
    let (mut malformed, mut first_error) = (0, None);
    for file in &options.files {
        if rest == 0 {
            is_complete = false;
            break;
        }
        let of_file = reading.options.clone().file(Some(&reader::name(file)));
        let sample = open(file, reading.given, &ProgressBar::hidden()).and_then(|input| {
            let opened = Opened {
                input,
                replayed: VecDeque::new(),
            };
            schema::infer(opened, &of_file, each.min(rest))
        });
        let (inferred, bytes, opened) = match sample {
            Ok(sample) => sample,
            Err(failure) if options.files.len() == 1 => return Err(failure),
            // The failure is reported when the file is read.
            Err(failure) => {
                failed = failed.or(Some(failure));
                continue;
            }
        };
        is_complete &= bytes < each.min(rest);
        rest = rest.saturating_sub(bytes);
        *stdin = stdin.take().or(opened);
        if options.print_schema {
            report_notes(file, &inferred);
        }
        malformed += inferred.malformed;
        first_error = first_error.or_else(|| inferred.first_error.clone());
        if inferred.rows > 0 || !inferred.schema.fields().is_empty() {
            found = Some(match found {
                None => Schema::clone(&inferred.schema),
                Some(found) => schema::merged(&found, &inferred.schema, &reading.value_tag),
            });
        }
    }
    match (found, failed) {
        (Some(found), _) => Ok(found),
        (None, Some(failure)) => Err(failure),
        (None, None) => {
            let selector = options.select.as_ref().or(options.xpath.as_ref());
            let row = match (&options.row, selector, malformed) {
                (Some(tag), _, 0) => format!("there is no element `{tag}`"),
                (None, Some(selector), 0) => format!("no element matches `{selector}`"),
                (None, None, 0) => "there is no row".to_owned(),
                (.., 1) => "the only row is malformed".to_owned(),
                (.., malformed) => format!("all of the {malformed} rows are malformed"),
            };
            let row = match is_complete {
                true => format!("{row}, so the schema cannot be inferred"),
                false => format!(
                    "{row} in the sample, so the schema cannot be inferred: see --sample and --schema"
                ),
            };
            Err(Failure::Refused(match first_error {
                Some(error) => format!("{row}; the first error is {error}"),
                None => row,
            }))
        }
    }
}

/// Reports the notes of inference.
fn report_notes(file: &Path, inferred: &Inferred) {
    for note in &inferred.notes {
        let place = format!("{}:{}:{}", file.display(), note.line, note.character);
        let column = match &*note.column {
            "" => String::new(),
            column => format!("column `{column}`: "),
        };
        message(&format!("{place}: {column}{}", note.reason));
    }
}

fn print_schema(schema: &Schema) -> Result<u8, Failure> {
    let mut output = Output::plain();
    let json = serde_json::to_string_pretty(&schema::to_json(schema));
    let json = json.map_err(|error| Failure::Unusable(error.to_string()))?;
    output.buffer().extend_from_slice(json.as_bytes());
    output.buffer().push(b'\n');
    match output.flush().map_err(Failure::from) {
        Ok(()) => Ok(0),
        Err(failure) => Ok(failure.report()),
    }
}

/// The rows of a file: read here, or by a thread that reads ahead.
enum Rows {
    Here(Box<RowReader>),
    Ahead(Receiver<Result<Part, Failure>>),
}

impl Rows {
    fn next(&mut self) -> Result<Option<Part>, Failure> {
        match self {
            Rows::Here(reader) => reader.next(),
            Rows::Ahead(parts) => parts.recv().ok().transpose(),
        }
    }
}

/// Writes rows, and saves the progress.
struct Writer {
    sink: Sink,
    keeper: Option<Keeper>,
    /// The progress so far. Only its copy in the checkpoint file is used after an interruption.
    saved: Saved,
    /// True if no earlier run is continued.
    is_new: bool,
    /// Number of bytes of input at which the next checkpoint is due.
    next: u64,
    every: u64,
    progress: ProgressBar,
}

impl Writer {
    /// Writes the rows of all files, and returns the highest exit status.
    fn files(
        &mut self,
        options: &RecordsOptions,
        settings: &Settings,
        mut stdin: Option<Opened>,
    ) -> Result<u8, Failure> {
        if self.is_new {
            self.save()?;
        }
        let first = self.saved.file;
        for file in options.files.iter().take(first) {
            let length = fs::metadata(file).map_or(0, |metadata| metadata.len());
            self.progress.inc(length);
        }
        self.next = self.progress.position().saturating_add(self.every);
        let mut ahead = (settings.jobs > 1 && options.files.len() > first + 1).then(|| {
            let files = options.files.iter().cloned().enumerate().skip(first);
            // A file that is continued is not read ahead.
            let is_continued = |index: usize| index == first && !self.is_new;
            let small =
                files.filter(|(index, file)| !is_continued(*index) && files::is_small(file));
            Ahead::new(small, settings, &self.progress)
        });
        let mut status = 0;
        for (index, file) in options.files.iter().enumerate().skip(first) {
            let rows = match ahead.as_mut().and_then(|ahead| ahead.take(index)) {
                Some(rows) => Ok(Rows::Ahead(rows)),
                None => {
                    let opened = match file == Path::new("-") {
                        true => stdin.take(),
                        false => None,
                    };
                    self.open(file, settings, opened)
                }
            };
            let done = rows.and_then(|rows| self.file(rows));
            match done {
                Ok(()) => {}
                Err(Failure::ClosedPipe) => return Ok(status),
                Err(failure @ Failure::Refused(_)) => {
                    let has_failed_fast = settings.is_fail_fast;
                    status = self.report(failure).max(status);
                    if has_failed_fast {
                        break;
                    }
                }
                // With a checkpoint, the same command can continue when the reason was removed.
                Err(failure) if self.keeper.is_some() => return Err(failure),
                Err(failure) => status = self.report(failure).max(status),
            }
            self.saved = Saved {
                file: index + 1,
                rows_before: self.saved.rows_before + self.saved.rows,
                errors_before: self.saved.errors_before + self.saved.errors,
                output: self.saved.output,
                ..Saved::default()
            };
        }
        match self.sink.finish(self.keeper.is_some()) {
            Err(Failure::ClosedPipe) => return Ok(status),
            finished => finished?,
        }
        if let Some(keeper) = &self.keeper {
            keeper.remove()?;
        }
        let rows = self.saved.rows_before + self.saved.rows;
        let errors = self.saved.errors_before + self.saved.errors;
        if errors > 0 {
            self.progress.suspend(|| {
                let errors = count(errors, "row error", "row errors");
                message(&format!("{errors}; {} written", count(rows, "row", "rows")));
            });
        }
        Ok(status)
    }

    fn report(&self, failure: Failure) -> u8 {
        self.progress.suspend(|| failure.report())
    }

    /// Opens a file, at the saved progress if there is one.
    fn open(
        &self,
        file: &Path,
        settings: &Settings,
        opened: Option<Opened>,
    ) -> Result<Rows, Failure> {
        let opened = match opened {
            Some(opened) => opened,
            None => Opened {
                input: open(file, settings.given, &self.progress)?,
                replayed: VecDeque::new(),
            },
        };
        let reader = RowReader::at(opened, settings, self.saved.mark)?;
        Ok(Rows::Here(Box::new(reader)))
    }

    /// Writes the rows of a file.
    fn file(&mut self, mut rows: Rows) -> Result<(), Failure> {
        // Rows and errors that an earlier run has written.
        let (mut skipped_rows, mut skipped_errors) = match &rows {
            Rows::Here(reader) => (
                self.saved.rows.saturating_sub(reader.rows()),
                self.saved.errors.saturating_sub(reader.errors()),
            ),
            Rows::Ahead(_) => (0, 0),
        };
        while let Some(part) = rows.next()? {
            let old_errors = skipped_errors.min(part.error_count);
            skipped_errors -= old_errors;
            self.errors(&part.errors, part.error_count, old_errors);
            if let Some(batch) = part.batch {
                let old_rows = skipped_rows.min(batch.num_rows() as u64);
                skipped_rows -= old_rows;
                let old_rows = old_rows as usize;
                self.batch(&batch.slice(old_rows, batch.num_rows() - old_rows))?;
            }
            if let Some(mark) = part.mark {
                self.saved.mark = mark;
            }
            if part.is_last_available {
                self.sink.flush()?;
            }
            let is_due = self.keeper.is_some() && self.progress.position() >= self.next;
            if is_due && skipped_rows == 0 && self.sink.room().is_none() {
                self.save()?;
            }
        }
        Ok(())
    }

    fn batch(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        let mut written = 0;
        while written < batch.num_rows() {
            let rest = batch.num_rows() - written;
            let room = self.sink.room();
            let length = room.map_or(rest, |room| rest.min(room as usize));
            self.sink.write(&batch.slice(written, length))?;
            written += length;
            self.saved.rows += length as u64;
            if room == Some(length as u64) {
                self.save()?;
            }
        }
        if !self.progress.is_hidden() {
            let rows = self.saved.rows_before + self.saved.rows;
            let seconds = self.progress.elapsed().as_secs_f64().max(0.001);
            let rate = HumanCount((rows as f64 / seconds) as u64);
            self.progress
                .set_message(format!("{} rows, {rate} rows/s, ", HumanCount(rows)));
        }
        Ok(())
    }

    /// Reports the new errors of rows, except for the first `old` ones.
    fn errors(&mut self, errors: &[RowError], error_count: u64, old: u64) {
        let before = self.saved.errors_before + self.saved.errors;
        let after = before + error_count - old;
        // Errors that the reader did not keep are only counted.
        let shown = MAX_SHOWN_ERRORS.saturating_sub(before) as usize;
        for error in errors.iter().skip(old as usize).take(shown) {
            self.progress.suspend(|| message(&error.to_string()));
        }
        if before <= MAX_SHOWN_ERRORS && after > MAX_SHOWN_ERRORS {
            self.progress
                .suspend(|| message("further row errors are only counted"));
        }
        self.saved.errors += error_count - old;
    }

    /// Saves the progress, if there is a checkpoint file.
    fn save(&mut self) -> Result<(), Failure> {
        if let Some(keeper) = &self.keeper {
            self.saved.output = self.sink.sync()?.output;
            keeper.write(&self.saved)?;
            self.next = self.progress.position().saturating_add(self.every);
        }
        Ok(())
    }
}

/// Returns the number with the noun in the right form.
fn count(number: u64, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{} {many}", HumanCount(number)),
    }
}
