//! Random runs of every subcommand with its options, alone and in pairs, on documents that the output form cannot express
//! or that are cut, empty or of another dialect.
//!
//! Each run must end with a documented exit status, and with a message that names the file, the line and the column if
//! the document is refused. Ways that must not matter give the same result: a file or standard input in pieces, `select`
//! as a stream or with `--tree`, one thread or several, chunks of any length, `--in-place` or standard output. What was
//! written is read again. In addition, each pair of options of a subcommand is run once, on one document.
//!
//! `TAGSTREAM_DOCUMENTS` sets the number of runs and `TAGSTREAM_SEED` the seed; a failure prints both.

mod checks;
mod tables;

use super::{given, program};
use std::cell::OnceCell;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use tables::{COMMANDS, Command, DIALECTS, INPUT, Options, PARTS};
use testing::generate::Parts;
use testing::random::Random;
use testing::random_cases::{Feed, RandomTest, Verdict};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    RandomTest {
        name: "cli/awkward",
        quick: 2_000,
        full: 20_000,
        draw,
        check,
        other: [100, 800],
        shrinks: true,
    }
    .add(program);
    for (index, command) in COMMANDS.iter().enumerate() {
        let name = format!("cli/options in pairs/{}", command.name);
        program.check(name, move || try_pairs(index));
    }
}

/// The name of each document. Its path in messages differs from that of standard input by its first two characters.
const DOCUMENT: &str = "./-";

/// The index of `rewrite` in [`COMMANDS`].
const REWRITE: usize = 3;

/// One run: the index of the subcommand in [`COMMANDS`], and the arguments.
#[derive(Clone, Copy, Debug)]
struct Run {
    command: usize,
    always: Options,
    dialect: &'static str,
    options: [Options; 2],
}

impl Run {
    fn name(&self) -> &'static str {
        COMMANDS[self.command].name
    }

    /// Returns the arguments without the name of the document.
    fn arguments(&self) -> Vec<&'static str> {
        let mut arguments = vec![self.name()];
        arguments.extend(self.always);
        arguments.extend(self.options.iter().copied().flatten());
        if COMMANDS[self.command].has_dialects {
            arguments.push(self.dialect);
        }
        arguments
    }

    /// Returns true if one of the options begins so.
    fn has(&self, option: &str) -> bool {
        let mut options = self.options.iter().copied().flatten().chain(self.always);
        options.any(|one| one.starts_with(option))
    }

    fn is_html(&self) -> bool {
        self.dialect == "--dialect=html"
    }
}

/// Returns the options of a command: none, its own, and those of the input if the command has them.
fn options(command: usize) -> Vec<Options> {
    let Command {
        options,
        has_dialects,
        ..
    } = COMMANDS[command];
    let of_input: &[Options] = if has_dialects { INPUT } else { &[] };
    [&[&[] as Options], options, of_input].concat()
}

/// Returns true if a command can have both options. Only the options of `rewrite` can be repeated.
fn can_join(command: usize, first: Options, second: Options) -> bool {
    let name = |options: Options| options.first().and_then(|one| one.split('=').next());
    let is_of_input = INPUT.iter().any(|options| name(options) == name(second));
    let is_repeated = !second.is_empty() && name(first) == name(second);
    !is_repeated || (command == REWRITE && !is_of_input)
}

/// Runs a command with each pair of its options, in both orders. The other arguments take turns.
fn try_pairs(command: usize) -> Result<(), String> {
    let all = options(command);
    let pairs = all
        .iter()
        .flat_map(|first| all.iter().map(|second| [*first, *second]));
    let always = COMMANDS[command].always.iter().cycle();
    let turns = always.zip(DIALECTS.iter().cycle());
    for (options, (always, dialect)) in pairs.zip(turns) {
        if !can_join(command, options[0], options[1]) {
            continue;
        }
        let run = Run {
            command,
            always,
            dialect,
            options,
        };
        let ran = run_on_file(&run.arguments(), b"<a><b a='1'>9</b></a>");
        checks::ends_as_documented(&run, &ran).map_err(|said| format!("{run:?}: {said}"))?;
    }
    Ok(())
}

fn draw(random: &mut Random) -> (Run, Parts) {
    let command = random.below(COMMANDS.len());
    let all = options(command);
    let first = all[random.below(all.len())];
    let mut second = all[random.below(all.len())];
    if !can_join(command, first, second) {
        second = &[];
    }
    let always = COMMANDS[command].always;
    let run = Run {
        command,
        always: always[random.below(always.len())],
        dialect: DIALECTS[random.below(DIALECTS.len())],
        options: [first, second],
    };
    (run, document(random))
}

/// Draws a document. Most have a root element; some are cut within a part.
fn document(random: &mut Random) -> Parts {
    let mut parts = Parts::new();
    let has_root = random.percent(70);
    if random.percent(15) {
        parts.push(b"<?xml version='1.1'?>".to_vec());
    }
    if has_root {
        parts.push(b"<a>".to_vec());
    }
    for _ in 0..random.below(12) {
        parts.push(PARTS[random.below(PARTS.len())].to_vec());
        if random.one_in(4) {
            parts.push(b"<b>9</b>".to_vec());
        }
    }
    if has_root {
        parts.push(b"</a>".to_vec());
    }
    if random.one_in(8)
        && let Some(last) = parts.last_mut()
    {
        last.truncate(random.below(last.len() + 1));
    }
    parts
}

/// The result of a run of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ran {
    status: i32,
    out: Vec<u8>,
    said: String,
}

impl Ran {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }
}

/// Returns the folder of this thread, in which its documents are.
fn folder() -> PathBuf {
    static FOLDERS: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static FOLDER: OnceCell<PathBuf> = const { OnceCell::new() };
    }
    FOLDER.with(|folder| {
        let new = || {
            let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
            super::temporary_folder(&format!("awkward-{number}"))
        };
        folder.get_or_init(new).clone()
    })
}

/// Runs the program on a file with this content.
fn run_on_file(arguments: &[&str], input: &[u8]) -> Ran {
    let folder = folder();
    fs::write(folder.join(DOCUMENT), input).expect("the document is written");
    let mut command = program(&folder, &[arguments, &[DOCUMENT]].concat());
    let output = command.stdin(Stdio::null()).output();
    ran(output.expect("the program runs"))
}

/// Runs the program on standard input, which is written in pieces of this length.
fn run_on_pieces(arguments: &[&str], input: &[u8], piece: usize) -> Ran {
    let command = program(&folder(), &[arguments, &["-"]].concat());
    ran(given(command, input.chunks(piece)))
}

fn ran(output: std::process::Output) -> Ran {
    Ran {
        status: output.status.code().unwrap_or(-1),
        out: output.stdout,
        said: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn check(run: &Run, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let ran = run_on_file(&run.arguments(), input);
    checks::ends_as_documented(run, &ran)?;
    if ran.status == 2 {
        return Ok(Verdict::Other);
    }
    checks::pieces_change_nothing(run, &ran, input, feed.chunk)?;
    match run.name() {
        "events" | "rewrite" => checks::chunks_change_nothing(run, &ran, input, feed.chunk)?,
        "select" => checks::selected(run, &ran, input)?,
        "tree" => checks::tree_is_read_again(run, &ran, input)?,
        "records" => checks::threads_change_nothing(run, &ran, input)?,
        "check" => checks::errors_are_counted(run, &ran, input)?,
        _ => {}
    }
    if run.name() == "rewrite" {
        checks::in_place_is_the_same(run, &ran, input)?;
    }
    Ok(match ran.status {
        0 => Verdict::Right,
        _ => Verdict::Other,
    })
}
