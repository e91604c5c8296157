//! Warnings and errors of Ballista on the standard error.

use log::{LevelFilter, Log, Metadata, Record};

struct Logger;

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("ballista")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            eprintln!("{}: {}", record.level(), record.args());
        }
    }

    fn flush(&self) {}
}

/// Prints messages of this level and of more severe ones.
pub fn start(level: LevelFilter) {
    // A logger that is already there stays.
    if log::set_logger(&Logger).is_ok() {
        log::set_max_level(level);
    }
}
