//! Compares the sanitizer with Chromium's, on random documents with attacks and on a list of known attacks. The trees
//! are those of `setHTML` and `Document.parseHTML`, with the built-in configuration, with an empty one, and with
//! configurations that remove elements or replace them with their children. Sanitized strings are also inserted in each
//! kind of element of a page, where nothing in them may run.

use crate::browser::{Asked, Browser, Question};
use crate::{LeftOut, REASONS, SHOWN, in_parallel, readable, smaller};
use std::time::Instant;
use tagstream::sanitize::NameError;
use tagstream::tree::QuirksMode;
use tagstream::{Html, Sanitizer};
use testing::effort;
use testing::generate::attacks::{attacked, known};
use testing::generate::html::{Case, case};
use testing::generate::policies::decorated;
use testing::invariants::sanitized::sanitizers;
use testing::random::Random;
use testing::tree_formats::TreeFormats as _;

/// Number of documents, unless `TAGSTREAM_DOCUMENTS` sets it. A tenth of them are inserted in a page.
const DOCUMENTS: (usize, usize) = (600, 20_000);

/// Number of documents on one page.
const PAGE: usize = 500;

/// The questions about each document: its trees, and the effects of its strings.
const TREES: [Kind; 3] = [Kind::Safe, Kind::Baseline, Kind::Removing];
/// The questions about documents without tables: if an element is replaced with its children in a table, Chromium 156
/// leaves content in the table that the standard's proposed text and its tests move out of the table.
const WITHOUT_TABLES: [Kind; 2] = [Kind::Replacing, Kind::Both];
const STRINGS: [Kind; 6] = [
    Kind::Runs(0),
    Kind::Runs(1),
    Kind::Runs(2),
    Kind::Runs(3),
    Kind::Runs(4),
    Kind::Runs(5),
];

/// The questions about one document.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// The result of the built-in configuration.
    Safe,
    /// The result of the empty configuration.
    Baseline,
    /// The results of configurations that remove elements, replace them with their children, or do both.
    Removing,
    Replacing,
    Both,
    /// Whether anything runs in the output of the sanitizer with this index in `sanitizers`.
    Runs(usize),
}

pub(crate) fn run() -> Result<(), String> {
    let browser = Browser::new().map_err(|problem| problem.to_string())?;
    let mut wrong = 0;
    let seed = effort::seed(0x7361_6e69_7469_7a65);
    println!("seed {seed}");
    let mut random = Random(seed);
    let mut left_out = LeftOut([0; REASONS.len()]);
    let count = effort::documents(DOCUMENTS.0, DOCUMENTS.1);
    let drawn = std::iter::repeat_with(|| drawn(&mut random));
    let cases: Vec<Case> = drawn
        .filter(|case| is_comparable(case) && left_out.admits(case))
        .take(count)
        .collect();
    print!("{left_out}");
    wrong += compare(&browser, "random", &cases, &TREES)?;
    let has_table = |case: &Case| case.tokens.iter().any(|token| is_of_table(token));
    let without: Vec<Case> = cases
        .iter()
        .filter(|case| !has_table(case))
        .cloned()
        .collect();
    wrong += compare(&browser, "without tables", &without, &WITHOUT_TABLES)?;
    wrong += compare(&browser, "random", &cases[..count / 10], &STRINGS)?;
    let some = cases[..count / 10].iter().cloned();
    let some: Vec<Case> = some.map(|case| decorated(case, &mut random)).collect();
    wrong += compare(&browser, "for policies", &some, &STRINGS)?;

    let known: Vec<Case> = known().into_iter().map(alone).collect();
    // Known attacks that are left out: one for which Chromium never returns, shadow roots, and an attribute that begins
    // with `on` but is not an event handler.
    let left_out = ["onstart", "shadowroot", "onerror&equals;"];
    let comparable: Vec<Case> = known
        .iter()
        .filter(|case| !left_out.iter().any(|one| case.tokens[0].contains(one)))
        .cloned()
        .collect();
    wrong += compare(&browser, "known", &comparable, &TREES)?;
    wrong += compare(&browser, "known", &known, &STRINGS)?;
    match wrong {
        0 => Ok(()),
        _ => Err(format!(
            "{wrong} answers are not as expected; the first are above"
        )),
    }
}

/// Draws a document with attacks. Four of five documents are fragments, because sanitizers are mostly used for
/// fragments.
fn drawn(random: &mut Random) -> Case {
    let mut case = readable(attacked(case(random), random));
    if case.context.is_none() && !random.one_in(5) {
        case.context = Some("div");
    }
    case
}

/// Returns a fragment that consists of an attack, in the context of a `div`.
fn alone(attack: &str) -> Case {
    Case {
        tokens: vec![attack.to_owned()],
        context: Some("div"),
        scripting: false,
        processing_instructions: true,
    }
}

/// Returns whether a token contains the start tag of a table, out of which foster parenting moves content.
fn is_of_table(token: &str) -> bool {
    token.to_ascii_lowercase().contains("<table")
}

/// Returns whether a document can be compared: `setHTML` does nothing if the context is a script element, and tagstream's
/// trees have no shadow root where Chromium creates one.
fn is_comparable(case: &Case) -> bool {
    !matches!(case.context, Some("script" | "svg script"))
        && !case.tokens.iter().any(|token| token.contains("shadowroot"))
}

/// Asks these questions about all documents. Returns the number of unexpected answers, and prints the first of them
/// after the document was reduced.
fn compare(browser: &Browser, name: &str, cases: &[Case], kinds: &[Kind]) -> Result<usize, String> {
    let begin = Instant::now();
    let all: Vec<(&Case, Kind)> = kinds
        .iter()
        .flat_map(|kind| cases.iter().map(|case| (case, *kind)))
        .collect();
    let wrong = in_parallel(&all, PAGE, |page| {
        let questions = page.iter().map(|(case, kind)| question(case, *kind));
        let questions = questions.collect::<Result<Vec<_>, _>>()?;
        let answers = browser.ask_each(&questions).into_iter();
        Ok(answers.map(|(at, found)| (page[at], found)).collect())
    })?;
    println!(
        "{name}: {} documents, {kinds:?}, {} fragments, {} s; {} answers are wrong",
        cases.len(),
        cases.iter().filter(|case| case.context.is_some()).count(),
        begin.elapsed().as_secs(),
        wrong.len(),
    );
    for ((case, kind), found) in wrong.iter().take(SHOWN) {
        let asked = |cases: &[Case]| {
            let questions = cases.iter().map(|case| question(case, *kind));
            let questions = questions.collect::<Result<Vec<_>, _>>()?;
            let answers = browser.ask_each(&questions).into_iter();
            Ok(answers
                .map(|(at, found)| (cases[at].clone(), found))
                .collect())
        };
        let (case, found) =
            smaller((*case).clone(), asked).unwrap_or(((*case).clone(), found.clone()));
        let (document, context) = (case.tokens.concat(), case.context);
        let expected = question(&case, *kind)?.expected;
        println!(
            "\n{kind:?} of {document:?} in {context:?}\nChromium:\n{found}\ntagstream:\n{expected}"
        );
    }
    Ok(wrong.len())
}

/// Returns the question with the expected answer.
fn question(case: &Case, kind: Kind) -> Result<Question, String> {
    let text = case.tokens.concat();
    let plain = Sanitizer::allow_all()
        .comments(false)
        .processing_instructions(false);
    let named = |error: NameError| error.to_string();
    let (asked, sanitizer) = match kind {
        Kind::Runs(number) => {
            let document = clean(&text, &sanitizers()[number])?;
            return Ok(Question {
                document,
                context: None,
                asked: Asked::Runs,
                expected: String::new(),
            });
        }
        Kind::Safe => (Asked::Safe, Sanitizer::default()),
        Kind::Baseline => (Asked::Baseline, plain),
        Kind::Removing => {
            let removed = ["b", "p", "table", "button", "option", "nobr", "title"];
            (
                Asked::Removing,
                plain.remove_elements(&removed).map_err(named)?,
            )
        }
        Kind::Replacing => {
            let replaced = [
                "a", "i", "div", "li", "ul", "form", "button", "nobr", "select",
            ];
            let sanitizer = plain.replace_with_children(&replaced).map_err(named)?;
            (Asked::Replacing, sanitizer)
        }
        Kind::Both => {
            let removed = plain
                .remove_elements(&["i", "div", "form"])
                .map_err(named)?;
            let replaced = ["a", "b", "p", "li", "nobr", "span"];
            (
                Asked::Both,
                removed.replace_with_children(&replaced).map_err(named)?,
            )
        }
    };
    Ok(Question {
        expected: tree(&text, case.context, &sanitizer),
        document: text,
        context: case.context,
        asked,
    })
}

/// Sanitizes markup, and checks that sanitizing the result does not change it.
fn clean(text: &str, sanitizer: &Sanitizer) -> Result<String, String> {
    let clean = sanitizer.clean(text);
    match sanitizer.clean(&clean) {
        again if again == clean => Ok(clean),
        again => Err(format!(
            "of {text:?} {clean:?} is left, and of that {again:?}"
        )),
    }
}

/// Returns the sanitized tree of a document, or of a fragment in an element of that name.
fn tree(text: &str, context: Option<&str>, sanitizer: &Sanitizer) -> String {
    let html = context
        .map_or(Ok(Html::default()), Html::fragment)
        .expect("a context");
    let document = sanitizer.parse(&html, text).expect("within the limits");
    match context.and(document.root_element()) {
        Some(root) => root.to_html5lib(),
        None => {
            let mode = match document.quirks_mode() {
                QuirksMode::Quirks => "quirks\n",
                _ => "no quirks\n",
            };
            document.to_html5lib() + mode
        }
    }
}
