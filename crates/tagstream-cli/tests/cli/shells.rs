//! The subcommands `completions` and `man`: their output contains every subcommand, and every option that `--help`
//! lists.

use super::{run, written};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli/shells",
        completions_have_every_option,
        bash_reads_its_completions,
        the_manual_has_every_option,
        the_manual_is_written_to_a_folder,
        the_options_of_reading_text_have_one_name,
        an_unknown_shell_is_refused,
    );
}

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// Returns the subcommands of the program, which its help lists.
fn subcommands() -> Vec<String> {
    let help = written(&["--help"], "");
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    let names = list.lines().filter(|line| !line.starts_with("   "));
    names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// Returns the long options of a subcommand, which its help lists.
fn options(subcommand: &str) -> BTreeSet<String> {
    let help = written(&[subcommand, "--help"], "");
    let lines = help.lines().map(str::trim_start);
    let named = lines.filter(|line| line.starts_with("--") || line.starts_with("-h, --"));
    named
        .filter_map(|line| {
            line.split([' ', ',', '[', '='])
                .find(|word| word.starts_with("--"))
        })
        .map(|option| option.trim_start_matches("--").to_owned())
        .collect()
}

fn completions_have_every_option() {
    let subcommands = subcommands();
    assert!(subcommands.len() >= 9, "{subcommands:?}");
    for shell in SHELLS {
        let script = written(&["completions", shell], "");
        for subcommand in &subcommands {
            assert!(
                script.contains(subcommand.as_str()),
                "{shell}: {subcommand}"
            );
            for option in options(subcommand) {
                assert!(script.contains(&option), "{shell}: {subcommand} --{option}");
            }
        }
    }
}

/// Bash, if it is installed, reads the script without an error.
fn bash_reads_its_completions() {
    let file = super::temporary("completions.bash", b"");
    fs::write(&file, written(&["completions", "bash"], "")).unwrap();
    if let Ok(output) = Command::new("bash").args(["-n", &file]).output() {
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{output:?}"
        );
    }
}

fn the_manual_has_every_option() {
    let page = written(&["man"], "");
    // In the manual page, hyphens are escaped.
    let page = page.replace("\\-", "-");
    assert!(page.contains(".TH tagstream 1"), "{page}");
    for subcommand in subcommands() {
        assert!(
            page.contains(&format!("tagstream-{subcommand}")),
            "{subcommand}"
        );
        for option in options(&subcommand) {
            assert!(
                page.contains(&format!("--{option}")),
                "{subcommand} --{option}"
            );
        }
    }
}

fn the_manual_is_written_to_a_folder() {
    let folder = super::temporary_folder("manual").join("man1");
    let argument = folder.to_str().unwrap();
    assert_eq!(written(&["man", "--folder", argument], ""), "");
    let page = fs::read_to_string(folder.join("tagstream.1")).unwrap();
    assert!(page.contains(".TH tagstream 1"), "{page}");
    for subcommand in subcommands() {
        let page = fs::read_to_string(folder.join(format!("tagstream-{subcommand}.1"))).unwrap();
        let page = page.replace("\\-", "-");
        assert!(
            page.contains(&format!(".TH tagstream-{subcommand} 1")),
            "{page}"
        );
        for option in options(&subcommand) {
            assert!(
                page.contains(&format!("--{option}")),
                "{subcommand} --{option}"
            );
        }
    }
    let file = super::temporary("manual-file", b"");
    let output = run(&["man", "--folder", &file], "");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// `--text` is not an option of reading any more, except as the earlier name of `--as-text`.
fn the_options_of_reading_text_have_one_name() {
    for subcommand in [
        "events", "tree", "check", "sanitize", "rewrite", "select", "records",
    ] {
        if subcommand == "records" && !cfg!(feature = "records") {
            continue;
        }
        let names = options(subcommand);
        assert!(names.contains("as-text"), "{subcommand}: {names:?}");
        let has_content = matches!(subcommand, "rewrite" | "select");
        assert_eq!(
            names.contains("text"),
            has_content,
            "{subcommand}: {names:?}"
        );
    }
    for subcommand in ["events", "rewrite", "select"] {
        let help = written(&[subcommand, "--help"], "");
        let help: Vec<&str> = help.split_whitespace().collect();
        assert!(help.join(" ").contains("first 1,024 bytes"), "{help:?}");
    }
}

fn an_unknown_shell_is_refused() {
    for arguments in [&["completions"][..], &["completions", "dos"], &["man", "-"]] {
        assert_eq!(run(arguments, "").status.code(), Some(2), "{arguments:?}");
    }
}
