//! Files that are cut at the offsets of an index of rows.

use crate::common::Lake;
use datafusion::execution::object_store::ObjectStoreUrl;
use object_store::{ObjectStoreExt, memory::InMemory};
use std::fs::{self, File};
use std::sync::Arc;
use std::time::Duration;
use tagstream_arrow::{Options, RowIndex, index_rows};

/// Returns a document that is long enough to be read by several partitions.
fn document() -> String {
    let rows: String = (0..400_000)
        .map(|id| format!("<p id='{id}'><t>t{}</t></p>", id % 7))
        .collect();
    // Without an index, there would be no cut after the text.
    format!("<r><p/>text{rows}</r>")
}

fn index(document: &str) -> RowIndex {
    let index = index_rows(document.as_bytes(), &Options::new("p"), 1 << 20);
    index.unwrap().unwrap()
}

fn create(name: &str, location: &str, split: &str) -> String {
    format!(
        "CREATE EXTERNAL TABLE {name} (_id BIGINT, t VARCHAR) STORED AS XML LOCATION '{location}'
         OPTIONS ('xml.row_tag' 'p', 'xml.split' '{split}')"
    )
}

const SUM: &str = "SELECT count(*), sum(_id) FROM rows";

/// The folder has the index too, which is no document.
#[tokio::test]
async fn folders_with_indexes() {
    let document = document();
    let small = "<r><p id='5'/></r>";
    let lake = Lake::new(&[("in/rows.xml", &document), ("in/small.xml", small)]);
    lake.write_index("in/rows.xml", index(&document));
    lake.create(&create("rows", "@/in/", "index")).await;
    lake.create(&create("whole", "@/in/", "false")).await;
    lake.create(
        "CREATE EXTERNAL TABLE inferred STORED AS XML LOCATION '@/in/' OPTIONS ('xml.row_tag' 'p')",
    )
    .await;
    assert_eq!(lake.metric(SUM, "cuts").await, 2);
    let whole = lake.rows(&SUM.replace("rows", "whole")).await;
    assert_eq!(whole, ["400002|79999800005"]);
    assert_eq!(lake.rows(SUM).await, whole);
    assert_eq!(lake.rows(&SUM.replace("rows", "inferred")).await, whole);
    let bytes = lake
        .metric("SELECT * FROM rows LIMIT 10", "bytes_decoded")
        .await;
    assert!(bytes <= 3 * (256 << 10), "{bytes}");
}

/// Indexes that are missing, out of date, incomplete, or of other rows.
#[tokio::test]
async fn indexes_that_are_refused() {
    let document = document();
    let lake = Lake::new(&[("rows.xml", &document)]);
    lake.create(&create("rows", "@/rows.xml", "index")).await;
    let refused = async |reason: &str| {
        let error = lake.error(SUM).await;
        assert!(error.contains(reason), "{error}");
    };
    refused("`tagstream records --index --row p` writes the index").await;

    let good = index(&document);
    lake.write_index("rows.xml", good.clone());
    assert_eq!(lake.rows(SUM).await, ["400001|79999800000"]);

    let mut other = good.clone();
    other.row_tag = "q".to_owned();
    lake.write_index("rows.xml", other);
    refused("is the index of the rows `q`, and not of `p`").await;

    let text = good.to_string();
    lake.write("rows.xml.row-index", &text.as_bytes()[..text.len() - 2]);
    refused("of the index: expected").await;
    lake.write("rows.xml.row-index", b"\xFF");
    refused("utf-8").await;

    // An offset at which no row begins.
    let mut wrong = good.clone();
    for start in &mut wrong.starts[1..] {
        *start += 1;
    }
    lake.write_index("rows.xml", wrong);
    // The partition before the offset may be the first to notice.
    let error = lake.error(SUM).await;
    let reasons = ["no row `p` begins at offset", "the document was cut at"];
    assert!(
        reasons.iter().any(|reason| error.contains(reason)),
        "{error}"
    );

    // A changed offset, or a changed number of them.
    for (from, to) in [("\n4", "\n5"), ("\nend ", "\nend 9")] {
        let at = text.rfind(from).expect("a line");
        let changed = [&text[..at], to, &text[at + to.len()..]].concat();
        lake.write("rows.xml.row-index", changed.as_bytes());
        refused("of the index: expected").await;
    }

    // The same length and another time.
    lake.write_index("rows.xml", good.clone());
    let path = lake.path("rows.xml");
    let file = File::options().write(true).open(path).unwrap();
    let time = file.metadata().unwrap().modified().unwrap();
    file.set_modified(time + Duration::from_nanos(1000))
        .unwrap();
    refused("is out of date").await;
    file.set_modified(time).unwrap();
    assert_eq!(lake.rows(SUM).await.len(), 1);

    // Another length and the same time.
    fs::write(lake.path("rows.xml"), format!("{document} ")).unwrap();
    file.set_modified(time).unwrap();
    refused("is out of date").await;
}

/// In an object store, the index must be stored after the document.
#[tokio::test]
async fn object_stores() {
    let store = Arc::new(InMemory::new());
    let document = document();
    let index = index(&document).to_string();
    let put = async |path: &str, content: &str| {
        let content = content.as_bytes().to_vec();
        store.put(&path.into(), content.into()).await.unwrap();
    };
    put("rows.xml", &document).await;
    put("rows.xml.row-index", &index).await;
    let lake = Lake::new(&[]);
    let url = ObjectStoreUrl::parse("memory://").unwrap();
    let context = &lake.context;
    context.register_object_store(url.as_ref(), Arc::clone(&store) as _);
    let location = "memory:///rows.xml";
    lake.create(&create("rows", location, "index")).await;
    assert_eq!(lake.metric(SUM, "cuts").await, 2);
    assert_eq!(lake.rows(SUM).await, ["400001|79999800000"]);

    put("rows.xml", &document.replace("text", "more")).await;
    let error = lake.error(SUM).await;
    assert!(error.contains("is out of date"), "{error}");
    put("rows.xml.row-index", &index).await;
    assert_eq!(lake.rows(SUM).await, ["400001|79999800000"]);
}
