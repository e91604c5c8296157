//! Generators of the files that are marked `@generated`. Each test generates the file again and compares it with the
//! existing file; `TAGSTREAM_REGENERATE=1 cargo test --test api generated` writes the files instead. The generators do
//! not use the library, so that a fault in the library cannot hide a fault in a table.

mod html_references;
mod normal;

use std::{env, fs};
use testing::cases;
use testing::run::Program;
use testing::source;

pub(crate) fn add(program: &mut Program) {
    cases!(
        program,
        "core/generated",
        html_references,
        normal_characters,
    );
}

fn html_references() {
    let list = read("src/engine/text/html_references.txt");
    compare(
        "src/engine/text/html_references_table.rs",
        &html_references::table(&list),
    );
}

fn normal_characters() {
    compare("src/engine/text/normal_table.rs", &normal::table());
}

/// Reads a file of the project.
fn read(path: &str) -> String {
    match fs::read_to_string(source::root().join(path)) {
        Ok(text) => text,
        Err(error) => panic!("{path}: {error}"),
    }
}

/// Compares a file with the text that its generator returned. If `TAGSTREAM_REGENERATE` is set, writes the file
/// instead.
fn compare(path: &str, made: &str) {
    if env::var_os("TAGSTREAM_REGENERATE").is_some() {
        let written = fs::write(source::root().join(path), made);
        assert!(written.is_ok(), "{path} cannot be written: {written:?}");
        return;
    }
    assert!(
        read(path) == made,
        "{path} is not what its generator makes: \
         run `TAGSTREAM_REGENERATE=1 cargo test --test api generated`, then look at the difference"
    );
}
