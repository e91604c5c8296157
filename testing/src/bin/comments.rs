//! Draws comment blocks of the library at random, for the quiz in CONTRIBUTING.md: `comments SEED N` prints N blocks,
//! each with its file and the signature below it, but without the body. `comments markers` prints the position of each
//! marker word in the comments of all packages, and the number of marker words.

use testing::random::Random;
use testing::source::{self, Comment};

/// The folders of all packages.
const PACKAGES: [&str; 7] = [
    "src", "crates", "tests", "testing", "fuzz", "benches", "examples",
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [word] if word == "markers" => markers(&comments(&PACKAGES)),
        [seed, count] => sample(
            comments(&["src"]),
            seed.parse().expect("the seed is a number"),
            count.parse().expect("the count is a number"),
        ),
        _ => {
            eprintln!("usage: comments SEED N, or comments markers");
            std::process::exit(2);
        }
    }
}

/// Returns the comment blocks of folders.
fn comments(folders: &[&str]) -> Vec<Comment> {
    let files = folders.iter().flat_map(|folder| source::files(folder));
    let files = files.filter(|file| !source::is_generated(file));
    files.flat_map(|file| source::comments(&file)).collect()
}

/// Prints random blocks, each at most once.
fn sample(mut blocks: Vec<Comment>, seed: u64, count: usize) {
    let mut random = Random(seed);
    for number in 1..=count.min(blocks.len()) {
        let block = blocks.swap_remove(random.below(blocks.len()));
        println!("## {number}. {}:{}\n", block.path, block.line);
        println!("{}\n{}\n", block.text, block.signature.trim_end());
    }
}

/// Prints the marker words, by file, and their number.
fn markers(blocks: &[Comment]) {
    let mut count = 0;
    for block in blocks {
        for marker in source::markers(block) {
            println!("{}:{}: {marker}", block.path, block.line);
            count += 1;
        }
    }
    println!("{count} marker words");
}
