//! Sky: contents of templates, source names, spans, and a parser that waits for its host.

use tagstream::sky::SourceName;
use tagstream::sky::{Import, Pause, Registrations};
use tagstream::{Event, Parser, Sky, Status, TreeBuilder};
use testing::pull::built;
use testing::run::{Failed, Program};

pub(crate) fn add(program: &mut Program) {
    testing::cases!(
        program,
        "sky",
        contents_of_a_template,
        source_names,
        the_host_is_waited_for,
        the_host_is_waited_for_byte_by_byte,
        without_a_host_nothing_waits,
        spans,
    );
}

fn contents_of_a_template() -> Result<(), Failed> {
    let template: &[u8] = b"<template>a<b/></template>";
    let document = built(TreeBuilder::new(Sky::fragment()), [template])?;
    let template = document.root_element().unwrap();
    assert_eq!(template.children().count(), 0);
    let content = template.template_contents().expect("contents");
    assert_eq!(content.children().count(), 2);
    Ok(())
}

fn source_names() -> Result<(), Failed> {
    let mut parser = Parser::new(Sky::fragment().registered(["a"])).balanced();
    parser.feed("<x:y z=1><a></>");
    let Event::Start(tag) = parser.next_event()?.unwrap() else {
        return Err("no start tag".into());
    };
    assert_eq!((tag.name(), tag.source_name()), ("error", "x:y"));
    assert_eq!((tag.local_name(), tag.prefix()), ("error", None));
    let mut plain = Parser::new(Sky::fragment());
    plain.feed("<a>b</a>");
    let Some(Event::Start(own)) = plain.next_event()? else {
        return Err("no start tag".into());
    };
    assert_eq!(own.source_name(), "a");
    let name = tag.name_span();
    assert_eq!((name.start, name.end), (1, 4));
    assert_eq!(tag.attribute("z"), Some("1"));
    Ok(())
}

const HOSTED: &str = "<import src=a.sky as=a /><b/><import src='&lt;'></import><script>x<!\r\n</script>\
    <c/><import/><script/><import src=z />";

fn the_host_is_waited_for() -> Result<(), Failed> {
    hosted(&[HOSTED])
}

fn the_host_is_waited_for_byte_by_byte() -> Result<(), Failed> {
    let bytes: Vec<String> = HOSTED.chars().map(String::from).collect();
    hosted(&bytes.iter().map(|byte| &**byte).collect::<Vec<_>>())
}

fn hosted(chunks: &[&str]) -> Result<(), Failed> {
    let names = ["import", "script"];
    let mut builder = TreeBuilder::new(Sky::fragment().registered(names)).hosted();
    let mut pauses = Vec::new();
    let told = |imports: &[Import]| {
        let told: Vec<String> = imports
            .iter()
            .map(|import| {
                format!(
                    "{}:{}",
                    import.src().unwrap_or("-"),
                    import.name().unwrap_or("-")
                )
            })
            .collect();
        told.join(",")
    };
    for end in 0..=chunks.len() {
        match chunks.get(end) {
            Some(chunk) => builder.supply(chunk.to_string()),
            None => builder.supply_end(),
        }
        builder.build()?;
        while builder.status() == Status::Paused {
            assert!(builder.next_event()?.is_none(), "an event while it waits");
            let (pause, answer) = match builder.pause().expect("what for") {
                Pause::Imports { imports, element } => {
                    let element = element.as_deref().unwrap_or("the end");
                    let names: &[&str] = if element == "b" { &["b"] } else { &[] };
                    let pause = format!("[{}] for {element}", told(imports));
                    (pause, Registrations::new(names.iter().copied()))
                }
                Pause::Script { imports, text } => (
                    format!("[{}] {text:?}", told(imports)),
                    Registrations::default(),
                ),
                other => (format!("{other:?}"), Registrations::default()),
            };
            let so_far = builder.sink().to_html();
            pauses.push(format!("{pause} {}", so_far.len()));
            builder.resume(answer);
            builder.build()?;
        }
    }
    assert_eq!(builder.status(), Status::Finished);
    let html = builder.into_sink().to_html();
    let expected = "<import src=\"a.sky\" as=\"a\"></import><b></b><import src=\"&lt;\"></import>\
        <script>x&lt;!\n</script><error></error><import></import><script></script>\
        <import src=\"z\"></import>";
    assert_eq!(html, expected);
    assert_eq!(
        pauses.join("\n"),
        "[a.sky:a] for b 36\n[<:-] \"x<!\\n\" 95\n[-:-] \"\" 144\n[z:-] for the end 169"
    );
    Ok(())
}

fn without_a_host_nothing_waits() -> Result<(), Failed> {
    let mut builder = TreeBuilder::new(Sky::fragment().registered(["import", "script"]));
    builder.supply(HOSTED);
    builder.supply_end();
    builder.build()?;
    assert_eq!(builder.status(), Status::Finished);
    assert!(builder.sink().to_html().contains("<error></error>"));
    Ok(())
}

/// The byte ranges of text and tags. A string token includes the comments inside it, but not those before and after it.
fn spans() -> Result<(), Failed> {
    let mut parser = Parser::new(Sky::fragment());
    parser.feed("<!--a-->b<!--c-->d<!--e--><f g=h />");
    parser.finish();
    let mut spans = Vec::new();
    while let Some(event) = parser.next_event()? {
        spans.push(event.span().to_string());
    }
    assert_eq!(spans.join(" "), "8..18 26..35 35..35");
    Ok(())
}
