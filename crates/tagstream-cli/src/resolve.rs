//! Resolution of external entities to files below a root folder. Symbolic links are resolved before the path is
//! compared with the root.

use crate::failure::Failure;
use std::cell::Cell;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use tagstream::{
    Buildable, Dialect, EntityPlace, EntityRequest, Form, Parser, TreeBuilder, TreeSink,
};

/// Maximum length of an entity file in bytes.
const LONGEST: u64 = 64 << 20;

/// Maximum number of files that are read for one document.
const MOST_FILES: u32 = 1_000;
/// Maximum total length in bytes of the files that are read for one document.
const MOST_BYTES: u64 = 256 << 20;

pub(crate) struct Resolver {
    root: PathBuf,
    /// The folder of the document.
    folder: PathBuf,
    /// Number of files that may still be read.
    files: Cell<u32>,
    /// Number of bytes that may still be read.
    bytes: Cell<u64>,
}

impl Resolver {
    /// Creates a resolver for the document `file`. Its entities must be below `root`, by default the folder of the
    /// document.
    pub(crate) fn new(file: &Path, root: Option<&Path>) -> Result<Resolver, Failure> {
        let folder = match file.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let known = |path: &Path| {
            path.canonicalize()
                .map_err(|error| Failure::read(path, error))
        };
        let folder = known(folder)?;
        Ok(Resolver {
            root: match root {
                Some(root) => known(root)?,
                None => folder.clone(),
            },
            folder,
            files: Cell::new(MOST_FILES),
            bytes: Cell::new(MOST_BYTES),
        })
    }

    /// Returns the path and the bytes of an entity, or `None` if reading it is not allowed or fails.
    fn find(&self, request: &EntityRequest) -> Option<(String, Vec<u8>)> {
        let folder = match request.base() {
            Some(base) => Path::new(base).parent()?.to_owned(),
            None => self.folder.clone(),
        };
        let path = folder.join(local(request.system_id())?);
        // The path is now canonical, without links and `..`, so the comparison with the root is reliable. Reading
        // something other than a regular file, such as a FIFO, could block forever.
        let path = path.canonicalize().ok()?;
        if !path.starts_with(&self.root) || !path.is_file() {
            return None;
        }
        self.files.set(self.files.get().checked_sub(1)?);
        let most = LONGEST.min(self.bytes.get());
        let mut bytes = Vec::new();
        let mut file = File::open(&path).ok()?.take(most + 1);
        file.read_to_end(&mut bytes).ok()?;
        if bytes.len() as u64 > most {
            return None;
        }
        self.bytes.set(self.bytes.get() - bytes.len() as u64);
        let location = path.to_str()?.to_owned();
        Some((location, bytes))
    }
}

/// Returns the path of an entity's file, relative to the current folder if the file is inside.
pub(crate) fn file_of(place: &EntityPlace) -> PathBuf {
    let file = Path::new(place.location().unwrap_or(place.system_id()));
    let folder = std::env::current_dir().and_then(|folder| folder.canonicalize());
    let inside = folder
        .ok()
        .and_then(|folder| file.strip_prefix(folder).ok().map(Path::to_owned));
    inside.unwrap_or_else(|| file.to_owned())
}

/// A parser that requests external entities and receives them.
pub(crate) trait Asks {
    fn take(&mut self, location: &str, bytes: &[u8]);
    fn skip(&mut self);
}

impl<D: Dialect, F: Form> Asks for Parser<D, F> {
    fn take(&mut self, location: &str, bytes: &[u8]) {
        self.feed_entity(bytes);
        self.finish_entity(Some(location));
    }

    fn skip(&mut self) {
        self.skip_entity();
    }
}

impl<D: Buildable, S: TreeSink> Asks for TreeBuilder<D, S> {
    fn take(&mut self, location: &str, bytes: &[u8]) {
        self.feed_entity(bytes);
        self.finish_entity(Some(location));
    }

    fn skip(&mut self) {
        self.skip_entity();
    }
}

/// Answers a request: with a file if the resolver finds one, otherwise the entity is skipped.
pub(crate) fn answer(resolver: Option<&Resolver>, request: &EntityRequest, parser: &mut impl Asks) {
    match resolver.and_then(|resolver| resolver.find(request)) {
        Some((location, bytes)) => parser.take(&location, &bytes),
        None => parser.skip(),
    }
}

/// Returns the local path that a system identifier denotes, if it denotes one.
fn local(system_id: &str) -> Option<PathBuf> {
    let path = match system_id.split_once(':') {
        Some(("file", rest)) => {
            let rest = rest.strip_prefix("//localhost").unwrap_or(rest);
            rest.strip_prefix("//").unwrap_or(rest)
        }
        // This is a URL with a scheme, not a file name that contains a colon.
        Some((scheme, _)) if scheme.len() > 1 && !scheme.contains('/') => return None,
        _ => system_id,
    };
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = match (first, tail) {
            (b'%', [high, low, ..]) => {
                let digit = |byte: &u8| (*byte as char).to_digit(16);
                digit(high).zip(digit(low))
            }
            _ => None,
        };
        match escaped {
            Some((high, low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}
