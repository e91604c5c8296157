//! The options of the subcommand `records`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("rows").required(true))]
pub(crate) struct RecordsOptions {
    /// The name of the elements that are rows. Rows may be anywhere in the document.
    #[arg(long, value_name = "TAG", group = "rows")]
    pub(crate) row: Option<String>,
    /// A CSS selector of the elements that are rows: `orders > order`.
    #[arg(long, value_name = "SELECTOR", groups = ["rows", "selected"])]
    pub(crate) select: Option<String>,
    /// An XPath 1.0 expression of the elements that are rows: `//orders/order[@state = 'new']`. Start tags must decide the
    /// expression; one that needs a tree is refused.
    #[arg(long, value_name = "EXPRESSION", groups = ["rows", "selected"])]
    pub(crate) xpath: Option<String>,
    /// Declare a namespace prefix for the selector or the expression: `atom=http://www.w3.org/2005/Atom`.
    #[arg(long, value_name = "PREFIX=NAMESPACE", requires = "selected")]
    pub(crate) namespace: Vec<String>,
    /// The format of the rows.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: RecordsFormat,
    /// Write only this column. Repeat the option for several columns, which are written in this order. A column in structs
    /// is named by its path, such as `author.name`; CSV has the path as the name of the column.
    #[arg(long, value_name = "NAME")]
    pub(crate) column: Vec<String>,
    /// Read the schema from this file instead of inferring it: JSON as Spark writes schemas, and as --print-schema does.
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// Write the schema, and no rows. Notes about the inference go to standard error.
    #[arg(long)]
    pub(crate) print_schema: bool,
    /// Write no rows, but for each file an index of rows: FILE.row-index has offsets from which FILE can be read in parts,
    /// which the crate tagstream-datafusion does (`xml.split`). Write it again when FILE has changed.
    #[arg(long, requires = "row", conflicts_with_all = ["selected", "format", "column", "schema", "print_schema", "sample",
        "jobs", "checkpoint", "part_rows", "output"])]
    pub(crate) index: bool,
    /// The number of bytes from which the schema is inferred, taken from the beginning of each file. Columns that only
    /// later rows have are not written. With `all`, the files are read twice.
    #[arg(long, value_name = "BYTES", default_value = "67108864", conflicts_with = "schema",
        value_parser = sample_bytes)]
    pub(crate) sample: u64,
    /// Set an option of reading, by the name that it has in Spark: mode=FAILFAST, attributePrefix=@. An unknown name
    /// lists all names.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) option: Vec<String>,
    /// The number of threads that read. The output is the same for every number [default: the number of processors; 1
    /// for standard input and with --checkpoint].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// Save the progress in this file from time to time; after an interruption, the same command continues from there.
    /// The file is removed when all input is processed. Arrow and Parquet need --part-rows too.
    #[arg(long, value_name = "FILE", requires = "output")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// The number of bytes of input between two checkpoints.
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20, requires = "checkpoint",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) checkpoint_every: u64,
    /// Write several files of this many rows each to the folder that --output names: part-00000.parquet,
    /// part-00001.parquet. A checkpoint is saved after each (arrow, arrow-stream, parquet).
    #[arg(long, value_name = "ROWS", requires = "output",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) part_rows: Option<u64>,
    /// Write to this file instead of standard output. With --checkpoint, a symbolic link is refused, so that no other
    /// file is overwritten.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Read the input as text, whatever its first bytes are. Without this option, gzip, zstd, bzip2 and xz are
    /// unpacked, and input that is not markup is refused.
    #[arg(long = "as-text", alias = "text")]
    pub(crate) text: bool,
    /// The files to read, or - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Parses the value of `--sample`: a number of bytes, or `all`.
fn sample_bytes(value: &str) -> Result<u64, String> {
    match value.parse() {
        _ if value == "all" => Ok(u64::MAX),
        Ok(bytes) if bytes > 0 => Ok(bytes),
        _ => Err("expected a number of bytes above 0, or `all`".to_owned()),
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RecordsFormat {
    /// JSON Lines: one JSON object per line. Fields that are null are left out.
    #[default]
    Ndjson,
    /// CSV with a header. Lists and structs are refused.
    Csv,
    /// An Arrow IPC file (Feather).
    Arrow,
    /// An Arrow IPC stream.
    ArrowStream,
    /// Parquet, compressed with Snappy.
    Parquet,
}
