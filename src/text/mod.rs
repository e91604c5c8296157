//! Facts about characters and names that dialects share. Nothing here knows of input or of markup.

pub(crate) mod html_element_names;
pub(crate) mod html_references;
mod html_references_table;
pub(crate) mod key;
pub(crate) mod leafxml_names;
pub(crate) mod microxml_names;
pub(crate) mod normal;
mod normal_table;
pub(crate) mod numeric;
#[cfg(test)]
mod production;
pub(crate) mod xml_names;
