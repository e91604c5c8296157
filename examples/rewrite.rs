//! Rewrites a page while it arrives: links get an attribute, and all else stays unchanged.
//!
//! `cargo run --example rewrite [FILE]`

use std::error::Error;
use std::io::{Read, Write, stdout};
use std::{env, fs::File};
use tagstream::{Html, Rewriter};

const FILE: &str = "examples/data/page.html";

fn main() -> Result<(), Box<dyn Error>> {
    let mut page = File::open(env::args_os().nth(1).unwrap_or(FILE.into()))?;
    let (mut rewriter, mut chunk) = (Rewriter::new(Html::default()), [0; 8192]);
    while let length @ 1.. = page.read(&mut chunk)? {
        rewriter.feed(&chunk[..length]);
        pass_on(&mut rewriter)?;
    }
    rewriter.finish();
    pass_on(&mut rewriter)
}

fn pass_on(rewriter: &mut Rewriter<Html>) -> Result<(), Box<dyn Error>> {
    while let Some(mut event) = rewriter.next_event()? {
        if event.as_start().is_some_and(|tag| tag.name() == "a") {
            event.set_attribute("rel", "nofollow");
        }
    }
    Ok(stdout().write_all(rewriter.output())?)
}
