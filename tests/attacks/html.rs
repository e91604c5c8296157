//! HTML's shapes: some 1 MiB of each token kind, of what is not what it looks like, and tags of very
//! many attributes.

use crate::{SIZES, run};
use libtest_mimic::{Failed, Trial};
use tagstream::{Encoding, Html, Limits, Parser};

const SIZE: usize = 1 << 20;

/// A beginning, what is repeated, and how many times the input all work together may be. Where what
/// is written is not what is meant and a chunk ends in it, it is copied twice: three times.
const SHAPES: [(&str, &str, u64); 58] = [
    ("", "text of some words ", 2),
    ("", "<p>", 2),
    ("", "</p>", 2),
    ("", "<P CLASS=X>", 3),
    ("", "<br/>", 2),
    ("", "<a href=\"some/where\" class='b' id=c d>", 2),
    ("<a b=\"", "value ", 2),
    ("<a b='", "value ", 2),
    ("<a b=", "value", 2),
    ("<a ", "/ ", 3),
    ("<a ", "=", 2),
    ("", "<!-- a comment -->", 2),
    ("<!--", "text", 2),
    ("<!--", "-", 2),
    ("<!--", "--x", 3),
    ("<!--", "<!--", 3),
    ("<!--", "<!-", 3),
    ("<!--", "--!", 3),
    ("<!--", "<", 3),
    ("", "<!x>", 3),
    ("", "</3>", 3),
    ("", "<!DOCTYPE html>", 2),
    ("<!DOCTYPE ", "name", 2),
    ("<!DOCTYPE a PUBLIC '", "identifier", 2),
    ("<!DOCTYPE a ", "bogus ", 2),
    ("", "<?a b?>", 3),
    ("", "<?3>", 3),
    ("<?a ", "?", 3),
    ("<?a ", "data?", 3),
    ("", "<", 3),
    ("", "</", 3),
    ("", "</>", 3),
    ("", "&", 3),
    ("", "&amp;", 3),
    ("", "&not", 3),
    ("", "&notit;", 3),
    ("", "&unknown;", 3),
    ("&", "unknown", 2),
    ("", "&#65;", 3),
    ("&#", "1", 2),
    ("<a b=\"", "&amp;&notx", 3),
    ("", "&CounterClockwiseContourIntegra ", 2),
    ("", "\r", 3),
    ("", "\r\n", 3),
    ("", "\0", 2),
    ("<!--", "\0", 6),
    ("<title>", "a &lt; b", 3),
    ("<title>", "</titles>", 3),
    ("<title>", "</titl", 3),
    ("<style>", "a { b: c } ", 2),
    ("<style>", "</b>", 3),
    ("<script>", "a < b && c;", 2),
    ("<script><!--", "<script>-</script>-", 3),
    ("<script><!--", "<", 3),
    ("<plaintext>", "<b>", 2),
    ("<svg>", "<![CDATA[a]]>", 3),
    ("<svg><![CDATA[", "]", 2),
    ("", "<svg>", 2),
];

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> = SHAPES
        .into_iter()
        .map(|(before, unit, most)| {
            let name = format!("html: {before:?} and {unit:?}");
            Trial::test(name, move || {
                let input = format!("{before}{}", unit.repeat(SIZE / unit.len()));
                work(input.as_bytes(), most)
            })
        })
        .collect();
    for (name, attribute) in [
        (
            "distinct",
            (|number| format!(" a{number}=b")) as fn(usize) -> String,
        ),
        ("equal", |_| " a=b".to_owned()),
        ("equal but for capitals", |number| {
            let capital = |bit: usize| if number >> bit & 1 == 1 { 'A' } else { 'a' };
            format!(" {}", (0..17).map(capital).collect::<String>())
        }),
        ("of one length and beginning", |number| {
            format!(" data-attribute-with-a-long-name-{number:06}")
        }),
    ] {
        trials.push(Trial::test(
            format!("html: attributes, {name}"),
            move || {
                let attributes: String = (0..100_000).map(attribute).collect();
                work(format!("<p{attributes}>").repeat(2).as_bytes(), 4)
            },
        ));
    }
    trials
}

/// States take or look at no more than 1.1 times the input, twice where the unit is short and each
/// look shows that it is something else; all work is bounded likewise, and no count depends on the
/// chunks.
fn work(input: &[u8], most: u64) -> Result<(), Failed> {
    let length = input.len() as u64;
    let mut counts = Vec::new();
    for size in SIZES {
        let html = Html::default().encoding(Encoding::UTF_8);
        let mut parser = Parser::new(html).limits(Limits::none());
        counts.push(run(&mut parser, input, size)?);
        let work = parser.work();
        let states = if most > 2 { 20 } else { 11 };
        if work.states * 10 > length * states + 640 || work.total() > length * most + 64 {
            return Err(format!("chunks of {size}: for {length}: {work:?}").into());
        }
    }
    match counts.iter().all(|count| *count == counts[0]) {
        true => Ok(()),
        false => Err(format!("numbers of events: {counts:?}").into()),
    }
}
