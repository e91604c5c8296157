//! The subcommands `completions` and `man`: texts that are generated from the definition of the arguments.

use crate::failure::Failure;
use crate::options::Arguments;
use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_mangen::Man;
use std::fs;
use std::path::Path;

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

/// Writes the manual page of the program and of each subcommand to a file of a folder, which is created if necessary.
pub(crate) fn write_manual(folder: &Path) -> Result<(), Failure> {
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    fs::create_dir_all(folder).map_err(|error| Failure::read(folder, error))?;
    let subcommands: Vec<_> = program.get_subcommands().cloned().collect();
    for command in [program].into_iter().chain(subcommands) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = folder.join(format!("{name}.1"));
        let mut page = Vec::new();
        // Writing to a vector cannot fail.
        let _ = Man::new(command).render(&mut page);
        fs::write(&path, page).map_err(|error| Failure::read(&path, error))?;
    }
    Ok(())
}
