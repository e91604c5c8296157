//! What the elements of HTML are to one who follows tags without a tree: sets of names. They know nothing
//! of what is open.

use crate::text::html_element_names::ElementName;

/// The elements in whose fragments parts of tables stand.
pub(super) fn holds_parts_of_table(name: ElementName) -> bool {
    use ElementName as Known;
    let is_cell = matches!(name, Known::Caption | Known::Td | Known::Th);
    matches!(name, Known::Table | Known::Template) || is_part_of_table(name) && !is_cell
}

pub(super) fn is_part_of_table(name: ElementName) -> bool {
    use ElementName as Known;
    matches!(
        name,
        Known::Caption
            | Known::Col
            | Known::Colgroup
            | Known::Tbody
            | Known::Td
            | Known::Tfoot
            | Known::Th
            | Known::Thead
            | Known::Tr
    )
}

/// The elements that end the scope in which an end tag looks for its element.
pub(super) fn ends_scope(name: ElementName) -> bool {
    use ElementName as Known;
    matches!(
        name,
        Known::Applet
            | Known::Caption
            | Known::Marquee
            | Known::Object
            | Known::Select
            | Known::Table
            | Known::Td
            | Known::Template
            | Known::Th
    )
}

/// Elements that are never open.
pub(super) fn is_void(name: ElementName) -> bool {
    use ElementName as Known;
    matches!(
        name,
        Known::Area
            | Known::Base
            | Known::Basefont
            | Known::Bgsound
            | Known::Br
            | Known::Col
            | Known::Embed
            | Known::Hr
            | Known::Image
            | Known::Img
            | Known::Input
            | Known::Keygen
            | Known::Link
            | Known::Meta
            | Known::Param
            | Known::Source
            | Known::Track
            | Known::Wbr
    )
}

/// The start tags that close a paragraph, but for those of tables, which do so in some documents.
pub(super) fn closes_paragraph(name: ElementName) -> bool {
    use ElementName as Known;
    let is_block = matches!(
        name,
        Known::Address
            | Known::Article
            | Known::Aside
            | Known::Blockquote
            | Known::Center
            | Known::Dd
            | Known::Details
            | Known::Dialog
            | Known::Dir
            | Known::Div
            | Known::Dl
            | Known::Dt
            | Known::Fieldset
            | Known::Figcaption
            | Known::Figure
            | Known::Footer
            | Known::Form
            | Known::Header
            | Known::Hgroup
            | Known::Hr
            | Known::Li
            | Known::Listing
            | Known::Main
            | Known::Menu
            | Known::Nav
            | Known::Ol
            | Known::P
            | Known::Pre
            | Known::Search
            | Known::Section
            | Known::Summary
            | Known::Ul
            | Known::Xmp
    );
    is_block || heading(name)
}

pub(super) fn heading(name: ElementName) -> bool {
    use ElementName as Known;
    matches!(
        name,
        Known::H1 | Known::H2 | Known::H3 | Known::H4 | Known::H5 | Known::H6
    )
}

/// Elements that the end tags of ordinary ones do not see through.
pub(super) fn is_special(name: ElementName) -> bool {
    use ElementName as Known;
    closes_paragraph(name)
        || is_part_of_table(name)
        || ends_scope(name)
        || matches!(name, Known::Button | Known::Noscript)
}

pub(super) fn is_formatting(name: ElementName) -> bool {
    use ElementName as Known;
    matches!(
        name,
        Known::A
            | Known::B
            | Known::Big
            | Known::Code
            | Known::Em
            | Known::Font
            | Known::I
            | Known::Nobr
            | Known::S
            | Known::Small
            | Known::Strike
            | Known::Strong
            | Known::Tt
            | Known::U
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
