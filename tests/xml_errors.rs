//! What XML refuses, production by production and constraint by constraint: the code and its place,
//! of both modes, for every cut. Every production, constraint and code has a row, and no code stands
//! for two constraints.

#[path = "feeding/escapes.rs"]
mod escapes;
mod feeding;

use feeding::cuts::{check_cuts, check_pieces};
use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeMap;
use std::process::ExitCode;
use tagstream::{Event, Parser, Status, TextPolicy, Xml};

const ROWS: &str = include_str!("data/xml-errors.txt");

/// The productions of XML 1.0 (fifth edition). [33] to [38] and [79] are of earlier editions; [84] to
/// [89] are there and used by none.
const PRODUCTIONS: &str = "1 2 3 4 4a 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 \
    28a 28b 29 30 31 32 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 \
    65 66 67 68 69 70 71 72 73 74 75 76 77 78 80 81 82 83 84 85 86 87 88 89";

/// Those that XML 1.1 has its own version of, as far as that is another.
const PRODUCTIONS_1_1: &str = "1 2 2a 26 77";

/// The productions of Namespaces in XML 1.0 (third edition).
const NAMESPACES: &str = "1 2 3 4 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21";

/// The constraints of well-formedness, and those of namespaces.
const CONSTRAINTS: [&str; 16] = [
    "WFC: PEs in Internal Subset",
    "WFC: External Subset",
    "WFC: PE Between Declarations",
    "WFC: Element Type Match",
    "WFC: Unique Att Spec",
    "WFC: No External Entity References",
    "WFC: No < in Attribute Values",
    "WFC: Legal Character",
    "WFC: Entity Declared",
    "WFC: Parsed Entity",
    "WFC: No Recursion",
    "WFC: In DTD",
    "NSC: Reserved Prefixes and Namespace Names",
    "NSC: Prefix Declared",
    "NSC: No Prefix Undeclaring",
    "NSC: Attributes Unique",
];

/// What no document can break by its form: lists of names matter to validity only, the last six
/// productions to nothing, and outside the DTD a `%` is data.
const UNBREAKABLE: [&str; 9] = [
    "[6]",
    "[8]",
    "[84]",
    "[85]",
    "[86]",
    "[87]",
    "[88]",
    "[89]",
    "WFC: In DTD",
];

/// A document, with its external entity if it has one, and what is wrong with it: its code and span,
/// and the span in the entity if it is in that.
struct Row {
    wanted: String,
    document: Vec<u8>,
    entity: Option<Vec<u8>>,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let (mut section, mut seen) = ("", Vec::new());
    for line in ROWS.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            section = name;
        } else if !line.is_empty() && line != "#" && !line.starts_with("# ") {
            let (wanted, text) = match line.strip_prefix("+ ") {
                Some(text) => ("", text),
                None => line.split_once(" | ").expect("a code and a document"),
            };
            seen.push(wanted.split(' ').next().unwrap_or_default());
            let (document, entity) = match text.split_once(" || ") {
                Some((document, entity)) => {
                    let (_, text) = entity.split_once(" = ").expect("a name and a text");
                    (document, Some(bytes(text)))
                }
                None => (text, None),
            };
            let row = Row {
                wanted: wanted.to_owned(),
                document: bytes(document),
                entity,
            };
            let name = format!("{section}: {text:?} {wanted}");
            trials.push(Trial::test(name, move || check(&row)));
        }
    }
    trials.extend(sections());
    for code in tagstream::xml::errors::ALL {
        let found = seen.contains(&code.as_str());
        trials.push(Trial::test(format!("a row for {code}"), move || {
            found.then_some(()).ok_or_else(|| "there is none".into())
        }));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A test for each production and constraint: that it has a section, with a document that keeps it and
/// one that breaks it. And one that no code stands for two constraints.
fn sections() -> Vec<Trial> {
    let numbered = |list: &'static str, of: &'static str| {
        let numbers = list.split_whitespace();
        numbers.map(move |number| format!("{of}[{number}]"))
    };
    let wanted = numbered(PRODUCTIONS, "")
        .chain(numbered(PRODUCTIONS_1_1, "1.1 "))
        .chain(numbered(NAMESPACES, "Namespaces "))
        .chain(CONSTRAINTS.map(str::to_owned));
    let mut trials: Vec<Trial> = wanted
        .map(|wanted| {
            let name = format!("documents for {wanted}");
            Trial::test(name, move || {
                let found = ROWS.split("\n## ").skip(1).find(|section| {
                    let rest = section.strip_prefix(&*wanted);
                    rest.is_some_and(|rest| rest.starts_with([' ', '\n']))
                });
                let found = found.ok_or("there is no section")?;
                let kept = found.contains("\n+ ");
                let broken = codes(found).next().is_some();
                if kept && broken != UNBREAKABLE.contains(&&*wanted) {
                    return Ok(());
                }
                Err(format!("kept: {kept}, broken: {broken}").into())
            })
        })
        .collect();
    trials.push(Trial::test("a code for one constraint", || {
        let mut known: BTreeMap<&str, &str> = BTreeMap::new();
        for section in ROWS.split("\n## ").skip(1) {
            let title = section.lines().next().unwrap_or_default();
            let name = title.strip_prefix("1.1 ").unwrap_or(title);
            if !name.starts_with("WFC") && !name.starts_with("NSC") {
                continue;
            }
            for code in codes(section) {
                let first = *known.entry(code).or_insert(name);
                if first != name {
                    return Err(format!("{code} stands for {first} and for {name}").into());
                }
            }
        }
        Ok(())
    }));
    trials
}

/// The codes of the rows of a section.
fn codes(section: &str) -> impl Iterator<Item = &str> {
    let rows = section.lines().skip(1);
    let rows = rows.filter(|row| !row.is_empty() && !row.starts_with(['+', '#']));
    rows.map(|row| row.split(' ').next().unwrap_or_default())
}

/// Text with its escapes resolved; `\xHH` is a byte.
fn bytes(text: &str) -> Vec<u8> {
    let mut pieces = text.split("\\x");
    let mut bytes = escapes::unescape(pieces.next().unwrap_or_default()).into_bytes();
    for piece in pieces {
        let (digits, rest) = piece.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
        bytes.extend_from_slice(escapes::unescape(rest).as_bytes());
    }
    bytes
}

fn check(row: &Row) -> Result<(), Failed> {
    for dialect in [Xml::strict(), Xml::default()] {
        let found = first(dialect, row);
        if found != row.wanted {
            return Err(format!("{dialect:?}: wanted {:?}, found {found:?}", row.wanted).into());
        }
        if row.entity.is_none() {
            check_cuts(|| Parser::new(dialect).errors(true), &row.document);
            let pieces = || Parser::new(dialect).text(TextPolicy::Pieces);
            check_pieces(|| Parser::new(dialect), pieces, &row.document);
        }
    }
    Ok(())
}

/// The first error: its code and span.
fn first(dialect: Xml, row: &Row) -> String {
    let asks = row.entity.is_some();
    let mut parser = Parser::new(dialect.external_entities(asks)).errors(true);
    parser.feed_slice(&row.document);
    parser.finish();
    loop {
        match parser.next_event() {
            Ok(Some(Event::ParseError(error))) => {
                let place = error.entity().map(|place| format!(" in {}", place.span()));
                return format!(
                    "{} {}{}",
                    error.code(),
                    error.span(),
                    place.unwrap_or_default()
                );
            }
            Ok(Some(_)) => {}
            Ok(None) => {
                if !matches!(parser.status(), Status::NeedsEntity(_)) {
                    return String::new();
                }
                parser.feed_entity(row.entity.as_deref().unwrap_or_default());
                parser.finish_entity(None);
            }
            Err(error) => {
                let place = error.entity().map(|place| format!(" in {}", place.span()));
                return format!(
                    "{} {}{}",
                    error.as_str(),
                    error.span(),
                    place.unwrap_or_default()
                );
            }
        }
    }
}
