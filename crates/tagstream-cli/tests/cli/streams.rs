//! Properties of all subcommands: events are written as the input arrives, and closed pipes and colours are handled.

use super::{Conversation, FEED, given, program, root, utf8};
use std::io::{BufRead, BufReader, Write};
use std::thread;
use testing::cases;
use testing::run::Program;

const BROKEN: &str = "crates/tagstream-cli/tests/data/check/xml-tags.xml";

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli",
        events_come_out_as_bytes_come_in,
        a_closed_pipe_ends_it_quietly,
        a_closed_pipe_ends_a_tree_quietly,
        colours_only_where_wanted,
    );
}

/// Pairs of a part of the input, and of strings in the lines that must be written before the next part.
type Talk = &'static [(&'static str, &'static [&'static str])];

fn events_come_out_as_bytes_come_in() {
    let events: Talk = &[
        ("<p>a<b>", &["p", "a", "b"]),
        ("c</b", &["c"]),
        (">", &["b"]),
        ("</p>", &["p"]),
    ];
    let pieces: Talk = &[("<p>one", &["<p>", "one"]), (" two", &[" two"])];
    let html: Talk = &[(
        "<!DOCTYPE><p>a<b>",
        &[
            r#""name":null"#,
            r#""name":"p""#,
            r#""data":"a""#,
            r#""name":"b""#,
        ],
    )];
    // The dialect is guessed when enough bytes have arrived. The bytes before are not lost.
    let guessed: Talk = &[
        ("<", &[]),
        ("!", &[]),
        ("-", &[]),
        ("-x--><c>", &["comment", "start"]),
    ];
    for (arguments, talk) in [
        (&["events", "--dialect=xml", "-"][..], events),
        (&["events", "--dialect=xml", "--format=json", "-"], events),
        (&["events", "--dialect=xml", "--chunk=3", "-"], events),
        (&["events", "--dialect=xml", "--pieces", "-"], pieces),
        (
            &[
                "events",
                "--dialect=html",
                "--encoding=utf-8",
                "--format=json",
                "-",
            ],
            html,
        ),
        (&["events", "--format=json", "-"], guessed),
    ] {
        let mut conversation = Conversation::new(arguments);
        for (said, heard) in talk {
            conversation.say(said);
            heard.iter().for_each(|line| conversation.hear(line));
        }
        conversation.end();
    }
    // An error is written when the end of its line has arrived.
    let mut check = Conversation::new(&["check", "--dialect", "xml", "-"]);
    check.say("<a>\n & here\n");
    for line in ["error[", "--> -:2:2", "|", "2 |  & here", "^"] {
        check.hear(line);
    }
    assert_eq!(check.close().1, Some(1));
}

fn a_closed_pipe_ends_it_quietly() {
    for (arguments, status) in [
        (&["events", "--dialect=xml", "--format=text", "-"][..], 0),
        (&["events", "--dialect=xml", "--format=json", "-"], 0),
        (&["check", "--dialect=xml", "--format=text", "-"], 1),
        (&["check", "--dialect=xml", "--format=json", "-"], 1),
    ] {
        let mut child = program(root(), arguments).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        // This is more than a pipe can buffer. The program therefore ends because the pipe is closed, not because all
        // output is written.
        let writer = thread::spawn(move || while stdin.write_all(b"<a>&</a>\n").is_ok() {});
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.contains('a'), "{line}");
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        assert_eq!(utf8(&output.stderr), "");
    }
}

fn a_closed_pipe_ends_a_tree_quietly() {
    let input = format!("<a>{}</a>", "<b>text</b>".repeat(100_000));
    let mut child = program(root(), &["tree", "-"]).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(utf8(&output.stderr), "");
}

fn colours_only_where_wanted() {
    for arguments in [["events", FEED], ["check", BROKEN]] {
        let written = |variables: &[&str]| {
            let mut command = program(root(), &arguments);
            command.envs(variables.iter().map(|name| (*name, "1")));
            given(command, []).stdout
        };
        let plain = written(&[]);
        assert!(!plain.contains(&0x1b), "{arguments:?}");
        assert!(
            written(&["CLICOLOR_FORCE"]).contains(&0x1b),
            "{arguments:?}"
        );
        assert_eq!(written(&["CLICOLOR_FORCE", "NO_COLOR"]), plain);
    }
}
