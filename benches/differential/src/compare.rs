//! Compares the trees of a document. Finds the rules that explain a difference, and the smallest document that has it.

use crate::engines::tagstream;
use crate::rules::{Comparison, Rule};
use crate::tree::Tree;
use std::panic::{AssertUnwindSafe, catch_unwind};
use testing::generate::html::Case;
use testing::shrink::fewer;

/// A parser that tagstream is compared with.
#[derive(Debug)]
pub struct Peer {
    /// The name of the parser.
    pub name: &'static str,
    /// Returns the tree that the parser builds, or `None` if the parser does not support the case.
    pub tree: fn(&Case) -> Option<Tree>,
    /// The known differences of the parser from the standard.
    pub rules: &'static [Rule],
}

/// The result of a comparison.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The trees are the same.
    Same,
    /// The trees differ, and the rules with these indexes explain the difference.
    Explained(Vec<usize>),
    /// The trees differ, and no rules explain the difference.
    Different,
}

/// Compares the trees of a document.
pub fn compare(peer: &Peer, case: &Case) -> Outcome {
    let whole = Comparison::new(case);
    if same(peer, &whole) {
        return Outcome::Same;
    }
    let rules: Vec<usize> = (0..peer.rules.len())
        .filter(|&rule| (peer.rules[rule].applies)(case))
        .collect();
    // Tries the smallest explanation first: one rule, two rules, then all rules that apply.
    let alone = rules.iter().map(|&one| vec![one]);
    let pairs = rules.iter().enumerate().flat_map(|(at, &one)| {
        let later = rules[at + 1..].iter();
        later.map(move |&two| vec![one, two])
    });
    let mut attempts = alone.chain(pairs).chain([rules.clone()]);
    match attempts.find(|attempt| explains(peer, &whole, attempt)) {
        Some(rules) => Outcome::Explained(rules),
        None => Outcome::Different,
    }
}

fn explains(peer: &Peer, whole: &Comparison, rules: &[usize]) -> bool {
    let mut changed = whole.clone();
    rules
        .iter()
        .for_each(|&rule| (peer.rules[rule].change)(&mut changed));
    !rules.is_empty() && same(peer, &changed)
}

fn same(peer: &Peer, comparison: &Comparison) -> bool {
    match trees(peer, comparison) {
        Ok((ours, theirs)) => ours == theirs,
        Err(_) => false,
    }
}

/// Returns both trees, or the message of an engine that panicked.
fn trees(peer: &Peer, comparison: &Comparison) -> Result<(Tree, Tree), String> {
    let case = &comparison.case;
    let ours = caught("tagstream", || tagstream(case))?;
    let theirs = caught(peer.name, || (peer.tree)(case))?;
    let theirs = theirs.unwrap_or_else(|| ours.clone());
    if comparison.hide_selectedcontent {
        let hide = |tree: Tree| tree.without_contents_of("selectedcontent");
        return Ok((hide(ours), hide(theirs)));
    }
    Ok((ours, theirs))
}

fn caught<T>(engine: &str, parse: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(parse)).map_err(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        let words = words.or(panic.downcast_ref::<&str>().map(ToString::to_string));
        format!("{engine} panicked: {}", words.unwrap_or_default())
    })
}

/// Prints a document and both trees side by side.
pub fn show(peer: &Peer, case: &Case) {
    println!("\n{case}");
    match trees(peer, &Comparison::new(case)) {
        Ok((ours, theirs)) => {
            println!(
                "  {:<48} | {}\n{}",
                "tagstream",
                peer.name,
                ours.beside(&theirs)
            );
        }
        Err(problem) => println!("  {problem}"),
    }
}

/// Reduces a document as long as the trees differ without an explanation.
pub fn smaller(peer: &Peer, case: &Case) -> Case {
    let differs = |case: &Case| compare(peer, case) == Outcome::Different;
    let with = |tokens: &[String]| Case {
        tokens: tokens.to_vec(),
        ..case.clone()
    };
    let is_wrong = |tokens: &[String]| differs(&with(tokens)).then_some(());
    let (tokens, ()) = fewer(case.tokens.clone(), (), is_wrong);
    let mut case = with(&tokens);
    // The attributes, the context and scripting may be irrelevant to the difference.
    for at in 0..case.tokens.len() {
        let token = &case.tokens[at];
        if let (true, Some(space)) = (token.starts_with('<'), token.find(' ')) {
            let mut less = case.clone();
            less.tokens[at] = format!("{}>", &token[..space]);
            if differs(&less) {
                case = less;
            }
        }
    }
    for less in [
        Case {
            scripting: false,
            ..case.clone()
        },
        Case {
            scripting: false,
            context: None,
            ..case.clone()
        },
    ] {
        if differs(&less) {
            case = less;
        }
    }
    case
}

/// Splits a page into approximate tokens: before each `<` and after each `>`.
pub fn split(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for part in text.split_inclusive('>') {
        let at = part.find('<').unwrap_or(0);
        let (text, tag) = part.split_at(at);
        tokens.extend(
            [text, tag]
                .iter()
                .filter(|part| !part.is_empty())
                .map(ToString::to_string),
        );
    }
    tokens
}
