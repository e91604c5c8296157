//! The state functions, by the groups of XML-ER. A state asks the lexer for one unit and names the
//! next state; `None` is "no input yet".

mod attribute;
mod cdata;
mod comment;
mod data;
mod declaration;
mod doctype;
mod markup;
mod pi;
mod reference;
mod tag;

pub(super) use doctype::Register;
