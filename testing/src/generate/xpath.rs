//! Random XPath expressions of all four types, and documents in which they find something. All types of operands are right,
//! so that every expression has a value.

use crate::random::Random;
use std::fmt::Write;

/// The prefixes that expressions and documents use, with their namespaces.
pub const NAMESPACES: [(&str, &str); 2] = [("p", "urn:p"), ("q", "urn:q")];

const ELEMENTS: [&str; 6] = ["a", "b", "c", "p:a", "q:b", "r:b"];
const ATTRIBUTES: [&str; 5] = ["x", "y", "p:x", "r:x", "xml:lang"];
const WORDS: [&str; 9] = ["", "1", "2", "10", "-3.5", "x", "xy", "en", "en-US"];
const TARGETS: [&str; 2] = ["t", "u"];

/// Returns a document with at most about `elements` elements.
#[must_use]
pub fn document(random: &mut Random, elements: usize) -> String {
    let mut text = String::new();
    if random.one_in(4) {
        text += "<!DOCTYPE a [<!ENTITY e 'x'>]><!--before-->";
    }
    let mut names: Vec<&str> = Vec::new();
    // The prefix `r` is bound to a namespace that also has another prefix, or that is the default one.
    text += "<a xmlns:p='urn:p' xmlns:q='urn:q' xmlns:r='urn:q'";
    text += [" xmlns='urn:q'>", ">", ">"][random.below(3)];
    let mut ids = 0;
    for _ in 0..random.below(elements.max(1)) {
        let kind = random.below(10);
        match kind {
            0..=4 => {
                let name = random.pick(&ELEMENTS);
                write!(text, "<{name}").unwrap();
                attributes(random, &mut text, &mut ids);
                match random.one_in(3) {
                    true => text += "/>",
                    false => {
                        text += ">";
                        names.push(name);
                    }
                }
            }
            5 => text += "<!--1-->",
            6 => write!(text, "<?{} 2?>", random.pick(&TARGETS)).unwrap(),
            _ => {
                let word = random.pick(&WORDS);
                // libxml2 makes a text node of an empty section, which XPath does not allow.
                match random.one_in(4) && !word.is_empty() {
                    true => write!(text, "<![CDATA[{word}]]>").unwrap(),
                    false => text += word,
                }
            }
        }
        while random.one_in(3)
            && let Some(name) = names.pop()
        {
            write!(text, "</{name}>").unwrap();
        }
    }
    for name in names.iter().rev() {
        write!(text, "</{name}>").unwrap();
    }
    text + "</a>"
}

/// Appends the attributes of an element.
fn attributes(random: &mut Random, text: &mut String, ids: &mut usize) {
    for name in ATTRIBUTES {
        // `p:x` and `r:x` are different attributes, because their prefixes are bound to different namespaces.
        if random.one_in(4) {
            write!(text, " {name}='{}'", random.pick(&WORDS)).unwrap();
        }
    }
    if random.one_in(5) {
        *ids += 1;
        write!(text, " xml:id='i{ids}'").unwrap();
    }
    if random.one_in(12) {
        *text += [" xmlns=''", " xmlns='urn:p'", " xmlns:s='urn:s'"][random.below(3)];
    }
}

/// Returns an expression of any type. `depth` is the number of levels of its parts.
#[must_use]
pub fn expression(random: &mut Random, depth: usize) -> String {
    match random.below(6) {
        0 => number(random, depth),
        1 => string(random, depth),
        2 => boolean(random, depth),
        _ => nodes(random, depth),
    }
}

/// Returns an expression that start tags decide.
#[must_use]
pub fn stream_expression(random: &mut Random) -> String {
    let mut union = stream_path(random);
    while random.one_in(4) {
        union = format!("{union} | {}", stream_path(random));
    }
    union
}

fn stream_path(random: &mut Random) -> String {
    let mut path = String::new();
    for step in 0..=random.below(3) {
        let begins = ["/", "//", "//", "/descendant::", "/child::"];
        path += match step {
            0 => random.pick(&["/", "//", "//", "", ".//", "descendant::"]),
            _ => random.pick(&begins),
        };
        path += random.pick(&["a", "b", "*", "p:a", "q:*", "c"]);
        while random.one_in(3) {
            write!(path, "[{}]", stream_condition(random, 2)).unwrap();
        }
    }
    path
}

fn stream_condition(random: &mut Random, depth: usize) -> String {
    let attribute = ["@x", "@y", "@p:x", "@xml:lang"][random.below(4)];
    let word = random.pick(&WORDS);
    let inner = |random: &mut Random| stream_condition(random, depth.saturating_sub(1));
    match random.below(if depth == 0 { 7 } else { 10 }) {
        0 => attribute.to_owned(),
        1 => format!("{attribute} = '{word}'"),
        2 => format!("'{word}' != {attribute}"),
        3 => format!("contains({attribute}, '{word}')"),
        4 => format!("starts-with({attribute}, '{word}')"),
        5 => format!("self::{}", random.pick(&["a", "p:a", "q:*", "*"])),
        6 => format!("local-name() {} 'b'", random.pick(&["=", "!="])),
        7 => format!("not({})", inner(random)),
        8 => format!("{} and {}", inner(random), inner(random)),
        _ => format!("({} or {})", inner(random), inner(random)),
    }
}

/// Returns an expression whose value is nodes.
fn nodes(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return random
            .pick(&["//a", "b", "@x", ".", "..", "//text()", "/a"])
            .to_owned();
    }
    match random.below(10) {
        0 => format!(
            "{} | {}",
            nodes(random, depth - 1),
            nodes(random, depth - 1)
        ),
        1 => format!(
            "({})[{}]",
            nodes(random, depth - 1),
            predicate(random, depth - 1)
        ),
        2 => format!(
            "({})/{}",
            nodes(random, depth - 1),
            steps(random, depth - 1)
        ),
        3 => format!("id('i1 i2 i{}')", random.below(9)),
        4 => format!("/{}", steps(random, depth)),
        5 | 6 => format!("//{}", steps(random, depth)),
        _ => steps(random, depth),
    }
}

/// Returns a relative path.
fn steps(random: &mut Random, depth: usize) -> String {
    let mut path = step(random, depth);
    for _ in 0..random.below(3) {
        path += random.pick(&["/", "/", "//"]);
        path += &step(random, depth);
    }
    path
}

fn step(random: &mut Random, depth: usize) -> String {
    const AXES: [&str; 13] = [
        "ancestor",
        "ancestor-or-self",
        "attribute",
        "child",
        "descendant",
        "descendant-or-self",
        "following",
        "following-sibling",
        "namespace",
        "parent",
        "preceding",
        "preceding-sibling",
        "self",
    ];
    let tests = [
        "a",
        "b",
        "*",
        "node()",
        "text()",
        "p:a",
        "q:b",
        "q:*",
        "comment()",
    ];
    let mut step = match random.below(8) {
        0 => return random.pick(&[".", ".."]).to_owned(),
        1 => format!(
            "@{}",
            random.pick(&["x", "y", "*", "p:x", "q:x", "p:*", "node()"])
        ),
        2 => random
            .pick(&["processing-instruction()", "processing-instruction('t')"])
            .to_owned(),
        3..=5 => random.pick(&tests).to_owned(),
        _ => match random.pick(&AXES) {
            "namespace" => format!("namespace::{}", random.pick(&["p", "*", "node()", "xml"])),
            axis => format!("{axis}::{}", random.pick(&tests)),
        },
    };
    while depth > 0 && random.one_in(3) {
        write!(step, "[{}]", predicate(random, depth - 1)).unwrap();
    }
    step
}

fn predicate(random: &mut Random, depth: usize) -> String {
    match random.below(7) {
        0 => (1 + random.below(3)).to_string(),
        1 => "last()".to_owned(),
        2 => format!(
            "position() {} {}",
            random.pick(&["=", "<", ">=", "!="]),
            1 + random.below(3)
        ),
        3 => number(random, depth),
        4 => nodes(random, depth),
        5 => string(random, depth),
        _ => boolean(random, depth),
    }
}

/// Returns an expression of any type that `string()`, `number()` and `boolean()` convert.
fn any(random: &mut Random, depth: usize) -> String {
    match random.below(4) {
        0 => number(random, depth),
        1 => string(random, depth),
        2 => boolean(random, depth),
        _ => nodes(random, depth),
    }
}

/// Returns an expression whose value is a number. Divisors are powers of two, so that the conversion to a string is exact.
fn number(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return random
            .pick(&["0", "1", "2", "2.5", "-1", "position()", "last()"])
            .to_owned();
    }
    let less = depth - 1;
    match random.below(10) {
        0 => format!("count({})", nodes(random, less)),
        1 => format!("sum({})", nodes(random, less)),
        2 => format!("number({})", any(random, less)),
        3 => format!("string-length({})", string(random, less)),
        4 => {
            let function = random.pick(&["floor", "ceiling", "round"]);
            format!("{function}({})", number(random, less))
        }
        5 => {
            let operator = random.pick(&["+", "-", "*"]);
            format!(
                "({} {operator} {})",
                number(random, less),
                number(random, less)
            )
        }
        6 => format!(
            "({} div {})",
            number(random, less),
            random.pick(&["2", "4", "0"])
        ),
        7 => format!(
            "({} mod {})",
            number(random, less),
            random.pick(&["2", "3", "-2", "0"])
        ),
        8 => format!("-{}", number(random, 0)),
        _ => number(random, 0),
    }
}

fn string(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return format!("'{}'", random.pick(&WORDS));
    }
    let less = depth - 1;
    let part = |random: &mut Random| string(random, less);
    match random.below(12) {
        0 => format!("concat({}, {})", part(random), part(random)),
        1 => format!("substring({}, {})", part(random), number(random, less)),
        2 => {
            let (from, length) = (number(random, less), number(random, less));
            format!("substring({}, {from}, {length})", part(random))
        }
        3 => format!("substring-before({}, {})", part(random), part(random)),
        4 => format!("substring-after({}, {})", part(random), part(random)),
        5 => format!("translate({}, '1xe', '2y')", part(random)),
        6 => format!("normalize-space({})", part(random)),
        7 => {
            let function = random.pick(&["name", "local-name", "namespace-uri"]);
            match random.one_in(3) {
                true => format!("{function}()"),
                false => format!("{function}({})", nodes(random, less)),
            }
        }
        8 => format!("string({})", any(random, less)),
        9 => "string()".to_owned(),
        _ => string(random, 0),
    }
}

fn boolean(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return random
            .pick(&["true()", "false()", "@x", "b", "lang('en')"])
            .to_owned();
    }
    let less = depth - 1;
    match random.below(9) {
        0 | 1 => {
            let operator = random.pick(&["=", "!=", "<", "<=", ">", ">="]);
            format!("({} {operator} {})", any(random, less), any(random, less))
        }
        2 => format!("({} and {})", any(random, less), any(random, less)),
        3 => format!("({} or {})", any(random, less), any(random, less)),
        4 => format!("not({})", any(random, less)),
        5 => format!("boolean({})", any(random, less)),
        6 => format!(
            "contains({}, {})",
            string(random, less),
            string(random, less)
        ),
        7 => format!(
            "starts-with({}, {})",
            string(random, less),
            string(random, less)
        ),
        _ => format!("lang({})", string(random, less)),
    }
}
