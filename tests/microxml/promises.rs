//! Trees, and what every dialect promises: linear work, limits, agreement with XML.

use libtest_mimic::{Failed, Trial};
use tagstream::microxml::Revision;
use tagstream::{Limits, MicroXml, Parser, Sky, TreeBuilder, Xml};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("trees", trees),
        Trial::test("work is linear", work),
        Trial::test("limits", limits),
        Trial::test("the tree of a plain document is that of XML", plain),
        Trial::test("strict agrees with recovering", strict_agrees),
    ]
}

fn tree(input: &str, size: usize) -> String {
    let mut builder = TreeBuilder::new(MicroXml::default());
    for chunk in input.as_bytes().chunks(size) {
        builder.feed_slice(chunk);
        builder.build().unwrap();
    }
    builder.finish();
    builder.build().unwrap();
    builder.into_sink().to_html()
}

fn trees() -> Result<(), Failed> {
    let cases = [
        ("<a>b</a>", "<a>b</a>"),
        (" \t\n\x0C&#x20;<a>b</a>&#xA; ", "<a>b</a>"),
        ("<a>x  ", "<a>x  </a>"),
        ("", "<#doc></#doc>"),
        (" \n ", "<#doc></#doc>"),
        (" x <!-- --> y ", "<#doc>x  y</#doc>"),
        ("<a></a> <b/> ", "<#doc><a></a> <b></b></#doc>"),
        (" x <a/> y ", "<#doc>x <a></a> y</#doc>"),
        ("<a></a> <!-- --> ", "<a></a>"),
        ("<a></a> </a> ", "<a></a>"),
        ("<a><b></a>c", "<#doc><a><b></b></a>c</#doc>"),
        (
            "<a> <b c=d e='&lt;'> </a>",
            "<a> <b c=\"d\" e=\"&lt;\"> </b></a>",
        ),
        ("<a b=c", "<a b=\"c\"></a>"),
    ];
    for (input, expected) in cases {
        for size in [1, 3, usize::MAX] {
            let found = tree(input, size);
            assert_eq!(found, expected, "{input:?} in chunks of {size}");
        }
    }
    Ok(())
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
        "<?",
        "<a",
        "<a>",
        "</a>",
        "<a ",
        "<a b",
        "<a b ",
        "<a b c",
        "<a b c ",
        "<a b=",
        "<a b='",
        "<a b=\"",
        "<a b=\"c\"",
        "<a/",
        "<a/>",
        "<a b=\"c\" d ",
        "<a b=c d<",
        "&",
        "&#",
        "&#x",
        "&#x9",
        "&lt",
        "&lt;",
        "&a;",
        "<a></b>",
        "<b><c></b>",
        " ",
        "\n",
        "\r",
        "\r\n",
        "x<!---->",
        "x</a>",
        "a='b' ",
        "é",
        "'",
        "\"",
        "='",
        "<a b=c/",
        "</a ",
        "<a\r",
        "<a b\r",
        "<?a",
        "<a b='<",
        "<a b=\"<\" ",
        "<a b='<'c",
        "<a b='>",
        "<a b=\"<a c='<",
        "<![CDATA[",
        "<![CDATA[a]]>",
        "]",
        "<![CDATA[]",
        "<!DOCTYPE",
        "<!DOCTYPE a[",
        "<!DOCTYPE a[<!b ",
        "<!DOCTYPE a[<!b '",
        "<!DOCTYPE '",
        "<!DOCTYPE a[<!--",
        "<!DOCTYPE a[<?",
        "<!DOCTYPE a>",
        "&#65;",
    ];
    let mut shapes: Vec<String> = parts
        .iter()
        .map(|part| part.repeat(30_000 / part.len()))
        .collect();
    for opening in ["<a", "</a", "<a b", "<a b=\"c\" d", "<a b="] {
        shapes.push(format!("{opening}{}", " ".repeat(30_000)));
        shapes.push(format!("{opening}{}<", " ".repeat(30_000)));
        shapes.push(format!("{opening}{}<", "\r".repeat(30_000)));
        shapes.push(format!("{opening}{}", "n".repeat(30_000)));
    }
    let many: String = (0..9000).map(|number| format!("b{number}=1 ")).collect();
    shapes.push(format!("<a {many}>"));
    let names: String = (0..3000).map(|number| format!("<n{number}>")).collect();
    shapes.push(format!("{names}{}", "</x>".repeat(6000)));
    shapes.push(format!("<a b=\"{}\">", "x\r\n&lt;".repeat(4000)));
    shapes.push(format!("&{};", "n".repeat(30_000)));
    shapes.push(format!("x<!--{}-->y", "c".repeat(30_000)));
    let cut_off = [
        "x<!--",
        "x<?",
        "<a b='<",
        "<!DOCTYPE a '",
        "<!DOCTYPE a [<!b \"",
        "<!DOCTYPE a [<!--",
        "<!DOCTYPE a [<?",
    ];
    for opening in cut_off {
        shapes.push(format!("{opening}{}", "c".repeat(30_000)));
        shapes.push(format!("{opening}{}", "<!--".repeat(8_000)));
        shapes.push(format!("{opening}{}", "c<d>\r\n".repeat(5_000)));
    }
    shapes
}

/// An input and each revision that it may be read by.
fn in_both<T>(input: T) -> [(T, Revision); 2]
where
    T: Copy,
{
    [(input, Revision::First), (input, Revision::Final)]
}

fn work() -> Result<(), Failed> {
    for (shape, revision) in shapes().iter().flat_map(in_both) {
        // A look-ahead within a look-ahead: for the other quote, or from a DOCTYPE in a declaration.
        let nested = ["<a b=\"<a c='<", "<!DOCTYPE a[<"];
        let nested = nested.iter().any(|nested| shape.starts_with(nested));
        let most = if nested { 3 } else { 2 };
        let dialect = MicroXml::default().revision(revision);
        for size in [1, 64, 4096, usize::MAX] {
            let mut parser = Parser::new(dialect).limits(Limits::none());
            let mut builder = TreeBuilder::new(dialect).limits(Limits::none());
            for chunk in shape.as_bytes().chunks(size) {
                parser.feed_slice(chunk);
                while parser.next_event()?.is_some() {}
                builder.feed_slice(chunk);
                builder.build()?;
            }
            parser.finish();
            while parser.next_event()?.is_some() {}
            builder.finish();
            builder.build()?;
            let beginning: String = shape.chars().take(20).collect();
            for work in [parser.work(), builder.work()] {
                // The first chunks of a look-ahead that fails move.
                let moved = if size == 4096 { 8192 } else { 0 };
                // What is cleaned or hashed is sometimes carried over as well, for its place.
                assert!(
                    work.states + work.copied <= most * work.text + 128 + moved
                        && work.cleaned <= work.text
                        && work.compared <= work.text,
                    "{beginning:?}, {revision:?}, in chunks of {size}: {work:?}"
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
    let spaces = " ".repeat(40);
    let look_ahead = format!("<a{spaces}b=c>");
    let cases = [
        ("<a><b><c>", "-"),
        ("<a><b><c><d>", "depth-limit"),
        ("<abcd>", "-"),
        ("<abcde>", "name-limit"),
        ("<a bcdef=g>", "name-limit"),
        ("<a b=1 c=2>", "-"),
        ("<a b=1 c=2 d=3>", "attributes-limit"),
        (&look_ahead, "token-limit"),
    ];
    for (input, expected) in cases {
        for size in [1, 7, usize::MAX] {
            let mut parser = Parser::new(MicroXml::default()).limits(limits);
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
    let input = "<t a=\"b &amp; c\"><d/>text &lt; &gt; &quot; &apos;<e f='g'>more</e>\n</t>";
    let mut sky = TreeBuilder::new(Sky::fragment());
    let mut xml = TreeBuilder::new(Xml::default());
    let mut microxml = TreeBuilder::new(MicroXml::strict());
    sky.feed(input);
    xml.feed(input);
    microxml.feed(input);
    sky.finish();
    xml.finish();
    microxml.finish();
    sky.build()?;
    xml.build()?;
    microxml.build()?;
    let expected = xml.into_sink().to_xml();
    assert_eq!(sky.into_sink().to_xml(), expected);
    assert_eq!(microxml.into_sink().to_xml(), expected);
    Ok(())
}

/// What is accepted strictly gives the same events in both modes, and no report.
fn strict_agrees() -> Result<(), Failed> {
    let accepted = [
        "<a/>",
        "<a b='c' d = \"e\"\r\n>f&lt;<!-- g --><h>&#xA0;é</h ></a>\n",
        "\u{FEFF}<a>\t\r\n</a><!-- - -->",
    ];
    for input in accepted {
        let mut seen = Vec::new();
        for dialect in [MicroXml::strict(), MicroXml::default()] {
            let mut parser = Parser::new(dialect).errors(true);
            parser.feed(input.to_owned());
            parser.finish();
            let mut events = Vec::new();
            while let Some(event) = parser.next_event()? {
                events.push(format!("{} {event:?}", event.span()));
            }
            seen.push(events);
        }
        assert_eq!(seen[0], seen[1], "{input}");
    }
    Ok(())
}
