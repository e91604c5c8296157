//! The demonstration as a process: an executor is killed, and no process is left.

use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Starts the demonstration with documents that a test can read in a few seconds. Its files are in a folder.
fn demo(folder: &TempDir, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_cluster"))
        .args(["demo", "--files=12"])
        .args(arguments)
        .env("TMPDIR", folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for the demonstration and for all processes that it has started: these have the same standard error, so its end
/// is their end.
fn outcome(demo: Child) -> (bool, String, String) {
    let output = demo.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.success(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn is_empty(folder: &TempDir) -> bool {
    folder.path().read_dir().unwrap().next().is_none()
}

/// Returns the number before a word in a line of the output.
fn number_before(output: &str, word: &str) -> usize {
    let (before, _) = output
        .split_once(word)
        .unwrap_or_else(|| panic!("{output}"));
    let number = before.split_whitespace().next_back().unwrap();
    number.parse().unwrap_or_else(|_| panic!("{output}"))
}

#[test]
fn an_executor_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let (is_right, output, errors) = outcome(demo(&folder, &["--megabytes=4", "--kill-after=2"]));
    assert!(is_right, "{output}\n{errors}");
    assert!(is_empty(&folder));
    let line = output
        .lines()
        .find(|line| line.starts_with("executor 1 was killed"));
    let (_, line) = line.unwrap().split_once("had finished ").unwrap();
    let finished = number_before(line, " tasks and");
    let (_, running) = line.rsplit_once(' ').unwrap();
    assert!(finished >= 2, "{output}");
    assert!(running.parse::<usize>().unwrap() > 0, "{output}");
    // The tasks that ran on the first executor when it was killed were run again.
    let other = output
        .lines()
        .find(|line| line.starts_with("executor 2: ") && line.contains("started"));
    assert!(number_before(other.unwrap(), " finished") > 0, "{output}");
    assert!(
        output.contains("the result is the one that was computed without SQL"),
        "{output}"
    );
}

/// Starts the demonstration, and sends a signal when the query runs.
fn with_signal(folder: &TempDir, signal: Signal) -> (bool, String) {
    let mut demo = demo(folder, &["--megabytes=8", "--no-kill"]);
    let mut output = BufReader::new(demo.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("SELECT") {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0);
    }
    let id = Pid::from_child(&demo);
    kill_process(id, signal).unwrap();
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("the result is"), "{rest}");
    let (is_right, _, errors) = outcome(demo);
    (is_right, errors)
}

#[test]
fn interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let (is_right, errors) = with_signal(&folder, Signal::INT);
    assert!(!is_right);
    assert!(errors.contains("cluster: interrupted"), "{errors}");
    assert!(is_empty(&folder));
}

/// The processes end although the demonstration cannot end them.
#[test]
fn killed() {
    let folder = tempfile::tempdir().unwrap();
    let (is_right, _) = with_signal(&folder, Signal::KILL);
    assert!(!is_right);
}

#[test]
fn help() {
    for command in ["demo", "scheduler", "executor", "query"] {
        let output = Command::new(env!("CARGO_BIN_EXE_cluster"))
            .args([command, "--help"])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.contains(&format!("Usage: cluster {command}")),
            "{text}"
        );
    }
    let output = Command::new(env!("CARGO_BIN_EXE_cluster"))
        .args(["query", "--scheduler", "127.0.0.1:1", "SELECT 1"])
        .output()
        .unwrap();
    assert!(!output.status.success());
}
