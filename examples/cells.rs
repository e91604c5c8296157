//! Prints the cells of the tables of a page as CSV.
//!
//! `cargo run --example cells --features select [FILE]`

use std::error::Error;
use std::{env, fs::File};
use tagstream::{Document, Html};

const FILE: &str = "examples/data/table.html";

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).unwrap_or(FILE.into());
    let page = Document::read(Html::default(), File::open(path)?)?;
    for row in page.select("tr")? {
        let cells = row.select("td, th")?.map(|cell| {
            let text = cell.text_content().replace('"', "\"\"");
            format!("\"{}\"", text.trim())
        });
        println!("{}", cells.collect::<Vec<_>>().join(","));
    }
    Ok(())
}
