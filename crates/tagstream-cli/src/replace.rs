//! Replacing a file atomically, when its new content is complete.
//!
//! The new content is written to a file in the same folder, which is then renamed. Renaming is atomic: whoever opens
//! the path gets the old content or the new content, never a part. The new file is created exclusively, so that an
//! existing symbolic link at its path is not followed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// The new content of a file, before it replaces the old content. The new file is removed on drop if it was not
/// renamed.
pub(crate) struct Replacement {
    target: PathBuf,
    /// The path of the new content; `None` after the file was renamed.
    new: Option<PathBuf>,
}

impl Replacement {
    /// Creates the file `new`, which will become the content of `target`.
    pub(crate) fn create(target: &Path, new: PathBuf) -> io::Result<(Replacement, File)> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // Other users cannot read the file before it gets the permissions of the target.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&new)?;
        let replacement = Replacement {
            target: target.to_owned(),
            new: Some(new),
        };
        Ok((replacement, file))
    }

    /// Sets the owner and the permissions of `file`, which is the new content, to those of the target.
    pub(crate) fn keep_permissions(&self, file: &File) -> io::Result<()> {
        let old = fs::metadata(&self.target)?;
        keep_owner(&old, file)?;
        file.set_permissions(old.permissions())
    }

    /// Returns true if the new content equals the old content.
    pub(crate) fn is_same(&self) -> io::Result<bool> {
        let Some(new) = &self.new else {
            return Ok(true);
        };
        let open = |path: &Path| File::open(path);
        let (new, old) = (open(new)?, open(&self.target)?);
        if new.metadata()?.len() != old.metadata()?.len() {
            return Ok(false);
        }
        let mut pairs = BufReader::new(new).bytes().zip(BufReader::new(old).bytes());
        pairs.try_fold(true, |is_same, (new, old)| Ok(is_same && new? == old?))
    }

    /// Replaces the old content with the new content.
    pub(crate) fn rename(mut self) -> io::Result<()> {
        if let Some(new) = &self.new {
            fs::rename(new, &self.target)?;
            self.new = None;
        }
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(new) = &self.new {
            // An error cannot be reported here, and the target is unchanged.
            let _ = fs::remove_file(new);
        }
    }
}

#[cfg(unix)]
fn keep_owner(old: &fs::Metadata, file: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    match (old.uid(), old.gid()) == (new.uid(), new.gid()) {
        true => Ok(()),
        false => fchown(file, Some(old.uid()), Some(old.gid())),
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &fs::Metadata, _: &File) -> io::Result<()> {
    Ok(())
}

/// Refuses a path that is a symbolic link, so that no file is overwritten that the user has not named. Refuses
/// everything else that is not a regular file too: opening a FIFO would wait until another process reads it.
pub(crate) fn refuse_link(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Err(io::Error::other(
            "it is a symbolic link: name the file that it leads to",
        )),
        Ok(found) if !found.is_file() && !found.is_dir() => {
            Err(io::Error::other("it is not a regular file"))
        }
        _ => Ok(()),
    }
}

/// The message about a file that `rewrite --in-place` cannot replace.
pub(crate) const NEEDS_REGULAR_FILE: &str = "--in-place needs a regular file that is not packed";
