//! Runs a page with a script and its questions in a headless Chromium, and returns the answers.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Time limit of a page, in seconds. A browser that takes longer is assumed to hang.
const LONGEST: usize = 300;

/// A folder for pages and profiles. It is removed when the value is dropped.
#[derive(Debug)]
pub struct Browser {
    folder: PathBuf,
    pages: AtomicUsize,
}

impl Browser {
    /// Creates the folder. The browser starts with the first page.
    ///
    /// # Errors
    ///
    /// Returns an error if no folder can be created.
    pub fn new() -> io::Result<Browser> {
        let name = format!("tagstream-chromium-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder)?;
        let pages = AtomicUsize::new(0);
        Ok(Browser { folder, pages })
    }

    /// Returns the answers of the script to the questions, both in JSON. The script reads the questions from the
    /// variable `questions`, and writes `[number of questions, [[number, answer], …]]` to the element with the id
    /// `answer`.
    ///
    /// # Errors
    ///
    /// Returns an error if the browser does not answer, or if the number of questions is not `asked`.
    pub fn ask<A: serde::de::DeserializeOwned>(
        &self,
        script: &str,
        questions: &str,
        asked: usize,
    ) -> Result<Vec<(usize, A)>, String> {
        self.ask_within(LONGEST, script, questions, asked)
    }

    /// As `ask`, with a time limit in seconds, because a browser may never return from a page.
    ///
    /// # Errors
    ///
    /// As [`ask`](Browser::ask).
    pub fn ask_within<A: serde::de::DeserializeOwned>(
        &self,
        seconds: usize,
        script: &str,
        questions: &str,
        asked: usize,
    ) -> Result<Vec<(usize, A)>, String> {
        let number = self.pages.fetch_add(1, Ordering::Relaxed);
        let page = self.folder.join(format!("{number}.html"));
        let profile = self.folder.join(format!("{number}.profile"));
        let told = |problem: io::Error| problem.to_string();
        fs::write(&page, page_of(script, questions)).map_err(told)?;
        let output = chromium(&page, &profile, seconds).map_err(told)?;
        fs::remove_file(&page).map_err(told)?;
        // The last process of the browser may still write to the folder. In that case the folder is removed at the end.
        let _ = fs::remove_dir_all(&profile);
        answers(&output, asked)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Returns the HTML of the page after its script has run.
fn chromium(page: &Path, profile: &Path, seconds: usize) -> io::Result<String> {
    // `timeout` ends a browser that hangs.
    let output = Command::new("timeout")
        .arg(seconds.to_string())
        .args(["chromium", "--headless", "--no-sandbox"])
        .args(["--disable-gpu", "--disable-quic", "--disable-sync"])
        .args(["--no-first-run", "--disable-background-networking"])
        .args(["--disable-component-update", "--virtual-time-budget=10000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", page.display()))
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn page_of(script: &str, questions: &str) -> String {
    // A script element ends at its end tag, even inside a string.
    let json = questions.replace('<', "\\u003c");
    format!(
        "<!DOCTYPE html><meta charset=utf-8><pre id=answer></pre>\n\
         <script>const questions = {json};</script>\n<script>{script}</script>\n"
    )
}

fn answers<A: serde::de::DeserializeOwned>(
    output: &str,
    asked: usize,
) -> Result<Vec<(usize, A)>, String> {
    let begin = "<pre id=\"answer\">";
    let answer = output
        .split_once(begin)
        .and_then(|(_, rest)| rest.split_once("</pre>"))
        .map(|(answer, _)| answer)
        .filter(|answer| !answer.is_empty())
        .ok_or("chromium gave no answer: is it installed, see testing/tools/install?")?;
    let (seen, answers): (usize, Vec<(usize, A)>) =
        serde_json::from_str(answer).map_err(|problem| problem.to_string())?;
    match seen == asked {
        true => Ok(answers),
        false => Err(format!("chromium saw {seen} of {asked} documents")),
    }
}
