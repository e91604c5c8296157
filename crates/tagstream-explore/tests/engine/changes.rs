//! The ranges of the rewriter's output that edits have changed.

use super::parsed;
use serde_json::{Value, json};
use tagstream_explore::rewrite;

/// Returns the output with its changed ranges in brackets: `<a⟦ rel="x"⟧>`. Checks that the ranges are ascending, and
/// neither overlap nor touch each other.
fn marked(source: &str, options: &Value, edits: &Value) -> Result<String, String> {
    let answer = parsed(&rewrite(source, &options.to_string(), &edits.to_string()));
    if let Some(error) = answer["error"].as_str() {
        return Err(error.to_owned());
    }
    let units: Vec<u16> = answer["output"].as_str().unwrap().encode_utf16().collect();
    let text = |from: usize, to: usize| String::from_utf16(&units[from..to]).unwrap();
    let mut marked = String::new();
    let mut last = 0;
    for (index, range) in answer["changed"].as_array().unwrap().iter().enumerate() {
        let [begin, end] = [0, 1].map(|at| range[at].as_u64().unwrap() as usize);
        assert!(begin <= end && (index == 0 || last < begin), "{answer}");
        marked += &[&text(last, begin), "⟦", &text(begin, end), "⟧"].concat();
        last = end;
    }
    Ok(marked + &text(last, units.len()))
}

/// Edits in the form `selector action [name] [value]`, where `_` is an empty name, and `;` separates edits.
fn edits(text: &str) -> Value {
    let edit = |text: &str| {
        let words: Vec<&str> = text.split(' ').collect();
        let at = words
            .iter()
            .position(|word| ACTIONS.contains(word))
            .unwrap();
        let name = words.get(at + 1).filter(|name| **name != "_");
        let value = words.get(at + 2..).unwrap_or_default().join(" ");
        json!({"selector": words[..at].join(" "), "action": words[at], "name": name, "value": value})
    };
    let all = text.split(';').filter(|text| !text.is_empty());
    Value::Array(all.map(edit).collect())
}

/// Sources, edits, and the output with the changed ranges in brackets.
const CASES: &[(&str, &str, &str)] = &[
    ("<p>a<b>c</b></p>", "", "<p>a<b>c</b></p>"),
    ("<p>a<b>c</b></p>", "i remove", "<p>a<b>c</b></p>"),
    (
        "<a href=1>x</a>",
        "a set_attribute rel nofollow",
        "<a href=1⟦ rel=\"nofollow\"⟧>x</a>",
    ),
    (
        "<p class=a id=b>",
        "p set_attribute class c",
        "<p class=⟦\"c\"⟧ id=b>",
    ),
    (
        "<p class='a word'>",
        "p set_attribute class a world",
        "<p class=⟦\"a world\"⟧>",
    ),
    ("<p class=a id=b>", "p remove_attribute class", "<p⟦⟧ id=b>"),
    ("<p><i>a</i>b", "i rename em", "<p><⟦em⟧>a</⟦em⟧>b"),
    ("<p>a<i>b</i>c", "i unwrap", "<p>a⟦⟧b⟦⟧c"),
    ("<p>a<i>b</i>c", "i remove", "<p>a⟦⟧c"),
    ("<p><i>a</i><i>b</i>", "i remove", "<p>⟦⟧"),
    (
        "<p><i>a</i><b>a</b><i>b</i></p>",
        "i remove",
        "<p>⟦⟧<b>a</b>⟦⟧</p>",
    ),
    // The place of a removal is known also if the same text follows.
    (
        "<p><i>a</i><i>a</i>c",
        "i:first-child remove",
        "<p>⟦⟧<i>a</i>c",
    ),
    ("<p>b<i>b</i>b</p>", "i remove", "<p>b⟦⟧b</p>"),
    ("<p><u><u>a</u></u>b", "u u unwrap", "<p><u>⟦⟧a⟦⟧</u>b"),
    (
        "<p><b>a</b>c",
        "b before _ <b>a</b>",
        "<p>⟦<b>a</b>⟧<b>a</b>c",
    ),
    (
        "<p><b>a</b>c",
        "b after _ <b>a</b>",
        "<p><b>a</b>⟦<b>a</b>⟧c",
    ),
    (
        "<p><b>a</b>c",
        "b prepend _ <b>x</b>",
        "<p><b>⟦<b>x</b>⟧a</b>c",
    ),
    (
        "<p><b>a</b>c",
        "b append _ <b>x</b>",
        "<p><b>a⟦<b>x</b>⟧</b>c",
    ),
    (
        "<p><b>a<i>b</i></b>c",
        "b set_content _ <u>x</u>",
        "<p><b>⟦<u>x</u>⟧</b>c",
    ),
    ("<p><b>a</b>c", "b set_text _ <", "<p><b>⟦&lt;⟧</b>c"),
    ("<p><b>a</b>c", "b set_text", "<p><b>⟦⟧</b>c"),
    (
        "é<b>😀</b>😀<b>x</b>é",
        "b set_attribute a 1",
        "é<b⟦ a=\"1\"⟧>😀</b>😀<b⟦ a=\"1\"⟧>x</b>é",
    ),
    (
        "<b><b><b>",
        "b set_attribute a 1",
        "<b⟦ a=\"1\"⟧><b⟦ a=\"1\"⟧><b⟦ a=\"1\"⟧>",
    ),
    (
        "<p><a>b</a><a>c</a>",
        "a after _ <hr>;a set_attribute x 1",
        "<p><a⟦ x=\"1\"⟧>b</a>⟦<hr>⟧<a⟦ x=\"1\"⟧>c</a>⟦<hr>⟧",
    ),
    // A tag that is implied is written if it is edited.
    ("<p>a", "body set_attribute a 1", "⟦<body a=\"1\">⟧<p>a"),
    (
        "<ul><li>a<li>b</ul>",
        "li after _ x",
        "<ul><li>a⟦</li>x⟧<li>b⟦</li>x⟧</ul>",
    ),
    // Markup that the parser ignores has no event.
    ("<b></u><b></i>a", "b + x, b remove", "⟦⟧"),
    (
        "<b></u>x<i></u>y</i>",
        "i set_attribute a 1",
        "<b></u>x<i⟦ a=\"1\"⟧></u>y</i>",
    ),
    (
        "<p>é<a>x</a><u>y</u><a>z</a>",
        "u remove;a set_attribute b 1",
        "<p>é<a⟦ b=\"1\"⟧>x</a>⟦⟧<a⟦ b=\"1\"⟧>z</a>",
    ),
    (
        "<p><b>x</b><u>y</u></i>z",
        "b remove;u remove",
        "<p>⟦⟧</i>z",
    ),
    ("<p c=\"ab\">", "p set_attribute c axb", "<p c=\"a⟦x⟧b\">"),
    // A range contains whole characters, although these have equal first or last bytes.
    ("<p c=\"é\">", "p set_attribute c è", "<p c=\"⟦è⟧\">"),
    ("<p c=\"é\">", "p set_attribute c ©", "<p c=\"⟦©⟧\">"),
    // An escape keeps what was text.
    ("<p>&<b>a</b>lt;", "b unwrap", "<p>&⟦&#x61;⟧lt;"),
    ("<p><<b>a</b>i>", "b set_text;b unwrap", "<p>⟦&lt;⟧i>"),
];

#[test]
fn the_changed_ranges_are_those_of_the_edits() {
    let mut wrong = Vec::new();
    for (source, text, expected) in CASES {
        let found = marked(source, &json!({}), &edits(text));
        if found.as_deref() != Ok(*expected) {
            wrong.push(format!("{source}  {text}: {found:?} is not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns true if the parts of the output between brackets are parts of the source in its order, and if a range marks
/// each place where the source has more.
fn is_made_of(marked: &str, source: &str) -> bool {
    let mut pieces = marked.split('⟦');
    let first = pieces.next().unwrap_or_default();
    let mut rest = match source.strip_prefix(first) {
        Some(rest) => rest,
        None => return false,
    };
    let pieces: Vec<&str> = pieces
        .map(|piece| piece.split_once('⟧').unwrap().1)
        .collect();
    let Some((last, between)) = pieces.split_last() else {
        return rest.is_empty();
    };
    for piece in between {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// A generator of numbers below a limit.
fn numbers(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |limit| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % limit
    }
}

const NAMES: [&str; 8] = ["a", "b", "p", "li", "table", "td", "pre", "select"];
const OTHERS: [&str; 18] = [
    "x",
    "x",
    " ",
    "\n",
    "\r\n",
    "é😀",
    "<",
    "<!--c-->",
    "<br>",
    "<br/>",
    "</",
    "&amp;",
    "&",
    "<![CDATA[d]]>",
    "]]>",
    "<?e f?>",
    "<script><b></script>",
    "<textarea>\n",
];
const ACTIONS: [&str; 11] = [
    "remove",
    "unwrap",
    "rename",
    "set_attribute",
    "remove_attribute",
    "before",
    "after",
    "prepend",
    "append",
    "set_content",
    "set_text",
];

fn random_source(random: &mut impl FnMut(usize) -> usize, is_well_formed: bool) -> String {
    let mut source = String::from(if is_well_formed { "<root>" } else { "" });
    let mut open = Vec::new();
    for _ in 0..2 + random(20) {
        let name = NAMES[random(NAMES.len())];
        match random(4) {
            0 if is_well_formed => {
                if let Some(name) = open.pop() {
                    source += &format!("</{name}>");
                }
            }
            0 => source += &format!("</{name}>"),
            1 | 2 => {
                let attributes = ["", " c=\"1\"", " c=\"1\" d='2'", "  e = \"é\"\n"];
                let attributes = attributes[random(attributes.len())];
                source += &format!("<{name}{attributes}>");
                open.push(name);
            }
            _ if is_well_formed => source += ["x", " ", "é😀", "&amp;", "<!--c-->"][random(5)],
            _ => source += OTHERS[random(OTHERS.len())],
        }
    }
    if is_well_formed {
        while let Some(name) = open.pop() {
            source += &format!("</{name}>");
        }
        source += "</root>";
    }
    source
}

fn random_edit(random: &mut impl FnMut(usize) -> usize) -> Value {
    let selectors = [
        "a",
        "b",
        "p",
        "td",
        "[c]",
        "b + b",
        "p > *",
        "li:first-child",
        ":not([c])",
        "a:has(b)",
    ];
    let action = ACTIONS[random(ACTIONS.len())];
    let name = match action {
        "rename" => NAMES[random(NAMES.len())],
        _ => ["c", "d", "new"][random(3)],
    };
    // Each value contains a character that no source contains.
    let value = match action {
        "set_attribute" | "set_text" => ["§", "§ é\"<😀"][random(2)],
        _ => ["§", "<b>§</b>", "<b c=\"1\">x§</b>"][random(3)],
    };
    json!({"selector": selectors[random(selectors.len())], "action": action, "name": name, "value": value})
}

/// Returns the length of the longest common subsequence of two texts.
fn common_subsequence(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row = vec![0; b.len() + 1];
    for x in a.chars() {
        let mut diagonal = 0;
        for (at, y) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if x == *y {
                diagonal + 1
            } else {
                above.max(row[at])
            };
            diagonal = above;
        }
    }
    row[b.len()]
}

#[test]
fn random_outputs_are_made_of_the_source_and_the_changed_ranges() {
    for dialect in ["html", "xml", "microxml", "sky", "leafxml"] {
        let (mut edited, mut refused, mut unmarked, mut common) = (0, 0, 0, 0);
        for seed in 0..3000 {
            let mut random = numbers(seed);
            let is_well_formed = dialect == "leafxml" || random(3) == 0;
            let source = random_source(&mut random, is_well_formed);
            let options = json!({"dialect": dialect});
            let edits: Vec<Value> = (0..random(4)).map(|_| random_edit(&mut random)).collect();
            let all = Value::Array(edits);
            let Ok(found) = marked(&source, &options, &all) else {
                refused += 1;
                continue;
            };
            let context = format!("{dialect} {seed}: {source} {all} {found}");
            let output = found.replace(['⟦', '⟧'], "");
            assert!(is_made_of(&found, &source), "{context}");
            assert_eq!(found.contains('⟦'), output != source, "{context}");
            // All that is inserted is marked.
            let kept: String = found
                .split('⟦')
                .map(|part| part.split('⟧').next_back().unwrap())
                .collect();
            assert!(!kept.contains('§'), "{context}");
            if output != source {
                edited += 1;
                unmarked += kept.chars().count();
                common += common_subsequence(&source, &output);
            }
        }
        println!("{dialect}: {edited} changed, {refused} refused, {unmarked} of {common} unmarked");
        // Little of the text that source and output have in common is marked.
        assert!(
            unmarked * 1000 > common * 954,
            "{dialect}: {unmarked} of {common}"
        );
        assert!(
            edited > 500,
            "{dialect}: {edited} changed, {refused} refused"
        );
    }
}

#[test]
fn large_documents_have_all_their_ranges() {
    let count = 9_000;
    for (part, text, expected) in [
        ("<b>, </b>", "b unwrap", count + 1),
        ("<b></b>", "b remove", 1),
        ("<b>", "b set_attribute a 1", count),
        ("</b>x", "p set_attribute a 1", 1),
        ("<b>x</b>", "b rename i", 2 * count),
        ("<b></b></i>", "b rename i", count),
        ("<b>b</b>", "b set_text", count),
    ] {
        let source = ["<p>", &part.repeat(count)].concat();
        let options = json!({"dialect": "microxml"});
        let found = marked(&source, &options, &edits(text)).unwrap();
        assert_eq!(found.matches('⟦').count(), expected, "{text}");
    }
}
