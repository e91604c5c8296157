//! The shapes of MicroXML, Sky and LeafXML: some 256 KiB of each token, of what is not what it looks like,
//! and of look-aheads.

use crate::{SIZES, run, sized};
use tagstream::microxml::Revision;
use tagstream::{Dialect, LeafXml, Limits, MicroXml, Parser, Sky};
use testing::run::{Failed, Program};

const SIZE: usize = 1 << 18;

/// The first chunks of a long run move once, as soon as there is a second.
const SLACK: u64 = 2 * 4096 + 64;

/// A beginning, and what is repeated.
type Shape = (&'static str, &'static str);

/// What each of them may be given.
const SHAPES: [Shape; 50] = [
    ("<a>", "text "),
    ("<a>", "\n"),
    ("", "text "),
    ("", " \n\t"),
    ("<a>", "\u{20ac}\u{1f600}\u{e9}"),
    ("<a b=\"", "value "),
    ("<a b='", "value "),
    ("<a b=", "value"),
    ("<a><!--", "comment "),
    ("<a><!--", "-"),
    ("<a><!--", "- -"),
    ("<a>", "<!---->"),
    ("<", "name"),
    ("<", "\u{e9}"),
    ("<a></", "name"),
    ("<a ", "name"),
    ("<a>&", "name"),
    ("<a>&#", "1"),
    ("<a>&#x", "1"),
    ("", "<a>"),
    ("", "<a b='c'>"),
    ("<a>", "<b/>"),
    ("<a>", "<b></b>"),
    ("<a>", "x<b>y</b>"),
    ("<a>", "]"),
    ("<a>", ">"),
    ("<a>", "<"),
    ("<a>", "</"),
    ("<a>", "</b>"),
    ("<a>", "<!"),
    ("<a>", "<!-"),
    ("<a>", "&"),
    ("<a>", "/"),
    ("<a ", "b='c' "),
    ("<a", " "),
    ("<a b", " "),
    ("<a b=", " "),
    ("<a b='c'", " "),
    ("</a", " "),
    ("<a>", "<a b c"),
    ("<a ", "b "),
    ("<a>", "<a b='"),
    ("<a>", "<a b=\""),
    ("<a b=\"", "<"),
    ("<a b='", ">"),
    ("<a>", "'"),
    ("<a>", "\""),
    ("<a>", "<a b"),
    ("<a>", "<a "),
    ("<a>", "<a\n"),
];

/// What is not what was written, or not what it looked like.
const MEANT: [Shape; 13] = [
    ("<a>", "&lt;"),
    ("<a>", "&#65;"),
    ("<a>", "\r"),
    ("<a>", "\r\n"),
    ("<a>", "x\r\n"),
    ("<a>", "\rx"),
    ("<a>", "\r\u{e9}"),
    ("<a b='", "\r\n"),
    ("<a b='", "&lt;"),
    ("<a>", "<!--"),
    ("<a>", "<?"),
    ("<a>", "<a b='<"),
    ("<a b='", "\u{e9}&amp;"),
];

/// Look-aheads of MicroXML's final revision of several kinds, one within the other, where all fail: each
/// kind looks once.
const MIXED: [Shape; 11] = [
    ("<a b='<", "<?<!DOCTYPE '"),
    ("<a>", "<!-- <? <a b c <a b='"),
    ("<a>", "<!DOCTYPE '<!--"),
    ("<a>", "<!DOCTYPE a [<?"),
    ("<a>", "<!DOCTYPE a [<!--"),
    ("<a>", "<!DOCTYPE a [<!b '"),
    ("<a>", "<!DOCTYPE a [<!b \"' '"),
    ("<a>", "<!DOCTYPE a [<!b '\" \"<?"),
    ("<a>", "<a b=\"<a c='<"),
    ("<a>", "<a b='<a c=\"><!DOCTYPE a[<!b '"),
    ("<a>", "<a b='<<!DOCTYPE \"<a c=\"<"),
];

const MICROXML: [Shape; 24] = [
    ("<a>", "<!DOCTYPE a ["),
    ("<a>", "<!--<?"),
    ("<a>", "<?<!--"),
    ("<a>", "<!--'\"<?"),
    ("<a b=\"", "<!--<?"),
    ("<a>", "<a b=\"<"),
    ("<a>", "<a b='<'c"),
    ("<a>", "<a b='>"),
    ("<a>", "<a b='<!--' "),
    ("<a>", "?>-->'\""),
    ("<a b='c' ", "d "),
    ("<a>x<!--", "c"),
    ("<a>x<?", "c"),
    ("<a>", "<![CDATA["),
    ("<a>", "<![CDATA[c]]>"),
    ("<a><![CDATA[", "section "),
    ("<a><![CDATA[", "]"),
    ("<!DOCTYPE a '", "literal "),
    ("<!DOCTYPE a ", "name "),
    ("<!DOCTYPE a [", "<!b c>"),
    ("<!DOCTYPE a [", "<!b 'c>'>"),
    ("<!DOCTYPE a [", "<!---->"),
    ("<!DOCTYPE a [", " "),
    ("<a>", "<?b?>"),
];

const SKY: [Shape; 11] = [
    ("", "</>"),
    ("<script>", "x "),
    ("<script>", "</scrip"),
    ("<script>", "</"),
    ("<style>", "</style"),
    ("", "<script>x</script>"),
    ("", "<template>"),
    ("<template>", "</a>"),
    ("<t>", " "),
    ("", "<a/b/c "),
    ("<a b", "\0"),
];

const LEAFXML: [Shape; 12] = [
    ("<a>", "<![CDATA[c]]>"),
    ("<a><![CDATA[", "section "),
    ("<a><![CDATA[", "]"),
    ("<?", "p "),
    ("", "<?p?>"),
    ("<!DOCTYPE a [", " "),
    ("<a>", "e\u{301}"),
    ("<a b='", "e\u{301}"),
    ("<a>a", "\u{301}"),
    ("<a>", "\u{327}\u{301}"),
    ("<a>", "\u{85}"),
    ("<a xmlns:p='u'>", "<p:b p:c=''/>"),
];

pub(crate) fn add(program: &mut Program) {
    let first = MicroXml::default();
    let last = first.revision(Revision::Final);
    of(program, "microxml/work", first, &MICROXML);
    of(program, "microxml/final, work", last, &MICROXML);
    of(program, "sky/work", Sky::fragment(), &SKY);
    of(program, "leafxml/work", LeafXml::default(), &LEAFXML);
}

fn of<D: Dialect>(program: &mut Program, name: &str, dialect: D, own: &[Shape]) {
    // U+FFFD, which U+0000 means in Sky, is three bytes.
    let nulls = [(("<a>", "\0"), 4)];
    let mixed = MIXED.iter().map(|shape| (*shape, 4));
    let shapes = SHAPES.iter().chain(&MEANT).chain(own);
    let shapes = shapes.map(|shape| (*shape, 2));
    for ((before, unit), most) in shapes.chain(mixed).chain(nulls) {
        let dialect = dialect.clone();
        program.case(format!("{name}: {before:?} and {unit:?}"), move || {
            let input = format!("{before}{}", unit.repeat(sized(SIZE) / unit.len()));
            work(&dialect, input.as_bytes(), most)
        });
    }
    let nested = dialect.clone();
    program.case(format!("{name}: 100,000 nested elements"), move || {
        let count = sized(100_000);
        let input = ["<a>".repeat(count), "</a>".repeat(count)].concat();
        work(&nested, input.as_bytes(), 2)
    });
    program.case(format!("{name}: 100,000 attributes"), move || {
        let attributes = (0..sized(100_000)).map(|number| format!(" a{number}='b'"));
        let attributes: String = attributes.collect();
        work(&dialect, format!("<p{attributes}/>").as_bytes(), 2)
    });
}

/// All work is so many times the input, and the end does not depend on the chunks.
fn work<D: Dialect>(dialect: &D, input: &[u8], most: u64) -> Result<(), Failed> {
    let mut ends = Vec::new();
    for size in SIZES {
        let mut parser = Parser::new(dialect.clone()).limits(Limits::none());
        ends.push(match run(&mut parser, input, size) {
            Ok(count) => format!("{count} events"),
            Err(error) => format!("{} {}", error.as_str(), error.span()),
        });
        let work = parser.work();
        if work.total() > input.len() as u64 * most + SLACK {
            return Err(format!("chunks of {size}: for {}: {work:?}", input.len()).into());
        }
    }
    match ends.iter().all(|end| *end == ends[0]) {
        true => Ok(()),
        false => Err(format!("it depends on the chunks: {ends:?}").into()),
    }
}
