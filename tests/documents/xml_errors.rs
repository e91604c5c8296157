//! The errors of XML, by production and by constraint: the code and the byte range of the first error, in both modes,
//! for every cut. Every production, constraint and code has a case, and each code belongs to one constraint.

use std::collections::BTreeMap;
use tagstream::{EntityPlace, Event, Parser, Span, Status, Xml};
use testing::cases::{self, Case, sections};
use testing::cuts::check_parser;
use testing::event_text;
use testing::run::Program;

const TEXT: &str = include_str!("../data/xml-errors.txt");

/// The productions of XML 1.0 (fifth edition). [33] to [38] and [79] occur only in earlier editions. No production uses
/// [84] to [89].
const PRODUCTIONS: &str = "1 2 3 4 4a 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 \
    28a 28b 29 30 31 32 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 \
    65 66 67 68 69 70 71 72 73 74 75 76 77 78 80 81 82 83 84 85 86 87 88 89";

/// The productions that differ in XML 1.1.
const PRODUCTIONS_1_1: &str = "1 2 2a 26 77";

/// The productions of Namespaces in XML 1.0 (third edition).
const NAMESPACES: &str = "1 2 3 4 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21";

/// The constraints of well-formedness and of namespaces.
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

/// The productions and constraints that no document can violate. Lists of names matter only for validity, no production
/// uses the last six productions, and outside the DTD a `%` is data.
const NEVER_VIOLATED: [&str; 9] = [
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
    let cases = cases::cases("tests/data/xml-errors.txt", TEXT);
    add_sections(program, &cases);
    for code in tagstream::xml::errors::ALL {
        let found = cases.iter().any(|case| self::code(case) == code.as_str());
        program.case(format!("xml/errors, a case for {code}"), move || {
            found.then_some(()).ok_or("there is none")
        });
    }
    cases::add(program, cases, |_| "xml/errors", check);
}

/// Adds a test for each production and constraint: its section has a document that satisfies it and one that violates
/// it. Also adds a test that each code belongs to one constraint.
fn add_sections(program: &mut Program, cases: &[Case]) {
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
        let section = sections(TEXT).find(is_it).unwrap_or_default();
        let own = cases.iter().filter(|case| case.section == section);
        let (satisfied, violated): (Vec<&Case>, Vec<&Case>) =
            own.partition(|case| code(case).is_empty());
        let (satisfied, violated) = (!satisfied.is_empty(), !violated.is_empty());
        let can_be = !NEVER_VIOLATED.contains(&&*wanted);
        program.case(format!("xml/errors, documents for {wanted}"), move || {
            assert!(satisfied, "no document satisfies it");
            assert_eq!(violated, can_be, "whether a document violates it");
        });
    }
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in cases {
        let name = case.section.strip_prefix("1.1 ").unwrap_or(&case.section);
        if (name.starts_with("WFC") || name.starts_with("NSC")) && !code(case).is_empty() {
            let entry = known.entry(code(case).to_owned());
            let first = entry.or_insert_with(|| name.to_owned());
            if first != name {
                wrong.push(format!(
                    "{} is the code of {first} and of {name}",
                    code(case)
                ));
            }
        }
    }
    program.case("xml/errors, a code for one constraint", move || {
        crate::none(&wrong)
    });
}

/// Returns the code of the error that a case expects, or an empty string.
fn code(case: &Case) -> &str {
    let error = case.expected("error").unwrap_or_default();
    error.split(' ').next().unwrap_or_default()
}

fn check(case: &Case) -> Result<(), String> {
    let (input, entity) = (case.input(), case.bytes("entity"));
    for dialect in [Xml::strict(), Xml::default()] {
        let dialect = match case.has("fragment") {
            true => dialect.fragment(),
            false => dialect,
        };
        let found = first(dialect.clone(), &input, entity.as_deref());
        let compared = case.expect("error", &found);
        compared.map_err(|problem| format!("{dialect:?}\n{problem}"))?;
        if entity.is_none() {
            check_parser(&dialect, &input);
        }
    }
    Ok(())
}

/// Returns the code and byte range of the first error, and its byte range in the external entity.
fn first(dialect: Xml, input: &[u8], entity: Option<&[u8]>) -> String {
    let mut parser = Parser::new(dialect.external_entities(entity.is_some())).report_errors(true);
    parser.feed(input);
    parser.finish();
    let shown = |code: &str, span: Span, entity: Option<&EntityPlace>| {
        let place = entity.map(|place| format!(", in the entity {}", place.span()));
        event_text::error(code, span) + &place.unwrap_or_default()
    };
    loop {
        match parser.next_event() {
            Ok(Some(Event::ParseError(error))) => {
                return shown(error.code().as_str(), error.span(), error.entity().as_ref());
            }
            Ok(Some(_)) => {}
            Ok(None) => {
                if !matches!(parser.status(), Status::NeedsEntity(_)) {
                    return String::new();
                }
                parser.feed_entity(entity.unwrap_or_default());
                parser.finish_entity(None);
            }
            Err(error) => return shown(error.as_str(), error.span(), error.entity()),
        }
    }
}
