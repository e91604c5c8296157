//! The formats of the subcommand `events`.

use tagstream::Event;

/// The format of the lines.
pub(crate) trait Format {
    /// Writes the line of `event`, including its newline.
    fn write(&mut self, event: &Event<'_>, out: &mut Vec<u8>);

    /// Returns the depth of the next line, if the format shows depths.
    fn depth(&self) -> u64 {
        0
    }
}
