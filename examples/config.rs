//! Reads a configuration into a struct, changes it, and prints it as XML.
//!
//! `cargo run --features serde --example config [FILE]`

use serde::{Deserialize, Serialize};
use std::{env, error::Error, fs};
use tagstream::{Writer, de, ser};

#[derive(Deserialize, Serialize)]
#[serde(rename = "server", deny_unknown_fields)]
struct Server {
    #[serde(rename = "@port")]
    port: u16,
    host: Vec<String>,
    log: Option<Level>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    Quiet,
    Loud,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os()
        .nth(1)
        .unwrap_or("examples/data/server.xml".into());
    let mut server: Server = de::from_str(&fs::read_to_string(path)?)?;
    server.port += 1;
    server.log = match server.log {
        Some(Level::Loud) | None => Some(Level::Quiet),
        Some(Level::Quiet) => Some(Level::Loud),
    };
    let mut out = Writer::xml(String::new()).indent("  ");
    ser::write(&mut out, &server)?;
    println!("{}", out.finish()?);
    Ok(())
}
