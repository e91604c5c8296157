//! Compressed input: its events are written as its bytes arrive, and its file name indicates the dialect of the
//! contents. `tests/data/cli.txt` has the output for each compression format and for damaged input.

use super::{Conversation, FEED, program, root, temporary_folder, utf8, written};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli/packed",
        events_come_out_as_bytes_come_in,
        the_name_tells_what_is_in_it,
        chunks_are_of_what_is_in_it,
        several_members_are_one_input,
    );
}

const FAST: Compression = Compression::fast();

pub(super) fn gzip(bytes: &[u8], compression: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), compression);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn events_come_out_as_bytes_come_in() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let mut conversation = Conversation::new(&["events", "--dialect=xml", "-"]);
    for (said, heard) in [("<p>a<b>", &["p", "a", "b"][..]), ("c</b>", &["c", "b"])] {
        encoder.write_all(said.as_bytes()).unwrap();
        encoder.flush().unwrap();
        conversation.say_bytes(&std::mem::take(encoder.get_mut()));
        heard.iter().for_each(|line| conversation.hear(line));
    }
    conversation.say_bytes(&encoder.finish().unwrap());
    conversation.end();
}

fn the_name_tells_what_is_in_it() {
    let folder = temporary_folder("packed");
    for (name, wanted) in [
        ("a.html.gz", "<html>"),
        ("a.xml.GZ", "<p>"),
        ("a.gz", "<html>"),
    ] {
        let file = folder.join(name);
        fs::write(&file, gzip(b"<p>", FAST)).unwrap();
        let tree = written(&["tree", file.to_str().unwrap()], "");
        assert!(tree.starts_with(wanted), "{name}: {tree}");
    }
}

fn chunks_are_of_what_is_in_it() {
    let file = temporary_folder("packed-chunks").join("feed.xml.gz");
    fs::write(&file, gzip(&fs::read(root().join(FEED)).unwrap(), FAST)).unwrap();
    let file = file.to_str().unwrap();
    for chunk in ["1", "3", "100000"] {
        let events = ["events", "--chunk", chunk];
        assert_eq!(
            written(&[&events[..], &[file]].concat(), ""),
            written(&[&events[..], &[FEED]].concat(), ""),
        );
    }
}

fn several_members_are_one_input() {
    let member = gzip(b"<b/>", FAST);
    let input = [
        gzip(b"<a>", FAST),
        member.repeat(20_000),
        gzip(b"</a>", FAST),
    ]
    .concat();
    let output = super::given(
        program(root(), &["events", "--dialect=xml", "--format=json", "-"]),
        input.chunks(4096),
    );
    assert_eq!(utf8(&output.stdout).lines().count(), 2 * 20_000 + 2);
    assert_eq!(output.status.code(), Some(0));
}
