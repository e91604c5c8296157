//! Registration with a session, and tables without SQL.

use crate::format::XmlFormatFactory;
use crate::options::XmlOptions;
use crate::table::{Definition, XmlTableFactory, partition_type};
use async_trait::async_trait;
use datafusion::arrow::datatypes::{DataType, Schema, SchemaRef};
use datafusion::error::Result;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::context::DataFilePaths;
use datafusion::prelude::{DataFrame, SessionContext};
use std::sync::Arc;
use tagstream_arrow::Options;

/// The name of the format in SQL.
const FORMAT: &str = "XML";

/// Adds `STORED AS XML` to the SQL of a session.
///
/// # Errors
///
/// Returns an error if DataFusion refuses the format.
pub fn register(context: &SessionContext) -> Result<()> {
    let state = context.state_ref();
    let mut state = state.write();
    state.register_file_format(Arc::new(XmlFormatFactory), true)?;
    state
        .table_factories_mut()
        .insert(FORMAT.to_owned(), Arc::new(XmlTableFactory));
    Ok(())
}

/// Adds `STORED AS XML` to the SQL of a session that is being built.
///
/// ```
/// use datafusion::execution::SessionStateBuilder;
/// use datafusion::prelude::SessionContext;
///
/// let builder = SessionStateBuilder::new().with_default_features();
/// let state = tagstream_datafusion::with_xml(builder).build();
/// assert!(state.table_factories().contains_key("XML"));
/// let context = SessionContext::new_with_state(state);
/// ```
#[must_use]
pub fn with_xml(mut builder: SessionStateBuilder) -> SessionStateBuilder {
    builder
        .file_formats()
        .get_or_insert_default()
        .push(Arc::new(XmlFormatFactory));
    builder.with_table_factory(FORMAT.to_owned(), Arc::new(XmlTableFactory))
}

/// The options of [`XmlSessionExt::read_xml`].
#[derive(Clone, Debug, Default)]
pub struct XmlReadOptions {
    options: XmlOptions,
    schema: Option<SchemaRef>,
    partition_columns: Vec<(String, DataType)>,
}

impl XmlReadOptions {
    /// Creates the default options for rows that are elements with this name.
    pub fn new(row_tag: &str) -> XmlReadOptions {
        XmlReadOptions::from(XmlOptions::new(Options::new(row_tag)))
    }

    /// Sets the schema of the files, without partition columns. Otherwise the schema is inferred.
    #[must_use]
    pub fn schema(mut self, schema: Schema) -> XmlReadOptions {
        self.schema = Some(Arc::new(schema));
        self
    }

    /// Sets the columns whose values are in the names of folders, such as `year=2026`, in the order of the folders. Their
    /// values are strings.
    #[must_use]
    pub fn partitioned_by(self, columns: &[&str]) -> XmlReadOptions {
        let columns = columns
            .iter()
            .map(|name| ((*name).to_owned(), partition_type()));
        self.partition_columns(columns.collect())
    }

    /// As [`partitioned_by`](XmlReadOptions::partitioned_by), with types.
    #[must_use]
    pub fn partition_columns(mut self, columns: Vec<(String, DataType)>) -> XmlReadOptions {
        self.partition_columns = columns;
        self
    }
}

impl From<XmlOptions> for XmlReadOptions {
    fn from(options: XmlOptions) -> XmlReadOptions {
        XmlReadOptions {
            options,
            schema: None,
            partition_columns: Vec::new(),
        }
    }
}

/// Methods of [`SessionContext`] for files of XML.
///
/// ```
/// use datafusion::prelude::{SessionContext, col};
/// use tagstream_datafusion::{XmlReadOptions, XmlSessionExt};
///
/// # #[tokio::main]
/// # async fn main() -> datafusion::error::Result<()> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("pages.xml");
/// # std::fs::write(&path, "<wiki><page id='1'><title>Earth</title></page><page id='2'/></wiki>")?;
/// # let path = path.to_str().unwrap();
/// let context = SessionContext::new();
/// let pages = context.read_xml(path, XmlReadOptions::new("page")).await?;
/// assert_eq!(pages.filter(col("title").is_not_null())?.count().await?, 1);
/// # Ok(())
/// # }
/// ```
#[async_trait]
pub trait XmlSessionExt {
    /// Returns the rows of files.
    ///
    /// # Errors
    ///
    /// Returns an error if a path is wrong, or if the schema cannot be inferred.
    async fn read_xml<P: DataFilePaths + Send>(
        &self,
        paths: P,
        options: XmlReadOptions,
    ) -> Result<DataFrame>;

    /// Registers files as a table, which can be named in SQL.
    ///
    /// # Errors
    ///
    /// The same as for [`read_xml`](XmlSessionExt::read_xml).
    async fn register_xml<P: DataFilePaths + Send>(
        &self,
        name: &str,
        paths: P,
        options: XmlReadOptions,
    ) -> Result<()>;
}

#[async_trait]
impl XmlSessionExt for SessionContext {
    async fn read_xml<P: DataFilePaths + Send>(
        &self,
        paths: P,
        options: XmlReadOptions,
    ) -> Result<DataFrame> {
        let definition = definition(paths, options)?;
        let table = definition.create(&self.state()).await?;
        self.read_table(Arc::new(table))
    }

    async fn register_xml<P: DataFilePaths + Send>(
        &self,
        name: &str,
        paths: P,
        options: XmlReadOptions,
    ) -> Result<()> {
        let definition = definition(paths, options)?;
        let table = definition.create(&self.state()).await?;
        self.register_table(name, Arc::new(table))?;
        Ok(())
    }
}

fn definition(paths: impl DataFilePaths, options: XmlReadOptions) -> Result<Definition> {
    Ok(Definition {
        paths: paths.to_urls()?,
        options: options.options,
        schema: options.schema,
        partition_columns: options.partition_columns,
        order: Vec::new(),
    })
}
