//! Nasty HTML: documents of a few dozen tokens from all element names, weighted towards what tree
//! construction has rules for. It knows nothing of those rules, nor of the engines.

use crate::case::Case;
use crate::random::Random;

/// A document has no more tokens.
const TOKENS: usize = 60;

/// Elements whose tags belong together; a document draws from a few of these.
const FAMILIES: &[&[&str]] = &[
    TABLE, TABLE, FORMATTING, FORMATTING, BLOCKS, LISTS, SELECT, TEMPLATE, RUBY, SVG, MATH, FORM,
    HEAD, FRAMES, OBJECTS, VOID, RAW, REST, STRUCTURE, OLD,
];

const TABLE: &[&str] = &[
    "table", "caption", "colgroup", "col", "tbody", "thead", "tfoot", "tr", "td", "th", "table",
    "tr", "td", "input", "form", "style", "script",
];
const FORMATTING: &[&str] = &[
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt",
    "u", "a", "b", "i",
];
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "header",
    "hgroup",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "search",
    "section",
    "summary",
    "ul",
    "p",
    "div",
    "pre",
    "listing",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "p",
];
const LISTS: &[&str] = &[
    "ul", "ol", "li", "dl", "dt", "dd", "li", "dir", "menu", "p", "div", "address",
];
const SELECT: &[&str] = &[
    "select",
    "option",
    "optgroup",
    "hr",
    "button",
    "selectedcontent",
    "option",
    "input",
    "datalist",
    "select",
    "keygen",
    "textarea",
];
const TEMPLATE: &[&str] = &[
    "template", "template", "template", "tr", "td", "col", "caption", "div",
];
const RUBY: &[&str] = &["ruby", "rb", "rp", "rt", "rtc", "p", "span"];
const SVG: &[&str] = &[
    "svg",
    "svg",
    "foreignObject",
    "desc",
    "title",
    "path",
    "g",
    "script",
    "font",
    "p",
    "div",
    "a",
    "style",
    "textPath",
    "image",
    "table",
    "math",
];
const MATH: &[&str] = &[
    "math",
    "math",
    "mi",
    "mo",
    "mn",
    "ms",
    "mtext",
    "annotation-xml",
    "mglyph",
    "malignmark",
    "mrow",
    "svg",
    "p",
    "b",
    "div",
];
const FORM: &[&str] = &[
    "form", "button", "input", "textarea", "fieldset", "legend", "label", "output", "form",
    "button", "div", "p",
];
const HEAD: &[&str] = &[
    "head", "base", "basefont", "bgsound", "link", "meta", "title", "noscript", "noframes",
    "style", "script", "template", "head", "html", "body",
];
const FRAMES: &[&str] = &[
    "frameset", "frame", "noframes", "frameset", "html", "body", "head",
];
const OBJECTS: &[&str] = &["applet", "marquee", "object", "param", "embed", "p", "b"];
const VOID: &[&str] = &[
    "area", "br", "img", "image", "wbr", "source", "track", "hr", "param", "embed", "keygen",
    "input", "br",
];
const RAW: &[&str] = &[
    "title",
    "textarea",
    "style",
    "script",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
];
const REST: &[&str] = &[
    "abbr",
    "audio",
    "bdi",
    "bdo",
    "canvas",
    "cite",
    "data",
    "datalist",
    "del",
    "dfn",
    "ins",
    "kbd",
    "label",
    "legend",
    "map",
    "mark",
    "meter",
    "object",
    "output",
    "picture",
    "progress",
    "q",
    "samp",
    "slot",
    "span",
    "sub",
    "sup",
    "time",
    "var",
    "video",
    "selectedcontent",
    "fencedframe",
    "geolocation",
    "permission",
    "portal",
    "model",
];
const STRUCTURE: &[&str] = &["html", "head", "body", "p", "br", "html", "body"];
const OLD: &[&str] = &[
    "acronym", "blink", "command", "content", "element", "image", "isindex", "menuitem",
    "multicol", "nextid", "rb", "rtc", "shadow", "spacer", "x-y", "foo",
];

/// The elements that fragments are parsed in.
const CONTEXTS: &[&str] = &[
    "html",
    "head",
    "body",
    "div",
    "p",
    "a",
    "b",
    "li",
    "table",
    "caption",
    "colgroup",
    "tbody",
    "thead",
    "tfoot",
    "tr",
    "td",
    "th",
    "template",
    "select",
    "option",
    "optgroup",
    "button",
    "form",
    "frameset",
    "title",
    "textarea",
    "style",
    "script",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "ruby",
    "object",
    "selectedcontent",
    "ul",
    "dl",
    "h1",
    "pre",
    "svg svg",
    "svg path",
    "svg foreignObject",
    "svg desc",
    "svg title",
    "svg script",
    "math math",
    "math mi",
    "math mo",
    "math mn",
    "math ms",
    "math mtext",
    "math mrow",
    "math annotation-xml",
    "math malignmark",
    "math mglyph",
];

const TEXT: &[&str] = &[
    "x", "y", " ", " ", "\n", "\t", "a b", " x ", "x ", " \n ", "&amp;", "&lt;b>", "é", "\u{c}",
    "&nbsp;", "&#32;", "1", "\r\n", "\0", "x\0y", " \0 ", "]]>",
];
const OTHER: &[&str] = &[
    "<!--c-->",
    "<!---->",
    "<!--x-->",
    "<!DOCTYPE html>",
    "<!DOCTYPE x>",
    "<![CDATA[x]]>",
    "<![CDATA[ ]]>",
    "<![CDATA[\0]]>",
    "<?pi d?>",
    "<?pi>",
    "<?x y>",
    "<? z>",
    "</>",
    "<!>",
    "</ x>",
    "<!--c-->",
    "<!--c-->",
];
const DOCTYPES: &[&str] = &[
    "<!DOCTYPE html>",
    "<!doctype html>",
    "<!DOCTYPE>",
    "<!DOCTYPE x>",
    "<!DOCTYPE html SYSTEM \"about:legacy-compat\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/strict.dtd\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01 Frameset//EN\" \"x\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"x\">",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\">",
    "<!DOCTYPE html PUBLIC \"html\">",
    "<!DOCTYPE html SYSTEM \"http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd\">",
    "<!DOCTYPE html PUBLIC \"-/W3C/DTD HTML 4.0 Transitional/EN\" \"\">",
];
/// Attributes that some rule looks at, or that tell elements apart.
const ATTRIBUTES: &[&str] = &[
    " i=1", " i=2", " i=1 j=1", " j=1 i=1", " a", " b=c", " a=1 a=2",
];

/// A random document of this generator.
pub fn case(random: &mut Random) -> Case {
    let families = match random.below(8) {
        0 => 1,
        1..4 => 2,
        4..7 => 3,
        _ => 6,
    };
    let families: Vec<&[&str]> = (0..families)
        .map(|_| FAMILIES[random.below(FAMILIES.len())])
        .collect();
    // Few names, so that tags meet others of their name.
    let few = random.percent(40);
    let names: Vec<&str> = match few {
        true => (0..random.below(6) + 2)
            .map(|_| pick(random, &families))
            .collect(),
        false => Vec::new(),
    };
    let context = random.percent(25).then(|| random.of(CONTEXTS));
    let mut tokens: Vec<String> = Vec::new();
    if context.is_none() {
        if random.percent(50) {
            tokens.push(random.of(DOCTYPES).to_owned());
        }
        if random.percent(10) {
            tokens.push("<html>".to_owned());
        }
    }
    let most = [6, 12, 24, TOKENS][random.below(4)];
    let length = random.below(most) + 1;
    let mut open: Vec<&str> = Vec::new();
    while tokens.len() < length.min(TOKENS) {
        match random.below(100) {
            0..46 => {
                let name = match few {
                    true => names[random.below(names.len())],
                    false => pick(random, &families),
                };
                start(random, name, &mut tokens);
                open.push(name);
            }
            46..64 => {
                // Mostly something open, not always the last.
                let name = match (open.len(), random.below(10)) {
                    (0, _) | (_, 0..2) => pick(random, &families),
                    (length, 2..6) => open.swap_remove(length - 1),
                    (length, _) => open.swap_remove(random.below(length)),
                };
                tokens.push(format!("</{name}>"));
            }
            64..69 => tokens.push(format!("</{}>", pick(random, FAMILIES))),
            69..92 => tokens.push(random.of(TEXT).to_owned()),
            92..98 => {
                let other = random.of(OTHER);
                // Instructions are rare: html5ever reads them as comments.
                if !other.starts_with("<?") || random.percent(10) {
                    tokens.push(other.to_owned());
                }
            }
            _ => {
                let name = pick(random, FAMILIES);
                start(random, name, &mut tokens);
            }
        }
    }
    tokens.truncate(TOKENS);
    Case {
        tokens,
        context,
        scripting: random.percent(30),
    }
}

fn pick<'a>(random: &mut Random, families: &[&'a [&'a str]]) -> &'a str {
    let family = families[random.below(families.len())];
    family[random.below(family.len())]
}

/// A start tag, and for the elements that swallow all mostly their end.
fn start(random: &mut Random, name: &str, tokens: &mut Vec<String>) {
    let mut tag = format!("<{name}");
    if random.percent(4) {
        tag.make_ascii_uppercase();
    }
    tag.push_str(&attributes(random, name));
    tag.push_str(if random.percent(6) { "/>" } else { ">" });
    // What follows is text to the end of the input.
    if name == "plaintext" && !random.percent(10) {
        return;
    }
    tokens.push(tag);
    if RAW.contains(&name) && random.percent(80) {
        if random.percent(60) {
            tokens.push(
                random
                    .of(&["x", "<b>", "\n", " ", "&amp;", "<!--", "\0"])
                    .to_owned(),
            );
        }
        tokens.push(format!("</{name}>"));
    }
}

fn attributes(random: &mut Random, name: &str) -> String {
    let special: &[&str] = match name {
        "input" => &[" type=hidden", " type=HIDDEN", " type=text", ""],
        "font" => &[" color=red", " face=x", " size=1", " i=1", ""],
        "annotation-xml" => &[
            " encoding=text/html",
            " encoding=APPLICATION/xhtml+xml",
            " encoding=x",
            "",
        ],
        "select" => &[" multiple", " size=1", " size=2", "", "", ""],
        "option" => &[" selected", " disabled", "", "", ""],
        "svg" | "path" | "g" | "math" | "mi" | "mrow" => &[
            " viewbox=1",
            " xlink:href=x",
            " xml:lang=e",
            " xmlns:xlink=x",
            " definitionurl=u",
            " attributename=a",
            "",
            "",
            "",
        ],
        "html" | "body" => &[" i=1", " j=2", " i=3", ""],
        "meta" => &[" charset=utf-8", ""],
        _ => &[],
    };
    if !special.is_empty() {
        return random.of(special).to_owned();
    }
    match random.percent(20) {
        true => random.of(ATTRIBUTES).to_owned(),
        false => String::new(),
    }
}
