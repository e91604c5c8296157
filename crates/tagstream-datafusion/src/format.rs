//! The file format, and the inference of schemas.

use crate::failure::failure;
use crate::input::Input;
use crate::options::XmlOptions;
use crate::source::XmlSource;
use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::{GetExt, Statistics, plan_err};
use datafusion::error::Result;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_datasource::TableSchema;
use datafusion_datasource::file::FileSource;
use datafusion_datasource::file_compression_type::FileCompressionType;
use datafusion_datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion_datasource::file_scan_config::FileScanConfig;
use datafusion_datasource::source::DataSourceExec;
use futures::StreamExt;
use object_store::{ObjectMeta, ObjectStore};
use std::collections::HashMap;
use std::sync::Arc;
use tagstream_arrow::{Inferrer, RowIndex};

/// Creates [`XmlFormat`]s from options.
#[derive(Debug, Default)]
pub struct XmlFormatFactory;

impl GetExt for XmlFormatFactory {
    fn get_ext(&self) -> String {
        "xml".to_owned()
    }
}

impl FileFormatFactory for XmlFormatFactory {
    fn create(
        &self,
        _: &dyn Session,
        options: &HashMap<String, String>,
    ) -> Result<Arc<dyn FileFormat>> {
        Ok(Arc::new(XmlFormat::new(XmlOptions::of_statement(options)?)))
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        Arc::new(XmlFormat::new(XmlOptions::default()))
    }
}

/// The format of files of XML.
#[derive(Clone, Debug)]
pub struct XmlFormat {
    options: XmlOptions,
}

impl XmlFormat {
    /// Creates a format.
    pub fn new(options: XmlOptions) -> XmlFormat {
        XmlFormat { options }
    }

    /// Adds the first bytes of a file to a schema.
    async fn infer(
        &self,
        inferrer: &mut Inferrer,
        store: &Arc<dyn ObjectStore>,
        object: &ObjectMeta,
    ) -> Result<()> {
        let file = object.location.as_ref();
        if file.ends_with(RowIndex::SUFFIX) {
            return Ok(());
        }
        let mut input = Input::open(store, &object.location).await?;
        let mut rest = self.options.infer_bytes;
        while let Some(chunk) = input.chunks.next().await {
            let mut chunk = chunk?;
            chunk.truncate(usize::try_from(rest).unwrap_or(usize::MAX));
            rest -= chunk.len() as u64;
            inferrer.feed(chunk).map_err(|error| failure(error, file))?;
            if rest == 0 {
                inferrer
                    .leave_document()
                    .map_err(|error| failure(error, file))?;
                return Ok(());
            }
        }
        inferrer
            .end_document()
            .map_err(|error| failure(error, file))
    }
}

#[async_trait]
impl FileFormat for XmlFormat {
    fn get_ext(&self) -> String {
        "xml".to_owned()
    }

    fn get_ext_with_compression(&self, compression: &FileCompressionType) -> Result<String> {
        Ok(format!("xml{}", compression.get_ext()))
    }

    /// Returns `None`, because each file has its own compression.
    fn compression_type(&self) -> Option<FileCompressionType> {
        None
    }

    async fn infer_schema(
        &self,
        _: &dyn Session,
        store: &Arc<dyn ObjectStore>,
        objects: &[ObjectMeta],
    ) -> Result<SchemaRef> {
        let mut inferrer =
            Inferrer::new(self.options.rows.clone()).map_err(|error| failure(error, "of rows"))?;
        for object in objects {
            self.infer(&mut inferrer, store, object).await?;
        }
        let inferred = inferrer
            .finish_early()
            .map_err(|error| failure(error, "of rows"))?;
        match (inferred.rows, self.options.rows.row_name()) {
            (0, Some(name)) => plan_err!(
                "no schema can be inferred, because the files have no element `{name}`: see the option `xml.row_tag`"
            ),
            (0, None) => plan_err!(
                "no schema can be inferred, because the files have no element that the option `xml.selector` selects"
            ),
            _ => Ok(inferred.schema),
        }
    }

    async fn infer_stats(
        &self,
        _: &dyn Session,
        _: &Arc<dyn ObjectStore>,
        table_schema: SchemaRef,
        _: &ObjectMeta,
    ) -> Result<Statistics> {
        Ok(Statistics::new_unknown(&table_schema))
    }

    async fn create_physical_plan(
        &self,
        _: &dyn Session,
        scan: FileScanConfig,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(DataSourceExec::from_data_source(scan))
    }

    fn file_source(&self, table_schema: TableSchema) -> Arc<dyn FileSource> {
        Arc::new(XmlSource::new(table_schema, self.options.clone()))
    }
}
