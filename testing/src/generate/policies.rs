//! Random policies of a sanitizer, and pieces of markup on which the policies act.

use super::html::Case;
use crate::random::Random;
use tagstream::Sanitizer;

/// A sanitizer with random policies.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The sanitizer.
    pub sanitizer: Sanitizer,
    /// The classes that elements may have, unless classes are not restricted.
    pub classes: Option<&'static [&'static str]>,
    /// The properties that `style` attributes may have, unless they are not restricted.
    pub properties: Option<&'static [&'static str]>,
    /// The prefix that all identifiers have.
    pub id_prefix: Option<&'static str>,
    /// The names of an element and of its attribute that is set, and the value.
    pub set: Option<[&'static str; 3]>,
}

/// The properties and the classes that random policies allow.
const PROPERTIES: &[&str] = &["color", "background", "font-family", "width", "--x"];
const CLASSES: &[&str] = &["note", "x", "Y"];

/// Lists of elements that random policies allow: all of a table, and parts of which others miss.
const ELEMENTS: &[&[&str]] = &[
    &["b", "p", "a"],
    &["table", "td"],
    &["table", "tbody", "tr", "td", "form", "input", "label"],
    &["style", "noscript", "svg svg", "svg style", "svg g"],
    &["xmp", "math math", "math mtext", "template", "select"],
    &[
        "svg svg",
        "svg foreignObject",
        "svg animate",
        "svg a",
        "textarea",
    ],
    &["plaintext", "listing", "pre", "title", "div"],
];

/// Draws a policy.
///
/// # Panics
///
/// Panics if a name is not valid.
pub fn policy(random: &mut Random) -> Policy {
    let mut sanitizer = match random.below(4) {
        0 => Sanitizer::default(),
        1 => Sanitizer::user_content(),
        2 => Sanitizer::allow_all(),
        _ => Sanitizer::allow_nothing(),
    };
    for _ in 0..random.below(3) {
        let elements = ELEMENTS[random.below(ELEMENTS.len())];
        sanitizer = sanitizer.allow_elements(elements).expect("names");
    }
    if random.one_in(2) {
        let attributes = [
            "id",
            "class",
            "style",
            "href",
            "for",
            "name",
            "aria-owns",
            "headers",
            "xml:id",
            "target",
        ];
        sanitizer = sanitizer.allow_attributes(&attributes).expect("names");
    }
    sanitizer = match random.below(3) {
        0 => sanitizer,
        1 => sanitizer.unwrap_others(),
        _ => sanitizer.escape_others(),
    };
    let mut policy = Policy {
        sanitizer: sanitizer.comments(random.one_in(2)),
        classes: random.one_in(2).then_some(CLASSES),
        properties: random.one_in(2).then_some(PROPERTIES),
        id_prefix: random.one_in(2).then_some("user-"),
        set: match random.below(4) {
            0 | 1 => None,
            2 => Some(["a", "target", "_blank"]),
            _ => Some(["a", "href", "/z"]),
        },
    };
    let mut sanitizer = policy.sanitizer.clone();
    if let Some(classes) = policy.classes {
        sanitizer = sanitizer.allow_classes(&classes[1..]).expect("names");
        sanitizer = sanitizer
            .allow_classes_on("p", &classes[..1])
            .expect("names");
    }
    if let Some(properties) = policy.properties {
        sanitizer = sanitizer.allow_css_properties(properties).expect("names");
    }
    if let Some(prefix) = policy.id_prefix {
        sanitizer = sanitizer.id_prefix(prefix).expect("a prefix");
    }
    if let Some([element, name, value]) = policy.set {
        let set = sanitizer.set_attribute_on(element, name, value);
        sanitizer = set.expect("names");
    }
    policy.sanitizer = sanitizer;
    policy
}

/// Pieces of markup on which policies act.
const PIECES: &[&str] = &[
    "<x-y a='\"&amp;<b>' class=x>",
    "</x-y>",
    "<p class=' note\t x\n\u{c}z y Y' id=a style='color:red;x:y'>",
    "<p class=''>",
    "<b class='\0x note\u{a0}x' id=''>",
    "<a href='#a' target=x id=user-a name=b>",
    "<a href=' \n#user-a'>",
    "<svg><a xlink:href='#b' class=x style=color:red><animate begin='a.click;b.end+1s' end='1s'>",
    "<svg><g fill='url(#a) url( \"#b\")' id=c>",
    "<label for=a><input form=f list='user-a' name=q>",
    "<td headers='a  b user-c' aria-labelledby='a b'>",
    "<tr><td>",
    "<table><x-y>1<tr><td><x-y>2",
    "<form id=a><form id=b></form>",
    "<noscript><x-y title='</noscript><img src=x onerror=evil()>'>",
    "<x-y><style>&lt;img src=x onerror=evil()><img src=x onerror=evil()></style>",
    "<svg><x-y><style><img src=x onerror=evil()>",
    "<svg><foreignObject><x-y><style><img title='</style><img src=x onerror=evil()>'>",
    "<math><annotation-xml encoding=text/html><x-y><svg><style><img src=x onerror=evil()>",
    "<math><mtext><x-y><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror=evil()&gt;'>",
    "<xmp></x-y><img src=x onerror=evil()></xmp>",
    "<textarea>\n</x-y><img src=x onerror=evil()></textarea>",
    "<title></x-y><img src=x onerror=evil()></title>",
    "<plaintext><img src=x onerror=evil()>",
    "<listing>\n\n<img src=x onerror=evil()>",
    "<template><x-y><img src=x onerror=evil()></template>",
    "<select><x-y><option id=a>1<button>2",
    "&lt;x-y&gt;&amp;lt;script&gt;",
    "<p xml:id=a ID=b>",
];

/// Pieces of a `style` attribute, without the quotation mark `"`.
const CSS: &[&str] = &[
    "color",
    "COLOR",
    "background",
    "font-family",
    "--x",
    "--X",
    "width",
    "position",
    ":",
    ";",
    ",",
    " ",
    "\n",
    "red",
    "url(",
    "URL( 'a')",
    "\\75rl(",
    "u\\52 l(a;b)",
    "rgb(",
    ")",
    "(",
    "[",
    "]",
    "{",
    "}",
    "'a;b'",
    "'a\\'",
    "'",
    "\\",
    "\\;",
    "\\22 ",
    "\\a ",
    "/*",
    "*/",
    "/* ; */",
    "1",
    "1px",
    "-1e3",
    "1\\65 3",
    "+.5",
    "50%",
    "#fff",
    "#",
    "@import 'a'",
    "expression(1)",
    "expr\\65ssion(1)",
    "'javas\\63ript:'",
    "javascript:",
    "!important",
    "! important",
    "!",
    "-",
    "--",
    "<!--",
    "-->",
    "/",
    "*",
    "\u{e9}",
    "'\u{85}'",
    "calc(1px + 2px)",
    "image-set('a' 1x)",
    "var(--x)",
    "behavior",
    "\\",
    "&lt;",
];

/// Returns a `style` attribute of random pieces, as it is in markup.
pub fn style(random: &mut Random) -> String {
    let mut value = String::new();
    for _ in 0..random.below(4) {
        if random.percent(80) {
            value.push_str(random.pick(&CSS[..8]));
            value.push(':');
        }
        for _ in 0..random.below(8) {
            value.push_str(random.pick(CSS));
        }
        value.push(';');
    }
    format!("style=\"{value}\"")
}

/// Inserts markup on which policies act between the tokens of a document.
#[must_use]
pub fn decorated(mut case: Case, random: &mut Random) -> Case {
    for _ in 0..1 + random.below(6) {
        let at = random.below(case.tokens.len() + 1);
        let piece = match random.one_in(4) {
            true => format!(
                "<{} {}>",
                random.pick(&["p", "b", "x-y", "a"]),
                style(random)
            ),
            false => random.pick(PIECES).to_owned(),
        };
        case.tokens.insert(at, piece);
    }
    case
}
