//! Selectors on trees, on streams and in sets. A stream refuses some selectors; it selects the same elements as a tree
//! with all others.

use std::sync::LazyLock;
use tagstream::select::{EventMatcher, Selector, SelectorErrorKind, SelectorSet};
use tagstream::{Balance, Buildable, Document, Event, Events, Html, Node, Xml};
use testing::cases::{self, Case};
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    cases::add(program, read_cases(), prefix, check);
    program.case("html/select, tags as written".to_owned(), as_written);
    program.case(
        "html/select, the DOCTYPE of a set".to_owned(),
        first_doctype,
    );
}

/// Only the first DOCTYPE before the first element decides whether classes are compared in either case.
fn first_doctype() -> Result<(), Failed> {
    let mut set = SelectorSet::new(Html::default());
    let id = set.add(".X")?;
    for (input, expected) in [
        ("<p class=x>", true),
        ("<!DOCTYPE html><p class=x>", false),
        ("<!DOCTYPE html><!DOCTYPE a><p class=x>", false),
        ("<!DOCTYPE a><!DOCTYPE html><p class=x>", true),
        ("<br><!DOCTYPE html><p class=x>", true),
        ("<!DOCTYPE html><br><!DOCTYPE a><p class=x>", false),
    ] {
        let mut events = Events::of(Html::default(), input).as_written();
        let mut is_selected = false;
        while let Some(event) = events.next_event()? {
            is_selected |= in_set_at(&mut set, &event) && set.is_selected(id);
        }
        if is_selected != expected {
            return Err(format!("{input}: {is_selected}").into());
        }
        set.reset();
    }
    Ok(())
}

/// Tags of HTML as written have no namespace, and match as HTML elements.
fn as_written() -> Result<(), Failed> {
    let mut set = SelectorSet::new(Html::default());
    let ids = [
        "A[HREF]",
        "input[type=text]",
        "html|p > html|a",
        "a:link",
        ".X",
        "foreignObject",
        "svg|*",
        "nav a",
    ];
    let ids = ids.map(|selector| set.add(selector));
    let input = "<!DOCTYPE html><P class=x><A Href=b></A><INPUT Type=TEXT><svg><foreignObject>";
    let mut events = Events::of(Html::default(), input).as_written();
    let mut found = Vec::new();
    while let Some(event) = events.next_event()? {
        if in_set_at(&mut set, &event)
            && let Event::Start(tag) = event
        {
            for (at, id) in ids.iter().enumerate() {
                if set.is_selected(id.clone()?) {
                    found.push(format!("{} {at}", tag.name()));
                }
            }
        }
    }
    let expected = "a 0, a 2, a 3, input 1, foreignobject 5";
    match found.join(", ") {
        found if found == expected => Ok(()),
        found => Err(format!("{found}, not {expected}").into()),
    }
}

fn read_cases() -> Vec<Case> {
    let text = include_str!("../data/select.txt");
    cases::cases("tests/data/select.txt", text)
}

/// The selectors of all cases that streams support: more than fit in a word.
static SUPPORTED: LazyLock<Vec<Selector>> = LazyLock::new(|| {
    let texts = read_cases().into_iter();
    let texts = texts.filter_map(|case| case.text("select").map(ToOwned::to_owned));
    let compiled = texts.filter_map(|text| compile(&text).ok());
    let is_supported =
        |selector: &Selector| EventMatcher::new(Xml::default(), selector.clone()).is_ok();
    let supported: Vec<Selector> = compiled.filter(is_supported).collect();
    assert!(supported.len() > 64, "{}", supported.len());
    supported
});

fn compile(text: &str) -> Result<Selector, tagstream::SelectorError> {
    Selector::builder().namespace("p", "uri").build(text)
}

fn prefix(case: &Case) -> &'static str {
    match case.option("dialect") {
        Some("xml") => "xml/select",
        _ => "html/select",
    }
}

fn check(case: &Case) -> Result<(), Failed> {
    let selector = case.text("select").ok_or("a selector")?;
    let selector = match compile(selector) {
        Ok(selector) => selector,
        Err(error) => {
            let _ = case.written();
            return Ok(case.expect("error", &error.to_string())?);
        }
    };
    let input = case.input_text()?;
    let is_xml = case.option("dialect") == Some("xml");
    match case.option("fragment") {
        Some(context) => both(Html::fragment(context)?, &selector, &input, case),
        None if is_xml => both(Xml::default(), &selector, &input, case),
        None if case.has("quirks") => both(Html::default(), &selector, &input, case),
        None => {
            let input = format!("<!DOCTYPE html>{input}");
            both(Html::default(), &selector, &input, case)
        }
    }
}

/// Compares the elements that the tree and the stream select, or the reason for which the stream refuses the selector.
fn both<D: Balance + Buildable>(
    dialect: D,
    selector: &Selector,
    input: &str,
    case: &Case,
) -> Result<(), Failed> {
    let page = Document::parse(dialect.clone(), input)?;
    let selected = page.select(selector)?.map(|node| of_node(&node));
    let found = selected.collect::<Vec<_>>().join(", ");
    let one_by_one = page.root().descendants().filter(|node| node.is_element());
    let one_by_one = one_by_one.filter(|node| node.matches(selector) == Ok(true));
    let one_by_one = one_by_one.map(|node| of_node(&node)).collect::<Vec<_>>();
    let one_by_one = one_by_one.join(", ");
    // For a single element, `:scope` is the element itself.
    if one_by_one != found && !selector.to_string().contains(":scope") {
        return Err(format!("one by one: {one_by_one}, not {found}").into());
    }
    case.expect("events", &found)?;
    in_set(&dialect, selector, input, &found)?;
    let refused = match streamed(dialect, selector, input) {
        Err(refused) => {
            let (what, rest) = refused
                .split_once(" is not supported on streams")
                .ok_or(refused.clone())?;
            let offset = rest.rsplit_once("(offset ").ok_or(refused.clone())?.1;
            format!("{what} at {}", offset.trim_end_matches(')'))
        }
        Ok(streamed) if streamed == found => String::new(),
        Ok(streamed) => return Err(format!("streamed: {streamed}, not {found}").into()),
    };
    Ok(case.expect("unsupported-on-streams", &refused)?)
}

fn streamed<D: Balance>(dialect: D, selector: &Selector, input: &str) -> Result<String, String> {
    let mut events = Events::of(dialect, input).as_written().balanced();
    let mut matches = events.select(selector).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    while let Some(one) = matches.next_match().map_err(|error| error.to_string())? {
        let tag = one.tag();
        found.push(shown(tag.name(), tag.attribute("id")));
    }
    Ok(found.join(", "))
}

/// Checks that a set with the selectors of all cases selects the elements `found` for this selector. On events as
/// written, checks that the set selects the same elements as an [`EventMatcher`].
fn in_set<D: Balance>(
    dialect: &D,
    selector: &Selector,
    input: &str,
    found: &str,
) -> Result<(), Failed> {
    let mut set = SelectorSet::new(dialect.clone());
    for one in &*SUPPORTED {
        set.add(one)?;
    }
    let id = match set.add(selector) {
        Ok(id) => id,
        Err(error) if error.kind() == SelectorErrorKind::NotOnStreams => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let mut events = Events::of(dialect.clone(), input).as_written().balanced();
    let mut selected = Vec::new();
    while let Some(event) = events.next_event()? {
        if in_set_at(&mut set, &event)
            && set.is_selected(id)
            && let Event::Start(tag) = event
        {
            selected.push(shown(tag.name(), tag.attribute("id")));
        }
    }
    let selected = selected.join(", ");
    if selected != found {
        return Err(format!("in a set: {selected}, not {found}").into());
    }
    set.reset();
    let mut matcher = EventMatcher::new(dialect.clone(), selector)?;
    let mut events = Events::of(dialect.clone(), input).as_written();
    while let Some(event) = events.next_event()? {
        let any = in_set_at(&mut set, &event);
        let is_start = matches!(event, Event::Start(_));
        let (is_selected, expected) = (is_start && set.is_selected(id), matcher.matches(&event));
        if is_selected != expected || is_selected && !any {
            return Err(format!("as written: {event:?}: {is_selected}, not {expected}").into());
        }
    }
    Ok(())
}

/// Passes an event to a set. Returns true if a selector matches its element.
fn in_set_at<D: Balance>(set: &mut SelectorSet<D>, event: &Event<'_>) -> bool {
    match event {
        Event::Start(tag) => return set.enter(tag),
        Event::End(_) => set.leave(),
        Event::Doctype(doctype) => set.doctype(doctype),
        _ => {}
    }
    false
}

fn of_node(node: &Node<'_>) -> String {
    shown(node.name(), node.attribute("id"))
}

/// Returns the start of an element, with only its id.
fn shown(name: &str, id: Option<&str>) -> String {
    let id = id.map_or(String::new(), |id| format!(" id=\"{id}\""));
    format!("start {name}{id}")
}
