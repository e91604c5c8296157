//! The memory of the program does not depend on the length of the input.

use super::{packed, program, root, utf8};
use flate2::Compression;
use std::fs;
use std::io::{Read, Write};
use std::thread;
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli",
        memory_is_constant,
        packed_input_is_not_held,
        check_holds_neither_line_nor_text,
    );
}

/// Runs the program with 96 MiB of text in one element, followed by `end`. Returns the peak of its memory in KiB before
/// `end` is written, and its output.
fn peak(
    arguments: &[&str],
    packed: fn(&[u8]) -> Vec<u8>,
    end: &[u8],
    status: i32,
) -> (usize, Vec<u8>) {
    let mut child = program(root(), arguments).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let mut written = Vec::new();
        stdout.read_to_end(&mut written).unwrap();
        written
    });
    stdin.write_all(&packed(b"<a>")).unwrap();
    let piece = "sixteen letters ".repeat(1 << 16);
    let piece = packed(piece.as_bytes());
    for _ in 0..96 {
        stdin.write_all(&piece).unwrap();
    }
    let told = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let kibibytes = |name: &str| {
        let line = told.lines().find(|line| line.starts_with(name));
        let number = line.unwrap().split_whitespace().nth(1).unwrap();
        number.parse::<usize>().unwrap()
    };
    // The pages of the executable depend on its features and on the profile.
    let peak = kibibytes("VmHWM:") - kibibytes("RssFile:");
    stdin.write_all(&packed(end)).unwrap();
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(status));
    (peak, reader.join().unwrap())
}

/// The text is written in pieces. The memory of the program is less than a tenth of the text.
fn memory_is_constant() {
    let (peak, written) = peak(
        &["events", "--dialect=xml", "--pieces", "-"],
        <[u8]>::to_vec,
        b"",
        0,
    );
    assert!(written.len() > 96 << 20);
    assert!(peak < 9 << 10, "{peak} KiB");
}

/// The program does not retain the uncompressed data either.
fn packed_input_is_not_held() {
    let stored = |bytes: &[u8]| packed::gzip(bytes, Compression::none());
    let (peak, written) = peak(
        &["events", "--dialect=xml", "--pieces", "-"],
        stored,
        b"",
        0,
    );
    assert!(written.len() > 96 << 20);
    assert!(peak < 9 << 10, "{peak} KiB");
}

fn check_holds_neither_line_nor_text() {
    let (peak, written) = peak(
        &["check", "--dialect", "xml", "-"],
        <[u8]>::to_vec,
        b"&</a>",
        1,
    );
    assert!(peak < 10 << 10, "{peak} KiB");
    let shown = utf8(&written);
    assert!(shown.contains("-:1:100663300\n"), "{shown}");
    assert!(shown.contains("letters &</a>\n"), "{shown}");
}
