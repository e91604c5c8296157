//! What the program that times tokenizers of HTML shares with the test that compares them.

pub mod html;
