//! The programs in `examples/`. Each case is a command in `tests/data/examples.txt`, with its output.
//!
//! The programs are built first, unless `cargo test` has already built them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::LazyLock;
use testing::cases;
use testing::effort::Effort;
use testing::run::Program;
use testing::source::root;

fn main() -> ExitCode {
    let mut program = Program::default();
    for session in SESSIONS.split("\n$ ").skip(1) {
        let (command, wanted) = session.split_once('\n').unwrap_or((session, ""));
        let wanted = wanted.split("\n\n").next().unwrap_or_default();
        // Building the WebAssembly module takes about 20 seconds.
        if command.starts_with("wasm ") && Effort::get() == Effort::Quick {
            program.leave_out_in_quick(command);
            continue;
        }
        if command.starts_with("wasm ") && !runs_modules() {
            program.leave_out(format!("{command}, without node or the target {WASM}"));
            continue;
        }
        program.case(format!("core/examples/{command}"), move || {
            session_of(command, wanted)
        });
    }
    cases!(
        program,
        "core/examples",
        each_is_run,
        they_are_short,
        each_edition_reads_them,
    );
    program.run()
}

const SESSIONS: &str = include_str!("../data/examples.txt");

/// The folder of the built examples. They are built with the same profile as this program and with the features that
/// the workspace's tests have, so nothing is compiled if `cargo test` was run at the root.
static BUILT: LazyLock<PathBuf> = LazyLock::new(|| {
    let own = std::env::current_exe().expect("the name of this program");
    let profile = own.ancestors().nth(2).expect("the folder of a profile");
    let is_release = profile.ends_with("release");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--examples"])
        .args(["--profile", if is_release { "release" } else { "test" }])
        .arg("--target-dir")
        .arg(profile.parent().expect("a target folder"))
        .current_dir(root())
        .status();
    assert!(built.expect("Cargo").success(), "the examples do not build");
    profile.join("examples")
});

const WASM: &str = "wasm32-unknown-unknown";

/// Returns true if modules of WebAssembly can be built and run on this machine.
fn runs_modules() -> bool {
    let node = Command::new("node").arg("--version").output();
    let libraries = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", WASM])
        .current_dir(root())
        .output();
    let is_there = libraries.is_ok_and(|told| {
        let folder = String::from_utf8_lossy(&told.stdout);
        told.status.success() && Path::new(folder.trim()).is_dir()
    });
    is_there && node.is_ok_and(|told| told.status.success())
}

/// The module of `examples/wasm` with all its exports, in a profile that builds fast. `testing/tools/sizes` builds the
/// small modules.
static MODULE: LazyLock<PathBuf> = LazyLock::new(|| {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--features", "xml,html"])
        .args(["--target", WASM, "--target-dir"])
        .arg(&target)
        .current_dir(root().join("examples/wasm"))
        .status();
    assert!(built.expect("Cargo").success(), "the module does not build");
    target.join(WASM).join("debug/tagstream_wasm.wasm")
});

/// Returns the command that runs an example. A WebAssembly module is run by its host.
fn program_of(name: &str) -> Command {
    if name != "wasm" {
        return Command::new(BUILT.join(name));
    }
    let mut node = Command::new("node");
    node.arg("examples/wasm/drive.mjs").arg(&*MODULE);
    node
}

/// Compares the output of a command: the lines of standard output, followed by those of standard error, each after
/// `stderr:`.
fn session_of(command: &str, wanted: &str) {
    let mut words = command.split(' ');
    let name = words.next().unwrap_or_default();
    let output = program_of(name)
        .args(words)
        .current_dir(root())
        .output()
        .expect("an example");
    let mut found = String::from_utf8(output.stdout).expect("text");
    for line in String::from_utf8(output.stderr).expect("text").lines() {
        // The `Debug` representation of an error may change, so it is not compared.
        match line.starts_with("Error: ") {
            true => found += "stderr: Error\n",
            false => found += &format!("stderr: {line}\n"),
        }
    }
    assert_eq!(found.trim_end(), wanted.trim_end());
    let failed = wanted.lines().any(|line| line == "stderr: Error");
    assert_eq!(output.status.success(), !failed);
}

/// Returns the names and the texts of all examples.
fn examples() -> Vec<(String, String)> {
    let folder = fs::read_dir(root().join("examples")).expect("a folder of the project");
    let paths = folder.map(|entry| entry.expect("an entry").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let named = sources.map(|path| {
        let name = path.file_stem().expect("a name").to_string_lossy();
        let text = fs::read_to_string(&path).expect("text");
        (name.into_owned(), text)
    });
    named.collect()
}

fn each_is_run() {
    // The output of `tcp` contains times, so it has no case.
    let mut run = BTreeSet::from(["tcp"]);
    let commands = SESSIONS.split("\n$ ").skip(1);
    run.extend(commands.filter_map(|session| session.split([' ', '\n']).next()));
    for (name, _) in examples() {
        assert!(run.contains(&*name), "{name}");
    }
}

/// Returns the number of lines from `fn main` to its closing brace.
fn main_of(text: &str) -> usize {
    let lines = text.lines().skip_while(|line| !line.starts_with("fn main"));
    lines.take_while(|line| *line != "}").count() + 1
}

fn they_are_short() {
    for (name, text) in examples() {
        let most = match name.split('_').next() {
            Some("hrefs" | "rewrite") => 10,
            Some("cells") => 14,
            _ => 40,
        };
        assert!(main_of(&text) <= most, "{name} has {}", main_of(&text));
    }
}

/// Chains of conditions with `let` need edition 2024, and readers may use another edition.
fn each_edition_reads_them() {
    for (name, text) in examples() {
        assert!(!text.contains("&& let "), "{name}");
    }
}
