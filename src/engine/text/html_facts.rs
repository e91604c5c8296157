//! Facts about HTML elements, as sets of names. Whatever reads, builds, writes or changes HTML asks these sets.
//!
//! The rules of tree construction that concern the insertion mode or the open elements are in the schema
//! (`dialects/html/construct/schema.rs`).

use super::html_element_sets::{Names, set};

// Content models

/// Void elements: they have no content and no end tag, and are serialized without children. The names that are no
/// longer in the standard's list of void elements (such as `basefont`) are in the standard's algorithm for
/// serialization.
pub(crate) const VOID: Names = set!(Area Base Basefont Bgsound Br Col Embed Frame Hr Img Input Keygen Link Meta Param
    Source Track Wbr);

/// Raw text elements: their content is text without references.
pub(crate) const RAW_TEXT: Names = set!(Iframe Noembed Noframes Script Style Xmp);

/// Elements whose content is raw text if scripting is enabled, and is parsed as markup otherwise.
pub(crate) const RAW_TEXT_IF_SCRIPTING: Names = set!(Noscript);

/// The element whose content is text without references up to the end of the input.
pub(crate) const PLAIN_TEXT: Names = set!(Plaintext);

/// Returns the elements whose text the standard serializes without escaping.
pub(crate) const fn unescaped(scripting: bool) -> Names {
    let always = RAW_TEXT.or(PLAIN_TEXT);
    match scripting {
        true => always.or(RAW_TEXT_IF_SCRIPTING),
        false => always,
    }
}

/// Escapable raw text elements: their content is text with references.
pub(crate) const ESCAPABLE_TEXT: Names = set!(Textarea Title);

/// The raw text element that has tokenizer states of its own, because comments can hide its end tag.
pub(crate) const SCRIPT: Names = set!(Script);

/// Elements whose first newline a parser drops: a newline directly after the start tag.
pub(crate) const DROPS_NEWLINE: Names = set!(Listing Pre Textarea);

/// Elements whose contents are not read like those of other elements: they are text, or a newline at their start is ignored.
pub(crate) const SPECIAL_CONTENT: Names = unescaped(true).or(ESCAPABLE_TEXT).or(DROPS_NEWLINE);

// Layout

/// Elements in which whitespace is significant.
pub(crate) const KEEPS_WHITESPACE: Names = set!(Listing Pre Textarea Xmp);

/// Elements that browsers lay out as blocks or do not show, except `legend`, which is not a known name: whitespace
/// between them has no effect.
pub(crate) const LAID_OUT_AS_BLOCK: Names = set!(Address Article Aside Base Basefont Bgsound Blockquote Body Caption Center Col Colgroup Datalist Dd
    Details Dialog Dir Div Dl Dt Fieldset Figcaption Figure Footer Form Frame Frameset H1 H2 H3 H4 H5 H6
    Head Header Hgroup Hr Html Li Link Listing Main Menu Meta Nav Noembed Noframes Ol Optgroup Option P
    Param Plaintext Pre Script Search Section Style Summary Table Tbody Td Tfoot Th Thead Title Tr Ul);

// Categories of tree construction that other modules need

/// Elements of the category "special".
pub(crate) const SPECIAL_NAMES: Names = set!(Address Applet Area Article Aside Base Basefont Bgsound Blockquote
    Body Br Button Caption Center Col Colgroup Dd Details Dir Div Dl Dt Embed Fieldset Figcaption
    Figure Footer Form Frame Frameset H1 H2 H3 H4 H5 H6 Head Header Hgroup Hr Html Iframe Img Input
    Keygen Li Link Listing Main Marquee Menu Meta Nav Noembed Noframes Noscript Object Ol P Param
    Plaintext Pre Script Search Section Select Source Style Summary Table Tbody Td Template Textarea
    Tfoot Th Thead Title Tr Track Ul Wbr Xmp);

/// The elements that end the default scope.
pub(crate) const BOUNDARIES: Names =
    set!(Applet Caption Html Marquee Object Select Table Td Template Th);

/// Headings with a level.
pub(crate) const HEADING_TAGS: Names = set!(H1 H2 H3 H4 H5 H6);

/// Elements whose start tags close an open `p` and have no other effect on the open elements.
pub(crate) const BLOCKS: Names = set!(Address Article Aside Blockquote Center Details Dialog Dir Div Dl
    Fieldset Figcaption Figure Footer Header Hgroup Main Menu Nav Ol P Search Section Summary Ul);

/// Formatting elements, which the parser opens again after misnested tags.
pub(crate) const FORMATTING: Names = set!(A B Big Code Em Font I Nobr S Small Strike Strong Tt U);

/// Known elements that a parser inserts anywhere in the body without another effect, except for a link in a link.
pub(crate) const PHRASES: Names = FORMATTING.without(set!(Nobr)).or(set!(Span Sub Sup Var));

/// Elements without content that a parser inserts anywhere in the body without another effect.
pub(crate) const EMPTY_PHRASES: Names = set!(Br Img Wbr);

/// Elements whose start tags close an open `p`, and that can be outside a table.
pub(crate) const FLOWS: Names = BLOCKS
    .or(HEADING_TAGS)
    .or(TERMS)
    .or(ITEMS)
    .or(PARAGRAPHS)
    .or(RULES);

/// Elements whose start tags close another one of them that is open, up to a list.
pub(crate) const ITEMS: Names = set!(Li);

/// Lists, whose children are [`ITEMS`].
pub(crate) const LISTS: Names = set!(Dir Menu Ol Ul);

/// Like [`ITEMS`], in [`TERM_LISTS`].
pub(crate) const TERMS: Names = set!(Dd Dt);

/// Lists, whose children are [`TERMS`].
pub(crate) const TERM_LISTS: Names = set!(Dl);

/// Paragraphs.
pub(crate) const PARAGRAPHS: Names = set!(P);

/// Thematic breaks, which are void.
pub(crate) const RULES: Names = set!(Hr);

/// Links.
pub(crate) const LINKS: Names = set!(A);

/// Elements at whose end the formatting elements in them are forgotten, so that they are not opened again.
pub(crate) const FORMATTING_SCOPES: Names = set!(Applet Caption Marquee Object Td Template Th);

/// Elements other than `html`, `head` and `body` whose start tags other content implies, and whose start tags can be
/// written at that position without changing the tree.
pub(crate) const IMPLIED_BY_CONTENT: Names = set!(Colgroup P Tbody Tr);

/// The elements that every document has: start tags that are implied by any content.
pub(crate) const DOCUMENT_STRUCTURE: Names = set!(Body Head Html);

/// The element that replaces a `body` and contains no text other than whitespace.
pub(crate) const FRAMESET: Names = set!(Frameset);

/// Names of start tags that are ignored, read as another name, or belong to the whole document, in the body of a document.
pub(crate) const WITHOUT_PLACE: Names = set!(Body Frame Frameset Head Html Image);

/// The element that a start tag with its own name ends.
pub(crate) const SELECT: Names = set!(Select);

/// The element whose contents are parsed as what their first tag needs.
pub(crate) const TEMPLATE: Names = set!(Template);

/// Parts of tables: in a `template`, they determine how the following contents are parsed.
pub(crate) const TABLE_PARTS: Names = set!(Caption Col Colgroup Tbody Td Tfoot Th Thead Tr);

/// The element that tree construction ends at its start tag in a table.
pub(crate) const FORM: Names = set!(Form);

/// Cells of tables.
pub(crate) const CELLS: Names = set!(Td Th);

/// Elements whose start tags determine whether the insertion mode is one of tables: all but `template` and cells begin
/// such a mode.
pub(crate) const TABLE_MODES: Names = set!(Caption Table Tbody Td Template Tfoot Th Thead Tr);

/// Elements that determine the namespace of their contents.
pub(crate) const FOREIGN_ROOTS: Names = set!(Math Svg);

/// Elements in which the parser accepts no text other than whitespace.
pub(crate) const WITHOUT_TEXT: Names = set!(Colgroup Frameset Head Html Table Tbody Tfoot Thead Tr);

/// Elements whose start tags do not imply a `body`.
pub(crate) const BEFORE_BODY: Names = set!(Base Basefont Bgsound Body Frameset Head Html Link Meta Noframes Noscript
    Script Style Template Title);

/// Listed elements: the form-associated elements whose attribute `form` can name their form.
pub(crate) const LISTED: Names = set!(Button Fieldset Input Object Output Select Textarea);

/// Form-associated elements.
pub(crate) const FORM_ASSOCIATED: Names = LISTED.or(set!(Img));

/// Names with a hyphen that are not names of custom elements.
const NOT_CUSTOM: &[&str] = &[
    "annotation-xml",
    "color-profile",
    "font-face",
    "font-face-src",
    "font-face-uri",
    "font-face-format",
    "font-face-name",
    "missing-glyph",
];

/// Returns whether the name of a tag is a "valid custom element name" of the DOM standard.
pub(crate) fn is_custom(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.contains('-')
        && !NOT_CUSTOM.contains(&name)
}

// Foreign content

/// Start tags that close open elements of SVG and MathML.
pub(crate) const BREAKOUT: Names = set!(B Big Blockquote Body Br Center Code Dd Div Dl Dt Em Embed H1 H2 H3 H4 H5 H6 Head Hr I Img Li
    Listing Menu Meta Nobr Ol P Pre Ruby S Small Span Strong Strike Sub Sup Table Tt U Ul Var);

/// Attributes with which a start tag `font` closes open elements of SVG and MathML.
pub(crate) const BREAKOUT_FONT: &[&str] = &["color", "face", "size"];

/// MathML text integration points.
pub(crate) const MATH_TEXT_INTEGRATION_POINTS: Names = set!(Mi Mo Mn Ms Mtext);

/// Elements that are MathML also in a MathML text integration point.
pub(crate) const MATH_IN_TEXT: Names = set!(Malignmark Mglyph);

/// SVG elements that are HTML integration points.
pub(crate) const SVG_HTML_INTEGRATION_POINTS: Names = set!(Desc ForeignObject Title);

/// Returns whether an element of SVG or MathML with this name can contain HTML elements.
pub(crate) fn is_integration_point(name: &str) -> bool {
    let points = SVG_HTML_INTEGRATION_POINTS.or(MATH_TEXT_INTEGRATION_POINTS);
    points.contains_in_any_case(name) || name.eq_ignore_ascii_case("annotation-xml")
}

/// Values of `encoding`, in any case, with which an `annotation-xml` is an HTML integration point.
const HTML_ENCODINGS: [&str; 2] = ["text/html", "application/xhtml+xml"];

/// Returns whether an `annotation-xml` with this value of `encoding` is an HTML integration point.
pub(crate) fn is_html_encoding(encoding: &str) -> bool {
    let is_it = |one: &&str| encoding.eq_ignore_ascii_case(one);
    HTML_ENCODINGS.iter().any(is_it)
}
