//! The host of a Sky document: the program that loads imported modules and runs scripts while the tree builder waits.
//!
//! The tree builder pauses in three situations: at the end of a script; before a start tag whose name is not
//! registered, if modules were imported that may register it; and at the end of the document, if modules were
//! imported. It reports a [`Pause`], and continues when the program answers with [`Registrations`].

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A module that an `import` element refers to.
///
/// ```
/// use tagstream::sky::Pause;
/// use tagstream::{Sky, TreeBuilder};
///
/// let mut builder = TreeBuilder::new(Sky::fragment().registered(["import"])).hosted();
/// builder.feed("<import src='clock.sky' as='clock' /><clock />")?;
/// let Some(Pause::Imports { imports, .. }) = builder.pause() else { panic!() };
/// assert_eq!((imports[0].src(), imports[0].name()), (Some("clock.sky"), Some("clock")));
/// # Ok::<(), tagstream::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Import {
    /// Value of the `src` attribute.
    src: Option<Box<str>>,
    /// Value of the `as` attribute.
    name: Option<Box<str>>,
}

impl Import {
    pub(super) fn new(src: Option<Box<str>>, name: Option<Box<str>>) -> Import {
        Import { src, name }
    }

    /// Returns the value of the `src` attribute, which is the address of the module.
    pub fn src(&self) -> Option<&str> {
        self.src.as_deref()
    }

    /// Returns the value of the `as` attribute, which is the name of the module for scripts.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

/// The work that the tree builder waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pause {
    /// The program has to load modules.
    Imports {
        /// The modules imported since the last pause, in document order.
        imports: Vec<Import>,
        /// The name of the start tag that follows. The name is not registered, but one of the modules may register
        /// it. `None` at the end of the document.
        element: Option<Box<str>>,
    },
    /// The program has to load modules, and then to run a script.
    Script {
        /// The modules imported since the last pause, in document order.
        imports: Vec<Import>,
        /// The text of the script.
        text: String,
    },
}

/// The answer of the program to a [`Pause`]: the element names that modules and scripts have registered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Registrations {
    /// The names to register.
    pub(super) names: Vec<Box<str>>,
}

impl Registrations {
    /// Returns an answer that registers `names`, in addition to the names registered before.
    ///
    /// ```
    /// use tagstream::sky::Registrations;
    /// use tagstream::{Sky, TreeBuilder};
    ///
    /// let mut builder = TreeBuilder::new(Sky::fragment().registered(["import"])).hosted();
    /// builder.feed("<import src='clock.sky' /><clock />")?;
    /// builder.resume(Registrations::new(["clock"]));
    /// let document = builder.finish()?;
    /// assert!(document.root().children().any(|node| node.name() == "clock"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn new(names: impl IntoIterator<Item = impl Into<Box<str>>>) -> Registrations {
        Registrations {
            names: names.into_iter().map(Into::into).collect(),
        }
    }
}

/// The action that was interrupted by waiting for the host.
#[derive(Clone, Copy, Debug)]
pub(super) enum Yielded {
    /// Emit the current start tag token, with these flags.
    StartTag(u8),
    /// Finish the document.
    End,
}

/// The requests to the host, and the data collected for the next request.
#[derive(Clone, Debug, Default)]
pub(super) struct Host {
    /// The request that the host has not answered yet.
    waiting: Option<Pause>,
    /// The action to continue after the answer.
    yielded: Option<Yielded>,
    imports: Vec<Import>,
    /// The text of the current script so far.
    script: String,
}

impl Host {
    /// Returns true if the host has not answered the last request.
    pub(super) fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// Returns the request that the host has not answered yet.
    pub(super) fn waiting(&self) -> Option<&Pause> {
        self.waiting.as_ref()
    }

    /// Returns true if the host has answered and the interrupted action has not been continued yet.
    pub(super) fn is_resumed(&self) -> bool {
        self.waiting.is_none() && self.yielded.is_some()
    }

    /// Returns the interrupted action, and clears it.
    pub(super) fn resumed(&mut self) -> Option<Yielded> {
        self.yielded.take()
    }

    /// Adds a module to the next request.
    pub(super) fn add_import(&mut self, import: Import) {
        self.imports.push(import);
    }

    /// Starts collecting the text of a script.
    pub(super) fn start_script(&mut self) {
        self.script.clear();
    }

    /// Appends to the text of the current script.
    pub(super) fn add_script(&mut self, text: &str) {
        self.script.push_str(text);
    }

    /// Requests the imported modules, and remembers `yielded` as the action to continue. Returns false if there are
    /// no modules to load. `element` is the name of the pending start tag.
    pub(super) fn wait_for_imports(&mut self, element: Option<&str>, yielded: Yielded) -> bool {
        if self.imports.is_empty() {
            return false;
        }
        self.waiting = Some(Pause::Imports {
            imports: core::mem::take(&mut self.imports),
            element: element.map(Box::from),
        });
        self.yielded = Some(yielded);
        true
    }

    /// Requests that the host runs the script that has just ended.
    pub(super) fn wait_for_script(&mut self) {
        self.waiting = Some(Pause::Script {
            imports: core::mem::take(&mut self.imports),
            text: core::mem::take(&mut self.script),
        });
    }

    /// Ends the current request.
    pub(super) fn resume(&mut self) {
        self.waiting = None;
    }
}

crate::checkpoint::checkpointable! {
    enum Pause { Imports { imports, element }, Script { imports, text } }
    enum Yielded { StartTag(value), End }
    struct Host { waiting, yielded, imports, script }
    struct Import { src, name }
}
