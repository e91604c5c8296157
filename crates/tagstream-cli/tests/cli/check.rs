//! The subcommand `check`, apart from the output of its cases: exit statuses, standard input, and many errors.

use super::check_cases::{files, folder};
use super::{given, noise, program, temporary, utf8};
use std::fs;
use std::process::{Command, Output};
use tagstream::{Event, Html, TreeBuilder};
use testing::cases;
use testing::effort::sized;
use testing::random::Random;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli/check",
        exit_statuses,
        nothing_to_read,
        wrong_arguments,
        standard_input,
        standard_input_byte_by_byte,
        json,
        html_as_built,
        many_errors_in_one_line,
        too_long_ago,
        anything,
    );
}

/// Returns the command that runs `check` in the folder of the cases.
fn command(arguments: &[&str]) -> Command {
    program(&folder(), &[&["check"], arguments].concat())
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    given(command(arguments), [])
}

fn exit_statuses() {
    for (arguments, status) in [
        (&["clean.xml"][..], 0),
        (&["clean.xml", "clean.xml"], 0),
        (&["--strict", "clean.xml"], 0),
        (&["xml-tags.xml"], 1),
        (&["clean.xml", "xml-tags.xml", "clean.xml"], 1),
        (&["--strict", "xml-tags.xml"], 1),
        (&["--strict", "html-tags.html"], 1),
        (&["xml-limit.xml"], 1),
        (&["no-such-file.xml", "xml-tags.xml"], 2),
        (&["clean.xml", "no-such-file.xml"], 2),
    ] {
        assert_eq!(run(arguments).status.code(), Some(status), "{arguments:?}");
    }
}

fn nothing_to_read() {
    for (arguments, said) in [
        (&["no-such-file.xml"][..], "no-such-file.xml"),
        (&["."], "folder"),
        (&["--encoding", "klingon", "clean.xml"], "klingon"),
        (&["-", "-"], "only once"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(utf8(&output.stderr).contains(said), "{output:?}");
    }
    assert_eq!(utf8(&run(&["no-such-file.xml"]).stderr).lines().count(), 1);
}

fn wrong_arguments() {
    for arguments in [
        &[][..],
        &["--dialect", "sgml", "clean.xml"],
        &["--format", "xml", "clean.xml"],
        &["--pieces", "clean.xml"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(utf8(&output.stdout), "");
    }
}

/// Returns the output for standard input, with this file name in place of `-`.
fn named(output: &Output, name: &str) -> String {
    let arrows = [("--> -:", "-->"), ("::: -:", ":::")];
    arrows
        .iter()
        .fold(utf8(&output.stdout).to_owned(), |text, (of, arrow)| {
            text.replace(of, &format!("{arrow} {name}:"))
        })
}

fn standard_input() {
    let document = fs::read(folder().join("xml-tags.xml")).unwrap();
    let output = given(command(&["--dialect=xml", "-"]), [&document[..]]);
    assert_eq!(output.status.code(), Some(1));
    let named = named(&output, "xml-tags.xml");
    assert_eq!(named, utf8(&run(&["xml-tags.xml"]).stdout));
    assert_eq!(utf8(&output.stderr), "-: 9 errors\n");
    let output = given(
        command(&["--dialect", "xml", "clean.xml", "-"]),
        [&b"<a/>"[..]],
    );
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(utf8(&output.stderr), "no errors in 2 files\n");
}

fn standard_input_byte_by_byte() {
    let encodings = ["latin-1", "shift-jis", "utf-16", "utf-32", "crlf", "marked"];
    for name in encodings.map(|encoding| format!("shown-{encoding}.xml")) {
        let document = fs::read(folder().join(&name)).unwrap();
        let output = given(command(&["--dialect=xml", "-"]), document.chunks(1));
        let named = named(&output, &name);
        assert_eq!(named, utf8(&run(&[&name]).stdout));
    }
}

/// The lines of the JSON format contain the same errors as the text format, in the same order.
fn json() {
    for document in files("xml").chain(files("html")) {
        let name = document.file_name().unwrap().to_str().unwrap();
        let lines = run(&["--format", "json", name]);
        let mut told = String::new();
        for line in utf8(&lines.stdout).lines() {
            let error: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(error["file"], name);
            assert!(error["span"][0].as_u64() <= error["span"][1].as_u64());
            let (code, message) = (&error["code"], &error["message"]);
            let (code, message) = (code.as_str().unwrap(), message.as_str().unwrap());
            let (line, column) = (&error["line"], &error["column"]);
            told += &format!("error[{code}]: {message} --> {name}:{line}:{column}\n");
        }
        let output = run(&[name]);
        let mut lines = utf8(&output.stdout).lines();
        let mut wanted = String::new();
        while let Some(line) = lines.next() {
            if line.starts_with("error[") {
                let place = lines.next().unwrap_or_default().trim_start();
                wanted += &format!("{line} {place}\n");
            }
        }
        assert_eq!(told, wanted);
    }
}

/// `check` builds no tree. It reports the same errors as a tree builder all the same.
fn html_as_built() {
    let tags = [
        "p", "a", "b", "table", "td", "select", "option", "svg", "form", "template", "h1",
    ];
    let (mut noise, mut random) = (String::new(), Random(0x9e37_79b9));
    for _ in 0..20_000 {
        noise += random.pick(&["<", "</", "x<", "<!--><"]);
        noise += random.pick(&tags);
        noise += ">";
    }
    let noise = temporary("noise.html", noise.as_bytes()).into();
    for document in files("html").chain([noise]) {
        let name = document.to_str().unwrap();
        if name.ends_with("label.html") {
            continue;
        }
        let mut builder = TreeBuilder::new(Html::default()).report_errors(true);
        builder.supply(fs::read(&document).unwrap());
        builder.supply_end();
        let mut built = Vec::new();
        while let Some(event) = builder.next_event().unwrap() {
            if let Event::ParseError(error) = event {
                let (line, column) = (error.position().line(), error.position().column());
                built.push((error.code().as_str().to_owned(), line, column));
            }
        }
        let output = run(&["--format", "json", name]);
        let lines = utf8(&output.stdout).lines();
        let checked = lines.map(|line| {
            let error: serde_json::Value = serde_json::from_str(line).unwrap();
            let (line, column) = (error["line"].as_u64(), error["column"].as_u64());
            let code = error["code"].as_str().unwrap_or_default().to_owned();
            (code, line.unwrap(), column.unwrap())
        });
        assert_eq!(checked.collect::<Vec<_>>(), built, "{name}");
        assert!(!built.is_empty());
    }
}

/// Each error is shown with only a part of its line. The length of the output therefore depends on the number of
/// errors, but not on the length of the line.
fn many_errors_in_one_line() {
    let line = format!("<a>{}</a>", "& text ".repeat(100_000));
    let file = temporary("many.xml", line.as_bytes());
    let output = run(&[&file]);
    let shown = utf8(&output.stdout);
    assert_eq!(shown.matches("error[invalid-reference]").count(), 100_000);
    let longest = shown.lines().map(|line| line.chars().count()).max();
    assert!(longest < Some(400), "{longest:?}");
    assert!(utf8(&output.stderr).ends_with("many.xml: 100000 errors\n"));
}

/// The error of an end tag of 20 MiB has the position of the tag, although the text at this position is no longer
/// buffered.
fn too_long_ago() {
    let blank = vec![b' '; 20 << 20];
    let pieces = [&b"<a></b"[..], &blank, b"></a>"];
    let output = given(command(&["--dialect", "xml", "-"]), pieces);
    assert_eq!(
        utf8(&output.stdout),
        "error[stray-end-tag]: no open element matches this end tag\n --> -:1:4\n  \
         = too long ago to be shown\n ::: -:1:1\n  = opened here, too long ago to be \
         shown\n\n"
    );
}

/// Random bytes and random markup, in every dialect and in some encodings.
fn anything() {
    let noise = noise(sized(20_000));
    let markup = noise
        .iter()
        .map(|byte| b"<>&;!-[]/?='\" \r\na\xC3\xA9"[*byte as usize % 19]);
    let markup: Vec<_> = markup.collect();
    for (name, content) in [("check-noise", &noise), ("check-markup", &markup)] {
        let file = temporary(name, content);
        let file = &*file;
        for arguments in [
            &["--dialect", "xml", file][..],
            &["--dialect", "xml", "--strict", file],
            &["--dialect", "xml", "--encoding", "utf-16le", file],
            &["--dialect", "xml", "--encoding", "iso-2022-jp", file],
            &["--dialect", "html", file],
            &["--dialect", "html", "--encoding", "gb18030", file],
            &["--dialect", "microxml", file],
            &["--dialect", "microxml", "--revision", "final", file],
            &["--dialect", "sky", file],
            &["--dialect", "leafxml", file],
        ] {
            let output = run(arguments);
            assert_eq!(output.status.code(), Some(1), "{arguments:?} {output:?}");
            let shown = utf8(&output.stdout);
            let told = shown.lines().filter(|line| line.starts_with("error["));
            let places = shown
                .lines()
                .filter(|line| line.trim_start().starts_with("--> "));
            assert!(told.count() <= places.count(), "{arguments:?}");
        }
    }
}
