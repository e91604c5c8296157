//! Compares the namespaces of prefixes at each event with a simple stack of the declarations of open elements.

use crate::generate::{leafxml, prefixes, xml};
use crate::random::Random;
use crate::random_cases::{Feed, RandomTest, Verdict};
use tagstream::{Error, Event, LeafXml, Nested, Parser, Prefixed, StartTag, Xml};

/// The generator and dialect of the documents, and whether the next event is peeked at between two events.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    of: usize,
    peeks: bool,
}

/// Compares namespaces.
pub const NAMESPACES: RandomTest<Options> = RandomTest {
    name: "core/prefixes",
    quick: 1_000,
    full: 20_000,
    draw: |random: &mut Random| {
        let of = random.below(4);
        let peeks = random.one_in(2);
        let parts = match of {
            0 => xml::document(random),
            1 => leafxml::document(random),
            _ => prefixes::document(random),
        };
        (Options { of, peeks }, parts)
    },
    check: |options, feed, input| {
        match options.of {
            0 | 2 => compare(Xml::default(), *options, feed, input)?,
            _ => compare(LeafXml::default(), *options, feed, input)?,
        }
        Ok(Verdict::Right)
    },
    other: [0, 0],
    shrinks: true,
};

/// The namespace of namespace declarations.
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The prefixes that are looked up.
const ASKED: [&str; 10] = ["", "p", "q", "k1", "k2", "k7", "k9", "xml", "xmlns", "no"];

/// The declarations of the open elements.
#[derive(Default)]
struct Stack(Vec<Vec<(String, String)>>);

impl Stack {
    fn push(&mut self, tag: &StartTag<'_>) {
        let declared = tag
            .attributes()
            .filter(|one| one.namespace() == Some(XMLNS));
        let bindings = declared.map(|one| {
            let prefix = one.name().strip_prefix("xmlns:").unwrap_or("");
            (prefix.to_owned(), one.value().to_owned())
        });
        self.0.push(bindings.collect());
    }

    fn namespace(&self, prefix: &str) -> Option<&str> {
        match prefix {
            "xml" => return Some("http://www.w3.org/XML/1998/namespace"),
            "xmlns" => return Some(XMLNS),
            _ => {}
        }
        let mut bindings = self
            .0
            .iter()
            .rev()
            .flat_map(|declared| declared.iter().rev());
        let (_, name) = bindings.find(|(bound, _)| bound == prefix)?;
        (!name.is_empty()).then_some(name)
    }
}

fn compare(
    dialect: impl tagstream::Balance + Prefixed,
    options: Options,
    feed: Feed,
    input: &[u8],
) -> Result<(), String> {
    let mut parser = Parser::new(dialect)
        .balanced()
        .inspect_sizes(feed.sizes)
        .report_errors(true);
    let mut stack = Stack::default();
    for chunk in feed.chunks(input).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => parser.feed(chunk),
            None => parser.finish(),
        }
        // After an error there are no further events.
        if next(&mut parser, options, &mut stack)?.is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// Pulls the available events and checks each.
fn next<D: tagstream::Balance + Prefixed>(
    parser: &mut Parser<D, Nested>,
    options: Options,
    stack: &mut Stack,
) -> Result<Result<(), Error>, String> {
    loop {
        let mut is_end = false;
        match parser.next_event() {
            Ok(Some(Event::Start(tag))) => stack.push(&tag),
            Ok(Some(Event::End(_))) => is_end = true,
            // The errors of a tag precede the tag's event.
            Ok(Some(Event::ParseError(_))) => continue,
            Ok(Some(_)) => {}
            Ok(None) => return Ok(Ok(())),
            Err(error) => return Ok(Err(error)),
        }
        same(parser, stack)?;
        if options.peeks {
            let _ = parser.peek();
            same(parser, stack)?;
        }
        if is_end {
            stack.0.pop();
        }
    }
}

/// Checks the namespaces of all prefixes at the current event.
fn same<D: Prefixed + tagstream::Balance>(
    parser: &Parser<D, Nested>,
    stack: &Stack,
) -> Result<(), String> {
    for prefix in ASKED {
        let (found, wanted) = (parser.resolve(prefix), stack.namespace(prefix));
        if found != wanted {
            let at = parser.current();
            return Err(format!(
                "{prefix:?} at {at:?}: {found:?}, wanted: {wanted:?}"
            ));
        }
    }
    Ok(())
}
