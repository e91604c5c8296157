//! What `check` does beside the output of the cases: statuses, streams, colours, memory, many errors.

use crate::{files, folder, program};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;
use tagstream::{Event, Html, TreeBuilder};

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |name: &str, test: fn()| {
        Trial::test(name, move || {
            test();
            Ok::<(), Failed>(())
        })
    };
    vec![
        trial("exit statuses", exit_statuses),
        trial("nothing to read", nothing_to_read),
        trial("wrong arguments", wrong_arguments),
        trial("standard input", standard_input),
        trial("standard input byte by byte", standard_input_byte_by_byte),
        trial("an error is told as its line ends", told_at_once),
        trial("a closed pipe", closed_pipe),
        trial("colours only where wanted", colours),
        trial("json", json),
        trial("errors of html are those of a tree builder", html_as_built),
        trial("many errors in one line", many_errors_in_one_line),
        trial("a long line and little memory", little_memory),
        trial("a token longer than what is kept", too_long_ago),
        trial("anything can be checked", anything),
    ]
}

fn temporary(name: &str, content: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path
}

fn run(arguments: &[&str]) -> Output {
    program(&folder(), arguments).output().unwrap()
}

/// The output for what is given on standard input, in pieces.
fn given<'a>(arguments: &[&str], pieces: impl IntoIterator<Item = &'a [u8]>) -> Output {
    let mut child = piped(program(&folder(), arguments)).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let reader = thread::spawn(move || child.wait_with_output().unwrap());
    for piece in pieces {
        // A program that stops at an error closes the pipe.
        if stdin.write_all(piece).is_err() {
            break;
        }
    }
    drop(stdin);
    reader.join().unwrap()
}

fn piped(mut command: Command) -> Command {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
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
        assert!(text(&output.stderr).contains(said), "{output:?}");
    }
    assert_eq!(text(&run(&["no-such-file.xml"]).stderr).lines().count(), 1);
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
        assert_eq!(text(&output.stdout), "");
    }
}

fn standard_input() {
    let document = fs::read(folder().join("xml-tags.xml")).unwrap();
    let output = given(&["-"], [&document[..]]);
    assert_eq!(output.status.code(), Some(1));
    let named = text(&output.stdout).replace("--> -:", "--> xml-tags.xml:");
    assert_eq!(named, text(&run(&["xml-tags.xml"]).stdout));
    assert_eq!(text(&output.stderr), "-: 9 errors\n");
    let output = given(&["--dialect", "xml", "clean.xml", "-"], [&b"<a/>"[..]]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "no errors in 2 files\n");
}

fn standard_input_byte_by_byte() {
    let encodings = ["latin-1", "shift-jis", "utf-16", "utf-32", "crlf", "marked"];
    for name in encodings.map(|encoding| format!("shown-{encoding}.xml")) {
        let document = fs::read(folder().join(&name)).unwrap();
        let output = given(&["-"], document.chunks(1));
        let named = text(&output.stdout).replace("--> -:", &format!("--> {name}:"));
        assert_eq!(named, text(&run(&[&name]).stdout));
    }
}

fn told_at_once() {
    let mut child = piped(program(&folder(), &["--dialect", "xml", "-"]))
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let (sender, lines) = channel();
    thread::spawn(move || {
        // What comes after the lines that are looked at is of no account.
        for line in stdout.lines() {
            if sender.send(line.unwrap()).is_err() {
                break;
            }
        }
    });
    stdin.write_all(b"<a>\n & here\n").unwrap();
    let mut told = String::new();
    while !told.ends_with("^\n") {
        // A line that never comes fails the test; how long a line takes is of no account.
        let line = lines.recv_timeout(Duration::from_secs(30));
        told += &line.expect("a line without a further byte of input");
        told.push('\n');
    }
    assert!(told.contains("2 |  & here\n"), "{told}");
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

fn closed_pipe() {
    for format in ["text", "json"] {
        let mut child = piped(program(&folder(), &["--format", format, "-"]))
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let writer = thread::spawn(move || while stdin.write_all(b"<a>&</a>\n").is_ok() {});
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stderr), "");
    }
}

fn colours() {
    let plain = run(&["xml-tags.xml"]);
    assert!(!plain.stdout.contains(&0x1B));
    let mut forced = program(&folder(), &["xml-tags.xml"]);
    let forced = forced.env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(forced.stdout.contains(&0x1B));
    let mut refused = program(&folder(), &["xml-tags.xml"]);
    let refused = refused.env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1");
    assert_eq!(refused.output().unwrap().stdout, plain.stdout);
}

/// Each line is what the text says, in the same order.
fn json() {
    for document in files("xml").chain(files("html")) {
        let name = document.file_name().unwrap().to_str().unwrap();
        let lines = run(&["--format", "json", name]);
        let mut told = String::new();
        for line in text(&lines.stdout).lines() {
            let error: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(error["file"], name);
            assert!(error["span"][0].as_u64() <= error["span"][1].as_u64());
            let (code, message) = (&error["code"], &error["message"]);
            let (code, message) = (code.as_str().unwrap(), message.as_str().unwrap());
            let (line, column) = (&error["line"], &error["column"]);
            told += &format!("error[{code}]: {message} --> {name}:{line}:{column}\n");
        }
        let output = run(&[name]);
        let mut lines = text(&output.stdout).lines();
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

/// That no tree is built makes no difference to what is wrong.
fn html_as_built() {
    let tags = [
        "p", "a", "b", "table", "td", "select", "option", "svg", "form", "template", "h1",
    ];
    let (mut noise, mut state) = (String::new(), 0x9E37_79B9_u32);
    for _ in 0..20_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let tag = tags[(state >> 16) as usize % tags.len()];
        noise += ["<", "</", "x<", "<!--><"][(state >> 28) as usize % 4];
        noise += tag;
        noise += ">";
    }
    let noise = temporary("noise.html", noise.as_bytes());
    for document in files("html").chain([noise]) {
        let name = document.to_str().unwrap();
        if name.ends_with("label.html") {
            continue;
        }
        let mut builder = TreeBuilder::new(Html::default()).errors(true);
        builder.feed(fs::read(&document).unwrap());
        builder.finish();
        let mut built = Vec::new();
        while let Some(event) = builder.next_event().unwrap() {
            if let Event::ParseError(error) = event {
                let (line, column) = (error.position().line(), error.position().column());
                built.push((error.code().as_str().to_owned(), line, column));
            }
        }
        let output = run(&["--format", "json", name]);
        let lines = text(&output.stdout).lines();
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

/// Each error is shown with a piece of the line: what is written grows with the number of errors
/// only.
fn many_errors_in_one_line() {
    let line = format!("<a>{}</a>", "& text ".repeat(100_000));
    let file = temporary("many.xml", line.as_bytes());
    let output = run(&[file.to_str().unwrap()]);
    let shown = text(&output.stdout);
    assert_eq!(shown.matches("error[invalid-reference]").count(), 100_000);
    let longest = shown.lines().map(|line| line.chars().count()).max();
    assert!(longest < Some(400), "{longest:?}");
    assert!(text(&output.stderr).ends_with("many.xml: 100000 errors\n"));
}

/// 96 MiB of a line go through; the program holds neither the line nor the text.
fn little_memory() {
    let mut child = piped(program(&folder(), &["--dialect", "xml", "-"]))
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let stdout = child.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let mut shown = String::new();
        BufReader::new(stdout).read_to_string(&mut shown).unwrap();
        shown
    });
    stdin.write_all(b"<a>").unwrap();
    let piece = "sixteen letters ".repeat(1 << 16);
    for _ in 0..96 {
        stdin.write_all(piece.as_bytes()).unwrap();
    }
    if cfg!(target_os = "linux") {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let mut lines = status.lines();
        let peak = lines.find(|line| line.starts_with("VmHWM:")).unwrap();
        let peak: usize = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(peak < 10 << 10, "{peak} KiB");
    }
    stdin.write_all(b"&</a>").unwrap();
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let shown = reader.join().unwrap();
    assert!(shown.contains("-:1:100663300\n"), "{shown}");
    assert!(shown.contains("letters &</a>\n"), "{shown}");
}

/// An end tag of 20 MiB: where it begins is told, though its text is not kept.
fn too_long_ago() {
    let blank = vec![b' '; 20 << 20];
    let pieces = [&b"<a></b"[..], &blank, b"></a>"];
    let output = given(&["--dialect", "xml", "-"], pieces);
    assert_eq!(
        text(&output.stdout),
        "error[stray-end-tag]: no element is open that this tag could end\n --> -:1:4\n  \
         = too long ago to be shown\n\n"
    );
}

/// Noise, in every dialect and some encodings.
fn anything() {
    let mut noise = Vec::new();
    let mut state = 0x2545_F491_u32;
    for _ in 0..20_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        noise.push((state >> 24) as u8);
    }
    let markup = noise
        .iter()
        .map(|byte| b"<>&;!-[]/?='\" \r\na\xC3\xA9"[*byte as usize % 19]);
    let markup: Vec<_> = markup.collect();
    for (name, content) in [("noise", &noise), ("markup", &markup)] {
        let file = temporary(name, content);
        let file = file.to_str().unwrap();
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
            let shown = text(&output.stdout);
            let told = shown.lines().filter(|line| line.starts_with("error["));
            let places = shown
                .lines()
                .filter(|line| line.trim_start().starts_with("--> "));
            assert!(told.count() <= places.count(), "{arguments:?}");
        }
    }
}
