//! Plans that are sent as messages, as in a cluster.

use crate::common::Lake;
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::physical_plan::{ExecutionPlan, displayable};
use datafusion::prelude::SessionContext;
use datafusion_proto::bytes::{
    logical_plan_from_bytes_with_extension_codec, logical_plan_to_bytes_with_extension_codec,
    physical_plan_from_bytes_with_extension_codec, physical_plan_to_bytes_with_extension_codec,
};
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use std::sync::Arc;
use tagstream_arrow::Options;
use tagstream_datafusion::{
    XmlLogicalCodec, XmlOptions, XmlPhysicalCodec, XmlReadOptions, XmlSessionExt,
};

fn shown(plan: &Arc<dyn ExecutionPlan>) -> String {
    displayable(plan.as_ref()).indent(true).to_string()
}

/// Runs a query as a cluster does: the client, the scheduler and the executor have sessions of their own, and know of
/// each other only by messages.
async fn sent(lake: &Lake, sql: &str) -> (String, Vec<String>) {
    let logical = XmlLogicalCodec::default();
    let physical = XmlPhysicalCodec::default();
    let sql = sql.replace('@', &lake.path(""));
    let plan = lake
        .context
        .sql(&sql)
        .await
        .unwrap()
        .into_unoptimized_plan();
    let bytes = logical_plan_to_bytes_with_extension_codec(&plan, &logical).unwrap();

    let scheduler = SessionContext::new_with_config(lake.context.copied_config());
    let plan =
        logical_plan_from_bytes_with_extension_codec(&bytes, &scheduler.task_ctx(), &logical)
            .unwrap();
    let plan = scheduler.state().create_physical_plan(&plan).await.unwrap();
    let before = shown(&plan);
    let bytes = physical_plan_to_bytes_with_extension_codec(plan, &physical).unwrap();

    let executor = SessionContext::new();
    let plan =
        physical_plan_from_bytes_with_extension_codec(&bytes, &executor.task_ctx(), &physical)
            .unwrap();
    assert_eq!(shown(&plan), before);
    let batches = datafusion::physical_plan::collect(plan, executor.task_ctx())
        .await
        .unwrap();
    let mut lines = Vec::new();
    for batch in &batches {
        for row in 0..batch.num_rows() {
            let cells = batch
                .columns()
                .iter()
                .map(|column| array_value_to_string(column, row).unwrap());
            lines.push(cells.collect::<Vec<_>>().join("|"));
        }
    }
    (before, lines)
}

#[tokio::test]
async fn plans_as_messages() {
    let lake = Lake::new(&[
        (
            "in/year=2025/a.xml",
            "<r><p at='1'><n>1</n><t>-</t></p><p at='2'><n>x</n></p></r>",
        ),
        (
            "in/year=2026/b.xml",
            "<r><p at='3'><n>3</n><t>c</t></p></r>",
        ),
        (
            "in/year=2026/c.txt",
            "<r><p at='9'><n>9</n><t>c</t></p></r>",
        ),
    ]);
    lake.create(
        "CREATE EXTERNAL TABLE t (_at BIGINT, n BIGINT, t VARCHAR, year INT) STORED AS XML LOCATION '@/in/**/*.xml'
         PARTITIONED BY (year) OPTIONS ('xml.row_tag' 'p', 'xml.null_value' '-', 'xml.mode' 'DROPMALFORMED')",
    )
    .await;
    lake.create("CREATE EXTERNAL TABLE s STORED AS XML LOCATION '@/in/year=2026/' OPTIONS ('xml.selector' 'r > p', 'xml.split' 'false')")
        .await;
    for sql in [
        "SELECT * FROM t ORDER BY _at",
        "SELECT year, count(*), sum(n) FROM t GROUP BY year ORDER BY year",
        "SELECT upper(t), n + 1 FROM t WHERE year = 2026 AND n > 0",
        "SELECT count(*) FROM t WHERE t IS NULL",
        "SELECT a.n, s.n FROM t a JOIN s ON a._at = s._at",
        "SELECT count(*), max(t) FROM s",
    ] {
        let (_, rows) = sent(&lake, sql).await;
        assert_eq!(rows, lake.rows(sql).await, "{sql}");
        assert!(!rows.is_empty(), "{sql}");
    }
    assert_eq!(lake.rows("SELECT count(*) FROM t").await, ["2"]);
    assert_eq!(lake.rows("SELECT count(*) FROM s").await, ["2"]);
}

/// Each part of a large file is read without the others.
#[tokio::test]
async fn cuts_as_messages() {
    let rows: String = (0..300_000)
        .map(|id| format!("<p id='{id}'><t>t{}</t></p>", id % 7))
        .collect();
    let lake = Lake::new(&[("rows.xml", &format!("<r>{rows}</r>"))]);
    lake.create("CREATE EXTERNAL TABLE t (_id BIGINT, t VARCHAR) STORED AS XML LOCATION '@/rows.xml' OPTIONS ('xml.row_tag' 'p')")
        .await;
    let (plan, found) = sent(
        &lake,
        "SELECT t, count(*), sum(_id) FROM t GROUP BY t ORDER BY t",
    )
    .await;
    assert!(plan.contains("file_groups={3 groups"), "{plan}");
    assert_eq!(
        found,
        lake.rows("SELECT t, count(*), sum(_id) FROM t GROUP BY t ORDER BY t")
            .await
    );
    assert_eq!(found.len(), 7);
}

/// Options without names cannot be sent.
#[tokio::test]
async fn options_without_names() {
    let lake = Lake::new(&[("p.xml", "<r><p><n>1</n></p></r>")]);
    let send = async |options: Options| {
        let options = XmlReadOptions::from(XmlOptions::new(options));
        let frame = lake
            .context
            .read_xml(lake.path("p.xml"), options)
            .await
            .unwrap();
        let plan = frame.into_unoptimized_plan();
        logical_plan_to_bytes_with_extension_codec(&plan, &XmlLogicalCodec::default())
    };
    assert!(send(Options::new("p")).await.is_ok());
    let error = send(Options::new("p").null_value(Some("-")))
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("options were set by name"),
        "{error}"
    );
}

/// A message of a table without locations is refused.
#[tokio::test]
async fn tables_without_locations_are_refused() {
    let codec = XmlLogicalCodec::default();
    let schema = Arc::new(datafusion::arrow::datatypes::Schema::empty());
    // The option `row_tag`, and `xml.split`.
    let message = b"tagstream.xml\0\x0A\x0B\x0A\x06rowtag\x12\x01p\x12\x04auto\x18\x01";
    let context = SessionContext::new().task_ctx();
    let decoded = codec.try_decode_table_provider(message, &"p".into(), schema, &context);
    let error = decoded.unwrap_err().to_string();
    assert!(error.contains("needs a location"), "{error}");
}
