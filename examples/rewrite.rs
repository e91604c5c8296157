//! Rewrites a page while it arrives: links get an attribute, and all else stays unchanged.
//!
//! `cargo run --example rewrite --features select [FILE]`

use std::error::Error;
use std::io::{Read, Write, stdout};
use std::{env, fs::File};
use tagstream::{Html, Rewriter};

const FILE: &str = "examples/data/page.html";

fn main() -> Result<(), Box<dyn Error>> {
    let page = env::args_os().nth(1).unwrap_or(FILE.into());
    mark_links(File::open(page)?, stdout())
}

fn mark_links(mut page: impl Read, mut to: impl Write) -> Result<(), Box<dyn Error>> {
    let mut rewriter = Rewriter::new(Html::default());
    rewriter.select("a[href]")?;
    let (mut chunk, mut out) = ([0; 8192], Vec::new());
    loop {
        let length = page.read(&mut chunk)?;
        match length {
            0 => rewriter.finish(),
            _ => rewriter.feed(&chunk[..length]),
        }
        while let Some(mut link) = rewriter.next_selected()? {
            link.set_attribute("rel", "nofollow")?;
        }
        rewriter.output_to(&mut out);
        to.write_all(&out)?;
        out.clear();
        if length == 0 {
            return Ok(());
        }
    }
}
