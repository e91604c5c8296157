//! What the elements of HTML are to one who follows tags without a tree: sets of names. They know nothing
//! of what is open.

use crate::text::html_element_names::ElementName;

/// The elements in whose fragments parts of tables stand.
pub(super) fn holds_parts_of_table(name: ElementName) -> bool {
    let is_cell = matches!(
        name,
        ElementName::Caption | ElementName::Td | ElementName::Th
    );
    matches!(name, ElementName::Table | ElementName::Template) || is_part_of_table(name) && !is_cell
}

pub(super) fn is_part_of_table(name: ElementName) -> bool {
    matches!(
        name,
        ElementName::Caption
            | ElementName::Col
            | ElementName::Colgroup
            | ElementName::Tbody
            | ElementName::Td
            | ElementName::Tfoot
            | ElementName::Th
            | ElementName::Thead
            | ElementName::Tr
    )
}

/// The elements that end the scope in which an end tag looks for its element.
pub(super) fn ends_scope(name: ElementName) -> bool {
    matches!(
        name,
        ElementName::Applet
            | ElementName::Caption
            | ElementName::Marquee
            | ElementName::Object
            | ElementName::Select
            | ElementName::Table
            | ElementName::Td
            | ElementName::Template
            | ElementName::Th
    )
}

/// Elements that are never open.
pub(super) fn is_void(name: ElementName) -> bool {
    matches!(
        name,
        ElementName::Area
            | ElementName::Base
            | ElementName::Basefont
            | ElementName::Bgsound
            | ElementName::Br
            | ElementName::Col
            | ElementName::Embed
            | ElementName::Hr
            | ElementName::Image
            | ElementName::Img
            | ElementName::Input
            | ElementName::Keygen
            | ElementName::Link
            | ElementName::Meta
            | ElementName::Param
            | ElementName::Source
            | ElementName::Track
            | ElementName::Wbr
    )
}

/// The start tags that close a paragraph, but for those of tables, which do so in some documents.
pub(super) fn closes_paragraph(name: ElementName) -> bool {
    let is_block = matches!(
        name,
        ElementName::Address
            | ElementName::Article
            | ElementName::Aside
            | ElementName::Blockquote
            | ElementName::Center
            | ElementName::Dd
            | ElementName::Details
            | ElementName::Dialog
            | ElementName::Dir
            | ElementName::Div
            | ElementName::Dl
            | ElementName::Dt
            | ElementName::Fieldset
            | ElementName::Figcaption
            | ElementName::Figure
            | ElementName::Footer
            | ElementName::Form
            | ElementName::Header
            | ElementName::Hgroup
            | ElementName::Hr
            | ElementName::Li
            | ElementName::Listing
            | ElementName::Main
            | ElementName::Menu
            | ElementName::Nav
            | ElementName::Ol
            | ElementName::P
            | ElementName::Pre
            | ElementName::Search
            | ElementName::Section
            | ElementName::Summary
            | ElementName::Ul
            | ElementName::Xmp
    );
    is_block || heading(name)
}

pub(super) fn heading(name: ElementName) -> bool {
    matches!(
        name,
        ElementName::H1
            | ElementName::H2
            | ElementName::H3
            | ElementName::H4
            | ElementName::H5
            | ElementName::H6
    )
}

/// Elements that the end tags of ordinary ones do not see through.
pub(super) fn is_special(name: ElementName) -> bool {
    closes_paragraph(name)
        || is_part_of_table(name)
        || ends_scope(name)
        || matches!(name, ElementName::Button | ElementName::Noscript)
}

pub(super) fn is_formatting(name: ElementName) -> bool {
    matches!(
        name,
        ElementName::A
            | ElementName::B
            | ElementName::Big
            | ElementName::Code
            | ElementName::Em
            | ElementName::Font
            | ElementName::I
            | ElementName::Nobr
            | ElementName::S
            | ElementName::Small
            | ElementName::Strike
            | ElementName::Strong
            | ElementName::Tt
            | ElementName::U
    )
}

/// The start tags that end foreign content.
pub(super) fn breaks_out(name: ElementName) -> bool {
    use ElementName as Name;
    matches!(
        name,
        Name::B
            | Name::Big
            | Name::Blockquote
            | Name::Body
            | Name::Br
            | Name::Center
            | Name::Code
            | Name::Dd
            | Name::Div
            | Name::Dl
            | Name::Dt
            | Name::Em
            | Name::Embed
            | Name::H1
            | Name::H2
            | Name::H3
            | Name::H4
            | Name::H5
            | Name::H6
            | Name::Head
            | Name::Hr
            | Name::I
            | Name::Img
            | Name::Li
            | Name::Listing
            | Name::Menu
            | Name::Meta
            | Name::Nobr
            | Name::Ol
            | Name::P
            | Name::Pre
            | Name::Ruby
            | Name::S
            | Name::Small
            | Name::Span
            | Name::Strong
            | Name::Strike
            | Name::Sub
            | Name::Sup
            | Name::Table
            | Name::Tt
            | Name::U
            | Name::Ul
            | Name::Var
    )
}
