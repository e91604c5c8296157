//! Tests that run the program `tagstream` as users do: its output, the destination of the output, and its exit status.
//!
//! The tests do not depend on timing. Where the order of input and output matters, the test controls both ends of the
//! pipe.
//!
//! - `awkward`: random runs of every subcommand.
//! - `check.rs`: the subcommand `check`; `check_cases.rs`: its cases in `tests/data/check`.
//! - `commands.rs`: `events` and `tree`.
//! - `in_place.rs`: `rewrite --in-place`.
//! - `crash_resume.rs`: `events --checkpoint`, killed and run again.
//! - `damaged_checkpoints.rs`: checkpoint files with a changed bit.
//! - `explore.rs`: the subcommand `explore`.
//! - `memory.rs`: the memory of the program; `streams.rs`: pipes and colours.
//! - `packed.rs`: compressed input, in addition to the rows in `tests/data/cli.txt`.
//! - `records.rs`: the subcommand `records`; `records_malformed.rs`: its malformed rows.
//! - `shells.rs`: shell completions and the manual page.
//! - `unseen.rs`: characters that could control a terminal, and files outside the root of entities.

mod awkward;
mod check;
mod check_cases;
mod commands;
#[cfg(unix)]
mod crash_resume;
#[cfg(unix)]
mod damaged_checkpoints;
#[cfg(feature = "explore")]
mod explore;
#[cfg(unix)]
mod in_place;
#[cfg(target_os = "linux")]
mod memory;
mod packed;
#[cfg(feature = "records")]
mod records;
#[cfg(feature = "records")]
mod records_index;
#[cfg(feature = "records")]
mod records_malformed;
mod shells;
mod streams;
#[cfg(unix)]
mod unseen;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;
use testing::random::Random;
use testing::run::Program;

fn main() -> ExitCode {
    let mut program = Program::default();
    add(&mut program);
    program.run()
}

fn add(program: &mut Program) {
    awkward::add(program);
    check::add(program);
    check_cases::add(program);
    commands::add(program);
    #[cfg(unix)]
    in_place::add(program);
    #[cfg(unix)]
    crash_resume::add(program);
    #[cfg(unix)]
    damaged_checkpoints::add(program);
    #[cfg(feature = "explore")]
    explore::add(program);
    #[cfg(target_os = "linux")]
    memory::add(program);
    packed::add(program);
    #[cfg(feature = "records")]
    records::add(program);
    #[cfg(feature = "records")]
    records_index::add(program);
    #[cfg(feature = "records")]
    records_malformed::add(program);
    shells::add(program);
    streams::add(program);
    #[cfg(unix)]
    unseen::add(program);
}

const FEED: &str = "examples/data/feed.xml";
const BROKEN: &str = "examples/data/broken.xml";

/// Returns the root of the repository, the folder in which the commands run.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tagstream"));
    command
        .args(arguments)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs a command, writes the pieces to its standard input, and returns its output.
fn given<'a>(mut command: Command, pieces: impl IntoIterator<Item = &'a [u8]>) -> Output {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let reader = thread::spawn(move || child.wait_with_output().unwrap());
    for piece in pieces {
        // A program that refuses its input early closes the pipe.
        if stdin.write_all(piece).is_err() {
            break;
        }
    }
    drop(stdin);
    reader.join().unwrap()
}

fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    given(program(root(), arguments), [input.as_ref()])
}

/// Runs the program. Returns its output, and asserts that it succeeds without a message.
fn written(arguments: &[&str], input: impl AsRef<[u8]>) -> String {
    let output = run(arguments, input);
    assert_eq!(utf8(&output.stderr), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    utf8(&output.stdout).to_owned()
}

/// Runs the program and asserts that it ends with `status` and writes a message of one line. Returns the message, and
/// the output before the failure.
fn refused(arguments: &[&str], input: impl AsRef<[u8]>, status: i32) -> (String, String) {
    let output = run(arguments, input);
    let message = utf8(&output.stderr).to_owned();
    let code = output.status.code();
    assert_eq!(code, Some(status), "{arguments:?} {message}");
    assert_eq!(message.matches('\n').count(), 1, "{message:?}");
    assert!(message.ends_with('\n'), "{message:?}");
    (message, utf8(&output.stdout).to_owned())
}

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Creates a file for this test and returns its path.
fn temporary(name: &str, content: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Creates an empty folder for this test.
fn temporary_folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns random bytes.
fn noise(length: usize) -> Vec<u8> {
    let mut random = Random(0x2545_f491);
    let byte = |_| random.number() as u8;
    (0..length).map(byte).collect()
}

/// Writes to the program, and reads the output that it must write before it gets further input.
struct Conversation {
    child: Child,
    lines: Receiver<String>,
}

impl Conversation {
    fn new(arguments: &[&str]) -> Conversation {
        let mut child = program(root(), arguments).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                sender.send(line.unwrap()).unwrap();
            }
        });
        Conversation { child, lines }
    }

    fn say(&mut self, text: &str) {
        self.say_bytes(text.as_bytes());
    }

    fn say_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
    }

    /// Reads the next line and asserts that it contains `expected`. The time limit only prevents that a test waits
    /// forever.
    fn hear(&mut self, expected: &str) {
        let line = self.lines.recv_timeout(Duration::from_secs(30));
        let line = line.unwrap_or_else(|_| panic!("nothing came out for {expected}"));
        assert!(line.contains(expected), "{line} for {expected}");
    }

    /// Ends the input. Returns the remaining lines, and the exit status.
    fn close(mut self) -> (Vec<String>, Option<i32>) {
        drop(self.child.stdin.take());
        let lines = self.lines.iter().collect();
        (lines, self.child.wait().unwrap().code())
    }

    fn end(self) {
        assert_eq!(self.close(), (Vec::new(), Some(0)));
    }
}

/// Ends the input, so that a program that waits for more input ends even if a test failed.
impl Drop for Conversation {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
