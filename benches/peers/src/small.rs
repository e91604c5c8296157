//! Short documents, for each of which a new parser is made, and a very long document of records.

use peers::inputs::Input;
use std::fmt::Write;

/// Sizes of the short documents, in bytes.
const SIZES: [usize; 3] = [20, 140, 1000];

/// Size of the records that are repeated, in bytes, and the number of repetitions.
const BLOCK: usize = 3_000_000;
const TIMES: usize = 100;

const WORDS: &str = "When the river rises &amp; the letters stop, nobody reads them until winter. ";

/// Returns a document of a given size: a beginning, words and an end.
fn sized(size: usize, start: &str, end: &str) -> Input {
    let fill = size - start.len() - end.len();
    let mut words = WORDS.repeat(fill / WORDS.len());
    let rest = fill - words.len();
    words.extend(WORDS.replace("&amp;", "while").chars().cycle().take(rest));
    Input::new(&format!("{size} bytes"), &format!("{start}{words}{end}"))
}

/// Three XML documents: an element, a message, and an entry of a feed.
pub fn xml() -> Vec<Input> {
    let starts = [
        ("<a b=\"1\">", "</a>"),
        (
            "<message xmlns=\"jabber:client\" from=\"juliet@example.com\" to=\"romeo@example.net\" \
             type=\"chat\"><body>",
            "</body></message>",
        ),
        (
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<entry xmlns=\"http://www.w3.org/2005/Atom\">\n  \
             <title type=\"text\">Letters</title>\n  <link href=\"http://example.org/letters?a=1&amp;b=2\"/>\n  \
             <id>urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a</id>\n  \
             <updated>2003-12-13T18:30:02Z</updated>\n  <author><name>Nobody</name></author>\n  \
             <category term=\"river\" scheme=\"http://example.org/terms\"/>\n  <summary>",
            "</summary>\n</entry>\n",
        ),
    ];
    let sizes = SIZES.into_iter().zip(starts);
    sizes
        .map(|(size, (start, end))| sized(size, start, end))
        .collect()
}

/// Three HTML documents: a paragraph, a page, and a longer page.
pub fn html() -> Vec<Input> {
    let starts = [
        ("<p class=a>", "</p>"),
        (
            "<!DOCTYPE html><html><head><title>River</title></head><body><p>",
            "</p></body></html>",
        ),
        (
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Letters</title>\n\
             <link rel=\"stylesheet\" href=\"/style.css\">\n</head>\n<body class=\"page wide\">\n\
             <h1 id=\"top\">Letters</h1>\n<ul>\n<li><a href=\"/one?a=1&amp;b=2\">One</a>\n\
             <li><a href=\"/two\">Two</a>\n</ul>\n<p>",
            "<br>\n<img src=\"river.jpg\" alt=\"A river\">\n</body>\n</html>\n",
        ),
    ];
    let sizes = SIZES.into_iter().zip(starts);
    sizes
        .map(|(size, (start, end))| sized(size, start, end))
        .collect()
}

/// Records of a table, each with a few fields.
pub fn records() -> Input {
    let mut text = String::new();
    let mut number: u64 = 0;
    while text.len() < BLOCK {
        number += 1;
        let random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let kind = if random.is_multiple_of(3) {
            "book"
        } else {
            "letter"
        };
        let _ = write!(
            text,
            "<record id=\"{number}\" kind=\"{kind}\"><title>The river &amp; number {random}</title>\
             <author born=\"{}\">Nobody of the {}th street</author><pages>{}</pages>\
             <note lang=\"en\">When the river rises, the letters stop, and nobody reads them until winter \
             comes without warning.</note><empty/></record>\n",
            1900 + random % 100,
            random % 90,
            random % 1000,
        );
    }
    let mut input = Input::new("records", &text);
    input.times = TIMES;
    input
}
