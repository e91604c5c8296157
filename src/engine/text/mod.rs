//! Tables of characters and names that several dialects share. None of them depends on the input or on markup.

pub(crate) mod html_element_names;
pub(crate) mod html_element_sets;
mod html_element_table;
pub(crate) mod html_facts;
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
pub(crate) mod rendered;
pub(crate) mod xml_names;

/// Returns whether the character is a noncharacter: U+FDD0 to U+FDEF or one of the last two code points of a plane.
#[inline]
pub(crate) const fn is_noncharacter(character: char) -> bool {
    matches!(character, '\u{FDD0}'..='\u{FDEF}') || character as u32 & 0xFFFE == 0xFFFE
}
