//! Sequences of edits of one event or a few events of a document: every method after every other, also twice.

use crate::cases::Case;
use crate::effort;
use crate::random::Random;
use crate::random_cases::Feed;
use crate::rewriting::edits::{Edit, Events, Item, OPERATIONS, Op};
use crate::rewriting::tree::{balanced, written};
use tagstream::{Balance, Buildable, Encoding, Html, LeafXml, MicroXml, Sky, Xml};

/// Number of sequences of one case in the full effort. A case whose sequences are fewer has each of them once.
const SEQUENCES: usize = 1_900;

/// Checks the sequences of a case: `edit` has the events that are edited.
///
/// # Errors
///
/// Returns a description of the first difference.
pub fn check(case: &Case, seed: u64) -> Result<(), String> {
    match case.option("dialect").unwrap_or_default() {
        "html" => check_in(&Html::default().encoding(Encoding::UTF_8), case, seed),
        "xml" => check_in(&Xml::default(), case, seed),
        "strict" => check_in(&Xml::strict(), case, seed),
        "microxml" => check_in(&MicroXml::default(), case, seed),
        "sky" => check_in(&Sky::fragment(), case, seed),
        "leafxml" => check_in(&LeafXml::default(), case, seed),
        other => Err(format!("no dialect {other}")),
    }
}

fn check_in<D: Balance + Buildable>(dialect: &D, case: &Case, seed: u64) -> Result<(), String> {
    let form = case.option("form");
    if form != Some("balanced") {
        check_form(dialect, false, case, seed)?;
    }
    if form != Some("written") {
        check_form(dialect, true, case, seed)?;
    }
    Ok(())
}

fn check_form<D: Balance + Buildable>(
    dialect: &D,
    is_balanced: bool,
    case: &Case,
    seed: u64,
) -> Result<(), String> {
    let targets: Vec<&str> = case.texts("edit").collect();
    let input = case.input();
    let mut random = Random(seed);
    let mut problem = None;
    let mut different = 0;
    for (number, steps) in sequences(&mut random, targets.len())
        .into_iter()
        .enumerate()
    {
        let seed = random.number();
        let choose = |events: &Events| edits(events, &targets, &steps, seed);
        // Half of the sequences are made with the usual sizes and whole input.
        let feed = match number % 2 {
            0 => Feed::whole(),
            _ => Feed::draw(&mut random),
        };
        let outcome = match is_balanced {
            true => balanced(dialect, feed, &choose, &input),
            false => written(dialect, feed, &choose, &input),
        };
        match outcome {
            Ok(_) => {}
            Err(difference) => {
                different += 1;
                let sequence =
                    || format!("balanced {is_balanced}, {steps:?}, {feed:?}: {difference}");
                problem.get_or_insert_with(sequence);
            }
        }
    }
    match problem {
        None => Ok(()),
        Some(problem) => Err(format!("{different} differences, the first: {problem}")),
    }
}

/// Returns sequences of one to three steps: each the number of an event and of an operation.
fn sequences(random: &mut Random, targets: usize) -> Vec<Vec<(usize, usize)>> {
    let steps: Vec<(usize, usize)> = (0..targets)
        .flat_map(|target| (0..OPERATIONS).map(move |operation| (target, operation)))
        .collect();
    let mut all: Vec<Vec<(usize, usize)>> = steps.iter().map(|step| vec![*step]).collect();
    for first in &steps {
        all.extend(steps.iter().map(|second| vec![*first, *second]));
    }
    let is_whole = steps.len().pow(3) + all.len() <= SEQUENCES && effort::Effort::is_full();
    if is_whole {
        for first in &steps {
            for second in &steps {
                all.extend(steps.iter().map(|third| vec![*first, *second, *third]));
            }
        }
        return all;
    }
    let mut step = || steps[random.below(steps.len())];
    let count = effort::Effort::choose(SEQUENCES / 10, SEQUENCES).max(all.len());
    let missing = count - all.len();
    all.extend((0..missing).map(|_| vec![step(), step(), step()]));
    all
}

/// Returns the edits of a sequence.
fn edits(events: &Events, targets: &[&str], steps: &[(usize, usize)], seed: u64) -> Vec<Edit> {
    let mut random = Random(seed);
    let places: Vec<Option<usize>> = targets.iter().map(|target| find(events, target)).collect();
    let mut edits = Vec::new();
    for (target, operation) in steps {
        if let Some(at) = places[*target] {
            let op = Op::numbered(*operation, &mut random, &events.items[at]);
            edits.push(Edit { at, op });
        }
    }
    edits.sort_by_key(|edit| edit.at);
    edits
}

/// Finds an event: its kind, its name or text, and its number among those that are equal.
fn find(events: &Events, target: &str) -> Option<usize> {
    let mut words = target.split(' ');
    let (kind, name) = (words.next()?, words.next()?);
    let number: usize = words.next().map_or(Some(1), |number| number.parse().ok())?;
    let is_it = |item: &Item| match item {
        Item::Start(is, _) => kind == "start" && is.eq_ignore_ascii_case(name),
        Item::End(is) => kind == "end" && is.eq_ignore_ascii_case(name),
        Item::Text(is) => kind == "text" && is == name,
        Item::Comment(is) => kind == "comment" && is == name,
        Item::Other(is) => is.starts_with(target),
    };
    let items = events.items.iter().enumerate();
    let mut found = items.filter(|(_, item)| is_it(item));
    found.nth(number - 1).map(|(at, _)| at)
}
