//! Prints the cells of a spreadsheet, one row per line, from the XML in an xlsx file, which is a ZIP archive.
//!
//! `cargo run --example spreadsheet [FILE.xlsx]`

use std::error::Error;
use std::io::Read;
use std::{env, fs::File};
use tagstream::{Event, Events, Xml};
use zip::ZipArchive;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1);
    let path = path.unwrap_or_else(|| "examples/data/tides.xlsx".into());
    let mut archive = ZipArchive::new(File::open(path)?)?;
    // A sheet that contains only numbers has no shared strings.
    let strings = match archive.by_name("xl/sharedStrings.xml") {
        Ok(file) => shared_strings(file)?,
        Err(zip::result::ZipError::FileNotFound) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    print_rows(archive.by_name("xl/worksheets/sheet1.xml")?, &strings)
}

/// Returns the strings that cells refer to by number.
fn shared_strings(file: impl Read) -> Result<Vec<String>, Box<dyn Error>> {
    let mut events = Events::read(Xml::strict(), file);
    let mut strings: Vec<String> = Vec::new();
    while let Some(event) = events.next_event()? {
        let Event::Start(tag) = event else { continue };
        match tag.local_name() {
            "si" => strings.push(String::new()),
            // A phonetic hint for the pronunciation.
            "rPh" => events.skip_element()?,
            // A string with several styles consists of several runs.
            "t" => {
                if let Some(string) = strings.last_mut() {
                    events.read_text_into(string)?;
                }
            }
            _ => {}
        }
    }
    Ok(strings)
}

fn print_rows(file: impl Read, strings: &[String]) -> Result<(), Box<dyn Error>> {
    let mut events = Events::read(Xml::strict(), file);
    let (mut row, mut is_shared) = (Vec::new(), false);
    while let Some(event) = events.next_event()? {
        match event {
            Event::Start(tag) => match tag.local_name() {
                "c" => is_shared = tag.attribute("t") == Some("s"),
                // The formula. Its value follows.
                "f" => events.skip_element()?,
                "v" if is_shared => {
                    let number: usize = events.read_text()?.trim().parse()?;
                    let string = strings.get(number).ok_or("no string has this number")?;
                    row.push(string.clone());
                }
                "v" | "is" => row.push(events.read_text()?),
                _ => {}
            },
            Event::End(tag) if tag.local_name() == "row" => {
                println!("{}", row.join("\t"));
                row.clear();
            }
            _ => {}
        }
    }
    Ok(())
}
