//! Documents that several partitions read: the rows are those of one pass, and each partition has only rows of one pass.

use crate::common::{Lake, Random};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_datasource::FileRange;
use datafusion_datasource::file_groups::FileGroup;
use datafusion_datasource::file_scan_config::FileScanConfig;
use datafusion_datasource::source::DataSourceExec;
use futures::TryStreamExt;
use std::sync::Arc;
use tagstream_arrow::{Mode, Options, XmlReader, index_rows};
use tagstream_datafusion::{Split, XmlOptions, XmlReadOptions, XmlSessionExt};

fn schema() -> Schema {
    let column = |name| Field::new(name, DataType::Utf8, true);
    Schema::new(vec![column("_id"), column("t"), column("_corrupt_record")])
}

fn lines(batches: &[RecordBatch]) -> Vec<String> {
    let mut lines = Vec::new();
    for batch in batches {
        for row in 0..batch.num_rows() {
            let cells = batch
                .columns()
                .iter()
                .map(|column| array_value_to_string(column, row).unwrap());
            lines.push(cells.collect::<Vec<_>>().join("|"));
        }
    }
    lines
}

/// Reads a document in one pass.
fn one_pass(document: &[u8], options: Options) -> Result<Vec<String>, String> {
    let reader = XmlReader::new(document, Arc::new(schema()), options).unwrap();
    let batches = reader.collect::<Result<Vec<_>, _>>();
    batches
        .map(|batches| lines(&batches))
        .map_err(|error| error.to_string())
}

/// The rows of each part, and the number of parts that began at a cut.
struct Parts {
    rows: Vec<Result<Vec<String>, String>>,
    cuts: usize,
}

/// Reads a document in parts that know nothing of each other, as in a cluster.
async fn parts(
    lake: &Lake,
    document: &[u8],
    options: &Options,
    split: Split,
    ends: &[usize],
) -> Parts {
    let options = XmlOptions::new(options.clone()).split(split);
    let options = XmlReadOptions::from(options).schema(schema());
    let path = lake.path("d.xml");
    let frame = lake.context.read_xml(path, options).await.unwrap();
    let plan = frame.create_physical_plan().await.unwrap();
    let source = plan.downcast_ref::<DataSourceExec>().unwrap();
    let config = source
        .data_source()
        .downcast_ref::<FileScanConfig>()
        .unwrap();
    let file = config.file_groups[0].files()[0].clone();
    let is_split = config.file_source().supports_repartitioning();
    let mut parts = Parts {
        rows: Vec::new(),
        cuts: 0,
    };
    let mut start = 0;
    for end in ends.iter().copied().chain([document.len()]) {
        let mut file = file.clone();
        file.range = is_split.then_some(FileRange {
            start,
            end: end as i64,
        });
        if !is_split && start > 0 {
            break;
        }
        start = end as i64;
        let mut config = config.clone();
        config.file_groups = vec![FileGroup::new(vec![file])];
        let plan = DataSourceExec::from_data_source(config);
        let stream = plan.execute(0, lake.context.task_ctx()).unwrap();
        let batches = stream.try_collect::<Vec<_>>().await;
        let rows = batches.map(|batches| lines(&batches));
        parts.rows.push(rows.map_err(|error| error.to_string()));
        let cuts = plan
            .metrics()
            .and_then(|metrics| metrics.sum_by_name("cuts"));
        // The metrics of all parts are added up.
        parts.cuts = cuts.map_or(0, |value| value.as_usize());
    }
    parts
}

/// Compares the rows of parts that are cut by proof with those of one pass, and returns the number of cuts.
async fn check(lake: &Lake, document: &[u8], options: &Options, ends: &[usize]) -> usize {
    lake.write("d.xml", document);
    compare(lake, document, options, Split::Auto, ends).await
}

/// As [`check`], with an index that has offsets of about this distance.
async fn check_index(
    lake: &Lake,
    document: &[u8],
    options: &Options,
    distance: usize,
    ends: &[usize],
) -> usize {
    lake.write("d.xml", document);
    let Ok(Some(index)) = index_rows(document, options, distance as u64) else {
        return 0;
    };
    lake.write_index("d.xml", index);
    compare(lake, document, options, Split::Index, ends).await
}

async fn compare(
    lake: &Lake,
    document: &[u8],
    options: &Options,
    split: Split,
    ends: &[usize],
) -> usize {
    let shown = || String::from_utf8_lossy(&document[..document.len().min(3000)]).into_owned();
    let expected = one_pass(document, options.clone());
    let parts = parts(lake, document, options, split, ends).await;
    match expected {
        Ok(expected) => {
            let rows = parts.rows.into_iter().collect::<Result<Vec<_>, _>>();
            let rows = rows.unwrap().concat();
            assert!(rows == expected, "{}\n{rows:?}\n{expected:?}", shown());
        }
        Err(error) => {
            let failed = parts.rows.iter().any(|rows| rows.is_err());
            assert!(failed, "{error}: {}", shown());
        }
    }
    parts.cuts
}

/// Returns offsets that are equally far from each other.
fn equal(document: &[u8], parts: usize) -> Vec<usize> {
    (1..parts)
        .map(|part| document.len() * part / parts)
        .collect()
}

/// Parts of documents that are well-formed, and can be cut.
const SOUND: &[&str] = &[
    "<p id='#'><t>a</t></p>",
    "<p id='#'><t>a</t><u v=\">\" w='/>'/></p>\n",
    "<p id=\"#\"/>",
    "<p\n id='#'\t><t><![CDATA[<p id='bad'>]]></t></p >",
    "<!-- <p id='bad'/> -->",
    "<?pi <p id='bad'/> ?>",
    "<p id='#'><!-- </p><p id='bad'> --><t>x &amp; y</t></p>",
    "<p id='#'><p id='inner'><t>b</t></p><t>c</t></p>",
    "<p id='#'><q><p id='inner'/></q></p>",
    "<page id='bad'/>",
    "<p-q id='bad'/>",
    "<q>text</q>",
    " text ",
    "<p id='#'><t>\u{e9}\u{1F600}</t></p>",
    "<p id='#' id='#'/>",
    "<p id='#'><t>&none;</t></p>",
];

/// Parts of documents that are not well-formed, or that change the elements around rows.
const BROKEN: &[&str] = &[
    "<s><p id='#'><t>d</t></p>",
    "</s>",
    "<s><p id='#'/></s>",
    "<p id='#'><t>e</p>",
    "<p id='#'><t>f</t>",
    "</p>",
    "</r>",
    "<",
    "<p id='<p id='#'/>'/>",
    "<p id=#><t>g</t></p>",
    "<p id=\"#'><t>h</t></p>",
    "<![CDATA[ <p id='bad'/>",
    "]]>",
    "<!-- -- <p id='bad'/> -->",
    "<!-- <p id='bad'/>",
    "-->",
    "<?pi <p id='bad'/>",
    "?>",
    "<!x <p id='bad'/> >",
    "<\u{e9}><p id='#'/></\u{e9}>",
    "<p id='#' x='>'y='1'/>",
    "<p id='#' x y='\"'/>",
    "<p id='#'></s></p>",
    "<?xml version='1.0'?>",
    "<!DOCTYPE r>",
    "&amp <p id='#'/>",
    "&<p id='#'/>",
    "\u{0}<p id='#'/>",
];

const HEADS: &[&str] = &[
    "<r>",
    "<r>",
    "<r a='>'>",
    "\u{FEFF}<?xml version='1.0' encoding='UTF-8'?>\n<r>",
    "<?xml version='1.0'?><!-- <p/> --><!DOCTYPE r><r><s/>",
    "<r><s>",
    "<!DOCTYPE r [<!ENTITY none \"<p id='entity'/>\">]><r>",
    "<!DOCTYPE r SYSTEM 'r.dtd'><r>",
    "<?xml version='1.0' encoding='ISO-8859-1'?><r>",
    "text<r>",
    "",
];

fn document(random: &mut Random, fragments: usize) -> Vec<u8> {
    let mut text = random.of(HEADS).to_owned();
    let broken = match random.below(3) {
        0 => 0,
        1 => 2,
        _ => 20,
    };
    for id in 0..fragments {
        let list = if random.below(100) < broken {
            BROKEN
        } else {
            SOUND
        };
        text.push_str(&random.of(list).replace('#', &id.to_string()));
    }
    text.push_str(random.of(&["</r>", "</s></r>", ""]));
    match random.below(20) {
        0 => [0xFF, 0xFE]
            .into_iter()
            .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
            .collect(),
        _ => text.into_bytes(),
    }
}

#[tokio::test]
async fn random_documents() {
    let lake = Lake::new(&[]);
    let mut random = Random(7);
    let options = [
        Options::new("p"),
        Options::new("p").mode(Mode::DropMalformed),
        Options::new("p").batch_size(2),
    ];
    let (mut cuts, mut indexed) = (0, 0);
    for number in 0..3000 {
        let fragments = 1 + random.below(40);
        let document = document(&mut random, fragments);
        let count = 1 + random.below(7);
        let mut ends: Vec<_> = (0..count)
            .map(|_| 1 + random.below(document.len().max(2) - 1))
            .collect();
        ends.sort_unstable();
        ends.dedup();
        if document.len() < 2 {
            continue;
        }
        let options = &options[number % 3];
        cuts += check(&lake, &document, options, &ends).await;
        indexed += check_index(&lake, &document, options, 1 + random.below(50), &ends).await;
    }
    assert!(cuts > 3000 && indexed > 3000, "{cuts} {indexed}");
}

/// Documents of several chunks.
#[tokio::test]
async fn long_documents() {
    let lake = Lake::new(&[]);
    let mut random = Random(11);
    let mut cuts = 0;
    for _ in 0..12 {
        let mut document = String::from("<r>");
        for id in 0..40_000 {
            document.push_str(&random.of(SOUND).replace('#', &id.to_string()));
        }
        // A document that is broken near its end is cut before that place.
        if random.below(2) == 0 {
            document.push_str("<p><t></p>");
            document.push_str(&"<p id='after'><t>z</t></p>".repeat(1000));
        }
        document.push_str("</r>");
        cuts += check(
            &lake,
            document.as_bytes(),
            &Options::new("p"),
            &equal(document.as_bytes(), 5),
        )
        .await;
    }
    assert_eq!(cuts, 12 * 4);
}

#[tokio::test]
async fn cuts_that_are_used() {
    let row = "<p id='1'><t>a</t></p>";
    let rows = row.repeat(100);
    let comment = format!("<!-- {} -->", row.repeat(100));
    let cases = [
        ("siblings", format!("<r>{rows}</r>"), 3),
        ("deeper siblings", format!("<r><s><u>{rows}</u></s></r>"), 3),
        (
            "a comment that begins in the first part",
            format!("<r>{rows}{comment}{rows}</r>"),
            3,
        ),
        (
            "a comment up to the end",
            format!("<r>{row}{comment}</r>"),
            0,
        ),
        (
            "a document that ends in a comment",
            format!("<r>{row}<!-- {rows}"),
            0,
        ),
        (
            "a CDATA section",
            format!("<r>{row}<p><t><![CDATA[{rows}]]></t></p></r>"),
            0,
        ),
        ("rows in a row", format!("<r>{row}<p>{rows}</p></r>"), 0),
        (
            "rows with a broken tag before them",
            format!("<r>{row}<p id=1/>{rows}</r>"),
            0,
        ),
        (
            "rows after an end tag that does not match",
            format!("<r>{row}</s>{rows}</r>"),
            0,
        ),
        (
            "rows below another element",
            format!("<r><a>{row}</a><b>{rows}</b></r>"),
            0,
        ),
        (
            "text between rows",
            format!("<r>{}</r>", format!("{row}text").repeat(100)),
            0,
        ),
        ("rows without an element around them", rows.clone(), 0),
        (
            "names of other characters",
            format!("<r>{row}<\u{e9}/>{rows}</r>"),
            0,
        ),
        (
            "entities",
            format!("<!DOCTYPE r [<!ENTITY e 'x'>]><r>{rows}</r>"),
            0,
        ),
        (
            "ISO-8859-1",
            format!("<?xml version='1.0' encoding='ISO-8859-1'?><r>{rows}</r>"),
            0,
        ),
    ];
    let lake = Lake::new(&[]);
    for (name, document, cuts) in cases {
        assert_eq!(
            check(
                &lake,
                document.as_bytes(),
                &Options::new("p"),
                &equal(document.as_bytes(), 4)
            )
            .await,
            cuts,
            "{name}"
        );
    }
    let document = format!("<r>{rows}</r>");
    for options in [
        Options::selector("p"),
        Options::selector("r > p"),
        Options::selector("p:nth-child(5n)"),
        Options::new("p").mode(Mode::FailFast),
    ] {
        assert_eq!(
            check(
                &lake,
                document.as_bytes(),
                &options,
                &equal(document.as_bytes(), 4)
            )
            .await,
            0
        );
    }
}

/// The optimizer of DataFusion cuts large files. Small queries read little.
#[tokio::test]
async fn large_files() {
    let rows: String = (0..400_000)
        .map(|id| format!("<p id='{id}'><t>t{}</t></p>", id % 7))
        .collect();
    let comment = format!("<!-- {} -->", "<p id='bad'><t>bad</t></p>".repeat(1000));
    let (one, other) = rows.split_at(rows.len() / 2);
    let (more, other) = other.split_at(other.find("<p ").unwrap());
    let lake = Lake::new(&[("rows.xml", &format!("<r>{one}{more}{comment}{other}</r>"))]);
    for (name, split) in [("auto", "auto"), ("never", "false")] {
        lake.create(&format!(
            "CREATE EXTERNAL TABLE {name} (_id BIGINT, t VARCHAR) STORED AS XML LOCATION '@/rows.xml'
             OPTIONS ('xml.row_tag' 'p', 'xml.split' '{split}')"
        ))
        .await;
    }
    let plan = lake
        .rows("EXPLAIN SELECT sum(_id) FROM auto")
        .await
        .join("\n");
    assert!(plan.contains("file_groups={3 groups"), "{plan}");
    let plan = lake
        .rows("EXPLAIN SELECT sum(_id) FROM never")
        .await
        .join("\n");
    assert!(plan.contains("file_groups={1 group"), "{plan}");
    assert_eq!(lake.metric("SELECT sum(_id) FROM auto", "cuts").await, 2);
    for sql in [
        "SELECT count(*), sum(_id), min(t), max(t) FROM auto",
        "SELECT t, count(*), max(_id) FROM auto GROUP BY t ORDER BY t",
        "SELECT count(*) FROM auto WHERE _id IS NULL OR t = 'bad'",
        "SELECT a.t FROM auto a JOIN auto b ON a._id + 399990 = b._id ORDER BY 1",
    ] {
        assert_eq!(
            lake.rows(sql).await,
            lake.rows(&sql.replace("auto", "never")).await,
            "{sql}"
        );
    }
    for limit in [1, 3, 10_000] {
        let sql = format!("SELECT * FROM auto WHERE t = 'bad' OR _id >= 0 LIMIT {limit}");
        let found = lake.rows(&sql).await;
        assert_eq!(found.len(), limit);
        assert!(found.iter().all(|row| {
            let (id, text) = row.split_once('|').unwrap();
            id.parse::<u32>()
                .is_ok_and(|id| text == format!("t{}", id % 7))
        }));
    }
    let bytes = lake
        .metric("SELECT * FROM auto LIMIT 10", "bytes_decoded")
        .await;
    assert!(bytes <= 3 * (256 << 10), "{bytes}");
}
