use crate::engine::event::Text;
pub(super) trait TextStub { fn is_cdata(&self) -> bool; }
impl TextStub for Text<'_> { fn is_cdata(&self) -> bool { false } }
