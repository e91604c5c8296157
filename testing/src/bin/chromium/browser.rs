//! Asks Chromium questions about documents, many on one page, and returns the answers.

use std::io;
use testing::rewriting::dom::DomEdited;
use testing::rewriting::edits::VALUE;

/// Time limit of a page in seconds, without the tenth of a second that is added for each question.
const FEWEST: usize = 30;

/// The kind of a question about a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The tree.
    Tree,
    /// The tree, with declarative shadow roots.
    ShadowRoots,
    /// The form of each control.
    Forms,
    /// The tree that the built-in safe configuration of the sanitizer leaves.
    Safe,
    /// The tree without elements and attributes that run scripts.
    Baseline,
    /// As `Baseline`, and with some elements removed, some elements replaced with their children, or both.
    Removing,
    Replacing,
    Both,
    /// Whether scripts in the document run if it is inserted in elements of a page. The expected answer is empty.
    Runs,
}

impl Asked {
    fn word(self) -> &'static str {
        match self {
            Asked::Tree => "tree",
            Asked::ShadowRoots => "shadow roots",
            Asked::Forms => "forms",
            Asked::Safe => "safe",
            Asked::Baseline => "baseline",
            Asked::Removing => "removing",
            Asked::Replacing => "replacing",
            Asked::Both => "both",
            Asked::Runs => "runs",
        }
    }
}

/// A question about one document.
pub(crate) struct Question {
    pub(crate) document: String,
    /// The name of the context element, if the document is a fragment.
    pub(crate) context: Option<&'static str>,
    /// The kind of the question, as in `dump.js`.
    pub(crate) asked: Asked,
    /// The expected tree.
    pub(crate) expected: String,
}

/// A document whose scripts write markup.
pub(crate) struct Scripted {
    /// The chunks of the document.
    pub(crate) chunks: Vec<String>,
    pub(crate) writes: Vec<Vec<String>>,
    /// The expected tree.
    pub(crate) expected: String,
}

/// A document that a rewriter has edited.
#[derive(Clone, Debug)]
pub(crate) struct Rewritten {
    pub(crate) document: String,
    /// The edits and the output.
    pub(crate) edited: DomEdited,
}

/// A browser that runs the scripts of these questions.
pub(crate) struct Browser(testing::browser::Browser);

impl Browser {
    pub(crate) fn new() -> io::Result<Browser> {
        testing::browser::Browser::new().map(Browser)
    }

    /// As `ask`, for questions for which Chromium may give no answer. If a page gives no answer, the halves of its
    /// questions are asked on separate pages. If there is no answer to a single question, the error message is returned
    /// as its answer.
    pub(crate) fn ask_each(&self, questions: &[Question]) -> Vec<(usize, String)> {
        let mut wrong = Vec::new();
        let mut pages = vec![(0, questions)];
        while let Some((start, page)) = pages.pop() {
            let halves = page.split_at(page.len() / 2);
            match self.ask(page) {
                Ok(answers) => wrong.extend(answers.into_iter().map(|(at, one)| (start + at, one))),
                Err(_) if page.len() > 1 => {
                    pages.extend([(start + halves.0.len(), halves.1), (start, halves.0)]);
                }
                Err(problem) => wrong.push((start, problem)),
            }
        }
        wrong
    }

    /// Returns the unexpected answers, each with the number of its question.
    ///
    /// # Errors
    ///
    /// Returns an error if a page gives no answer.
    pub(crate) fn ask(&self, questions: &[Question]) -> Result<Vec<(usize, String)>, String> {
        let questions: Vec<_> = questions
            .iter()
            .map(|question| {
                let asked = question.asked.word();
                (
                    &question.document,
                    question.context,
                    &question.expected,
                    asked,
                )
            })
            .collect();
        let json = serde_json::to_string(&questions).map_err(|problem| problem.to_string())?;
        let seconds = FEWEST + questions.len() / 10;
        let script = concat!(include_str!("tree.js"), include_str!("dump.js"));
        self.0.ask_within(seconds, script, &json, questions.len())
    }

    /// As `ask`, for documents whose scripts write markup.
    ///
    /// # Errors
    ///
    /// Returns an error if a page gives no answer.
    pub(crate) fn ask_scripted(
        &self,
        questions: &[Scripted],
    ) -> Result<Vec<(usize, String)>, String> {
        let all = questions.iter();
        let all: Vec<_> = all
            .map(|one| (&one.chunks, &one.writes, &one.expected))
            .collect();
        let json = serde_json::to_string(&all).map_err(|problem| problem.to_string())?;
        let seconds = FEWEST + questions.len() / 10;
        let script = concat!(include_str!("tree.js"), include_str!("written.js"));
        self.0.ask_within(seconds, script, &json, questions.len())
    }

    /// Compares edited documents with outputs of a rewriter. Returns the trees that differ.
    ///
    /// # Errors
    ///
    /// Returns an error if a page gives no answer.
    pub(crate) fn ask_rewritten(
        &self,
        questions: &[Rewritten],
    ) -> Result<Vec<(usize, String)>, String> {
        let all = questions.iter();
        let all: Vec<_> = all
            .map(|one| (&one.document, &one.edited.edits, &one.edited.output, VALUE))
            .collect();
        let json = serde_json::to_string(&all).map_err(|problem| problem.to_string())?;
        let seconds = FEWEST + questions.len() / 10;
        let script = concat!(include_str!("tree.js"), include_str!("rewritten.js"));
        self.0.ask_within(seconds, script, &json, questions.len())
    }
}
