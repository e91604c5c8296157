//! What compilers say to programs that fall into one of the traps of lending, and of types: `tests/traps` has
//! the programs, and what is said. That is different words in each version of the compiler, so one is asked.

use std::process::Command;
use testing::effort::Effort;
use testing::run::Program;

/// The compiler whose words are in `tests/traps/*.stderr`. `TRYBUILD=overwrite` writes them anew.
const COMPILER: &str = "rustc 1.95.0 ";

pub(crate) fn add(program: &mut Program) {
    let compiler = Command::new("rustc").arg("--version").output();
    let compiler = compiler.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    if !compiler.is_ok_and(|compiler| compiler.starts_with(COMPILER)) {
        program.leave_out(format!("what compilers say, without {COMPILER}"));
        return;
    }
    if Effort::get() == Effort::Quick {
        program.leave_out_in_quick("what compilers say of traps");
        return;
    }
    program.case("core/traps", || {
        let traps = trybuild::TestCases::new();
        traps.pass("tests/traps/borrowed_string.rs");
        for trap in [
            "event_kept",
            "generic_tree",
            "owned_matched",
            "reader_fed",
            "tag_returned",
            "text_as_written",
        ] {
            traps.compile_fail(format!("tests/traps/{trap}.rs"));
        }
    });
}
