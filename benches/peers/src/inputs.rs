//! The documents: files, or, where none is given, some that are made up.

#[path = "../../documents/mod.rs"]
mod documents;

use bytes::Bytes;
use std::path::Path;

/// Size of each document that is made up.
const BYTES: usize = 4 << 20;

/// A document.
#[derive(Debug)]
pub struct Input {
    /// Its name, short.
    pub name: String,
    /// All of it.
    pub bytes: Bytes,
    /// The same, for engines that take a string.
    pub text: String,
}

impl Input {
    fn new(name: String, text: String) -> Input {
        Input {
            name,
            bytes: Bytes::from(text.clone()),
            text,
        }
    }
}

/// Reads the files.
pub fn inputs(files: &[String]) -> Result<Vec<Input>, String> {
    if files.is_empty() {
        let documents = documents::documents(BYTES).into_iter();
        return Ok(documents
            .map(|document| Input::new(document.name.to_owned(), document.text))
            .collect());
    }
    let read = |file: &String| {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let name = Path::new(file).file_stem().unwrap_or_default();
        Ok(Input::new(name.to_string_lossy().into_owned(), text))
    };
    files.iter().map(read).collect()
}
