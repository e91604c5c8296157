//! MicroXML's trees.

use tagstream::{MicroXml, TreeBuilder};
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    testing::cases!(program, "microxml", trees);
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

fn trees() {
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
}
