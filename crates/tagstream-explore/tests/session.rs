//! Tests of sessions: the results do not depend on how a document is fed, and they are those that the page expects.

use serde_json::{Value, json};
use tagstream_explore::{Session, dialects, encode, rewrite, sanitize};

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

/// The options for text, whose encoding is known.
const UTF8: &str = r#"{"encoding":"utf-8"}"#;

fn session(options: &str) -> Session {
    Session::new(options).unwrap_or_else(|error| panic!("{options}: {error}"))
}

fn fed(options: &str, bytes: &[u8]) -> Session {
    let mut session = session(options);
    session.feed(bytes);
    session.finish();
    session
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn list(text: &str) -> Vec<Value> {
    match parsed(text) {
        Value::Array(items) => items,
        other => panic!("{other} is not an array"),
    }
}

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

/// The bytes that are fed, and the rows that they apply.
type Step = (&'static str, &'static [(&'static str, &'static str)]);

/// Options, the bytes that are fed in each step, and the rows that they apply: the table and the token.
const TRACES: &[(&str, &[Step])] = &[
    (
        UTF8,
        &[
            ("<!DOCTYPE html>", &[("initial", "<!DOCTYPE html>")]),
            (
                "<p>",
                &[
                    ("before html", "<p>"),
                    ("before head", "<p>"),
                    ("in head", "<p>"),
                    ("after head", "<p>"),
                    ("in body", "<p>"),
                ],
            ),
            ("x", &[]),
            (
                "<b>",
                &[("in body", "characters \"x\""), ("in body", "<b>")],
            ),
            ("</p>", &[("in body", "</p>")]),
            ("<table>", &[("in body", "<table>")]),
            (
                "y<td>",
                &[
                    ("in table", "characters \"y\""),
                    ("in table text", "characters \"y\""),
                    ("in table text", "<td>"),
                    ("in body", "characters \"y\""),
                    ("in table", "<td>"),
                    ("in table body", "<td>"),
                    ("in row", "<td>"),
                ],
            ),
        ],
    ),
    (
        r#"{"fragment":"svg path","encoding":"utf-8"}"#,
        &[
            ("<a>", &[("foreign", "<a>")]),
            ("</a>", &[("foreign", "</a>")]),
        ],
    ),
];

#[test]
fn the_trace_has_the_rows_that_acted() {
    for (options, steps) in TRACES {
        let mut options = parsed(options);
        options["trace"] = Value::Bool(true);
        let mut session = session(&options.to_string());
        for (bytes, expected) in *steps {
            session.feed(bytes.as_bytes());
            let trace = parsed(&session.trace());
            let rows = trace["rows"].as_array().unwrap();
            let found: Vec<(&str, &str)> = rows
                .iter()
                .map(|row| {
                    (
                        row["table"].as_str().unwrap(),
                        row["token"].as_str().unwrap(),
                    )
                })
                .collect();
            assert_eq!(found, *expected, "{bytes}");
            for row in rows {
                assert!(
                    !row["actions"].as_str().unwrap().contains(['`', '[']),
                    "{row}"
                );
            }
        }
    }
}

#[test]
fn the_trace_has_the_state() {
    for (options, document, state, mode, open, formatting) in [
        (UTF8, "<p cl", "attribute name", Some("in body"), "", ""),
        (
            UTF8,
            "<p><b><i>x</i><a",
            "tag name",
            Some("in body"),
            "html body p b",
            "b",
        ),
        (
            UTF8,
            "<table><td><b>x&a",
            "named character reference",
            Some("in cell"),
            "html body table tbody tr td b",
            "| b",
        ),
        (
            UTF8,
            "<title>a</",
            "RCDATA end tag open",
            Some("text"),
            "html head title",
            "",
        ),
        (
            UTF8,
            "<a href=\"",
            "attribute value (double-quoted)",
            Some("in body"),
            "",
            "",
        ),
        (
            UTF8,
            "<svg><p",
            "tag name",
            Some("in body"),
            "html body svg",
            "",
        ),
        (
            r#"{"dialect":"xml"}"#,
            "<a><b c='",
            "single-quoted",
            None,
            "a",
            "",
        ),
        (
            r#"{"dialect":"sky"}"#,
            "<a><!-",
            "comment start2",
            None,
            "a",
            "",
        ),
    ] {
        let mut session = session(options);
        session.feed(document.as_bytes());
        let trace = parsed(&session.trace());
        let names = |key: &str| {
            let items = trace[key].as_array().unwrap().iter();
            let names: Vec<&str> = items
                .map(|item| item["name"].as_str().unwrap_or("|"))
                .collect();
            names.join(" ")
        };
        assert_eq!(names("formatting"), formatting, "{document}");
        if !open.is_empty() {
            assert_eq!(names("open"), open, "{document}");
            assert_eq!(trace["insertion_mode"].as_str(), mode, "{document}");
        }
        assert!(
            trace["state"].as_str().unwrap().contains(state),
            "{document}: {}",
            trace["state"]
        );
        assert_eq!(trace["rule"].is_string(), mode.is_none(), "{document}");
    }
}

/// A text for each encoding that can express it.
const TEXTS: &[(&str, &str)] = &[
    ("utf-8", "aé€😀\u{10FFFF}b"),
    ("utf-16le", "aé€😀b"),
    ("utf-16be", "aé€😀b"),
    ("windows-1252", "aé€b"),
    ("koi8-r", "aПривет b"),
    ("shift_jis", "a日本語ｶﾅb"),
    ("euc-jp", "a日本語ｶﾅb"),
    ("iso-2022-jp", "a日本語b日c"),
    ("gbk", "a中文b"),
    ("gb18030", "a中文😀b"),
    ("big5", "a繁體中文b"),
    ("euc-kr", "a한국어b"),
    ("x-user-defined", "ab"),
];

#[test]
fn offsets_agree_with_independent_decoders() {
    for (label, text) in TEXTS {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let bytes = encode(text, label).unwrap();
        let session = fed(&json!({"encoding": label}).to_string(), &bytes);
        assert_eq!(session.source_text(), *text, "{label}");
        let mark = if label.starts_with("utf-16") { 2 } else { 0 };
        let ends: Vec<u32> = (0..=bytes.len() as u32).collect();
        for (end, unit) in ends.iter().zip(session.offsets(&ends)) {
            // A decoder that gets the bytes before the offset has decoded the characters before it.
            let mut decoder = encoding.new_decoder_without_bom_handling();
            let mut before = String::with_capacity(100);
            let _ = decoder.decode_to_string(
                &bytes[mark.min(*end as usize)..*end as usize],
                &mut before,
                false,
            );
            assert_eq!(unit, before.encode_utf16().count() as u32, "{label} {end}");
        }
        check_round_trip(&session, bytes.len(), label);
    }
}

/// Checks that both maps are monotonic, and that each is the reverse of the other at the starts of characters.
fn check_round_trip(session: &Session, length: usize, label: &str) {
    let bytes: Vec<u32> = (0..=length as u32 + 2).collect();
    let units = session.offsets(&bytes);
    assert!(units.is_sorted(), "{label}");
    let total = session.source_text().encode_utf16().count() as u32;
    assert_eq!(units.last(), Some(&total), "{label}");
    let all: Vec<u32> = (0..=total + 2).collect();
    let back = session.byte_offsets(&all);
    assert!(back.is_sorted(), "{label}");
    for (unit, again) in all.iter().zip(session.offsets(&back)) {
        assert!(
            again <= *unit && unit - again <= 2,
            "{label} {unit} {again} {:?} {back:?}",
            session.source_text()
        );
    }
}

#[test]
fn malformed_bytes_are_decoded_as_by_independent_decoders() {
    let mut seed = 88_172_645_463_325_252_u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed >> 11
    };
    for (label, text) in TEXTS.iter().filter(|(label, _)| *label != "utf-16le") {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        for _ in 0..100 {
            let mut bytes = encode(text, label).unwrap();
            for _ in 0..3.min(bytes.len()) {
                let at = random() as usize % bytes.len().max(1);
                match random() % 3 {
                    0 if bytes.len() > 1 => drop(bytes.remove(at)),
                    1 => bytes.insert(at, random() as u8),
                    _ => bytes[at] = random() as u8,
                }
            }
            // A mark at the start would take precedence.
            bytes.insert(0, b'x');
            if *label == "utf-16be" {
                bytes.insert(0, 0);
            }
            let session = fed(&json!({"encoding": label}).to_string(), &bytes);
            let expected = encoding.decode_without_bom_handling(&bytes).0;
            assert_eq!(session.source_text(), expected, "{label} {bytes:X?}");
            check_round_trip(&session, bytes.len(), label);
        }
    }
}

#[test]
fn a_byte_order_mark_is_not_text() {
    let session = fed("{}", "\u{FEFF}<p>a".as_bytes());
    assert_eq!(session.source_text(), "<p>a");
    assert_eq!(session.offsets(&[0, 3, 4, 6]), [0, 0, 1, 3]);
    assert_eq!(session.byte_offsets(&[0, 1, 3]), [3, 4, 6]);
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
fn hostile_options_are_errors() {
    for options in [
        "",
        "null",
        "[]",
        "{",
        "{\"dialect\":\"sgml\"}",
        "{\"dialect\":1}",
        "{\"scripting\":1}",
        "{\"fragment\":\"<tr>\"}",
        "{\"encoding\":\"x\"}",
        "{\"encoding\":[]}",
        "{\"trace\":0}",
        "{\"dialect\":\"microxml\",\"revision\":\"x\"}",
        "{\"dialect\":\"sky\",\"context\":\"x\"}",
        "{\"balanced\":\"yes\"}",
        &"[".repeat(100_000),
        "{\"a\":\"\\ud800\\u\"}",
        "{} x",
    ] {
        assert!(Session::new(options).is_err(), "{options:.80}");
    }
    // Unknown options and those of other dialects are ignored.
    assert!(Session::new(r#"{"dialect":"leafxml","strict":true,"x":[1,2.5e3,null]}"#).is_ok());
}

#[test]
fn the_table_of_options_has_all_dialects() {
    let dialects = list(&dialects());
    let ids: Vec<&str> = dialects
        .iter()
        .map(|dialect| dialect["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["html", "xml", "microxml", "sky", "leafxml"]);
    for dialect in &dialects {
        // The defaults are accepted.
        let mut options = json!({"dialect": dialect["id"]});
        for option in dialect["options"].as_array().unwrap() {
            options[option["id"].as_str().unwrap()] = option["default"].clone();
        }
        assert!(Session::new(&options.to_string()).is_ok(), "{options}");
    }
}

#[test]
fn edits() {
    let document = "<p class=a>b<i>c</i></p>";
    for (edits, expected) in [
        (r#"[]"#, document),
        (
            r#"[{"selector":"i","action":"remove"}]"#,
            "<p class=a>b</p>",
        ),
        (
            r#"[{"selector":"i","action":"unwrap"}]"#,
            "<p class=a>bc</p>",
        ),
        (
            r#"[{"selector":"i","action":"rename","name":"em"}]"#,
            "<p class=a>b<em>c</em></p>",
        ),
        (
            r#"[{"selector":"p","action":"set_attribute","name":"id","value":"\u0022"}]"#,
            "<p class=a id=\"&quot;\">b<i>c</i></p>",
        ),
        (
            r#"[{"selector":".a","action":"remove_attribute","name":"class"}]"#,
            "<p>b<i>c</i></p>",
        ),
        (
            r#"[{"selector":"i","action":"before","value":"<b>x</b>"}]"#,
            "<p class=a>b<b>x</b><i>c</i></p>",
        ),
        (
            r#"[{"selector":"p:has(i)","action":"set_text","value":"<"}]"#,
            "<p class=a>&lt;</p>",
        ),
    ] {
        let output = parsed(&rewrite(document, "{}", edits));
        assert_eq!(output["output"], expected, "{edits}: {output}");
    }
    for edits in [
        "",
        "{}",
        "[1]",
        r#"[{"selector":"(","action":"remove"}]"#,
        r#"[{"selector":"i","action":"x"}]"#,
        r#"[{"selector":"i","action":"rename","name":"<"}]"#,
        r#"[{"selector":1,"action":"remove"}]"#,
        r#"[{"selector":"i","action":"set_attribute","name":"a b","value":""}]"#,
        r#"[{"selector":"i","action":"before","value":"<b"}]"#,
    ] {
        let output = parsed(&rewrite(document, "{}", edits));
        assert!(output["error"].is_string(), "{edits}: {output}");
    }
    for dialect in ["xml", "microxml", "leafxml", "sky"] {
        let options = json!({"dialect": dialect}).to_string();
        let edits = r#"[{"selector":"b","action":"remove"}]"#;
        assert_eq!(
            parsed(&rewrite("<a><b/>c</a>", &options, edits))["output"],
            "<a>c</a>"
        );
    }
}

#[test]
fn sanitized_output() {
    let document = "<p onclick=x>a<script>b</script><a href='javascript:c'>d</a><!--e--></p>";
    for (options, expected) in [
        ("{}", "<p>a<a>d</a></p>"),
        (r#"{"preset":"allow_nothing"}"#, ""),
        (
            r#"{"comments":true,"remove_elements":["a"]}"#,
            "<p>a<!--e--></p>",
        ),
        (r#"{"unwrap_elements":"a p"}"#, "ad"),
    ] {
        let output = parsed(&sanitize(document, options));
        assert_eq!(output["output"], expected, "{options}: {output}");
    }
    for options in ["", r#"{"preset":"x"}"#, r#"{"fragment":"<"}"#] {
        assert!(
            parsed(&sanitize(document, options))["error"].is_string(),
            "{options}"
        );
    }
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
