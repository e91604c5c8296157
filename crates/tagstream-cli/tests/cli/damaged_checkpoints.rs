//! Checkpoint files with a changed bit: all bytes of a file are under its checksum, so every change is noticed, and the
//! output keeps what it has. Runs of `records` that go on from a checkpoint report the row errors of an undivided run.

use super::{given, program, temporary_folder, utf8};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testing::cases;
use testing::effort::{Effort, seed};
use testing::random::Random;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli/damaged_checkpoints",
        a_changed_bit_in_a_checkpoint_of_events_is_noticed,
        a_refused_document_leaves_no_checkpoint,
    );
    #[cfg(feature = "records")]
    cases!(
        program,
        "cli/damaged_checkpoints",
        a_changed_bit_in_a_checkpoint_of_records_is_noticed,
        a_changed_digit_in_a_checkpoint_of_records_is_noticed,
        a_resumed_run_reports_the_same_row_errors,
    );
}

/// A run that ended when its output could not grow any further, so that its checkpoint is left.
struct Interrupted {
    folder: PathBuf,
    arguments: Vec<String>,
    state: Vec<u8>,
    output: Vec<u8>,
}

impl Interrupted {
    /// Runs a command whose output is a file, with a limit of 32 KiB for the length of files.
    fn new(name: &str, document: &str, options: &[&str]) -> Interrupted {
        let folder = temporary_folder(name);
        fs::write(folder.join("in.xml"), document).unwrap();
        let mut arguments: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        for argument in [
            "in.xml",
            "--checkpoint=state",
            "--output=out",
            "--checkpoint-every=1000",
        ] {
            arguments.push(argument.to_owned());
        }
        // Without the trap, the system would kill the program. The unit of the limit is 512 bytes in some shells and
        // 1,024 in others.
        let limited = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\""])
            .arg(env!("CARGO_BIN_EXE_tagstream"))
            .args(&arguments)
            .current_dir(&folder)
            .output()
            .unwrap();
        assert_eq!(limited.status.code(), Some(2), "{limited:?}");
        Interrupted {
            state: fs::read(folder.join("state")).unwrap(),
            output: fs::read(folder.join("out")).unwrap(),
            folder,
            arguments,
        }
    }

    /// Runs the command again with another checkpoint file. Returns its exit status and its message.
    fn run(&self, state: &[u8]) -> (Option<i32>, String) {
        fs::write(self.folder.join("state"), state).unwrap();
        fs::write(self.folder.join("out"), &self.output).unwrap();
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let output = given(program(&self.folder, &arguments), []);
        (output.status.code(), utf8(&output.stderr).to_owned())
    }

    /// Asserts that a changed checkpoint is refused, and that the output is not modified.
    fn assert_refused(&self, state: &[u8], what: &str) {
        let (status, message) = self.run(state);
        assert_eq!(status, Some(2), "{what}: {message}");
        let is_named = message.contains("it is damaged") || message.contains("not a checkpoint");
        assert!(is_named && message.contains("state: "), "{what}: {message}");
        assert!(fs::read(self.path("out")).unwrap() == self.output, "{what}");
    }

    /// Continues with an input that has changed, which is refused.
    fn check_other_input(&self) {
        let input = fs::read(self.path("in.xml")).unwrap();
        fs::write(self.path("in.xml"), [&input[..], b"\n"].concat()).unwrap();
        let (status, message) = self.run(&self.state);
        assert_eq!(status, Some(2), "{message}");
        assert!(message.contains("it is of "), "{message}");
        assert!(fs::read(self.path("out")).unwrap() == self.output);
        fs::write(self.path("in.xml"), input).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        Path::new(&self.folder).join(name)
    }

    /// Changes a bit of some bytes, removes the last bytes, and appends one. Then continues the run from the unchanged
    /// file, and compares its output with that of a run without a checkpoint.
    fn check(&self) {
        let seed = seed(0x63_6865_636b);
        let mut random = Random(seed);
        let step = Effort::choose(7, 1);
        for at in (random.below(step)..self.state.len()).step_by(step) {
            let bit = random.below(8);
            let mut state = self.state.clone();
            state[at] ^= 1 << bit;
            self.assert_refused(
                &state,
                &format!("TAGSTREAM_SEED={seed}, byte {at}, bit {bit}"),
            );
        }
        let end = self.state.len() - 1;
        self.assert_refused(&self.state[..end], "without the last byte");
        self.assert_refused(&[&self.state[..], b"\n"].concat(), "with another byte");
        assert_eq!(self.run(&self.state), (Some(0), String::new()));
        let resumed = fs::read(self.path("out")).unwrap();
        self.check_other_input();
        let whole: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let whole = whole.into_iter().filter(|argument| {
            !argument.starts_with("--checkpoint") && !argument.starts_with("--output")
        });
        let whole = given(program(&self.folder, &whole.collect::<Vec<_>>()), []);
        assert!(resumed == whole.stdout, "the output of the resumed run");
        assert!(resumed.len() > self.output.len());
    }
}

fn document() -> String {
    let row = |number: usize| format!("<b c='{number}'>text {number}<d/></b>\n");
    let rows: String = (0..4_000).map(row).collect();
    format!("<a>{rows}</a>")
}

fn a_changed_bit_in_a_checkpoint_of_events_is_noticed() {
    let options = ["events", "--format=json", "--chunk=500"];
    let interrupted = Interrupted::new("damaged-events", &document(), &options);
    assert!(interrupted.output.len() > 10_000);
    interrupted.check();
    // The length of the output follows the description of the run, whose length precedes it.
    let length = u64::from_le_bytes(interrupted.state[8..16].try_into().unwrap()) as usize;
    for at in 16 + length..32 + length {
        let mut state = interrupted.state.clone();
        state[at] ^= 1;
        interrupted.assert_refused(&state, &format!("byte {at}"));
    }
}

/// The same command would be refused again, so there is nothing to continue.
fn a_refused_document_leaves_no_checkpoint() {
    let folder = temporary_folder("refused-checkpoint");
    fs::write(folder.join("in.xml"), "<a><b/></c>").unwrap();
    let arguments = [
        "events",
        "--strict",
        "--chunk=4",
        "--checkpoint=state",
        "--checkpoint-every=1",
        "--output=out",
        "in.xml",
    ];
    let output = given(program(&folder, &arguments), []);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(!folder.join("state").exists());
    assert!(!fs::read(folder.join("out")).unwrap().is_empty());
}

#[cfg(feature = "records")]
const RECORDS: [&str; 3] = ["records", "--row=b", "--jobs=1"];

#[cfg(feature = "records")]
fn a_changed_bit_in_a_checkpoint_of_records_is_noticed() {
    Interrupted::new("damaged-records", &document(), &RECORDS).check();
}

/// Each digit of each number is changed to another digit, so that the file is still JSON.
#[cfg(feature = "records")]
fn a_changed_digit_in_a_checkpoint_of_records_is_noticed() {
    let interrupted = Interrupted::new("damaged-digits", &document(), &RECORDS);
    let numbers = utf8(&interrupted.state).find("\"mark\"").unwrap();
    let mut changed = 0;
    for at in numbers..interrupted.state.len() {
        let mut state = interrupted.state.clone();
        if !state[at].is_ascii_digit() {
            continue;
        }
        state[at] = if state[at] == b'9' {
            b'8'
        } else {
            state[at] + 1
        };
        interrupted.assert_refused(&state, &format!("byte {at}"));
        changed += 1;
    }
    assert!(changed >= 10, "{changed} digits");
}

/// The lines and the columns of row errors after a checkpoint are counted from a head with line ends of two characters
/// and with characters of several bytes, and the errors before the checkpoint are counted too.
#[cfg(feature = "records")]
fn a_resumed_run_reports_the_same_row_errors() {
    // The input is so long that there are marks in its first third.
    let padding = format!("<!--{}-->", "é".repeat(250));
    let row = |number: usize| match number % 100 {
        1 => "<b>&x</b>".to_owned(),
        2 => "\r\n<b>text</c></b>".to_owned(),
        3 => "\r\r\n".to_owned(),
        _ => format!("<b><c>{number}</c><d>é</d>{padding}</b>"),
    };
    let rows: String = (0..4_000).map(row).collect();
    for (first, after) in [
        ("<a>", ""),
        ("\r\n<a>\r\n\r", ""),
        ("<a>é\n\n\té<!--é-->", "\n"),
    ] {
        let document = format!(
            "<?xml version='1.0'?>\r\n<!DOCTYPE a [\r\n<!ENTITY e 'é'>\r]>\n{first}{after}{rows}</a>"
        );
        let options = [
            "records",
            "--row=b",
            "--jobs=1",
            "--option=mode=DROPMALFORMED",
        ];
        let interrupted = Interrupted::new("resumed-errors", &document, &options);
        let mark = utf8(&interrupted.state).split_once("\"offset\":").unwrap();
        assert!(!mark.1.starts_with("0,"), "{}", mark.1);
        let (status, resumed) = interrupted.run(&interrupted.state);
        let whole = given(
            program(&interrupted.folder, &[&options[..], &["in.xml"]].concat()),
            [],
        );
        let messages = utf8(&whole.stderr);
        assert_eq!((status, whole.status.code()), (Some(0), Some(0)));
        assert_eq!(fs::read(interrupted.path("out")).unwrap(), whole.stdout);
        let (lines, all) = (resumed.lines().count(), messages.lines().count());
        assert!(lines > 20 && lines + 20 < all, "{lines} of {all} messages");
        assert!(messages.ends_with(&resumed), "{resumed}\n{messages}");
    }
}
