//! Prints the view boxes of SVG images. Only the first tag of each image is read.
//!
//! `cargo run --example viewbox [FILE…]`

use std::error::Error;
use std::ffi::OsString;
use std::{env, fs::File};
use tagstream::{Event, Events, Xml};

const SVG: &str = "http://www.w3.org/2000/svg";

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths: Vec<OsString> = env::args_os().skip(1).collect();
    if paths.is_empty() {
        paths.push("examples/data/lock.svg".into());
    }
    for path in paths {
        let mut events = Events::read(Xml::default(), File::open(&path)?);
        // Only the first tag is needed, so the rest of the file is not read.
        let found = loop {
            match events.next_event()? {
                Some(Event::Start(tag)) if tag.namespace() == Some(SVG) => {
                    break tag.attribute("viewBox").and_then(numbers);
                }
                Some(Event::Start(_)) | None => break None,
                Some(_) => {}
            }
        };
        match found {
            Some([x, y, width, height]) => {
                println!("{}: {width} × {height} from {x}, {y}", path.display());
            }
            None => println!("{}: no view box", path.display()),
        }
    }
    Ok(())
}

/// Parses four numbers that are separated by whitespace and commas.
fn numbers(list: &str) -> Option<[f64; 4]> {
    let separator = |c: char| c == ',' || c.is_ascii_whitespace();
    let words = list.split(separator).filter(|word| !word.is_empty());
    let numbers: Result<Vec<f64>, _> = words.map(str::parse).collect();
    numbers.ok()?.try_into().ok()
}
