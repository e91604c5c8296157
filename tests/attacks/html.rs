//! HTML's shapes: some 1 MiB of each token kind, of what is not what it looks like, and tags of very
//! many attributes.

use crate::{SIZES, run, sized};
use tagstream::{Encoding, Html, Limits, Parser};
use testing::run::{Failed, Program};

const SIZE: usize = 1 << 20;

/// The first chunk of a long run is copied once, as soon as there is a second.
const SLACK: u64 = 4096 + 64;

/// A beginning, and what is repeated.
const SHAPES: [(&str, &str); 70] = [
    ("", "text of some words "),
    ("", "<p>"),
    ("", "</p>"),
    ("", "<P CLASS=X>"),
    ("", "<br/>"),
    ("", "<a href=\"some/where\" class='b' id=c d>"),
    ("<a b=\"", "value "),
    ("<a b='", "value "),
    ("<a b=", "value"),
    ("<a ", "/ "),
    ("<a ", "="),
    ("", "<!-- a comment -->"),
    ("<!--", "text"),
    ("<!--", "-"),
    ("<!--", "--x"),
    ("<!--", "<!--"),
    ("<!--", "<!-"),
    ("<!--", "--!"),
    ("<!--", "<"),
    ("", "<!x>"),
    ("", "</3>"),
    ("", "<!DOCTYPE html>"),
    ("<!DOCTYPE ", "name"),
    ("<!DOCTYPE a PUBLIC '", "identifier"),
    ("<!DOCTYPE a ", "bogus "),
    ("", "<?a b?>"),
    ("", "<?3>"),
    ("<?a ", "?"),
    ("<?a ", "data?"),
    ("", "<"),
    ("", "</"),
    ("", "</>"),
    ("", "&"),
    ("", "&amp;"),
    ("", "&not"),
    ("", "&notit;"),
    ("", "&unknown;"),
    ("&", "unknown"),
    ("", "&#65;"),
    ("&#", "1"),
    ("<a b=\"", "&amp;&notx"),
    ("", "&CounterClockwiseContourIntegra "),
    ("", "\r"),
    ("", "\r\n"),
    ("", "\0"),
    ("<!--", "\0"),
    ("<title>", "a &lt; b"),
    ("<title>", "</titles>"),
    ("<title>", "</titl"),
    ("<style>", "a { b: c } "),
    ("<style>", "</b>"),
    ("<script>", "a < b && c;"),
    ("<script><!--", "<script>-</script>-"),
    ("<script><!--", "<"),
    ("<plaintext>", "<b>"),
    ("<svg>", "<![CDATA[a]]>"),
    ("<svg><![CDATA[", "]"),
    ("", "<svg>"),
    ("<a b=", "&amp;&notx&not="),
    ("<!DOCTYPE a PUBLIC '' '", "\r\n"),
    ("<a ", "//"),
    ("<svg><![CDATA[", "]x]]"),
    ("", "&<"),
    ("", "<\u{e9}"),
    ("", "<!>"),
    ("", "<?a>"),
    ("<a ", "/'"),
    ("<a b=", "&="),
    ("<!--", "->"),
    ("<!DOCTYPE ", "A\u{e9}"),
];

/// What floods begin with: each leads to another state.
const BEGINNINGS: [&str; 19] = [
    "",
    "<a ",
    "<a b=",
    "<a b='",
    "<a b=\"",
    "<!--",
    "<!",
    "<?a ",
    "<title>",
    "<style>",
    "<script>",
    "<script><!--",
    "<script><!--<script>",
    "<svg><![CDATA[",
    "<svg>",
    "<!DOCTYPE ",
    "<!DOCTYPE a ",
    "<!DOCTYPE a PUBLIC '",
    "<!DOCTYPE a PUBLIC ''",
];

/// What floods are made of: every byte that means something somewhere, and some that do not.
const PIECES: [&str; 23] = [
    "<", "/", ">", "!", "-", "?", "&", "#", "x", "A", ";", " ", "=", "\"", "'", "`", "\r", "\n",
    "\0", "]", "_", "1", "\u{e9}",
];

const FLOOD: usize = 1 << 11;

pub(crate) fn add(program: &mut Program) {
    for (before, unit) in SHAPES {
        program.case(format!("html/work: {before:?} and {unit:?}"), move || {
            let input = format!("{before}{}", unit.repeat(sized(SIZE) / unit.len()));
            // U+FFFD, which a NUL in a comment means, is three bytes.
            let most = if (before, unit) == ("<!--", "\0") {
                4
            } else {
                2
            };
            work(input.as_bytes(), most)
        });
    }
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
        program.case(format!("html/work: attributes, {name}"), move || {
            let attributes: String = (0..sized(100_000)).map(attribute).collect();
            work(format!("<p{attributes}>").repeat(2).as_bytes(), 2)
        });
    }
    for before in BEGINNINGS {
        let name = format!("html/work: {before:?} and floods of all pairs");
        program.case(name, move || floods(before));
    }
}

/// No byte is taken twice, whatever two pieces are repeated.
fn floods(before: &str) -> Result<(), Failed> {
    for first in PIECES {
        for second in PIECES {
            let unit = format!("{first}{second}");
            let input = format!("{before}{}", unit.repeat(sized(FLOOD) / unit.len()));
            let length = input.len() as u64;
            // U+FFFD, which U+0000 means, is three bytes.
            let most = if unit.contains('\0') { 4 } else { 2 };
            for size in [1, usize::MAX] {
                let html = Html::default().encoding(Encoding::UTF_8);
                let mut parser = Parser::new(html);
                run(&mut parser, input.as_bytes(), size)?;
                let work = parser.work();
                if work.states > length || work.total() > length * most + 64 {
                    let report = format!("{unit:?} in chunks of {size}: for {length}: {work:?}");
                    return Err(report.into());
                }
            }
        }
    }
    Ok(())
}

/// No byte is taken twice; all work is so many times the input; and no count of events depends on the
/// chunks.
fn work(input: &[u8], most: u64) -> Result<(), Failed> {
    let length = input.len() as u64;
    let mut counts = Vec::new();
    for size in SIZES {
        let html = Html::default().encoding(Encoding::UTF_8);
        let mut parser = Parser::new(html).limits(Limits::none());
        counts.push(run(&mut parser, input, size)?);
        let work = parser.work();
        if work.states > length || work.total() > length * most + SLACK {
            return Err(format!("chunks of {size}: for {length}: {work:?}").into());
        }
    }
    match counts.iter().all(|count| *count == counts[0]) {
        true => Ok(()),
        false => Err(format!("numbers of events: {counts:?}").into()),
    }
}
