//! Checkpoints of strings and chunks whose UTF-8 validity is known.

use super::{Checked, Packed};
use crate::checkpoint::{Checkpointable, Damaged, Reader, Writer};
use bytes::Bytes;

impl Checkpointable for Packed {
    fn save(&self, to: &mut Writer) {
        to.slice(self.text().as_bytes());
        to.slice(self.behind());
    }

    fn load(from: &mut Reader<'_>) -> Result<Packed, Damaged> {
        let mut packed = Packed::EMPTY;
        packed.push(from.text()?);
        packed.push_behind(from.slice()?);
        Ok(packed)
    }
}

/// Loading validates the bytes again, because a checkpoint is no proof.
impl Checkpointable for Checked {
    fn save(&self, to: &mut Writer) {
        let Checked { bytes, valid } = self;
        bytes.save(to);
        valid.save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<Checked, Damaged> {
        let bytes = Bytes::load(from)?;
        let valid = usize::load(from)?;
        match bytes.get(..valid).map(simdutf8::basic::from_utf8) {
            Some(Ok(_)) => Ok(Checked { bytes, valid }),
            _ => Err(Damaged),
        }
    }
}
