//! `records --checkpoint`: the progress is saved as JSON, in a file that is replaced atomically. The file has two lines:
//! the JSON, and the checksum of the first line in hexadecimal digits.
//!
//! The output is written to the disk before the checkpoint that contains its length, as for `events --checkpoint`.

use super::reader::Mark;
use super::schema;
use super::sink::Progress;
use crate::checkpoint::{DAMAGED, checksum, replace_file};
use crate::failure::Failure;
use crate::input::{self, refuse_irregular};
use crate::options::RecordsOptions;
use arrow_schema::Schema;
use serde_json::{Value, json};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// The version of the format of checkpoints.
const VERSION: u64 = 2;

/// The message about an input of which no checkpoint can be saved.
const NEEDS_FILES: &str = "--checkpoint needs files, because only a file can be read again";

/// The progress at the time of a checkpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Saved {
    /// Index of the file of the next row.
    pub(super) file: usize,
    /// The last place in the file from which reading can continue.
    pub(super) mark: Mark,
    /// Number of rows of the file that the output contains.
    pub(super) rows: u64,
    /// Number of row errors of the file that were reported.
    pub(super) errors: u64,
    /// Number of rows of the files before, and of their errors.
    pub(super) rows_before: u64,
    pub(super) errors_before: u64,
    pub(super) output: u64,
}

impl Saved {
    pub(super) fn progress(&self) -> Progress {
        Progress {
            output: self.output,
        }
    }
}

/// A run that was interrupted: its progress, and the schema of its rows.
pub(super) struct Interrupted {
    pub(super) saved: Saved,
    pub(super) schema: Schema,
}

/// The checkpoint file of a run.
pub(super) struct Keeper {
    file: PathBuf,
    /// Describes the run: the options, and the state of the input files.
    work: String,
    schema: Value,
}

impl Keeper {
    /// Returns the keeper if `--checkpoint` is given, and the interrupted run if the checkpoint file exists.
    pub(super) fn open(
        options: &RecordsOptions,
        timezone: &str,
    ) -> Result<Option<(Keeper, Option<Interrupted>)>, Failure> {
        let Some(file) = &options.checkpoint else {
            return Ok(None);
        };
        let mut keeper = Keeper {
            file: file.clone(),
            work: work(options)?,
            schema: Value::Null,
        };
        refuse_irregular(file, "a checkpoint is a regular file")?;
        let text = match fs::read(file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Some((keeper, None)));
            }
            Err(error) => return Err(Failure::read(file, error)),
        };
        let (saved, value) = keeper
            .read(&text)
            .map_err(|reason| Failure::read(file, reason))?;
        let schema =
            schema::from_json(&value, timezone).map_err(|reason| Failure::read(file, reason))?;
        keeper.schema = value;
        Ok(Some((keeper, Some(Interrupted { saved, schema }))))
    }

    /// Sets the schema of the run, which each checkpoint contains.
    pub(super) fn set_schema(&mut self, schema: &Schema) {
        self.schema = schema::to_json(schema);
    }

    fn read(&self, text: &[u8]) -> Result<(Saved, Value), &'static str> {
        let other = "this is not a checkpoint of tagstream records";
        let text = std::str::from_utf8(text).map_err(|_| other)?;
        if !text.starts_with('{') || !text.contains(r#""tagstream_records":"#) {
            return Err(other);
        }
        let (line, _) = text.split_once('\n').ok_or(DAMAGED)?;
        // A comparison of the whole text leaves no byte unchecked, not even the newlines.
        if text != with_checksum(line) {
            return Err(DAMAGED);
        }
        let mut value: Value = serde_json::from_str(line).map_err(|_| other)?;
        if value["tagstream_records"].as_u64() != Some(VERSION) {
            return Err(other);
        }
        if value["work"].as_str() != Some(&self.work) {
            return Err(
                "it is of other input files, or one that has changed since, or of other options: remove it to begin anew",
            );
        }
        let number = |value: &Value| value.as_u64().ok_or(DAMAGED);
        let mark = &value["mark"];
        let saved = Saved {
            file: number(&value["file"])? as usize,
            mark: Mark {
                offset: number(&mark["offset"])?,
                line: number(&mark["line"])?,
                column: number(&mark["column"])?,
                rows: number(&mark["rows"])?,
                errors: number(&mark["errors"])?,
            },
            rows: number(&value["rows"])?,
            errors: number(&value["errors"])?,
            rows_before: number(&value["rows_before"])?,
            errors_before: number(&value["errors_before"])?,
            output: number(&value["output"])?,
        };
        Ok((saved, value["schema"].take()))
    }

    /// Writes a checkpoint. The output so far must be on the disk.
    pub(super) fn write(&self, saved: &Saved) -> Result<(), Failure> {
        let failure = |error: io::Error| Failure::read(&self.file, error);
        let mark = &saved.mark;
        let value = json!({
            "tagstream_records": VERSION,
            "work": self.work,
            "schema": self.schema,
            "file": saved.file,
            "mark": {
                "offset": mark.offset,
                "line": mark.line,
                "column": mark.column,
                "rows": mark.rows,
                "errors": mark.errors,
            },
            "rows": saved.rows,
            "errors": saved.errors,
            "rows_before": saved.rows_before,
            "errors_before": saved.errors_before,
            "output": saved.output,
        });
        let text = with_checksum(&value.to_string());
        replace_file(&self.file, text.as_bytes()).map_err(failure)
    }

    /// Removes the checkpoint file when all input is processed.
    pub(super) fn remove(&self) -> Result<(), Failure> {
        match fs::remove_file(&self.file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Failure::read(&self.file, error))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the content of a checkpoint file: a line of JSON, and a line with its checksum.
fn with_checksum(line: &str) -> String {
    format!("{line}\n{:08x}\n", checksum(line.as_bytes()))
}

/// Describes everything that determines the output: the options, and the lengths and modification times of the input
/// files and of the schema file.
fn work(options: &RecordsOptions) -> Result<String, Failure> {
    let state = |file: &Path| {
        refuse_irregular(file, NEEDS_FILES)?;
        // Opening the file gives the message of a file that cannot be read.
        fs::File::open(file).map_err(|error| Failure::read(file, error))?;
        input::state_of(file)
            .filter(|_| file.is_file())
            .ok_or_else(|| Failure::read(file, NEEDS_FILES))
    };
    // A hash, because there may be many files.
    let mut states = DefaultHasher::new();
    for file in &options.files {
        if file == Path::new("-") {
            let reason = "--checkpoint needs files, because standard input cannot be read again";
            return Err(Failure::read(file, reason));
        }
        (file, state(file)?).hash(&mut states);
    }
    let schema = options.schema.as_deref().map(state).transpose()?;
    Ok(format!(
        "{:?}",
        (
            (
                &options.row,
                (&options.select, &options.xpath, &options.namespace),
                options.format,
                &options.column,
                &options.option
            ),
            (
                &options.schema,
                schema,
                options.sample,
                options.part_rows,
                options.text
            ),
            &options.output,
            (options.files.len(), states.finish()),
        )
    ))
}
