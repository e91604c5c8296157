//! The generators of the files marked `@generated`, as cases: each makes its file anew and
//! compares. `TAGSTREAM_REGENERATE=1 cargo test --test api generated` writes them instead. They use
//! nothing of the library, so that what they make is not judged by itself.

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

/// A file of the project.
fn read(path: &str) -> String {
    match fs::read_to_string(source::root().join(path)) {
        Ok(text) => text,
        Err(error) => panic!("{path}: {error}"),
    }
}

/// Compares a generated file with what its generator made, or writes it.
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
