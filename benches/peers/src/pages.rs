//! Chooses the pages that are read: files, and a selection of the pages in folders.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Maximum number of pages that are read of a folder.
const PAGES: usize = 1000;

/// Returns the file, or a selection of the pages below the folder, evenly spread.
pub fn at(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let pages = below(path);
    let count = pages.len().min(PAGES);
    let picked = (0..count).map(|number| pages[number * pages.len() / count].clone());
    picked.collect()
}

/// Returns all pages below a folder, sorted.
fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "html")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns the folder of the documentation that the toolchain installs, if there is one.
pub fn rust_documentation() -> Option<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output();
    let output = String::from_utf8(output.ok()?.stdout).ok()?;
    let folder = Path::new(output.trim_end()).join("share/doc/rust/html");
    folder.is_dir().then_some(folder)
}
