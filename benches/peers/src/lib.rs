//! What the programs that time share with each other, and with the test that compares what they read.

pub mod html;
pub mod inputs;
pub mod reading;
