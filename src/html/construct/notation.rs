//! The notation of the schema: what a row may say. It must not know what any row says.
//!
//! ```text
//! Mode {                                   a table
//!     TOKENS => [ACTIONS];                 a row
//!     TOKENS, [GUARDS] => [ACTIONS];       a row with conditions
//! }
//! ```
//!
//! Within a table, the first row is applied whose tokens match and whose guards all hold. Its actions
//! run in order; a row without actions drops the token.

use super::schema::Mode;
use crate::error::ErrorCode;
use crate::html::InitialState;
use crate::html::construct::rules::{self, Group, Kind, Scoped, Tokens};
use crate::html::names::{Names, Space};
use crate::text::html_element_names::ElementName;

/// A row of the schema, and a table of it.
pub(in crate::html) type Row = rules::Row<Guard, Action>;
pub(in crate::html) type Table = rules::Table<Guard, Action>;

/// Declares the modes, and [`TABLES`](super::schema::TABLES): the rows of each, in order.
macro_rules! tables {
    ($($(#[$doc:meta])* $mode:ident {
        $($tokens:expr $(, [$($guard:expr),*])? => [$($action:expr),*];)*
    })*) => {
        /// The tables of the schema: the insertion modes of the standard, its rules for foreign
        /// content, and which of both apply to a current node that is foreign.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
        pub(in crate::html) enum Mode {
            $($(#[$doc])* $mode,)*
        }

        /// What the modes are called, in order.
        #[cfg(feature = "cli")]
        pub(super) const MODE_NAMES: &[&str] = &[$(stringify!($mode)),*];

        /// The rows of each mode.
        pub(in crate::html) static TABLES: [Table; [$(Mode::$mode),*].len()] = [$(
            const {
                const ROWS: &[Row] = &[$(Row {
                    tokens: $tokens,
                    guards: &[$($($guard),*)?],
                    actions: &[$($action),*],
                }),*];
                Table::new(ROWS)
            }
        ),*];
    };
}
pub(super) use tables;

/// Start tags of one name, or of a few.
macro_rules! tag {
    ($($name:ident)*) => { start(set!($($name)*)) };
}
/// End tags of one name, or of a few.
macro_rules! close {
    ($($name:ident)*) => { end(set!($($name)*)) };
}
/// All end tags but those of a few names.
macro_rules! close_but {
    ($($name:ident)*) => { end(Names::ALL.without(set!($($name)*))) };
}
pub(super) use crate::html::names::set;
pub(super) use {close, close_but, tag};

pub(super) const NULL: Tokens = Tokens::of(Kind::Null);
pub(super) const SPACE: Tokens = Tokens::of(Kind::Space);
pub(super) const CHARACTER: Tokens = Tokens::of(Kind::Character);
pub(super) const TEXT: Tokens = NULL.or(SPACE).or(CHARACTER);
pub(super) const COMMENT: Tokens = Tokens::of(Kind::Comment);
pub(super) const DOCTYPE: Tokens = Tokens::of(Kind::Doctype);
pub(super) const END_OF_FILE: Tokens = Tokens::of(Kind::EndOfFile);
pub(super) const ANY_START: Tokens = start(Names::ALL);
pub(super) const ANY_END: Tokens = end(Names::ALL);
pub(super) const ANY: Tokens = Tokens::ALL;

/// Start tags of these names.
pub(super) const fn start(names: Names) -> Tokens {
    Tokens::tags(names, Names::NONE)
}

/// End tags of these names.
pub(super) const fn end(names: Names) -> Tokens {
    Tokens::tags(Names::NONE, names)
}

/// A condition of a row.
#[derive(Clone, Copy, Debug)]
pub(in crate::html) enum Guard {
    /// The stack has one of these elements in its scope.
    InScope(Scoped),
    /// None of them can.
    NotInScope(Scoped),
    /// An HTML element of the token's own name is in the default scope, or in table scope.
    SameInScope,
    SameInTableScope,
    /// The current node is, or is not, in this group.
    Current(Group),
    CurrentNot(Group),
    /// The second element of the stack is a body.
    SecondIsBody,
    /// A fragment is parsed; or not.
    Fragment,
    Document,
    /// A fragment is parsed whose context is in this group; there is no such context.
    Context(Group),
    ContextNot(Group),
    Scripting,
    FramesetOk,
    NotQuirks,
    /// The form pointer is set.
    Form,
    /// The start tag is, or is not, that of a hidden input.
    Hidden,
    NotHidden,
    /// The start tag does not say that the template is a shadow root.
    NotShadow,
    /// The start tag has one of these attributes.
    Attribute(&'static [&'static str]),
}

/// The scopes in which the stack may have an element: those of the standard; as an item of a list; as an
/// element that is open at all; as one around what is in the same document or template.
#[derive(Clone, Copy, Debug)]
pub(in crate::html) enum Scope {
    Default,
    Button,
    List,
    Table,
    Item,
    Open,
    Around,
}

/// What an action does. "Current" is the top of the stack of open elements.
#[derive(Clone, Copy, Debug)]
pub(in crate::html) enum Action {
    /// Reports a parse error.
    Error(ErrorCode),
    /// Acts only where the conditions hold when this is reached.
    If(&'static (&'static [Guard], &'static [Action])),

    // The stack of open elements
    /// Inserts an HTML element for the token and makes it current.
    Insert,
    /// The same for an element of this name without attributes.
    Imply(ElementName),
    /// Inserts an HTML element that stays empty, and acknowledges that the tag closes itself.
    Void,
    /// Inserts an element of SVG or MathML; of the namespace that the adjusted current node is in.
    InsertForeign(Space),
    InsertAlike,
    /// Inserts a template, or the shadow root that it declares.
    InsertTemplate,
    /// Pops the current node.
    Pop,
    /// Pops up to the first element in the group, and that too.
    PopThrough(Group),
    /// The same, and a parse error unless that is the current node; for the token's own name.
    Close(Group),
    CloseSame,
    /// Pops until the current node is in the group.
    PopTo(Group),
    /// Generates implied end tags: those of the group.
    ImplyEnds(Group),
    /// A parse error unless the current node has the token's own name.
    ExpectSame,

    // Named procedures on it
    CloseAny,
    CloseForeign,
    BreakOut,
    EndForm,
    /// Inserts a template whose content may go elsewhere; what it went to is no place any more.
    InsertPatch,
    EndPatch,
    /// The rules "in head", for which the head is open once more.
    InHeadAgain,
    DropBody,

    // The list of active formatting elements
    Reconstruct,
    PushFormatting,
    PushMarker,
    ClearToMarker,
    Adopt,
    AdoptPrior,

    // Content
    InsertText,
    InsertReplacement,
    InsertComment,
    CommentOnDocument,
    CommentOnHtml,
    AddMissingToHtml,
    AddMissingToBody,
    InsertDoctype,
    NoDoctype,
    HoldText,
    HoldCharacters,
    ReleaseText,

    // Which rules apply
    /// A phase of the document that its stack does not tell, until `Resume`.
    Enter(Mode),
    Resume,
    /// Changes the insertion mode that the current frame stands for.
    Turn(Mode),
    /// The rules of another mode, for this token.
    As(Mode),
    /// The same with foster parenting.
    Foster(Mode),
    /// The rules of the insertion mode.
    AsHtml,
    /// The token once more, by the rules that apply now.
    Reprocess,
    Rename(ElementName),
    /// Stops parsing: all elements are closed.
    Stop,

    // Pointers, flags, the tokenizer
    SetHead,
    SetForm,
    FramesetNotOk,
    FramesetOkAgain,
    SkipNewline,
    /// Switches the tokenizer.
    Tokenize(InitialState),
    /// The same, with all up to the end tag as text.
    HoldsText(InitialState),
    EndScript,
}

// Rows are read for every token: the fewer bytes, the fewer lines of the cache.
const _: () = assert!(size_of::<Action>() == 16);
