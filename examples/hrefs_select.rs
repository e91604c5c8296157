//! Prints the links of a page with a selector, in ten lines. The example needs the feature `select`.
//!
//! `cargo run --features select --example hrefs_select [FILE]`

use std::error::Error;
use std::{env, fs::File};
use tagstream::{Document, Html};

const FILE: &str = "examples/data/page.html";

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).unwrap_or(FILE.into());
    let page = Document::read(Html::default(), File::open(path)?)?;
    for link in page.select("a[href]:not([href^='mailto:'])")? {
        println!("{}", link.attribute("href").unwrap_or_default());
    }
    Ok(())
}
