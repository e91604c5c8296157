//! Checks the compiler's messages for programs that make a typical mistake with borrowed events or with types. The
//! folder `programs` contains the programs and the expected messages. The messages differ between versions of the
//! compiler, so only one version is checked.

use std::process::Command;

/// The compiler whose messages are in `programs/*.stderr`. `TRYBUILD=overwrite` writes them again.
const COMPILER: &str = "rustc 1.95.0 ";

#[test]
fn compilers_say_what_to_do() {
    let compiler = Command::new("rustc").arg("--version").output();
    let compiler = compiler.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    if !compiler.is_ok_and(|compiler| compiler.starts_with(COMPILER)) {
        println!("left out: what compilers say, without {COMPILER}");
        return;
    }
    let traps = trybuild::TestCases::new();
    traps.pass("programs/borrowed_string.rs");
    traps.compile_fail("programs/event_kept.rs");
    traps.compile_fail("programs/generic_tree.rs");
    traps.compile_fail("programs/owned_matched.rs");
    traps.compile_fail("programs/reader_fed.rs");
    traps.compile_fail("programs/tag_returned.rs");
    traps.compile_fail("programs/text_as_written.rs");
}
