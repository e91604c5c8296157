//! MicroXML: compares the events of the model and of the library.

use crate::draws;
use crate::generate::microxml::document;
use crate::model::microxml::Model;
use crate::random_cases::{Feed, RandomTest, Verdict};
use crate::rewriting::tree::Tested;
use tagstream::microxml::Revision;
use tagstream::{Event, MicroXml, Parser};

/// Compares events, in both revisions.
pub const EVENTS: RandomTest<Revision> = RandomTest {
    name: "microxml/model",
    quick: 4_000,
    full: 40_000,
    draw: |random| {
        (
            [Revision::First, Revision::Final][random.below(2)],
            draws::some_long(random, Tested::MicroXml, document),
        )
    },
    check,
    other: [0, 0],
    shrinks: true,
};

fn check(revision: &Revision, feed: Feed, input: &[u8]) -> Result<Verdict, String> {
    let is_final = *revision == Revision::Final;
    let expected = Model::read(&String::from_utf8_lossy(input), is_final);
    for feed in [Feed::whole(), feed] {
        let found = events(*revision, feed, input);
        if found != expected {
            return Err(format!("wanted: {expected:?}\nfound:  {found:?}"));
        }
    }
    Ok(Verdict::Right)
}

fn events(revision: Revision, feed: Feed, input: &[u8]) -> Vec<String> {
    let parser = Parser::new(MicroXml::default().revision(revision));
    let mut events = Vec::new();
    let done = feed.events(parser.inspect_sizes(feed.sizes), input, |event| {
        events.push(match event {
            Event::Start(tag) => {
                let mut line = format!("<{}", tag.name());
                for attribute in tag.attributes() {
                    line += &format!(" {}={:?}", attribute.name(), attribute.value());
                }
                line + if tag.is_self_closing() { "/>" } else { ">" }
            }
            Event::End(tag) => format!("</{}>", tag.name()),
            Event::Text(text) => format!("{:?}", text.as_str()),
            other => panic!("{other:?}"),
        });
    });
    done.expect("no error ends the parse");
    events
}
