//! Compares selectors with Chromium, on random pages and on the pages below folders: both must select the same
//! elements.
//!
//! `TAGSTREAM_DOCUMENTS=500 TAGSTREAM_SEED=7 cargo run --release -p testing --bin selectors -- FOLDER…` tests 200
//! selectors on each of 500 random pages and of up to 300 pages of the folders.

use std::path::PathBuf;
use std::process::ExitCode;
use tagstream::select::Selector;
use tagstream::tree::namespaces::HTML;
use tagstream::{Document, Html, Node};
use testing::browser::Browser;
use testing::effort;
use testing::generate::select::{PSEUDO_CLASSES, elements, page, selector};
use testing::html_files::below;
use testing::random::Random;

/// Number of random pages, unless `TAGSTREAM_DOCUMENTS` sets it.
const PAGES: usize = 50;

/// Maximum number of pages from folders.
const FOUND: usize = 300;

/// Number of selectors for each page.
const SELECTORS: usize = 200;

/// Maximum number of bytes of pages and answers in one request.
const BYTES: usize = 8 << 20;

/// Number of differences that are printed.
const SHOWN: usize = 20;

/// Number of characters of a page that are printed.
const SHOWN_OF: usize = 3000;

/// A reason to leave a selector out of those for a page with these elements.
type Reason = fn(&str, &[Node<'_>]) -> bool;

/// Reasons to leave a selector out: in these cases Chromium differs.
const REASONS: &[(&str, Reason)] = &[
    // Chromium does not support the flag.
    ("the flag s", |selector, _| selector.contains(" s]")),
    // In HTML documents, Chromium ignores the case of names of other namespaces.
    (
        "names in another case, beside SVG and MathML",
        |selector, elements| {
            let is_foreign = |node: &Node<'_>| node.namespace() != Some(HTML);
            let has_camel = |name: &str| {
                let lower = name.to_ascii_lowercase();
                lower != name && selector.contains(&lower)
            };
            elements.iter().any(is_foreign) && has_upper_case(selector)
                || elements.iter().any(|node| {
                    has_camel(node.local_name())
                        || node.attributes().any(|one| has_camel(one.local_name()))
                })
        },
    ),
    // In Chromium, an element with `contenteditable` does not make the SVG and MathML elements in it editable.
    (
        ":read-only and :read-write, in SVG and MathML of an editor",
        |selector, elements| {
            let is_editor = |node: &Node<'_>| node.attribute("contenteditable").is_some();
            let holds_foreign = |node: &Node<'_>| {
                node.descendants()
                    .any(|one| one.is_element() && one.namespace() != Some(HTML))
            };
            let mut editors = elements.iter().filter(|node| is_editor(node));
            selector.contains(":read-") && editors.any(holds_foreign)
        },
    ),
    // In Chromium, buttons match `:optional`.
    (":optional, beside a button", |selector, elements| {
        let is_button = |node: &Node<'_>| node.local_name() == "button";
        selector.contains(":optional") && elements.iter().any(is_button)
    }),
];

/// Returns whether a name of an element or an attribute may contain upper case. Strings, ids and classes are ignored.
fn has_upper_case(selector: &str) -> bool {
    let outside = selector.split('"').step_by(2);
    outside
        .flat_map(|part| part.split([' ', '>', '~', '+', '(', ',', '[', ':']))
        .any(|name| {
            let name = name.split(['#', '.']).next().unwrap_or_default();
            name.contains(|c: char| c.is_ascii_uppercase())
        })
}

type Asked = (String, String, Vec<(String, String)>);

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let folders: Vec<String> = std::env::args().skip(1).collect();
    let mut wrong = 0;
    let seed = effort::seed(0x7365_6c65_6374);
    println!("seed {seed}");
    let mut random = Random(seed);
    let documents = effort::documents(PAGES, PAGES);
    let pages = (0..documents).map(|_| page(&mut random)).collect();
    wrong += compare("random", &mut random, pages)?;
    let mut found: Vec<PathBuf> = folders.iter().flat_map(|folder| below(folder)).collect();
    while found.len() > FOUND {
        found.swap_remove(random.below(found.len()));
    }
    let texts = found.iter().filter_map(|path| std::fs::read(path).ok());
    let texts: Vec<String> = texts
        .map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', ""))
        .collect();
    if !texts.is_empty() {
        wrong += compare("found", &mut random, texts)?;
    }

    match wrong {
        0 => Ok(()),
        wrong => Err(format!("{wrong} answers differ")),
    }
}

/// Asks Chromium about pages. Returns the number of answers that differ.
fn compare(kind: &str, random: &mut Random, pages: Vec<String>) -> Result<usize, String> {
    let browser = Browser::new().map_err(|problem| problem.to_string())?;
    let (mut pairs, mut hits, mut left_out, mut others) = (0, 0, [0; 8], 0);
    let mut drawn = vec![0_usize; PSEUDO_CLASSES.len()];
    let mut wrong = 0;
    let (mut batch, mut bytes) = (Vec::<Asked>::new(), 0);
    let count = pages.len();
    for (number, text) in pages.into_iter().enumerate() {
        let document =
            Document::parse(Html::default(), &*text).map_err(|error| error.to_string())?;
        let all = elements(&document);
        let names: Vec<&str> = all.iter().map(|node| node.local_name()).collect();
        let names = names.join(",");
        let mut asked = Vec::new();
        let order: std::collections::HashMap<_, _> = all
            .iter()
            .enumerate()
            .map(|(at, node)| (node.id(), at))
            .collect();
        while asked.len() < SELECTORS {
            let selector = selector(random, &all);
            if let Some(reason) = REASONS
                .iter()
                .position(|(_, applies)| applies(&selector, &all))
            {
                left_out[reason] += 1;
                continue;
            }
            for (count, name) in drawn.iter_mut().zip(PSEUDO_CLASSES) {
                *count += usize::from(selector.contains(&format!(":{name}")));
            }
            let compiled =
                Selector::new(&selector).map_err(|error| format!("{selector}: {error}"))?;
            let found = document
                .select(&compiled)
                .map_err(|error| error.to_string())?;
            let found: Vec<String> = found.map(|node| order[&node.id()].to_string()).collect();
            pairs += 1;
            hits += usize::from(!found.is_empty());
            asked.push((selector, found.join(",")));
        }
        bytes += text.len() + names.len();
        bytes += asked
            .iter()
            .map(|(one, other)| one.len() + other.len())
            .sum::<usize>();
        batch.push((text, names, asked));
        if bytes > BYTES || number + 1 == count {
            let json = serde_json::to_string(&batch).map_err(|problem| problem.to_string())?;
            let script = include_str!("select.js");
            let answers = browser.ask::<Vec<(i64, String)>>(script, &json, batch.len())?;
            for (page, differences) in answers {
                for (place, found) in differences {
                    let Ok(place) = usize::try_from(place) else {
                        others += 1;
                        pairs -= SELECTORS;
                        continue;
                    };
                    wrong += 1;
                    if wrong <= SHOWN {
                        let (text, _, asked) = &batch[page];
                        let (selector, expected) = &asked[place];
                        let text: String = text.chars().take(SHOWN_OF).collect();
                        let names: Vec<&str> = batch[page].1.split(',').collect();
                        let named = |list: &str| {
                            let numbers = list.split(',').filter_map(|one| one.parse().ok());
                            let named = numbers.map(|at: usize| format!("{}{at}", names[at]));
                            named.collect::<Vec<_>>().join(" ")
                        };
                        let (ours, theirs) = (named(expected), named(&found));
                        println!("{selector}\n  ours: {ours}\n  theirs: {theirs}\n  in {text:?}\n");
                    }
                }
            }
            (batch, bytes) = (Vec::new(), 0);
        }
    }
    for ((reason, _), count) in REASONS.iter().zip(left_out) {
        println!("left out: {count} with {reason}");
    }
    println!(
        "{kind}: {count} pages, {others} of them with another tree; {pairs} pairs, {hits} with a match"
    );
    for (name, count) in PSEUDO_CLASSES.iter().zip(&drawn) {
        if *count == 0 {
            return Err(format!(":{name} was never drawn"));
        }
    }
    Ok(wrong)
}
