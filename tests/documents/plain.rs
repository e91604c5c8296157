//! Plain documents: elements, attributes, text and the five references, well-formed by all four
//! documents of the XML-like dialects, give the same tree in all of them, however they are fed.
//!
//! What is plain is what no dialect reads in a way of its own: names of elements that begin in ASCII,
//! tags without tabs, values without white space but single spaces inside, text of white space alone
//! only inside a `t`, no script, style or template, characters in NFC.

use std::fmt::Write;
use tagstream::microxml::Revision;
use tagstream::tree::Edge;
use tagstream::{
    Buildable, Dialect, Document, Error, Event, LeafXml, MicroXml, Parser, Sky, TreeBuilder, Xml,
};
use testing::effort::{documents, seeds};
use testing::random::Random;
use testing::run::Program;

const DOCUMENTS: [(&str, &str); 13] = [
    ("<a/>", "a[]"),
    ("<a></a>", "a[]"),
    ("<a b=\"c\"/>", "a b=\"c\"[]"),
    (
        "<a b='c' d = \"e\" f='' g='\"' h=\"'\"></a >",
        "a b=\"c\" d=\"e\" f=\"\" g=\"\\\"\" h=\"'\"[]",
    ),
    ("<a>text</a>", "a[\"text\"]"),
    ("<a>&lt;&gt;&amp;&quot;&apos;</a>", "a[\"<>&\\\"'\"]"),
    (
        "<a b='&lt;&gt;&amp;&quot;&apos;' c=\"x &amp; y &lt; z\"/>",
        "a b=\"<>&\\\"'\" c=\"x & y < z\"[]",
    ),
    (
        "<a>x<b>y</b>z<c/>&amp;<b/></a>",
        "a[\"x\" b[\"y\"] \"z\" c[] \"&\" b[]]",
    ),
    (
        "<a>line\r\nline\rline\n</a>",
        "a[\"line\\nline\\nline\\n\"]",
    ),
    (
        "\n<list kind='short'\n>\n1. <item id=\"_1\" lang='de'\r\n >Grüße, 世界 𝄞</item\n>!</list>\n",
        "list kind=\"short\"[\"\\n1. \" item id=\"_1\" lang=\"de\"[\"Grüße, 世界 𝄞\"] \"!\"]",
    ),
    (
        "<aé ü='ä'><_日本 名='前'/>x</aé>",
        "aé ü=\"ä\"[_日本 名=\"前\"[] \"x\"]",
    ),
    (
        "<t a=\"b &amp; c\"><d/>text &lt; &gt; &quot; &apos;<e f='g'>more</e>\n</t>",
        "t a=\"b & c\"[d[] \"text < > \\\" '\" e f=\"g\"[\"more\"] \"\\n\"]",
    ),
    ("<t> <b> </b>\n</t>", "t[\" \" b[\" \"] \"\\n\"]"),
];

pub(crate) fn add(program: &mut Program) {
    for (input, expected) in DOCUMENTS {
        program.case(format!("core/plain document {input:?}"), move || {
            assert_eq!(check(input), expected);
        });
    }
    for seed in seeds(0x7061_6765) {
        program.case(format!("core/plain documents of seed {seed}"), move || {
            random_documents(seed);
        });
    }
}

/// A tree on one line.
fn written(document: &Document) -> String {
    let mut out = String::new();
    for edge in document.root().edges() {
        match edge {
            Edge::Open(node) if node.is_text() => write!(out, "{:?} ", node.text()).unwrap(),
            Edge::Open(node) if node.is_element() => {
                out.push_str(node.name());
                for attribute in node.attributes() {
                    let (name, value) = (attribute.name(), attribute.value());
                    write!(out, " {name}={value:?}").unwrap();
                }
                out.push('[');
            }
            Edge::Close(node) if node.is_element() => {
                out.truncate(out.trim_end().len());
                out.push_str("] ");
            }
            _ => {}
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn tree(dialect: impl Buildable, input: &str, size: usize) -> Result<String, Error> {
    let mut builder = TreeBuilder::new(dialect);
    for chunk in input.as_bytes().chunks(size) {
        builder.feed_slice(chunk);
        builder.build()?;
    }
    builder.finish();
    builder.build()?;
    Ok(written(builder.sink()))
}

/// What is reported of an input.
fn errors(dialect: impl Dialect, input: &str) -> Result<Vec<&'static str>, Error> {
    let mut parser = Parser::new(dialect).errors(true);
    parser.feed(input.to_owned());
    parser.finish();
    let mut errors = Vec::new();
    while let Some(event) = parser.next_event()? {
        if let Event::ParseError(error) = event {
            errors.push(error.code().as_str());
        }
    }
    Ok(errors)
}

/// The tree is the same one in every dialect and feeding, and nothing is reported; gives it.
fn check(input: &str) -> String {
    let microxml = MicroXml::default().revision(Revision::Final);
    let strict = MicroXml::strict().revision(Revision::Final);
    let mut trees = Vec::new();
    let mut reports = Vec::new();
    for size in [usize::MAX, 1, 5] {
        trees.extend([
            ("xml", tree(Xml::default(), input, size)),
            ("xml, strict", tree(Xml::strict(), input, size)),
            ("microxml", tree(MicroXml::default(), input, size)),
            ("microxml, final", tree(microxml, input, size)),
            ("microxml, strict", tree(MicroXml::strict(), input, size)),
            ("microxml, strict and final", tree(strict, input, size)),
            ("sky", tree(Sky::fragment(), input, size)),
            ("leafxml", tree(LeafXml::default(), input, size)),
        ]);
    }
    reports.push(errors(Xml::default(), input));
    reports.push(errors(MicroXml::default(), input));
    reports.push(errors(microxml, input));
    reports.push(errors(Sky::fragment(), input));
    for (dialect, found) in &trees {
        match (found, &trees[0].1) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{dialect}: {input:?}"),
            (found, _) => panic!("{dialect}: {input:?}: {found:?}"),
        }
    }
    for report in reports {
        assert_eq!(report.unwrap_or_default(), [""; 0], "{input:?}");
    }
    trees.swap_remove(0).1.unwrap_or_default()
}

const NAMES: [&str; 10] = [
    "a",
    "b",
    "item",
    "_x",
    "a-b",
    "a.1",
    "a\u{e9}",
    "_\u{65e5}\u{672c}",
    "z9",
    "x\u{10000}",
];
const WHITE: [&str; 6] = [" ", "\n", "\r\n", "\r", "  ", "\t"];
/// A tab is no white space in Sky's tags.
const IN_TAGS: usize = 5;
const TEXTS: [&str; 16] = [
    "x",
    "text",
    "1",
    "a\u{e9}",
    "\u{4e16}\u{754c}",
    "\u{1f600}",
    "&lt;",
    "&gt;",
    "&amp;",
    "&quot;",
    "&apos;",
    "-",
    "]",
    "/",
    "=",
    "?",
];

/// A random plain document, of elements to a depth.
struct Writer {
    random: Random,
    out: String,
    /// All text inside is kept, white space too.
    preformatted: bool,
}

impl Writer {
    fn one(&mut self, of: &[&'static str]) -> &'static str {
        of[self.random.below(of.len())]
    }

    fn white(&mut self) {
        if self.random.below(4) == 0 {
            let white = self.one(&WHITE[..IN_TAGS]);
            self.out.push_str(white);
        }
    }

    /// A value: no white space but single spaces between other characters.
    fn value(&mut self) {
        let quote = self.one(&["\"", "'"]);
        self.out.push_str(quote);
        for _ in 0..self.random.below(4) {
            let text = self.one(&TEXTS);
            self.out.push_str(text);
            if self.random.below(4) == 0 {
                self.out.push_str(" x");
            }
        }
        self.out.push_str(quote);
    }

    /// Text, of white space alone only where that is kept.
    fn text(&mut self) {
        if !self.preformatted || self.random.below(2) == 0 {
            let text = self.one(&TEXTS);
            self.out.push_str(text);
        }
        for _ in 0..self.random.below(4) {
            let text = match self.random.below(3) {
                0 => self.one(&WHITE),
                _ => self.one(&TEXTS),
            };
            self.out.push_str(text);
        }
    }

    fn element(&mut self, depth: usize) {
        let name = match (depth, self.preformatted) {
            (0, true) => "t",
            _ => self.one(&NAMES),
        };
        self.out.push('<');
        self.out.push_str(name);
        for number in 0..self.random.below(4) {
            let white = self.one(&WHITE[..IN_TAGS]);
            let attribute = self.one(&NAMES);
            write!(self.out, "{white}{attribute}{number}").unwrap();
            self.white();
            self.out.push('=');
            self.white();
            self.value();
        }
        self.white();
        if self.random.below(4) == 0 {
            self.out.push_str("/>");
            return;
        }
        self.out.push('>');
        // Two texts without anything between them are one.
        let mut after_text = false;
        for _ in 0..self.random.below(6) {
            after_text = match after_text || depth < 4 && self.random.below(2) == 0 {
                true => {
                    self.element(depth + 1);
                    false
                }
                false => {
                    self.text();
                    true
                }
            };
        }
        self.out.push_str("</");
        self.out.push_str(name);
        self.white();
        self.out.push('>');
    }
}

fn random_documents(seed: u64) {
    println!("seed {seed}");
    let mut random = Random(seed);
    for _ in 0..documents(100, 1_000) {
        let mut writer = Writer {
            preformatted: random.one_in(2),
            random: Random(random.number()),
            out: String::new(),
        };
        writer.white();
        writer.element(0);
        writer.white();
        check(&writer.out);
    }
}
