//! Documents that are parsed in one call, and tree builders that are fed chunks.

use std::io::{self, Read};
use tagstream::sky::Registrations;
use tagstream::{
    Buildable, Category, Document, Error, ErrorKind, Html, LeafXml, MicroXml, Sky, Status,
    TreeBuilder, Xml,
};
use testing::cases;
use testing::run::Program;
use testing::tree_formats::TreeFormats as _;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/documents",
        a_document_of_everything,
        a_late_encoding_begins_again,
        a_reader_that_fails,
        what_is_fed_is_built_at_once,
        after_an_error_there_is_what_was_built,
        a_builder_that_waits_is_not_finished,
        a_script_writes_where_it_stands,
    );
}

/// A reader that returns at most seven bytes at a time.
struct Few<'a>(&'a [u8]);

impl Read for Few<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(&mut buffer[..7])
    }
}

fn in_all_ways<D: Buildable>(dialect: &D, input: &str) -> Result<(), Error> {
    let expected = Document::parse(dialect.clone(), input)?.to_outline();
    let bytes = input.as_bytes();
    let mut fed = TreeBuilder::new(dialect.clone());
    for byte in bytes {
        fed.feed(&[*byte])?;
    }
    for document in [
        Document::parse(dialect.clone(), bytes)?,
        Document::parse(dialect.clone(), input.to_owned())?,
        Document::read(dialect.clone(), bytes)?,
        Document::read(dialect.clone(), Few(bytes))?,
        fed.finish()?,
    ] {
        assert_eq!(document.to_outline(), expected, "{dialect:?}");
    }
    Ok(())
}

fn a_document_of_everything() -> Result<(), Error> {
    let input = "<a>one <b c='d'>twö</b></a>";
    in_all_ways(&Html::default(), input)?;
    in_all_ways(&Xml::default(), input)?;
    in_all_ways(&Xml::strict(), input)?;
    in_all_ways(&MicroXml::default(), input)?;
    in_all_ways(&Sky::fragment(), input)?;
    in_all_ways(&LeafXml::default(), input)
}

fn a_late_encoding_begins_again() -> Result<(), Error> {
    for far in [1_100, 70_000, 200_000] {
        let page = [
            b"<p title='\xC1'>".as_slice(),
            " ".repeat(far).as_bytes(),
            b"<meta charset=koi8-r>\xC1",
        ]
        .concat();
        for document in [
            Document::parse(Html::default(), &page)?,
            Document::read(Html::default(), &page[..])?,
            Document::read(Html::default(), Few(&page))?,
        ] {
            let html = document.to_html();
            assert!(html.contains("<p title=\"а\">"), "{}", &html[..60]);
            assert!(html.ends_with("а</p></body></html>"));
        }
        // A string is never decoded: the encoding that the page declares is ignored.
        let text: String = page.iter().map(|byte| char::from(*byte)).collect();
        assert!(
            Document::parse(Html::default(), text)?
                .to_html()
                .contains('Á')
        );
    }
    Ok(())
}

fn a_reader_that_fails() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("no more"))
        }
    }
    let error = Document::read(Html::default(), b"<p>".chain(Broken)).unwrap_err();
    assert_eq!(error.category(), Category::Source);
}

fn what_is_fed_is_built_at_once() -> Result<(), Error> {
    let mut builder = TreeBuilder::new(Html::default());
    builder.feed("<p>one<p>t")?;
    assert_eq!(builder.document().root().text_content(), "onet");
    builder.feed("wo")?;
    let document = builder.finish()?;
    assert_eq!(document.root().text_content(), "onetwo");
    assert_eq!(builder.status(), Status::Finished);
    assert!(builder.feed("late").is_err());
    Ok(())
}

fn after_an_error_there_is_what_was_built() {
    let mut builder = TreeBuilder::new(Xml::strict());
    builder.feed("<a><b>text").unwrap();
    let error = builder.feed("</b><c></d>").unwrap_err();
    assert_eq!(error.category(), Category::Input);
    assert_eq!(
        builder.document().to_xml().unwrap(),
        "<a><b>text</b><c/></a>"
    );
    assert_eq!(builder.finish().unwrap_err().to_string(), error.to_string());
    assert_eq!(
        builder.document().to_xml().unwrap(),
        "<a><b>text</b><c/></a>"
    );
}

fn a_script_writes_where_it_stands() -> Result<(), Error> {
    let mut builder = TreeBuilder::new(Html::default().scripting(true)).hosted();
    let error = builder.write("<b>").unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotPaused);
    assert_eq!(error.category(), Category::Use);
    builder.feed("<p>\n<script></script>a")?;
    let first = builder.paused_at();
    builder.write("<b><script></script>")?;
    assert_ne!(builder.paused_at(), first);
    builder.resume(());
    builder.build()?;
    assert_eq!(
        (builder.paused_at(), builder.status()),
        (first, Status::Paused)
    );
    assert_eq!(builder.finish().unwrap_err().kind(), &ErrorKind::Waiting);
    // An aborted document stays empty, even if more input is fed. A new document starts from the beginning.
    builder.abort();
    builder.feed("<i>")?;
    assert_eq!(builder.status(), Status::Finished);
    let tree = builder.document().to_html();
    assert!(
        tree.ends_with("<b><script></script></b></p></body></html>"),
        "{tree}"
    );
    builder.reset();
    builder.feed("<i>")?;
    assert!(builder.finish()?.to_html().contains("<i>"));
    Ok(())
}

fn a_builder_that_waits_is_not_finished() -> Result<(), Error> {
    let mut builder = TreeBuilder::new(Sky::fragment().registered(["import"])).hosted();
    builder.feed("<import src='a'/><b/><c/>")?;
    assert_eq!(builder.status(), Status::Paused);
    builder.feed("<d/>")?;
    for _ in 0..2 {
        let error = builder.finish().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Waiting));
        assert_eq!(error.category(), Category::Use);
    }
    builder.resume(Registrations::new(["b", "c", "d"]));
    let document = builder.finish()?;
    assert!(
        document.to_outline().contains("<d>"),
        "{}",
        document.to_outline()
    );
    let mut builder = TreeBuilder::new(Xml::strict().external_entities(true));
    builder.feed("<!DOCTYPE a [<!ENTITY e SYSTEM 'e'>]><a>&e;</a>")?;
    assert!(matches!(
        builder.finish().unwrap_err().kind(),
        ErrorKind::Waiting
    ));
    builder.feed_entity("<b/>");
    builder.finish_entity(None);
    assert_eq!(
        builder.finish()?.to_xml().unwrap().matches("<b/>").count(),
        1
    );
    Ok(())
}
