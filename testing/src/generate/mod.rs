//! Random documents: for each dialect one generator, of pieces where something begins, ends or goes
//! wrong.

pub mod html;
