//! Collects the files of the folder `page`, which the subcommand `explore` serves, so that the program contains them.
//! Without the page, the list is empty.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=page");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("the package's folder"));
    let page = root.join("page");
    let mut files = Vec::new();
    collect(&page, &mut files);
    files.sort();
    let mut list = String::from("&[\n");
    for file in &files {
        let below = file.strip_prefix(&page).expect("a file of the page");
        let names: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
        let path = format!("/{}", names.join("/"));
        // The page's own text is about the folder.
        if path != "/README.md" {
            writeln!(list, "    ({path:?}, include_bytes!({file:?})),").expect("a string");
        }
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("the output folder"));
    fs::write(out.join("page.rs"), list).expect("the list is written");
}

/// Adds the files of a folder and of the folders in it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => collect(&path, files),
            false => files.push(path),
        }
    }
}
