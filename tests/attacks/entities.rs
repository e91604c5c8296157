//! What a DOCTYPE can be made to cost: declarations by the thousand, and entities that grow. Work is
//! measured by the input and by what was expanded.

use std::fmt::Write;
use tagstream::{Limits, Parser, Status, Xml};
use testing::run::{Failed, Program};

/// A document, the text of its external entities if it has some, and the limit that it runs into.
type Attack = (
    &'static str,
    fn() -> String,
    fn() -> String,
    Option<&'static str>,
);

const ATTACKS: &[Attack] = &[
    ("10,000 entities", entities, nothing, None),
    (
        "10,000 attribute definitions of one element",
        attributes,
        nothing,
        Some("attributes-limit"),
    ),
    (
        "10,000 attribute definitions, all in a tag",
        attributes_used,
        nothing,
        None,
    ),
    (
        "10,000 elements with attribute definitions",
        elements,
        nothing,
        None,
    ),
    ("a deep content model", content_model, nothing, None),
    ("a long content model", long_content_model, nothing, None),
    ("an entity used 100,000 times", used, nothing, None),
    (
        "an entity used 100,000 times in a value",
        used_in_value,
        nothing,
        None,
    ),
    (
        "an entity of markup used 100,000 times",
        used_markup,
        nothing,
        None,
    ),
    (
        "an external entity used 100,000 times",
        used_external,
        || "<b>x</b>".into(),
        None,
    ),
    (
        "a parameter entity used 10,000 times",
        used_parameter,
        nothing,
        None,
    ),
    (
        "a parameter entity in 10,000 declarations",
        used_in_declarations,
        || PARAMETERS.into(),
        None,
    ),
    (
        "sections in sections",
        used_external_subset,
        || SECTIONS.into(),
        None,
    ),
    (
        "billion laughs",
        laughs,
        nothing,
        Some("entity-expansion-limit"),
    ),
    (
        "billion laughs in a value",
        laughs_in_value,
        nothing,
        Some("entity-expansion-limit"),
    ),
    (
        "billion laughs in a default",
        laughs_in_default,
        nothing,
        Some("entity-expansion-limit"),
    ),
    (
        "billion laughs of markup",
        laughs_of_markup,
        nothing,
        Some("entity-expansion-limit"),
    ),
    (
        "billion laughs of nothing",
        laughs_of_nothing,
        nothing,
        Some("entity-expansion-limit"),
    ),
    (
        "quadratic blow-up",
        quadratic,
        nothing,
        Some("entity-expansion-limit"),
    ),
    (
        "quadratic blow-up in values",
        quadratic_in_values,
        nothing,
        Some("entity-expansion-limit"),
    ),
    (
        "a bomb of parameter entities",
        parameter_bomb,
        nothing,
        Some("entity-expansion-limit"),
    ),
    (
        "a bomb of parameter entities in a value",
        used_external_subset,
        || BOMB.into(),
        Some("entity-expansion-limit"),
    ),
    (
        "a bomb of defaults",
        default_bomb,
        nothing,
        Some("entity-expansion-limit"),
    ),
    (
        "a bomb of external entities",
        external_bomb,
        || "&e;&e;".into(),
        None,
    ),
    (
        "entities in entities",
        nested,
        nothing,
        Some("entity-depth-limit"),
    ),
    ("recursion", recursion, nothing, None),
    ("recursion in a value", recursion_in_value, nothing, None),
    (
        "recursion of parameter entities",
        parameter_recursion,
        nothing,
        None,
    ),
    (
        "sections in sections, 100,000 deep",
        used_external_subset,
        deep_sections,
        None,
    ),
    (
        "ignored sections in an ignored one, 100,000 deep",
        used_external_subset,
        deep_ignored,
        None,
    ),
    (
        "brackets in an ignored section",
        used_external_subset,
        ignored_brackets,
        None,
    ),
    (
        "references to parameter entities that nobody declared",
        undeclared_parameters,
        nothing,
        None,
    ),
    (
        "percent signs in declarations",
        stray_percents,
        nothing,
        None,
    ),
    (
        "one long name behind a percent sign",
        long_percent,
        nothing,
        None,
    ),
    ("unparsed entities and notations", notations, nothing, None),
    ("instructions in the subset", instructions, nothing, None),
    (
        "errors in an external entity",
        external_bomb,
        wrong_entity,
        None,
    ),
    ("line ends of XML 1.1", line_ends, nothing, None),
    (
        "line ends of XML 1.1 in an external entity",
        line_ends_outside,
        ends_of_lines,
        None,
    ),
];

const PARAMETERS: &str = "<!ENTITY % t 'CDATA #IMPLIED'><!ENTITY % a 'b %t; c %t;'>\
    <!ATTLIST a %a;><!ELEMENT a (b|%c;)*>";
const SECTIONS: &str = "<![INCLUDE[<![INCLUDE[<![IGNORE[<![<![<![]]>]]>]]>]]>]]>]]>";
const BOMB: &str = "<!ENTITY % a 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'>\
    <!ENTITY % b '%a;%a;%a;%a;%a;%a;%a;%a;%a;%a;%a;%a;%a;%a;%a;%a;'>\
    <!ENTITY % c '%b;%b;%b;%b;%b;%b;%b;%b;%b;%b;%b;%b;%b;%b;%b;%b;'>\
    <!ENTITY % d '%c;%c;%c;%c;%c;%c;%c;%c;%c;%c;%c;%c;%c;%c;%c;%c;'>\
    <!ENTITY % e '%d;%d;%d;%d;%d;%d;%d;%d;%d;%d;%d;%d;%d;%d;%d;%d;'>\
    <!ENTITY % f '%e;%e;%e;%e;%e;%e;%e;%e;%e;%e;%e;%e;%e;%e;%e;%e;'>\
    <!ENTITY % g '%f;%f;%f;%f;%f;%f;%f;%f;%f;%f;%f;%f;%f;%f;%f;%f;'>";

pub(crate) fn add(program: &mut Program) {
    for attack in ATTACKS {
        let (name, _, _, limit) = attack;
        let shown = limit.unwrap_or("no limit");
        program.case(format!("xml/entities: {name}, {shown}"), move || {
            check(attack)
        });
    }
}

fn check((_, make, entity, limit): &Attack) -> Result<(), Failed> {
    let (document, entity) = (make(), entity());
    let mut outcomes = Vec::new();
    for size in [64, 4096, usize::MAX] {
        for limits in [Limits::default(), Limits::none()] {
            let bounded = limits == Limits::default();
            if !bounded && limit.is_some() {
                continue;
            }
            let (outcome, work) = run(document.as_bytes(), &entity, size, limits);
            let measure = work.text + work.expanded;
            if work.total() > 2 * measure + 64 * 1024 {
                return Err(format!("chunks of {size}: {work:?}").into());
            }
            if bounded {
                outcomes.push(outcome);
            }
        }
    }
    match outcomes.iter().all(|outcome| *outcome == *limit) {
        true => Ok(()),
        false => Err(format!("wanted {limit:?}, found {outcomes:?}").into()),
    }
}

/// Reads it all; gives the limit that ended it, and the work.
fn run(
    document: &[u8],
    entity: &str,
    size: usize,
    limits: Limits,
) -> (Option<&'static str>, tagstream::Work) {
    let dialect = Xml::default().external_entities(!entity.is_empty());
    let mut parser = Parser::new(dialect).limits(limits).errors(true);
    let mut chunks = document.chunks(size);
    loop {
        match parser.next_event() {
            Ok(Some(_)) => {}
            Err(error) => return (Some(error.as_str()), parser.work()),
            Ok(None) => match parser.status() {
                Status::NeedsEntity(_) => {
                    parser.feed_entity(entity.as_bytes());
                    parser.finish_entity(None);
                }
                Status::Finished => return (None, parser.work()),
                _ => match chunks.next() {
                    Some(chunk) => parser.feed_slice(chunk),
                    None => parser.finish(),
                },
            },
        }
    }
}

/// A document whose internal subset is `subset` and whose root holds `content`.
fn document(subset: &str, content: &str) -> String {
    format!("<!DOCTYPE a [{subset}]><a>{content}</a>")
}

fn numbered(count: usize, unit: impl Fn(&mut String, usize)) -> String {
    let mut text = String::new();
    (0..count).for_each(|number| unit(&mut text, number));
    text
}

fn entities() -> String {
    let subset = numbered(10_000, |text, n| {
        write!(text, "<!ENTITY e{n} 'value {n}'>").unwrap();
    });
    let content = numbered(10_000, |text, n| write!(text, "&e{n};").unwrap());
    document(&subset, &content)
}

fn attributes() -> String {
    let definitions = numbered(10_000, |text, n| write!(text, " b{n} NMTOKEN 'c'").unwrap());
    let subset = format!("<!ATTLIST b{definitions}>");
    document(&subset, "<b/><b b0=''/><b other=''/>")
}

fn attributes_used() -> String {
    let definitions = numbered(10_000, |text, n| {
        write!(text, " b{n} NMTOKEN #IMPLIED").unwrap()
    });
    let used = numbered(9_999, |text, n| write!(text, " b{n}=' c '").unwrap());
    document(
        &format!("<!ATTLIST b{definitions}>"),
        &format!("<b{used}/>"),
    )
}

fn elements() -> String {
    let subset = numbered(10_000, |text, n| {
        write!(text, "<!ATTLIST b{n} c CDATA 'd'>").unwrap();
    });
    let content = numbered(10_000, |text, n| write!(text, "<b{n}/>").unwrap());
    document(&subset, &content)
}

fn content_model() -> String {
    let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
    document(&format!("<!ELEMENT a {open}b{close}>"), "")
}

fn long_content_model() -> String {
    let names = numbered(100_000, |text, n| write!(text, "|b{n}").unwrap());
    document(&format!("<!ELEMENT a (b{names})>"), "")
}

fn used() -> String {
    document("<!ENTITY e 'ten bytes!'>", &"&e;".repeat(100_000))
}

fn used_in_value() -> String {
    let value = "&e;".repeat(100_000);
    document("<!ENTITY e 'ten bytes!'>", &format!("<b c='{value}'/>"))
}

fn used_markup() -> String {
    let subset = "<!ENTITY e '<b c=\"d\">x</b><!--y-->'>";
    document(subset, &"&e;".repeat(100_000))
}

fn used_external() -> String {
    document("<!ENTITY e SYSTEM 'e'>", &"&e;".repeat(100_000))
}

fn used_parameter() -> String {
    let subset = "<!ENTITY % p '<!ELEMENT b ANY><!ATTLIST b c CDATA \"d\"><!--e-->'>";
    document(&format!("{subset}{}", "%p;".repeat(10_000)), "<b/>")
}

fn used_in_declarations() -> String {
    let subset = "<!ENTITY % p SYSTEM 'p'>".to_owned() + &"%p;".repeat(10_000);
    document(&subset, "")
}

fn used_external_subset() -> String {
    "<!DOCTYPE a SYSTEM 's'><a/>".to_owned()
}

/// Entities of ten references each, nine deep, to `inner`.
fn tenfold(inner: &str) -> String {
    let mut subset = format!("<!ENTITY e0 '{inner}'>");
    for n in 1..10 {
        let references = format!("&e{};", n - 1).repeat(10);
        write!(subset, "<!ENTITY e{n} '{references}'>").unwrap();
    }
    subset
}

fn laughs() -> String {
    document(&tenfold("ha"), "&e9;")
}

fn laughs_in_value() -> String {
    document(&tenfold("ha"), "<b c='&e9;'/>")
}

fn laughs_in_default() -> String {
    let subset = tenfold("ha") + "<!ATTLIST b c CDATA '&e9;'>";
    document(&subset, "<b/>")
}

fn laughs_of_markup() -> String {
    document(&tenfold("<b/>"), "&e9;")
}

fn laughs_of_nothing() -> String {
    document(&tenfold(""), "&e9;")
}

fn quadratic() -> String {
    let subset = format!("<!ENTITY e '{}'>", "x".repeat(50_000));
    document(&subset, &"&e;".repeat(50_000))
}

fn quadratic_in_values() -> String {
    let subset = format!("<!ENTITY e '{}'>", "x".repeat(50_000));
    document(&subset, &"<b c='&e;'/>".repeat(50_000))
}

fn parameter_bomb() -> String {
    let comment = "x".repeat(50_000);
    let subset = format!("<!ENTITY % p '<!--{comment}-->'>");
    document(&(subset + &"%p;".repeat(50_000)), "")
}

fn default_bomb() -> String {
    let subset = format!("<!ATTLIST b c CDATA '{}'>", "x".repeat(50_000));
    document(&subset, &"<b/>".repeat(50_000))
}

fn external_bomb() -> String {
    document("<!ENTITY e SYSTEM 'e'>", "&e;")
}

fn nested() -> String {
    let subset = numbered(100, |text, n| {
        write!(text, "<!ENTITY e{n} '&e{};'>", n + 1).unwrap();
    });
    document(&subset, "&e0;")
}

fn recursion() -> String {
    document("<!ENTITY e '&f;&f;'><!ENTITY f '&e;&e;'>", "&e;&f;")
}

fn recursion_in_value() -> String {
    document(
        "<!ENTITY e '&f;&f;'><!ENTITY f '&e;&e;'>",
        "<b c='&e;&f;'/>",
    )
}

fn nothing() -> String {
    String::new()
}

fn parameter_recursion() -> String {
    let subset = "<!ENTITY % p '&#37;q;&#37;q;'><!ENTITY % q '&#37;p;&#37;p;'>%p;%q;";
    document(subset, "")
}

fn deep_sections() -> String {
    "<![INCLUDE[".repeat(100_000) + &"]]>".repeat(100_000)
}

fn deep_ignored() -> String {
    "<![IGNORE[".to_owned() + &"<![".repeat(100_000) + &"]]>".repeat(100_001)
}

fn ignored_brackets() -> String {
    "<![IGNORE[".to_owned() + &"]<!]]<]".repeat(100_000) + "]]>"
}

fn undeclared_parameters() -> String {
    document(&"%p;".repeat(100_000), "")
}

fn stray_percents() -> String {
    let declarations = "<!ELEMENT %b; (%c;|%d)><!ATTLIST %e;><!ENTITY %f; '%g;%'>".repeat(5_000);
    document(
        &(declarations + "<!ELEMENT a (" + &"%%b ".repeat(50_000) + ">"),
        "",
    )
}

fn long_percent() -> String {
    document(&format!("<!ELEMENT a (%{})>", "b".repeat(60_000)), "")
}

fn notations() -> String {
    let subset = numbered(10_000, |text, n| {
        write!(
            text,
            "<!NOTATION n{n} PUBLIC 'p'><!ENTITY e{n} SYSTEM 's' NDATA n{n}>"
        )
        .unwrap();
    });
    document(&subset, "")
}

fn instructions() -> String {
    let wrong = "<?b?c?><??><? d?><?1?>".repeat(5_000);
    document(
        &format!("{wrong}<?{} {}?>", "e".repeat(60_000), "?f".repeat(50_000)),
        "",
    )
}

fn wrong_entity() -> String {
    "<b c=d>\n&</b>".repeat(20_000)
}

fn line_ends() -> String {
    let ends = ends_of_lines();
    format!("<?xml version='1.1'?><a b='{ends}'>{ends}</a>")
}

fn line_ends_outside() -> String {
    "<?xml version='1.1'?><!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a>&e;</a>".to_owned()
}

fn ends_of_lines() -> String {
    "\r\u{2028}\u{85}\r\u{85}x\u{2028}\u{2028}".repeat(20_000)
}
