//! The known differences of other parsers from the standard. Each rule quotes the sentence that the parser violates,
//! and changes a comparison so that this difference, and no other, disappears.

use crate::case::{end_name, start_name};
use testing::generate::html::Case;

/// The input of a comparison of two trees, and how the trees are compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The document that both engines read.
    pub case: Case,
    /// True if the contents of `selectedcontent` are left out of both trees.
    pub hide_selectedcontent: bool,
}

impl Comparison {
    /// Returns a comparison of the unchanged document, with complete trees.
    pub fn new(case: &Case) -> Comparison {
        Comparison {
            case: case.clone(),
            hide_selectedcontent: false,
        }
    }
}

/// A known difference of a parser from the standard.
#[derive(Debug)]
pub struct Rule {
    /// A short name.
    pub name: &'static str,
    /// The sentence of the standard that the parser violates.
    pub sentence: &'static str,
    /// Returns whether the sentence can apply to the document.
    pub applies: fn(&Case) -> bool,
    /// Changes the comparison so that the difference disappears.
    pub change: fn(&mut Comparison),
}

/// The known differences of html5ever.
pub const HTML5EVER: &[Rule] = &[
    Rule {
        name: "processing instructions",
        sentence: "Tag open state, U+003F (?): Switch to the processing instruction open state.",
        applies: |case| case.tokens.iter().any(|token| token.contains("<?")),
        change: |comparison| comparison.case.processing_instructions = false,
    },
    Rule {
        name: "selectedcontent",
        sentence: "When an option element is popped off the stack of open elements: run maybe \
                   clone an option into selectedcontent.",
        applies: |case| has_start(case, &["selectedcontent"]) && has_start(case, &["option"]),
        change: |comparison| comparison.hide_selectedcontent = true,
    },
    Rule {
        name: "selectedcontent inserted",
        sentence: "The selectedcontent HTML element post-connection steps: Run update a select's \
                   selectedcontent given nearestSelectAncestor.",
        applies: |case| has_start(case, &["selectedcontent"]),
        change: |comparison| comparison.hide_selectedcontent = true,
    },
    Rule {
        name: "empty system identifier of HTML 4.01",
        sentence: "Initial, DOCTYPE: The system identifier is missing or the empty string, and the \
                   public identifier starts with -//W3C//DTD HTML 4.01 Transitional//: quirks mode.",
        applies: |case| case.tokens.iter().any(|token| has_empty_identifier(token)),
        change: |comparison| {
            for token in &mut comparison.case.tokens {
                if has_empty_identifier(token) {
                    *token = token.replace("\"\"", "").replace("''", "");
                }
            }
        },
    },
    Rule {
        name: "input in a select fragment",
        sentence: "In body, start tag input: If the context element is a select element: parse \
                   error, ignore the token, and return.",
        applies: |case| case.context == Some("select") && has_start(case, &["input"]),
        change: |comparison| {
            remove(comparison, |token| {
                start_name(token).is_some_and(|name| is_one(name, &["input"]))
            });
        },
    },
    Rule {
        name: "thead ends by what follows its rows",
        sentence: "In table body: If the stack of open elements does not have a tbody, thead, or \
                   tfoot element in table scope, this is a parse error; ignore the token.",
        applies: |case| case.context == Some("thead") || has_tag(case, &["thead"]),
        change: |comparison| {
            if comparison.case.context == Some("thead") {
                comparison.case.context = Some("tfoot");
            }
            rename(comparison, "thead", "tfoot");
        },
    },
    Rule {
        name: "search is special",
        sentence: "The following elements have varying levels of special parsing rules: …, \
                   script, search, section, ….",
        applies: |case| has_tag(case, &["search"]),
        change: |comparison| rename(comparison, "search", "section"),
    },
    Rule {
        name: "isindex is ordinary",
        sentence: "Ordinary: All other elements found while parsing an HTML document.",
        applies: |case| has_tag(case, &["isindex"]),
        change: |comparison| rename(comparison, "isindex", "foo"),
    },
    Rule {
        name: "annotation-xml bounds scopes and breakouts",
        sentence: "The stack of open elements is said to have a particular element in scope when \
                   it has that element in the specific scope consisting of …, MathML \
                   annotation-xml, …; in foreign content: While the current node is not a MathML \
                   text integration point, an HTML integration point, or an element in the HTML \
                   namespace, pop elements from the stack of open elements.",
        applies: |case| has_start(case, &["annotation-xml"]),
        change: |comparison| {
            for token in &mut comparison.case.tokens {
                if start_name(token).is_some_and(|name| name.eq_ignore_ascii_case("annotation-xml"))
                {
                    *token = "<mtext>".to_owned();
                } else if end_name(token)
                    .is_some_and(|name| name.eq_ignore_ascii_case("annotation-xml"))
                {
                    *token = "</mtext>".to_owned();
                }
            }
        },
    },
    Rule {
        name: "integration points are special",
        sentence: "The following elements have varying levels of special parsing rules: …; MathML \
                   mi, mo, mn, ms, mtext, and annotation-xml; SVG foreignObject, desc, and title.",
        applies: |case| has_start(case, INTEGRATION_POINTS),
        change: |comparison| {
            // Only start tags of `li`, `dd` and `dt` and ordinary end tags search the stack for a special element. An
            // end tag with the name of an integration point does so if an HTML element has that name.
            let (mut points, mut before) = (0, 0);
            let mut inside = false;
            let context = comparison.case.context;
            let mut foreign = context.is_some_and(|context| context.contains(' '));
            remove(comparison, |token| {
                let is = |names| start_name(token).is_some_and(|name| is_one(name, names));
                foreign |= is(&["svg", "math"]);
                if is(INTEGRATION_POINTS) {
                    inside = true;
                    before += usize::from(!foreign);
                    points += 1;
                }
                let is_item = start_name(token).is_some_and(|name| is_one(name, ITEMS));
                let is_ordinary_end = end_name(token).is_some_and(|name| {
                    // At least one of the elements may be an HTML element.
                    let is_of_html = before > 0 || points > 1;
                    !ENDS_WITH_RULES
                        .split(' ')
                        .any(|one| name.eq_ignore_ascii_case(one))
                        && (!is_one(name, INTEGRATION_POINTS) || is_of_html)
                });
                inside && (is_item || is_ordinary_end)
            });
        },
    },
    Rule {
        name: "DOCTYPE in table text",
        sentence: "In table text: Anything else: …: Insert the characters given by the pending \
                   table character tokens list. Switch the insertion mode to the original \
                   insertion mode and reprocess the token.",
        applies: |case| case.tokens.iter().any(|token| is_doctype(token)),
        change: |comparison| {
            let mut is_late = false;
            remove(comparison, |token| {
                is_late |= start_name(token).is_some();
                is_late && is_doctype(token)
            });
        },
    },
    Rule {
        name: "end tags in the foreign content of a fragment",
        sentence: "In foreign content, any other end tag: If node is not an element in the HTML \
                   namespace, return to the step labeled loop. Otherwise, process the token \
                   according to the rules given in the section corresponding to the current \
                   insertion mode in HTML content.",
        // In a fragment, the root element precedes the foreign elements on the stack.
        applies: |case| match case.context {
            Some(context) => context.contains(' ') || has_start(case, &["math", "svg"]),
            None => false,
        },
        change: |comparison| {
            remove(comparison, |token| {
                end_name(token).is_some_and(|name| is_one(name, FORMATTING) || name == "form")
            });
        },
    },
    Rule {
        name: "newline that a start tag drops, after what is no token",
        sentence: "If the next token is a U+000A LINE FEED (LF) character token, then ignore that \
                   token and move on to the next one. (Newlines at the start of pre blocks are \
                   ignored as an authoring convenience.)",
        applies: |case| has_start(case, &["pre", "listing", "textarea"]),
        change: |comparison| remove(comparison, |token| token == "</>"),
    },
    Rule {
        name: "white space of a template in a table",
        sentence: "In table, a character token, if the current node is table, tbody, template, \
                   tfoot, thead, or tr element: … switch the insertion mode to in table text.",
        applies: |case| case.context == Some("template") || has_start(case, &["template"]),
        change: |comparison| {
            remove(comparison, is_white_space);
        },
    },
    Rule {
        name: "forms in templates",
        sentence: "In table, start tag form: If the form element pointer is not null, and the parser is not \
                   parsing template contents, then ignore the token. (The contents of a template that is the \
                   context are such, too.)",
        applies: |case| {
            let has_template = case.context == Some("template") || has_start(case, &["template"]);
            has_template && has_tag(case, &["form"])
        },
        change: |comparison| {
            remove(comparison, |token| {
                let name = start_name(token).or_else(|| end_name(token));
                name.is_some_and(|name| is_one(&name, &["form"]))
            });
        },
    },
    Rule {
        name: "frameset behind an implied body",
        sentence: "After head, anything else: Insert an HTML element for a \"body\" start tag token with no \
                   attributes. (The frameset-ok flag is \"ok\" again.)",
        applies: |case| has_start(case, &["frameset"]),
        change: |comparison| {
            remove(comparison, |token| {
                start_name(token).is_some_and(|name| is_one(&name, &["frameset"]))
            });
        },
    },
];

/// Elements of SVG and MathML that may contain HTML.
const INTEGRATION_POINTS: &[&str] = &[
    "mi",
    "mo",
    "mn",
    "ms",
    "mtext",
    "annotation-xml",
    "foreignobject",
    "desc",
    "title",
];

/// Formatting elements, whose end tags run the adoption agency algorithm.
const FORMATTING: &[&str] = &[
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

const ITEMS: &[&str] = &["li", "dd", "dt"];

/// End tags that "in body" has rules for, so that they do not search the stack for a special element. Formatting
/// elements are not in the list: if none is open, their end tags are handled by "any other end tag".
const ENDS_WITH_RULES: &str = "address applet article aside blockquote body br button caption center col colgroup dd details dialog \
    dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header \
    hgroup html li listing main marquee math menu nav object ol p pre script search section select style \
    summary svg table tbody td template textarea tfoot th thead tr ul xmp iframe noembed noframes";

/// Returns whether a token consists of whitespace and U+0000 only, as characters or as references.
fn is_white_space(token: &str) -> bool {
    const REFERENCES: [&str; 9] = [
        "&#9;",
        "&#x9;",
        "&#10;",
        "&#xa;",
        "&#12;",
        "&#13;",
        "&#32;",
        "&#x20;",
        "&newline;",
    ];
    let mut rest = token.to_ascii_lowercase().replace('\0', " ");
    for reference in REFERENCES {
        rest = rest.replace(reference, " ");
    }
    rest.trim().is_empty()
}

fn is_doctype(token: &str) -> bool {
    token
        .get(..9)
        .is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"))
}

fn has_empty_identifier(token: &str) -> bool {
    let is_empty = token.contains("\"\"") || token.contains("''");
    is_doctype(token) && token.contains("HTML 4.01") && is_empty
}

fn is_one(name: &str, names: &[&str]) -> bool {
    names.iter().any(|one| name.eq_ignore_ascii_case(one))
}

fn has_start(case: &Case, names: &[&str]) -> bool {
    let mut tokens = case.tokens.iter();
    tokens.any(|token| start_name(token).is_some_and(|name| is_one(name, names)))
}

fn has_tag(case: &Case, names: &[&str]) -> bool {
    let mut tokens = case.tokens.iter();
    has_start(case, names)
        || tokens.any(|token| end_name(token).is_some_and(|name| is_one(name, names)))
}

fn remove(comparison: &mut Comparison, mut is_cause: impl FnMut(&str) -> bool) {
    comparison.case.tokens.retain(|token| !is_cause(token));
}

/// Renames tags to another name for which the standard has the same rules.
fn rename(comparison: &mut Comparison, from: &str, to: &str) {
    for token in &mut comparison.case.tokens {
        let name = start_name(token).or(end_name(token)).unwrap_or_default();
        if name.eq_ignore_ascii_case(from) {
            let at = token.len() - token.trim_start_matches(['<', '/']).len();
            token.replace_range(at..at + from.len(), to);
        }
    }
}
