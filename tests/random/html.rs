//! Random documents of HTML.

use crate::{ILL_FORMED, checked_by, smaller};
use testing::invariants::Options;
use testing::invariants::html::check_html;
use testing::random::Random;

/// What documents are put together from.
pub(crate) const PIECES: &[&str] = &[
    "<a>",
    "</a>",
    "<B>",
    "</B>",
    "<p",
    "</p",
    "<br/>",
    "</>",
    "<3>",
    "</3>",
    "<",
    ">",
    "/",
    "</",
    "/>",
    " a=1",
    " A='2'",
    " b=\"3\"",
    " c",
    " D=\"&amp;\"",
    " e='&not",
    " f=&lang",
    " g=\r\n",
    " =h",
    "=",
    "\"",
    "'",
    "`",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\u{c}",
    "x",
    "text",
    "日本",
    "𝄞",
    "\0",
    "\u{1}",
    "\u{7f}",
    "\u{85}",
    "\u{fdd0}",
    "\u{fffe}",
    "\u{1ffff}",
    "\u{feff}",
    "&",
    "&amp;",
    "&amp",
    "&not",
    "&notit;",
    "&noti",
    "&NotEqualTilde;",
    "&unknown;",
    "&#65;",
    "&#x41",
    "&#0;",
    "&#xD800;",
    "&#99999999999;",
    "&#",
    "&#x",
    ";",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!--->",
    "<!-- c -->",
    "--",
    "-",
    "!",
    "<!-",
    "<!x>",
    "<!DOCTYPE html>",
    "<!doctype",
    " html",
    " PUBLIC",
    " system",
    " \"i\"",
    " 'j'",
    "<!DOCTYPE>",
    "<![CDATA[",
    "]]>",
    "]",
    "<?pi d?>",
    "<?",
    "?>",
    "?",
    "<?xml ?>",
    "<?3>",
    "<title>",
    "</title>",
    "<TITLE >",
    "</Title x>",
    "<textarea>",
    "</textarea/>",
    "<style>",
    "</style>",
    "<script>",
    "</script>",
    "<script",
    "</script ",
    "<svg>",
    "</svg>",
    "<math>",
    "</math>",
    "<mi>",
    "<desc>",
    "</desc>",
    "<foreignObject>",
    "<annotation-xml encoding=text/html>",
    "<font color=x>",
    "<plaintext>",
    "<noscript>",
    "</noscript>",
    "<meta charset=koi8-r>",
    "<meta charset=utf-8>",
    "<meta http-equiv=content-type content='charset=big5'>",
];

const DOCUMENTS: usize = 10_000;

#[test]
fn fixed_seed() {
    documents(0x6874_6d6c);
}

#[test]
fn fresh_seed() {
    documents(Random::fresh_seed());
}

fn documents(seed: u64) {
    let mut random = Random(seed);
    println!("seed {seed}");
    for number in 0..DOCUMENTS {
        let options = match random.below(4) {
            0 => Options(random.below(256) as u8),
            1 => Options(2),
            _ => Options(0),
        };
        let document = document(&mut random);
        if let Err(problem) = checked_by(check_html, options, &document) {
            let (document, problem) = smaller(check_html, options, document, problem);
            panic!(
                "seed {seed}, document {number}, {options:?}: {:?}\n{problem}",
                String::from_utf8_lossy(&document)
            );
        }
    }
}

fn document(random: &mut Random) -> Vec<u8> {
    let dirty = random.below(8) == 0;
    // A few have more events than a batch holds.
    let most = match random.below(64) {
        0 => 400,
        other => [4, 8, 16, 64][other % 4],
    };
    let mut document = Vec::new();
    for _ in 0..random.below(most) + 1 {
        if dirty && random.below(4) == 0 {
            document.extend_from_slice(ILL_FORMED[random.below(ILL_FORMED.len())]);
        } else {
            document.extend_from_slice(PIECES[random.below(PIECES.len())].as_bytes());
        }
    }
    document
}
