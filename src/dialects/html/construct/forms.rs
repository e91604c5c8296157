//! The form element pointer, and the association of form controls with that form.

use super::schema;
use super::stack::NONE;
use super::stack_observer::StackObserver;
use super::state::TreeConstruction;
use crate::dialects::html::construct::rules::Group;
use crate::dialects::html::errors;
use crate::engine::event::StartTag;
use crate::tree::TreeSink;

impl<S: TreeSink, W: StackObserver> TreeConstruction<S, W> {
    /// Sets the form element pointer to the current node.
    pub(super) fn set_form(&mut self) {
        self.pointers.form = Some(self.stack.frames.last());
        self.pointers.form_element = Some(self.stack.current().handle);
    }

    /// Handles an end tag `form` outside of templates: closes the form of the form element pointer.
    pub(super) fn end_form(&mut self) {
        self.pointers.form_element = None;
        let form = self.pointers.form.take().filter(|form| *form != NONE);
        let Some(form) = form.filter(|form| self.stack.is_in_scope(*form)) else {
            return self.error(errors::STRAY_END_TAG);
        };
        self.imply_ends(schema::IMPLIED);
        if self.stack.frames.last() == form {
            self.pop();
        } else {
            self.error(errors::MISNESTED_END_TAG);
            self.remove_frame(form);
        }
    }

    /// Associates a form control with the form of the form element pointer, as in "create an element for the token".
    /// `groups` are the groups of the control, and `level` is the depth of its parent.
    ///
    /// The sink is only called if that form is not the nearest form around the control: if the form is no longer
    /// open, or if the depth limit made the control a sibling of the form.
    pub(super) fn associate(
        &mut self,
        control: S::Handle,
        groups: Group,
        level: u32,
        tag: Option<&StartTag<'_>>,
    ) {
        let Some(form) = self.pointers.form_element else {
            return;
        };
        let open = self
            .pointers
            .form
            .and_then(|form| self.stack.frames.get(form));
        let is_around = open.is_some_and(|open| open.level <= level);
        let says_itself = || {
            groups.meets(schema::LISTED) && tag.is_some_and(|tag| tag.attribute("form").is_some())
        };
        if !is_around
            && groups.meets(schema::FORM_ASSOCIATED)
            && !self.stack.in_scope().meets(schema::TEMPLATE_IN_SCOPE)
            && !says_itself()
        {
            self.sink.associate_form(control, form);
        }
    }
}
