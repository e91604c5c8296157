//! Processes hostile documents for callgrind: each shape of `tests/data/limits.txt` whose length varies, at 64 and at
//! 256 KiB, as events and as a tree, in each dialect that reads the shape. `testing/tools/instructions` runs the
//! program under callgrind, which records the instructions between each call of `measured` and the following call of
//! `counted`. The program prints the names of the measurements in order.

use tagstream::{
    Buildable, Dialect, Encoding, Html, LeafXml, MicroXml, Parser, Sky, TreeBuilder, Xml,
};
use testing::shapes::shapes;

/// Sizes of the documents, in bytes.
const SIZES: [usize; 2] = [64 << 10, 256 << 10];

/// The unit of the document that the others are compared with: text and a few elements.
const PLAIN: &str =
    "<p class=\"a\">Plain text, as most of all documents are, and an <b>element</b>.</p>\n";

fn main() {
    let html = Html::default().encoding(Encoding::UTF_8);
    all(
        "html",
        &html,
        &[
            "HTML",
            "HTML's tree",
            "foreign content is recognised by tags",
        ],
    );
    all("xml", &Xml::default(), &["XML"]);
    all("strict", &Xml::strict(), &["XML"]);
    let microxml = ["Markup", "Look-aheads", "MicroXML", "MicroXML, with a tree"];
    all("microxml", &MicroXml::default(), &microxml);
    all(
        "sky",
        &Sky::fragment(),
        &["Markup", "Look-aheads", "Sky", "Sky, with a tree"],
    );
    all(
        "leafxml",
        &LeafXml::default(),
        &["Markup", "Look-aheads", "LeafXML"],
    );
}

/// Measures all shapes of these sections.
fn all<D: Buildable>(name: &str, dialect: &D, sections: &[&str]) {
    let plain = |size: usize| format!("<div>{}</div>", PLAIN.repeat(size / PLAIN.len()));
    both(dialect, [name, "plain"], |size| plain(size).into_bytes());
    for section in sections {
        for shape in shapes(section) {
            both(dialect, [name, shape.name()], |size| shape.of_bytes(size));
        }
    }
}

/// Measures a document of each size, unless both have the same length.
fn both<D: Buildable>(dialect: &D, [name, shape]: [&str; 2], document: impl Fn(usize) -> Vec<u8>) {
    let documents = SIZES.map(document);
    if documents[0].len() == documents[1].len() {
        return;
    }
    for (how, measure) in [("events", events::<D> as fn(D, &[u8])), ("tree", tree::<D>)] {
        for input in &documents {
            // One line for each measurement, even if the name of the shape contains a tab.
            println!(
                "{name}\t{how}\t{}\t{}",
                input.len(),
                shape.replace('\t', " ")
            );
            measure(dialect.clone(), input);
        }
    }
}

fn events<D: Dialect>(dialect: D, input: &[u8]) {
    measured(|| {
        let mut parser = Parser::new(dialect);
        parser.feed(input);
        parser.finish();
        while let Ok(Some(_)) = parser.next_event() {}
    });
}

fn tree<D: Buildable>(dialect: D, input: &[u8]) {
    measured(|| {
        let mut builder = TreeBuilder::new(dialect);
        // If the parse ends in an error, the cost up to the error is measured.
        let _ = builder.feed(input).and_then(|()| builder.end());
        drop(builder);
    });
}

/// Runs the work that callgrind measures. callgrind writes a dump before each call of this function and of `counted`.
#[inline(never)]
fn measured(work: impl FnOnce()) {
    work();
    counted();
}

#[inline(never)]
fn counted() {
    std::hint::black_box(());
}
