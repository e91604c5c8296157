//! The state functions, by the groups of the standard. A state asks the cursor for one unit and names
//! the next state; `None` is "no input yet".

mod attribute;
mod cdata;
mod comment;
mod data;
mod doctype;
mod doctype_identifier;
mod markup;
mod processing_instruction;
mod reconsume;
mod reference;
mod script;
mod script_escaped;
mod tag;
mod tag_name;
mod text;
pub(super) use script_escaped::ScriptName;
pub(super) use tag_name::clean;
