//! LeafXML: compares the events of the model and of the library. Both must refuse the same documents.

use crate::draws;
use crate::generate::leafxml::document;
use crate::model::leafxml::read;
use crate::random_cases::{Feed, RandomTest, Verdict};
use crate::rewriting::tree::Tested;
use std::collections::BTreeMap;
use tagstream::leafxml::AttributeMaps;
use tagstream::{Event, LeafXml, Parser};

/// Compares events.
pub const EVENTS: RandomTest<()> = RandomTest {
    name: "leafxml/model",
    quick: 4_000,
    full: 20_000,
    draw: |random| ((), draws::some_long(random, Tested::LeafXml, document)),
    check,
    // Documents that are refused, out of a thousand.
    other: [300, 900],
    shrinks: true,
};

fn check((): &(), feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let expected = std::str::from_utf8(input).ok().and_then(read);
    for feed in [Feed::whole(), feed] {
        let found = events(feed, input);
        if found != expected {
            return Err(format!("wanted: {expected:?}\nfound:  {found:?}"));
        }
    }
    Ok(match expected {
        Some(_) => Verdict::Right,
        None => Verdict::Other,
    })
}

fn events(feed: Feed, input: &[u8]) -> Option<Vec<String>> {
    let parser = Parser::new(LeafXml::default()).inspect_sizes(feed.sizes);
    let mut events = Vec::new();
    let owned = |text: &str| text.to_owned();
    let done = feed.events(parser, input, |event| {
        events.push(match event {
            Event::Start(tag) => {
                let own: BTreeMap<_, _> = tag
                    .local_attributes()
                    .map(|one| (owned(one.name()), owned(one.value())))
                    .collect();
                let external: BTreeMap<_, _> = tag
                    .external_attributes()
                    .map(|one| {
                        let namespace = one.namespace().unwrap_or_default();
                        let key = (owned(namespace), owned(one.local_name()));
                        (key, owned(one.value()))
                    })
                    .collect();
                let namespace = tag.namespace().unwrap_or_default();
                format!("<{{{namespace}}}{} {own:?} {external:?}>", tag.local_name())
            }
            Event::End(_) => "</>".to_owned(),
            Event::Text(text) => format!("{:?}", text.as_str()),
            other => panic!("{other:?}"),
        });
    });
    done.ok().map(|()| events)
}
