//! `events --checkpoint`: a run that was killed continues when the command is run again, and unsuitable files are
//! refused. The program `testing/src/bin/crash_resume.rs` kills the command 200 times.

use super::{program, refused, root, temporary, temporary_folder, utf8, written};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use testing::cases;
use testing::crash_resume::{Work, document};
use testing::random::Random;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/cli/crash_resume",
        a_killed_run_continues,
        what_it_cannot_go_on_with_is_refused,
        the_output_is_the_usual_one,
        links_are_not_written_through,
    );
}

fn a_killed_run_continues() {
    let mut random = Random(7);
    let folder = temporary_folder("crash_resume");
    let input = folder.join("input.xml");
    fs::write(&input, document(&mut random, 1 << 20)).unwrap();
    let work = Work {
        subcommand: "events",
        program: Path::new(env!("CARGO_BIN_EXE_tagstream")),
        folder: &folder,
        input: &input,
        options: &["--dialect", "xml", "--errors", "--balanced"],
        every: 1 << 16,
    };
    let resumed = work.kill(&mut random, 8).unwrap();
    assert!(resumed > 0, "no run had a checkpoint to go on from");
}

/// Returns the arguments of the command. `folder` contains the paths of the checkpoint and of the output.
fn arguments<'a>(folder: &'a [String; 2], input: &'a str) -> Vec<&'a str> {
    let [checkpoint, output] = folder;
    vec![
        "events",
        "--checkpoint",
        checkpoint,
        "--output",
        output,
        input,
    ]
}

fn files(folder: &Path) -> [String; 2] {
    ["state", "out"].map(|name| folder.join(name).to_str().unwrap().to_owned())
}

fn what_it_cannot_go_on_with_is_refused() {
    let folder = temporary_folder("refused");
    let files = files(&folder);
    let input = temporary("refused.xml", b"<a/>");
    for (input, reason) in [("-", "a file that is not packed"), ("/", "a folder")] {
        let (message, _) = refused(&arguments(&files, input), "<a/>", 2);
        assert!(message.contains(reason), "{message}");
    }
    for (state, reason) in [
        ("<a/>", "this is not a checkpoint of tagstream events"),
        ("\u{8B}", "this is not a checkpoint of tagstream events"),
    ] {
        fs::write(&files[0], state).unwrap();
        let (message, _) = refused(&arguments(&files, &input), "", 2);
        assert!(message.contains(reason), "{message}");
    }
    let without = program(root(), &["events", "--checkpoint", &files[0], &input]);
    let mut without = without;
    let output = without.output().unwrap();
    assert!(utf8(&output.stderr).contains("--output"));
}

fn the_output_is_the_usual_one() {
    let folder = temporary_folder("usual");
    let files = files(&folder);
    let input = temporary("usual.xml", b"<a><b>text</b>\n<c d='e'/></a>");
    // The previous content of the output file is discarded.
    fs::write(&files[1], "before").unwrap();
    assert_eq!(written(&arguments(&files, &input), ""), "");
    let expected = written(&["events", &input], "");
    assert_eq!(fs::read_to_string(&files[1]).unwrap(), expected);
    assert!(!Path::new(&files[0]).exists());
}

/// Neither the output nor the checkpoint is written through a symbolic link: the target of the link is unchanged.
fn links_are_not_written_through() {
    let folder = temporary_folder("links");
    let files = files(&folder);
    let input = temporary("links.xml", b"<a><b>text</b></a>");
    for target in ["precious", "missing"] {
        let target = folder.join(target);
        let _ = fs::remove_file(&files[1]);
        if target.ends_with("precious") {
            fs::write(&target, "precious").unwrap();
        }
        symlink(&target, &files[1]).unwrap();
        let (message, _) = refused(&arguments(&files, &input), "", 2);
        assert!(message.contains("out: it is a symbolic link"), "{message}");
        assert_eq!(target.exists(), target.ends_with("precious"));
    }
    assert_eq!(
        fs::read_to_string(folder.join("precious")).unwrap(),
        "precious"
    );
    // The temporary file next to the checkpoint is created again, so a link in its place is not followed.
    fs::remove_file(&files[1]).unwrap();
    symlink(folder.join("precious"), format!("{}.new", files[0])).unwrap();
    let every = ["--checkpoint-every", "1", "--chunk", "4"];
    written(&[&arguments(&files, &input)[..], &every].concat(), "");
    assert_eq!(
        fs::read_to_string(folder.join("precious")).unwrap(),
        "precious"
    );
}
