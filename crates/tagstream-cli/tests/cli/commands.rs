//! The subcommands `events` and `tree`, and every command in `tests/data/cli.txt`, which describes the format of its
//! rows.

use super::{
    BROKEN, FEED, given, noise, program, refused, root, run, temporary, temporary_folder, utf8,
    written,
};
use std::fs;
use testing::cases;
use testing::cases::unescaped;
use testing::pieces::words;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli",
        indentation_has_an_end,
        chunks_change_nothing,
        what_is_indented_stays_so,
        coerced_xml_is_not_indented_further,
        indented_trees_differ_in_white_space_only,
        indented_html_is_not_indented_further,
        standard_input_is_a_file_like_any_other,
        pieces_joined_are_the_whole,
        anything_is_read,
        what_is_no_markup_is_known_however_it_comes,
        xml_is_coerced,
        strict_refuses,
        limits_refuse,
        nothing_to_read,
        dialects_are_guessed,
        errors_in_entities_have_their_own_places,
        white_space_before_a_guess,
        sources_in_wide_encodings,
        marks_of_sanitized_markup,
    );
    for session in include_str!("../data/cli.txt").split("\n$ ").skip(1) {
        let (command, wanted) = session.split_once('\n').unwrap_or((session, ""));
        program.case(format!("cli/{command}"), move || {
            session_of(command, wanted)
        });
    }
}

fn session_of(command: &str, wanted: &str) {
    let (arguments, input) = command.split_once(" <").expect("standard input");
    let mut arguments = words(arguments);
    arguments.push("-".to_owned());
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = run(&arguments, unescaped(input.trim_start_matches(' ')));
    let (mut found, said) = (utf8(&output.stdout).to_owned(), utf8(&output.stderr));
    if !found.is_empty() && !found.ends_with('\n') {
        found += "∎\n";
    }
    match output.status.code() {
        Some(0) if said.is_empty() => {}
        // Some commands fail without a message.
        status => found += format!("! {} {said}", status.expect("a status")).trim_end(),
    }
    let wanted: Vec<&str> = wanted.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(found.lines().collect::<Vec<_>>(), wanted);
}

fn indentation_has_an_end() {
    let lines = written(&["events", "--dialect=xml", "-"], "<a>".repeat(9_000));
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

fn what_is_indented_stays_so() {
    for (format, file) in INDENTED {
        let tree = ["tree", "--indent", "--format", format];
        let once = written(&[&tree[..], &[file]].concat(), "");
        let dialect = ["--dialect", format, "--encoding=utf-8", "-"];
        let twice = written(&[&tree[..], &dialect].concat(), &once);
        assert_eq!(twice, once, "{file}");
        assert!(once.contains("\n  "), "{once}");
    }
}

/// Characters and texts that XML cannot express are left out, and do not change what is indented.
fn coerced_xml_is_not_indented_further() {
    for (dialect, document) in [
        ("--dialect=xml", "<a>\u{1}<b/></a>"),
        ("--dialect=xml", "<a> \u{1}\n<b/>\t\u{FFFE}</a>"),
        ("--dialect=xml", "<a>\u{1}x<b/></a>"),
        ("--dialect=xml", "<a>\u{1}</a>"),
        ("--dialect=xml", "<a>\u{1}<b>\u{2}<c/>\u{3}</b></a>"),
        ("--dialect=xml", "<a xml:space='preserve\u{1}'><b/></a>"),
        ("--dialect=xml", "<?xml version='1.1'?><a>&#1;<b/></a>"),
        ("--dialect=html", "<p>\u{1}<b></b></p>"),
        ("--dialect=html", "<p xml:space=preserve><b></b><i></i>"),
        ("--dialect=sky", "x\u{1}<a>\u{1}<b/></a>y"),
        ("--dialect=microxml", "<a>\u{1}<b/></a>x<c/>"),
    ] {
        for indent in ["--indent", "--indent=0"] {
            let tree = ["tree", "--format=xml", indent, "--encoding=utf-8"];
            let first = run(&[&tree[..], &[dialect, "-"]].concat(), document);
            let once = utf8(&first.stdout);
            let again = ["--dialect=xml", "--strict", "-"];
            let twice = written(&[&tree[..], &again].concat(), once);
            assert_eq!(twice, once, "{document:?} with {indent}");
            let plain = run(
                &["tree", "--format=xml", "--encoding=utf-8", dialect, "-"],
                document,
            );
            assert_eq!(utf8(&first.stderr), utf8(&plain.stderr), "{document:?}");
        }
    }
}

/// HTML that is indented again stays the same, also if its body has text, or ends with whitespace.
fn indented_html_is_not_indented_further() {
    let tree = [
        "tree",
        "--format=html",
        "--dialect=html",
        "--encoding=utf-8",
        "-",
    ];
    for document in [
        "",
        "text",
        "text \n\t",
        "<p>a</p>b<p>c</p>\n\n",
        "<b>a</b>\n</body>\n</html>\n",
        "<b>a</b><!--c--></body>\n<!--d--></html>\n<!--e-->\n",
        "a<p>b\n</p>\n<script>c</script>\n",
        "<pre>\n\na</pre>b<textarea>\n\n\nc</textarea>",
        "<frameset><frame></frameset>\n\n",
        "<table><td>a</table>b\n",
        "<ul>\n<li>a\n<li>b<ul><li>c</ul></ul>d\u{C}",
        "&#13;\n",
    ] {
        for indent in ["--indent", "--indent=0", "--indent=4"] {
            let indented = |input: &str| written(&[&tree[..], &[indent]].concat(), input);
            let once = indented(document);
            let twice = indented(&once);
            assert_eq!(twice, once, "{document:?} with {indent}");
        }
        // Only the whitespace at the end of the body is left out.
        let (plain, once) = (
            written(&tree, document),
            written(&[&tree[..], &["--indent"]].concat(), document),
        );
        let solid = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(solid(&once), solid(&plain), "{document:?}");
    }
}

fn indented_trees_differ_in_white_space_only() {
    for (format, file) in INDENTED {
        let plain = written(&["tree", "--format", format, file], "");
        let indented = written(&["tree", "--indent", "--format", format, file], "");
        let solid = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(solid(&indented), solid(&plain), "{file}");
    }
}

const INDENTED: [(&str, &str); 2] = [("xml", FEED), ("html", "examples/data/page.html")];

fn standard_input_is_a_file_like_any_other() {
    for command in ["events", "tree"] {
        let bytes = fs::read(root().join(FEED)).unwrap();
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
    let events = ["events", "--dialect=xml", "--format=json", "--chunk=7", "-"];
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
            &["tree", "--dialect=xml", "--format=canonical", file],
            &["tree", "--dialect=xml", "--format=html", file],
            &["tree", "--dialect=xml", "--format=html5lib", file],
        ] {
            written(arguments, "");
        }
        // The trees of these files cannot be expressed in XML.
        for format in [&["xml", "--strict-output"][..], &["c14n"]] {
            let arguments = [&["tree", "--dialect=xml", file, "--format"][..], format];
            refused(&arguments.concat(), "", 1);
        }
    }
    assert_eq!(written(&["events", "-"], ""), "");
    assert_eq!(written(&["tree", "-"], ""), "");
}

fn what_is_no_markup_is_known_however_it_comes() {
    let nul = |before: usize| [&b"<c>"[..], &vec![b'x'; before - 3], b"\0</c>"].concat();
    for (input, status) in [
        (&b"\x89PNG\r\n\x1A\n"[..], 2),
        (&nul(1023), 2),
        // Bytes after the first KiB are not examined.
        (&nul(1024), 0),
    ] {
        let pieces = input.chunks(1);
        let output = given(program(root(), &["events", "-"]), pieces);
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        assert_eq!(output.stderr, run(&["events", "-"], input).stderr);
    }
}

/// Names and characters that XML cannot express are changed, and the changes are reported in a bounded number of lines.
fn xml_is_coerced() {
    let input = "<p a:b=1><!--a--b-->x";
    let arguments = ["tree", "--dialect=html", "--encoding=utf-8", "--format=xml"];
    let output = run(&[&arguments[..], &["-"]].concat(), input);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        utf8(&output.stdout),
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head></head><body>\
         <p aU00003Ab=\"1\"><!--a- -b-->x</p></body></html>\n"
    );
    assert_eq!(
        utf8(&output.stderr),
        "-:1:1: this is not a valid name: `a:b`, written as `aU00003Ab`, in /html[1]/body[1]/p[1]\n\
         -:1:10: a comment cannot contain this: `a--b`, written as `a- -b`, in \
         /html[1]/body[1]/p[1]\n"
    );
    let output = run(&[&arguments[..], &["-"]].concat(), "<!------>".repeat(30));
    let message = utf8(&output.stderr);
    assert_eq!(message.lines().count(), 11, "{message}");
    assert!(message.ends_with("-: 20 more changes\n"), "{message}");
}

fn strict_refuses() {
    let (message, before) = refused(&["events", "--strict", BROKEN], "", 1);
    assert_eq!(
        message,
        "examples/data/broken.xml:2:13: expected quotes around the attribute value: `u` \
         (unquoted-value)\n"
    );
    assert_eq!(before.lines().count(), 1, "{before}");
    let lines = written(&["events", "--strict", FEED], "");
    assert_eq!(lines, written(&["events", FEED], ""));
}

fn limits_refuse() {
    for command in ["events", "tree"] {
        let (message, _) = refused(&[command, "--dialect=xml", "-"], "<a>".repeat(10_001), 1);
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

fn dialects_are_guessed() {
    let folder = temporary_folder("guess");
    for (name, content, guess) in [
        ("page.html", "<a/>", "html"),
        ("page.HTM", "<?xml version='1.0'?><a/>", "html"),
        ("a.sky", "<a/></>", "sky"),
        ("a.leafxml", "<a/>", "leafxml"),
        ("a.microxml", "a<!b", "microxml"),
        ("plain", " \n<!DOCTYPE HTML><p>", "html"),
        ("plain", "<!-- c --><!DOCTYPE html><p>", "html"),
        ("plain", "<!--a-->\n <!-- > -> -->\t<div class=a>", "html"),
        ("plain", "<!--c--><!doctype HTML SYSTEM 'a'>", "html"),
        ("plain", "<head>", "html"),
        ("plain", "<SCRIPT src=a>", "html"),
        ("plain", "<iframe\nsrc=a>", "html"),
        ("plain", "<h1\tid=a>", "html"),
        ("plain", "<div>", "html"),
        ("plain", "<font color=a>", "html"),
        ("plain", "<table>", "html"),
        ("plain", "<A HREF=a>", "html"),
        ("plain", "<style>", "html"),
        ("plain", "<title>", "html"),
        ("plain", "<b>", "html"),
        ("plain", "<body>", "html"),
        ("plain", "<br>", "html"),
        ("plain", "\u{feff} <p>", "html"),
        ("plain", "<?xml version='1.0'?><html>", "xml"),
        ("plain", "<!--c--><?xml-stylesheet href='a'?><p>", "xml"),
        ("plain", "<!--c--><c/>", "xml"),
        ("plain", "<!--c <p>", "xml"),
        ("plain", "<!--c-->", "xml"),
        ("plain", "<divide>", "xml"),
        ("plain", "<p:a>", "xml"),
        ("plain", "<h2>", "xml"),
        ("plain", "<!--c-->SKY MODULE\n", "xml"),
        ("feed.xml", "<p>", "xml"),
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
            // The guess must not depend on how many bytes are read at once.
            for chunk in ["--chunk=1", "--chunk=7", "--chunk=65536"] {
                let lines = written(&["events", "--format=json", chunk, path], "");
                // In XML, each empty tag would have an end event.
                assert!(!lines.contains("\"end\""), "{lines}");
            }
            let tree = written(&["tree", path], "");
            assert!(tree.contains("body"), "{tree}");
        }
    }
}

fn errors_in_entities_have_their_own_places() {
    let folder = root().join("crates/tagstream-cli/tests/data/check");
    let shown = |format: &str| {
        let events = ["events", "--errors", "--resolve", "--format", format];
        let command = program(&folder, &[&events[..], &["resolved.xml"]].concat());
        utf8(&given(command, []).stdout).to_owned()
    };
    let place = r#""entity":{"file":"resolved-chapter.ent","line":3,"column":10,"span":[53,54]}"#;
    assert!(shown("json").contains(place));
    assert!(shown("text").contains(" (unquoted-value) at resolved-chapter.ent:3:10\n"));
}

fn white_space_before_a_guess() {
    // The guess gives up after 16,384 bytes of whitespace, and the dialect is then XML. In XML, an empty tag has an end
    // event.
    for (before, events) in [(16_000, 1), (16_384, 2)] {
        let white = format!("{}<p />", " ".repeat(before));
        let lines = written(&["events", "--format=json", "-"], white);
        let tags = lines.matches("\"name\":\"p\"").count();
        assert_eq!(tags, events, "{lines}");
        let span = format!("\"span\":[{before},{}]", before + 5);
        assert!(lines.contains(&span), "{lines}");
    }
}

fn sources_in_wide_encodings() {
    let utf_16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let utf_16_be =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    let utf_32 = |text: &str| -> Vec<u8> {
        text.chars()
            .flat_map(|one| u32::from(one).to_be_bytes())
            .collect()
    };
    let encodings: [fn(&str) -> Vec<u8>; 3] = [utf_16, utf_16_be, utf_32];
    for encoded in encodings {
        let document = encoded("\u{feff}<a><b>1</b> <b  x='\u{e9}'/></a>");
        for options in [
            &["b"][..],
            &["--tree", "b"],
            &["b:first-child, b + b"],
            &["--xpath", "//b"],
        ] {
            let arguments = [&["select", "--dialect=xml", "--source"], options, &["-"]].concat();
            let output = run(&arguments, document.clone());
            assert_eq!(utf8(&output.stderr), "");
            assert_eq!(
                output.stdout,
                encoded("<b>1</b>\n<b  x='\u{e9}'/>\n"),
                "{options:?}"
            );
        }
    }
    // The names of several files are in the encoding of each document too.
    let folder = temporary_folder("wide");
    let path = folder.join("a.xml");
    fs::write(&path, utf_16("\u{feff}<a><b/></a>")).unwrap();
    let path = path.to_str().unwrap();
    let output = run(&["select", "--source", "b", path, path], "");
    let line = utf_16(&format!("{path}:<b/>\n"));
    assert_eq!(output.stdout, [&line[..], &line].concat());
}

fn marks_of_sanitized_markup() {
    let utf_16 = |text: &str, to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    };
    let text = "\u{feff}<b onclick='x()'>\u{e9}";
    for document in [
        text.as_bytes().to_vec(),
        utf_16(text, u16::to_le_bytes),
        utf_16(text, u16::to_be_bytes),
    ] {
        for options in [
            &["sanitize", "-"][..],
            &["sanitize", "--encoding=latin1", "-"],
        ] {
            let output = run(options, document.clone());
            assert_eq!(utf8(&output.stdout), "<b>\u{e9}</b>\n", "{options:?}");
        }
    }
}
