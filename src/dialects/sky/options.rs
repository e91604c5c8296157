//! The options of the dialect.

use crate::engine::options::{OptionError, Table, put, set};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use hashbrown::HashSet;

/// Sky: applications, modules and fragments. A value of this type holds the parsing context and the options; see the
/// [module documentation](crate::sky) for details.
///
/// ```
/// use tagstream::{Document, Sky};
///
/// let document = Document::parse(Sky::fragment(), "<clock>12:00</>")?;
/// assert_eq!(document.to_xml()?, "<clock>12:00</clock>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sky {
    /// The kind of document to parse.
    pub(super) context: Context,
    /// The element names that the program has registered, or `None` if every name counts as registered.
    pub(super) registered: Option<Arc<HashSet<Box<str>>>>,
}

/// The kind of document to parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// An application, with a signature line.
    Application,
    /// A module, with a signature line.
    Module,
    /// Markup without a signature.
    Fragment,
}

impl Sky {
    fn new(context: Context) -> Sky {
        Sky {
            context,
            registered: None,
        }
    }

    /// Returns options for an application, which begins with the line `#!mojo mojo:sky`.
    ///
    /// ```
    /// use tagstream::{Events, Sky};
    ///
    /// let mut events = Events::of(Sky::application(), "#!mojo mojo:sky\n<clock />");
    /// assert!(format!("{:?}", events.next_event()?).contains("clock"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn application() -> Sky {
        Sky::new(Context::Application)
    }

    /// Returns options for a module, which begins with the line `SKY MODULE`.
    ///
    /// ```
    /// use tagstream::{Events, Sky};
    ///
    /// let mut events = Events::of(Sky::module(), "SKY MODULE\n<clock />");
    /// assert!(format!("{:?}", events.next_event()?).contains("clock"));
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn module() -> Sky {
        Sky::new(Context::Module)
    }

    /// Returns options for markup without a signature.
    ///
    /// ```
    /// use tagstream::{Document, Sky};
    ///
    /// let clock = Document::parse(Sky::fragment(), "<clock>12:00</clock>")?;
    /// assert_eq!(clock.root().text_content(), "12:00");
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn fragment() -> Sky {
        Sky::new(Context::Fragment)
    }

    /// Sets the registered element names. By default all names are registered. In balanced events and in trees, an
    /// element with any other name is renamed to `error`.
    ///
    /// ```
    /// use tagstream::{Document, Sky};
    ///
    /// let document = Document::parse(Sky::fragment().registered(["t"]), "<t></t><u></u>")?;
    /// let names: Vec<&str> = document.root().children().map(|node| node.name()).collect();
    /// assert_eq!(names, ["t", "error"]);
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    #[must_use]
    pub fn registered(self, names: impl IntoIterator<Item = impl Into<Box<str>>>) -> Sky {
        let names = names.into_iter().map(Into::into).collect();
        Sky {
            registered: Some(Arc::new(names)),
            ..self
        }
    }

    pub(super) fn context(&self) -> Context {
        self.context
    }

    pub(super) fn has_registry(&self) -> bool {
        self.registered.is_some()
    }

    pub(super) fn is_registered(&self, name: &str) -> bool {
        let registered = self.registered.as_ref();
        registered.is_none_or(|names| names.contains(name))
    }

    /// Adds names to the registered ones. Does nothing if all names are registered.
    pub(super) fn register(&mut self, more: Vec<Box<str>>) {
        if let Some(names) = &mut self.registered
            && !more.is_empty()
        {
            Arc::make_mut(names).extend(more);
        }
    }
}

/// The options that have a name.
const OPTIONS: &Table<Sky> = &[
    ("context", |sky, value| {
        let context = match value {
            "application" => Ok(Context::Application),
            "module" => Ok(Context::Module),
            "fragment" => Ok(Context::Fragment),
            _ => Err("`application`, `module` or `fragment`"),
        };
        put(&mut sky.context, context)
    }),
    ("registered", |sky, names| {
        let names = names.split([' ', ',']).filter(|name| !name.is_empty());
        *sky = sky.clone().registered(names);
        Ok(())
    }),
];

impl Sky {
    /// Sets an option by its name: `context`, which is `application`, `module` or `fragment`, or `registered`, whose
    /// value is a list of names with commas or spaces between them.
    ///
    /// ```
    /// use tagstream::Sky;
    ///
    /// let mut sky = Sky::fragment();
    /// sky.set("context", "module")?;
    /// assert_eq!(sky, Sky::module());
    /// # Ok::<(), tagstream::OptionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a name that is unknown, and for a value that is not allowed. Nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        set(OPTIONS, self, name, value)
    }
}

crate::checkpoint::checkpointable! {
    dialect Sky = "sky", super::errors::ALL;
    enum Context { Application, Module, Fragment }
}
