//! Checkpoints of HTML: the balanced stream, which is a trait object, and references to element classes, which are
//! constants.

use crate::checkpoint::{Checkpointable, CheckpointableTokenizer, Damaged, Reader, Writer};
use crate::dialects::html::construct::elements::{
    Class, FOREIGN_ORDINARY, FOREIGN_SCRIPT, FOREIGN_SPECIAL, HTML, NOTHING,
};
use crate::dialects::html::machine::HtmlMachine;

impl CheckpointableTokenizer for HtmlMachine {
    fn save_objects(&self, to: &mut Writer) {
        if let Some(balancing) = &self.dialect.balancing {
            balancing.save_object(to);
        }
    }

    fn load_objects(&mut self, new: Self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        self.dialect.balancing = new.dialect.balancing;
        match &mut self.dialect.balancing {
            Some(balancing) => balancing.load_object(from),
            None => Ok(()),
        }
    }
}

static FOREIGN: [&Class; 3] = [&FOREIGN_ORDINARY, &FOREIGN_SPECIAL, &FOREIGN_SCRIPT];

fn classes() -> impl Iterator<Item = &'static Class> {
    HTML.iter().chain(FOREIGN)
}

/// A checkpoint contains the number of a class in place of a reference to it. [`NOTHING`], the class of the document,
/// has the number that follows all others.
impl Checkpointable for &'static Class {
    fn save(&self, to: &mut Writer) {
        let number = classes().position(|class| core::ptr::eq(class, *self));
        number.unwrap_or(classes().count()).save(to);
    }

    fn load(from: &mut Reader<'_>) -> Result<&'static Class, Damaged> {
        Ok(classes().nth(usize::load(from)?).unwrap_or(&NOTHING))
    }
}
