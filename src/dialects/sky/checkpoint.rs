//! Checkpoints of the options of Sky. A checkpoint of a parser contains the names that were registered so far.

use super::options::{Context, Sky};
use crate::checkpoint::{Checkpointable, Damaged, Reader, Writer};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

impl Checkpointable for Sky {
    fn save(&self, to: &mut Writer) {
        let Sky {
            context,
            registered,
        } = self;
        context.save(to);
        registered.is_some().save(to);
        // The names are sorted, so that equal options have the same digest.
        if let Some(names) = registered {
            let mut names: Vec<Box<str>> = names.iter().cloned().collect();
            names.sort_unstable();
            names.save(to);
        }
    }

    fn load(from: &mut Reader<'_>) -> Result<Sky, Damaged> {
        let context = Context::load(from)?;
        let names = Option::<Vec<Box<str>>>::load(from)?;
        Ok(Sky {
            context,
            registered: names.map(|names| Arc::new(names.into_iter().collect())),
        })
    }
}
