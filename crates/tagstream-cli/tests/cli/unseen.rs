//! The output of the program cannot control a terminal or change the order in which text is displayed. Entities are
//! read only below their root.

use super::{given, program, temporary_folder, utf8};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "cli",
        forms_for_reading_show_nothing_unseen,
        what_is_unseen_is_written_as_its_number,
        json_has_other_characters_as_they_are,
        forms_for_programs_are_exact,
        names_of_files_are_shown_so_too,
        entities_are_read_below_the_root_only,
        a_document_has_a_thousand_files_at_most,
    );
}

/// Characters that are escaped in all formats for people and in JSON: ASCII and Unicode control characters, marks and
/// overrides of text direction, and line and paragraph separators.
const UNSEEN: [char; 24] = [
    '\u{1}', '\u{7}', '\u{8}', '\u{1b}', '\u{1f}', '\u{7f}', '\u{80}', '\u{85}', '\u{9b}',
    '\u{9d}', '\u{9f}', '\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{202a}',
    '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2068}', '\u{2069}',
];

fn run(folder: &Path, arguments: &[&str]) -> Output {
    given(program(folder, arguments), [])
}

/// Asserts that the output contains no invisible characters except newlines.
fn assert_seen(written: &str, what: &str) {
    for character in written.chars() {
        let unseen = character.is_control() && character != '\n' || UNSEEN.contains(&character);
        assert!(!unseen, "{what} has {character:?}: {written:?}");
    }
}

/// Returns a document that contains the character in every part that can be shown.
fn document(character: char) -> String {
    format!(
        "<?p{character} d{character}?><!DOCTYPE n{character} PUBLIC 'p{character}' 's{character}'>\
         <a{character} b{character}='c{character}'>t{character}<!--c{character}-->&e{character};\
         <x></y{character}></a{character}>"
    )
}

fn forms_for_reading_show_nothing_unseen() {
    let folder = temporary_folder("unseen");
    for character in UNSEEN {
        for (name, dialect) in [
            ("d.html", "html"),
            ("d.xml", "xml"),
            ("d.sky", "sky"),
            ("d.microxml", "microxml"),
        ] {
            fs::write(folder.join(name), document(character)).unwrap();
            let encoding = match dialect {
                "html" => &["--encoding=utf-8"][..],
                _ => &[],
            };
            for command in [
                &["tree"][..],
                &["events", "--errors"],
                &["events", "--errors", "--format=json"],
                &["check"],
                &["check", "--format=json"],
            ] {
                let output = run(
                    &folder,
                    &[command, &["--dialect", dialect], encoding, &[name]].concat(),
                );
                let what = format!("{command:?} of {dialect} with {character:?}");
                assert_seen(utf8(&output.stdout), &what);
                assert_seen(utf8(&output.stderr), &what);
                assert!(!output.stdout.is_empty(), "{what}");
            }
        }
    }
}

fn what_is_unseen_is_written_as_its_number() {
    let folder = temporary_folder("numbers");
    fs::write(
        folder.join("a.html"),
        "<p title='\u{9b}'>x\u{1b}]0;\u{7}\u{202e}y",
    )
    .unwrap();
    let shown = |arguments: &[&str]| {
        let output = run(
            &folder,
            &[arguments, &["--encoding=utf-8", "a.html"]].concat(),
        );
        utf8(&output.stdout).to_owned()
    };
    let text = r"x\u{1b}]0;\u{7}\u{202e}y";
    let tree = shown(&["tree"]);
    assert!(tree.contains(r#"<p title="\u{9b}">"#), "{tree}");
    assert!(tree.contains(text), "{tree}");
    let events = shown(&["events"]);
    assert!(events.contains(r#"title="\u{9b}""#), "{events}");
    assert!(events.contains(text), "{events}");
    let json = shown(&["events", "--format=json"]);
    assert!(json.contains(r#"["title","\u009b"]"#), "{json}");
    assert!(
        json.contains(r#""data":"x\u001b]0;\u0007\u202ey""#),
        "{json}"
    );
    // A JSON parser decodes the escapes to the original characters.
    let line = json.lines().find(|line| line.contains("202e")).unwrap();
    let value: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(value["data"], "x\u{1b}]0;\u{7}\u{202e}y");
}

fn json_has_other_characters_as_they_are() {
    let folder = temporary_folder("others");
    fs::write(
        folder.join("a.xml"),
        "<a>é \u{a0}\u{200b}中\u{1f600}\u{205f}\u{2065}\u{206a}\u{61b}</a>",
    )
    .unwrap();
    let output = run(&folder, &["events", "--format=json", "a.xml"]);
    let expected = "\"data\":\"é \u{a0}\u{200b}中\u{1f600}\u{205f}\u{2065}\u{206a}\u{61b}\"";
    assert!(utf8(&output.stdout).contains(expected));
}

/// Formats for programs contain the characters without escapes if the output is not a terminal.
fn forms_for_programs_are_exact() {
    let folder = temporary_folder("exact");
    fs::write(folder.join("a.html"), "<p>\u{9b}\u{202e}</p>").unwrap();
    for format in ["xml", "canonical", "c14n", "exc-c14n", "html", "html5lib"] {
        let output = run(
            &folder,
            &["tree", "--encoding=utf-8", "--format", format, "a.html"],
        );
        let written = utf8(&output.stdout);
        assert!(written.contains("\u{9b}\u{202e}"), "{format}: {written:?}");
    }
}

fn names_of_files_are_shown_so_too() {
    let folder = temporary_folder("names");
    for character in UNSEEN.into_iter().chain(['\n', '\r', '\t']) {
        let name = format!("a{character}b.xml");
        fs::write(folder.join(&name), "<a></b>").unwrap();
        let missing = format!("none{character}.xml");
        let entity = format!("e{character}.ent");
        fs::write(folder.join(&entity), "</b>").unwrap();
        let referring = format!("<!DOCTYPE a [<!ENTITY e SYSTEM '{entity}'>]><a>&e;</a>");
        fs::write(folder.join("referring.xml"), referring).unwrap();
        for (arguments, status) in [
            (&["events", "--strict", &*name][..], 1),
            (&["tree", "--strict", &name], 1),
            (&["check", &name, "a"], 2),
            (&["check", "--format=json", &name], 1),
            (&["tree", &missing], 2),
            (&["check", &missing], 2),
            (&["events", "--errors", "--resolve", "referring.xml"], 0),
            (&["events", "--strict", "--resolve", "referring.xml"], 1),
            (&["check", "--resolve", "referring.xml"], 1),
            (&["check", "--resolve", "--format=json", "referring.xml"], 1),
            // The arguments are shown in messages about wrong arguments.
            (&["tree", "--encoding", &name, "referring.xml"], 2),
            (&["tree", "--format", &name, "referring.xml"], 2),
            (&[&name], 2),
        ] {
            let output = run(&folder, arguments);
            let what = format!("{arguments:?}");
            assert_seen(utf8(&output.stdout), &what);
            assert_seen(utf8(&output.stderr), &what);
            assert_eq!(output.status.code(), Some(status), "{what}");
        }
    }
    let message = run(&folder, &["tree", "a\u{1b}[31m\u{202e}.xml"]);
    assert!(
        utf8(&message.stderr).starts_with(r"tagstream: a\u{1b}[31m\u{202e}.xml: "),
        "{message:?}"
    );
}

/// Entities are read only below the root: not through `..`, an absolute path or a symbolic link, and not from a folder
/// whose name only begins with that of the root.
fn entities_are_read_below_the_root_only() {
    let outside = temporary_folder("resolver");
    let root = outside.join("root");
    fs::create_dir_all(root.join("inner")).unwrap();
    fs::create_dir_all(outside.join("root-other")).unwrap();
    for place in ["secret.ent", "root-other/secret.ent"] {
        fs::write(outside.join(place), "SECRET").unwrap();
    }
    fs::write(root.join("inside.ent"), "INSIDE").unwrap();
    fs::write(root.join("inner/deep.ent"), "INSIDE").unwrap();
    symlink(outside.join("secret.ent"), root.join("link.ent")).unwrap();
    symlink(&outside, root.join("up")).unwrap();
    symlink(root.join("inside.ent"), root.join("inner/link.ent")).unwrap();
    // No process writes to this FIFO, so opening it would block.
    let fifo = Command::new("mkfifo").arg(root.join("fifo.ent")).status();
    assert!(fifo.is_ok_and(|status| status.success()));
    let whole = outside.join("secret.ent");
    let whole = whole.to_str().unwrap();
    let tree = |folder: &Path, arguments: &[&str], entity: &str| {
        let document = format!("<!DOCTYPE a [<!ENTITY e SYSTEM '{entity}'>]><a>[&e;]</a>");
        fs::write(root.join("inner/document.xml"), &document).unwrap();
        fs::write(root.join("document.xml"), document).unwrap();
        let output = run(folder, &[&["tree"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        utf8(&output.stdout).to_owned()
    };
    let refused = [
        "../secret.ent",
        "inner/../../secret.ent",
        "../root-other/secret.ent",
        "link.ent",
        "up/secret.ent",
        "%2e%2e/secret.ent",
        whole,
        &format!("file://{whole}"),
        &format!("file://localhost{whole}"),
        "..%2fsecret.ent",
        "%2E%2E%2Fsecret.ent",
        "//localhost/share/secret.ent",
        "\\\\localhost\\share\\secret.ent",
        "file://elsewhere.example/secret.ent",
        "http://localhost/secret.ent",
        "inside.ent%00",
        "/dev/zero",
        "file:///dev/zero",
        "fifo.ent",
        "inner",
        ".",
        "",
    ];
    for entity in refused {
        for arguments in [
            &["--resolve", "document.xml"][..],
            &["--resolve=.", "document.xml"],
        ] {
            let found = tree(&root, arguments, entity);
            let is_read = found.contains("SECRET") || found.contains("INSIDE");
            assert!(!is_read, "{entity}: {found}");
        }
    }
    // A colon in a file name is not the end of a URL scheme.
    fs::write(root.join("a:b.ent"), "INSIDE").unwrap();
    let whole = root.join("inside.ent");
    let whole = whole.to_str().unwrap();
    for entity in [
        "inside.ent",
        "inner/deep.ent",
        "inner/link.ent",
        "./inner/../inside.ent",
        "%69nside.%65nt",
        "file:inside.ent",
        &format!("file://{whole}"),
        &format!("file://localhost{whole}"),
        "a:b.ent",
        "./a:b.ent",
    ] {
        let found = tree(&root, &["--resolve", "document.xml"], entity);
        assert!(found.contains("INSIDE"), "{entity}: {found}");
    }
    // The root is the folder of the document, unless the option sets another folder.
    let above = "../inside.ent";
    let found = tree(&root, &["--resolve", "inner/document.xml"], above);
    assert!(!found.contains("INSIDE"), "{found}");
    let found = tree(&root, &["--resolve=.", "inner/document.xml"], above);
    assert!(found.contains("INSIDE"), "{found}");
    let found = tree(&root, &["--resolve=inner", "document.xml"], "inside.ent");
    assert!(!found.contains("INSIDE"), "{found}");
    // The same rules apply to parameter entities and to the external subset.
    fs::write(outside.join("secret.dtd"), "<!ENTITY e 'SECRET'>").unwrap();
    for document in [
        "<!DOCTYPE a SYSTEM '../secret.dtd'><a>&e;</a>",
        "<!DOCTYPE a [<!ENTITY % p SYSTEM '../secret.dtd'>%p;]><a>&e;</a>",
    ] {
        fs::write(root.join("subset.xml"), document).unwrap();
        let output = run(&root, &["tree", "--resolve", "subset.xml"]);
        assert!(!utf8(&output.stdout).contains("SECRET"), "{document}");
        let output = run(&root, &["tree", "--resolve=..", "subset.xml"]);
        assert!(utf8(&output.stdout).contains("SECRET"), "{document}");
    }
}

/// At most 1,000 files are read for one document.
fn a_document_has_a_thousand_files_at_most() {
    let folder = temporary_folder("files");
    let mut document = String::from("<!DOCTYPE a [");
    for number in 0..1_010 {
        fs::write(folder.join(format!("{number}.ent")), "INSIDE").unwrap();
        document += &format!("<!ENTITY e{number} SYSTEM '{number}.ent'>");
    }
    document += "]><a>";
    for number in 0..1_010 {
        document += &format!("&e{number};");
    }
    fs::write(folder.join("document.xml"), document + "</a>").unwrap();
    let output = run(&folder, &["tree", "--resolve", "document.xml"]);
    assert_eq!(utf8(&output.stdout).matches("INSIDE").count(), 1_000);
}
