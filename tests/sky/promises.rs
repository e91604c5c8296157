//! What every dialect promises: linear work, limits, and other trees agree.

use libtest_mimic::{Failed, Trial};
use tagstream::{Event, Limits, Parser, Sky, TreeBuilder, Xml};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("work is linear", work),
        Trial::test("limits", limits),
        Trial::test("the tree of a plain document is that of XML", plain),
    ]
}

/// Shapes that an attacker would try, some tens of KiB each.
fn shapes() -> Vec<String> {
    let parts = [
        "<",
        "</",
        "<!",
        "<!-",
        "<!--",
        "<!---->",
        "-",
        "<!--->",
        "<a",
        "<a>",
        "</a>",
        "</>",
        "<a ",
        "<a b",
        "<a b=",
        "<a b='",
        "<a b=\"",
        "<a/",
        "<a/>",
        "&",
        "&#",
        "&#x",
        "&#9",
        "&lt",
        "&lt;",
        "<script>",
        "<script>a</",
        "</script",
        "<style>",
        "</styl",
        "<template>",
        "</template>",
        "<template></b>",
        "<a></b>",
        "<b><c></b>",
        " ",
        "\n",
        "\r",
        "\r\n",
        "x<!---->",
        "x</a>",
        "<t> </t>",
        " <!---->",
        "a='b' ",
        "é",
        "<import/>",
    ];
    let mut shapes: Vec<String> = parts
        .iter()
        .map(|part| part.repeat(30_000 / part.len()))
        .collect();
    shapes.push(format!("<script>{}", "</scrip".repeat(4000)));
    shapes.push(format!("<a {}>", "b ".repeat(9_000)));
    let many: String = (0..9000).map(|number| format!("b{number}=1 ")).collect();
    shapes.push(format!("<a {many}>"));
    let names: String = (0..3000).map(|number| format!("<n{number}>")).collect();
    let ends: String = (0..3000).map(|number| format!("</n{number}>")).collect();
    shapes.push(format!("{names}{ends}"));
    shapes.push(format!("{names}{}", "</x>".repeat(6000)));
    shapes.push(format!(
        "<a>{}",
        "<template>".repeat(3000) + &"</a>".repeat(6000)
    ));
    shapes.push(format!("<a b=\"{}\">", "x\r\n&lt;".repeat(4000)));
    shapes.push(format!("<{}>", "n".repeat(30_000)));
    shapes.push(format!("&{};", "n".repeat(30_000)));
    shapes.push(format!("x<!--{}-->y", "c".repeat(30_000)));
    shapes
}

fn work() -> Result<(), Failed> {
    for shape in shapes() {
        for size in [1, 64, 4096, usize::MAX] {
            let mut parser = Parser::new(Sky::fragment()).limits(Limits::none());
            let mut balanced = TreeBuilder::new(Sky::fragment()).limits(Limits::none());
            for chunk in shape.as_bytes().chunks(size) {
                parser.feed_slice(chunk);
                while parser.next_event()?.is_some() {}
                balanced.feed_slice(chunk);
                balanced.build()?;
            }
            parser.finish();
            while parser.next_event()?.is_some() {}
            balanced.finish();
            balanced.build()?;
            let beginning: String = shape.chars().take(20).collect();
            for work in [parser.work(), balanced.work()] {
                // What is cleaned or hashed is sometimes carried over as well, for its place.
                assert!(
                    work.states + work.copied <= 2 * work.text + 64
                        && work.cleaned <= work.text
                        && work.compared <= work.text,
                    "{beginning:?} in chunks of {size}: {work:?}"
                );
            }
        }
    }
    Ok(())
}

fn limits() -> Result<(), Failed> {
    let limits = Limits {
        depth: 3,
        name: 4,
        attributes: 2,
        token: 40,
        ..Limits::none()
    };
    let cases = [
        ("<a><b><c>", "-"),
        ("<a><b><c><d>", "depth-limit"),
        ("<a><b><c/><c><d/>", "depth-limit"),
        ("<abcd>", "-"),
        ("<abcde>", "name-limit"),
        ("<a bcdef>", "name-limit"),
        ("<a b c>", "-"),
        ("<a b c c>", "attributes-limit"),
        ("<a></a b c d>", "-"),
        ("012345678901234567890123456789012345678<", "-"),
        ("0123456789012345678901234567890123456789<", "token-limit"),
        (
            "<a b='0123456789012345678901234567890123456789'>",
            "token-limit",
        ),
    ];
    for (input, expected) in cases {
        for size in [1, 7, usize::MAX] {
            let mut parser = Parser::new(Sky::fragment()).limits(limits);
            let mut found = "-";
            for chunk in input.as_bytes().chunks(size) {
                parser.feed_slice(chunk);
                loop {
                    match parser.next_event() {
                        Ok(Some(_)) => {}
                        Ok(None) => break,
                        Err(error) => {
                            found = error.as_str();
                            break;
                        }
                    }
                }
            }
            assert_eq!(found, expected, "{input} in chunks of {size}");
        }
    }
    Ok(())
}

fn plain() -> Result<(), Failed> {
    let input = "<t a=\"b &amp; c\"><d/>text &lt; <e>more</e>\n</t>";
    let mut sky = TreeBuilder::new(Sky::fragment());
    let mut xml = TreeBuilder::new(Xml::default());
    sky.feed(input);
    xml.feed(input);
    sky.finish();
    xml.finish();
    sky.build()?;
    xml.build()?;
    assert_eq!(sky.into_sink().to_xml(), xml.into_sink().to_xml());
    let mut parser = Parser::new(Sky::fragment());
    parser.feed("<a>b</a>");
    let Some(Event::Start(tag)) = parser.next_event()? else {
        return Err("no start tag".into());
    };
    assert_eq!(tag.source_name(), "a");
    Ok(())
}
