//! Tables of [DataFusion](https://datafusion.apache.org) whose rows are records of XML documents.
//!
//! ```
//! use datafusion::prelude::SessionContext;
//!
//! # #[tokio::main]
//! # async fn main() -> datafusion::error::Result<()> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("pages.xml");
//! # std::fs::write(&path, "<wiki><page id='1'><title>Earth</title></page><page id='2'/></wiki>")?;
//! # let path = path.display();
//! let context = SessionContext::new();
//! tagstream_datafusion::register(&context)?;
//! context
//!     .sql(&format!("CREATE EXTERNAL TABLE pages STORED AS XML LOCATION '{path}' OPTIONS ('xml.row_tag' 'page')"))
//!     .await?;
//! let titles = context.sql("SELECT title FROM pages WHERE _id = 1").await?.collect().await?;
//! assert_eq!(titles[0].num_rows(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! The elements that are rows, the mapping of elements and attributes to columns, and the options are those of
//! [`tagstream_arrow`], which are those of Spark's XML data source. The location is a file, a folder, or a pattern such
//! as `pages/*.xml`, in any object store. Folders in a folder are read if DataFusion's option
//! `datafusion.execution.listing_table_ignore_subdirectory` is false. `PARTITIONED BY` takes columns from folders such as `year=2026`. Files may be
//! compressed with gzip, zstd or bzip2; each file is recognized by its first bytes. Files whose names end with `.row-index`
//! have no rows, because they are indexes of others.
//!
//! # Options
//!
//! All options of [`tagstream_arrow::Options`] can be set in `OPTIONS`, with the prefix `xml.` or without a prefix, and
//! the following ones. Unknown options are refused.
//!
//! - `xml.split`: `auto`, which is the default, `index` or `false`: whether several partitions read a large file, and how
//!   it is cut. See [`Split`].
//! - `xml.infer_bytes`: the number of bytes of each file, without compression, from which the schema is inferred if none
//!   is given. The default is 16 MiB. Fields that only later rows have are not columns.
//! - `xml.column_pruning`: false means that all columns are read, even if the query needs few of them. In the mode
//!   `PERMISSIVE`, a value that does not fit its column makes the column null, and those that follow it in the row. With
//!   column pruning, which is on by default, columns that the query does not need have no influence on others. In the
//!   other modes all columns are always read, because each of them decides whether there is a row.
//!
//! # Errors
//!
//! In the mode `FAILFAST`, the error of a row has the file, the line and the column. In the other modes, the metric
//! `malformed_rows` of the scan, which `EXPLAIN ANALYZE` shows, has the number of rows that are not well-formed or do not
//! fit the schema.
#![forbid(unsafe_code)]

#[cfg(feature = "proto")]
mod codec;
mod cuts;
mod failure;
mod format;
mod input;
mod opener;
mod options;
mod packed;
mod part;
mod session;
mod source;
mod table;

#[cfg(feature = "proto")]
pub use codec::{XmlLogicalCodec, XmlPhysicalCodec};
pub use format::{XmlFormat, XmlFormatFactory};
pub use options::{Split, XmlOptions};
pub use session::{XmlReadOptions, XmlSessionExt, register, with_xml};
pub use source::XmlSource;
pub use table::{XmlTable, XmlTableFactory};
