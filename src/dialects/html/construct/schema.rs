//! Table: the rules of HTML's tree construction, called the schema. It contains sets of element names, the scopes, the
//! insertion mode that each element determines, and a table of rules for each mode.
//!
//! The tables follow the standard's section "Tree construction": same modes, same order. The notation of rows is
//! documented in `notation.rs`. The procedures that actions call are in the other files of this folder.

use super::modes::Mode::{self, *};
use super::notation::{Action::*, Guard::*, *};
use crate::dialects::html::construct::rules::{Group, Scope, Scoped, Scopes, Tokens};
use crate::dialects::html::errors::*;
use crate::dialects::html::names::{Names, Space};
use crate::dialects::html::options::InitialState::{Plaintext, Rawtext, Rcdata, ScriptData};
use crate::engine::text::html_element_names::ElementName;
use crate::engine::text::html_facts::{
    self, BLOCKS, BOUNDARIES, BREAKOUT, BREAKOUT_FONT, CELLS, FORMATTING, HEADING_TAGS,
    MATH_TEXT_INTEGRATION_POINTS, SPECIAL_NAMES, TABLE_PARTS,
};

// Sets of element names

const HEAD_TAGS: Names = set!(Base Basefont Bgsound Link Meta Noframes Script Style Template Title);
const BLOCK_ENDS: Names = set!(Address Article Aside Blockquote Button Center Details Dialog Dir Div
    Dl Fieldset Figcaption Figure Footer Header Hgroup Listing Main Menu Nav Ol Pre Search Section
    Select Summary Ul);
pub(super) const IMPLIED_NAMES: Names = set!(Dd Dt Li Optgroup Option P Rb Rp Rt Rtc);
const OBJECTS: Names = set!(Applet Marquee Object);
const ROW_GROUPS: Names = set!(Tbody Tfoot Thead);

// Scopes, and sets of elements in scope

/// The scopes, in the order of [`Scope`]: the names that are searched for in each, the HTML elements that end it, and
/// whether foreign elements of the category "special" end it.
pub(super) const SCOPES: Scopes = Scopes(&[
    (ASKED_IN_SCOPE, BOUNDARIES, true),
    (set!(P), BOUNDARIES.or(set!(Button)), true),
    (set!(Li), BOUNDARIES.or(set!(Ol Ul)), true),
    (ASKED_IN_TABLE_SCOPE, set!(Html Table Template), false),
    // The standard's loops for `li`, `dd` and `dt` skip the elements that are not in the category "special", and these
    // three.
    (ITEMS, SPECIAL_NAMES.without(set!(Address Div P)), true),
    (set!(Template), Names::NONE, false),
    (set!(Option Selectedcontent), set!(Template), false),
]);
/// Bit that is set while any element is open that is not in [`MAY_STAY_OPEN`]: the end of the body or of the input is
/// a parse error then.
pub(super) const OTHERS: Scoped = Scoped::nth(SCOPES.first(SCOPES.0.len()));
/// Bit that is set while an element of SVG or MathML is open.
pub(super) const FOREIGN: Scoped = Scoped::nth(SCOPES.first(SCOPES.0.len()) + 1);
const ASKED_IN_SCOPE: Names = BLOCK_ENDS
    .or(HEADING_TAGS)
    .or(OBJECTS)
    .or(set!(Body Dd Dt Form Nobr Optgroup Option Ruby));
const ASKED_IN_TABLE_SCOPE: Names = set!(Caption Table Tbody Td Tfoot Th Thead Tr);
const ITEMS: Names = set!(Dd Dt Li);

/// Elements that may still be open at the end of the body or of the input without a parse error.
pub(super) const MAY_STAY_OPEN: Names = set!(Body Dd Dt Html Li Optgroup Option P Rb Rp Rt Rtc Tbody
    Td Tfoot Th Thead Tr);

const BODY_IN_SCOPE: Scoped = SCOPES.of(Scope::Default, set!(Body));
const BUTTON_IN_SCOPE: Scoped = SCOPES.of(Scope::Default, set!(Button));
const FORM_IN_SCOPE: Scoped = SCOPES.of(Scope::Default, set!(Form));
const HEADING_IN_SCOPE: Scoped = SCOPES.of(Scope::Default, HEADING_TAGS);
const NOBR_IN_SCOPE: Scoped = SCOPES.of(Scope::Default, set!(Nobr));
const OPTION_IN_SCOPE: Scoped = SCOPES.of(Scope::Default, set!(Option));
const OPTION_OR_GROUP_IN_SCOPE: Scoped = SCOPES.of(Scope::Default, set!(Option Optgroup));
const RUBY_IN_SCOPE: Scoped = SCOPES.of(Scope::Default, set!(Ruby));
const SELECT_IN_SCOPE: Scoped = SCOPES.of(Scope::Default, set!(Select));
const P_IN_SCOPE: Scoped = SCOPES.of(Scope::Button, set!(P));
const LI_IN_SCOPE: Scoped = SCOPES.of(Scope::List, set!(Li));
const CAPTION_IN_SCOPE: Scoped = SCOPES.of(Scope::Table, set!(Caption));
const CELL_IN_SCOPE: Scoped = SCOPES.of(Scope::Table, CELLS);
const ROW_IN_SCOPE: Scoped = SCOPES.of(Scope::Table, set!(Tr));
const ROW_GROUP_IN_SCOPE: Scoped = SCOPES.of(Scope::Table, ROW_GROUPS);
const TABLE_IN_SCOPE: Scoped = SCOPES.of(Scope::Table, set!(Table));
const DD_ITEM: Scoped = SCOPES.of(Scope::Item, set!(Dd));
const DT_ITEM: Scoped = SCOPES.of(Scope::Item, set!(Dt));
const LI_ITEM: Scoped = SCOPES.of(Scope::Item, set!(Li));
pub(super) const TEMPLATE_IN_SCOPE: Scoped = SCOPES.of(Scope::Open, set!(Template));
/// The elements that disable a `selectedcontent` inside them.
pub(super) const SHOWN_AROUND: Scoped = SCOPES.of(Scope::Around, set!(Option Selectedcontent));

// Groups of elements

/// Declares the groups: the bit of each, and its HTML elements.
macro_rules! groups {
    ($($group:ident $number:literal = $names:expr;)*) => {
        $(pub(super) const $group: Group = Group::nth($number);)*
        pub(super) const GROUPS: &[(Group, Names)] = &[$(($group, $names)),*];
        /// The names of the groups, in order.
        #[cfg(any(test, feature = "inspect"))]
        pub(super) const GROUP_NAMES: &[&str] = &[$(stringify!($group)),*];
    };
}

groups! {
    SPECIAL 0 = SPECIAL_NAMES;
    // The next eight groups are the elements whose end tags the standard generates: in "generate implied end tags", in
    // "generate all implied end tags thoroughly", and in "generate implied end tags, except for" one of six names.
    IMPLIED 1 = IMPLIED_NAMES;
    IMPLIED_ALL 2 = IMPLIED_NAMES.or(set!(Caption Colgroup Tbody Td Tfoot Th Thead Tr));
    IMPLIED_BUT_DD 3 = IMPLIED_NAMES.without(set!(Dd));
    IMPLIED_BUT_DT 4 = IMPLIED_NAMES.without(set!(Dt));
    IMPLIED_BUT_LI 5 = IMPLIED_NAMES.without(set!(Li));
    IMPLIED_BUT_OPTGROUP 6 = IMPLIED_NAMES.without(set!(Optgroup));
    IMPLIED_BUT_P 7 = IMPLIED_NAMES.without(set!(P));
    IMPLIED_BUT_RTC 8 = IMPLIED_NAMES.without(set!(Rtc));
    HEADINGS 9 = HEADING_TAGS;
    // Elements at which the standard's "clear the stack back to a table context" stops, and the same for "table body
    // context" and "table row context".
    TABLE_CONTEXT 10 = set!(Table Template Html);
    GROUP_CONTEXT 11 = set!(Tbody Tfoot Thead Template Html);
    ROW_CONTEXT 12 = set!(Tr Template Html);
    // Current nodes for which text in a table is stored until its end; and current nodes whose new children are
    // foster-parented.
    HOLDS_TEXT 13 = set!(Table Tbody Template Tfoot Thead Tr);
    FOSTERED 14 = set!(Table Tbody Tfoot Thead Tr);
    // Elements that determine the position of foster-parented nodes.
    TABLE 15 = set!(Table);
    TEMPLATE 16 = set!(Template);
    // Single elements that rows refer to.
    BUTTON 17 = set!(Button);
    CAPTION 18 = set!(Caption);
    CELL 19 = CELLS;
    COLGROUP 20 = set!(Colgroup);
    DD 21 = set!(Dd);
    DT 22 = set!(Dt);
    FORM 23 = set!(Form);
    FRAMESET 24 = set!(Frameset);
    HTML 25 = set!(Html);
    LI 26 = set!(Li);
    OPTGROUP 27 = set!(Optgroup);
    OPTION 28 = set!(Option);
    P 29 = set!(P);
    RTC 30 = set!(Rtc);
    RUBY 31 = set!(Ruby);
    SCRIPT 32 = set!(Script);
    SELECT 33 = set!(Select);
    BODY 34 = set!(Body);
    // A datalist hides its options from a select around it. A `selectedcontent` displays the selected option.
    DATALIST 35 = set!(Datalist);
    SELECTEDCONTENT 36 = set!(Selectedcontent);
    // Context elements for which the insertion mode is "in body", unlike for the same elements on the stack.
    NOT_AS_CONTEXT 37 = set!(Head Td Th);
    // Set for SVG scripts only, so it contains no HTML element.
    SVG_SCRIPT 38 = Names::NONE;
    // Elements that are associated with a form ("form-associated"), and those of them whose attribute `form` can select
    // the form ("listed").
    FORM_ASSOCIATED 39 = html_facts::FORM_ASSOCIATED;
    LISTED 40 = html_facts::LISTED;
}

/// Elements that change fields of a frame's summary (see `stack.rs`) other than the scopes.
pub(super) const SUMMARISED: Group = TABLE.or(SELECT).or(OPTGROUP).or(OPTION).or(HIDES_SELECT);
/// Elements that hide the options in them from a select outside.
pub(super) const HIDES_SELECT: Group = DATALIST.or(TEMPLATE);
/// Elements for which additional steps run when they are inserted: see `open` in `insertion_point.rs`.
pub(super) const OPENED_WITH_CARE: Group = PART_OF_SELECT.or(OPTGROUP).or(FORM_ASSOCIATED);
/// Selects, options, and the elements that display the selected option.
pub(super) const PART_OF_SELECT: Group = SELECT.or(OPTION).or(SELECTEDCONTENT);
/// Elements for which additional steps run when they are popped: see `closed` in `insertion_point.rs`.
pub(super) const CLOSED_WITH_CARE: Group = SELECT.or(OPTION).or(FORM).or(TEMPLATE);

/// HTML elements other than custom elements that may have a shadow root: the "valid shadow host names" of the DOM
/// standard.
pub(super) const SHADOW_HOSTS: Names = set!(Article Aside Blockquote Body Div Footer H1 H2 H3 H4 H5 H6 Header Main Nav P
    Section Span);

/// MathML elements of the category "special", which end scopes: text integration points, and `annotation-xml`, which
/// may be an HTML integration point.
pub(super) const MATH_INTEGRATION_POINTS: Names =
    MATH_TEXT_INTEGRATION_POINTS.or(set!(AnnotationXml));

/// The insertion mode that each element determines, as in "reset the insertion mode appropriately". The nearest open
/// element that is listed here determines it.
pub(super) const STANDS_FOR: &[(Names, Mode)] = &[
    (set!(Html), BeforeHead),
    (set!(Head), InHead),
    (set!(Body), InBody),
    (set!(Frameset), InFrameset),
    (set!(Template), InTemplate),
    (set!(Table), InTable),
    (set!(Caption), InCaption),
    (set!(Colgroup), InColumnGroup),
    (ROW_GROUPS, InTableBody),
    (set!(Tr), InRow),
    (CELLS, InCell),
];

/// Modes whose rules treat whitespace like other characters, except that whitespace does not set the frameset-ok flag
/// to "not ok". Once the flag is "not ok", runs of text need not be split in these modes, nor in foreign content there.
pub(super) const SPACE_IS_TEXT: &[Mode] = &[InBody, Text, InCaption, InCell, InTemplate];

// Abbreviations

const CLOSE_P: Action = If(&(
    &[InScope(P_IN_SCOPE)],
    &[ImplyEnds(IMPLIED_BUT_P), Close(P)],
));
const CLOSE_LI: Action = If(&(&[InScope(LI_ITEM)], &[ImplyEnds(IMPLIED_BUT_LI), Close(LI)]));
const IMPLY_ENDS: Action = ImplyEnds(IMPLIED);
const OPTION_UNCLOSED: Action = If(&(&[InScope(OPTION_IN_SCOPE)], &[Error(UNCLOSED_ELEMENT)]));
const OPTION_OR_GROUP_UNCLOSED: Action = If(&(
    &[InScope(OPTION_OR_GROUP_IN_SCOPE)],
    &[Error(UNCLOSED_ELEMENT)],
));
const UNCLOSED_AT_END_TAG: Action = If(&(&[InScope(OTHERS)], &[Error(END_TAG_WITH_OPEN_ELEMENTS)]));
const SET_FORM: Action = If(&(
    &[NotInScope(TEMPLATE_IN_SCOPE), ContextNot(TEMPLATE)],
    &[SetForm],
));
/// Tokens that most modes process by the rules of `InBody`: a comment is inserted, a DOCTYPE is a parse error, and an
/// `html` adds its attributes to the root element.
const LIKE_IN_BODY: Tokens = COMMENT.or(DOCTYPE).or(tag!(Html));

// A token has no row of its own in a mode if another row has the same effect. For example, an end tag of an element
// that is not in scope needs no row, because "any other end tag" finds no element either.

tables! {
Initial {
    SPACE                                   => [];
    COMMENT                                 => [CommentOnDocument];
    DOCTYPE                                 => [InsertDoctype, Turn(BeforeHtml)];
    ANY                                     => [NoDoctype, Turn(BeforeHtml), Reprocess];
}

BeforeHtml {
    DOCTYPE                                 => [Error(MISPLACED_DOCTYPE)];
    COMMENT                                 => [CommentOnDocument];
    SPACE                                   => [];
    tag!(Html)                              => [Insert];
    close_but!(Head Body Html Br)           => [Error(STRAY_END_TAG)];
    ANY                                     => [Imply(ElementName::Html), Reprocess];
}

BeforeHead {
    SPACE                                   => [];
    LIKE_IN_BODY                            => [As(InBody)];
    tag!(Head)                              => [Insert, SetHead];
    close_but!(Head Body Html Br)           => [Error(STRAY_END_TAG)];
    ANY                                     => [Imply(ElementName::Head), SetHead, Reprocess];
}

InHead {
    SPACE                                   => [InsertText];
    LIKE_IN_BODY                            => [As(InBody)];
    tag!(Base Basefont Bgsound Link Meta)   => [Void];
    tag!(Title)                             => [Insert, HoldsText(Rcdata)];
    tag!(Noscript), [Scripting]             => [Insert, HoldsText(Rawtext)];
    tag!(Noframes Style)                    => [Insert, HoldsText(Rawtext)];
    tag!(Noscript)                          => [Insert, Turn(InHeadNoscript)];
    tag!(Script)                            => [Insert, HoldsText(ScriptData)];
    close!(Head)                            => [Pop];
    tag!(Template), [Attribute(&["for"]), NotShadow] => [InsertPatch, PushMarker, FramesetNotOk];
    tag!(Template)                          => [InsertTemplate, PushMarker, FramesetNotOk];
    close!(Template), [NotInScope(TEMPLATE_IN_SCOPE)] => [Error(STRAY_END_TAG)];
    close!(Template)                        => [ImplyEnds(IMPLIED_ALL), EndPatch,
                                                Close(TEMPLATE), ClearToMarker];
    tag!(Head)                              => [Error(MISPLACED_START_TAG)];
    close_but!(Body Html Br)                => [Error(STRAY_END_TAG)];
    ANY                                     => [Pop, Reprocess];
}

InHeadNoscript {
    DOCTYPE.or(tag!(Html))                  => [As(InBody)];
    close!(Noscript)                        => [Pop];
    SPACE.or(COMMENT).or(tag!(Basefont Bgsound Link Meta Noframes Style)) => [As(InHead)];
    tag!(Head Noscript)                     => [Error(MISPLACED_START_TAG)];
    close_but!(Br)                          => [Error(STRAY_END_TAG)];
    ANY                                     => [Error(CONTENT_IN_HEAD_NOSCRIPT), Pop, Reprocess];
}

AfterHead {
    SPACE                                   => [InsertText];
    LIKE_IN_BODY                            => [As(InBody)];
    tag!(Body)                              => [Insert, FramesetNotOk];
    tag!(Frameset)                          => [Insert];
    start(HEAD_TAGS)                        => [Error(METADATA_AFTER_HEAD), InHeadAgain];
    tag!(Head)                              => [Error(MISPLACED_START_TAG)];
    close_but!(Body Html Br)                => [Error(STRAY_END_TAG)];
    ANY                                     => [Imply(ElementName::Body), FramesetOkAgain, Reprocess];
}

InBody {
    NULL                                    => [Error(NULL_CHARACTER_IN_CONTENT)];
    SPACE                                   => [Reconstruct, InsertText];
    CHARACTER                               => [Reconstruct, InsertText, FramesetNotOk];
    COMMENT                                 => [InsertComment];
    DOCTYPE                                 => [Error(MISPLACED_DOCTYPE)];
    tag!(Html), [InScope(TEMPLATE_IN_SCOPE)]       => [Error(MISPLACED_START_TAG)];
    tag!(Html)                              => [Error(REPEATED_START_TAG), AddMissingToHtml];
    start(HEAD_TAGS).or(close!(Template))   => [As(InHead)];
    tag!(Body), [SecondIsBody, NotInScope(TEMPLATE_IN_SCOPE)]
                                            => [Error(REPEATED_START_TAG), FramesetNotOk,
                                                AddMissingToBody];
    tag!(Frameset), [SecondIsBody, FramesetOk] => [Error(LATE_FRAMESET), DropBody, Insert];
    END_OF_FILE, [InScope(TEMPLATE_IN_SCOPE)]      => [As(InTemplate)];
    END_OF_FILE, [Context(TEMPLATE)]        => [As(InTemplate)];
    END_OF_FILE                             => [If(&(&[InScope(OTHERS)],
                                                &[Error(EOF_WITH_OPEN_ELEMENTS)])), Stop];
    close!(Body), [InScope(BODY_IN_SCOPE)]         => [UNCLOSED_AT_END_TAG, Enter(AfterBody)];
    close!(Html), [InScope(BODY_IN_SCOPE)]         => [UNCLOSED_AT_END_TAG, Enter(AfterBody), Reprocess];
    close!(Body Html)                       => [Error(STRAY_END_TAG)];
    start(BLOCKS)                           => [CLOSE_P, Insert];
    start(HEADING_TAGS)                     => [CLOSE_P, If(&(&[Current(HEADINGS)],
                                                &[Error(NESTED_HEADING), Pop])), Insert];
    tag!(Pre Listing)                       => [CLOSE_P, Insert, SkipNewline, FramesetNotOk];
    tag!(Form), [Form, NotInScope(TEMPLATE_IN_SCOPE), ContextNot(TEMPLATE)] => [Error(NESTED_FORM)];
    tag!(Form)                              => [CLOSE_P, Insert, SET_FORM];
    tag!(Li)                                => [FramesetNotOk, CLOSE_LI, CLOSE_P, Insert];
    tag!(Dd Dt), [InScope(DD_ITEM)]            => [FramesetNotOk, ImplyEnds(IMPLIED_BUT_DD), Close(DD),
                                                CLOSE_P, Insert];
    tag!(Dd Dt), [InScope(DT_ITEM)]            => [FramesetNotOk, ImplyEnds(IMPLIED_BUT_DT), Close(DT),
                                                CLOSE_P, Insert];
    tag!(Dd Dt)                             => [FramesetNotOk, CLOSE_P, Insert];
    tag!(Plaintext)                         => [CLOSE_P, Insert, Tokenize(Plaintext)];
    tag!(Button)                            => [If(&(&[InScope(BUTTON_IN_SCOPE)], &[Error(NESTED_BUTTON),
                                                IMPLY_ENDS, PopThrough(BUTTON)])), Reconstruct,
                                                Insert, FramesetNotOk];
    end(BLOCK_ENDS), [SameInScope]             => [IMPLY_ENDS, CloseSame];
    close!(Form), [NotInScope(TEMPLATE_IN_SCOPE), ContextNot(TEMPLATE)] => [EndForm];
    close!(Form), [InScope(FORM_IN_SCOPE)]         => [IMPLY_ENDS, Close(FORM)];
    close!(P), [NotInScope(P_IN_SCOPE)]             => [Error(P_END_TAG_WITHOUT_START_TAG),
                                                Imply(ElementName::P), Pop];
    close!(P)                               => [CLOSE_P];
    close!(Li), [InScope(LI_IN_SCOPE)]             => [ImplyEnds(IMPLIED_BUT_LI), Close(LI)];
    close!(Dd), [SameInScope]                  => [ImplyEnds(IMPLIED_BUT_DD), Close(DD)];
    close!(Dt), [SameInScope]                  => [ImplyEnds(IMPLIED_BUT_DT), Close(DT)];
    end(HEADING_TAGS), [InScope(HEADING_IN_SCOPE)] => [IMPLY_ENDS, ExpectSame, PopThrough(HEADINGS)];
    tag!(A)                                 => [AdoptPrior, Reconstruct, Insert, PushFormatting];
    tag!(Nobr)                              => [Reconstruct, If(&(&[InScope(NOBR_IN_SCOPE)],
                                                &[Error(NESTED_NOBR), Adopt, Reconstruct])), Insert,
                                                PushFormatting];
    start(FORMATTING)                       => [Reconstruct, Insert, PushFormatting];
    end(FORMATTING)                         => [Adopt];
    start(OBJECTS)                          => [Reconstruct, Insert, PushMarker, FramesetNotOk];
    end(OBJECTS), [SameInScope]                => [IMPLY_ENDS, CloseSame, ClearToMarker];
    tag!(Table), [NotQuirks]                => [CLOSE_P, Insert, FramesetNotOk];
    tag!(Table)                             => [Insert, FramesetNotOk];
    close!(Br)                              => [Error(BR_END_TAG), Rename(ElementName::Br),
                                                As(InBody)];
    tag!(Area Br Embed Img Keygen Wbr)      => [Reconstruct, Void, FramesetNotOk];
    tag!(Input), [Context(SELECT)]          => [Error(INPUT_IN_SELECT)];
    tag!(Input)                             => [If(&(&[InScope(SELECT_IN_SCOPE)], &[Error(INPUT_IN_SELECT),
                                                PopThrough(SELECT)])), Reconstruct, Void,
                                                If(&(&[NotHidden], &[FramesetNotOk]))];
    tag!(Param Source Track)                => [Void];
    tag!(Hr)                                => [CLOSE_P, If(&(&[InScope(SELECT_IN_SCOPE)], &[IMPLY_ENDS,
                                                OPTION_OR_GROUP_UNCLOSED])), Void, FramesetNotOk];
    tag!(Image)                             => [Error(IMAGE_START_TAG), Rename(ElementName::Img),
                                                Reprocess];
    tag!(Textarea)                          => [Insert, HoldsText(Rcdata), SkipNewline,
                                                FramesetNotOk];
    tag!(Xmp)                               => [CLOSE_P, Reconstruct, FramesetNotOk, Insert,
                                                HoldsText(Rawtext)];
    tag!(Iframe)                            => [FramesetNotOk, Insert, HoldsText(Rawtext)];
    tag!(Noembed)                           => [Insert, HoldsText(Rawtext)];
    tag!(Noscript), [Scripting]             => [Insert, HoldsText(Rawtext)];
    tag!(Select), [Context(SELECT)]         => [Error(NESTED_SELECT)];
    tag!(Select), [InScope(SELECT_IN_SCOPE)]       => [Error(NESTED_SELECT), PopThrough(SELECT)];
    tag!(Select)                            => [Reconstruct, Insert, FramesetNotOk];
    tag!(Option), [InScope(SELECT_IN_SCOPE)]       => [ImplyEnds(IMPLIED_BUT_OPTGROUP), OPTION_UNCLOSED,
                                                Reconstruct, Insert];
    tag!(Optgroup), [InScope(SELECT_IN_SCOPE)]     => [IMPLY_ENDS, OPTION_OR_GROUP_UNCLOSED, Reconstruct,
                                                Insert];
    tag!(Option Optgroup)                   => [If(&(&[Current(OPTION)], &[Pop])), Reconstruct,
                                                Insert];
    tag!(Rb Rtc)                            => [If(&(&[InScope(RUBY_IN_SCOPE)], &[IMPLY_ENDS])),
                                                If(&(&[CurrentNot(RUBY)],
                                                &[Error(RUBY_PART_OUTSIDE_RUBY)])), Insert];
    tag!(Rp Rt)                             => [If(&(&[InScope(RUBY_IN_SCOPE)],
                                                &[ImplyEnds(IMPLIED_BUT_RTC)])),
                                                If(&(&[CurrentNot(RUBY.or(RTC))],
                                                &[Error(RUBY_PART_OUTSIDE_RUBY)])), Insert];
    tag!(Math)                              => [Reconstruct, InsertForeign(Space::Math)];
    tag!(Svg)                               => [Reconstruct, InsertForeign(Space::Svg)];
    start(TABLE_PARTS.or(set!(Body Frame Frameset Head))) => [Error(MISPLACED_START_TAG)];
    ANY_START                               => [Reconstruct, Insert];
    ANY_END                                 => [CloseAny];
}

Text {
    TEXT                                    => [InsertText];
    END_OF_FILE                             => [Error(EOF_IN_TEXT_ELEMENT), Pop, Resume, Reprocess];
    ANY_END                                 => [EndScript, Pop, Resume];
}

InTable {
    TEXT, [Current(HOLDS_TEXT)]             => [HoldText, Reprocess];
    COMMENT.or(DOCTYPE)                     => [As(InBody)];
    tag!(Caption)                           => [PopTo(TABLE_CONTEXT), PushMarker, Insert];
    tag!(Colgroup)                          => [PopTo(TABLE_CONTEXT), Insert];
    tag!(Col)                               => [PopTo(TABLE_CONTEXT), Imply(ElementName::Colgroup),
                                                Reprocess];
    start(ROW_GROUPS)                       => [PopTo(TABLE_CONTEXT), Insert];
    tag!(Td Th Tr)                          => [PopTo(TABLE_CONTEXT), Imply(ElementName::Tbody),
                                                Reprocess];
    tag!(Table), [InScope(TABLE_IN_SCOPE)]         => [Error(NESTED_TABLE), PopThrough(TABLE), Reprocess];
    tag!(Table)                             => [Error(MISPLACED_START_TAG)];
    close!(Table), [InScope(TABLE_IN_SCOPE)]       => [PopThrough(TABLE)];
    end(TABLE_PARTS.or(set!(Table Body Html))) => [Error(STRAY_END_TAG)];
    tag!(Style Script Template).or(close!(Template)) => [As(InHead)];
    tag!(Input), [Hidden]                   => [Error(HIDDEN_INPUT_IN_TABLE), Void];
    tag!(Form), [Form, NotInScope(TEMPLATE_IN_SCOPE), ContextNot(TEMPLATE)] => [Error(NESTED_FORM)];
    tag!(Form)                              => [Error(FORM_IN_TABLE), Insert, SET_FORM, Pop];
    END_OF_FILE                             => [As(InBody)];
    ANY                                     => [Error(CONTENT_IN_TABLE), Foster(InBody)];
}

InTableText {
    NULL                                    => [Error(NULL_CHARACTER_IN_CONTENT)];
    TEXT                                    => [HoldCharacters];
    ANY                                     => [ReleaseText, Resume, Reprocess];
}

InCaption {
    close!(Caption), [InScope(CAPTION_IN_SCOPE)]   => [IMPLY_ENDS, Close(CAPTION), ClearToMarker];
    start(TABLE_PARTS).or(close!(Table)), [InScope(CAPTION_IN_SCOPE)]
                                            => [IMPLY_ENDS, Close(CAPTION), ClearToMarker,
                                                Reprocess];
    ANY                                     => [As(InBody)];
}

InColumnGroup {
    SPACE                                   => [InsertText];
    LIKE_IN_BODY                            => [As(InBody)];
    tag!(Col)                               => [Void];
    close!(Colgroup), [Current(COLGROUP)]   => [Pop];
    close!(Colgroup Col)                    => [Error(STRAY_END_TAG)];
    tag!(Template).or(close!(Template))     => [As(InHead)];
    END_OF_FILE                             => [As(InBody)];
    ANY, [Current(COLGROUP)]                => [Pop, Reprocess];
    ANY                                     => [Error(CONTENT_IN_COLUMN_GROUP)];
}

InTableBody {
    tag!(Tr)                                => [PopTo(GROUP_CONTEXT), Insert];
    start(CELLS)                            => [Error(CELL_OUTSIDE_ROW), PopTo(GROUP_CONTEXT),
                                                Imply(ElementName::Tr), Reprocess];
    end(ROW_GROUPS), [SameInTableScope]      => [PopTo(GROUP_CONTEXT), Pop];
    tag!(Caption Col Colgroup Tbody Tfoot Thead).or(close!(Table)), [InScope(ROW_GROUP_IN_SCOPE)]
                                            => [PopTo(GROUP_CONTEXT), Pop, Reprocess];
    tag!(Caption Col Colgroup Tbody Tfoot Thead) => [Error(MISPLACED_START_TAG)];
    ANY                                     => [As(InTable)];
}

InRow {
    start(CELLS)                            => [PopTo(ROW_CONTEXT), Insert, PushMarker];
    close!(Tr), [InScope(ROW_IN_SCOPE)]            => [PopTo(ROW_CONTEXT), Pop];
    tag!(Caption Col Colgroup Tbody Tfoot Thead Tr).or(close!(Table)), [InScope(ROW_IN_SCOPE)]
                                            => [PopTo(ROW_CONTEXT), Pop, Reprocess];
    end(ROW_GROUPS), [SameInTableScope, InScope(ROW_IN_SCOPE)] => [PopTo(ROW_CONTEXT), Pop, Reprocess];
    tag!(Caption Col Colgroup Tbody Tfoot Thead Tr) => [Error(MISPLACED_START_TAG)];
    ANY                                     => [As(InTable)];
}

InCell {
    end(CELLS), [SameInTableScope]           => [IMPLY_ENDS, CloseSame, ClearToMarker];
    start(TABLE_PARTS), [InScope(CELL_IN_SCOPE)]   => [IMPLY_ENDS, Close(CELL), ClearToMarker, Reprocess];
    end(ROW_GROUPS.or(set!(Table Tr))), [SameInTableScope]
                                            => [IMPLY_ENDS, Close(CELL), ClearToMarker, Reprocess];
    ANY                                     => [As(InBody)];
}

InTemplate {
    TEXT.or(COMMENT).or(DOCTYPE)            => [As(InBody)];
    start(HEAD_TAGS).or(close!(Template))   => [As(InHead)];
    tag!(Caption Colgroup Tbody Tfoot Thead) => [Turn(InTable), Reprocess];
    tag!(Col)                               => [Turn(InColumnGroup), Reprocess];
    tag!(Tr)                                => [Turn(InTableBody), Reprocess];
    start(CELLS)                            => [Turn(InRow), Reprocess];
    ANY_START                               => [Turn(InBody), Reprocess];
    ANY_END                                 => [Error(STRAY_END_TAG)];
    END_OF_FILE, [InScope(TEMPLATE_IN_SCOPE)]      => [Error(EOF_IN_TEMPLATE), PopThrough(TEMPLATE),
                                                ClearToMarker, Reprocess];
    END_OF_FILE                             => [Stop];
}

AfterBody {
    SPACE.or(DOCTYPE).or(tag!(Html))        => [As(InBody)];
    COMMENT                                 => [CommentOnHtml];
    close!(Html), [Fragment]                => [Error(STRAY_END_TAG)];
    close!(Html)                            => [Enter(AfterAfterBody)];
    END_OF_FILE                             => [Stop];
    ANY                                     => [Error(CONTENT_AFTER_BODY), Resume, Reprocess];
}

InFrameset {
    SPACE                                   => [InsertText];
    LIKE_IN_BODY                            => [As(InBody)];
    tag!(Frameset)                          => [Insert];
    close!(Frameset), [Current(HTML)]       => [Error(STRAY_END_TAG)];
    close!(Frameset)                        => [Pop, If(&(&[Document, CurrentNot(FRAMESET)],
                                                &[Enter(AfterFrameset)])), If(&(&[Fragment,
                                                Current(HTML)], &[Enter(InFrameset)]))];
    tag!(Frame)                             => [Void];
    tag!(Noframes)                          => [As(InHead)];
    END_OF_FILE                             => [If(&(&[CurrentNot(HTML)], &[Error(EOF_IN_FRAMESET)])),
                                                Stop];
    ANY                                     => [Error(CONTENT_IN_FRAMESET)];
}

AfterFrameset {
    SPACE                                   => [InsertText];
    LIKE_IN_BODY                            => [As(InBody)];
    close!(Html)                            => [Enter(AfterAfterFrameset)];
    tag!(Noframes)                          => [As(InHead)];
    END_OF_FILE                             => [Stop];
    ANY                                     => [Error(CONTENT_AFTER_FRAMESET)];
}

AfterAfterBody {
    COMMENT                                 => [CommentOnDocument];
    DOCTYPE.or(SPACE).or(tag!(Html))        => [As(InBody)];
    END_OF_FILE                             => [Stop];
    ANY                                     => [Error(CONTENT_AFTER_DOCUMENT), Resume, Reprocess];
}

AfterAfterFrameset {
    COMMENT                                 => [CommentOnDocument];
    DOCTYPE.or(SPACE).or(tag!(Html))        => [As(InBody)];
    END_OF_FILE                             => [Stop];
    tag!(Noframes)                          => [As(InHead)];
    ANY                                     => [Error(CONTENT_AFTER_FRAMESET)];
}

Foreign {
    NULL                                    => [Error(NULL_CHARACTER_IN_CONTENT),
                                                InsertReplacement];
    SPACE                                   => [InsertText];
    CHARACTER                               => [InsertText, FramesetNotOk];
    COMMENT.or(DOCTYPE)                     => [As(InBody)];
    END_OF_FILE                             => [AsHtml];
    start(BREAKOUT).or(close!(Br P))        => [Error(HTML_IN_FOREIGN_CONTENT), BreakOut, AsHtml];
    tag!(Font), [Attribute(BREAKOUT_FONT)]
                                            => [Error(HTML_IN_FOREIGN_CONTENT), BreakOut, AsHtml];
    ANY_START                               => [InsertAlike];
    ANY_END                                 => [CloseForeign];
}

MathTextIntegrationPoint {
    tag!(Mglyph Malignmark)                 => [As(Foreign)];
    TEXT.or(ANY_START).or(END_OF_FILE)      => [AsHtml];
    ANY                                     => [As(Foreign)];
}

AnnotationXml {
    tag!(Svg)                               => [AsHtml];
    ANY                                     => [As(Foreign)];
}

HtmlIntegrationPoint {
    TEXT.or(ANY_START).or(END_OF_FILE)      => [AsHtml];
    ANY                                     => [As(Foreign)];
}
}
