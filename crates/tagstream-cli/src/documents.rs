//! The subcommands `completions` and `man`: texts that are generated from the definition of the arguments.

use crate::options::Arguments;
use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_mangen::Man;

/// Returns the script that completes the arguments in a shell.
pub(crate) fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "tagstream", &mut script);
    script
}

/// Returns the manual page of the program, followed by a page for each subcommand.
pub(crate) fn manual() -> Vec<u8> {
    let mut page = Vec::new();
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    let subcommands: Vec<_> = program.get_subcommands().cloned().collect();
    for command in [program].into_iter().chain(subcommands) {
        // Writing to a vector cannot fail.
        let _ = Man::new(command).render(&mut page);
    }
    page
}
