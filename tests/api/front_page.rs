//! The programs in README.md and in the documentation of the crate (`src/lib.rs`). As a reader would do, the test
//! pastes each program into an empty crate, in each edition of `EDITIONS`, and runs it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use testing::cases;
use testing::effort::Effort;
use testing::run::Program;
use testing::source::root;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/front page",
        readme_and_library_show_the_same_programs,
    );
    // Building the library twice takes most of a minute.
    if Effort::is_full() {
        cases!(
            program,
            "core/front page",
            the_programs_run_in_an_empty_crate,
        );
    }
    program.leave_out_in_quick("the programs of the front pages in an empty crate");
}

/// The editions of the crates that programs are pasted into.
const EDITIONS: [&str; 2] = ["2021", "2024"];

/// Returns the code blocks of a page that contain a `main` function.
fn programs(page: &str) -> Vec<String> {
    let blocks = page.split("\n```").skip(1).step_by(2);
    let blocks = blocks.filter_map(|block| block.split_once('\n'));
    blocks
        .filter(|(_, code)| code.contains("fn main()"))
        .map(|(language, code)| {
            assert!(matches!(language, "" | "rust"), "{language}: {code}");
            format!("{code}\n")
        })
        .collect()
}

fn readme() -> Vec<String> {
    programs(&fs::read_to_string(root().join("README.md")).expect("the README"))
}

fn readme_and_library_show_the_same_programs() {
    let library = fs::read_to_string(root().join("src/lib.rs")).expect("the library");
    let page = library.lines().map_while(|line| line.strip_prefix("//!"));
    let page: Vec<&str> = page
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    assert_eq!(programs(&page.join("\n")), readme());
}

fn the_programs_run_in_an_empty_crate() {
    let programs = readme();
    assert_eq!(programs.len(), 4);
    for edition in EDITIONS {
        let folder = pasted(edition, &programs);
        for (index, program) in programs.iter().enumerate() {
            let printed = cargo(&folder, ["run", "--quiet", "--bin", &bin(index)]);
            assert!(!printed.is_empty(), "{edition}: {program}");
        }
    }
}

fn bin(index: usize) -> String {
    format!("block-{index}")
}

/// Creates a crate that contains only the programs, and returns its folder.
fn pasted(edition: &str, programs: &[String]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("front-page-{edition}"));
    let sources = folder.join("src/bin");
    fs::create_dir_all(&sources).expect("a folder for the crate");
    let manifest = format!(
        "[package]\nname = \"front-page-{edition}\"\nedition = \"{edition}\"\n\n\
         [dependencies]\ntagstream = {{ path = {:?} }}\n\n[workspace]\n",
        root()
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    // Use the locked versions of the dependencies, so that nothing is downloaded.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("the versions");
    for (index, program) in programs.iter().enumerate() {
        let path = sources.join(bin(index)).with_extension("rs");
        // Do not write a program that has not changed, so that it is not built again.
        if fs::read_to_string(&path).ok().as_ref() != Some(program) {
            fs::write(path, program).expect("a program");
        }
    }
    folder
}

/// Runs a Cargo command in a folder and returns its output. The command must succeed. All editions share one build
/// directory.
fn cargo<A: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = A>) -> String {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("front-page");
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--offline", "--target-dir"])
        .arg(target)
        .current_dir(folder)
        .output()
        .expect("Cargo runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {told}", folder.display());
    String::from_utf8_lossy(&output.stdout).into_owned()
}
