//! Facts about characters that dialects share; knows no states, no events and no input.

mod html_element_names;
mod html_names;
mod html_names_table;
mod leafxml_names;
mod microxml_names;
mod numeric;
#[cfg(test)]
mod production;
mod xml_names;
