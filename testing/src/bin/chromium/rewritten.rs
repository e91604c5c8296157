//! Random edits by a rewriter with balanced events, compared with the same edits of Chromium's tree of the document.

use super::browser::{Browser, Rewritten};
use super::{LeftOut, REASONS, SHOWN, in_parallel, readable};
use testing::effort;
use testing::generate::html::{Case, case};
use testing::random::Random;
use testing::rewriting;

/// Number of documents, unless `TAGSTREAM_DOCUMENTS` sets it.
const DOCUMENTS: usize = 20_000;

/// Of this many documents, one may have an edit that changes how the rest of the document is parsed: inserted text
/// opens formatting elements again, and a renamed `select` no longer decides what its options contain.
const ONE_IN: usize = 1_000;

/// Number of documents on one page.
const PAGE: usize = 1000;

/// Compares random documents. Documents without an accepted edit, and documents whose nodes are elsewhere in the tree
/// than in the source, are left out and counted.
///
/// # Errors
///
/// Returns an error if a document differs, or if Chromium gives no answer.
pub(crate) fn run() -> Result<(), String> {
    let seed = effort::seed(0x7265_7772_6974);
    let documents = effort::documents(DOCUMENTS, DOCUMENTS);
    let browser = Browser::new().map_err(|problem| problem.to_string())?;
    println!("seed {seed}");
    let mut random = Random(seed);
    let mut left_out = LeftOut([0; REASONS.len()]);
    let (mut questions, mut others, mut wrong) = (Vec::new(), 0, 0);
    for _ in 0..documents {
        let case = readable(Case {
            context: None,
            ..case(&mut random)
        });
        let edits = random.number();
        if !left_out.admits(&case) {
            continue;
        }
        let document = case.text();
        match rewriting::dom::edited(&case.html(), edits, &document) {
            Err(problem) => {
                wrong += 1;
                if wrong <= SHOWN {
                    println!("\n{document:?}\n{problem}");
                }
            }
            Ok(None) => others += 1,
            Ok(Some(edited)) => questions.push(Rewritten { document, edited }),
        }
    }
    print!("{left_out}");
    println!("left out: {others} without a comparable edit");
    println!("left out: {wrong} whose edits change how the rest is parsed");
    println!("compared: {}", questions.len());
    let found = in_parallel(&questions, PAGE, |page| {
        let answers = browser.ask_rewritten(page)?;
        let with_question = |(number, trees): (usize, String)| (page[number].clone(), trees);
        Ok(answers.into_iter().map(with_question).collect())
    })?;
    for (question, trees) in found.iter().take(SHOWN) {
        let Rewritten { document, edited } = question;
        println!(
            "\n{document:?}\nedits {:?}\noutput {:?}\n{trees}",
            edited.edits, edited.output
        );
    }
    let too_many = if wrong * ONE_IN > documents { wrong } else { 0 };
    match found.len() + too_many {
        0 => Ok(()),
        different => Err(format!("{different} documents differ")),
    }
}
