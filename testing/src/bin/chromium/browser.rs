//! Asks Chromium questions about documents, which are on one page, and returns its answers.

use std::io;

/// A page has so many seconds, and a tenth more for each question.
const FEWEST: usize = 30;

/// The questions about a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Its tree.
    Tree,
    /// Its tree with declarative shadow roots.
    ShadowRoots,
    /// The forms of its controls.
    Forms,
    /// Its tree as the built-in safe configuration leaves it.
    Safe,
    /// Its tree without what runs.
    Baseline,
    /// Its tree without what runs, with elements removed, replaced with their children, or some removed and others
    /// replaced.
    Removing,
    Replacing,
    Both,
    /// Whether something in it runs, set in elements of a page; nothing is expected.
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
    /// The element of a fragment.
    pub(crate) context: Option<&'static str>,
    /// The kind of the question: see `dump.js`.
    pub(crate) asked: Asked,
    /// The tree that is expected.
    pub(crate) expected: String,
}

/// A document whose scripts write.
pub(crate) struct Scripted {
    /// It comes in chunks.
    pub(crate) chunks: Vec<String>,
    pub(crate) writes: Vec<Vec<String>>,
    /// The tree that is expected.
    pub(crate) expected: String,
}

/// A browser that has the script of these questions.
pub(crate) struct Browser(testing::browser::Browser);

impl Browser {
    pub(crate) fn new() -> io::Result<Browser> {
        testing::browser::Browser::new().map(Browser)
    }

    /// The same where a page may give no answer: then each half of its questions is asked on a page of its own.
    /// Which one question has none is told as the answer to it.
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

    /// The same of documents whose scripts write.
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
}
