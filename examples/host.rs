//! Hosts a Sky document: loads the imported modules and prints the scripts that a host would run, while the tree
//! builder waits.
//!
//! `cargo run --example host [FILE]`

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use tagstream::sky::{Pause, Registrations};
use tagstream::{Event, Events, Sky, TreeBuilder};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1);
    let path = path.map_or_else(|| "examples/data/clock-app.sky".into(), PathBuf::from);
    let folder = path.parent().unwrap_or(Path::new("."));

    // The built-in elements. Modules register more.
    let names = ["import", "script", "template", "t"];
    let mut builder = TreeBuilder::new(Sky::application().registered(names)).hosted();
    builder.feed(fs::read(&path)?)?;
    while let Some(pause) = builder.pause() {
        // All nodes before the pause are in the tree.
        let so_far = builder.sink().node_count();
        let (imports, script) = match pause {
            Pause::Imports { imports, element } => {
                let element = element.as_deref().unwrap_or("the end");
                println!("{so_far} nodes; waiting for modules before {element}");
                (imports, None)
            }
            Pause::Script { imports, text } => (imports, Some(text)),
            _ => break,
        };
        let mut registered = Vec::new();
        let mut wanted: Vec<String> = Vec::new();
        for import in imports {
            let (src, name) = (import.src().unwrap_or_default(), import.name());
            println!("import {src} as {}", name.unwrap_or("nothing"));
            wanted.push(src.to_owned());
        }
        while let Some(src) = wanted.pop() {
            module(&folder.join(src), &mut registered, &mut wanted)?;
        }
        if let Some(text) = script {
            println!("{so_far} nodes; running {text:?}");
        }
        builder.resume(Registrations::new(registered));
        builder.build()?;
    }
    println!("{}", builder.finish()?.to_html());
    Ok(())
}

/// Reads a module: adds the names that it registers and the modules that it imports.
fn module(
    path: &Path,
    registered: &mut Vec<String>,
    wanted: &mut Vec<String>,
) -> Result<(), Box<dyn Error>> {
    let mut events = Events::read(Sky::module(), fs::File::open(path)?);
    while let Some(event) = events.next_event()? {
        let Event::Start(tag) = event else { continue };
        match tag.name() {
            "element" => registered.extend(tag.attribute("name").map(String::from)),
            "import" => wanted.extend(tag.attribute("src").map(String::from)),
            _ => {}
        }
    }
    Ok(())
}
