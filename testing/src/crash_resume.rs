//! Runs `tagstream events --checkpoint` or `records --checkpoint`, kills it at a random byte of its output and runs it again, until a run
//! completes. The output must be the same as that of a run that was not killed.

use crate::generate;
use crate::random::Random;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns a document of at least `length` bytes that consists of random parts.
#[must_use]
pub fn document(random: &mut Random, length: usize) -> Vec<u8> {
    let mut document = b"<all>".to_vec();
    while document.len() < length {
        for part in generate::xml::document(random) {
            document.extend_from_slice(&part);
        }
    }
    document
}

/// The program, its input and its options.
#[derive(Clone, Copy, Debug)]
pub struct Work<'w> {
    /// The path of `tagstream`.
    pub program: &'w Path,
    /// The subcommand: `events` or `records`.
    pub subcommand: &'w str,
    /// The folder of the checkpoint and the output.
    pub folder: &'w Path,
    /// The input.
    pub input: &'w Path,
    /// Options of the subcommand.
    pub options: &'w [&'w str],
    /// Number of bytes of input between two checkpoints.
    pub every: usize,
}

impl Work<'_> {
    fn command(&self, files: Option<(&Path, &Path)>) -> Command {
        let mut command = Command::new(self.program);
        command
            .arg(self.subcommand)
            .args(self.options)
            .arg(self.input);
        if let Some((checkpoint, output)) = files {
            command.arg("--checkpoint").arg(checkpoint);
            command.arg("--output").arg(output);
            command
                .arg("--checkpoint-every")
                .arg(self.every.to_string());
        }
        command.stdin(Stdio::null());
        command
    }

    /// Kills the program `times` times, over as many complete runs as that takes. Returns the number of killed runs that
    /// had started from a checkpoint.
    ///
    /// # Errors
    ///
    /// Returns a message if the program fails or its output differs.
    pub fn kill(&self, random: &mut Random, times: usize) -> Result<usize, String> {
        let told = |error: io::Error| error.to_string();
        let expected = self.command(None).output().map_err(told)?;
        let expected = expected.stdout;
        let (checkpoint, output) = (self.folder.join("state"), self.folder.join("out"));
        let (mut kills, mut resumed) = (0, 0);
        let mut rounds = 0;
        while kills < times {
            rounds += 1;
            if rounds > 50 * times {
                return Err(format!(
                    "only {kills} kills: the program is too fast for its input"
                ));
            }
            forget(&[&checkpoint, &output]);
            loop {
                let had = checkpoint.exists();
                let start = length(&output).min(expected.len() as u64);
                let room = (expected.len() as u64 - start) as usize;
                let goal = start + 1 + random.below(room.max(1)) as u64 / 4;
                let mut command = self.command(Some((&checkpoint, &output)));
                let mut child = command.stderr(Stdio::piped()).spawn().map_err(told)?;
                // A resumed run first truncates the output to the length at the checkpoint, and then appends to it.
                let mut is_killed = false;
                let mut seen = u64::MAX;
                let status = loop {
                    if let Some(status) = child.try_wait().map_err(told)? {
                        break status;
                    }
                    let now = length(&output);
                    let grew = now > seen;
                    seen = now;
                    // Every second kill waits for a checkpoint to resume from.
                    let is_saved = kills % 2 == 1 || checkpoint.exists();
                    if !is_killed && kills < times && grew && now >= goal && is_saved {
                        child.kill().map_err(told)?;
                        is_killed = true;
                    }
                };
                if is_killed && status.code().is_none() {
                    kills += 1;
                    resumed += usize::from(had);
                    continue;
                }
                if !status.success() {
                    let told = child.wait_with_output().map_err(told)?.stderr;
                    return Err(format!(
                        "the program ended with {status}: {}",
                        String::from_utf8_lossy(&told)
                    ));
                }
                break;
            }
            let found = fs::read(&output).map_err(told)?;
            if found != expected {
                let at = found.iter().zip(&expected).position(|(a, b)| a != b);
                return Err(format!(
                    "after {kills} kills, {} bytes and not {}, the first other one at {at:?}",
                    found.len(),
                    expected.len()
                ));
            }
            if checkpoint.exists() {
                return Err("the checkpoint is still there".to_owned());
            }
        }
        Ok(resumed)
    }
}

fn length(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |metadata| metadata.len())
}

fn forget(files: &[&PathBuf]) {
    for file in files {
        // The file may not exist.
        let _ = fs::remove_file(file);
    }
}
