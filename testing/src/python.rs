//! A process of Python that answers questions: one line of JSON for each line of JSON.

use serde::de::DeserializeOwned;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Returns the interpreter: `TAGSTREAM_PYTHON`, or `python3`.
pub fn interpreter() -> String {
    std::env::var("TAGSTREAM_PYTHON").unwrap_or("python3".to_owned())
}

/// A process of Python, which ends when the value is dropped.
pub struct Python {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Python {
    /// Starts a program.
    pub fn start(program: &str) -> Result<Python, String> {
        let mut process = Command::new(interpreter())
            .args(["-c", program])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("Python: {error}"))?;
        let to = process.stdin.take().expect("it is piped");
        let from = process.stdout.take().expect("it is piped");
        Ok(Python {
            process,
            to,
            from: BufReader::new(from),
        })
    }

    /// Writes a question, and returns the answer.
    pub fn ask<T: DeserializeOwned>(&mut self, question: &Value) -> Result<T, String> {
        let mut answer = String::new();
        let sent = writeln!(self.to, "{question}").and_then(|()| self.to.flush());
        sent.and_then(|()| self.from.read_line(&mut answer))
            .map_err(|error| error.to_string())?;
        serde_json::from_str(&answer)
            .map_err(|error| format!("{error}: is the library of Python installed?\n{question}"))
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
