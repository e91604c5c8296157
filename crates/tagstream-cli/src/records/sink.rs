//! The output of the rows, in each format.

use super::schema::columns_of;
use crate::failure::Failure;
use crate::options::RecordsFormat;
use crate::output::Output;
use crate::replace::refuse_link;
use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_json::LineDelimitedWriter;
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Size in bytes of the encoded rows of a row group of Parquet. Row groups are kept in memory until they are complete.
const ROW_GROUP_BYTES: usize = 64 << 20;

/// Size in bytes of the memory of a row group of Parquet, with dictionaries, after which the row group is written.
const ROW_GROUP_MEMORY: usize = 96 << 20;

/// The output of the rows.
pub(super) enum Sink {
    Text(Text),
    Binary(Binary),
    Parts(Parts),
}

/// The output so far, as a checkpoint saves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Length of the output in bytes, or the number of complete parts.
    pub(super) output: u64,
}

/// The place of the output, and whether it continues an earlier one.
pub(super) struct Target<'a> {
    pub(super) format: RecordsFormat,
    pub(super) path: Option<&'a Path>,
    pub(super) part_rows: Option<u64>,
    /// True if checkpoints are saved.
    pub(super) has_checkpoint: bool,
    /// The output that is continued.
    pub(super) saved: Option<Progress>,
    /// The names and paths of the columns, or none for all columns.
    pub(super) columns: &'a [String],
}

impl Sink {
    pub(super) fn open(target: &Target<'_>, schema: SchemaRef) -> Result<Sink, Failure> {
        let format = target.format;
        if let (Some(rows), Some(folder)) = (target.part_rows, target.path) {
            return Parts::open(folder, rows, schema, target).map(Sink::Parts);
        }
        match format {
            RecordsFormat::Ndjson | RecordsFormat::Csv => {
                let output = match target.path {
                    None => Output::plain(),
                    Some(path) if target.has_checkpoint => continued(path, target.saved)?,
                    Some(path) => {
                        let file =
                            File::create(path).map_err(|error| Failure::read(path, error))?;
                        Output::file(file, 0, path)
                    }
                };
                let mut text = Text {
                    output,
                    csv_columns: (format == RecordsFormat::Csv).then(|| target.columns.to_vec()),
                };
                if text.csv_columns.is_some() && text.output.written() == 0 {
                    text.write(&RecordBatch::new_empty(schema), true)?;
                }
                Ok(Sink::Text(text))
            }
            _ => {
                let to: Box<dyn Write + Send> = match target.path {
                    Some(path) => {
                        Box::new(File::create(path).map_err(|error| Failure::read(path, error))?)
                    }
                    None if io::stdout().is_terminal() => {
                        let reason = "this format is not for a terminal: name a file with --output";
                        return Err(Failure::Unusable(reason.to_owned()));
                    }
                    None => Box::new(io::stdout()),
                };
                let name = target.path.map_or("standard output".to_owned(), |path| {
                    path.display().to_string()
                });
                Binary::new(format, to, name, &schema).map(Sink::Binary)
            }
        }
    }

    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        match self {
            Sink::Text(text) => text.write(batch, false),
            Sink::Binary(binary) => binary.write(batch),
            Sink::Parts(parts) => parts.write(batch),
        }
    }

    /// Returns the number of rows that the output takes before a checkpoint should be saved, if it determines this.
    pub(super) fn room(&self) -> Option<u64> {
        match self {
            Sink::Parts(parts) => Some(parts.rows_of_part - parts.rows),
            _ => None,
        }
    }

    /// Writes buffered text out.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        match self {
            Sink::Text(text) => Ok(text.output.flush()?),
            _ => Ok(()),
        }
    }

    /// Writes the output to the disk. For parts, the current part must be complete.
    pub(super) fn sync(&mut self) -> Result<Progress, Failure> {
        Ok(Progress {
            output: match self {
                Sink::Text(text) => {
                    text.output.sync()?;
                    text.output.written()
                }
                Sink::Parts(parts) => parts.complete,
                Sink::Binary(_) => 0,
            },
        })
    }

    /// Completes the output.
    pub(super) fn finish(&mut self, has_checkpoint: bool) -> Result<(), Failure> {
        match self {
            Sink::Text(text) if has_checkpoint => Ok(text.output.sync()?),
            Sink::Text(text) => Ok(text.output.flush()?),
            Sink::Binary(binary) => binary.finish(),
            // If there are no rows, there is one part, so that the schema is written.
            Sink::Parts(parts) if parts.rows > 0 || parts.complete == 0 => parts.end_part(),
            Sink::Parts(_) => Ok(()),
        }
    }
}

/// Opens the output file of a run with checkpoints, truncated to its length at the checkpoint.
fn continued(path: &Path, saved: Option<Progress>) -> Result<Output, Failure> {
    let failure = |error: io::Error| Failure::read(path, error);
    let offset = saved.map_or(0, |saved| saved.output);
    refuse_link(path).map_err(failure)?;
    let mut open = OpenOptions::new();
    open.append(true).create(saved.is_none());
    let file = open.open(path).map_err(failure)?;
    if file.metadata().map_err(failure)?.len() < offset {
        let reason = "it is shorter than it was when the checkpoint was written";
        return Err(Failure::read(path, reason));
    }
    file.set_len(offset).map_err(failure)?;
    Ok(Output::file(file, offset, path))
}

/// JSON Lines or CSV.
pub(super) struct Text {
    output: Output,
    /// The names and paths of the columns, if the format is CSV.
    csv_columns: Option<Vec<String>>,
}

impl Text {
    fn write(&mut self, batch: &RecordBatch, has_header: bool) -> Result<(), Failure> {
        let buffer = self.output.buffer();
        let written = match &self.csv_columns {
            Some(columns) => {
                let builder = arrow_csv::WriterBuilder::new().with_header(has_header);
                builder.build(buffer).write(&columns_of(batch, columns)?)
            }
            None => LineDelimitedWriter::new(buffer).write(batch),
        };
        written.map_err(|error| Failure::Unusable(error.to_string()))?;
        Ok(self.output.settle()?)
    }
}

/// A writer of one of the binary formats.
enum Encoder {
    Parquet(Box<ArrowWriter<Box<dyn Write + Send>>>),
    File(Box<FileWriter<BufWriter<Box<dyn Write + Send>>>>),
    Stream(Box<StreamWriter<BufWriter<Box<dyn Write + Send>>>>),
}

/// Arrow or Parquet in one file.
pub(super) struct Binary {
    encoder: Encoder,
    /// The name of the output for messages.
    name: String,
}

impl Binary {
    fn new(
        format: RecordsFormat,
        to: Box<dyn Write + Send>,
        name: String,
        schema: &SchemaRef,
    ) -> Result<Binary, Failure> {
        let encoder = match format {
            RecordsFormat::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .build();
                ArrowWriter::try_new(to, SchemaRef::clone(schema), Some(properties))
                    .map(|writer| Encoder::Parquet(Box::new(writer)))
                    .map_err(|error| parquet_failure(&name, error))?
            }
            RecordsFormat::ArrowStream => StreamWriter::try_new_buffered(to, schema)
                .map(|writer| Encoder::Stream(Box::new(writer)))
                .map_err(|error| arrow_failure(&name, error))?,
            _ => FileWriter::try_new_buffered(to, schema)
                .map(|writer| Encoder::File(Box::new(writer)))
                .map_err(|error| arrow_failure(&name, error))?,
        };
        Ok(Binary { encoder, name })
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        let name = &self.name;
        match &mut self.encoder {
            Encoder::Parquet(writer) => {
                let written = writer.write(batch).and_then(|()| {
                    let is_full = writer.in_progress_size() > ROW_GROUP_BYTES
                        || writer.memory_size() > ROW_GROUP_MEMORY;
                    if is_full { writer.flush() } else { Ok(()) }
                });
                written.map_err(|error| parquet_failure(name, error))
            }
            Encoder::File(writer) => writer
                .write(batch)
                .map_err(|error| arrow_failure(name, error)),
            Encoder::Stream(writer) => writer
                .write(batch)
                .map_err(|error| arrow_failure(name, error)),
        }
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let name = &self.name;
        match &mut self.encoder {
            Encoder::Parquet(writer) => match writer.finish() {
                Ok(_) => Ok(writer
                    .inner_mut()
                    .flush()
                    .map_err(|error| named(name, error))?),
                Err(error) => Err(parquet_failure(name, error)),
            },
            Encoder::File(writer) => writer
                .finish()
                .and_then(|()| writer.flush())
                .map_err(|error| arrow_failure(name, error)),
            Encoder::Stream(writer) => writer
                .finish()
                .and_then(|()| writer.flush())
                .map_err(|error| arrow_failure(name, error)),
        }
    }
}

/// Arrow or Parquet in several files of a folder.
pub(super) struct Parts {
    folder: PathBuf,
    format: RecordsFormat,
    schema: SchemaRef,
    rows_of_part: u64,
    /// Number of complete parts.
    complete: u64,
    /// Number of rows of the current part.
    rows: u64,
    current: Option<Part>,
}

struct Part {
    binary: Binary,
    file: File,
    /// The path of the file while it is not complete.
    new: PathBuf,
    path: PathBuf,
}

impl Parts {
    /// Creates the folder. If checkpoints are saved, removes the parts that an earlier run has written after the last
    /// checkpoint. They may be all parts, if that run was killed when it had removed its checkpoint. Otherwise a folder
    /// with parts is refused.
    fn open(
        folder: &Path,
        rows_of_part: u64,
        schema: SchemaRef,
        target: &Target<'_>,
    ) -> Result<Parts, Failure> {
        let Target { format, saved, .. } = *target;
        let failure = |error: io::Error| Failure::read(folder, error);
        fs::create_dir_all(folder).map_err(failure)?;
        let complete = saved.map_or(0, |saved| saved.output);
        let extension = extension(format);
        let mut found = 0;
        for entry in fs::read_dir(folder).map_err(failure)? {
            let path = entry.map_err(failure)?.path();
            match number_of_part(&path, extension) {
                Some((number, true)) if number < complete => found += 1,
                Some((_, true)) if !target.has_checkpoint => {
                    let reason = "it exists already: name another folder, or remove the parts";
                    return Err(Failure::read(&path, reason));
                }
                Some(_) => fs::remove_file(&path).map_err(|error| Failure::read(&path, error))?,
                None => {}
            }
        }
        if found < complete {
            let reason = "it has fewer parts than it had when the checkpoint was written";
            return Err(Failure::read(folder, reason));
        }
        Ok(Parts {
            folder: folder.to_owned(),
            format,
            schema,
            rows_of_part,
            complete,
            rows: 0,
            current: None,
        })
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        self.begin_part()?;
        if let Some(part) = &mut self.current {
            part.binary.write(batch)?;
            self.rows += batch.num_rows() as u64;
        }
        match self.rows >= self.rows_of_part {
            true => self.end_part(),
            false => Ok(()),
        }
    }

    fn begin_part(&mut self) -> Result<(), Failure> {
        if self.current.is_some() {
            return Ok(());
        }
        let name = format!("part-{:05}.{}", self.complete, extension(self.format));
        let path = self.folder.join(&name);
        let failure = |error: io::Error| Failure::read(&path, error);
        let new = self.folder.join(name + ".new");
        let file = File::create_new(&new).map_err(failure)?;
        let to = Box::new(file.try_clone().map_err(failure)?);
        let binary = Binary::new(self.format, to, path.display().to_string(), &self.schema)?;
        self.current = Some(Part {
            binary,
            file,
            new,
            path,
        });
        Ok(())
    }

    /// Completes the current part.
    fn end_part(&mut self) -> Result<(), Failure> {
        self.begin_part()?;
        if let Some(mut part) = self.current.take() {
            part.binary.finish()?;
            let renamed = part
                .file
                .sync_all()
                .and_then(|()| fs::rename(&part.new, &part.path));
            renamed.map_err(|error| Failure::read(&part.path, error))?;
        }
        self.complete += 1;
        self.rows = 0;
        Ok(())
    }
}

fn extension(format: RecordsFormat) -> &'static str {
    match format {
        RecordsFormat::Ndjson => "ndjson",
        RecordsFormat::Csv => "csv",
        RecordsFormat::Arrow => "arrow",
        RecordsFormat::ArrowStream => "arrows",
        RecordsFormat::Parquet => "parquet",
    }
}

/// Returns the number of a part, and whether the part is complete, if the file is a part of this format.
fn number_of_part(path: &Path, extension: &str) -> Option<(u64, bool)> {
    let name = path.file_name()?.to_str()?.strip_prefix("part-")?;
    let (name, is_complete) = match name.strip_suffix(".new") {
        Some(name) => (name, false),
        None => (name, true),
    };
    let number = name.strip_suffix(extension)?.strip_suffix('.')?;
    Some((number.parse().ok()?, is_complete))
}

/// Refuses a schema that the format cannot express.
pub(super) fn check(
    format: RecordsFormat,
    schema: &Schema,
    columns: &[String],
) -> Result<(), Failure> {
    if format != RecordsFormat::Csv {
        return Ok(());
    }
    let empty = RecordBatch::new_empty(Arc::new(schema.clone()));
    let schema = columns_of(&empty, columns)?.schema();
    let nested =
        |data_type: &DataType| matches!(data_type, DataType::Struct(_) | DataType::List(_));
    match schema
        .fields()
        .iter()
        .find(|field| nested(field.data_type()))
    {
        Some(field) => {
            let kind = match field.data_type() {
                DataType::List(_) => "a list",
                _ => "a struct",
            };
            Err(Failure::Unusable(format!(
                "the column `{0}` is {kind}, which CSV cannot express: choose other columns with --column{1}, or another format",
                field.name(),
                match field.data_type() {
                    DataType::Struct(fields) if !fields.is_empty() => {
                        format!(", such as `{}.{}`", field.name(), fields[0].name())
                    }
                    _ => String::new(),
                }
            )))
        }
        None => Ok(()),
    }
}

fn named(name: &str, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{name}: {error}"))
}

fn arrow_failure(name: &str, error: ArrowError) -> Failure {
    match error {
        ArrowError::IoError(_, error) => named(name, error).into(),
        error => Failure::Unusable(format!("{name}: {error}")),
    }
}

fn parquet_failure(name: &str, error: ParquetError) -> Failure {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => named(name, *error).into(),
            Err(error) => Failure::Unusable(format!("{name}: {error}")),
        },
        error => Failure::Unusable(format!("{name}: {error}")),
    }
}
