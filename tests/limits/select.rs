//! Selectors that could cost more than the tags that they are tested on, with documents that increase the cost. The
//! steps are counted. A document of twice the length takes twice the steps, and the number of steps is bounded by the
//! product of the number of elements and the length of the selector.

use crate::memory::peak;
use tagstream::select::Selector;
use tagstream::{Document, Events, Html, Limits, Parser, Source, SourceError, TreeBuilder, Xml};
use testing::effort::sized;
use testing::run::{Failed, Program};

/// Selectors; `{}` is replaced by a long part.
const SELECTORS: &[&str] = &[
    "a a a a a a a a a a a a a a a a",
    "a > a > a > a > a > a > a > a a",
    "* * * * * * * *",
    "* ~ * ~ * ~ * ~ *",
    "* + * + * + * + *",
    "a ~ b a ~ b a ~ b",
    ":not(:not(:not(a b) c) d)",
    ":is(a, b, c) :is(a, b, c) :is(a, b, c)",
    ":nth-child(2n+1 of a)",
    ":nth-last-child(2n+1 of a)",
    ":nth-last-child(odd) ~ *",
    ":nth-of-type(3n) :nth-last-of-type(2)",
    ":only-child, :only-of-type, :last-of-type",
    ":empty",
    ":has(a)",
    ":has(> b ~ a)",
    ":has(~ a)",
    ":has(+ b):not(:has(a b a))",
    ":has(a ~ b):nth-child(odd of :has(b))",
    ":read-only",
    ":read-write :read-write",
    "input:enabled, input:disabled",
    ":read-write, :disabled",
    "option:checked, option:disabled, option:enabled",
    "[a], [a=b], [a~=b], [a^=b], [a*=b]",
    ".a .b, #a #b",
];

/// The documents: the beginning, the repeated unit, the middle and the end.
const DOCUMENTS: &[(&str, [&str; 4])] = &[
    ("deep", ["", "<a>", "", ""]),
    ("deep, of two", ["", "<a><b>", "", ""]),
    ("wide", ["<div>", "<a></a>", "", "</div>"]),
    ("wide, of two", ["<div>", "<a></a><b></b>", "", "</div>"]),
    (
        "wide, with comments",
        ["<div>", "<!----><a></a>", "", "</div>"],
    ),
    ("deep, then wide", ["", "<c>", "<a></a><b></b>", ""]),
    ("paragraphs", ["", "<p>1<b>2</b><a>3</a>", "", ""]),
    ("fields", ["<fieldset disabled>", "<input>", "", ""]),
    (
        "fields, deep",
        ["<fieldset disabled><legend>", "<div><input>", "", ""],
    ),
    (
        "legends",
        ["<fieldset disabled>", "<legend><input></legend>", "", ""],
    ),
    (
        "legend, late",
        [
            "<fieldset disabled>",
            "<input>",
            "<legend><input><input></legend>",
            "",
        ],
    ),
    (
        "fieldsets, deep",
        ["", "<fieldset disabled><legend><input>", "", ""],
    ),
    ("editors", ["<div contenteditable>", "<div><p>", "", ""]),
    ("options", ["<select>", "<option>1", "", ""]),
    (
        "options, deep",
        ["<select><option disabled>", "<div>", "<option>", ""],
    ),
    (
        "groups",
        ["<select>", "<optgroup><option>1<option>2", "", ""],
    ),
    (
        "selects in a select",
        [
            "<select>",
            "<svg><foreignObject><select><option></select></foreignObject></svg><option>",
            "",
            "",
        ],
    ),
    (
        "selects, deep",
        ["", "<select><option><svg><foreignObject>", "", ""],
    ),
    ("types", ["<div>", "<a></a><b></b><c></c><d></d>", "", ""]),
    (
        "classes",
        ["", "<i class='a b c a b c' id=a a='c b'>", "", ""],
    ),
];

pub(crate) fn add(program: &mut Program) {
    for (name, document) in DOCUMENTS {
        program.case(format!("html/select, work: {name}"), move || {
            trees(document)
        });
        program.case(format!("xml/select, work on a stream: {name}"), move || {
            streams(document)
        });
    }
    program.case_alone("core/compact: memory", compacted);
}

/// Returns a document in which the unit is repeated `times` times.
fn text([before, again, middle, end]: &[&str; 4], times: usize) -> String {
    let half = again.repeat(times / 2);
    [*before, &half, middle, &half, end].concat()
}

/// Returns, for a document and a selector, the number of elements and the number of steps.
type Asked = fn(&str, &Selector) -> Result<(u64, u64), Failed>;

fn linear(document: &[&str; 4], asked: Asked) -> Result<(), Failed> {
    let (few, many) = (sized(4_000), sized(8_000));
    for &written in SELECTORS {
        let selector = Selector::new(written)?;
        let (fewer, work) = asked(&text(document, few), &selector)?;
        let (elements, twice) = asked(&text(document, many), &selector)?;
        // Each compound may be tested on each element, and each element has one parent and one preceding sibling.
        let most = elements * (steps(written) + 8);
        // A constant number of steps, for the beginning of a document.
        let slack = 64 * steps(written);
        if twice > most || twice * fewer > work * elements + slack * elements {
            let report =
                format!("`{written}`: {work} for {fewer} elements, {twice} for {elements}");
            return Err(report.into());
        }
    }
    Ok(())
}

/// Returns an upper bound of the number of compounds of a selector.
fn steps(selector: &str) -> u64 {
    let parts = selector.split(|one: char| " ,()".contains(one));
    2 * parts.filter(|part| !part.is_empty()).count() as u64
}

fn trees(document: &[&str; 4]) -> Result<(), Failed> {
    linear(document, |text, selector| {
        let mut builder = TreeBuilder::new(Html::default()).limits(Limits::none());
        builder.feed(text)?;
        let page = builder.finish()?;
        let mut select = page.select(selector)?;
        select.by_ref().for_each(drop);
        let all = page.root().descendants().filter(|node| !node.is_text());
        Ok((all.count() as u64, select.inspect_work()))
    })
}

/// A document in one chunk.
struct Once(Option<String>);

impl Source for Once {
    type Chunk = String;

    fn next_chunk(&mut self) -> Result<Option<String>, SourceError> {
        Ok(self.0.take())
    }
}

fn streams(document: &[&str; 4]) -> Result<(), Failed> {
    linear(document, |text, selector| {
        let parser = Parser::new(Xml::default()).limits(Limits::none());
        let mut events = Events::new(parser, Once(Some(text.to_owned()))).balanced();
        // Selectors that need more than the start tags are refused for streams.
        let Ok(mut matches) = events.select(selector) else {
            return Ok((1, 0));
        };
        while matches.next_match()?.is_some() {}
        let work = matches.inspect_work();
        Ok((text.matches('<').count() as u64, work))
    })
}

/// The memory of removed nodes is released, measured by the allocator.
fn compacted() -> Result<(), Failed> {
    use crate::memory::ALLOCATOR;
    let text = "<p title='a long value, which stays beside the others'>text, and <b>more</b></p>";
    let before = ALLOCATOR.current_usage();
    let mut page = Document::parse(Html::default(), text.repeat(sized(80_000)))?;
    let full = ALLOCATOR.current_usage() - before;
    let body = page.select("body")?.next().ok_or("a body")?.id();
    let kept: Vec<_> = page.select_ids("body > p:nth-child(100n)")?;
    let gone = page.select_ids("body > p:not(:nth-child(100n))")?;
    for id in &gone {
        page.remove(*id);
    }
    let removed = ALLOCATOR.current_usage() - before;
    // Until it returns, `compact` needs a second copy of the remaining nodes, and the map of the ids.
    let mut map = None;
    let held = peak(|| {
        map = Some(page.compact());
        Ok(())
    })?;
    let map = map.ok_or("a map")?;
    assert!(kept.iter().all(|id| map.get(*id).is_some()));
    assert!(gone.iter().all(|id| map.get(*id).is_none()));
    drop((map, kept, gone));
    let after = ALLOCATOR.current_usage() - before;
    assert_eq!(page.select("body > p > b")?.count(), sized(80_000) / 100);
    assert!(page.node(body).is_some());
    match after <= full / 50 && removed >= full && held <= full / 4 {
        true => Ok(()),
        false => Err(format!("{full} bytes, {removed}, at most {held} more, then {after}").into()),
    }
}
