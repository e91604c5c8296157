//! A page of documents, put to Chromium without a window; its answers. It knows nothing of where the
//! documents come from, nor what should become of them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What may be asked about a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Its tree.
    Tree,
    /// Its tree as the built-in safe configuration leaves it.
    Safe,
    /// Its tree without what runs.
    Baseline,
    /// Whether something in it runs, set in elements of a page; nothing is expected.
    Runs,
}

impl Asked {
    fn word(self) -> &'static str {
        match self {
            Asked::Tree => "tree",
            Asked::Safe => "safe",
            Asked::Baseline => "baseline",
            Asked::Runs => "runs",
        }
    }
}

/// What is asked about one document.
pub(crate) struct Question {
    pub(crate) document: String,
    /// The element of a fragment.
    pub(crate) context: Option<&'static str>,
    /// What is asked: see `dump.js`.
    pub(crate) asked: Asked,
    /// The tree that is expected.
    pub(crate) expected: String,
}

/// A folder for pages and profiles, which goes when it is dropped.
pub(crate) struct Browser {
    folder: PathBuf,
    pages: AtomicUsize,
}

impl Browser {
    pub(crate) fn new() -> io::Result<Browser> {
        let name = format!("tagstream-chromium-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder)?;
        let pages = AtomicUsize::new(0);
        Ok(Browser { folder, pages })
    }

    /// The trees that are not as expected, each with the number of its question.
    pub(crate) fn ask(&self, questions: &[Question]) -> Result<Vec<(usize, String)>, String> {
        let number = self.pages.fetch_add(1, Ordering::Relaxed);
        let page = self.folder.join(format!("{number}.html"));
        let profile = self.folder.join(format!("{number}.profile"));
        let told = |problem: io::Error| problem.to_string();
        fs::write(&page, page_of(questions)).map_err(told)?;
        let output = chromium(&page, &profile).map_err(told)?;
        fs::remove_file(&page).map_err(told)?;
        // The last of the browser's processes may still write there; the folder goes at the end.
        let _ = fs::remove_dir_all(&profile);
        answers(&output, questions.len())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The page's document after its script has run.
fn chromium(page: &Path, profile: &Path) -> io::Result<String> {
    // A browser that hangs is ended.
    let output = Command::new("timeout")
        .args(["120", "chromium", "--headless", "--no-sandbox"])
        .args(["--disable-gpu", "--disable-quic", "--disable-sync"])
        .args(["--no-first-run", "--disable-background-networking"])
        .args(["--disable-component-update", "--virtual-time-budget=10000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", page.display()))
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn page_of(questions: &[Question]) -> String {
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
    let json = serde_json::to_string(&questions).expect("strings are JSON");
    // A script ends at its end tag, in strings too.
    let json = json.replace('<', "\\u003c");
    let script = include_str!("dump.js");
    format!(
        "<!DOCTYPE html><meta charset=utf-8><pre id=answer></pre>\n\
         <script>const questions = {json};</script>\n<script>{script}</script>\n"
    )
}

fn answers(output: &str, asked: usize) -> Result<Vec<(usize, String)>, String> {
    let begin = "<pre id=\"answer\">";
    let answer = output
        .split_once(begin)
        .and_then(|(_, rest)| rest.split_once("</pre>"))
        .map(|(answer, _)| answer)
        .filter(|answer| !answer.is_empty())
        .ok_or("chromium gave no answer: is it installed, see testing/tools/install?")?;
    let (seen, answers): (usize, Vec<(usize, String)>) =
        serde_json::from_str(answer).map_err(|problem| problem.to_string())?;
    match seen == asked {
        true => Ok(answers),
        false => Err(format!("chromium saw {seen} of {asked} documents")),
    }
}
