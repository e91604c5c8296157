//! The program `tagstream`, run as its users run it: what it writes, where, and how it ends.
//!
//! Nothing here waits for a clock: where the order of things matters, the test holds both ends of
//! the pipe.

#[path = "cli/dialects.rs"]
mod dialects;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

const FEED: &str = "examples/data/feed.xml";
const BROKEN: &str = "examples/data/broken.xml";

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tagstream"));
    command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str], input: impl Into<Vec<u8>>) -> Output {
    finish(program(arguments), input)
}

fn finish(mut command: Command, input: impl Into<Vec<u8>>) -> Output {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.into();
    let writer = thread::spawn(move || {
        // A program that refuses its input early closes the pipe.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// What it writes where all is well.
fn written(arguments: &[&str], input: impl Into<Vec<u8>>) -> String {
    let output = run(arguments, input);
    assert_eq!(utf8(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    utf8(&output.stdout).to_owned()
}

/// The one line that it says where it ends with `status`, and what it has written before.
fn refused(arguments: &[&str], input: impl Into<Vec<u8>>, status: i32) -> (String, String) {
    let output = run(arguments, input);
    let message = utf8(&output.stderr).to_owned();
    assert_eq!(
        output.status.code(),
        Some(status),
        "{arguments:?} {message}"
    );
    assert_eq!(message.matches('\n').count(), 1, "{message:?}");
    assert!(message.ends_with('\n'), "{message:?}");
    (message, utf8(&output.stdout).to_owned())
}

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn temporary(name: &str, content: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path
}

#[test]
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

#[test]
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

#[test]
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

#[test]
fn indentation_has_an_end() {
    let lines = written(&["events", "-"], "<a>".repeat(9_000));
    let longest = lines.lines().map(str::len).max();
    assert!(longest < Some(100), "{longest:?}");
}

#[test]
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

#[test]
fn standard_input_is_a_file_like_any_other() {
    for command in ["events", "tree"] {
        let bytes = fs::read(FEED).unwrap();
        assert_eq!(
            written(&[command, "-"], bytes),
            written(&[command, FEED], "")
        );
    }
}

#[test]
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
    let whole = text(&written(&events, input.clone()));
    assert_eq!(whole.len(), 1);
    let pieces = text(&written(&[&events[..], &["--pieces"]].concat(), input));
    assert!(pieces.len() > 100, "{}", pieces.len());
    assert_eq!(pieces.concat(), whole[0]);
}

/// Writes to the program, then reads what must come out of it without a further byte.
struct Conversation {
    child: Child,
    lines: Receiver<String>,
}

impl Conversation {
    fn new(arguments: &[&str]) -> Conversation {
        let mut child = program(arguments).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                sender.send(line.unwrap()).unwrap();
            }
        });
        Conversation { child, lines }
    }

    fn say(&mut self, bytes: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(bytes.as_bytes()).unwrap();
    }

    /// A line that never comes fails the test; how long a line takes is of no account.
    fn hear(&mut self, expected: &str) {
        let line = self.lines.recv_timeout(Duration::from_secs(30));
        let line = line.unwrap_or_else(|_| panic!("nothing came out for {expected}"));
        assert!(line.contains(expected), "{line} for {expected}");
    }

    fn end(mut self) {
        drop(self.child.stdin.take());
        assert_eq!(self.lines.iter().next(), None);
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

/// A program that did not say what it should still waits for more.
impl Drop for Conversation {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

#[test]
fn events_come_out_as_bytes_come_in() {
    for arguments in [
        &["events", "-"][..],
        &["events", "--format=json", "-"],
        &["events", "--dialect=xml", "--chunk=3", "-"],
    ] {
        let mut events = Conversation::new(arguments);
        events.say("<p>a<b>");
        events.hear("p");
        events.hear("a");
        events.hear("b");
        events.say("c</b");
        events.hear("c");
        events.say(">");
        events.hear("b");
        events.say("</p>");
        events.hear("p");
        events.end();
    }
}

#[test]
fn pieces_come_out_as_bytes_come_in() {
    let mut events = Conversation::new(&["events", "--pieces", "-"]);
    events.say("<p>one");
    events.hear("<p>");
    events.hear("one");
    events.say(" two");
    events.hear(" two");
    events.end();
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    for format in ["text", "json"] {
        let mut child = program(&["events", "--format", format, "-"])
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        // More than any pipe holds: it ends because nobody reads, not because all is written.
        let writer = thread::spawn(move || while stdin.write_all(b"<a>text</a>\n").is_ok() {});
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.contains('a'), "{line}");
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(utf8(&output.stderr), "");
    }
}

#[test]
fn a_closed_pipe_ends_a_tree_quietly() {
    let input = format!("<a>{}</a>", "<b>text</b>".repeat(100_000));
    let mut child = program(&["tree", "-"]).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(utf8(&output.stderr), "");
}

#[test]
fn anything_is_read() {
    let mut noise = Vec::new();
    let mut state = 0x2545_f491_u32;
    for _ in 0..100_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        noise.push((state >> 24) as u8);
    }
    let noise = temporary("noise", &noise);
    let empty = temporary("empty.xml", b"");
    for file in [noise, empty] {
        let file = file.to_str().unwrap();
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

#[test]
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

#[test]
fn limits_refuse() {
    for command in ["events", "tree"] {
        let (message, _) = refused(&[command, "-"], "<a>".repeat(10_001), 1);
        assert!(message.starts_with("-:1:30001: "), "{message}");
        assert!(message.ends_with(" (depth-limit)\n"), "{message}");
    }
}

#[test]
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

#[test]
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

#[test]
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

#[test]
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

#[test]
fn dialects_are_guessed() {
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
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("guess");
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join(name);
        fs::write(&path, content).unwrap();
        let arguments = ["events", path.to_str().unwrap()];
        if guess != "html" {
            let named = ["events", "--dialect", guess, arguments[1]];
            assert_eq!(written(&arguments, ""), written(&named, ""), "{name}");
        } else {
            let lines = written(&["events", "--format=json", path.to_str().unwrap()], "");
            // XML has an end for each empty tag.
            assert!(!lines.contains("\"end\""), "{lines}");
            let tree = written(&["tree", path.to_str().unwrap()], "");
            assert!(tree.contains("body"), "{tree}");
        }
    }
}

#[test]
fn html_events_are_there_at_once() {
    let mut events = Conversation::new(&[
        "events",
        "--dialect=html",
        "--encoding=utf-8",
        "--format=json",
        "-",
    ]);
    events.say("<!DOCTYPE><p>a<b>");
    for wanted in [
        r#""name":null"#,
        r#""name":"p""#,
        r#""data":"a""#,
        r#""name":"b""#,
    ] {
        events.hear(wanted);
    }
    events.end();
    let lines = written(
        &[
            "events",
            "--dialect=html",
            "--scripting",
            "--format=json",
            "-",
        ],
        "<noscript><b></noscript>",
    );
    assert!(lines.contains(r#""data":"<b>""#), "{lines}");
}

#[test]
fn the_guess_waits_for_what_decides_and_loses_nothing() {
    let mut events = Conversation::new(&["events", "--format=json", "-"]);
    events.say("<");
    events.say("!");
    events.say("-");
    events.say("-x--><a>");
    events.hear("comment");
    events.hear("start");
    events.end();
    let white = format!("{}<a>", " ".repeat(2000));
    let lines = written(&["events", "--format=json", "-"], white);
    assert!(lines.ends_with("\"span\":[2000,2003]}\n"), "{lines}");
}

#[test]
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

#[test]
fn errors_in_entities_have_their_own_places() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/check");
    let shown = |format: &str| {
        let mut command = program(&["events", "--errors", "--resolve", "--format", format]);
        command.current_dir(folder).arg("resolved.xml");
        utf8(&finish(command, "").stdout).to_owned()
    };
    let place = r#""entity":{"file":"resolved-chapter.ent","line":3,"column":10,"span":[53,54]}"#;
    assert!(shown("json").contains(place));
    assert!(shown("text").contains(" (unquoted-value) at resolved-chapter.ent:3:10\n"));
}

#[test]
fn namespaces_can_be_turned_off() {
    let input = "<p:a/>";
    for command in ["events", "tree"] {
        refused(&[command, "--strict", "-"], input, 1);
        written(&[command, "--strict", "--no-namespaces", "-"], input);
    }
}

#[test]
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

#[test]
fn a_tree_in_html5lib_has_namespaces() {
    let tree = written(
        &["tree", "--format=html5lib", "-"],
        "<s xmlns='urn:a' p:b='c' xmlns:p='urn:p'/>",
    );
    assert!(tree.starts_with("| <{urn:a}s>\n"), "{tree}");
    assert!(tree.contains("{urn:p}"), "{tree}");
}

#[test]
fn colours_only_where_wanted() {
    let plain = written(&["events", FEED], "");
    assert!(!plain.contains('\u{1b}'));
    let mut forced = program(&["events", FEED]);
    forced.env("CLICOLOR_FORCE", "1");
    let forced = finish(forced, "");
    assert!(forced.stdout.contains(&0x1b));
    let mut refused = program(&["events", FEED]);
    refused.env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1");
    assert_eq!(utf8(&finish(refused, "").stdout), plain);
}

/// 96 MiB of one text go through in pieces; the program never holds a tenth of that.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_constant() {
    let mut child = program(&["events", "--pieces", "-"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let mut buffer = vec![0; 1 << 20];
        let mut total = 0;
        loop {
            match stdout.read(&mut buffer).unwrap() {
                0 => return total,
                read => total += read,
            }
        }
    });
    stdin.write_all(b"<a>").unwrap();
    let piece = "sixteen letters ".repeat(1 << 16);
    for _ in 0..96 {
        stdin.write_all(piece.as_bytes()).unwrap();
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    let peak: usize = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert!(reader.join().unwrap() > 96 << 20);
    assert!(peak < 9 << 10, "{peak} KiB");
}
