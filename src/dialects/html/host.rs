//! The pause of a tree builder at the end of a script, so that a host can run the script.

use super::machine::HtmlMachine;
use super::options::Html;
use crate::engine::dialect::Hosted;

/// The reason for which a tree builder of HTML waits for its host. See
/// [`TreeBuilder::hosted`](crate::TreeBuilder::hosted).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pause {
    /// The end tag of a script was parsed, with scripting enabled. The script is
    /// [`TreeBuilder::paused_at`](crate::TreeBuilder::paused_at), and the host may run it. Scripts in fragments and
    /// in the contents of templates do not run, and cause no pause.
    Script,
}

impl Hosted for Html {
    type Pause = Pause;
    type Answer = ();

    fn host(_: &mut HtmlMachine) {}

    fn pause(_: &HtmlMachine) -> Option<&Pause> {
        Some(&Pause::Script)
    }

    fn resume(_: &mut HtmlMachine, (): ()) {}
}
