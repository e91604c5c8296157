//! The state functions, by the document's groups. A state asks the cursor for one unit and names the
//! next state; `None` is "no input yet".

mod attribute;
mod cdata;
mod escape;
mod filtered;
mod name;
mod tag;
mod text;
mod token;

pub(super) use name::{Names, TagName};
