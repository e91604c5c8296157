//! The format of the cases: the cases that the reader finds in a file, and the messages for files in the wrong format.

use testing::cases::{Case, parse};
use testing::event_text::split;
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "core/format of cases",
        sections_blocks_and_items,
        quotes_in_names,
        wrong_files,
        unread_lines,
    );
}

const FILE: &str = "\
// A comment.

## one
options: dialect=xml

# a name
options: fragment=\"svg path\"
input:  \\s<a>
events: none
input:  b
tree:
| <b>
|   \"c\"

for:    U+0009, x
input:  <{}>
events:
  text \"{}\"
  end a
";

fn sections_blocks_and_items() -> Result<(), Failed> {
    let cases = parse("file", FILE)?;
    let names: Vec<String> = cases.iter().map(|case| case.test_name("xml")).collect();
    assert_eq!(
        names,
        [
            "xml/one, a name [dialect=xml fragment=svg path]: \\s<a>",
            "xml/one, a name [dialect=xml fragment=svg path]: b",
            "xml/one, U+0009 [dialect=xml]: <\\t>",
            "xml/one, x [dialect=xml]: <x>",
        ]
    );
    assert_eq!(cases[0].input(), b" <a>");
    cases[0].expect("events", "")?;
    cases[1].expect("tree", "| <b>\n|   \"c\"")?;
    cases[2].expect("events", "text \"\\t\", end a")?;
    let wrong = cases[3].expect("events", "text \"x\", end a, end b");
    let wrong = wrong.unwrap_err();
    assert!(
        wrong.ends_with("event 3: wanted the end, found end b"),
        "{wrong}"
    );
    Ok(())
}

/// A quote inside a name does not begin a quoted text.
fn quotes_in_names() {
    let events = r#"start a" "="" b="c, d", text "e\", f", end a""#;
    let expected = [r#"start a" "="" b="c, d""#, r#"text "e\", f""#, r#"end a""#];
    assert_eq!(split(events), expected);
}

fn wrong_files() {
    for (text, problem) in [
        (
            "## a\ninput: b",
            "2: an empty line must separate a heading and the first case",
        ),
        (
            "# a\nevents: b",
            "1: a block without a line `input:` or `calls:`",
        ),
        ("input: a\n# b", "2: an empty line must precede a name"),
        ("input: a\nwords: b", "2: no line is called `words`"),
        (
            "input: a\nevents: b\nevents: c",
            "3: a second line `events`",
        ),
        (
            "input: a\n<b>",
            "2: expected `key: value`, a heading or a comment: <b>",
        ),
        ("options: a=1 a=2\ninput: b", "1: the option `a` twice"),
    ] {
        let found = parse("file", text).map(|cases| cases.len());
        assert_eq!(found, Err(format!("file:{problem}")), "{text}");
    }
}

fn unread_lines() -> Result<(), Failed> {
    let read = |check: fn(&Case) -> Result<(), String>| -> Result<String, Failed> {
        let cases = parse("file", "options: b\ninput: a\nevents: none")?;
        let failed = cases[0].check(check).err();
        Ok(failed
            .and_then(|failed| failed.message().map(str::to_owned))
            .unwrap_or_default())
    };
    assert_eq!(
        read(|case| case.expect("events", case.written().get(1..).unwrap_or_default()))?,
        "file:2: nothing reads `b`"
    );
    assert_eq!(
        read(|case| {
            let _ = (case.has("b"), case.input());
            case.expect("events", "")
        })?,
        ""
    );
    Ok(())
}
