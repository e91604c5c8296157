//! What XML refuses, production by production and constraint by constraint: the code and its place,
//! of both modes, for every cut. Every production, constraint and code has a row, and no code stands
//! for two constraints.

use std::collections::BTreeMap;
use tagstream::{EntityPlace, Event, Parser, Span, Status, Xml};
use testing::cuts::check_parser;
use testing::rows::{Row, rows, sections};
use testing::run::Program;

const ROWS: &str = include_str!("../data/xml-errors.txt");

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

pub(crate) fn add(program: &mut Program) {
    let rows = rows(ROWS);
    add_sections(program, &rows);
    for code in tagstream::xml::errors::ALL {
        let found = rows.iter().any(|row| self::code(row) == code.as_str());
        program.case(format!("xml/errors, a row for {code}"), move || {
            found.then_some(()).ok_or("there is none")
        });
    }
    for row in rows {
        program.case(row.name("xml/errors"), move || check(&row));
    }
}

/// A test for each production and constraint: that it has a section, with a document that keeps it and
/// one that breaks it. And one that no code stands for two constraints.
fn add_sections(program: &mut Program, rows: &[Row]) {
    let numbered = |list: &'static str, of: &'static str| {
        let numbers = list.split_whitespace();
        numbers.map(move |number| format!("{of}[{number}]"))
    };
    let wanted = numbered(PRODUCTIONS, "")
        .chain(numbered(PRODUCTIONS_1_1, "1.1 "))
        .chain(numbered(NAMESPACES, "Namespaces "))
        .chain(CONSTRAINTS.map(str::to_owned));
    for wanted in wanted {
        let is_it = |section: &&str| {
            let rest = section.strip_prefix(&*wanted);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let section = sections(ROWS).find(is_it).unwrap_or_default();
        let own = rows.iter().filter(|row| row.section == section);
        let (kept, broken): (Vec<&Row>, Vec<&Row>) = own.partition(|row| row.events.is_empty());
        let (kept, broken) = (!kept.is_empty(), !broken.is_empty());
        let can_break = !UNBREAKABLE.contains(&&*wanted);
        program.case(format!("xml/errors, documents for {wanted}"), move || {
            assert!(kept, "no document keeps it");
            assert_eq!(broken, can_break, "whether a document breaks it");
        });
    }
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut wrong = Vec::new();
    for row in rows {
        let name = row.section.strip_prefix("1.1 ").unwrap_or(&row.section);
        if (name.starts_with("WFC") || name.starts_with("NSC")) && !row.events.is_empty() {
            let entry = known.entry(code(row).to_owned());
            let first = entry.or_insert_with(|| name.to_owned());
            if first != name {
                wrong.push(format!("{} stands for {first} and for {name}", code(row)));
            }
        }
    }
    program.case("xml/errors, a code for one constraint", move || {
        crate::none(&wrong)
    });
}

/// The code of a row.
fn code(row: &Row) -> &str {
    let code = row.events.trim_start_matches('!').split('@').next();
    code.unwrap_or_default()
}

fn check(row: &Row) -> Result<(), String> {
    for dialect in [Xml::strict(), Xml::default()] {
        let dialect = match &*row.context {
            "fragment" => dialect.fragment(),
            _ => dialect,
        };
        let found = first(dialect.clone(), row);
        let compared = row.compare(&found);
        compared.map_err(|problem| format!("{dialect:?}\n{problem}"))?;
        if row.entity.is_none() {
            check_parser(&dialect, &row.input);
        }
    }
    Ok(())
}

/// The first error: its code and span, and its span in the entity.
fn first(dialect: Xml, row: &Row) -> String {
    let asks = row.entity.is_some();
    let mut parser = Parser::new(dialect.external_entities(asks)).report_errors(true);
    parser.feed(&row.input);
    parser.finish();
    let told = |code: &str, span: Span, entity: Option<&EntityPlace>| {
        let place = entity.map(|place| format!(" in {}", place.span()));
        format!("!{code}@{span}{}", place.unwrap_or_default())
    };
    loop {
        match parser.next_event() {
            Ok(Some(Event::ParseError(error))) => {
                return told(error.code().as_str(), error.span(), error.entity().as_ref());
            }
            Ok(Some(_)) => {}
            Ok(None) => {
                if !matches!(parser.status(), Status::NeedsEntity(_)) {
                    return String::new();
                }
                parser.feed_entity(row.entity.as_deref().unwrap_or_default());
                parser.finish_entity(None);
            }
            Err(error) => return told(error.as_str(), error.span(), error.entity()),
        }
    }
}
