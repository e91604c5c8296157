//! The sanitizer beside Chromium's: random documents with attacks among their tokens, and a list of attacks that are
//! known. The trees are those that `setHTML` and `Document.parseHTML` leave, with the built-in configuration and
//! with none; and strings that were made safe run nothing, whatever element of a page they are set in.

use crate::browser::{Asked, Browser, Question};
use crate::{LeftOut, PAGE, REASONS, SHOWN, readable};
use tagstream::tree::{Edge, Html5libStyle, NodeId, QuirksMode};
use tagstream::{Document, Html, Node, Sanitizer};
use testing::effort;
use testing::generate::attacks::{attacked, known};
use testing::generate::html::{Case, case};
use testing::random::Random;

/// So many documents, unless `TAGSTREAM_DOCUMENTS` says how many.
const DOCUMENTS: usize = 2_000;

pub(crate) fn run() -> Result<(), String> {
    let browser = Browser::new().map_err(|problem| problem.to_string())?;
    let mut wrong = 0;
    for seed in effort::seeds(0x7361_6e69_7469_7a65) {
        println!("seed {seed}");
        let mut random = Random(seed);
        let mut left_out = LeftOut([0; REASONS.len()]);
        let count = effort::documents(DOCUMENTS, DOCUMENTS);
        let drawn = std::iter::repeat_with(|| readable(attacked(case(&mut random), &mut random)));
        let cases: Vec<Case> = drawn
            .filter(|case| left_out.admits(case) && is_comparable(case))
            .take(count)
            .collect();
        print!("{left_out}");
        println!("compared: {}", cases.len());
        wrong += ask(
            &browser,
            cases
                .iter()
                .flat_map(|case| questions(&case.tokens.concat(), case.context)),
        )?;
        wrong += ask(
            &browser,
            cases.iter().flat_map(|case| strings(&case.tokens.concat())),
        )?;
    }
    let known = known();
    println!("known attacks: {}", known.len());
    // Not asked about are one that it never comes back from, shadow roots, and an attribute that begins with `on`
    // and is no handler.
    let left_out = ["onstart", "shadowroot", "onerror&equals;"];
    let comparable = known
        .iter()
        .filter(|attack| !left_out.iter().any(|one| attack.contains(one)));
    wrong += ask(
        &browser,
        comparable.flat_map(|attack| questions(attack, Some("div"))),
    )?;
    wrong += ask(&browser, known.iter().flat_map(|attack| strings(attack)))?;
    match wrong {
        0 => Ok(()),
        _ => Err(format!(
            "{wrong} answers are not as expected; the first are above"
        )),
    }
}

/// Nothing is set in a script, and a template that becomes a shadow root is none in a tree of ours.
fn is_comparable(case: &Case) -> bool {
    !matches!(case.context, Some("script" | "svg script"))
        && !case.tokens.iter().any(|token| token.contains("shadowroot"))
}

/// The trees that are asked about.
fn questions(text: &str, context: Option<&'static str>) -> [Question; 2] {
    let baseline = Sanitizer::allow_all()
        .comments(false)
        .processing_instructions(false);
    [
        (Asked::Safe, Sanitizer::default()),
        (Asked::Baseline, baseline),
    ]
    .map(|(asked, sanitizer)| Question {
        document: text.to_owned(),
        context,
        asked,
        expected: tree(text, context, &sanitizer),
    })
}

/// What is left of a document, or in an element of that name.
fn tree(text: &str, context: Option<&str>, sanitizer: &Sanitizer) -> String {
    let html = context
        .map_or(Ok(Html::default()), Html::fragment)
        .expect("a context");
    let mut document = Document::parse(html, text).expect("HTML has no fatal errors");
    match (context, document.root_element().map(|root| root.id())) {
        (Some(_), Some(root)) => {
            sanitizer.sanitize_below(&mut document, root);
            normalize(&mut document);
            document
                .node(root)
                .expect("a root")
                .to_html5lib(Html5libStyle::Html)
        }
        _ => {
            sanitizer.sanitize(&mut document);
            normalize(&mut document);
            let mode = match document.quirks_mode() {
                QuirksMode::Quirks => "quirks\n",
                _ => "no quirks\n",
            };
            document.to_html5lib(Html5libStyle::Html) + mode
        }
    }
}

/// Joins texts that stand side by side, as the DOM's `normalize` does, in the contents of templates too. To Chromium text around a comment that goes is one.
fn normalize(document: &mut Document) {
    let opened = document.root().edges().through_templates();
    let texts: Vec<NodeId> = opened
        .filter_map(|edge| match edge {
            Edge::Open(node) if node.is_text() => Some(node.id()),
            _ => None,
        })
        .collect();
    for id in texts {
        let Some(node) = document.node(id) else {
            continue;
        };
        let Some(before) = node.previous_sibling().filter(Node::is_text) else {
            continue;
        };
        let (joined, before) = (before.text().to_owned() + node.text(), before.id());
        document.set_text(id, &joined).expect("a text");
        document.remove(before);
    }
}

/// The strings that are to run nothing.
fn strings(text: &str) -> [Question; 3] {
    [
        Sanitizer::default(),
        Sanitizer::user_content(),
        Sanitizer::allow_all(),
    ]
    .map(|sanitizer| {
        let clean = sanitizer.clean(text);
        assert_eq!(sanitizer.clean(&clean), clean, "of {text:?}");
        Question {
            document: clean,
            context: None,
            asked: Asked::Runs,
            expected: String::new(),
        }
    })
}

/// How many answers are not as expected; the first of them are shown.
fn ask(browser: &Browser, questions: impl Iterator<Item = Question>) -> Result<usize, String> {
    let questions: Vec<Question> = questions.collect();
    let mut wrong = 0;
    for page in questions.chunks(PAGE) {
        for (number, found) in browser.ask(page)? {
            wrong += 1;
            if wrong <= SHOWN {
                let Question {
                    document,
                    context,
                    asked,
                    expected,
                } = &page[number];
                println!(
                    "\n{asked:?} of {document:?} in {context:?}\nChromium:\n{found}\ntagstream:\n{expected}"
                );
            }
        }
    }
    Ok(wrong)
}
