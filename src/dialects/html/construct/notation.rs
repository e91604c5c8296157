//! The notation of the schema: the conditions and actions that a row of a rule table may contain, and the macros that
//! declare the tables.
//!
//! ```text
//! Mode {                                   a table
//!     TOKENS => [ACTIONS];                 a row
//!     TOKENS, [GUARDS] => [ACTIONS];       a row with conditions
//! }
//! ```
//!
//! In a table, the first row is applied whose tokens include the current token and whose guards are all true. Its
//! actions run in order. A row without actions drops the token.

use super::modes::Mode;
use crate::dialects::html::construct::rules::{self, Group, Scoped, TokenKind, Tokens};
use crate::dialects::html::names::{Names, Space};
use crate::dialects::html::options::InitialState;
use crate::engine::error::ErrorCode;
use crate::engine::text::html_element_names::ElementName;

/// A row of a rule table of the schema.
pub(in crate::dialects::html) type Row = rules::Row<Guard, Action>;
/// A rule table of the schema.
pub(in crate::dialects::html) type Table = rules::Table<Guard, Action>;

/// Declares the static [`TABLES`](super::schema::TABLES) from the modes and their rows.
macro_rules! tables {
    ($($mode:ident {
        $($tokens:expr $(, [$($guard:expr),*])? => [$($action:expr),*];)*
    })*) => {
        /// The names of the modes, in order.
        #[cfg(any(test, feature = "inspect"))]
        pub(super) const MODE_NAMES: &[&str] = &[$(stringify!($mode)),*];

        /// The rule table of each mode, in the order of [`Mode`].
        pub(in crate::dialects::html) static TABLES: [Table; [$(Mode::$mode),*].len()] = [$(
            const {
                const ROWS: &[Row] = &[$(Row {
                    tokens: $tokens,
                    guards: &[$($($guard),*)?],
                    actions: &[$($action),*],
                }),*];
                Table::new(ROWS)
            }
        ),*];

        // Each mode has a table, in the order of `Mode`.
        const _: fn(Mode) = |mode| match mode { $(Mode::$mode => {})* };
        const _: () = {
            let (modes, mut next) = ([$(Mode::$mode),*], 0);
            while next < modes.len() {
                assert!(modes[next] as usize == next);
                next += 1;
            }
        };
    };
}
pub(super) use tables;

/// The start tags with the listed names.
macro_rules! tag {
    ($($name:ident)*) => { start(set!($($name)*)) };
}
/// The end tags with the listed names.
macro_rules! close {
    ($($name:ident)*) => { end(set!($($name)*)) };
}
/// All end tags except those with the listed names.
macro_rules! close_but {
    ($($name:ident)*) => { end(Names::ALL.without(set!($($name)*))) };
}
pub(super) use crate::dialects::html::names::set;
pub(super) use {close, close_but, tag};

pub(super) const NULL: Tokens = Tokens::of(TokenKind::Null);
pub(super) const SPACE: Tokens = Tokens::of(TokenKind::Space);
pub(super) const CHARACTER: Tokens = Tokens::of(TokenKind::Character);
pub(super) const TEXT: Tokens = NULL.or(SPACE).or(CHARACTER);
pub(super) const COMMENT: Tokens = Tokens::of(TokenKind::Comment);
pub(super) const DOCTYPE: Tokens = Tokens::of(TokenKind::Doctype);
pub(super) const END_OF_FILE: Tokens = Tokens::of(TokenKind::EndOfFile);
pub(super) const ANY_START: Tokens = start(Names::ALL);
pub(super) const ANY_END: Tokens = end(Names::ALL);
pub(super) const ANY: Tokens = Tokens::ALL;

/// Returns the set of start tags with the given names.
pub(super) const fn start(names: Names) -> Tokens {
    Tokens::tags(names, Names::NONE)
}

/// Returns the set of end tags with the given names.
pub(super) const fn end(names: Names) -> Tokens {
    Tokens::tags(Names::NONE, names)
}

/// A condition of a row.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialects::html) enum Guard {
    /// At least one of these elements is in its scope. The set contains pairs of a name and a scope.
    InScope(Scoped),
    /// None of these elements is in its scope. The set contains pairs of a name and a scope.
    NotInScope(Scoped),
    /// An HTML element with the token's name is in the default scope.
    SameInScope,
    /// An HTML element with the token's name is in table scope.
    SameInTableScope,
    /// The current node is in this group.
    Current(Group),
    /// The current node is not in this group.
    CurrentNot(Group),
    /// The second element on the stack is a body.
    SecondIsBody,
    /// The input is a fragment.
    Fragment,
    /// The input is a document.
    Document,
    /// The input is a fragment, and its context element is in this group.
    Context(Group),
    /// The input is a document, or the context element of the fragment is not in this group.
    ContextNot(Group),
    /// The scripting flag is enabled.
    Scripting,
    /// The frameset-ok flag is "ok".
    FramesetOk,
    /// The document is not in quirks mode.
    NotQuirks,
    /// The form element pointer is set.
    Form,
    /// The start tag is an input of type `hidden`.
    Hidden,
    /// The start tag is not an input of type `hidden`.
    NotHidden,
    /// The start tag has no valid `shadowrootmode` attribute.
    NotShadow,
    /// The start tag has one of these attributes.
    Attribute(&'static [&'static str]),
}

/// An action of a row.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialects::html) enum Action {
    /// Reports a parse error.
    Error(ErrorCode),
    /// Runs the actions if the conditions are true after the previous actions of the row.
    If(&'static (&'static [Guard], &'static [Action])),

    // The stack of open elements
    /// Inserts an HTML element for the token and makes it the current node.
    Insert,
    /// Inserts an HTML element with this name and without attributes, and makes it the current node.
    Imply(ElementName),
    /// Inserts an HTML element that stays empty, and acknowledges the self-closing flag of the tag.
    Void,
    /// Inserts an element of SVG or MathML, in this namespace.
    InsertForeign(Space),
    /// Inserts an element of SVG or MathML, in the namespace of the adjusted current node.
    InsertAlike,
    /// Inserts a template, or attaches the shadow root that it declares.
    InsertTemplate,
    /// Pops the current node.
    Pop,
    /// Pops elements until one in the group has been popped.
    PopThrough(Group),
    /// Pops elements until one in the group has been popped. Reports a parse error unless that is the current node.
    Close(Group),
    /// Pops elements until an HTML element with the token's name has been popped. Reports a parse error unless that
    /// is the current node.
    CloseSame,
    /// Pops elements until the current node is in the group.
    PopTo(Group),
    /// Generates implied end tags: pops elements while the current node is in the group.
    ImplyEnds(Group),
    /// Reports a parse error unless the current node has the token's name.
    ExpectSame,

    // Named procedures on the stack
    /// Runs the steps for "any other end tag" in the mode "in body".
    CloseAny,
    /// Closes the foreign element with the token's name, or applies the insertion mode's rules if an HTML element is
    /// nearer.
    CloseForeign,
    /// Pops foreign elements until the content of the current node may be HTML.
    BreakOut,
    /// Closes the form of the form element pointer, or reports an error if the form is not in scope. Sets the pointer
    /// to null.
    EndForm,
    /// Inserts a template. If there are markers for it, its content is inserted at the markers.
    InsertPatch,
    /// Ends the insertion at markers for the last open template, and removes the markers.
    EndPatch,
    /// Applies the rules "in head" while the head is on the stack again.
    InHeadAgain,
    /// Removes the body from the tree, and pops all elements except the root.
    DropBody,

    // The list of active formatting elements
    /// Reconstructs the active formatting elements.
    Reconstruct,
    /// Adds the current node to the list of active formatting elements.
    PushFormatting,
    /// Adds a marker to the list of active formatting elements.
    PushMarker,
    /// Removes the entries of the list of active formatting elements from the last marker on.
    ClearToMarker,
    /// Runs the adoption agency algorithm for the token.
    Adopt,
    /// If the list of active formatting elements has an element with the token's name after the last marker, closes
    /// that element by the adoption agency algorithm and removes it from the list and the stack.
    AdoptPrior,

    // Text, comments, attributes, DOCTYPEs
    /// Inserts the characters of the token.
    InsertText,
    /// Inserts U+FFFD for each character of the token.
    InsertReplacement,
    /// Inserts a comment at the appropriate place.
    InsertComment,
    /// Inserts a comment as the last child of the document.
    CommentOnDocument,
    /// Inserts a comment as the last child of the root element.
    CommentOnHtml,
    /// Adds the token's attributes that the root element does not have to the root element.
    AddMissingToHtml,
    /// Adds the token's attributes that the body does not have to the body.
    AddMissingToBody,
    /// Inserts a DOCTYPE and sets the document's mode (quirks, limited-quirks or no-quirks).
    InsertDoctype,
    /// Reports the missing DOCTYPE and sets quirks mode.
    NoDoctype,
    /// Starts to store the text in a table, and enters the mode `InTableText`.
    HoldText,
    /// Appends the characters of the token to the stored text.
    HoldCharacters,
    /// Inserts the stored text.
    ReleaseText,

    // The rules to apply
    /// Enters a mode that the stack does not determine. It applies until `Resume`.
    Enter(Mode),
    /// Leaves the mode that was entered, and restores the previous one.
    Resume,
    /// Changes the insertion mode that the current node determines, until that node is popped.
    Turn(Mode),
    /// Applies the rules of another mode to this token.
    As(Mode),
    /// Applies the rules of another mode to this token, with foster parenting enabled.
    Foster(Mode),
    /// Applies the rules of the insertion mode.
    AsHtml,
    /// Processes the token again from the start, by the rules that apply after the previous actions of this row.
    Reprocess,
    /// Replaces the token's name, and makes it a start tag.
    Rename(ElementName),
    /// Stops parsing: pops all elements off the stack.
    Stop,

    // Pointers, flags, the tokenizer
    /// Sets the head element pointer to the current node.
    SetHead,
    /// Sets the form element pointer to the current node.
    SetForm,
    /// Sets the frameset-ok flag to "not ok".
    FramesetNotOk,
    /// Sets the frameset-ok flag to "ok".
    FramesetOkAgain,
    /// Drops a newline at the start of the next token.
    SkipNewline,
    /// Switches the tokenizer to this state.
    Tokenize(InitialState),
    /// Switches the tokenizer to this state for the content of an element, and enters the mode `Text` until the end
    /// tag.
    HoldsText(InitialState),
    /// Marks the current node as the script that has ended, if it is a script that runs.
    EndScript,
}

// PERF: rows are read for every token. The smaller they are, the fewer cache lines are read.
const _: () = assert!(size_of::<Action>() == 16);
