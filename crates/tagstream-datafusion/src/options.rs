//! Options of a table.

use datafusion::common::plan_datafusion_err;
use datafusion::error::Result;
use std::collections::HashMap;
use tagstream_arrow::Options;

/// The default of the option `infer_bytes`.
const INFER_BYTES: u64 = 16 << 20;

/// Says whether several partitions may read one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Split {
    /// A file is cut where it is proven, before any row is returned, that the parts have the rows of one pass. This is
    /// the default.
    ///
    /// Each partition but the first reads all bytes before its own part for the proof, without parsing them. A file is
    /// read by one partition if it is compressed or not local, if its encoding is not UTF-8, if its DOCTYPE contains
    /// declarations, if the rows are chosen by a selector, and in the mode `FAILFAST`. It is not cut after the first
    /// place that is not well-formed, or that has a name with other characters than those of ASCII.
    #[default]
    Auto,
    /// A file is cut at the offsets of an index of rows: the index of `pages.xml` is the file `pages.xml.row-index` beside
    /// it, which the command `tagstream records --index --row page pages.xml` and
    /// [`RowIndex`](tagstream_arrow::RowIndex) write. No partition reads what others read, and files in object stores can
    /// be cut too.
    ///
    /// A query fails if a file that several partitions read has no index, if the index is of other rows, or if it is out
    /// of date: the file has another length or another modification time than the index says. In an object store, where
    /// a file has the time at which it was stored, the index must be stored after the file instead. Small files and
    /// compressed files, which one partition reads, need no index.
    Index,
    /// Each file is read by one partition.
    Never,
}

/// The options of a table.
///
/// ```
/// use tagstream_arrow::Options;
/// use tagstream_datafusion::XmlOptions;
///
/// let options = XmlOptions::new(Options::new("page")).infer_bytes(1 << 20);
/// let mut same = XmlOptions::default();
/// same.set("xml.row_tag", "page")?;
/// same.set("infer_bytes", "1048576")?;
/// assert_eq!(options, same);
/// assert!(same.set("xml.row_tags", "page").is_err());
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlOptions {
    pub(crate) rows: Options,
    /// The options of rows by name, from which a codec makes them again. `None` if they are not known by name.
    pub(crate) named: Option<Vec<(String, String)>>,
    pub(crate) split: Split,
    pub(crate) infer_bytes: u64,
    pub(crate) column_pruning: bool,
}

impl Default for XmlOptions {
    /// Returns the options with their default values. The row tag is `ROW`, as in Spark.
    fn default() -> XmlOptions {
        XmlOptions::new(Options::default())
    }
}

impl Split {
    /// The values of the option `xml.split`.
    const NAMES: [(&str, Split); 3] = [
        ("auto", Split::Auto),
        ("index", Split::Index),
        ("false", Split::Never),
    ];

    pub(crate) fn name(self) -> &'static str {
        let found = Split::NAMES.iter().find(|(_, split)| *split == self);
        found.map_or("auto", |(name, _)| name)
    }
}

impl XmlOptions {
    /// Creates options from those of rows.
    ///
    /// With the feature `proto`, tables are sent to other processes if their options of rows are those of
    /// [`Options::new`] or were set with [`set`](XmlOptions::set), as SQL does.
    pub fn new(rows: Options) -> XmlOptions {
        let named = rows
            .row_name()
            .filter(|name| Options::new(name) == rows)
            .map(|name| vec![("rowtag".to_owned(), name.to_owned())]);
        XmlOptions {
            rows,
            named,
            split: Split::default(),
            infer_bytes: INFER_BYTES,
            column_pruning: true,
        }
    }

    /// Reads the options of a statement `CREATE EXTERNAL TABLE`. DataFusion adds the prefix `format.` to names without a
    /// prefix.
    pub(crate) fn of_statement(named: &HashMap<String, String>) -> Result<XmlOptions> {
        let mut options = XmlOptions::default();
        let (mut has_rows, mut has_selector) = (false, false);
        // The order does not depend on that of the hash table, so that the error is always the same.
        let mut named: Vec<_> = named.iter().collect();
        named.sort();
        for (name, value) in named {
            let name = plain(name);
            options.set(name, value)?;
            match &*folded(name) {
                "rowtag" => has_rows = true,
                "selector" => has_selector = true,
                _ => {}
            }
        }
        match (has_rows, has_selector) {
            (true, true) => Err(plan_datafusion_err!(
                "the options `xml.row_tag` and `xml.selector` both say which elements are rows: give one of them"
            )),
            (false, false) => Err(plan_datafusion_err!(
                "a table of XML needs the name of the elements that are rows, such as OPTIONS ('xml.row_tag' 'page')"
            )),
            _ => Ok(options),
        }
    }

    /// Sets an option by its name, with the prefix `xml.` or without it.
    ///
    /// # Errors
    ///
    /// Returns an error for a name that is unknown, and for a value that is not allowed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let refuse = |expected: &str| {
            plan_datafusion_err!(
                "the option `xml.{}` cannot be `{value}`: expected {expected}",
                plain(name)
            )
        };
        match &*folded(plain(name)) {
            "split" => {
                let value = value.to_ascii_lowercase();
                let found = Split::NAMES.iter().find(|(name, _)| *name == value);
                self.split = found.ok_or_else(|| refuse("`auto`, `index` or `false`"))?.1;
            }
            "inferbytes" => match value.parse() {
                Ok(bytes) if bytes > 0 => self.infer_bytes = bytes,
                _ => return Err(refuse("a number of bytes above 0")),
            },
            "columnpruning" => match value.to_ascii_lowercase().parse() {
                Ok(is_on) => self.column_pruning = is_on,
                Err(_) => return Err(refuse("`true` or `false`")),
            },
            name_of_rows => {
                self.rows
                    .set(plain(name), value)
                    .map_err(|error| plan_datafusion_err!("XML: {error}"))?;
                if let Some(named) = &mut self.named {
                    named.retain(|(known, _)| known != name_of_rows);
                    named.push((name_of_rows.to_owned(), value.to_owned()));
                }
            }
        }
        Ok(())
    }

    /// Sets whether a file is read by several partitions. The default is [`Split::Auto`].
    #[must_use]
    pub fn split(mut self, split: Split) -> XmlOptions {
        self.split = split;
        self
    }

    /// Sets the number of bytes of each file, without compression, from which a schema is inferred. The default is 16
    /// MiB.
    #[must_use]
    pub fn infer_bytes(mut self, bytes: u64) -> XmlOptions {
        self.infer_bytes = bytes.max(1);
        self
    }

    /// Sets whether columns that a query does not need are skipped in the mode
    /// [`Permissive`](tagstream_arrow::Mode::Permissive). The default is true.
    #[must_use]
    pub fn column_pruning(mut self, is_on: bool) -> XmlOptions {
        self.column_pruning = is_on;
        self
    }
}

/// Removes the prefix of an option's name.
fn plain(name: &str) -> &str {
    name.strip_prefix("xml.")
        .or(name.strip_prefix("format."))
        .unwrap_or(name)
}

/// Returns a name without differences of spelling: `row_tag` and `rowTag` are the same option.
fn folded(name: &str) -> String {
    name.replace('_', "").to_ascii_lowercase()
}
