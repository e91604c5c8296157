//! Which pages are read: files, and folders of which some are picked. It knows nothing of what is done
//! with them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// So many pages of a folder are read.
const PAGES: usize = 1000;

/// The file, or pages of the folder, spread over all of it.
pub fn at(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let pages = below(path);
    let count = pages.len().min(PAGES);
    let picked = (0..count).map(|number| pages[number * pages.len() / count].clone());
    picked.collect()
}

/// All pages below a folder, in order.
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

/// The documentation that the toolchain has installed, if it has.
pub fn rust_documentation() -> Option<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output();
    let output = String::from_utf8(output.ok()?.stdout).ok()?;
    let folder = Path::new(output.trim_end()).join("share/doc/rust/html");
    folder.is_dir().then_some(folder)
}
