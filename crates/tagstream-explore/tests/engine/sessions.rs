//! Events, nodes and errors of a session.

use super::{UTF8, fed, list, parsed, session};
use serde_json::{Value, json};
use tagstream_explore::Session;

/// Options and documents that the tests feed in several ways.
const DOCUMENTS: &[(&str, &str)] = &[
    (
        r#"{"dialect":"html"}"#,
        "<!DOCTYPE html><p class=a id='b'>x<b>é&amp;😀</p><!--c--><table>y<td>z",
    ),
    (
        r#"{"dialect":"html"}"#,
        "<title>a&lt;</title><script>if (a<b) '</scr'</script><svg><![CDATA[x]]></svg><br/>",
    ),
    (
        r#"{"dialect":"html","balanced":true}"#,
        "<table><b>x<tr><td>y</b>z</table><p>a<p>b<select><option>c",
    ),
    (
        r#"{"dialect":"html","fragment":"tr"}"#,
        "<td>a<th>b</tr><tr>",
    ),
    (
        r#"{"dialect":"html","shadow":true}"#,
        "<div><template shadowrootmode=open>a<slot></slot></template>b</div>",
    ),
    (
        r#"{"dialect":"html","shadow":false}"#,
        "<div><template shadowrootmode=open>a<slot></slot></template>b</div>",
    ),
    (
        r#"{"dialect":"html","scripting":true}"#,
        "<noscript><b>a</b></noscript><frameset><frame></frameset>",
    ),
    (r#"{"dialect":"html","encoding":"shift_jis"}"#, "<p>a</p>"),
    (
        r#"{"dialect":"xml"}"#,
        "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a x='1'>&b;<![CDATA[d]]><!--e--><?f g?></a>",
    ),
    (r#"{"dialect":"xml"}"#, "<a><b x=1 x=2>c</a></d>&e;<f"),
    (r#"{"dialect":"xml","balanced":true}"#, "<a><b>c</a>"),
    (r#"{"dialect":"xml","strict":true}"#, "<a><b>c</a>"),
    (
        r#"{"dialect":"xml","content":true,"html_entities":true}"#,
        "a&nbsp;<b/>c",
    ),
    (r#"{"dialect":"xml","namespaces":false}"#, "<a:b c:d='e'/>"),
    (r#"{"dialect":"microxml"}"#, "<a b='c'>d<e>&amp;</a>"),
    (
        r#"{"dialect":"microxml","revision":"final"}"#,
        "<a>&#65;<![CDATA[b]]></a>",
    ),
    (r#"{"dialect":"microxml","strict":true}"#, "<a>b</c>"),
    (
        r#"{"dialect":"sky"}"#,
        "<import src='a'/><sky><b c=d>e</b><script>x<y</script></sky>",
    ),
    (
        r#"{"dialect":"sky","registered":"sky b"}"#,
        "SKY MODULE\n<sky><b>e</b><c/></sky>",
    ),
    (
        r#"{"dialect":"leafxml"}"#,
        "<!--a--><b c='d'>e&amp;f<![CDATA[g]]></b>",
    ),
    (
        r#"{"dialect":"leafxml","comments":false}"#,
        "<!--a--><b>A\u{30A}</b>",
    ),
    (r#"{"dialect":"leafxml"}"#, "<a><b></a>"),
];

/// Returns everything that a session says about its document.
fn everything(session: &mut Session) -> Value {
    let most = usize::MAX;
    let mut trace = parsed(&session.trace());
    // The rows that were applied since the last call differ.
    trace["rows"] = Value::Null;
    json!([
        parsed(&session.counts()),
        parsed(&session.events(0, most)),
        parsed(&session.errors(0, most)),
        parsed(&session.nodes(0, most)),
        trace,
        session.serialized().unwrap_or_else(|error| error),
        session.tree_dump(10_000),
        session.source_text(),
        parsed(&session.select("*")),
    ])
}

#[test]
fn the_result_does_not_depend_on_the_chunks() {
    for (options, document) in DOCUMENTS {
        let bytes = document.as_bytes();
        let whole = everything(&mut fed(options, bytes));
        let mut session = session(options);
        for byte in bytes {
            session.feed(&[*byte]);
        }
        session.finish();
        assert_eq!(everything(&mut session), whole, "{options} {document}");
    }
}

#[test]
fn random_documents_do_not_depend_on_the_chunks() {
    let pieces = "< > </ /> <!-- --> <![CDATA[ ]]> <!DOCTYPE <? ?> & ; &amp; &#65; = ' \" a b p table td tr b i a \
        select template svg math title script \n \t é 😀 x y <p> </p> <table> <td> <b> </b> <a> </a> <svg> <i> </i> \
        <br> <template> </template> <title> <script> </script>";
    let pieces: Vec<&str> = pieces.split(' ').chain([" "]).collect();
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut below = |limit: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as usize % limit
    };
    for case in 0..100 {
        let count = below(30);
        let document: String = (0..count).map(|_| pieces[below(pieces.len())]).collect();
        for dialect in ["html", "xml", "microxml", "sky", "leafxml"] {
            for balanced in [false, true] {
                let options =
                    json!({"dialect": dialect, "balanced": balanced, "encoding": "utf-8"})
                        .to_string();
                let whole = everything(&mut fed(&options, document.as_bytes()));
                let mut session = session(&options);
                let mut before = Vec::new();
                for byte in document.as_bytes() {
                    session.feed(&[*byte]);
                    // The events so far stay as they are.
                    let events = list(&session.events(0, usize::MAX));
                    assert!(
                        events.starts_with(&before),
                        "case {case}: {options} {document:?}"
                    );
                    before = events;
                }
                session.finish();
                assert_eq!(
                    everything(&mut session),
                    whole,
                    "case {case}: {options} {document:?}"
                );
            }
        }
    }
}

#[test]
fn events_of_well_formed_documents_cover_the_source() {
    let documents = [
        (
            "html",
            "<!DOCTYPE html><html><head><title>a</title></head><body><p x=1>b&amp;<br>c</p><!--d--></body></html>",
        ),
        (
            "xml",
            "<?xml version='1.0'?><!DOCTYPE a><a x='1'><b/>&lt;c<![CDATA[d]]><!--e--><?f g?></a>",
        ),
        ("microxml", "<a x='1'><b/>&lt;c</a>"),
        ("leafxml", "<a x='1'><b/>&lt;c<![CDATA[d]]></a>"),
        ("sky", "<sky><b c=d>e</b>f</sky>"),
    ];
    for (dialect, document) in documents {
        let session = fed(
            &json!({"dialect": dialect}).to_string(),
            document.as_bytes(),
        );
        let mut end = 0;
        for event in list(&session.events(0, usize::MAX)) {
            let range = [&event["range"][0], &event["range"][1]].map(|at| at.as_u64().unwrap());
            if range[0] < range[1] {
                assert_eq!(range[0], end, "{dialect} {event}");
                end = range[1];
            }
        }
        assert_eq!(end, document.len() as u64, "{dialect}");
        assert_eq!(parsed(&session.counts())["errors"], 0, "{dialect}");
    }
}

#[test]
fn each_byte_of_an_element_is_in_its_range() {
    let session = fed("{}", b"<!DOCTYPE html><p>a<b>c</b></p><ul><li>d<li>e</ul>");
    let rows = list(&session.nodes(0, usize::MAX));
    let named = |at: u32| {
        let row = &rows[session.node_at(at).unwrap()];
        row["name"]
            .as_str()
            .or(row["text"].as_str())
            .unwrap()
            .to_owned()
    };
    for (at, name) in [
        (2, "html"),
        (15, "p"),
        (18, "a"),
        (19, "b"),
        (22, "c"),
        (25, "b"),
        (30, "p"),
        (36, "li"),
        (40, "li"),
        (44, "e"),
        (49, "ul"),
    ] {
        assert_eq!(named(at), name, "{at}");
    }
    // While the input has not ended, open elements contain its end.
    let mut session = Session::new(UTF8).unwrap();
    session.feed(b"<p>a<i");
    let row = session.node_at(5).unwrap();
    assert_eq!(list(&session.nodes(row, 1))[0]["name"], "p");
}

#[test]
fn depths_are_those_of_the_tree() {
    let session = fed("{}", b"<p>a<p>b<br>c</p><table><td>d</table>");
    let depths: Vec<(String, u64)> = list(&session.events(0, usize::MAX))
        .iter()
        .map(|event| {
            let name = event["name"].as_str().or(event["text"].as_str()).unwrap();
            (name.to_owned(), event["depth"].as_u64().unwrap())
        })
        .collect();
    let expected = [
        ("p", 2),
        ("a", 3),
        ("p", 2),
        ("b", 3),
        ("br", 3),
        ("c", 3),
        ("p", 2),
        ("table", 2),
        ("td", 5),
        ("d", 6),
        ("table", 2),
    ];
    let expected: Vec<(String, u64)> = expected
        .iter()
        .map(|(name, depth)| ((*name).to_owned(), *depth))
        .collect();
    assert_eq!(depths, expected);
}

#[test]
fn selectors_and_links() {
    let session = fed("{}", b"<p>a<b>c</b></p></i>");
    assert_eq!(parsed(&session.select("p > b"))["count"], 1);
    assert!(parsed(&session.select("p >"))["error"].is_string());
    for selector in [
        "",
        "(",
        "p:has(",
        ":nth-child(",
        "a|b",
        "p::before",
        &"(".repeat(1000),
    ] {
        assert!(
            parsed(&session.select(selector))["error"].is_string(),
            "{selector}"
        );
    }
    let links: Vec<String> = list(&session.errors(0, 10))
        .iter()
        .map(|error| error["link"].to_string())
        .collect();
    assert!(
        links.iter().all(|link| link.contains("#tree-construction")),
        "{links:?}"
    );
    let session = fed("{}", b"<!DOCTYPE html><p a a>&#0;");
    let error = &list(&session.errors(0, 1))[0];
    let link =
        "https://html.spec.whatwg.org/multipage/parsing.html#parse-error-duplicate-attribute";
    assert_eq!(error["link"], link);
}

#[test]
fn a_dump_is_cut_at_a_line() {
    let session = fed("{}", b"<p>a<b>c");
    let dump = session.tree_dump(usize::MAX);
    assert_eq!(
        dump,
        "| <html>\n|   <head>\n|   <body>\n|     <p>\n|       \"a\"\n|       <b>\n|         \"c\"\n"
    );
    for limit in 0..dump.len() {
        let part = session.tree_dump(limit);
        assert!(
            part.len() <= limit
                && dump.starts_with(&part)
                && (part.is_empty() || part.ends_with('\n'))
        );
    }
}

#[test]
fn rows_have_the_sizes_of_their_subtrees() {
    let session = fed("{}", b"<!DOCTYPE html><p>a<b>c</b></p><template><i>x");
    let rows = list(&session.nodes(0, usize::MAX));
    for (at, row) in rows.iter().enumerate() {
        let below = rows[at + 1..].iter();
        let size = 1 + below
            .take_while(|other| other["depth"].as_u64() > row["depth"].as_u64())
            .count();
        assert_eq!(row["rows"], size, "{row}");
    }
    assert_eq!(rows[0]["rows"], rows.len());
}

#[test]
fn rows_of_a_large_tree_follow_its_growth() {
    let document = "<p>a<b>c</b></p>".repeat(20_000);
    let mut session = session(UTF8);
    let mut before = 0;
    for chunk in document.as_bytes().chunks(8192) {
        session.feed(chunk);
        let nodes = parsed(&session.counts())["nodes"].as_u64().unwrap();
        let expected = session.tree_dump(usize::MAX).lines().count() as u64;
        assert!(
            nodes >= before && nodes <= expected + 1,
            "{nodes} {expected}"
        );
        assert!(nodes >= expected * 3 / 4, "{nodes} {expected}");
        before = nodes;
    }
    session.feed(b"x");
    let rows = |session: &Session| parsed(&session.counts())["nodes"].as_u64().unwrap();
    assert_eq!(
        rows(&session),
        session.tree_dump(usize::MAX).lines().count() as u64 + 1
    );
    session.finish();
    assert_eq!(rows(&session), 80_000 + 5);
}

/// Returns the range of an event or a row of the tree.
fn range_of(item: &Value) -> Option<(u64, u64)> {
    Some((item["range"][0].as_u64()?, item["range"][1].as_u64()?))
}

#[test]
fn each_byte_has_its_shortest_event_and_its_deepest_node() {
    for (options, document) in DOCUMENTS {
        let session = fed(options, document.as_bytes());
        let events = list(&session.events(0, usize::MAX));
        let rows = list(&session.nodes(0, usize::MAX));
        for at in 0..document.len() as u64 + 2 {
            let ranges = |items: &[Value]| {
                let ranges = items.iter().map(range_of).enumerate();
                let holding = ranges.filter_map(|(index, range)| {
                    let (start, end) = range.filter(|(start, end)| (*start..*end).contains(&at))?;
                    Some((end - start, index))
                });
                holding.collect::<Vec<_>>()
            };
            let event = ranges(&events).into_iter().min().map(|(_, index)| index);
            assert_eq!(session.event_at(at as u32), event, "{document} {at}");
            let node = ranges(&rows).into_iter().min_by_key(|(length, row)| {
                let depth = rows[*row]["depth"].as_i64().unwrap();
                (-depth, *length, *row)
            });
            let node = node.map(|(_, row)| row);
            assert_eq!(session.node_at(at as u32), node, "{document} {at}");
        }
    }
}

#[test]
fn strings_of_more_than_200_characters_are_cut() {
    for length in [199, 200, 201, 300] {
        let text = "é".repeat(length);
        let session = fed(UTF8, format!("<p>{text}</p><!--{text}-->").as_bytes());
        let events = list(&session.events(0, usize::MAX));
        let rows = list(&session.nodes(0, usize::MAX));
        for (items, kind) in [
            (&events, "text"),
            (&events, "comment"),
            (&rows, "text"),
            (&rows, "comment"),
        ] {
            let item = items.iter().find(|item| item["kind"] == kind).unwrap();
            assert_eq!(item["text"], text.chars().take(200).collect::<String>());
            let expected = if length > 200 {
                json!(true)
            } else {
                Value::Null
            };
            assert_eq!(item["cut"], expected, "{kind} {length}");
        }
    }
}

#[test]
fn events_after_the_limit_are_counted_and_not_kept() {
    const LIMIT: usize = 2_000_000;
    let mut session = session(r#"{"dialect":"xml"}"#);
    session.feed("<a>".as_bytes());
    let chunk = "<?b?>".repeat(10_000);
    for _ in 0..200 {
        session.feed(chunk.as_bytes());
    }
    session.feed("</a>".as_bytes());
    session.finish();
    let counts = parsed(&session.counts());
    assert_eq!(counts["events"], LIMIT + 2);
    assert_eq!(counts["dropped"], 2);
    assert_eq!(list(&session.events(LIMIT - 1, 10)).len(), 1);
}
