//! Compiles the files in `native/`, which call the engines written in C and C++, if the feature `native` is enabled, and
//! writes the programs with other libraries in the migration guides into files, which a test compiles.

use std::path::Path;
use std::{env, fs};

/// The migration guides with a program of another library, which is the first block of plain text.
const GUIDES: [&str; 5] = ["html5ever", "lol_html", "quick_xml", "roxmltree", "xml_rs"];

fn main() {
    write_guides();
    println!("cargo::rerun-if-changed=native");
    if std::env::var_os("CARGO_FEATURE_NATIVE").is_none() {
        return;
    }
    let mut c = cc::Build::new();
    c.files(["native/expat.c", "native/libxml2.c"])
        .include("/usr/include/libxml2")
        .opt_level(3)
        .compile("peers_c");
    let mut cpp = cc::Build::new();
    cpp.cpp(true)
        .file("native/pugixml.cpp")
        .opt_level(3)
        .compile("peers_cpp");
    for library in ["pugixml", "expat", "xml2"] {
        println!("cargo::rustc-link-lib={library}");
    }
}

/// Writes the program of each guide into a file.
fn write_guides() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/migration");
    let out = env::var_os("OUT_DIR").expect("the folder of a build script");
    for guide in GUIDES {
        let path = folder.join(guide).with_extension("md");
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(&path).expect("a guide");
        let (_, rest) = text.split_once("```text\n").expect("a program");
        let (program, _) = rest.split_once("```\n").expect("the end of a program");
        fs::write(Path::new(&out).join(guide).with_extension("rs"), program).expect("a file");
    }
}
