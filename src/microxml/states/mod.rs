//! The state functions, by the document's modes. A state asks the cursor for one unit and names the
//! next state; `None` is "no input yet".

mod ahead;
mod angle;
mod cdata;
mod comment;
mod context;
mod doctype;
mod main;
mod pi;
mod reference;
mod tag;
mod value;

pub(super) use ahead::{Ahead, Closer};
