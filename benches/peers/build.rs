//! Compiles the files in `native/`, which call the engines written in C and C++, if the feature `native` is enabled.

fn main() {
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
