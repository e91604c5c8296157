//! Records of XML as [Arrow](https://arrow.apache.org): schemas inferred as Spark infers them, record batches from
//! streams of any size, and record batches written as XML.
//!
//! ```
//! use tagstream_arrow::{Options, XmlReader};
//!
//! let xml = "<feed><entry id='1'><title>One</title></entry><entry id='2'><title>Two</title></entry></feed>";
//! let reader = XmlReader::infer(xml.as_bytes(), Options::new("entry"))?;
//! for batch in reader {
//!     let batch = batch?;
//!     assert_eq!(batch.num_rows(), 2);
//!     assert_eq!(batch.schema().field(0).name(), "_id");
//!     assert_eq!(batch.schema().field(1).name(), "title");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Mapping
//!
//! The mapping is that of Spark's XML data source, with options of the same names:
//!
//! - Each element with the name of the option `row_tag` is a row, wherever it is in the document. An element of that
//!   name inside a row is a field. With the option `selector`, the elements that match a CSS selector are the rows.
//! - Child elements and attributes of a row are its columns. Names of attributes get the prefix `_`. Prefixes of
//!   namespaces are part of the names.
//! - An element with child elements or attributes is a struct. Its text is the field `_VALUE`.
//! - An element that occurs several times in its parent is a list.
//! - `<page/>` is a row of nulls. `<title/>` is an empty string, or null if its column has another type.
//!
//! There are these deliberate differences to Spark:
//!
//! - Text around a comment or a processing instruction is one string. In Spark, it is several.
//! - After a row that is not well-formed, the following rows are read. Spark loses them.
//! - Names are compared with regard to case, as XML does. Spark's default ignores case.
//! - A time without a date is a string. In Spark, it is a timestamp of the current day.
//! - Numbers have ASCII digits, no groups, and no other text after them; hexadecimal numbers are strings. The smallest
//!   64-bit integer is an integer. Decimals have no commas: Spark reads `37,77` as 3777.
//! - Time zones are UTC or offsets. Timestamps with names of zones are strings.
//! - A second value of a column that is not a list is an error of the row. Spark drops the first value silently.
//! - Entities that the DOCTYPE declares are read.
#![forbid(unsafe_code)]

mod chunks;
mod columns;
#[cfg(feature = "compression")]
mod compression;
mod datetime;
mod decoder;
mod error;
mod index;
mod infer;
mod options;
mod parallel;
mod parser;
mod pieces;
mod plan;
mod reader;
#[cfg(feature = "futures")]
mod stream;
mod writer;

#[cfg(feature = "compression")]
#[doc(hidden)]
pub use compression::decompress_segments;
#[cfg(feature = "compression")]
pub use compression::{Compression, ZstdReader, decompress, decompress_on};
pub use decoder::Decoder;
pub use error::{Error, OptionError, RowError, RowErrorKind, SchemaError};
pub use index::{IndexError, RowIndex, index_rows};
pub use infer::{Inferred, Inferrer, Note, infer_schema};
pub use options::{Mode, Options};
pub use parallel::{FilesReader, ParallelReader, read_files};
pub use pieces::{Head, HeadFinder, NextRow, find_candidate};
pub use reader::{ChunkReader, XmlReader};
#[cfg(feature = "futures")]
pub use stream::BatchStream;
pub use writer::XmlWriter;
