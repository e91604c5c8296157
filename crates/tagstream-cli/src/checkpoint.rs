//! `events --checkpoint`: saves the progress to a file from time to time, so that the same command can continue after
//! an interruption.
//!
//! The output is synced to the disk before the checkpoint that contains its length. The new checkpoint is written to
//! another file, which is then renamed. So whenever the program is interrupted, the checkpoint file is complete, and
//! the output is at least as long as the checkpoint says.

use crate::failure::Failure;
use crate::input::{Input, NEEDS_REGULAR_FILE, refuse_irregular};
use crate::options::EventsOptions;
use crate::replace::{Replacement, refuse_link};
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tagstream::{Dialect, Form, Parser};

/// The first bytes of a checkpoint: a byte with which no UTF-8 text begins, a name, and the version of the format.
const MAGIC: &[u8; 8] = b"\x8Btagev2\n";

/// The message about a checkpoint whose bytes are not those that were written.
pub(crate) const DAMAGED: &str =
    "it is damaged, or of another version of tagstream: remove it to begin anew";

/// The progress at the time of a checkpoint.
struct Saved {
    output: u64,
    depth: u64,
    parser: Vec<u8>,
}

/// The checkpoint file of one run of the command, and the conditions for writing it.
pub(crate) struct Keeper {
    file: PathBuf,
    output: PathBuf,
    /// Number of bytes of input between two checkpoints.
    every: u64,
    /// Identifies the run: the state of the input file, and the format of the output.
    work: Vec<u8>,
    saved: Option<Saved>,
    next: u64,
}

impl Keeper {
    /// Creates a keeper if `--checkpoint` is given. If the checkpoint file exists, reads the saved progress.
    pub(crate) fn open(options: &EventsOptions, input: &Input) -> Result<Option<Keeper>, Failure> {
        let (Some(file), Some(output)) = (&options.checkpoint, &options.output) else {
            return Ok(None);
        };
        if options.files.len() > 1 {
            return Err(unusable(file, "--checkpoint takes one input file"));
        }
        let state = input
            .state()
            .ok_or_else(|| Failure::read(input.file(), NEEDS_REGULAR_FILE))?;
        refuse_irregular(file, "a checkpoint is a regular file")?;
        let form = format!(
            "{:?} {} {} {} {}",
            options.format, options.positions, options.errors, options.balanced, options.pieces,
        );
        let work = [&state[..], form.as_bytes()].concat();
        let saved = match fs::read(file) {
            Ok(bytes) => Some(read(&bytes, &work).map_err(|reason| unusable(file, reason))?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(unusable(file, error)),
        };
        Ok(Some(Keeper {
            file: file.clone(),
            output: output.clone(),
            every: options.checkpoint_every,
            work,
            saved,
            next: options.checkpoint_every,
        }))
    }

    /// Restores the saved parser and moves the input to where it stopped. Creates a new parser if nothing was saved.
    pub(crate) fn resume<D: Dialect, F: Form>(
        &mut self,
        dialect: D,
        input: &mut Input,
        new: impl FnOnce(D) -> Parser<D, F>,
    ) -> Result<Parser<D, F>, Failure> {
        let Some(saved) = &self.saved else {
            return Ok(new(dialect));
        };
        let parser =
            Parser::restore(dialect, &saved.parser).map_err(|error| unusable(&self.file, error))?;
        input.go_to(parser.resume_at())?;
        self.next = parser.resume_at().saturating_add(self.every);
        Ok(parser)
    }

    /// Returns the path of the output.
    pub(crate) fn output_path(&self) -> &Path {
        &self.output
    }

    /// Opens the output file, truncated to its length at the checkpoint. Returns the file, this length in bytes, and
    /// the depth of the next line.
    pub(crate) fn output(&self) -> Result<(File, u64, u64), Failure> {
        let failure = |error: io::Error| unusable(&self.output, error);
        let (offset, depth) = match &self.saved {
            Some(saved) => (saved.output, saved.depth),
            None => (0, 0),
        };
        refuse_link(&self.output).map_err(failure)?;
        let mut open = OpenOptions::new();
        open.append(true).create(self.saved.is_none());
        let file = open.open(&self.output).map_err(failure)?;
        if file.metadata().map_err(failure)?.len() < offset {
            return Err(unusable(
                &self.output,
                "it is shorter than it was when the checkpoint was written",
            ));
        }
        file.set_len(offset).map_err(failure)?;
        Ok((file, offset, depth))
    }

    /// Returns true if a checkpoint is due after `fed` bytes of input.
    pub(crate) fn is_due(&self, fed: u64) -> bool {
        fed >= self.next
    }

    /// Writes a checkpoint. All output so far must be written.
    pub(crate) fn write<D: Dialect, F: Form>(
        &mut self,
        parser: &Parser<D, F>,
        output: u64,
        depth: u64,
    ) -> Result<(), Failure> {
        self.next = parser.resume_at().saturating_add(self.every);
        let failure = |error: io::Error| unusable(&self.file, error);
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&(self.work.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&self.work);
        bytes.extend_from_slice(&output.to_le_bytes());
        bytes.extend_from_slice(&depth.to_le_bytes());
        bytes.extend_from_slice(&parser.checkpoint());
        bytes.extend_from_slice(&checksum(&bytes).to_le_bytes());
        replace_file(&self.file, &bytes).map_err(failure)
    }

    /// Removes the checkpoint file when all input is processed.
    pub(crate) fn remove(&self) -> Result<(), Failure> {
        match fs::remove_file(&self.file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(unusable(&self.file, error))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the CRC-32 of the bytes of a checkpoint, which differs if up to 32 adjacent bits are changed.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    let mut checksum = flate2::Crc::new();
    checksum.update(bytes);
    checksum.sum()
}

/// Decodes a checkpoint, which must be of the same run. Its last four bytes are the checksum of all others.
fn read(bytes: &[u8], work: &[u8]) -> Result<Saved, &'static str> {
    let number = |bytes: &mut &[u8]| {
        let (number, rest) = bytes.split_first_chunk::<8>()?;
        *bytes = rest;
        Some(u64::from_le_bytes(*number))
    };
    let has_name = bytes.starts_with(&MAGIC[..6]);
    if has_name && !bytes.starts_with(MAGIC) {
        return Err(DAMAGED);
    }
    if !has_name {
        return Err("this is not a checkpoint of tagstream events");
    }
    let (bytes, found) = bytes.split_last_chunk::<4>().ok_or(DAMAGED)?;
    if u32::from_le_bytes(*found) != checksum(bytes) {
        return Err(DAMAGED);
    }
    let mut rest = bytes.strip_prefix(MAGIC).ok_or(DAMAGED)?;
    let length = number(&mut rest).ok_or(DAMAGED)? as usize;
    let (found, mut rest) = rest.split_at_checked(length).ok_or(DAMAGED)?;
    if found != work {
        return Err(
            "it is of another input, or one that has changed since, or of other options: remove it to begin anew",
        );
    }
    let output = number(&mut rest).ok_or(DAMAGED)?;
    let depth = number(&mut rest).ok_or(DAMAGED)?;
    Ok(Saved {
        output,
        depth,
        parser: rest.to_vec(),
    })
}

fn unusable(file: &Path, reason: impl Display) -> Failure {
    Failure::Unusable(format!("{}: {reason}", file.display()))
}

/// Replaces the content of a file at once, so that a program that is killed leaves the old or the new content.
pub(crate) fn replace_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut name = path.to_owned().into_os_string();
    name.push(".new");
    let new = PathBuf::from(name);
    // A run that was killed may have left this file.
    match fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let (replacement, mut file) = Replacement::create(path, new)?;
    file.write_all(content)?;
    file.sync_all()?;
    replacement.rename()
}
