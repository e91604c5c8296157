//! Tables of small documents.

use crate::common::Lake;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::prelude::{SessionConfig, SessionContext, col};
use object_store::{ObjectStoreExt, memory::InMemory};
use std::io::Write;
use std::sync::Arc;
use tagstream_arrow::{Mode, Options};
use tagstream_datafusion::{XmlOptions, XmlReadOptions, XmlSessionExt};

const PAGES: &str = "<wiki>
  <page id='1'><title>Earth</title><n>3</n><at>2026-01-02</at></page>
  <page id='2'><title>Moon</title><n>4</n><tag>a</tag><tag>b</tag></page>
  <page id='3'><title>Sun &amp; stars</title><n>5</n><by name='Ann'>x</by></page>
</wiki>";

const MORE: &str = "<wiki><page id='4'><title>Mars</title><n>6.5</n></page></wiki>";

const CREATE: &str = "CREATE EXTERNAL TABLE pages STORED AS XML LOCATION";

fn gzip(content: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(content: &str) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(content.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(content: &str) -> Vec<u8> {
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    ruzstd::encoding::compress_to_vec(content.as_bytes(), level)
}

#[tokio::test]
async fn inferred_schema() {
    let lake = Lake::new(&[("pages.xml", PAGES)]);
    lake.create(&format!(
        "{CREATE} '@/pages.xml' OPTIONS ('xml.row_tag' 'page')"
    ))
    .await;
    let cases = [
        (
            "SELECT column_name, data_type FROM (DESCRIBE pages)",
            &[
                "_id|Int64",
                "at|Date32",
                "by|Struct(\"_VALUE\": Utf8, \"_name\": Utf8)",
                "n|Int64",
                "tag|List(Utf8)",
                "title|Utf8",
            ][..],
        ),
        (
            "SELECT count(*), sum(n), max(title) FROM pages",
            &["3|12|Sun & stars"],
        ),
        ("SELECT * FROM pages WHERE _id = 2", &["2|||4|[a, b]|Moon"]),
        (
            "SELECT by FROM pages WHERE by IS NOT NULL",
            &["{_VALUE: x, _name: Ann}"],
        ),
        (
            "SELECT at + INTERVAL '1 day' FROM pages WHERE at IS NOT NULL",
            &["2026-01-03"],
        ),
        (
            "SELECT _id * 10 + n AS v FROM pages ORDER BY v DESC LIMIT 2",
            &["35", "24"],
        ),
        (
            "SELECT a.title, b.title FROM pages a JOIN pages b ON a.n + 1 = b.n ORDER BY 1",
            &["Earth|Moon", "Moon|Sun & stars"],
        ),
    ];
    for (sql, expected) in cases {
        if sql.contains("DESCRIBE") {
            let described = lake.rows("DESCRIBE pages").await;
            let described: Vec<_> = described
                .iter()
                .map(|row| row.rsplit_once('|').unwrap().0)
                .collect();
            assert_eq!(described[0], expected[0]);
            assert_eq!(described.len(), expected.len());
            continue;
        }
        assert_eq!(lake.rows(sql).await, expected, "{sql}");
    }
}

#[tokio::test]
async fn declared_types() {
    let xml = "<r><v b='true' i='7' d='1.50' f='0.5' u='200' t='2026-11-26T10:00:00' day='2026-11-26'>text</v><v/></r>";
    let lake = Lake::new(&[("v.xml", xml)]);
    let columns = "_b BOOLEAN, _i INT, _d DECIMAL(10, 2), _f DOUBLE, _u SMALLINT UNSIGNED, _t TIMESTAMP, _day DATE, \"_VALUE\" ";
    for text in ["VARCHAR", "TEXT", "STRING", "CHAR"] {
        lake.create(&format!(
            "CREATE OR REPLACE EXTERNAL TABLE v ({columns} {text}) STORED AS XML LOCATION '@/v.xml' OPTIONS ('xml.row_tag' 'v')"
        ))
        .await;
        assert_eq!(
            lake.rows("SELECT * FROM v").await,
            [
                "true|7|1.50|0.5|200|2026-11-26T10:00:00|2026-11-26|text",
                "|||||||"
            ],
            "{text}"
        );
    }
    for data_type in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View] {
        let schema = Schema::new(vec![Field::new("_VALUE", data_type.clone(), true)]);
        let frame = lake
            .context
            .read_xml(lake.path("v.xml"), XmlReadOptions::new("v").schema(schema))
            .await
            .unwrap();
        assert_eq!(frame.schema().field(0).data_type(), &data_type);
        let batches = frame.collect().await.unwrap();
        assert_eq!(batches[0].column(0).data_type(), &data_type);
        assert_eq!(batches[0].column(0).null_count(), 1);
    }
}

#[tokio::test]
async fn folders_and_patterns() {
    let lake = Lake::new(&[
        ("in/a.xml", PAGES),
        ("in/deep/b.xml", MORE),
        ("in/c.osm", "<wiki><page id='5'><n>0.5</n></page></wiki>"),
        ("in/empty.xml", ""),
    ]);
    let cases = [
        ("@/in/", "4|11"),
        ("@/in/deep/", "1|4"),
        ("@/in/a.xml", "3|6"),
        ("@/in/c.osm", "1|5"),
    ];
    for (location, expected) in cases {
        lake.create(&format!(
            "CREATE OR REPLACE EXTERNAL TABLE pages STORED AS XML LOCATION '{location}' OPTIONS ('row_tag' 'page')"
        ))
        .await;
        assert_eq!(
            lake.rows("SELECT count(*), sum(_id) FROM pages").await,
            [expected],
            "{location}"
        );
    }
    // Both files decide about the type of a column.
    lake.create("CREATE OR REPLACE EXTERNAL TABLE pages STORED AS XML LOCATION '@/in/' OPTIONS ('rowTag' 'page')")
        .await;
    assert_eq!(
        lake.rows("SELECT sum(n), arrow_typeof(sum(n)) FROM pages")
            .await,
        ["12.5|Float64"]
    );
}

#[tokio::test]
async fn compressed_and_plain_files() {
    let lake = Lake::new(&[("plain.xml", PAGES)]);
    let page = |id: u32| format!("<wiki><page id='{id}'><n>{id}</n></page></wiki>");
    // The names say nothing about the compression.
    lake.write("a.xml", &gzip(&page(10)));
    lake.write("b.xml.gz", &page(20).into_bytes());
    lake.write("c", &zstd(&page(30)));
    lake.write("d.bz2", &bzip2(&page(40)));
    // Two members, between which a tag is cut.
    let two = page(50);
    let (one, other) = two.split_at(9);
    lake.write("e.gz", &[gzip(one), gzip(other)].concat());
    lake.write("f.zst", &[zstd(one), zstd(other)].concat());
    lake.write("g.bz2", &[bzip2(one), bzip2(other)].concat());
    lake.create(&format!("{CREATE} '@/' OPTIONS ('xml.row_tag' 'page')"))
        .await;
    assert_eq!(
        lake.rows("SELECT count(*), sum(_id), sum(n) FROM pages")
            .await,
        ["10|256|262"]
    );

    let mut cut = gzip(&PAGES.repeat(50));
    cut.truncate(cut.len() / 2);
    let cases: [(&str, &[u8], &str); 3] = [
        ("cut.gz", &cut, "its gzip data ends too early"),
        (
            "bad.bz2",
            b"BZh91AY&SY\0\0\0\0\0\0\0\0\0\0",
            "its bzip2 data cannot be unpacked",
        ),
        (
            "page.xml.xz",
            b"\xFD7zXZ\0\0\0\0\0\0\0",
            "compressed with xz cannot be read",
        ),
    ];
    for (name, content, expected) in cases {
        let lake = Lake::new(&[]);
        lake.write(name, content);
        let created = lake
            .run(&format!("CREATE EXTERNAL TABLE pages (n BIGINT) STORED AS XML LOCATION '@/{name}' OPTIONS ('xml.row_tag' 'page')"))
            .await;
        assert!(created.is_ok());
        let error = lake.error("SELECT * FROM pages").await;
        assert!(error.contains(expected) && error.contains(name), "{error}");
    }
}

#[tokio::test]
async fn partition_columns() {
    let lake = Lake::new(&[
        ("in/year=2025/month=1/a.xml", PAGES),
        ("in/year=2026/month=1/a.xml", MORE),
        ("in/year=2026/month=2/a.xml", MORE),
    ]);
    lake.create(&format!(
        "{CREATE} '@/in/' PARTITIONED BY (year, month) OPTIONS ('xml.row_tag' 'page')"
    ))
    .await;
    lake.create(
        "CREATE EXTERNAL TABLE declared (_id INT, year INT, month VARCHAR) STORED AS XML LOCATION '@/in/'
         PARTITIONED BY (year, month) OPTIONS ('xml.row_tag' 'page')",
    )
    .await;
    let cases = [
        (
            "SELECT year, count(*) FROM pages GROUP BY year ORDER BY year",
            &["2025|3", "2026|2"][..],
        ),
        (
            "SELECT month, title, year FROM pages WHERE year = '2026' AND month = '2'",
            &["2|Mars|2026"],
        ),
        ("SELECT count(*) FROM declared WHERE year > 2025", &["2"]),
        (
            "SELECT month || _id || year FROM declared WHERE year = 2026 ORDER BY 1",
            &["142026", "242026"],
        ),
        (
            "SELECT DISTINCT year FROM declared ORDER BY year",
            &["2025", "2026"],
        ),
    ];
    for (sql, expected) in cases {
        assert_eq!(lake.rows(sql).await, expected, "{sql}");
    }
    let plan = lake
        .rows("EXPLAIN SELECT title FROM pages WHERE year = '2026'")
        .await
        .join("\n");
    assert!(!plan.contains("year=2025"), "{plan}");
}

#[tokio::test]
async fn options() {
    let xml = "<r><p i='1'><a>-</a><b> x </b></p><p i='2'><a>1</a></p><q><p i='3'/></q></r>";
    let lake = Lake::new(&[("p.xml", xml)]);
    let cases = [
        (
            "'xml.row_tag' 'p'",
            "SELECT count(*), max(_i) FROM t",
            "3|3",
        ),
        (
            "'xml.rowTag' 'p', 'xml.nullValue' '-'",
            "SELECT sum(a) FROM t",
            "1",
        ),
        (
            "'format.row_tag' 'p', 'attribute_prefix' 'at_'",
            "SELECT sum(at_i) FROM t",
            "6",
        ),
        ("'xml.selector' 'r > p'", "SELECT count(*) FROM t", "2"),
        (
            "'xml.row_tag' 'p', 'xml.ignore_surrounding_spaces' 'false'",
            "SELECT max(b) FROM t",
            " x ",
        ),
        (
            "'xml.row_tag' 'p', 'xml.infer_bytes' '25'",
            "SELECT count(*) FROM t",
            "",
        ),
        (
            "'xml.row_tag' 'p', 'xml.infer_bytes' '50', 'xml.split' 'false'",
            "SELECT a FROM t LIMIT 1",
            "-",
        ),
        (
            "'xml.row_tag' 'p', 'xml.column_pruning' 'false'",
            "SELECT count(a) FROM t",
            "2",
        ),
    ];
    for (options, sql, expected) in cases {
        let create = format!(
            "CREATE OR REPLACE EXTERNAL TABLE t STORED AS XML LOCATION '@/p.xml' OPTIONS ({options})"
        );
        if expected.is_empty() {
            assert!(lake.error(&create).await.contains("no element `p`"));
            continue;
        }
        lake.create(&create).await;
        assert_eq!(lake.rows(sql).await, [expected], "{options}");
    }
    let refused = [
        (
            "'xml.row_tag' 'p', 'xml.row_tags' 'p'",
            "there is no option `row_tags`",
        ),
        (
            "'xml.row_tag' 'p', 'json.compression' 'gzip'",
            "there is no option `json.compression`",
        ),
        (
            "'xml.row_tag' 'p', 'compression' 'gzip'",
            "there is no option `compression`",
        ),
        (
            "'xml.row_tag' '<p>'",
            "the option `row_tag` cannot be `<p>`",
        ),
        (
            "'xml.row_tag' 'p', 'xml.mode' 'lax'",
            "expected `PERMISSIVE`, `DROPMALFORMED` or `FAILFAST`",
        ),
        (
            "'xml.row_tag' 'p', 'xml.split' 'maybe'",
            "the option `xml.split` cannot be `maybe`",
        ),
        (
            "'xml.row_tag' 'p', 'xml.infer_bytes' '0'",
            "expected a number of bytes above 0",
        ),
        ("'xml.selector' 'p:first-child:has('", "selector"),
        (
            "'xml.row_tag' 'p', 'xml.selector' 'p'",
            "both say which elements are rows",
        ),
        (
            "'xml.row_tag' 'p', 'xml.timezone' '+02:00:01'",
            "the option `timezone` cannot be `+02:00:01`",
        ),
        (
            "'xml.mode' 'PERMISSIVE'",
            "needs the name of the elements that are rows",
        ),
        ("'xml.row_tag' 'page'", "no element `page`"),
    ];
    for (options, expected) in refused {
        let error = lake
            .error(&format!(
                "CREATE EXTERNAL TABLE refused STORED AS XML LOCATION '@/p.xml' OPTIONS ({options})"
            ))
            .await;
        assert!(error.contains(expected), "{options}: {error}");
    }
    let error = lake
        .error("CREATE EXTERNAL TABLE refused STORED AS XML LOCATION '@/none/' OPTIONS ('xml.row_tag' 'p')")
        .await;
    assert!(error.contains("there are no files"), "{error}");
}

#[tokio::test]
async fn malformed_rows() {
    let xml = "<r>\n<p><n>1</n><t>a</t></p>\n<p><n>two</n><t>b</t></p>\n<p><n>3</n><t>c</p>\n<p><n>4</n><t>d</t></p>\n</r>";
    let lake = Lake::new(&[("in/p.xml", xml)]);
    let create = |mode: &str, columns: &str| {
        format!(
            "CREATE OR REPLACE EXTERNAL TABLE t ({columns}) STORED AS XML LOCATION '@/in/' OPTIONS ('row_tag' 'p', 'mode' '{mode}')"
        )
    };
    lake.create(&create("permissive", "n INT, t VARCHAR")).await;
    assert_eq!(
        lake.rows("SELECT n, t FROM t").await,
        ["1|a", "|", "|", "4|d"]
    );
    assert_eq!(lake.rows("SELECT t FROM t").await, ["a", "b", "", "d"]);
    assert_eq!(lake.metric("SELECT n FROM t", "malformed_rows").await, 2);

    lake.create(&create(
        "permissive",
        "n INT, t VARCHAR, _corrupt_record VARCHAR",
    ))
    .await;
    let corrupt = ["", "<p><n>two</n><t>b</t></p>", "<p><n>3</n><t>c</p>", ""];
    assert_eq!(lake.rows("SELECT _corrupt_record FROM t").await, corrupt);

    // Each column decides whether there is a row, even if the query does not need it.
    lake.create(&create("dropmalformed", "n INT, t VARCHAR"))
        .await;
    assert_eq!(lake.rows("SELECT n, t FROM t").await, ["1|a", "4|d"]);
    assert_eq!(lake.rows("SELECT t FROM t").await, ["a", "d"]);
    assert_eq!(lake.rows("SELECT count(*) FROM t").await, ["2"]);

    lake.create(&create("failfast", "n INT, t VARCHAR")).await;
    for sql in [
        "SELECT * FROM t",
        "SELECT t FROM t",
        "SELECT count(*) FROM t",
    ] {
        let error = lake.error(sql).await;
        assert!(
            error.contains("in/p.xml:3:") && error.contains("column `n`"),
            "{error}"
        );
        assert!(
            error.contains("\"two\" is not a value of the type Int32"),
            "{error}"
        );
    }
    assert_eq!(lake.rows("SELECT t FROM t LIMIT 1").await, ["a"]);

    // A document that is too deep for the parser.
    let deep = format!("<r><p>{}", "<d>".repeat(20_000));
    let lake = Lake::new(&[("in/deep.xml", &deep)]);
    lake.create(&create("permissive", "n INT, t VARCHAR")).await;
    let error = lake.error("SELECT * FROM t").await;
    assert!(
        error.contains("in/deep.xml") && error.contains("nested too deeply"),
        "{error}"
    );
}

#[tokio::test]
async fn plans() {
    let many: String = (0..200_000)
        .map(|id| format!("<page id='{id}'><title>t{id}</title><n>1</n></page>"))
        .collect();
    let lake = Lake::new(&[
        ("in/a.xml", PAGES),
        ("in/b.xml", MORE),
        ("many.xml", &format!("<wiki>{many}</wiki>")),
    ]);
    lake.create(&format!("{CREATE} '@/in/' OPTIONS ('xml.row_tag' 'page')"))
        .await;
    let plan = lake
        .rows("EXPLAIN SELECT title FROM pages WHERE n > 3")
        .await
        .join("\n");
    for expected in [
        "file_groups={2 groups:",
        "a.xml",
        "b.xml",
        "projection=[n, title]",
        "file_type=xml, row_tag=page",
    ] {
        assert!(plan.contains(expected), "{expected}: {plan}");
    }
    lake.create("CREATE EXTERNAL TABLE many STORED AS XML LOCATION '@/many.xml' OPTIONS ('xml.row_tag' 'page', 'xml.infer_bytes' '1000')")
        .await;
    let size = 200_000 * 40;
    assert!(lake.metric("SELECT * FROM many", "bytes_decoded").await > size);
    let few = lake
        .metric("SELECT * FROM many LIMIT 10", "bytes_decoded")
        .await;
    assert!(few <= 256 << 10, "{few}");
    assert_eq!(
        lake.rows("SELECT count(*), sum(_id), count(DISTINCT title), sum(n) FROM many")
            .await,
        ["200000|19999900000|200000|200000"]
    );
}

#[tokio::test]
async fn tables_without_sql() {
    let lake = Lake::new(&[("year=2026/a.xml", PAGES)]);
    // The session does not know the format.
    let context = SessionContext::new();
    let options = XmlOptions::new(Options::new("page").mode(Mode::FailFast));
    let options = XmlReadOptions::from(options).partitioned_by(&["year"]);
    let frame = context
        .read_xml(lake.path(""), options.clone())
        .await
        .unwrap();
    let frame = frame.filter(col("title").is_not_null()).unwrap();
    assert_eq!(frame.count().await.unwrap(), 3);
    context
        .register_xml("pages", lake.path(""), options)
        .await
        .unwrap();
    let batches = context
        .sql("SELECT year, title FROM pages LIMIT 1")
        .await
        .unwrap()
        .collect()
        .await
        .unwrap();
    assert_eq!(batches[0].num_rows(), 1);
    let error = context
        .read_xml(lake.path("none.xml"), XmlReadOptions::new("page"))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("no files"), "{error}");
}

/// The results do not depend on the sizes of batches or on the number of partitions.
#[tokio::test]
async fn sizes() {
    for (batch_size, partitions) in [(1, 1), (2, 4), (8192, 2)] {
        let config = SessionConfig::new()
            .with_batch_size(batch_size)
            .with_target_partitions(partitions);
        let lake = Lake::with_config(&[("in/a.xml", PAGES), ("in/b.xml", MORE)], config);
        lake.create(&format!("{CREATE} '@/in/' OPTIONS ('xml.row_tag' 'page')"))
            .await;
        assert_eq!(
            lake.rows("SELECT _id, title, n FROM pages ORDER BY _id")
                .await,
            [
                "1|Earth|3.0",
                "2|Moon|4.0",
                "3|Sun & stars|5.0",
                "4|Mars|6.5"
            ]
        );
    }
}

/// Files that are not local, and that come in chunks of a stream.
#[tokio::test]
async fn object_stores() {
    let store = Arc::new(InMemory::new());
    let rows: String = (0..300_000)
        .map(|id| format!("<p id='{id}'><t>t{}</t></p>", id % 7))
        .collect();
    let files = [
        ("in/year=1/a.xml", b"<r><p id='1'/></r>".to_vec()),
        ("in/year=1/b", gzip("<r><p id='2'><t>\u{e9}</t></p></r>")),
        ("in/year=2/c.xml", zstd("<r><p id='3'/></r>")),
        ("large.xml", format!("<r>{rows}</r>").into_bytes()),
    ];
    for (path, content) in files {
        store.put(&path.into(), content.into()).await.unwrap();
    }
    let lake = Lake::new(&[]);
    let url = ObjectStoreUrl::parse("memory://").unwrap();
    lake.context.register_object_store(url.as_ref(), store);
    lake.create(
        "CREATE EXTERNAL TABLE t STORED AS XML LOCATION 'memory:///in/' PARTITIONED BY (year) OPTIONS ('xml.row_tag' 'p')",
    )
    .await;
    assert_eq!(
        lake.rows("SELECT year, count(*), sum(_id), max(t) FROM t GROUP BY year ORDER BY year")
            .await,
        ["1|2|3|\u{e9}", "2|1|3|"]
    );
    lake.create(
        "CREATE EXTERNAL TABLE some STORED AS XML LOCATION 'memory:///in/*.xml' PARTITIONED BY (year) OPTIONS ('xml.row_tag' 'p')",
    )
    .await;
    assert_eq!(
        lake.rows("SELECT count(*), sum(_id) FROM some").await,
        ["2|4"]
    );
    lake.create("CREATE EXTERNAL TABLE large STORED AS XML LOCATION 'memory:///large.xml' OPTIONS ('xml.row_tag' 'p')")
        .await;
    let sql = "SELECT count(*), sum(_id), max(t) FROM large";
    assert_eq!(lake.rows(sql).await, ["300000|44999850000|t6"]);
    assert_eq!(lake.metric(sql, "cuts").await, 0);
}

/// Columns in all time zones that are accepted can be shown.
#[tokio::test]
async fn time_zones_are_shown() {
    let lake = Lake::new(&[("p.xml", "<r><p><t>2026-11-27T12:00:00Z</t></p></r>")]);
    for (zone, shown) in [
        ("-1", "2026-11-27T11:00:00-01:00"),
        ("+2:30", "2026-11-27T14:30:00+02:30"),
        ("GMT+0200", "2026-11-27T14:00:00+02:00"),
        ("UT", "2026-11-27T12:00:00Z"),
    ] {
        lake.create(&format!(
            "CREATE OR REPLACE EXTERNAL TABLE zoned STORED AS XML LOCATION '@/p.xml'
             OPTIONS ('xml.row_tag' 'p', 'xml.timezone' '{zone}')"
        ))
        .await;
        assert_eq!(lake.rows("SELECT t FROM zoned").await, [shown], "{zone}");
    }
}
