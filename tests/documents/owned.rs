//! Owned events that share a copy of their batch: for which programs they do, and how large the copy is. The events
//! themselves are compared with borrowed events in `testing/src/cuts.rs`, for every document of this program.

use tagstream::{Event, OwnedEvent, Parser, Xml};
use testing::cases;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/owned",
        a_program_that_owns_all_events_shares_batches,
        a_program_that_owns_few_events_shares_nothing,
        a_copy_of_an_owned_event_shares_nothing,
        a_large_batch_is_not_shared,
        a_parser_that_is_cloned_in_a_batch_goes_on,
    );
}

/// Returns whether an owned event shares its strings with its clones.
fn is_shared(event: &OwnedEvent) -> bool {
    let text = |event: &OwnedEvent| match event.event() {
        Event::Start(tag) => tag.name().as_ptr(),
        Event::End(tag) => tag.name().as_ptr(),
        Event::Text(text) => text.as_str().as_ptr(),
        event => panic!("{event:?}"),
    };
    text(event) == text(&event.clone())
}

fn parser(item: &str, count: usize) -> Parser<Xml> {
    let mut parser = Parser::new(Xml::strict());
    parser.feed(format!("<list>{}</list>", item.repeat(count)));
    parser.finish();
    parser
}

const ITEM: &str = "<item id='1'>one &amp; two</item>\n";

fn a_program_that_owns_all_events_shares_batches() {
    let events: Vec<OwnedEvent> = parser(ITEM, 1000)
        .map(|event| event.expect("an event"))
        .collect();
    let shared = events.iter().filter(|event| is_shared(event)).count();
    let first = events.iter().position(is_shared);
    assert!(
        shared > events.len() * 9 / 10,
        "{shared} of {}",
        events.len()
    );
    assert!((100..200).contains(&first.unwrap_or(0)), "{first:?}");
    let mut borrowed = parser(ITEM, 1000);
    for event in &events {
        let wanted = borrowed.next_event().expect("no error").expect("an event");
        assert_eq!(event.event(), wanted);
        assert_eq!(event.span(), wanted.span());
        assert_eq!(event.event().position(), wanted.position());
    }
}

fn a_program_that_owns_few_events_shares_nothing() {
    let (mut parser, mut owned) = (parser(ITEM, 1000), Vec::new());
    while let Some(event) = parser.next_event().expect("no error") {
        if matches!(event, Event::Start(_)) {
            owned.push(event.to_owned());
        }
    }
    assert_eq!((owned.len(), owned.iter().any(is_shared)), (1001, false));
}

fn a_copy_of_an_owned_event_shares_nothing() {
    let mut into = None;
    for event in parser(ITEM, 1000) {
        let event = event.expect("an event");
        let copy = event.event().to_owned();
        assert!(!is_shared(&copy));
        let into = into.get_or_insert_with(|| event.clone());
        event.event().clone_into(into);
        assert!(!is_shared(into));
    }
    let events: Vec<OwnedEvent> = parser(ITEM, 1000)
        .map(|event| event.expect("an event"))
        .collect();
    let mut last = events[events.len() / 2].clone();
    assert!(is_shared(&last));
    events[1].event().clone_into(&mut last);
    assert_eq!((is_shared(&last), &last), (false, &events[1]));
}

fn a_large_batch_is_not_shared() {
    for (length, shares) in [(100, true), (100_000, false)] {
        // Each batch has a text.
        let item = format!("<item>{}{}</item>", "x".repeat(length), "<b/>".repeat(20));
        let mut events = parser(&item, 30).map(|event| event.expect("an event"));
        assert_eq!(events.any(|event| is_shared(&event)), shares, "{length}");
    }
}

fn a_parser_that_is_cloned_in_a_batch_goes_on() {
    let mut parser = parser(ITEM, 1000);
    let read = parser
        .by_ref()
        .take(1000)
        .map(|event| event.expect("an event"));
    let events: Vec<OwnedEvent> = read.collect();
    let mut clone = parser.clone();
    drop(events);
    for event in parser {
        let (found, wanted) = (clone.next(), event.expect("an event"));
        assert_eq!(found.expect("an event").expect("no error"), wanted);
    }
    assert!(clone.next().is_none());
}
