//! Builders with a host: the program that runs scripts and loads modules, and for which the builder pauses.

use super::{Buildable, TreeBuilder};
use crate::engine::dialect::Hosted;
use crate::engine::parser::Status;
use crate::tree::TreeSink;

impl<D: Hosted + Buildable, S: TreeSink> TreeBuilder<D, S> {
    /// Makes the builder pause for a host where the specification of the dialect says so. Without this call, the
    /// builder never pauses. During a pause, [`status`](TreeBuilder::status) returns [`Status::Paused`], and there
    /// are no events until the program calls [`resume`](TreeBuilder::resume).
    ///
    /// ```
    /// use tagstream::sky::{Pause, Registrations};
    /// use tagstream::{Sky, TreeBuilder};
    ///
    /// let sky = Sky::fragment().registered(["import"]);
    /// let mut builder = TreeBuilder::new(sky).hosted();
    /// builder.feed("<import src='clock.sky' /><clock />")?;
    /// let Some(Pause::Imports { imports, element }) = builder.pause() else { panic!() };
    /// assert_eq!(imports[0].src(), Some("clock.sky"));
    /// assert_eq!(element.as_deref(), Some("clock"));
    /// builder.resume(Registrations::new(["clock"]));
    /// assert!(builder.finish()?.to_html().ends_with("<clock></clock>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hosted(mut self) -> TreeBuilder<D, S> {
        self.parser.set_host(D::host);
        self.state.is_hosted = true;
        self
    }

    /// Returns the reason for the pause, once everything before it is in the tree. Returns `None` if the builder is
    /// not paused.
    pub fn pause(&self) -> Option<&D::Pause> {
        match self.status() {
            Status::Paused => D::pause(self.parser.machine_as_is()),
            _ => None,
        }
    }

    /// Ends the pause. Does nothing if the builder is not paused.
    ///
    /// ```
    /// use tagstream::sky::Registrations;
    /// use tagstream::{Sky, TreeBuilder};
    ///
    /// let sky = Sky::fragment().registered(["import"]);
    /// let mut builder = TreeBuilder::new(sky).hosted();
    /// builder.feed("<import src='clock.sky' /><clock />")?;
    /// builder.resume(Registrations::new(["clock"]));
    /// assert!(builder.pause().is_none());
    /// # Ok::<(), tagstream::Error>(())
    /// ```
    pub fn resume(&mut self, answer: D::Answer) {
        if self.status() == Status::Paused {
            self.end_writing();
            self.parser.wake();
            D::resume(self.parser.machine(), answer);
        }
    }
}
