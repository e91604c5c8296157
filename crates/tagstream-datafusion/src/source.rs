//! The scan of files of XML.

use crate::opener::{Counters, XmlOpener};
use crate::options::{Split, XmlOptions};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::Result;
use datafusion::physical_expr::projection::ProjectionExprs;
use datafusion::physical_plan::metrics::{ExecutionPlanMetricsSet, MetricBuilder};
use datafusion::physical_plan::{DisplayFormatType, PhysicalExpr};
use datafusion_datasource::TableSchema;
use datafusion_datasource::file::FileSource;
use datafusion_datasource::file_scan_config::FileScanConfig;
use datafusion_datasource::file_stream::FileOpener;
use datafusion_datasource::projection::{ProjectionOpener, SplitProjection};
use object_store::ObjectStore;
use std::fmt;
use std::sync::Arc;
use tagstream_arrow::Mode;

/// The source of a scan of files of XML, with its options and its projection.
#[derive(Clone)]
pub struct XmlSource {
    options: XmlOptions,
    table_schema: TableSchema,
    batch_size: Option<usize>,
    metrics: ExecutionPlanMetricsSet,
    projection: SplitProjection,
}

impl XmlSource {
    /// Creates a source of all columns of a table.
    pub fn new(table_schema: TableSchema, options: XmlOptions) -> XmlSource {
        XmlSource {
            projection: SplitProjection::unprojected(&table_schema),
            table_schema,
            options,
            batch_size: None,
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }

    /// Returns the options of the table.
    pub fn options(&self) -> &XmlOptions {
        &self.options
    }

    /// Returns whether all columns must be read to know the rows and the values of the columns of the projection.
    fn needs_all_columns(&self) -> bool {
        let fields = self.table_schema.file_schema().fields();
        let corrupt = self.options.rows.corrupt_record_column();
        let has_corrupt = self
            .projection
            .file_indices
            .iter()
            .any(|index| fields[*index].name() == corrupt);
        !self.options.column_pruning
            || self.options.rows.row_mode() != Mode::Permissive
            // A row without a value for such a column is left out.
            || fields.iter().any(|field| !field.is_nullable())
            || has_corrupt
    }
}

impl FileSource for XmlSource {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let file_schema = self.table_schema.file_schema();
        let wanted = &self.projection.file_indices;
        let (schema, returned) = match self.needs_all_columns() {
            true => (Arc::clone(file_schema), Some(wanted.clone())),
            false => (Arc::new(file_schema.project(wanted)?), None),
        };
        let batch_size = self.batch_size.unwrap_or(self.options.rows.batch_rows());
        let counter = |name| MetricBuilder::new(&self.metrics).counter(name, partition);
        let opener = XmlOpener {
            options: self.options.clone(),
            schema,
            returned,
            // A query that needs few rows does not wait for a whole batch.
            batch_size: config
                .limit
                .map_or(batch_size, |limit| batch_size.min(limit.max(1))),
            store,
            counters: Counters {
                malformed_rows: counter("malformed_rows"),
                bytes_decoded: counter("bytes_decoded"),
                cuts: counter("cuts"),
            },
        };
        ProjectionOpener::try_new(self.projection.clone(), Arc::new(opener), file_schema)
    }

    fn table_schema(&self) -> &TableSchema {
        &self.table_schema
    }

    fn with_batch_size(&self, batch_size: usize) -> Arc<dyn FileSource> {
        Arc::new(XmlSource {
            batch_size: Some(batch_size),
            ..self.clone()
        })
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection.source)
    }

    fn try_pushdown_projection(
        &self,
        projection: &ProjectionExprs,
    ) -> Result<Option<Arc<dyn FileSource>>> {
        let merged = self.projection.source.try_merge(projection)?;
        let projection = SplitProjection::new(self.table_schema.file_schema(), &merged);
        Ok(Some(Arc::new(XmlSource {
            projection,
            ..self.clone()
        })))
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &str {
        "xml"
    }

    fn fmt_extra(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.options.rows.row_name() {
            Some(name) => write!(f, ", row_tag={name}"),
            None => write!(f, ", rows by a selector"),
        }
    }

    fn supports_repartitioning(&self) -> bool {
        // In the mode `FAILFAST`, there are no rows after the first malformed one, so the parts depend on each other.
        self.options.split != Split::Never
            && self.options.rows.row_name().is_some()
            && self.options.rows.row_mode() != Mode::FailFast
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        datafusion::physical_plan::apply_expression_roots(self.projection.source.iter(), f)
    }

    #[cfg(feature = "proto")]
    fn try_to_proto(
        &self,
        base: &FileScanConfig,
        context: &datafusion::physical_plan::proto::ExecutionPlanEncodeCtx<'_>,
    ) -> Result<Option<datafusion_proto_models::protobuf::PhysicalPlanNode>> {
        crate::codec::scan_to_proto(&self.options, base, context).map(Some)
    }
}
