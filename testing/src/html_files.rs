//! Finds HTML files below a folder.

use std::path::{Path, PathBuf};

/// Returns the HTML files below a folder, sorted by path.
pub fn below(folder: &str) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![Path::new(folder).to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        // Symbolic links are not followed, so that each file is found once.
        for path in entries.map(|entry| entry.path()) {
            let name = path.extension();
            match name.is_some_and(|name| name == "html" || name == "htm") {
                _ if path.is_symlink() => {}
                _ if path.is_dir() => folders.push(path),
                true => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}
