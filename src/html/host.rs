//! What a tree builder waits for: scripts. It must not know where they end.

use super::Html;
use super::machine::HtmlMachine;
use crate::dialect::Hosted;

/// What a tree builder of HTML waits for, where it was told to: see
/// [`TreeBuilder::hosted`](crate::TreeBuilder::hosted).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pause {
    /// The end tag of a script was read, with scripting on:
    /// [`TreeBuilder::paused_at`](crate::TreeBuilder::paused_at) is the element. The host may run it. In fragments and in
    /// the contents of templates scripts do not run, and there is no pause.
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
