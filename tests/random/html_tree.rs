//! Random documents read as HTML, put to every check of `testing::invariants::html_tree`.

use testing::invariants::html_tree::{HtmlOptions, check_html};
use testing::random::Random;

/// What documents are put together from.
const PIECES: &[&str] = &[
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<b i=1>",
    "<i>",
    "</i>",
    "<a>",
    "</a>",
    "<nobr>",
    "</nobr>",
    "<font color=x>",
    "</font>",
    "<div>",
    "</div>",
    "<span>",
    "</span>",
    "<table>",
    "</table>",
    "<tr>",
    "</tr>",
    "<td>",
    "</td>",
    "<th>",
    "<tbody>",
    "</tbody>",
    "<thead>",
    "<tfoot>",
    "<caption>",
    "</caption>",
    "<colgroup>",
    "<col>",
    "</colgroup>",
    "<select>",
    "</select>",
    "<option>",
    "</option>",
    "<option selected>",
    "<optgroup>",
    "<selectedcontent>",
    "<button>",
    "</button>",
    "<hr>",
    "<input>",
    "<input type=hidden>",
    "<form>",
    "</form>",
    "<template>",
    "</template>",
    "<svg>",
    "</svg>",
    "<math>",
    "</math>",
    "<mi>",
    "</mi>",
    "<mtext>",
    "<annotation-xml encoding=text/html>",
    "<annotation-xml>",
    "<foreignObject>",
    "</foreignObject>",
    "<desc>",
    "<title>",
    "</title>",
    "<g/>",
    "<svg/>",
    "<textarea>",
    "</textarea>",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<noscript>",
    "</noscript>",
    "<xmp>",
    "</xmp>",
    "<plaintext>",
    "<iframe>",
    "</iframe>",
    "<noframes>",
    "</noframes>",
    "<frameset>",
    "</frameset>",
    "<frame>",
    "<html>",
    "</html>",
    "<html a=1>",
    "<head>",
    "</head>",
    "<body>",
    "</body>",
    "<body b=1>",
    "<meta charset=latin1>",
    "<link>",
    "<base>",
    "<li>",
    "</li>",
    "<ul>",
    "</ul>",
    "<dd>",
    "<dt>",
    "<dl>",
    "</dl>",
    "<h1>",
    "</h2>",
    "<ruby>",
    "<rt>",
    "<rp>",
    "<rb>",
    "<rtc>",
    "<applet>",
    "</applet>",
    "<object>",
    "</object>",
    "<br>",
    "</br>",
    "<img>",
    "<image>",
    "<pre>",
    "</pre>",
    "<listing>",
    "\n",
    "\r",
    "\r\n",
    " ",
    "x",
    "\0",
    "é",
    "日本",
    "&amp;",
    "&lt",
    "&#0;",
    "&#x80;",
    "&notin",
    "<",
    ">",
    "</",
    "<!",
    "<!--",
    "-->",
    "--!>",
    "<!DOCTYPE html>",
    "<!DOCTYPE>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Frameset//\">",
    "<![CDATA[",
    "]]>",
    "<?pi d?>",
    "<?pi",
    "?>",
    "<p ",
    " a=1",
    " a='",
    "'",
    "\"",
    "=",
    "/>",
    "/",
    "\u{c}",
    "\u{feff}",
    "\u{1}",
    "\u{fdd0}",
    "<x-y>",
    "</x-y>",
    "<search>",
    "</search>",
];

const ILL_FORMED: &[&[u8]] = &[b"\xff", b"\xc3", b"\xe6\x97", b"\xed\xa0\x80", b"\xfe\xff"];

/// How many documents a run makes.
const DOCUMENTS: usize = 10_000;

#[test]
fn html_of_a_fixed_seed() {
    documents(0x7461_6773_7472_6561);
}

#[test]
fn html_of_a_fresh_seed() {
    documents(Random::fresh_seed());
}

fn documents(seed: u64) {
    let mut random = Random(seed);
    println!("seed {seed}");
    for number in 0..DOCUMENTS {
        let options = HtmlOptions(options(&mut random));
        let pieces = pieces(&mut random);
        if let Err(problem) = checked(options, &pieces.concat()) {
            let (document, problem) = smaller(options, pieces, problem);
            panic!(
                "seed {seed}, document {number}, {options:?}: {:?}\n{problem}",
                String::from_utf8_lossy(&document)
            );
        }
    }
}

/// Half of them are documents as they come.
fn options(random: &mut Random) -> u8 {
    match random.below(4) {
        0..2 => random.below(2) as u8,
        2 => random.below(8) as u8,
        _ => random.below(256) as u8,
    }
}

fn pieces(random: &mut Random) -> Vec<Vec<u8>> {
    let dirty = random.below(8) == 0;
    let most = match random.below(64) {
        0 => 300,
        other => [4, 8, 16, 48][other % 4],
    };
    let length = random.below(most) + 1;
    let piece = |random: &mut Random| match dirty && random.below(8) == 0 {
        true => ILL_FORMED[random.below(ILL_FORMED.len())].to_vec(),
        false => PIECES[random.below(PIECES.len())].as_bytes().to_vec(),
    };
    (0..length).map(|_| piece(random)).collect()
}

/// The check, a panic told as any other problem.
fn checked(options: HtmlOptions, document: &[u8]) -> Result<(), String> {
    match std::panic::catch_unwind(|| check_html(options, document)) {
        Ok(result) => result,
        Err(panic) => {
            let words = panic.downcast_ref::<String>().cloned();
            let words = words.or(panic.downcast_ref::<&str>().map(ToString::to_string));
            Err(format!("panic: {words:?}"))
        }
    }
}

/// Takes pieces out of a document as long as there is a problem with it.
fn smaller(
    options: HtmlOptions,
    mut pieces: Vec<Vec<u8>>,
    mut problem: String,
) -> (Vec<u8>, String) {
    let mut length = pieces.len() / 2;
    while length > 0 {
        let mut at = 0;
        let mut found = false;
        while at + length <= pieces.len() {
            let mut less = pieces.clone();
            less.drain(at..at + length);
            match checked(options, &less.concat()) {
                Err(still) => {
                    (pieces, problem) = (less, still);
                    found = true;
                }
                Ok(()) => at += 1,
            }
        }
        if !found {
            length /= 2;
        }
    }
    (pieces.concat(), problem)
}
