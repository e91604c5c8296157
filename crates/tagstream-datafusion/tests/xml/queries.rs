//! SQL over dumps. Results are compared with those of a plain loop over the events of the same documents.

use crate::common::{Lake, Random};
use async_trait::async_trait;
use bytes::Bytes;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::prelude::SessionConfig;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{
    CopyOptions, GetOptions, GetResult, GetResultPayload, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tagstream::{Event, Events, Xml};

const COUNTRIES: [&str; 5] = ["Chile", "Ghana", "Japan", "Norway", "Peru"];
const USERS: usize = 40;

/// Returns a dump with pages as those of Wikipedia. Some pages lack elements, and some texts look like pages.
fn dump(random: &mut Random, first: usize, pages: usize) -> String {
    let mut dump =
        String::from("<?xml version='1.0'?>\n<mediawiki>\n<siteinfo><id>1</id></siteinfo>\n");
    for id in first..first + pages {
        dump.push_str("<page>");
        if random.below(10) > 0 {
            let word = random.of(&["Earth", "R&amp;D", "東京", "<![CDATA[A<B]]>"]);
            dump.push_str(&format!(
                "<title>{word} {}</title>",
                random.below(pages * 2)
            ));
        }
        if random.below(20) > 0 {
            dump.push_str(&format!("<ns>{}</ns>", random.below(6)));
        }
        dump.push_str(&format!("\n  <id>{id}</id>"));
        if random.below(12) > 0 {
            dump.push_str(&format!("<revision><id>{}</id>", random.below(1_000_000)));
            if random.below(8) > 0 {
                // Some users are not in the table of users.
                let user = random.below(USERS + 5);
                dump.push_str(&format!(
                    "<contributor><username>User {user}</username></contributor>"
                ));
            }
            let text = random.of(&[
                "a",
                "<page> is an &lt;element&gt;",
                "<!-- <page><id>-1</id></page> -->x",
                "<![CDATA[<page><id>-1</id></page>]]>",
                "",
            ]);
            let text = text.replace("<page> is", "&lt;page> is");
            let bytes = random.below(5000);
            dump.push_str(&format!(
                "<text bytes='{bytes}'>{}</text></revision>",
                text.repeat(random.below(4))
            ));
        }
        dump.push_str("</page>\n");
    }
    dump.push_str("</mediawiki>");
    dump
}

fn users(random: &mut Random) -> String {
    let users = (0..USERS).map(|id| {
        let country = random.of(&COUNTRIES);
        format!("<user name='User {id}'><country>{country}</country></user>\n")
    });
    format!("<users>{}</users>", users.collect::<String>())
}

/// A page, as the loop reads it.
#[derive(Clone, Debug, Default)]
struct Page {
    title: Option<String>,
    ns: Option<i64>,
    id: i64,
    user: Option<String>,
    bytes: Option<i64>,
    text: Option<String>,
}

fn pages_of(dump: &str) -> Vec<Page> {
    let mut events = Events::of(Xml::default(), dump);
    let mut pages: Vec<Page> = Vec::new();
    let mut is_in_revision = false;
    while let Some(event) = events.next_event().unwrap() {
        let name = match event {
            Event::Start(tag) => {
                if tag.name() == "text" {
                    let bytes = tag.attribute("bytes").unwrap().parse();
                    pages.last_mut().unwrap().bytes = Some(bytes.unwrap());
                }
                tag.name().to_owned()
            }
            Event::End(tag) => {
                is_in_revision &= tag.name() != "revision";
                continue;
            }
            _ => continue,
        };
        match (&*name, pages.last_mut()) {
            ("page", _) => pages.push(Page::default()),
            ("revision", _) => is_in_revision = true,
            (_, None) => {}
            ("title", Some(page)) => page.title = Some(events.read_text().unwrap().to_string()),
            ("ns", Some(page)) => page.ns = events.read_text().unwrap().parse().ok(),
            ("id", Some(page)) if !is_in_revision => {
                page.id = events.read_text().unwrap().parse().unwrap();
            }
            ("username", Some(page)) => page.user = Some(events.read_text().unwrap().to_string()),
            ("text", Some(page)) => page.text = Some(events.read_text().unwrap().to_string()),
            _ => {}
        }
    }
    pages
}

/// Returns the country of each user.
fn countries_of(users: &str) -> BTreeMap<String, String> {
    let mut events = Events::of(Xml::default(), users);
    let mut countries = BTreeMap::new();
    let mut user = String::new();
    while let Some(event) = events.next_event().unwrap() {
        match event {
            Event::Start(tag) if tag.name() == "user" => {
                user = tag.attribute("name").unwrap().to_owned();
            }
            Event::Start(tag) if tag.name() == "country" => {
                let country = events.read_text().unwrap().to_string();
                countries.insert(std::mem::take(&mut user), country);
            }
            _ => {}
        }
    }
    countries
}

fn shown(value: Option<impl fmt::Display>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

const BY_NAMESPACE: &str = "SELECT ns, count(*), sum(id), count(title), max(get_field(get_field(revision, 'text'), '_bytes')) FROM pages GROUP BY ns ORDER BY ns";

fn by_namespace(pages: &[Page]) -> Vec<String> {
    let mut groups: BTreeMap<Option<i64>, Vec<&Page>> = BTreeMap::new();
    for page in pages {
        groups.entry(page.ns).or_default().push(page);
    }
    // SQL orders null after all values.
    let null = groups.remove_entry(&None);
    let lines = groups.into_iter().chain(null).map(|(ns, pages)| {
        format!(
            "{}|{}|{}|{}|{}",
            shown(ns),
            pages.len(),
            pages.iter().map(|page| page.id).sum::<i64>(),
            pages.iter().filter(|page| page.title.is_some()).count(),
            shown(pages.iter().filter_map(|page| page.bytes).max()),
        )
    });
    lines.collect()
}

const BY_COUNTRY: &str =
    "SELECT u.country, count(*), count(DISTINCT p.title), sum(get_field(get_field(p.revision, 'text'), '_bytes'))
    FROM pages p JOIN users u ON get_field(get_field(p.revision, 'contributor'), 'username') = u._name
    GROUP BY u.country ORDER BY u.country";

fn by_country(pages: &[Page], countries: &BTreeMap<String, String>) -> Vec<String> {
    let mut groups: BTreeMap<&str, Vec<&Page>> = BTreeMap::new();
    for page in pages {
        if let Some(country) = page.user.as_ref().and_then(|user| countries.get(user)) {
            groups.entry(country).or_default().push(page);
        }
    }
    let lines = groups.into_iter().map(|(country, pages)| {
        let titles: BTreeSet<_> = pages
            .iter()
            .filter_map(|page| page.title.as_ref())
            .collect();
        let bytes: Vec<_> = pages.iter().filter_map(|page| page.bytes).collect();
        let sum = (!bytes.is_empty()).then(|| bytes.iter().sum::<i64>());
        format!("{country}|{}|{}|{}", pages.len(), titles.len(), shown(sum))
    });
    lines.collect()
}

const WITHOUT_PAGES: &str = "SELECT u._name FROM users u LEFT JOIN pages p
    ON get_field(get_field(p.revision, 'contributor'), 'username') = u._name AND p.ns = 0 WHERE p.id IS NULL ORDER BY 1";

fn without_pages(pages: &[Page], countries: &BTreeMap<String, String>) -> Vec<String> {
    let authors: BTreeSet<_> = pages
        .iter()
        .filter(|page| page.ns == Some(0))
        .filter_map(|page| page.user.as_ref())
        .collect();
    let users = countries.keys().filter(|user| !authors.contains(user));
    users.cloned().collect()
}

const SAME_TITLES: &str = "SELECT title, count(*) AS n, min(id) FROM pages WHERE title IS NOT NULL
    GROUP BY title HAVING count(*) > 1 ORDER BY n DESC, title LIMIT 10";

fn same_titles(pages: &[Page]) -> Vec<String> {
    let mut groups: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for page in pages {
        if let Some(title) = &page.title {
            groups.entry(title).or_default().push(page.id);
        }
    }
    let mut groups: Vec<_> = groups
        .into_iter()
        .filter(|(_, ids)| ids.len() > 1)
        .collect();
    groups.sort_by_key(|(title, ids)| (std::cmp::Reverse(ids.len()), *title));
    let lines = groups.iter().take(10).map(|(title, ids)| {
        let first = ids.iter().min().unwrap();
        format!("{title}|{}|{first}", ids.len())
    });
    lines.collect()
}

const TEXTS: &str = "SELECT a.id, b.id FROM pages a JOIN pages b ON a.id + 1 = b.id
    WHERE get_field(get_field(a.revision, 'text'), '_VALUE') = get_field(get_field(b.revision, 'text'), '_VALUE') AND get_field(get_field(a.revision, 'text'), '_VALUE') LIKE '%<page>%'
    ORDER BY a.id";

fn texts(pages: &[Page]) -> Vec<String> {
    let by_id: BTreeMap<i64, &Page> = pages.iter().map(|page| (page.id, page)).collect();
    let lines = by_id.values().filter_map(|page| {
        let next = by_id.get(&(page.id + 1))?;
        let text = page.text.as_ref()?;
        (page.text == next.text && text.contains("<page>"))
            .then(|| format!("{}|{}", page.id, next.id))
    });
    lines.collect()
}

/// Each query over random dumps, with and without cuts.
#[tokio::test]
async fn results_of_a_loop() {
    let (mut rows, mut cuts) = (0, 0);
    for seed in 0..8 {
        let mut random = Random(seed);
        let files = 1 + random.below(4);
        // All files are cut, however short they are.
        let config = SessionConfig::new()
            .with_target_partitions(1 + random.below(6))
            .with_repartition_file_min_size(1);
        let users = users(&mut random);
        let lake = Lake::with_config(&[("users.xml", &users)], config);
        let mut pages = Vec::new();
        for file in 0..files {
            let dump = dump(&mut random, file * 1000, 400);
            lake.write(&format!("dumps/{file}.xml"), dump.as_bytes());
            pages.extend(pages_of(&dump));
        }
        let countries = countries_of(&users);
        assert_eq!((pages.len(), countries.len()), (files * 400, USERS));
        for (name, location, row) in [("pages", "dumps/", "page"), ("users", "users.xml", "user")] {
            lake.create(&format!(
                "CREATE EXTERNAL TABLE {name} STORED AS XML LOCATION '@/{location}' OPTIONS ('xml.row_tag' '{row}')"
            ))
            .await;
        }
        cuts += lake.metric("SELECT sum(id) FROM pages", "cuts").await;
        for (sql, expected) in [
            (BY_NAMESPACE, by_namespace(&pages)),
            (BY_COUNTRY, by_country(&pages, &countries)),
            (WITHOUT_PAGES, without_pages(&pages, &countries)),
            (SAME_TITLES, same_titles(&pages)),
            (TEXTS, texts(&pages)),
        ] {
            assert_eq!(lake.rows(sql).await, expected, "seed {seed}: {sql}");
            rows += expected.len();
        }
    }
    assert!(rows > 200 && cuts > 8, "{rows} rows, {cuts} cuts");
}

/// A plan shows the columns that are read, and the files and ranges of each partition.
#[tokio::test]
async fn plans_that_are_shown() {
    let mut random = Random(1);
    let config = SessionConfig::new()
        .with_target_partitions(4)
        .with_repartition_file_min_size(1);
    let lake = Lake::with_config(&[], config);
    for file in 0..2 {
        let dump = dump(&mut random, file * 1000, 300);
        lake.write(&format!("dumps/{file}.xml"), dump.as_bytes());
    }
    for (name, split) in [("pages", "auto"), ("whole", "false")] {
        lake.create(&format!(
            "CREATE EXTERNAL TABLE {name} STORED AS XML LOCATION '@/dumps/'
             OPTIONS ('xml.row_tag' 'page', 'xml.split' '{split}')"
        ))
        .await;
    }
    let sql = "EXPLAIN SELECT ns, count(*) FROM pages WHERE id > 5 GROUP BY ns";
    let scan = |plan: Vec<String>| -> String {
        let plan = plan.join("\n");
        let scans = plan.lines().filter(|line| line.contains("DataSourceExec"));
        scans.collect()
    };
    let plan = scan(lake.rows(sql).await);
    for part in [
        "file_groups={4 groups",
        "projection=[id, ns]",
        "file_type=xml",
        "row_tag=page",
        "dumps/0.xml:0..",
    ] {
        assert!(plan.contains(part), "{part}: {plan}");
    }
    let plan = scan(lake.rows(&sql.replace("pages", "whole")).await);
    assert!(plan.contains("file_groups={2 groups"), "{plan}");
    let plan = scan(lake.rows("EXPLAIN SELECT title FROM pages LIMIT 10").await);
    assert!(
        plan.contains("projection=[title]") && plan.contains("limit=10"),
        "{plan}"
    );
}

/// An object store that counts the bytes that are read from it.
#[derive(Debug)]
struct Counting {
    files: LocalFileSystem,
    bytes: Arc<AtomicU64>,
}

impl fmt::Display for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "counted {}", self.files)
    }
}

#[async_trait]
impl ObjectStore for Counting {
    async fn put_opts(
        &self,
        at: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        self.files.put_opts(at, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        at: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.files.put_multipart_opts(at, options).await
    }

    /// Returns the bytes as a stream, as a store that is not local does.
    async fn get_opts(&self, at: &Path, options: GetOptions) -> Result<GetResult> {
        let result = self.files.get_opts(at, options).await?;
        let (meta, range, attributes) = (
            result.meta.clone(),
            result.range.clone(),
            result.attributes.clone(),
        );
        let count = Arc::clone(&self.bytes);
        let chunks = result.into_stream().inspect_ok(move |chunk: &Bytes| {
            count.fetch_add(chunk.len() as u64, Ordering::Relaxed);
        });
        Ok(GetResult {
            payload: GetResultPayload::Stream(chunks.boxed()),
            meta,
            range,
            attributes,
        })
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.files.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.files.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.files.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.files.copy_opts(from, to, options).await
    }
}

/// A query that needs few rows reads few bytes of each partition, also from an object store.
#[tokio::test]
async fn limits_read_little() {
    const PARTITIONS: u64 = 3;
    const CHUNK_BYTES: u64 = 256 << 10;
    // With a filter, DataFusion reads batches of 8,192 rows.
    const BATCH_BYTES: u64 = 8192 * 250;
    let lake = Lake::new(&[]);
    let mut random = Random(5);
    let mut size = 0;
    for file in 0..6 {
        let dump = dump(&mut random, file * 100_000, 20_000);
        size += dump.len() as u64;
        lake.write(&format!("dumps/{file}.xml"), dump.as_bytes());
    }
    let bytes = Arc::new(AtomicU64::new(0));
    let files = LocalFileSystem::new_with_prefix(lake.folder.path()).unwrap();
    let store = Counting {
        files,
        bytes: Arc::clone(&bytes),
    };
    let url = ObjectStoreUrl::parse("counted://dumps").unwrap();
    lake.context
        .register_object_store(url.as_ref(), Arc::new(store));
    lake.create(
        "CREATE EXTERNAL TABLE pages (id BIGINT, title VARCHAR, ns INT) STORED AS XML LOCATION 'counted://dumps/dumps/'
         OPTIONS ('xml.row_tag' 'page')",
    )
    .await;
    assert_eq!(bytes.swap(0, Ordering::Relaxed), 0);
    assert_eq!(lake.rows("SELECT count(*) FROM pages").await, ["120000"]);
    // The first bytes of a file are read by each partition that the optimizer gives a part of the file.
    let read = bytes.swap(0, Ordering::Relaxed);
    assert!(read >= size && read < size + size / 100, "{read} of {size}");
    for (sql, count, limit) in [
        ("SELECT * FROM pages LIMIT 10", 10, CHUNK_BYTES),
        ("SELECT id + 1 FROM pages LIMIT 10", 10, CHUNK_BYTES),
        ("SELECT 1 FROM pages LIMIT 1", 1, CHUNK_BYTES),
        (
            "SELECT id FROM pages WHERE ns = 3 LIMIT 10",
            10,
            BATCH_BYTES,
        ),
    ] {
        assert_eq!(lake.rows(sql).await.len(), count, "{sql}");
        let read = bytes.swap(0, Ordering::Relaxed);
        assert!(
            read > 0 && read <= PARTITIONS * limit,
            "{sql}: {read} of {size}"
        );
    }
}
