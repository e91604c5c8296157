//! Tree construction: balanced events and trees; and the host that is waited for.

use crate::every_feeding;
use crate::table::outcome;
use libtest_mimic::{Failed, Trial};
use tagstream::sky::{Import, Pause, Registrations};
use tagstream::{Balanced, Sky, Status, TreeBuilder};

/// What is registered, the input, the balanced events.
const BALANCED: &[(&str, &str, &str)] = &[
    // White space goes, unless a `t` is open; what is judged is the string token as it is meant.
    ("", " \n<a> </a>\n", "<a> End(</a>)"),
    (
        "",
        " x<a> y </a>",
        "Text(\" x\") <a> Text(\" y \") End(</a>)",
    ),
    (
        "",
        "<t> <a>\n</a></t> <b>",
        "<t> Text(\" \") <a> Text(\"\\n\") End(</a>) End(</t>) <b> !unclosed-element </b>~",
    ),
    ("", "<a>&#32;&#xa;</a>&#9;", "<a> End(</a>) Text(\"\\t\")"),
    (
        "",
        "<a> <!--x--> </a> <!--y-->z",
        "<a> End(</a>) Text(\" z\")",
    ),
    (
        "",
        "<a>\r\n\r </a>\0",
        "<a> End(</a>) !null-character Text(\"�\")",
    ),
    (
        "",
        " </b> <a> & </a>",
        "!stray-end-tag <a> !invalid-reference Text(\" & \") End(</a>)",
    ),
    (
        "",
        " <  <>",
        "!invalid-tag-start !invalid-tag-start Text(\" <  <>\")",
    ),
    (
        "",
        "<script> \n</script><style> a</style>",
        "<script> End(</script>) <style> Text(\" a\") End(</style>)",
    ),
    (
        "a",
        "<t> </t>",
        "!unregistered-element <error> End(</error>)",
    ),
    // End tags.
    (
        "",
        "<a><b></a></b>c",
        "<a> <b> !mismatched-end-tag </b>~ End(</a>) !stray-end-tag Text(\"c\")",
    ),
    (
        "",
        "<a><a></a></a></a>",
        "<a> <a> End(</a>) End(</a>) !stray-end-tag",
    ),
    (
        "",
        "<a><b></>c</></>",
        "<a> <b> </b>^ Text(\"c\") </a>^ !stray-end-tag",
    ),
    (
        "",
        "<a><b>c",
        "<a> <b> Text(\"c\") !unclosed-element </b>~ </a>~",
    ),
    // Templates.
    (
        "",
        "<a><template><b></a></b></template></a>",
        "<a> <template> <b> !stray-end-tag End(</b>) End(</template>) End(</a>)",
    ),
    (
        "",
        "<a><template></><b></a>",
        "<a> <template> </template>^ <b> !mismatched-end-tag </b>~ End(</a>)",
    ),
    (
        "",
        "<template><template></a></template><b></template>",
        "<template> <template> !stray-end-tag End(</template>) <b> !mismatched-end-tag </b>~ End(</template>)",
    ),
    (
        "",
        "<b><template/></b>",
        "<b> <template/> </template>~ End(</b>)",
    ),
    (
        "",
        "<a><template></a><c></a></template></a>",
        "<a> <template> !stray-end-tag <c> !stray-end-tag !mismatched-end-tag </c>~ End(</template>) End(</a>)",
    ),
    // Registered names.
    (
        "a",
        "<a><b c='d'/><e></x></a>",
        "<a> !unregistered-element <error c=\"d\"/> </error>~ !unregistered-element <error> End(</error>) End(</a>)",
    ),
    (
        "a error",
        "<error><x></error></x>",
        "<error> !unregistered-element <error> End(</error>) End(</error>)",
    ),
    (
        "a",
        "<script>a<b</script>",
        "!unregistered-element <error> Text(\"a<b\") End(</error>)",
    ),
    (
        "a",
        "<template><a></template></a>",
        "!unregistered-element <error> <a> !mismatched-end-tag </a>~ End(</error>) !stray-end-tag",
    ),
    (
        "a",
        "<a\0></a\0></>",
        "!null-character !unregistered-element <error> !null-character End(</error>) !stray-end-tag",
    ),
];

fn sky(registered: &str) -> Sky {
    match registered {
        "" => Sky::fragment(),
        names => Sky::fragment().registered(names.split(' ')),
    }
}

pub(crate) fn trials() -> Vec<Trial> {
    let balanced = BALANCED.iter().map(|&(registered, input, expected)| {
        Trial::test(format!("balanced {registered:?} {input:?}"), move || {
            let parser = Balanced::new(sky(registered)).errors(true);
            let found = outcome(parser, input.as_bytes());
            every_feeding(&sky(registered), input.as_bytes());
            same(expected, &found)
        })
    });
    let others = [
        Trial::test("trees", trees),
        Trial::test("source names", source_names),
        Trial::test("the host is waited for", host),
        Trial::test("the host is waited for byte by byte", host_byte_by_byte),
        Trial::test("without a host nothing waits", no_host),
        Trial::test("spans", spans),
    ];
    balanced.chain(others).collect()
}

fn same(expected: &str, found: &str) -> Result<(), Failed> {
    match expected == found {
        true => Ok(()),
        false => Err(format!("wanted: {expected}\nfound:  {found}").into()),
    }
}

fn tree(dialect: Sky, input: &str) -> String {
    let mut builder = TreeBuilder::new(dialect);
    for byte in input.bytes() {
        builder.feed_slice(&[byte]);
        builder.build().unwrap();
    }
    builder.finish();
    builder.build().unwrap();
    builder.into_sink().to_html()
}

fn trees() -> Result<(), Failed> {
    let cases = [
        ("a<b c=d>e</>f", "a<b c=\"d\">e</b>f"),
        (
            "<a><template x=y>b<c></a>d</template>e",
            "<a><template x=\"y\">b<c>d</c></template>e</a>",
        ),
        (" <a> </a> ", "<a></a>"),
        ("<script>a<b</script>", "<script>a&lt;b</script>"),
    ];
    for (input, expected) in cases {
        same(expected, &tree(Sky::fragment(), input))?;
    }
    let mut builder = TreeBuilder::new(Sky::fragment());
    builder.feed("<template>a<b/></template>");
    builder.finish();
    builder.build()?;
    let document = builder.into_sink();
    let template = document.root_element().unwrap();
    assert_eq!(template.children().count(), 0);
    let content = template.template_contents().expect("contents");
    assert_eq!(content.children().count(), 2);
    Ok(())
}

fn source_names() -> Result<(), Failed> {
    let mut parser = Balanced::new(Sky::fragment().registered(["a"]));
    parser.feed("<x:y z=1><a></>");
    let tagstream::Event::Start(tag) = parser.next_event()?.unwrap() else {
        return Err("no start tag".into());
    };
    assert_eq!((tag.name(), tag.source_name()), ("error", "x:y"));
    assert_eq!((tag.local_name(), tag.prefix()), ("error", None));
    let name = tag.name_span();
    assert_eq!((name.start, name.end), (1, 4));
    assert_eq!(tag.attribute("z"), Some("1"));
    Ok(())
}

const HOSTED: &str = "<import src=a.sky as=a /><b/><import src='&lt;'></import><script>x<!\r\n</script>\
    <c/><import/><script/><import src=z />";

fn host() -> Result<(), Failed> {
    hosted(&[HOSTED])
}

fn host_byte_by_byte() -> Result<(), Failed> {
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
            Some(chunk) => builder.feed(chunk.to_string()),
            None => builder.finish(),
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
    same(expected, &html)?;
    let pauses = pauses.join("\n");
    same(
        "[a.sky:a] for b 36\n[<:-] \"x<!\\n\" 95\n[-:-] \"\" 144\n[z:-] for the end 169",
        &pauses,
    )
}

fn no_host() -> Result<(), Failed> {
    let mut builder = TreeBuilder::new(Sky::fragment().registered(["import", "script"]));
    builder.feed(HOSTED);
    builder.finish();
    builder.build()?;
    assert_eq!(builder.status(), Status::Finished);
    assert!(builder.sink().to_html().contains("<error></error>"));
    Ok(())
}

/// Where text and tags stand: a string token covers the comments in it, not those around it.
fn spans() -> Result<(), Failed> {
    let mut parser = tagstream::Parser::new(Sky::fragment());
    parser.feed("<!--a-->b<!--c-->d<!--e--><f g=h />");
    parser.finish();
    let mut spans = Vec::new();
    while let Some(event) = parser.next_event()? {
        spans.push(event.span().to_string());
    }
    same("8..18 26..35 35..35", &spans.join(" "))
}
