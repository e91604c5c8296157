//! `records --index`: offsets at which a document can be cut, in a file beside it.

use super::reader;
use super::reading::{Reading, open, progress_bar};
use crate::checkpoint::replace_file;
use crate::failure::Failure;
use crate::input;
use crate::options::RecordsOptions;
use indicatif::ProgressBar;
use reader::{Chunks, Opened};
use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use tagstream_arrow::{RowIndex, index_rows};

/// Number of bytes between two offsets of an index.
const DISTANCE: u64 = 4 << 20;

/// The message about a file that has no index.
const NEEDS_FILES: &str =
    "--index needs files that are not compressed, because they are read from offsets";

/// Writes the index of each file, and returns the highest exit status.
pub(super) fn write(options: &RecordsOptions) -> Result<u8, Failure> {
    let reading = Reading::new(options)?;
    let progress = progress_bar(options);
    let mut status = 0;
    for file in &options.files {
        if let Err(failure) = write_one(file, &reading, &progress) {
            status = progress.suspend(|| failure.report()).max(status);
        }
    }
    progress.finish_and_clear();
    Ok(status)
}

fn write_one(file: &Path, reading: &Reading, progress: &ProgressBar) -> Result<(), Failure> {
    if file == Path::new("-") {
        return Err(Failure::read(file, "--index needs files"));
    }
    input::refuse_irregular(file, NEEDS_FILES)?;
    // The time of the file is taken before the first byte is read, so that a change while it is read is noticed.
    let state = input::state_of(file);
    let modified = fs::metadata(file).and_then(|metadata| metadata.modified());
    let input = open(file, reading.given, progress)?;
    if !input.is_plain_file() {
        return Err(Failure::read(file, NEEDS_FILES));
    }
    let chunks = Chunks::from(Opened {
        input,
        replayed: VecDeque::new(),
    });
    let options = reading.options.clone().file(Some(&reader::name(file)));
    let index = index_rows(chunks, &options, DISTANCE);
    let Some(mut index) = index.map_err(|error| reader::failure(file, &error))? else {
        return Err(Failure::Refused(format!(
            "{}: there are no offsets to read from, because there is no element `{}` in another element, or the encoding is not UTF-8",
            file.display(),
            options.row_name().unwrap_or_default(),
        )));
    };
    if state.is_none() || input::state_of(file) != state {
        let reason = "the file was changed while it was read";
        return Err(Failure::read(file, reason));
    }
    index.modified = modified.ok();
    let path = RowIndex::path_of(file);
    replace_file(&path, index.to_string().as_bytes()).map_err(|error| Failure::read(&path, error))
}
