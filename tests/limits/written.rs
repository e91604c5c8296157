//! The work of the serializers and of the writer, counted on every shape. It is proportional to the length of the
//! document and of the output, and a document of twice the length takes twice the work.

use crate::rewrite::is_linear;
use tagstream::tree::{C14n, Serializer};
use tagstream::{
    Balance, Buildable, Document, Encoding, Html, Limits, Parser, Textwise, TreeBuilder,
    WriteError, Writer, Xml, inspect_work,
};
use testing::effort::sized;
use testing::run::{Failed, Program};
use testing::shapes::{Shape, shapes};
use testing::tree_formats::TreeFormats as _;

/// Length of the shorter document in bytes. In the quick effort, an eighth of it.
const LENGTH: usize = 16 << 10;

/// Serializes a tree in some format.
type Form = fn(&Document) -> Result<String, WriteError>;

const FORMS: &[(&str, Form)] = &[
    ("XML", |document| document.to_xml()),
    ("XML, indented", |document| {
        Serializer::xml().indent(" ").to_string(document.root())
    }),
    ("XML without namespaces", |document| {
        Serializer::xml()
            .namespaces(false)
            .to_string(document.root())
    }),
    ("HTML", |document| Ok(document.to_html())),
    ("HTML, indented", |document| {
        Serializer::html().indent(" ").to_string(document.root())
    }),
    ("Canonical XML", |document| {
        document.to_c14n(C14n::inclusive().comments(true))
    }),
    ("the canonical form of tests", |document| {
        Ok(document.to_canonical())
    }),
    ("an outline", |document| Ok(document.to_outline())),
];

pub(crate) fn add(program: &mut Program) {
    let html = Html::default().encoding(Encoding::UTF_8);
    all(
        program,
        "html",
        &html,
        &["HTML", "HTML's tree", "Rewriter"],
        &Writer::html,
    );
    let of_xml = ["XML", "Rewriter", "Serialisation"];
    all(program, "xml", &Xml::default(), &of_xml, &Writer::xml);
}

/// Adds cases for all shapes of these sections.
fn all<D: Balance + Buildable>(
    program: &mut Program,
    name: &str,
    dialect: &D,
    sections: &[&str],
    writer: &'static (impl Fn(String) -> Writer<String, Textwise> + Sync),
) {
    for section in sections {
        for shape in shapes(section) {
            let (dialect, same) = (dialect.clone(), dialect.clone());
            let of_events = shape.clone();
            let title = format!("{name}/serialize, work: {}", shape.name());
            program.case(title, move || trees(&dialect, &shape));
            let title = format!("{name}/write, work: {}", of_events.name());
            program.case(title, move || {
                let inputs = documents(&of_events);
                linear("events", inputs.map(|input| events(&same, &input, writer)))
            });
        }
    }
}

/// Returns two documents of a shape. The second has twice the length.
fn documents(shape: &Shape) -> [Vec<u8>; 2] {
    [1, 2].map(|times| shape.of_bytes(times * sized(LENGTH)))
}

/// Compares the work on a document with that on a document of twice the length. Each pair is the work, and the length
/// of the document and its output.
fn linear(name: &str, [one, two]: [(u64, u64); 2]) -> Result<(), Failed> {
    match is_linear(one, two) {
        true => Ok(()),
        false => Err(format!("{name}: {one:?}, {two:?}").into()),
    }
}

/// Tests all formats of a tree. If a format cannot express a tree, the work up to the refused node is counted.
fn trees<D: Buildable>(dialect: &D, shape: &Shape) -> Result<(), Failed> {
    let [one, two] = documents(shape).map(|input| {
        let limits = Limits::default().depth(usize::MAX).attributes(usize::MAX);
        let mut builder = TreeBuilder::new(dialect.clone()).limits(limits);
        builder.feed(&input)?;
        Ok::<_, Failed>((input.len(), builder.finish()?))
    });
    let trees = [one?, two?];
    for (name, form) in FORMS {
        let costs = trees.each_ref().map(|(length, document)| {
            let before = inspect_work();
            let written = form(document).map_or(0, |text| text.len());
            (inspect_work() - before, (length + written) as u64)
        });
        linear(name, costs)?;
    }
    Ok(())
}

/// Writes all events up to the first that is refused, alternately borrowed and owned. Returns the work, and the length
/// of the input and the output.
fn events<D: Balance>(
    dialect: &D,
    input: &[u8],
    writer: impl Fn(String) -> Writer<String, Textwise>,
) -> (u64, u64) {
    let mut parser = Parser::new(dialect.clone())
        .balanced()
        .limits(Limits::default().depth(usize::MAX));
    parser.feed(input);
    parser.finish();
    let (before, mut writer) = (inspect_work(), writer(String::new()));
    let mut is_owned = false;
    while let Ok(Some(event)) = parser.next_event() {
        is_owned = !is_owned;
        let written = match is_owned {
            true => writer.event(&event.to_owned().event()).map(|_| ()),
            false => writer.event(&event).map(|_| ()),
        };
        if written.is_err() {
            break;
        }
    }
    let length = writer.finish().map_or(0, |text| text.len());
    (inspect_work() - before, (input.len() + length) as u64)
}
