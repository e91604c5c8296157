//! Creation of tables.

use crate::format::XmlFormat;
use crate::options::XmlOptions;
use async_trait::async_trait;
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::catalog::{ScanArgs, ScanResult, Session, TableProvider, TableProviderFactory};
use datafusion::common::{Constraints, Statistics, not_impl_err, plan_err};
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::error::Result;
use datafusion::logical_expr::{
    CreateExternalTable, Expr, SortExpr, TableProviderFilterPushDown, TableType,
};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_datasource::file_format::FileFormat;
use futures::TryStreamExt;
use std::sync::Arc;

/// Creates the tables of statements `CREATE EXTERNAL TABLE … STORED AS XML`.
///
/// DataFusion's own factory reads only files with one extension, if it infers the schema, and so leaves out compressed
/// files beside others. This one reads all files at the location.
#[derive(Debug, Default)]
pub struct XmlTableFactory;

#[async_trait]
impl TableProviderFactory for XmlTableFactory {
    async fn create(
        &self,
        state: &dyn Session,
        command: &CreateExternalTable,
    ) -> Result<Arc<dyn TableProvider>> {
        if command.unbounded {
            return not_impl_err!("a table of XML cannot be unbounded");
        }
        let paths = command
            .locations
            .iter()
            .map(|location| Ok(parse_location(location)?.with_table_ref(command.name.clone())))
            .collect::<Result<Vec<_>>>()?;
        let declared = command.schema.inner();
        let is_partition = |name: &String| command.table_partition_cols.contains(name);
        let (schema, partition_columns) = if declared.fields().is_empty() {
            let columns = command
                .table_partition_cols
                .iter()
                .map(|name| (name.clone(), partition_type()))
                .collect();
            (None, columns)
        } else {
            let mut columns = Vec::new();
            for name in &command.table_partition_cols {
                columns.push((
                    name.clone(),
                    declared.field_with_name(name)?.data_type().clone(),
                ));
            }
            let own: Vec<usize> = (0..declared.fields().len())
                .filter(|index| !is_partition(declared.field(*index).name()))
                .collect();
            (Some(Arc::new(declared.project(&own)?)), columns)
        };
        let table = Definition {
            paths,
            options: XmlOptions::of_statement(&command.options)?,
            schema,
            partition_columns,
            order: command.order_exprs.clone(),
        };
        let table = table.create(state).await?;
        Ok(Arc::new(table.map(|table| {
            table
                .with_constraints(command.constraints.clone())
                .with_definition(command.definition.clone())
                .with_column_defaults(command.column_defaults.clone())
        })))
    }
}

/// Parses a location. DataFusion takes patterns only in paths of local files; here they are taken in URLs too.
fn parse_location(location: &str) -> Result<ListingTableUrl> {
    if location.contains("://")
        && let Some(special) = location.find(['*', '['])
        && let Some(slash) = location[..special].rfind('/')
    {
        let (folder, pattern) = location.split_at(slash + 1);
        return ListingTableUrl::parse(folder)?.with_glob(pattern);
    }
    ListingTableUrl::parse(location)
}

/// Returns the type of partition columns that are not declared, which is that of DataFusion's own formats.
pub(crate) fn partition_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::UInt16), Box::new(DataType::Utf8))
}

/// The definition of a table.
pub(crate) struct Definition {
    pub(crate) paths: Vec<ListingTableUrl>,
    pub(crate) options: XmlOptions,
    /// The columns that are in the files, or `None` to infer them.
    pub(crate) schema: Option<SchemaRef>,
    pub(crate) partition_columns: Vec<(String, DataType)>,
    pub(crate) order: Vec<Vec<SortExpr>>,
}

impl Definition {
    pub(crate) async fn create(self, state: &dyn Session) -> Result<XmlTable> {
        let Definition {
            paths,
            options,
            schema,
            partition_columns,
            order,
        } = self;
        let partition_names = partition_columns
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        let first = first(&paths)?;
        // The table reads all files from the object store of the first location.
        if let Some(other) = paths
            .iter()
            .find(|path| path.object_store() != first.object_store())
        {
            return plan_err!(
                "all locations of a table must be in the same object store, but {first} and {other} are not"
            );
        }
        let format = Arc::new(XmlFormat::new(options.clone()));
        let listing = ListingOptions::new(Arc::clone(&format) as Arc<dyn FileFormat>)
            .with_file_extension("")
            .with_table_partition_cols(partition_columns)
            .with_file_sort_order(order);
        for path in &paths {
            listing.validate_partitions(state, path).await?;
        }
        let schema = match schema {
            Some(schema) => schema,
            None => {
                let store = state.runtime_env().object_store(first)?;
                let mut files = Vec::new();
                for path in &paths {
                    let found = path.list_all_files(state, &store, "").await?;
                    files.extend(found.try_collect::<Vec<_>>().await?);
                }
                files.retain(|file| file.size > 0);
                if files.is_empty() {
                    return plan_err!(
                        "no schema can be inferred, because there are no files at {first}"
                    );
                }
                format.infer_schema(state, &store, &files).await?
            }
        };
        let cache = state.runtime_env().cache_manager.get_file_statistic_cache();
        let table = XmlTable::new(paths, listing, schema, options, partition_names)?;
        Ok(table.map(|table| table.with_cache(cache)))
    }
}

/// Returns the first location. A message without locations can come from another process.
fn first(paths: &[ListingTableUrl]) -> Result<&ListingTableUrl> {
    match paths.first() {
        Some(first) => Ok(first),
        None => plan_err!("a table of XML needs a location"),
    }
}

/// A table whose rows are in files of XML.
///
/// It is a [`ListingTable`] with the options from which another process can make the same table.
#[derive(Debug)]
pub struct XmlTable {
    table: ListingTable,
    options: XmlOptions,
    partition_columns: Vec<String>,
}

impl XmlTable {
    fn new(
        paths: Vec<ListingTableUrl>,
        listing: ListingOptions,
        schema: SchemaRef,
        options: XmlOptions,
        partition_columns: Vec<String>,
    ) -> Result<XmlTable> {
        first(&paths)?;
        let config = ListingTableConfig::new_with_multi_paths(paths)
            .with_listing_options(listing)
            .with_schema(schema);
        Ok(XmlTable {
            table: ListingTable::try_new(config)?,
            options,
            partition_columns,
        })
    }

    /// Creates a table from the parts that a codec has sent. `schema` has the partition columns too.
    #[cfg(feature = "proto")]
    pub(crate) fn from_parts(
        paths: Vec<ListingTableUrl>,
        schema: &SchemaRef,
        options: XmlOptions,
        partition_columns: Vec<String>,
    ) -> Result<XmlTable> {
        let mut columns = Vec::new();
        for name in &partition_columns {
            let field = schema.field_with_name(name)?;
            columns.push((name.clone(), field.data_type().clone()));
        }
        let own: Vec<usize> = (0..schema.fields().len())
            .filter(|index| !partition_columns.contains(schema.field(*index).name()))
            .collect();
        let listing = ListingOptions::new(Arc::new(XmlFormat::new(options.clone())))
            .with_file_extension("")
            .with_table_partition_cols(columns);
        let schema = Arc::new(schema.project(&own)?);
        XmlTable::new(paths, listing, schema, options, partition_columns)
    }

    fn map(self, change: impl FnOnce(ListingTable) -> ListingTable) -> XmlTable {
        XmlTable {
            table: change(self.table),
            ..self
        }
    }

    /// Returns the options of the table.
    pub fn options(&self) -> &XmlOptions {
        &self.options
    }

    /// Returns the names of the columns whose values are in the names of folders.
    pub fn partition_columns(&self) -> &[String] {
        &self.partition_columns
    }

    /// Returns the table of the files.
    pub fn listing(&self) -> &ListingTable {
        &self.table
    }
}

#[async_trait]
impl TableProvider for XmlTable {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
    }

    fn constraints(&self) -> Option<&Constraints> {
        self.table.constraints()
    }

    fn table_type(&self) -> TableType {
        self.table.table_type()
    }

    fn get_table_definition(&self) -> Option<&str> {
        self.table.get_table_definition()
    }

    fn get_column_default(&self, column: &str) -> Option<&Expr> {
        self.table.get_column_default(column)
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.table.scan(state, projection, filters, limit).await
    }

    async fn scan_with_args<'a>(
        &self,
        state: &dyn Session,
        arguments: ScanArgs<'a>,
    ) -> Result<ScanResult> {
        self.table.scan_with_args(state, arguments).await
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        self.table.supports_filters_pushdown(filters)
    }

    fn statistics(&self) -> Option<Statistics> {
        self.table.statistics()
    }
}
