//! Compares the trees of random HTML documents with those of Chromium. Chromium has bugs of its own and follows a later
//! version of the standard. Documents that meet such a difference are left out and counted; whether a document is left
//! out is decided by the document alone.
//!
//! `TAGSTREAM_DOCUMENTS=1000000 TAGSTREAM_SEED=7 cargo run -p testing --bin chromium` compares a million documents.
//! Arguments:
//!
//! - `sanitized`: compares the sanitizer with `setHTML`, and inserts its output in a page (`sanitize.rs`).
//! - `shadow-roots`: templates may declare shadow roots.
//! - `forms`: compares the forms of controls (`forms.rs`).
//! - `inner-text FOLDER…`: compares the text of elements with `innerText` (`inner_text.rs`).
//! - `rewritten`: compares random edits by a rewriter with the same edits of Chromium's tree (`rewritten.rs`).
//! - `written`: scripts write markup (`written.rs`).
//! - `xpath FOLDER…`: compares the values of random XPath expressions with those of `document.evaluate` (`xpath.rs`).
//! - `patched`: documents have markers, and templates whose content replaces the markers.

mod browser;
mod forms;
mod inner_text;
mod rewritten;
mod sanitize;
mod written;
mod xpath;

use browser::{Asked, Browser, Question};
use std::fmt;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tagstream::tree::QuirksMode;
use tagstream::{Document, Limits, TreeBuilder};
use testing::effort;
use testing::generate::html::{Case, case, patched};
use testing::pull::built;
use testing::random::Random;
use testing::tree_formats::TreeFormats as _;

/// Number of documents, unless `TAGSTREAM_DOCUMENTS` sets it.
const DOCUMENTS: usize = 20_000;

/// Number of documents on one page, so that a page and its trees stay below about ten megabytes.
const PAGE: usize = 2500;

/// Number of browsers that run at the same time.
const BROWSERS: usize = 2;

/// Number of differences that are reduced and printed.
const SHOWN: usize = 5;

fn main() -> ExitCode {
    let run: fn() -> Result<(), String> = match std::env::args().nth(1).as_deref() {
        Some("sanitized") => sanitize::run,
        Some("rewritten") => rewritten::run,
        Some("inner-text") => inner_text::run,
        Some("xpath") => xpath::run,
        Some("written") => written::run,
        Some("patched") => || run(patched_to_the_end, Asked::Tree),
        Some("forms") => || run(forms::drawn, Asked::Forms),
        Some("shadow-roots") => || run(case, Asked::ShadowRoots),
        _ => || run(case, Asked::Tree),
    };
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(drawn: fn(&mut Random) -> Case, asked: Asked) -> Result<(), String> {
    let seed = effort::seed(0x6368_726f_6d69_756d);
    let documents = effort::documents(DOCUMENTS, DOCUMENTS);
    let browser = Browser::new().map_err(|problem| problem.to_string())?;
    println!("seed {seed}");
    let mut random = Random(seed);
    let mut left_out = LeftOut([0; REASONS.len()]);
    let cases: Vec<Case> = (0..documents)
        .map(|_| readable(drawn(&mut random)))
        .filter(|case| left_out.admits(case))
        .collect();
    print!("{left_out}");
    println!("compared: {}", cases.len());
    let found = compare(&browser, &cases, asked)?;
    for (case, _) in found.iter().take(SHOWN) {
        // Documents that would be left out are not used as smaller documents, because their differences are known.
        let (case, tree) = smaller(case.clone(), |cases| {
            let cases = cases.iter().filter(|case| left_out.admits(case));
            ask(&browser, &cases.cloned().collect::<Vec<_>>(), asked)
        })?;
        println!("{}", difference(&case, &tree, asked));
    }
    let different = found.len();
    match different {
        0 => Ok(()),
        _ => Err(format!(
            "{different} documents differ; the smallest of the first are above"
        )),
    }
}

/// Removes the parts of a document that Chromium cannot be asked about. Scripting is off, because a document without a
/// window does not run scripts. Chromium drops U+0000 where the standard requires U+FFFD or a `body` element. A
/// reference to whitespace opens a `body` element in Chromium where the standard drops whitespace.
fn readable(case: Case) -> Case {
    let is_document = case.context.is_none();
    let tokens = case.tokens.iter().map(|token| {
        let token = without_nulls(token);
        match token.as_str() {
            "&#10;" | "&#13;" | "&#32;" if is_document => " ".to_owned(),
            _ => token,
        }
    });
    Case {
        tokens: tokens.collect(),
        scripting: false,
        processing_instructions: true,
        ..case
    }
}

/// Returns a text without U+0000 and references to it.
fn without_nulls(text: &str) -> String {
    text.replace('\0', "").replace("&#0;", "")
}

/// Draws a document with templates that replace markers. All templates have end tags, because unclosed ones are a known
/// difference.
fn patched_to_the_end(random: &mut Random) -> Case {
    let mut case = patched(random);
    let is_kept = |token: &String| {
        let token = token.to_ascii_lowercase();
        !HOLD_TEXT.iter().any(|name| token.starts_with(name))
    };
    case.tokens.retain(is_kept);
    let begin = |token: &&String| token.to_ascii_lowercase().starts_with("<template");
    let missing = case.tokens.iter().filter(begin).count();
    case.tokens
        .extend(std::iter::repeat_n("</template>".to_owned(), missing));
    case
}

/// Tags and comments after which tags may be text.
const HOLD_TEXT: [&str; 10] = [
    "<style",
    "<script",
    "<title",
    "<textarea",
    "<xmp",
    "<iframe",
    "<noembed",
    "<noframes",
    "<plaintext",
    "<!",
];

/// Returns whether a document is left out, by its tokens in lower case and its context.
type Reason = fn(&[String], Option<&str>) -> bool;

/// Reasons to leave documents out: in these cases Chromium 156 differs from the standard, or implements a later
/// version.
const REASONS: &[(&str, Reason)] = &[
    // Chromium updates the wrong elements.
    ("several <selectedcontent>", |tags, _| {
        tags.iter().filter(|tag| is(tag, "selectedcontent")).count() > 1
    }),
    // If an option is removed from a select, Chromium updates the `selectedcontent`. This is in later versions of the
    // standard only: in this version, the removing steps of an option only "update an option's nearest ancestor
    // select".
    ("<option> in <selectedcontent>", |tags, _| {
        let mut in_it = tags.iter().skip_while(|tag| !is(tag, "selectedcontent"));
        in_it
            .by_ref()
            .take_while(|tag| !tag.starts_with("</selectedcontent"))
            .any(|tag| is(tag, "option"))
    }),
    // Chromium treats the element as disabled if it is in an option, although nothing in a fragment is connected.
    ("<selectedcontent> in a fragment", |tags, context| {
        context.is_some() && tags.iter().any(|tag| is(tag, "selectedcontent"))
    }),
    // At the end of the input, Chromium does the same as for the end tag, and removes the markers. In the standard,
    // they stay (#parsing-main-intemplate, an end-of-file token).
    ("<template for> without an end", |tags, _| {
        let open = tags.iter().fold(0_usize, |open, tag| match tag {
            tag if tag.starts_with("<template") => open + 1,
            tag if tag.starts_with("</template") => open.saturating_sub(1),
            _ => open,
        });
        // An end tag may be part of a text.
        let holds_text = |tag: &String| HOLD_TEXT.iter().any(|name| tag.starts_with(name));
        let has_open = open > 0 || tags.iter().any(holds_text);
        has_open && tags.iter().any(|tag| tag.starts_with("<template for"))
    }),
    // If declarative shadow roots are off, Chromium ignores the attribute. In the standard, the template is then
    // inserted as usual, whatever its other attributes are (#parsing-main-inhead).
    ("<template for shadowrootmode>", |tags, _| {
        tags.iter()
            .any(|tag| tag.starts_with("<template for=x shadowrootmode"))
    }),
    // Chromium treats these tags like others: the insertion mode of the template's contents is "in body" after them.
    (
        "<title>, <base>, <basefont>, <bgsound> or <noframes> beside <template>",
        |tags, context| {
            let has = |name: &str| tags.iter().any(|tag| is(tag, name)) || context == Some(name);
            let others = ["title", "base", "basefont", "bgsound", "noframes"];
            has("template") && others.into_iter().any(has)
        },
    ),
    // In the contents of a template, Chromium does not close the elements in a form that ends. If the context is a
    // template, Chromium uses the form pointer to find the element to close (#parsing-main-inbody, an end tag whose tag
    // name is "form").
    ("</form> beside <template>", |tags, context| {
        let has_template = tags.iter().any(|tag| is(tag, "template"));
        let ends = tags.iter().any(|tag| tag.starts_with("</form"));
        ends && (has_template || context == Some("template"))
    }),
    // Chromium does not apply the rules of tables in a template: whitespace does not reconstruct formatting elements
    // there.
    (
        "white space behind a part of a table in <template>",
        |tags, context| {
            let parts = [
                "<caption",
                "<colgroup",
                "<tbody",
                "<tfoot",
                "<thead",
                "<tr",
                "<td",
            ];
            let is_in =
                |part: &&str| context == Some("template") || follows(tags, "<template", part);
            parts.iter().filter(|part| is_in(part)).any(|part| {
                let spaces = [" ", "\n", "\t", "\r", "\x0C"];
                spaces.iter().any(|space| follows(tags, part, space))
            })
        },
    ),
    // Chromium does not ignore the start tag there.
    ("<head> behind <noscript>", |tags, _| {
        follows(tags, "<noscript", "<head")
    }),
    // Chromium treats the element as an SVG element, and an end tag in SVG as the end tag of such an element.
    ("<foreignObject> or <textPath> before <svg>", |tags, _| {
        let camel = ["<foreignobject", "<textpath"];
        camel.iter().any(|first| follows(tags, first, "<svg"))
    }),
    // Chromium does not reconstruct formatting elements for whitespace there.
    ("white space behind </body> or </html>", |tags, _| {
        [" ", "\n", "\t", "\r", "\x0C"]
            .iter()
            .any(|space| follows(tags, "</body", space) || follows(tags, "</html", space))
    }),
    // Chromium does not treat the element as special.
    ("<search>", |tags, _| {
        tags.iter().any(|tag| is(tag, "search"))
    }),
    // Chromium does not compare the end tag with the foreign context element.
    (
        "an end tag in a context of MathML or SVG",
        |tags, context| {
            let foreign = ["math ", "svg "];
            let is_foreign =
                context.is_some_and(|name| foreign.iter().any(|one| name.starts_with(one)));
            is_foreign && tags.iter().any(|tag| tag.starts_with("</"))
        },
    ),
    // The contents of closed shadow roots are not visible. For one root, the page can find out that there is one.
    ("several closed shadow roots", |tags, _| {
        tags.iter()
            .filter(|tag| tag.contains("shadowrootmode=closed"))
            .count()
            > 1
    }),
    // Chromium does not ignore these start tags.
    ("<input> in the context select", |tags, context| {
        context == Some("select") && tags.iter().any(|tag| is(tag, "input"))
    }),
];

/// Returns whether a token is a start tag with this name.
fn is(tag: &str, name: &str) -> bool {
    let rest = tag.strip_prefix('<').and_then(|tag| tag.strip_prefix(name));
    rest.is_some_and(|rest| rest.starts_with([' ', '/', '>']))
}

/// Returns whether a token that starts with `then` follows a token that starts with `first`.
fn follows(tokens: &[String], first: &str, then: &str) -> bool {
    let mut tokens = tokens.iter();
    tokens.any(|token| token.starts_with(first)) && tokens.any(|token| token.starts_with(then))
}

/// The number of documents that were left out, for each reason.
struct LeftOut([usize; REASONS.len()]);

impl LeftOut {
    fn admits(&mut self, case: &Case) -> bool {
        self.admits_tokens(&case.tokens, case.context)
    }

    fn admits_tokens(&mut self, tokens: &[String], context: Option<&str>) -> bool {
        let tags = tokens.iter().map(|token| token.to_ascii_lowercase());
        let tags: Vec<String> = tags.collect();
        let reason = REASONS
            .iter()
            .position(|(_, applies)| applies(&tags, context));
        if let Some(reason) = reason {
            self.0[reason] += 1;
        }
        reason.is_none()
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (count, (reason, _)) in self.0.iter().zip(REASONS) {
            writeln!(f, "left out: {count} with {reason}")?;
        }
        Ok(())
    }
}

/// Returns the documents for which Chromium's answer is not as expected, with its answers.
fn compare(browser: &Browser, cases: &[Case], asked: Asked) -> Result<Vec<(Case, String)>, String> {
    in_parallel(cases, PAGE, |page| ask(browser, page, asked))
}

/// Divides all items into pages, asks about the pages in several browsers at the same time, and returns the results of
/// all pages.
fn in_parallel<T: Sync, F: Send>(
    all: &[T],
    page: usize,
    ask: impl Fn(&[T]) -> Result<Vec<F>, String> + Sync,
) -> Result<Vec<F>, String> {
    let pages: Vec<&[T]> = all.chunks(page).collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let worker = || -> Result<(), String> {
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let answers = ask(page)?;
            let mut found = found.lock().map_err(|problem| problem.to_string())?;
            found.extend(answers);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..BROWSERS).map(|_| scope.spawn(worker)).collect();
        let results = workers.into_iter().map(|worker| worker.join());
        results
            .into_iter()
            .try_for_each(|result| result.expect("no panic"))
    })?;
    found.into_inner().map_err(|problem| problem.to_string())
}

fn ask(browser: &Browser, cases: &[Case], asked: Asked) -> Result<Vec<(Case, String)>, String> {
    let questions: Vec<Question> = cases.iter().map(|case| question(case, asked)).collect();
    let answers = browser.ask(&questions)?;
    let with_case = |(number, tree): (usize, String)| (cases[number].clone(), tree);
    Ok(answers.into_iter().map(with_case).collect())
}

fn question(case: &Case, asked: Asked) -> Question {
    Question {
        document: case.tokens.concat(),
        context: case.context,
        asked,
        expected: tree(case, asked),
    }
}

/// Returns the tree that tagstream builds, and whether its document is in quirks mode. For `Asked::Forms`, returns the
/// forms of the controls.
fn tree(case: &Case, asked: Asked) -> String {
    let html = case.html().shadow_roots(asked == Asked::ShadowRoots);
    let builder = TreeBuilder::new(html).limits(Limits::none());
    let document = built(builder, [case.text().as_bytes()]).expect("HTML has no fatal errors");
    if asked == Asked::Forms {
        return forms::told(&document);
    }
    match (case.context, document.root_element()) {
        // The nodes of a fragment are the content of the root element.
        (Some(_), Some(root)) => seen(&root.to_html5lib()),
        _ => whole(&document),
    }
}

/// Returns the tree of a document, and whether it is in quirks mode.
fn whole(document: &Document) -> String {
    let mode = match document.quirks_mode() {
        QuirksMode::Quirks => "quirks\n",
        _ => "no quirks\n",
    };
    seen(&document.to_html5lib()) + mode
}

/// Removes the contents of closed shadow roots, which are not visible to scripts.
fn seen(tree: &str) -> String {
    let mut hidden = None;
    let mut seen = String::new();
    for line in tree.split_inclusive('\n') {
        let depth = line
            .strip_prefix("| ")
            .map(|rest| rest.len() - rest.trim_start().len());
        // A line without a depth continues a text.
        if hidden.is_some_and(|hidden| depth.is_none_or(|depth| depth > hidden)) {
            continue;
        }
        hidden = depth.filter(|_| {
            line.trim_start_matches(['|', ' '])
                .starts_with("#shadow-root (closed")
        });
        seen.push_str(line);
    }
    seen
}

/// Removes tokens from a document as long as Chromium's answer is not as expected. Returns the document and Chromium's
/// answer. All documents that are one step smaller are asked about on one page.
fn smaller(
    mut case: Case,
    mut ask: impl FnMut(&[Case]) -> Result<Vec<(Case, String)>, String>,
) -> Result<(Case, String), String> {
    let mut length = case.tokens.len();
    let mut tree = String::new();
    loop {
        let from_to = (0..=case.tokens.len() - length).map(|from| from..from + length);
        let less = from_to.map(|range| {
            let mut less = case.clone();
            less.tokens.drain(range);
            less
        });
        let first = ask(&less.collect::<Vec<_>>())?.into_iter().next();
        match first {
            Some((less, found)) => {
                (case, tree) = (less, found);
                length = length.min(case.tokens.len());
            }
            None if length > 1 => length /= 2,
            None => break,
        }
    }
    if tree.is_empty() {
        let only = ask(std::slice::from_ref(&case))?.into_iter().next();
        (case, tree) = only.ok_or("a difference that does not come again")?;
    }
    Ok((case, tree))
}

fn difference(case: &Case, found: &str, asked: Asked) -> String {
    let document = case.tokens.concat();
    let context = case.context.unwrap_or("no");
    let own = tree(case, asked);
    format!("\n{document:?} in {context} context\nChromium:\n{found}tagstream:\n{own}")
}
