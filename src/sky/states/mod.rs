//! The state functions, by the document's groups. A state asks the cursor for one unit and names the
//! next state; `None` is "no input yet".

mod attribute;
mod comment;
mod data;
mod raw;
mod reference;
mod signature;
mod tag;
