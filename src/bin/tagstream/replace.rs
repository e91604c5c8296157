//! A file that takes the place of another when it is complete.
//!
//! The new bytes go to a file beside the old one. Renaming it is one step for the system, so that whoever opens the
//! name gets the old bytes or the new ones, never a part. The new file is created, not opened: a symbolic link that
//! somebody has put in its place is not followed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// The new content of a file, until it takes the place of the old one. It is removed if it does not.
pub(crate) struct Replacement {
    target: PathBuf,
    /// The path of the new content; `None` once it was renamed.
    new: Option<PathBuf>,
}

impl Replacement {
    /// Creates the file `new` for what is to become the content of `target`.
    pub(crate) fn create(target: &Path, new: PathBuf) -> io::Result<(Replacement, File)> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // Nobody else reads it before it has the permissions of the target.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&new)?;
        let replacement = Replacement {
            target: target.to_owned(),
            new: Some(new),
        };
        Ok((replacement, file))
    }

    /// Gives `file`, which is the new content, the owner and the permissions of the target.
    pub(crate) fn keep_permissions(&self, file: &File) -> io::Result<()> {
        let old = fs::metadata(&self.target)?;
        keep_owner(&old, file)?;
        file.set_permissions(old.permissions())
    }

    /// Whether the new content equals the old one.
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

    /// Puts the new content in the place of the old one.
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
            // Nobody can be told, and the target is as it was.
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

/// Refuses a path that is a symbolic link, so that no file is written to which nobody has named.
pub(crate) fn refuse_link(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Err(io::Error::other(
            "it is a symbolic link: name the file that it leads to",
        )),
        _ => Ok(()),
    }
}
