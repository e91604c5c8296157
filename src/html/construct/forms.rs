//! The form element pointer, and the controls that come while it is set. It must not know what is a control.

use super::TreeConstruction;
use super::schema;
use super::stack::NONE;
use super::watch::Watch;
use crate::event::StartTag;
use crate::html::construct::rules::Group;
use crate::html::errors;
use crate::tree::TreeSink;

impl<S: TreeSink, W: Watch> TreeConstruction<S, W> {
    /// The current node is the form that the pointer says.
    pub(super) fn set_form(&mut self) {
        self.form = Some(self.stack.frames.last());
        self.form_element = Some(self.stack.current().handle);
    }

    /// An end tag of a form, outside of templates: it closes the form that the pointer says.
    pub(super) fn end_form(&mut self) {
        self.form_element = None;
        let form = self.form.take().filter(|form| *form != NONE);
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

    /// A control of these groups was put into a parent of this level: its form is that of the pointer, as "create an
    /// element for the token" has it. That needs to be said where it is not the nearest form around the control: where the
    /// form is open no more, or the limit of depth put the control beside it.
    pub(super) fn associate(
        &mut self,
        control: S::Handle,
        groups: Group,
        level: u32,
        tag: Option<&StartTag<'_>>,
    ) {
        let Some(form) = self.form_element else {
            return;
        };
        let open = self.form.and_then(|form| self.stack.frames.get(form));
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
