//! Compares documents whose scripts write markup: Chromium's tree after loading must be the tree of a builder whose
//! host writes the same markup.

use super::browser::{Browser, Scripted};
use super::{LeftOut, PAGE, REASONS, SHOWN, in_parallel, whole, without_nulls};
use tagstream::{Encoding, Html, Limits, TreeBuilder};
use testing::effort;
use testing::random::Random;
use testing::scripted::{self, Writes};

/// Numbers of documents in the full and in the quick effort.
const DOCUMENTS: [usize; 2] = [7_000, 500];

/// A document in chunks, and the markup that its scripts write.
#[derive(Clone)]
struct Written {
    chunks: Vec<String>,
    writes: Writes,
}

pub(super) fn run() -> Result<(), String> {
    let seed = effort::seed(0x7772_6974_7465_6e21);
    let documents = effort::documents(DOCUMENTS[1], DOCUMENTS[0]);
    let browser = Browser::new().map_err(|problem| problem.to_string())?;
    println!("seed {seed}");
    let mut random = Random(seed);
    let mut left_out = LeftOut([0; REASONS.len()]);
    let cases: Vec<Written> = (0..documents)
        .map(|_| draw(&mut random))
        .filter(|one| admits(&mut left_out, one))
        .collect();
    print!("{left_out}");
    println!("compared: {}", cases.len());
    let found = in_parallel(&cases, PAGE / 5, |page| ask(&browser, page))?;
    for (written, _) in found.iter().take(SHOWN) {
        let (small, tree) = smaller(&browser, written.clone())?;
        let own = tree_of(&small);
        println!(
            "\n{:?} whose scripts write {:?}\nChromium:\n{tree}tagstream:\n{own}",
            small.chunks, small.writes
        );
    }
    match found.len() {
        0 => Ok(()),
        different => Err(format!("{different} documents differ")),
    }
}

/// Draws a document that Chromium can be asked about: see `readable`.
fn draw(random: &mut Random) -> Written {
    let readable = |text: &str| {
        let text = without_nulls(text);
        ["&#10;", "&#13;", "&#32;"]
            .iter()
            .fold(text, |text, space| text.replace(space, " "))
    };
    let text = readable(&scripted::draw(random).tokens.concat());
    let writes = scripted::writes(random.number());
    Written {
        chunks: scripted::pieces(random, &text),
        writes: writes
            .iter()
            .map(|pieces| scripted::pieces(random, &readable(&pieces.concat())))
            .collect(),
    }
}

fn admits(left_out: &mut LeftOut, written: &Written) -> bool {
    let text = written.chunks.concat();
    let flat = scripted::flattened(&html(), Limits::none(), &text, &written.writes);
    let (flat, _) = flat.expect("HTML has no fatal errors");
    left_out.admits_tokens(&tokens(&flat), None)
}

/// Splits markup into tags, whitespace characters, and the text between them.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = vec![String::new()];
    let mut in_tag = false;
    for character in text.chars() {
        let is_apart = character == '<' || !in_tag && character.is_ascii_whitespace();
        if is_apart {
            tokens.push(String::new());
        }
        in_tag |= character == '<';
        tokens.last_mut().expect("a token").push(character);
        if character == '>' || is_apart && character != '<' {
            in_tag = false;
            tokens.push(String::new());
        }
    }
    tokens
}

fn html() -> Html {
    // A page that is loaded may have declarative shadow roots.
    let html = Html::default().scripting(true).shadow_roots(true);
    html.encoding(Encoding::UTF_8)
}

/// The tree that tagstream builds.
fn tree_of(written: &Written) -> String {
    let mut builder = TreeBuilder::new(html()).limits(Limits::none()).hosted();
    let mut build = || -> Result<_, tagstream::Error> {
        for chunk in &written.chunks {
            builder.feed(chunk)?;
            scripted::run(&mut builder, &written.writes, &mut |_| {})?;
        }
        builder.supply_end();
        builder.build()?;
        scripted::run(&mut builder, &written.writes, &mut |_| {})?;
        builder.finish()
    };
    whole(&build().expect("HTML has no fatal errors"))
}

fn ask(browser: &Browser, page: &[Written]) -> Result<Vec<(Written, String)>, String> {
    let questions: Vec<Scripted> = page
        .iter()
        .map(|one| Scripted {
            chunks: one.chunks.clone(),
            writes: one.writes.clone(),
            expected: tree_of(one),
        })
        .collect();
    let answers = browser.ask_scripted(&questions)?;
    let with_case = |(number, tree): (usize, String)| (page[number].clone(), tree);
    Ok(answers.into_iter().map(with_case).collect())
}

/// Removes pieces as long as Chromium's answer is not as expected. Returns the document and Chromium's answer.
fn smaller(browser: &Browser, mut written: Written) -> Result<(Written, String), String> {
    let mut tree = String::new();
    for _ in 0..400 {
        let mut less = Vec::new();
        let lists = 1 + written.writes.len();
        for list in 0..lists {
            let list_of = |one: &mut Written| match list.checked_sub(1) {
                None => core::mem::take(&mut one.chunks),
                Some(index) => core::mem::take(&mut one.writes[index]),
            };
            let tokens = tokens(&list_of(&mut written.clone()).concat());
            for skipped in 0..tokens.len() {
                let mut shorter = tokens.clone();
                if shorter.remove(skipped).is_empty() {
                    continue;
                }
                let mut one = written.clone();
                match list.checked_sub(1) {
                    None => one.chunks = vec![shorter.concat()],
                    Some(index) => one.writes[index] = vec![shorter.concat()],
                }
                less.push(one);
            }
        }
        let Some(first) = ask(browser, &less)?.into_iter().next() else {
            break;
        };
        (written, tree) = first;
    }
    Ok((written, tree))
}
