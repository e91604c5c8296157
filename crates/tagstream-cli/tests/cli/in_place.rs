//! `rewrite --in-place`: files that are replaced, and files that are not changed. These tests need Unix permissions.

use super::{program, run, temporary_folder, utf8};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli/in_place",
        several_files_are_rewritten,
        permissions_are_kept,
        an_unchanged_file_is_not_touched,
        a_file_with_an_error_stays,
        what_is_no_file_of_its_own_is_refused,
        a_fifo_is_refused_and_not_opened,
        arguments_that_contradict,
        the_tree_decides_in_place_too,
    );
}

fn rewrite(folder: &Path, arguments: &[&str]) -> Output {
    let arguments = [&["rewrite", "--in-place"][..], arguments].concat();
    program(folder, &arguments).output().unwrap()
}

fn folder(name: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
    let folder = temporary_folder(&format!("in-place-{name}"));
    for (name, content) in files {
        fs::write(folder.join(name), content).unwrap();
    }
    folder
}

/// Returns the names and the contents of all files in a folder.
fn content(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    });
    let mut content: Vec<_> = entries.collect();
    content.sort();
    content
}

fn assert_content(folder: &Path, wanted: &[(&str, &str)]) {
    let wanted = wanted.iter().map(|(a, b)| ((*a).into(), (*b).into()));
    assert_eq!(content(folder), wanted.collect::<Vec<_>>());
}

fn several_files_are_rewritten() {
    let folder = folder(
        "several",
        &[("a.html", "<B>x</B>"), ("b.xml", "<b  c='d'/>")],
    );
    let output = rewrite(&folder, &["--set", "b@id=1", "a.html", "b.xml"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!((utf8(&output.stdout), utf8(&output.stderr)), ("", ""));
    assert_content(
        &folder,
        &[
            ("a.html", "<B id=\"1\">x</B>"),
            ("b.xml", "<b  c='d' id=\"1\"/>"),
        ],
    );
}

fn permissions_are_kept() {
    for mode in [0o600, 0o644, 0o755, 0o440] {
        let folder = folder("modes", &[("a.xml", "<a/>")]);
        let file = folder.join("a.xml");
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let output = rewrite(&folder, &["--rename", "a=b", "a.xml"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let metadata = fs::metadata(&file).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o7777, mode);
        assert_content(&folder, &[("a.xml", "<b/>")]);
    }
}

fn an_unchanged_file_is_not_touched() {
    let folder = folder("unchanged", &[("a.xml", "<a b=\"c\"/>")]);
    let file = folder.join("a.xml");
    let before = fs::metadata(&file).unwrap();
    // The second command sets an attribute to the value that it already has.
    for arguments in [["--remove", "d", "a.xml"], ["--set", "a@b=c", "a.xml"]] {
        let output = rewrite(&folder, &arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let after = fs::metadata(&file).unwrap();
        assert_eq!(after.ino(), before.ino());
        assert_eq!(after.modified().unwrap(), before.modified().unwrap());
    }
    assert_content(&folder, &[("a.xml", "<a b=\"c\"/>")]);
}

fn a_file_with_an_error_stays() {
    let files = [
        ("a.xml", "<a><b></a>"),
        ("b.xml", "<b/>"),
        ("c.xml", "<b><b/></b>"),
    ];
    let folder = folder("errors", &files);
    // The first file has an error after the changed element, and the second does not exist. The third file is rewritten
    // all the same.
    let output = rewrite(
        &folder,
        &["--strict", "--rename", "b=d", "a.xml", "no.xml", "b.xml"],
    );
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = utf8(&output.stderr);
    assert!(
        said.contains("a.xml:1:7") && said.contains("no.xml"),
        "{said}"
    );
    // The new value of the attribute contains a character that XML cannot express.
    let output = rewrite(
        &folder,
        &["--set", "b > b@c=\u{1}", "--rename", "b=e", "c.xml"],
    );
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_content(&folder, &[files[0], ("b.xml", "<d/>"), files[2]]);
}

fn what_is_no_file_of_its_own_is_refused() {
    let folder = folder("links", &[("a.xml", "<a/>")]);
    symlink("a.xml", folder.join("link.xml")).unwrap();
    symlink("missing.xml", folder.join("loose.xml")).unwrap();
    for (name, reason) in [
        ("link.xml", "symbolic link"),
        ("loose.xml", "loose.xml"),
        (".", "folder"),
        ("/dev/null", "regular file"),
    ] {
        let output = rewrite(&folder, &["--dialect=xml", "--rename", "a=b", name]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(utf8(&output.stderr).contains(reason), "{output:?}");
    }
    assert_eq!(fs::read_to_string(folder.join("a.xml")).unwrap(), "<a/>");
    let packed = super::packed::gzip(b"<a/>", flate2::Compression::fast());
    fs::write(folder.join("a.xml.gz"), &packed).unwrap();
    let output = rewrite(&folder, &["--rename", "a=b", "a.xml.gz"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(utf8(&output.stderr).contains("packed"), "{output:?}");
    assert_eq!(fs::read(folder.join("a.xml.gz")).unwrap(), packed);
}

/// No process writes to the FIFO or reads it, so a program that opens it would wait for ever.
fn a_fifo_is_refused_and_not_opened() {
    let folder = folder("fifo", &[("a.xml", "<a/>")]);
    let fifo = Command::new("mkfifo").arg(folder.join("fifo.xml")).status();
    assert!(fifo.is_ok_and(|status| status.success()));
    let events = ["events", "--checkpoint=state", "--output=out"];
    let mut cases = vec![
        (
            vec!["rewrite", "--in-place", "--rename=a=b", "fifo.xml"],
            "regular file",
        ),
        ([&events[..], &["fifo.xml"]].concat(), "not packed"),
        (
            vec!["events", "--checkpoint=fifo.xml", "--output=out", "a.xml"],
            "a checkpoint is a regular file",
        ),
        (
            vec!["events", "--checkpoint=state", "--output=fifo.xml", "a.xml"],
            "not a regular file",
        ),
    ];
    if cfg!(feature = "records") {
        let records = ["records", "--row=a"];
        for (more, reason) in [
            (
                &["--checkpoint=state", "--output=out", "fifo.xml"][..],
                "needs files",
            ),
            (
                &["--checkpoint=fifo.xml", "--output=out", "a.xml"],
                "is a regular file",
            ),
            (
                &["--checkpoint=state", "--output=fifo.xml", "a.xml"],
                "not a regular file",
            ),
            (&["--index", "fifo.xml"], "--index needs files"),
        ] {
            cases.push(([&records[..], more].concat(), reason));
        }
    }
    for (arguments, reason) in cases {
        let output = program(&folder, &arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {output:?}");
        let said = utf8(&output.stderr);
        assert!(said.contains(reason), "{arguments:?} {said}");
        let _ = fs::remove_file(folder.join("state"));
    }
}

fn arguments_that_contradict() {
    for (arguments, reason) in [
        (&["rewrite", "--in-place", "-"][..], "standard input"),
        (&["rewrite", "a.xml", "b.xml"], "--in-place"),
    ] {
        let output = run(arguments, "<a/>");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(utf8(&output.stderr).contains(reason), "{output:?}");
        assert_eq!(utf8(&output.stdout), "");
    }
}

fn the_tree_decides_in_place_too() {
    let folder = folder("tree", &[("a.html", "<ul><li>a<li>b</ul>")]);
    let output = rewrite(&folder, &["--set", "li:last-child@class=last", "a.html"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_content(&folder, &[("a.html", "<ul><li>a<li class=\"last\">b</ul>")]);
}
