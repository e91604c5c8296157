//! The text of each element of random documents, and of the pages below folders, compared with Chromium's `innerText` in
//! a document without style sheets.

use super::{LeftOut, REASONS, SHOWN, in_parallel, readable};
use tagstream::{Document, Html, Limits, Node, TreeBuilder};
use testing::browser::Browser;
use testing::effort;
use testing::generate::html::{Case, case};
use testing::html_files::below;
use testing::random::Random;

/// Number of random documents, unless `TAGSTREAM_DOCUMENTS` sets it.
const DOCUMENTS: usize = 20_000;

/// Number of documents on one page.
const PAGE: usize = 500;

/// Maximum number of pages from folders, and of bytes of such a page.
const FOUND: usize = 300;
const BYTES: usize = 1 << 20;

/// A document and the text of each of its elements.
struct Question {
    document: String,
    texts: Vec<String>,
}

/// The number of an element, its name, and the text that Chromium shows.
type Answer = (i64, String, String);

/// Compares random documents and the pages below the folders that the arguments name.
///
/// # Errors
///
/// Returns an error if a text differs, or if Chromium gives no answer.
pub(crate) fn run() -> Result<(), String> {
    let seed = effort::seed(0x696e_6e65_7254_6578);
    let documents = effort::documents(DOCUMENTS, DOCUMENTS);
    println!("seed {seed}");
    let mut random = Random(seed);
    let mut left_out = LeftOut([0; REASONS.len()]);
    let drawn = (0..documents).map(|_| {
        readable(Case {
            context: None,
            ..case(&mut random)
        })
    });
    let texts: Vec<String> = drawn
        .filter(|case| left_out.admits(case))
        .map(|case| case.text())
        .collect();
    print!("{left_out}");
    let folders = std::env::args().skip(2);
    let pages = folders.flat_map(|folder| below(&folder)).take(FOUND);
    let readable = |path| {
        let page = std::fs::read_to_string(path).ok()?;
        Some(page.trim_start_matches('\u{feff}').to_owned())
    };
    let questions = texts.into_iter().filter_map(question);
    let pages = pages
        .filter_map(readable)
        .filter(|page| page.len() <= BYTES)
        .map(told);
    let questions: Vec<Question> = questions.chain(pages).collect();
    println!("compared: {}", questions.len());
    let browser = Browser::new().map_err(|problem| problem.to_string())?;
    let found = in_parallel(&questions, PAGE, |page| ask(&browser, page))?;
    for difference in found.iter().take(SHOWN) {
        println!("\n{difference}");
    }
    match found.len() {
        0 => Ok(()),
        different => Err(format!("{different} documents differ")),
    }
}

/// Returns the question about a document, or `None` if Chromium shows something in it in another way.
fn question(document: String) -> Option<Question> {
    is_comparable(&parsed(&document)).then(|| told(document))
}

/// Returns the question about a document.
fn told(document: String) -> Question {
    let tree = parsed(&document);
    let elements = tree.root().descendants().filter(Node::is_element);
    let texts = elements.map(|element| element.inner_text()).collect();
    Question { document, texts }
}

fn parsed(document: &str) -> Document {
    let mut builder = TreeBuilder::new(Html::default()).limits(Limits::none());
    let built = builder.feed(document).and_then(|()| builder.finish());
    built.expect("HTML has no fatal errors")
}

/// Returns whether a document has nothing that Chromium shows in another way than the standard.
fn is_comparable(tree: &Document) -> bool {
    let has_form_feed = |node: Node<'_>| node.is_text() && node.text().contains('\x0C');
    let is_other = |node: Node<'_>| match node.local_name() {
        // The label is shown: the attribute, or the text without its elements.
        "option" => {
            let is_blank = |one: &str| !one.is_empty() && one.trim().is_empty();
            is_blank(&node.text_content())
                || node.children().any(|one| !one.is_text())
                || node.attribute("label").is_some()
        }
        // Whether the content is shown depends on loading.
        "object" => true,
        // The newline between two rows is before a caption that follows the first one, which a stream cannot know.
        "caption" => node.previous_sibling().is_some(),
        // A newline beside a place where the line may be broken is dropped.
        "wbr" => true,
        // Chromium does not keep white space in it.
        "marquee" => true,
        // Names of variables are shown as mathematical characters, and elements that MathML does not have differ.
        "mi" | "math" => true,
        // Elements of later standards and of experiments.
        "fencedframe" | "geolocation" | "permission" | "portal" => true,
        // Annotations end a line in ways that need a layout.
        "ruby" => true,
        // Elements that the standard does not expect there may be shown.
        "optgroup" => node.children().any(|one| one.local_name() != "option"),
        "select" => !node
            .children()
            .all(|one| matches!(one.local_name(), "" | "option" | "optgroup")),
        _ => has_form_feed(node),
    };
    !tree.root().descendants().any(is_other)
}

fn ask(browser: &Browser, page: &[Question]) -> Result<Vec<String>, String> {
    let questions: Vec<_> = page.iter().map(|one| (&one.document, &one.texts)).collect();
    let json = serde_json::to_string(&questions).map_err(|problem| problem.to_string())?;
    let answers: Vec<(usize, Answer)> =
        browser.ask(include_str!("inner_text.js"), &json, page.len())?;
    let shown = |(number, (element, name, text)): (usize, Answer)| {
        let Question { document, texts } = &page[number];
        let own = usize::try_from(element).ok().and_then(|at| texts.get(at));
        let own = own.map_or("", String::as_str);
        let pairs = text.char_indices().zip(own.chars());
        let same = pairs.take_while(|((_, one), other)| one == other).last();
        let after = same.map_or(0, |((at, _), _)| at);
        let (rest, own) = (&text[after..], &own[after..]);
        format!(
            "{document:?}\nelement {element}, {name}\nChromium:  …{rest:?}\ntagstream: …{own:?}"
        )
    };
    Ok(answers.into_iter().map(shown).collect())
}
