//! The state functions, by the document's modes. A state asks the cursor for one unit and names the
//! next state; `None` is "no input yet".

mod comment;
mod main;
mod reference;
mod tag;
mod value;
