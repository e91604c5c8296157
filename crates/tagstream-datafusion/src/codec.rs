//! Codecs of plans, for clusters.
//!
//! A cluster sends plans as messages: the logical plan from the client to the scheduler, and the physical plan from the
//! scheduler to the executors. Both codecs encode tables and scans of XML, and pass all others on to the codecs of the
//! cluster.

use crate::options::XmlOptions;
use crate::source::XmlSource;
use crate::table::XmlTable;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{TableReference, exec_err, not_impl_datafusion_err};
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::proto::ExecutionPlanEncodeCtx;
use datafusion_datasource::file::FileSource;
use datafusion_datasource::file_format::FileFormatFactory;
use datafusion_datasource::file_scan_config::{FileScanConfig, FileScanConfigBuilder};
use datafusion_datasource::source::DataSourceExec;
use datafusion_proto::logical_plan::{DefaultLogicalExtensionCodec, LogicalExtensionCodec};
use datafusion_proto::physical_plan::{
    DefaultPhysicalExtensionCodec, PhysicalExtensionCodec, PhysicalProtoConverterExtension,
};
use datafusion_proto_models::protobuf;
use prost::Message;
use protobuf::physical_plan_node::PhysicalPlanType;
use std::sync::Arc;

/// The first bytes of a message of this crate.
const PREFIX: &[u8] = b"tagstream.xml\0";

/// An option of rows.
#[derive(Clone, PartialEq, Message)]
struct NamedOption {
    #[prost(string, tag = 1)]
    name: String,
    #[prost(string, tag = 2)]
    value: String,
}

/// A location of files.
#[derive(Clone, PartialEq, Message)]
struct Location {
    #[prost(string, tag = 1)]
    url: String,
    /// The pattern of paths below the URL. A URL cannot contain it, because its special characters are escaped there.
    #[prost(string, optional, tag = 2)]
    pattern: Option<String>,
}

/// A table, or the source of a scan, which has no paths and no partition columns.
#[derive(Clone, PartialEq, Message)]
struct TableMessage {
    #[prost(message, repeated, tag = 1)]
    rows: Vec<NamedOption>,
    /// The value of the option `xml.split`.
    #[prost(string, tag = 2)]
    split: String,
    #[prost(uint64, tag = 3)]
    infer_bytes: u64,
    #[prost(bool, tag = 4)]
    column_pruning: bool,
    #[prost(message, repeated, tag = 5)]
    paths: Vec<Location>,
    #[prost(string, repeated, tag = 6)]
    partition_columns: Vec<String>,
}

impl TableMessage {
    fn of(options: &XmlOptions) -> Result<TableMessage> {
        let named = options.named.as_ref().ok_or_else(|| {
            not_impl_datafusion_err!(
                "a table of XML can be sent to other processes only if its options were set by name: see `XmlOptions::new`"
            )
        })?;
        let rows = named.iter().map(|(name, value)| NamedOption {
            name: name.clone(),
            value: value.clone(),
        });
        Ok(TableMessage {
            rows: rows.collect(),
            split: options.split.name().to_owned(),
            infer_bytes: options.infer_bytes,
            column_pruning: options.column_pruning,
            paths: Vec::new(),
            partition_columns: Vec::new(),
        })
    }

    /// Decodes a message after its prefix.
    fn decoded(bytes: &[u8]) -> Result<TableMessage> {
        TableMessage::decode(bytes).map_err(|error| DataFusionError::External(Box::new(error)))
    }

    fn encoded(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(PREFIX);
        bytes.extend(self.encode_to_vec());
    }

    fn options(&self) -> Result<XmlOptions> {
        let mut options = XmlOptions::default();
        for NamedOption { name, value } in &self.rows {
            options.set(name, value)?;
        }
        options.set("split", &self.split)?;
        Ok(options
            .infer_bytes(self.infer_bytes)
            .column_pruning(self.column_pruning))
    }
}

/// Encodes logical plans with tables of XML. All others are passed on to another codec.
#[derive(Debug)]
pub struct XmlLogicalCodec {
    others: Arc<dyn LogicalExtensionCodec>,
}

impl XmlLogicalCodec {
    /// Creates a codec with that of all other nodes, such as Ballista's.
    pub fn new(others: Arc<dyn LogicalExtensionCodec>) -> XmlLogicalCodec {
        XmlLogicalCodec { others }
    }
}

impl Default for XmlLogicalCodec {
    fn default() -> XmlLogicalCodec {
        XmlLogicalCodec::new(Arc::new(DefaultLogicalExtensionCodec {}))
    }
}

impl LogicalExtensionCodec for XmlLogicalCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[LogicalPlan],
        context: &TaskContext,
    ) -> Result<Extension> {
        self.others.try_decode(bytes, inputs, context)
    }

    fn try_encode(&self, node: &Extension, bytes: &mut Vec<u8>) -> Result<()> {
        self.others.try_encode(node, bytes)
    }

    fn try_decode_table_provider(
        &self,
        bytes: &[u8],
        table: &TableReference,
        schema: SchemaRef,
        context: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        let Some(bytes) = bytes.strip_prefix(PREFIX) else {
            return self
                .others
                .try_decode_table_provider(bytes, table, schema, context);
        };
        let message = TableMessage::decoded(bytes)?;
        let options = message.options()?;
        let columns = message.partition_columns;
        let paths = message.paths.into_iter().map(|location| {
            let url = ListingTableUrl::parse(location.url)?;
            match location.pattern {
                Some(pattern) => url.with_glob(&pattern),
                None => Ok(url),
            }
        });
        Ok(Arc::new(XmlTable::from_parts(
            paths.collect::<Result<Vec<_>>>()?,
            &schema,
            options,
            columns,
        )?))
    }

    fn try_encode_table_provider(
        &self,
        table: &TableReference,
        provider: Arc<dyn TableProvider>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        let Some(xml) = provider.downcast_ref::<XmlTable>() else {
            return self
                .others
                .try_encode_table_provider(table, provider, bytes);
        };
        let mut message = TableMessage::of(xml.options())?;
        message.paths = xml
            .listing()
            .table_paths()
            .iter()
            .map(|path| Location {
                url: path.to_string(),
                pattern: path.get_glob().as_ref().map(ToString::to_string),
            })
            .collect();
        message.partition_columns = xml.partition_columns().to_vec();
        message.encoded(bytes);
        Ok(())
    }

    fn try_decode_file_format(
        &self,
        bytes: &[u8],
        context: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.others.try_decode_file_format(bytes, context)
    }

    fn try_encode_file_format(
        &self,
        bytes: &mut Vec<u8>,
        format: Arc<dyn FileFormatFactory>,
    ) -> Result<()> {
        self.others.try_encode_file_format(bytes, format)
    }
}

/// Encodes a scan of XML as an extension node.
///
/// The input of the node is a scan of JSON with the same files, ranges, schema, projection and limit. A scan of JSON has
/// nothing else, and DataFusion decodes it before the extension node. Otherwise the messages of these parts would have to
/// be decoded with functions that are not public.
pub(crate) fn scan_to_proto(
    options: &XmlOptions,
    base: &FileScanConfig,
    context: &ExecutionPlanEncodeCtx<'_>,
) -> Result<protobuf::PhysicalPlanNode> {
    let scan = protobuf::JsonScanExecNode {
        base_conf: Some(base.try_to_proto(context)?),
    };
    let scan = protobuf::PhysicalPlanNode {
        physical_plan_type: Some(PhysicalPlanType::JsonScan(scan)),
    };
    let mut node = Vec::new();
    TableMessage::of(options)?.encoded(&mut node);
    let node = protobuf::PhysicalExtensionNode {
        node,
        inputs: vec![scan],
    };
    Ok(protobuf::PhysicalPlanNode {
        physical_plan_type: Some(PhysicalPlanType::Extension(node)),
    })
}

/// Decodes physical plans with scans of XML. All others are passed on to another codec.
#[derive(Debug)]
pub struct XmlPhysicalCodec {
    others: Arc<dyn PhysicalExtensionCodec>,
}

impl XmlPhysicalCodec {
    /// Creates a codec with that of all other nodes, such as Ballista's.
    pub fn new(others: Arc<dyn PhysicalExtensionCodec>) -> XmlPhysicalCodec {
        XmlPhysicalCodec { others }
    }
}

impl Default for XmlPhysicalCodec {
    fn default() -> XmlPhysicalCodec {
        XmlPhysicalCodec::new(Arc::new(DefaultPhysicalExtensionCodec {}))
    }
}

impl PhysicalExtensionCodec for XmlPhysicalCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(bytes) = bytes.strip_prefix(PREFIX) else {
            return self.others.try_decode(bytes, inputs, context, converter);
        };
        let options = TableMessage::decoded(bytes)?.options()?;
        let scan = inputs
            .first()
            .and_then(|plan| plan.downcast_ref::<DataSourceExec>())
            .and_then(|plan| plan.data_source().downcast_ref::<FileScanConfig>());
        let Some(scan) = scan else {
            return exec_err!("the message of a scan of XML has no files");
        };
        let json = scan.file_source();
        let source = Arc::new(XmlSource::new(json.table_schema().clone(), options));
        let source = match json.projection() {
            Some(projection) => source
                .try_pushdown_projection(projection)?
                .unwrap_or(source),
            None => source,
        };
        let scan = FileScanConfigBuilder::from(scan.clone()).with_source(source);
        Ok(DataSourceExec::from_data_source(scan.build()))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        self.others.try_encode(node, bytes, converter)
    }
}
