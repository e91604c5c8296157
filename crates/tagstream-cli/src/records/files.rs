//! Small files, read ahead on several threads. Their rows come in the order of the files.
//!
//! A large file is not read ahead: it is read in pieces on all threads when its turn comes.

use super::reader::{Opened, Part, RowReader, Settings};
use super::reading::open;
use crate::failure::Failure;
use indicatif::ProgressBar;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::{fs, thread};

/// Length in bytes from which a file is read in pieces.
const LARGE: u64 = 16 << 20;

/// Number of parts that are read ahead of each file.
const PARTS_AHEAD: usize = 4;

type Rows = Result<Part, Failure>;
type Job = (PathBuf, SyncSender<Rows>);

/// Threads that read small files ahead.
pub(super) struct Ahead {
    jobs: SyncSender<Job>,
    /// Files whose reading has begun: index and rows.
    begun: BTreeMap<usize, Receiver<Rows>>,
    /// Indices and paths of the files that are still to be read.
    waiting: VecDeque<(usize, PathBuf)>,
    /// Number of files that are read ahead.
    most: usize,
}

impl Ahead {
    /// Starts the threads. `files` are the files that may be read ahead, with their indices.
    pub(super) fn new(
        files: impl Iterator<Item = (usize, PathBuf)>,
        settings: &Settings,
        progress: &ProgressBar,
    ) -> Ahead {
        let threads = settings.jobs;
        let most = threads * 2;
        // All jobs that are begun fit, so that sending never blocks.
        let (jobs, queue) = sync_channel::<Job>(most);
        let queue = Arc::new(Mutex::new(queue));
        let settings = Settings {
            jobs: 1,
            ..settings.clone()
        };
        for _ in 0..threads {
            let (queue, settings) = (Arc::clone(&queue), settings.clone());
            let progress = progress.clone();
            thread::spawn(move || {
                loop {
                    let job = match queue.lock() {
                        Ok(queue) => queue.recv(),
                        Err(_) => return,
                    };
                    let Ok((file, rows)) = job else {
                        return;
                    };
                    if let Err(failure) = read(&file, &settings, &progress, &rows) {
                        // The consumer may have gone.
                        let _ = rows.send(Err(failure));
                    }
                }
            });
        }
        Ahead {
            jobs,
            begun: BTreeMap::new(),
            waiting: files.collect(),
            most,
        }
    }

    /// Returns the rows of a file that is read ahead, or `None` for other files.
    pub(super) fn take(&mut self, index: usize) -> Option<Receiver<Rows>> {
        while self.begun.len() < self.most
            && let Some((next, file)) = self.waiting.pop_front()
        {
            let (sender, rows) = sync_channel(PARTS_AHEAD);
            if self.jobs.send((file, sender)).is_err() {
                break;
            }
            self.begun.insert(next, rows);
        }
        self.begun.remove(&index)
    }
}

/// Returns true if a file is small, so that it is read ahead.
pub(super) fn is_small(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && metadata.len() < LARGE)
}

fn read(
    file: &Path,
    settings: &Settings,
    progress: &ProgressBar,
    rows: &SyncSender<Rows>,
) -> Result<(), Failure> {
    let opened = Opened {
        input: open(file, settings.given, progress)?,
        replayed: VecDeque::new(),
    };
    let mut reader = RowReader::new(opened, settings)?;
    while let Some(part) = reader.next()? {
        if rows.send(Ok(part)).is_err() {
            break;
        }
    }
    Ok(())
}
