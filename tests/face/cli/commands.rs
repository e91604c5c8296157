//! `events` and `tree`: what they write in each format, with each option, and what they refuse.

use super::{
    BROKEN, FEED, given, noise, program, refused, root, run, temporary, temporary_folder, utf8,
    written,
};
use std::fs;
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli",
        json_lines,
        json_absent_values,
        text_lines,
        indentation_has_an_end,
        chunks_change_nothing,
        standard_input_is_a_file_like_any_other,
        pieces_joined_are_the_whole,
        anything_is_read,
        strict_refuses,
        limits_refuse,
        nothing_to_read,
        html_trees,
        leafxml,
        sky_and_microxml,
        dialects_are_guessed,
        encodings,
        errors_in_entities_have_their_own_places,
        namespaces_can_be_turned_off,
        trees,
        a_tree_in_html5lib_has_namespaces,
        scripting_and_white_space_before_a_guess,
    );
}

fn json_lines() {
    let input = "<?xml version='1.0' standalone='no'?><?style a=\"b\"?>\n\
                 <!DOCTYPE d PUBLIC 'p' \"s\"><d><!-- \u{7} -->\
                 <e a='\"' b='&lt;\u{e9}'/>\\&amp;<![CDATA[<]]>&thing;</d>";
    let expected = [
        r#"{"event":"declaration","version":"1.0","encoding":null,"standalone":false,"span":[0,37]}"#,
        r#"{"event":"pi","target":"style","data":"a=\"b\"","span":[37,52]}"#,
        r#"{"event":"doctype","name":"d","publicId":"p","systemId":"s","span":[53,80]}"#,
        r#"{"event":"start","name":"d","attributes":[],"selfClosing":false,"span":[80,83]}"#,
        r#"{"event":"error","code":"illegal-character","line":2,"column":36,"span":[88,89]}"#,
        r#"{"event":"comment","data":" \u0007 ","span":[83,93]}"#,
        r#"{"event":"start","name":"e","attributes":[["a","\""],["b","<é"]],"selfClosing":true,"span":[93,114]}"#,
        r#"{"event":"end","name":"e","span":[114,114]}"#,
        r#"{"event":"text","data":"\\&<","span":[114,133]}"#,
        r#"{"event":"skippedEntity","name":"thing","span":[133,140]}"#,
        r#"{"event":"end","name":"d","span":[140,144]}"#,
    ];
    let lines = written(&["events", "--format", "json", "--errors", "-"], input);
    assert_eq!(lines.lines().collect::<Vec<_>>(), expected);
    assert!(lines.ends_with("}\n"));
}

fn json_absent_values() {
    let lines = written(&["events", "--format=json", "-"], "<!DOCTYPE d><d/>");
    assert!(lines.starts_with(
        r#"{"event":"doctype","name":"d","publicId":null,"systemId":null,"span":[0,12]}"#
    ));
    let lines = written(&["events", "--format=json", "-"], "<?xml version='1.0'?>");
    assert_eq!(
        lines,
        "{\"event\":\"declaration\",\"version\":\"1.0\",\"encoding\":null,\"standalone\":null,\
         \"span\":[0,21]}\n"
    );
}

fn text_lines() {
    let input =
        "<!DOCTYPE a PUBLIC 'p' 's'><a b='\"'>\n<c>\u{1b}[31m\\\t</c><!--\"--><?p q?>\n</x></a>";
    let expected = r#"
    1:1    doctype a public "p" system "s"
    1:28   <a b="\"">
    1:37     "\n"
    2:1      <c>
    2:4        "\u{1b}[31m\\\t"
    2:11     </c>
    2:15     <!--"-->
    2:23     <?p q?>
    2:30     "\n"
    3:1      error: no element is open that this tag could end (stray-end-tag)
    3:1    </x>
    3:5    </a>
"#;
    let lines = written(&["events", "--errors", "-"], input);
    let lines: Vec<_> = lines
        .lines()
        .filter(|line| !line.contains("illegal-character"))
        .collect();
    assert_eq!(lines, expected[1..].lines().collect::<Vec<_>>());
}

fn indentation_has_an_end() {
    let lines = written(&["events", "-"], "<a>".repeat(9_000));
    let longest = lines.lines().map(str::len).max();
    assert!(longest < Some(100), "{longest:?}");
}

fn chunks_change_nothing() {
    for file in [FEED, BROKEN] {
        for format in ["json", "text"] {
            let events = ["events", "--errors", "--format", format];
            let whole = written(&[&events[..], &[file]].concat(), "");
            for chunk in (1..=16).chain([64, 1000, 4096, 1 << 30]) {
                let size = chunk.to_string();
                let cut = written(&[&events[..], &["--chunk", &size, file]].concat(), "");
                assert_eq!(cut, whole, "{file} in chunks of {size}");
            }
        }
    }
}

fn standard_input_is_a_file_like_any_other() {
    for command in ["events", "tree"] {
        let bytes = fs::read(FEED).unwrap();
        assert_eq!(
            written(&[command, "-"], bytes),
            written(&[command, FEED], "")
        );
    }
}

fn pieces_joined_are_the_whole() {
    let input = format!("<a>{}</a>", "one &amp; two\r\n<![CDATA[<3>]]> ".repeat(200));
    let text = |lines: &str| {
        let data = lines.lines().filter_map(|line| {
            let event: serde_json::Value = serde_json::from_str(line).unwrap();
            (event["event"] == "text").then(|| event["data"].as_str().unwrap().to_owned())
        });
        data.collect::<Vec<_>>()
    };
    let events = ["events", "--format", "json", "--chunk", "7", "-"];
    let whole = text(&written(&events, &input));
    assert_eq!(whole.len(), 1);
    let pieces = text(&written(&[&events[..], &["--pieces"]].concat(), input));
    assert!(pieces.len() > 100, "{}", pieces.len());
    assert_eq!(pieces.concat(), whole[0]);
}

fn anything_is_read() {
    let noise = temporary("noise", &noise(100_000));
    let empty = temporary("empty.xml", b"");
    for file in [&*noise, &empty] {
        for arguments in [
            &["events", "--dialect=xml", file][..],
            &["events", "--dialect=xml", "--errors", "--format=json", file],
            &["tree", "--dialect=xml", file],
            &["tree", "--dialect=xml", "--format=xml", file],
            &["tree", "--dialect=xml", "--format=canonical", file],
            &["tree", "--dialect=xml", "--format=html", file],
            &["tree", "--dialect=xml", "--format=html5lib", file],
        ] {
            written(arguments, "");
        }
    }
    assert_eq!(written(&["events", "-"], ""), "");
    assert_eq!(written(&["tree", "-"], ""), "");
}

fn strict_refuses() {
    let (message, before) = refused(&["events", "--strict", BROKEN], "", 1);
    assert_eq!(
        message,
        "examples/data/broken.xml:2:13: the value of an attribute stands between quotes \
         (unquoted-value)\n"
    );
    assert_eq!(before.lines().count(), 1, "{before}");
    let (message, before) = refused(&["tree", "--strict", "-"], "<a>\n  </b>", 1);
    assert!(message.starts_with("-:2:3: "), "{message}");
    assert_eq!(before, "");
    refused(&["events", "--strict", "-"], "", 1);
    let lines = written(&["events", "--strict", FEED], "");
    assert_eq!(lines, written(&["events", FEED], ""));
}

fn limits_refuse() {
    for command in ["events", "tree"] {
        let (message, _) = refused(&[command, "-"], "<a>".repeat(10_001), 1);
        assert!(message.starts_with("-:1:30001: "), "{message}");
        assert!(message.ends_with(" (depth-limit)\n"), "{message}");
    }
}

fn nothing_to_read() {
    for command in ["events", "tree"] {
        let (message, _) = refused(&[command, "no/such/file.xml"], "", 2);
        assert!(message.contains("no/such/file.xml"), "{message}");
        let (message, _) = refused(&[command, "examples"], "", 2);
        assert!(message.contains("folder"), "{message}");
        let (message, _) = refused(&[command, "--encoding", "klingon", FEED], "", 2);
        assert!(message.contains("klingon"), "{message}");
    }
    for wrong in [
        &["events"][..],
        &["trees", FEED],
        &["events", "--chunk", "0", FEED],
        &["events", "--format", "html", FEED],
        &["events", "--dialect", "sgml", FEED],
    ] {
        assert_eq!(run(wrong, "").status.code(), Some(2), "{wrong:?}");
    }
}

fn html_trees() {
    let tree = ["tree", "--dialect=html", "--encoding=utf-8"];
    let html = |more: &[&str], input| written(&[&tree[..], more, &["-"]].concat(), input);
    assert_eq!(
        html(&["--format=html"], "<p>a<p>b"),
        "<html><head></head><body><p>a</p><p>b</p></body></html>\n"
    );
    assert_eq!(
        html(&[], "<p>a"),
        "<html>\n  <head>\n  <body>\n    <p>\n      \"a\"\n"
    );
    let noscript = "<noscript><p></noscript>";
    assert!(html(&["--format=html5lib"], noscript).contains("<p>"));
    let text = html(&["--format=html5lib", "--scripting"], noscript);
    assert!(text.contains("\"<p>\""), "{text}");
    let instruction = html(&["--format=html5lib"], "<body><?a b>");
    assert!(instruction.contains("<?a b?>"), "{instruction}");
    let without = ["--format=html5lib", "--no-processing-instructions"];
    let comment = html(&without, "<body><?a b>");
    assert!(comment.contains("<!-- ?a b -->"), "{comment}");
    let row = ["--fragment=tr", "--format=html"];
    assert_eq!(html(&row, "<td>a<td>b"), "<td>a</td><td>b</td>\n");
    let path = ["--fragment", "svg path", "--format=html5lib"];
    assert_eq!(html(&path, "<A/>b"), "| <svg a>\n| \"b\"\n");
    assert_eq!(html(&["--fragment=td"], "a<b>c"), "\"a\"\n<b>\n  \"c\"\n");
}

fn leafxml() {
    let events = ["events", "--format=json", "--dialect=leafxml", "-"];
    let document = "<p:a xmlns:p='u' p:b=' c  d ' e=''/>";
    let lines = written(&events, document);
    let start = lines.lines().next().unwrap_or_default();
    assert_eq!(
        start,
        "{\"event\":\"start\",\"name\":\"p:a\",\"attributes\":[[\"xmlns:p\",\"u\"],[\"p:b\",\"c d\"],\
         [\"e\",\"\"]],\"selfClosing\":true,\"namespace\":\"u\",\"localName\":\"a\",\
         \"external\":[[\"u\",\"b\",\"c d\"]],\"span\":[0,36]}"
    );
    let (message, _) = refused(&events, "<a>&nbsp;</a>", 1);
    assert!(message.contains("invalid-entity-escape"), "{message}");
    let all = ["events", "--dialect=leafxml", "--comments", "--doctype"];
    let all = [&all[..], &["--processing-instructions", "-"]].concat();
    let lines = written(&all, "<?p?><!DOCTYPE a><!--c--><a/>");
    assert_eq!(lines.lines().count(), 5, "{lines}");
    let tree = ["tree", "--format=xml", "--dialect=leafxml", "-"];
    assert_eq!(written(&tree, "<a>e\u{301}</a>"), "<a>\u{e9}</a>\n");
}

fn sky_and_microxml() {
    let sky = ["tree", "--format=xml", "--dialect=sky", "-"];
    assert_eq!(written(&sky, "SKY MODULE\n<a>b</>"), "<a>b</a>\n");
    assert_eq!(written(&sky, "\u{feff}#!mojo mojo:sky\n<a/>"), "<a/>\n");
    assert_eq!(written(&sky, "<a/>"), "<a/>\n");
    let module = ["events", "--dialect=sky", "--context=module", "-"];
    let (message, before) = refused(&module, "<a/>", 1);
    assert!(message.contains("failed-signature"), "{message}");
    assert_eq!(before, "");
    let fragment = [
        "tree",
        "--format=xml",
        "--dialect=sky",
        "--context=fragment",
        "-",
    ];
    assert_eq!(written(&fragment, "<a>#</a>"), "<a>#</a>\n");
    let microxml = ["events", "--format=json", "--dialect=microxml", "-"];
    assert_eq!(
        written(&microxml, "<a b=c"),
        "{\"event\":\"start\",\"name\":\"a\",\"attributes\":[[\"b\",\"c\"]],\
         \"selfClosing\":false,\"span\":[0,6]}\n"
    );
    let revised = [&microxml[..3], &["--revision=final", "-"]].concat();
    assert!(written(&revised, "<a b>").contains("[[\"b\",\"\"]]"));
    let strict = ["events", "--dialect=microxml", "--strict", "-"];
    let (message, _) = refused(&strict, "<a b=c/>", 1);
    assert!(message.contains("unquoted-value"), "{message}");
}

fn dialects_are_guessed() {
    let folder = temporary_folder("guess");
    for (name, content, guess) in [
        ("page.html", "<a/>", "html"),
        ("page.HTM", "<?xml version='1.0'?><a/>", "html"),
        ("a.sky", "<a/></>", "sky"),
        ("a.leafxml", "<a/>", "leafxml"),
        ("a.microxml", "a<!b", "microxml"),
        ("plain", " \n<!DOCTYPE HTML><p>", "html"),
        ("plain", "\u{feff}<html lang=en>", "html"),
        ("plain", "SKY MODULE\n", "sky"),
        ("image.svg", "<!doctype html>", "xml"),
        ("plain", "<!doctype htmlish>", "xml"),
        ("plain", "<html", "xml"),
        ("plain", "\u{feff}", "xml"),
        ("plain", "<a/>", "xml"),
    ] {
        let path = folder.join(name);
        fs::write(&path, content).unwrap();
        let path = path.to_str().unwrap();
        let arguments = ["events", path];
        if guess != "html" {
            let named = ["events", "--dialect", guess, path];
            assert_eq!(written(&arguments, ""), written(&named, ""), "{name}");
        } else {
            let lines = written(&["events", "--format=json", path], "");
            // XML has an end for each empty tag.
            assert!(!lines.contains("\"end\""), "{lines}");
            let tree = written(&["tree", path], "");
            assert!(tree.contains("body"), "{tree}");
        }
    }
}

fn encodings() {
    let events = ["events", "--format=json"];
    let latin = [&events[..], &["--encoding", " Latin1", "-"]].concat();
    assert!(written(&latin, *b"<a>\xE9</a>").contains(r#""data":"é""#));
    let unsaid = [&events[..], &["-"]].concat();
    assert!(written(&unsaid, *b"<a>\xE9</a>").contains(r#""data":"�""#));
    let lines = written(
        &["tree", "--encoding=utf-16le", "--format=xml", "-"],
        *b"<\0a\0/\0>\0",
    );
    assert_eq!(lines, "<a/>\n");
}

fn errors_in_entities_have_their_own_places() {
    let folder = root().join("tests/data/check");
    let shown = |format: &str| {
        let events = ["events", "--errors", "--resolve", "--format", format];
        let command = program(&folder, &[&events[..], &["resolved.xml"]].concat());
        utf8(&given(command, []).stdout).to_owned()
    };
    let place = r#""entity":{"file":"resolved-chapter.ent","line":3,"column":10,"span":[53,54]}"#;
    assert!(shown("json").contains(place));
    assert!(shown("text").contains(" (unquoted-value) at resolved-chapter.ent:3:10\n"));
}

fn namespaces_can_be_turned_off() {
    let input = "<p:a/>";
    for command in ["events", "tree"] {
        refused(&[command, "--strict", "-"], input, 1);
        written(&[command, "--strict", "--no-namespaces", "-"], input);
    }
}

fn trees() {
    let input = "<a x='1'>one<b/><!--c-->two<?p q?></a>\n";
    for (format, expected) in [
        (
            "outline",
            "<a x=\"1\">\n  \"one\"\n  <b>\n  <!-- c -->\n  \"two\"\n  <?p q?>\n",
        ),
        ("xml", "<a x=\"1\">one<b/><!--c-->two<?p q?></a>\n"),
        ("canonical", "<a x=\"1\">one<b></b>two<?p q?></a>"),
        ("html", "<a x=\"1\">one<b></b><!--c-->two<?p q?></a>\n"),
        (
            "html5lib",
            "| <a>\n|   x=\"1\"\n|   \"one\"\n|   <b>\n|   <!-- c -->\n|   \"two\"\n|   <?p q?>\n",
        ),
    ] {
        assert_eq!(
            written(&["tree", "--format", format, "-"], input),
            expected,
            "{format}"
        );
    }
    let outline = written(&["tree", "-"], input);
    assert_eq!(outline, written(&["tree", "--format=outline", "-"], input));
}

fn a_tree_in_html5lib_has_namespaces() {
    let tree = written(
        &["tree", "--format=html5lib", "-"],
        "<s xmlns='urn:a' p:b='c' xmlns:p='urn:p'/>",
    );
    assert!(tree.starts_with("| <{urn:a}s>\n"), "{tree}");
    assert!(tree.contains("{urn:p}"), "{tree}");
}

fn scripting_and_white_space_before_a_guess() {
    let html = [
        "events",
        "--dialect=html",
        "--scripting",
        "--format=json",
        "-",
    ];
    let lines = written(&html, "<noscript><b></noscript>");
    assert!(lines.contains(r#""data":"<b>""#), "{lines}");
    let white = format!("{}<a>", " ".repeat(2000));
    let lines = written(&["events", "--format=json", "-"], white);
    assert!(lines.ends_with("\"span\":[2000,2003]}\n"), "{lines}");
}
