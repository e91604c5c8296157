//! Options of reading and writing.

use crate::datetime::{Pattern, Zone};
use crate::error::OptionError;
use tagstream::Limits;
#[cfg(feature = "inspect")]
use tagstream::Sizes;

/// The treatment of rows that are not well-formed or do not fit the schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A value that does not fit its column is null, and so are the fields that follow in the row, as in Spark. A list
    /// keeps the elements before the value. If the value belongs to the row itself, or the row is not well-formed, all
    /// columns are null. A second value of a column that is not a list replaces the first, as in Spark, and is an error of
    /// the row. If the schema has the column of corrupt records, that column contains the source of the row. If
    /// a column is not nullable, such a row is left out.
    #[default]
    Permissive,
    /// Such rows are left out.
    DropMalformed,
    /// The first such row is an error.
    FailFast,
}

/// The options of reading and writing. The names are those of Spark's XML data source.
///
/// ```
/// use tagstream_arrow::{Mode, Options};
///
/// let options = Options::new("page").mode(Mode::FailFast).attribute_prefix("@");
/// let mut same = Options::default();
/// same.set("row_tag", "page")?;
/// same.set("mode", "FAILFAST")?;
/// same.set("attributePrefix", "@")?;
/// assert_eq!(options, same);
/// assert!(same.set("rowtags", "page").is_err());
/// # Ok::<(), tagstream_arrow::OptionError>(())
/// ```
///
/// # Options of Spark that are not taken
///
/// - `rowValidationXSDPath`: there is no validation by XML Schema.
/// - `wildcardColName`: elements without a column are skipped.
/// - `locale`: numbers and dates have the format of XML Schema, or the format of an option.
/// - `multiLine`: rows may always extend over several lines.
/// - `timestampNTZFormat`, `timeFormat`: timestamps without a time zone use `timestamp_format`.
/// - `ignoreCorruptFiles`, `ignoreMissingFiles`, `modifiedBefore` and other options of file sources belong to the engine
///   that lists the files.
/// - `compression`: compressed input is known by its first bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub(crate) row_tag: String,
    pub(crate) selector: Option<String>,
    /// The namespace prefixes of the selector, each with its namespace.
    pub(crate) selector_namespaces: Vec<(String, String)>,
    pub(crate) root_tag: String,
    pub(crate) declaration: String,
    pub(crate) array_element_name: String,
    pub(crate) attribute_prefix: String,
    pub(crate) value_tag: String,
    pub(crate) null_value: Option<String>,
    pub(crate) mode: Mode,
    pub(crate) column_name_of_corrupt_record: String,
    /// The fraction of rows that inference reads, in millionths.
    pub(crate) sampling_millionths: u32,
    pub(crate) ignore_surrounding_spaces: bool,
    pub(crate) exclude_attribute: bool,
    pub(crate) ignore_namespace: bool,
    pub(crate) infer_schema: bool,
    pub(crate) prefer_date: bool,
    pub(crate) prefers_decimal: bool,
    pub(crate) date_format: Option<Pattern>,
    pub(crate) timestamp_format: Option<Pattern>,
    pub(crate) timezone: Zone,
    pub(crate) encoding: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) batch_size: usize,
    pub(crate) max_batch_bytes: usize,
    pub(crate) max_row_bytes: u64,
    pub(crate) max_columns: usize,
    pub(crate) max_depth: usize,
    /// The limits of the parser.
    pub(crate) limits: Limits,
    /// The sizes of the parser's windows, chunks and batches.
    #[cfg(feature = "inspect")]
    pub(crate) sizes: Sizes,
}

impl Default for Options {
    /// Returns the options with Spark's default values. The row tag is `ROW`.
    fn default() -> Options {
        Options {
            row_tag: "ROW".to_owned(),
            selector: None,
            selector_namespaces: Vec::new(),
            root_tag: "ROWS".to_owned(),
            declaration: "version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"".to_owned(),
            array_element_name: "item".to_owned(),
            attribute_prefix: "_".to_owned(),
            value_tag: "_VALUE".to_owned(),
            null_value: None,
            mode: Mode::Permissive,
            column_name_of_corrupt_record: "_corrupt_record".to_owned(),
            sampling_millionths: 1_000_000,
            ignore_surrounding_spaces: true,
            exclude_attribute: false,
            ignore_namespace: false,
            infer_schema: true,
            prefer_date: true,
            prefers_decimal: false,
            date_format: None,
            timestamp_format: None,
            timezone: Zone::utc(),
            encoding: None,
            file: None,
            batch_size: 8192,
            max_batch_bytes: 256 << 20,
            max_row_bytes: 64 << 20,
            max_columns: 10_000,
            max_depth: 256,
            limits: Limits::default(),
            #[cfg(feature = "inspect")]
            sizes: Sizes::USUAL,
        }
    }
}

/// Writes a builder method for each option that is a plain value.
macro_rules! builders {
    ($($(#[$doc:meta])* $name:ident: $type:ty => |$value:ident| $stored:expr;)*) => {
        impl Options {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(mut self, $value: $type) -> Options {
                    self.$name = $stored;
                    self
                }
            )*
        }
    };
}

builders! {
    /// Sets the name of the root element that [`XmlWriter`](crate::XmlWriter) writes. The default is `ROWS`.
    root_tag: &str => |name| name.to_owned();
    /// Sets the content of the XML declaration that is written. An empty string leaves the declaration out.
    declaration: &str => |content| content.to_owned();
    /// Sets the name of the elements of a list in a list, which has no name of its own. The default is `item`.
    array_element_name: &str => |name| name.to_owned();
    /// Sets the prefix of names of columns that are attributes. The default is `_`.
    attribute_prefix: &str => |prefix| prefix.to_owned();
    /// Sets the name of the column of the text beside attributes and child elements. The default is `_VALUE`.
    value_tag: &str => |name| name.to_owned();
    /// Sets a text that means null. The default is none.
    null_value: Option<&str> => |text| text.map(str::to_owned);
    /// Sets the treatment of rows that are not well-formed or do not fit. The default is [`Mode::Permissive`].
    mode: Mode => |mode| mode;
    /// Sets the name of the column that contains the source of malformed rows. The default is `_corrupt_record`.
    column_name_of_corrupt_record: &str => |name| name.to_owned();
    /// Sets whether whitespace at the start and the end of values is removed. The default is true.
    ignore_surrounding_spaces: bool => |ignore| ignore;
    /// Sets whether attributes are ignored. The default is false.
    exclude_attribute: bool => |exclude| exclude;
    /// Sets whether prefixes of names are ignored. The default is false.
    ignore_namespace: bool => |ignore| ignore;
    /// Sets whether types are inferred. Otherwise each inferred value is a string. The default is true.
    infer_schema: bool => |infer| infer;
    /// Sets whether dates are inferred as dates. Otherwise they are timestamps. The default is true.
    prefer_date: bool => |prefer| prefer;
    /// Sets whether numbers with a fraction are inferred as decimals. Otherwise they are doubles. The default is false.
    prefers_decimal: bool => |prefers| prefers;
    /// Sets the label of the encoding of the input, if it is known. A byte-order mark takes precedence.
    encoding: Option<&str> => |label| label.map(str::to_owned);
    /// Sets the name of the file, which errors contain.
    file: Option<&str> => |name| name.map(str::to_owned);
    /// Sets the maximum number of rows of a batch. The default is 8,192. A batch with more than 512 columns has fewer rows,
    /// so that rows times columns are at most four million.
    batch_size: usize => |rows| rows.max(1);
    /// Sets the size, in bytes of values, after which a batch ends before it has its number of rows. The default is 256
    /// MiB.
    max_batch_bytes: usize => |bytes| bytes.clamp(1, 1 << 30);
    /// Sets the maximum length of the source of a row, in bytes. A longer row is malformed. The default is 64 MiB.
    max_row_bytes: u64 => |bytes| bytes;
    /// Sets the maximum number of fields of a schema, including nested ones. The default is 10,000.
    max_columns: usize => |columns| columns;
    /// Sets the maximum depth of nested structs of a schema. The default is 256.
    max_depth: usize => |depth| depth;
}

/// Setter of one option from a string. The error is a description of the values that are allowed.
type Set = fn(&mut Options, &str) -> Result<(), &'static str>;

/// The options by name, in the spelling of Rust. [`Options::set`] accepts Spark's spelling too.
const TABLE: &[(&str, Set)] = &[
    ("row_tag", |options, value| {
        options.row_tag = tag(value)?;
        options.selector = None;
        Ok(())
    }),
    ("selector", |options, value| {
        options.selector = Some(value.to_owned());
        Ok(())
    }),
    ("root_tag", |options, value| {
        put(&mut options.root_tag, tag(value))
    }),
    ("declaration", |options, value| {
        put(&mut options.declaration, Ok(value.to_owned()))
    }),
    ("array_element_name", |options, value| {
        put(&mut options.array_element_name, tag(value))
    }),
    ("attribute_prefix", |options, value| {
        put(&mut options.attribute_prefix, Ok(value.to_owned()))
    }),
    ("value_tag", |options, value| {
        put(&mut options.value_tag, tag(value))
    }),
    ("null_value", |options, value| {
        put(&mut options.null_value, Ok(Some(value.to_owned())))
    }),
    ("mode", |options, value| put(&mut options.mode, mode(value))),
    ("column_name_of_corrupt_record", |options, value| {
        put(&mut options.column_name_of_corrupt_record, tag(value))
    }),
    ("sampling_ratio", |options, value| {
        match value.parse::<f64>() {
            Ok(ratio) if ratio > 0.0 && ratio <= 1.0 => {
                *options = options.clone().sampling_ratio(ratio)
            }
            _ => return Err("a number above 0 and at most 1"),
        }
        Ok(())
    }),
    ("ignore_surrounding_spaces", |options, value| {
        put(&mut options.ignore_surrounding_spaces, boolean(value))
    }),
    ("exclude_attribute", |options, value| {
        put(&mut options.exclude_attribute, boolean(value))
    }),
    ("ignore_namespace", |options, value| {
        put(&mut options.ignore_namespace, boolean(value))
    }),
    ("infer_schema", |options, value| {
        put(&mut options.infer_schema, boolean(value))
    }),
    ("prefer_date", |options, value| {
        put(&mut options.prefer_date, boolean(value))
    }),
    ("prefers_decimal", |options, value| {
        put(&mut options.prefers_decimal, boolean(value))
    }),
    ("date_format", |options, value| {
        put(&mut options.date_format, pattern(value))
    }),
    ("timestamp_format", |options, value| {
        put(&mut options.timestamp_format, pattern(value))
    }),
    ("timezone", |options, value| {
        put(&mut options.timezone, zone(value))
    }),
    ("encoding", |options, value| {
        put(&mut options.encoding, label(value))
    }),
    ("batch_size", |options, value| {
        put(
            &mut options.batch_size,
            number(value).map(|rows| rows as usize),
        )
    }),
    ("max_batch_bytes", |options, value| {
        put(
            &mut options.max_batch_bytes,
            number(value).map(|bytes| bytes.min(1 << 30) as usize),
        )
    }),
    ("max_row_bytes", |options, value| {
        put(&mut options.max_row_bytes, number(value))
    }),
    ("max_columns", |options, value| {
        put(
            &mut options.max_columns,
            number(value).map(|columns| columns as usize),
        )
    }),
    ("max_depth", |options, value| {
        put(
            &mut options.max_depth,
            number(value).map(|depth| depth as usize),
        )
    }),
];

/// Other names of options, as Spark accepts them.
const ALIASES: &[(&str, &str)] = &[("charset", "encoding"), ("time_zone", "timezone")];

impl Options {
    /// Returns the default options for rows that are elements with this name.
    pub fn new(row_tag: &str) -> Options {
        Options {
            row_tag: row_tag.to_owned(),
            ..Options::default()
        }
    }

    /// Returns the default options for rows that are the elements that match a CSS selector.
    ///
    /// ```
    /// use tagstream_arrow::{Options, XmlReader};
    ///
    /// let xml = "<a><b n='1'/><c><b n='2'/></c></a>";
    /// let mut reader = XmlReader::infer(xml.as_bytes(), Options::selector("c > b"))?;
    /// assert_eq!(reader.next().map(|batch| batch.map(|batch| batch.num_rows())).transpose()?, Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn selector(selector: &str) -> Options {
        Options {
            selector: Some(selector.to_owned()),
            ..Options::default()
        }
    }

    /// Declares a namespace prefix for the [selector](Options::selector) of the rows. The empty prefix declares the default
    /// namespace, which applies to names without a prefix.
    ///
    /// ```
    /// use tagstream_arrow::{Options, XmlReader};
    ///
    /// let xml = "<a xmlns='urn:a'><b n='1'/><b xmlns='' n='2'/></a>";
    /// let options = Options::selector("p|b").namespace("p", "urn:a");
    /// let mut reader = XmlReader::infer(xml.as_bytes(), options)?;
    /// assert_eq!(reader.next().map(|batch| batch.map(|batch| batch.num_rows())).transpose()?, Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn namespace(mut self, prefix: &str, name: &str) -> Options {
        self.selector_namespaces
            .push((prefix.to_owned(), name.to_owned()));
        self
    }

    /// Sets the name of the elements that are rows.
    #[must_use]
    pub fn row_tag(mut self, name: &str) -> Options {
        self.row_tag = name.to_owned();
        self.selector = None;
        self
    }

    /// Sets the limits of the parser, for tests.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    #[must_use]
    pub fn inspect_limits(mut self, limits: Limits) -> Options {
        self.limits = limits;
        self
    }

    /// Sets the sizes of the parser, which do not affect the rows, for tests.
    #[cfg(feature = "inspect")]
    #[doc(hidden)]
    #[must_use]
    pub fn inspect_sizes(mut self, sizes: Sizes) -> Options {
        self.sizes = sizes;
        self
    }

    /// Sets the fraction of rows that inference reads, above 0 and at most 1. The default is 1.
    #[must_use]
    pub fn sampling_ratio(mut self, ratio: f64) -> Options {
        self.sampling_millionths = ((ratio * 1e6) as u32).clamp(1, 1_000_000);
        self
    }

    /// Sets the format of dates: letters as in `dd.MM.yyyy`.
    ///
    /// # Errors
    ///
    /// Returns an error if the pattern contains a letter that is not supported.
    pub fn date_format(mut self, pattern: &str) -> Result<Options, OptionError> {
        self.set("date_format", pattern)?;
        Ok(self)
    }

    /// Sets the format of timestamps: letters as in `yyyy-MM-dd HH:mm:ss[.SSS][XXX]`.
    ///
    /// # Errors
    ///
    /// Returns an error if the pattern contains a letter that is not supported.
    pub fn timestamp_format(mut self, pattern: &str) -> Result<Options, OptionError> {
        self.set("timestamp_format", pattern)?;
        Ok(self)
    }

    /// Sets the time zone of timestamps without one: `UTC`, or an offset such as `+02:00`. The default is `UTC`.
    ///
    /// # Errors
    ///
    /// Returns an error for any other time zone.
    pub fn timezone(mut self, zone: &str) -> Result<Options, OptionError> {
        self.set("timezone", zone)?;
        Ok(self)
    }

    /// Sets an option by its name: `row_tag` or, as in Spark, `rowTag`. Case is ignored, and the name may begin with
    /// `xml.`.
    ///
    /// # Errors
    ///
    /// Returns an error for a name that is unknown, and for a value that is not allowed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
        let wanted = plain(name.strip_prefix("xml.").unwrap_or(name));
        let wanted = match ALIASES.iter().find(|(alias, _)| plain(alias) == wanted) {
            Some((_, name)) => plain(name),
            None => wanted,
        };
        let Some((known, set)) = TABLE.iter().find(|(known, _)| plain(known) == wanted) else {
            return Err(OptionError::Unknown {
                name: name.to_owned(),
            });
        };
        set(self, value).map_err(|expected| OptionError::Value {
            name: known,
            value: value.to_owned(),
            expected,
        })
    }

    /// Returns the names that [`set`](Options::set) knows, in the spelling of Rust.
    pub fn names() -> impl Iterator<Item = &'static str> {
        TABLE.iter().map(|(name, _)| *name)
    }

    /// Returns the maximum number of rows of a batch.
    pub fn batch_rows(&self) -> usize {
        self.batch_size
    }

    /// Returns the name of the elements that are rows, or `None` if a selector chooses them.
    pub fn row_name(&self) -> Option<&str> {
        self.selector.is_none().then_some(&self.row_tag)
    }

    /// Returns the treatment of malformed rows.
    pub fn row_mode(&self) -> Mode {
        self.mode
    }

    /// Returns the name of the column that contains the source of malformed rows.
    pub fn corrupt_record_column(&self) -> &str {
        &self.column_name_of_corrupt_record
    }
}

fn put<T>(target: &mut T, value: Result<T, &'static str>) -> Result<(), &'static str> {
    *target = value?;
    Ok(())
}

fn tag(value: &str) -> Result<String, &'static str> {
    match value.is_empty() || value.starts_with('<') || value.ends_with('>') {
        true => Err("a name, without angle brackets"),
        false => Ok(value.to_owned()),
    }
}

fn boolean(value: &str) -> Result<bool, &'static str> {
    match value {
        _ if value.eq_ignore_ascii_case("true") => Ok(true),
        _ if value.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err("`true` or `false`"),
    }
}

fn number(value: &str) -> Result<u64, &'static str> {
    match value.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("a number above 0"),
    }
}

fn mode(value: &str) -> Result<Mode, &'static str> {
    match value {
        _ if value.eq_ignore_ascii_case("PERMISSIVE") => Ok(Mode::Permissive),
        _ if value.eq_ignore_ascii_case("DROPMALFORMED") => Ok(Mode::DropMalformed),
        _ if value.eq_ignore_ascii_case("FAILFAST") => Ok(Mode::FailFast),
        _ => Err("`PERMISSIVE`, `DROPMALFORMED` or `FAILFAST`"),
    }
}

fn pattern(value: &str) -> Result<Option<Pattern>, &'static str> {
    Pattern::new(value)
        .map(Some)
        .ok_or("a pattern with the letters `yMdHhmsSaXxZE`")
}

fn zone(value: &str) -> Result<Zone, &'static str> {
    Zone::parse(value).ok_or("`UTC` or an offset such as `+02:00`")
}

fn label(value: &str) -> Result<Option<String>, &'static str> {
    match tagstream::Encoding::for_xml_label(value) {
        Some(_) => Ok(Some(value.to_owned())),
        None => Err("the label of an encoding"),
    }
}
