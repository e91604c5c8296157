//! The host: whoever loads the modules that a document imports and runs its scripts, while the tree
//! builder waits.

use super::Sky;
use super::machine::SkyMachine;
use crate::dialect::Hosted;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// A module that an `import` element names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Import {
    src: Option<Box<str>>,
    name: Option<Box<str>>,
}

impl Import {
    pub(super) fn new(src: Option<Box<str>>, name: Option<Box<str>>) -> Import {
        Import { src, name }
    }

    /// The value of its `src` attribute.
    ///
    /// ```
    /// use tagstream::sky::Pause;
    /// use tagstream::{Sky, TreeBuilder};
    ///
    /// let mut builder = TreeBuilder::new(Sky::fragment().registered(["import"])).hosted();
    /// builder.feed("<import src='clock.sky' /><clock />")?;
    /// let Some(Pause::Imports { imports, .. }) = builder.pause() else { panic!() };
    /// assert_eq!(imports[0].src(), Some("clock.sky"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn src(&self) -> Option<&str> {
        self.src.as_deref()
    }

    /// The value of its `as` attribute: the name by which scripts know the module.
    ///
    /// ```
    /// use tagstream::sky::Pause;
    /// use tagstream::{Sky, TreeBuilder};
    ///
    /// let mut builder = TreeBuilder::new(Sky::fragment().registered(["import"])).hosted();
    /// builder.feed("<import src='clock.sky' as='clock' /><clock />")?;
    /// let Some(Pause::Imports { imports, .. }) = builder.pause() else { panic!() };
    /// assert_eq!(imports[0].name(), Some("clock"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

/// What the tree builder waits for, until it is resumed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub enum Pause {
    /// The modules imported so far are to be loaded.
    Imports {
        /// The modules since the last pause, in document order.
        #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
        imports: Vec<Import>,
        /// The name in the start tag that comes next, which is not registered: perhaps a module
        /// registers it. `None` at the end of the document.
        element: Option<Box<str>>,
    },
    /// The modules imported so far are to be loaded, then a script is to be run.
    Script {
        /// The modules since the last pause, in document order.
        #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
        imports: Vec<Import>,
        /// The script.
        text: String,
    },
}

/// What the host has to say when it resumes the tree builder: the names that modules and scripts
/// have registered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Registrations {
    names: Vec<Box<str>>,
}

impl Registrations {
    /// These names are registered from now on.
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

/// What was being done when the host was waited for.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) enum Yielded {
    /// The start tag token with these flags is emitted next.
    StartTag(u8),
    /// Nothing is left.
    End,
}

/// What the host is to be told, and what it is waited for.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "checkpoints", derive(Serialize, Deserialize))]
pub(super) struct Host {
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    waiting: Option<Pause>,
    yielded: Option<Yielded>,
    #[cfg_attr(feature = "checkpoints", serde(with = "crate::saved"))]
    imports: Vec<Import>,
    script: String,
}

impl Host {
    pub(super) fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    pub(super) fn waiting(&self) -> Option<&Pause> {
        self.waiting.as_ref()
    }

    /// Whether something is to be done before more of the input is taken.
    pub(super) fn is_resumed(&self) -> bool {
        self.waiting.is_none() && self.yielded.is_some()
    }

    pub(super) fn resumed(&mut self) -> Option<Yielded> {
        self.yielded.take()
    }

    pub(super) fn add_import(&mut self, import: Import) {
        self.imports.push(import);
    }

    pub(super) fn start_script(&mut self) {
        self.script.clear();
    }

    pub(super) fn add_script(&mut self, text: &str) {
        self.script.push_str(text);
    }

    /// Waits for imported modules, if there are any; gives whether there are.
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

    /// Waits until a script was run.
    pub(super) fn wait_for_script(&mut self) {
        self.waiting = Some(Pause::Script {
            imports: core::mem::take(&mut self.imports),
            text: core::mem::take(&mut self.script),
        });
    }

    fn resume(&mut self) {
        self.waiting = None;
    }
}

impl Hosted for Sky {
    type Pause = Pause;
    type Answer = Registrations;

    fn host(machine: &mut SkyMachine) {
        machine.own.host = Some(Box::default());
    }

    fn pause(machine: &SkyMachine) -> Option<&Pause> {
        machine.pause()
    }

    fn resume(machine: &mut SkyMachine, answer: Registrations) {
        if let Some(host) = &mut machine.own.host {
            host.resume();
        }
        machine.own.options.register(answer.names);
    }
}

#[cfg(feature = "checkpoints")]
crate::saved::saved!(Import { src, name });
#[cfg(feature = "checkpoints")]
crate::saved::plain!(Pause);
