//! Writes the markup before the root element: the XML declaration and the document type.

use super::check::{html_doctype, identifiers, sure, xml_instruction};
use super::error::{Reason, Refusal};
use super::value::push_identifiers;
use super::writer_state::{Language, WriterState};
use crate::engine::event::Doctype;
use alloc::string::String;

/// The markup of the internal subset of a document type, without the brackets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subset(pub(crate) String);

impl WriterState {
    /// Writes an XML declaration. If `has_encoding` is true, it names the encoding UTF-8. `standalone` is the value of
    /// the standalone declaration, if there is one.
    pub(super) fn declaration(
        &mut self,
        version: &str,
        has_encoding: bool,
        standalone: Option<bool>,
    ) -> Result<(), Refusal> {
        let digits = version.strip_prefix("1.").unwrap_or_default();
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        sure(self.is_xml() && is_number, Reason::Declaration, version)?;
        sure(!self.document.is_begun, Reason::NotFirst, version)?;
        self.document.is_begun = true;
        self.document.is_xml11 = version == "1.1";
        self.document.is_standalone = standalone == Some(true);
        let encoding = if has_encoding {
            " encoding=\"UTF-8\""
        } else {
            ""
        };
        let standalone = match standalone {
            Some(true) => " standalone=\"yes\"",
            Some(false) => " standalone=\"no\"",
            None => "",
        };
        self.write(&[
            "<?xml version=\"",
            version,
            "\"",
            encoding,
            standalone,
            "?>",
        ]);
        Ok(())
    }

    /// Writes a document type. `subset` is the markup of its internal subset, which may be empty.
    pub(super) fn doctype(
        &mut self,
        name: &str,
        (public, system): (Option<&str>, Option<&str>),
        subset: &str,
    ) -> Result<(), Refusal> {
        match self.language {
            Language::Xml => {
                self.xml_name(name)?;
                // In XML, a document type with a public identifier must have a system identifier.
                let is_well = public.is_none() || system.is_some();
                sure(is_well, Reason::Identifier, public.unwrap_or_default())?;
            }
            Language::Html => html_doctype(name)?,
        }
        self.check_identifiers(public, system)?;
        let is_html = !self.is_xml();
        let ends = |id: Option<&str>| is_html && id.is_some_and(|id| id.contains(['>', '\0']));
        sure(!ends(public) && !ends(system), Reason::Identifier, name)?;
        sure(self.may_have_doctype(), Reason::Doctype, name)?;
        self.begin_line(None);
        self.document.has_doctype = true;
        self.document.has_subset = public.is_some() || system.is_some();
        self.write(&["<!DOCTYPE ", name]);
        if is_html {
            // HTML's parser lowercases the name.
            let from = self.text.len() - name.len();
            self.text[from..].make_ascii_lowercase();
        }
        push_identifiers(&mut self.text, public, system);
        if !subset.is_empty() {
            self.write(&[" [", subset, "]"]);
        }
        self.text.push('>');
        Ok(())
    }

    /// Returns true if a document type can be written here: there is none yet, and the root element has not begun.
    pub(super) fn may_have_doctype(&self) -> bool {
        !self.document.has_doctype && !self.document.has_root && self.open.is_empty()
    }

    /// Writes the document type of an event, with the notations and the unparsed entities that it declares.
    pub(super) fn doctype_event(&mut self, doctype: &Doctype<'_>) -> Result<(), Refusal> {
        let mut subset = String::new();
        if self.is_xml() {
            for notation in doctype.notations() {
                let ids = (notation.public_id(), notation.system_id());
                self.add_notation(&mut subset, notation.name(), ids)?;
            }
            for entity in doctype.unparsed_entities() {
                let (public, system) = (entity.public_id(), Some(entity.system_id()));
                self.xml_ncname(entity.name())?;
                self.xml_ncname(entity.notation())?;
                self.check_identifiers(public, system)?;
                subset.extend(["<!ENTITY ", entity.name()]);
                push_identifiers(&mut subset, public, system);
                subset.extend([" NDATA ", entity.notation(), ">"]);
            }
        }
        let ids = (doctype.public_id(), doctype.system_id());
        self.doctype(doctype.name(), ids, &subset)
    }

    /// Appends a notation declaration to the internal subset `subset`.
    pub(super) fn add_notation(
        &self,
        subset: &mut String,
        name: &str,
        (public, system): (Option<&str>, Option<&str>),
    ) -> Result<(), Refusal> {
        self.xml_ncname(name)?;
        self.check_identifiers(public, system)?;
        subset.extend(["<!NOTATION ", name]);
        push_identifiers(subset, public, system);
        subset.push('>');
        Ok(())
    }

    /// Appends a processing instruction to the internal subset `subset`.
    pub(super) fn add_instruction(
        &self,
        subset: &mut String,
        target: &str,
        data: &str,
    ) -> Result<(), Refusal> {
        self.xml_ncname(target)?;
        xml_instruction(target, data, self.document.is_xml11)?;
        let space = if data.is_empty() { "" } else { " " };
        subset.extend(["<?", target, space, data, "?>"]);
        Ok(())
    }

    /// Returns an error if one of the identifiers cannot be written, or would be read differently.
    fn check_identifiers(&self, public: Option<&str>, system: Option<&str>) -> Result<(), Refusal> {
        // XML parsers replace whitespace in a public identifier by one space, and remove it at both ends, so an
        // identifier with other whitespace would be changed.
        let public_id = public.unwrap_or_default();
        let is_normal = public_id
            .split(' ')
            .all(|word| !word.is_empty() || public_id.is_empty())
            && !public_id.contains(['\n', '\r']);
        sure(is_normal || !self.is_xml(), Reason::Identifier, public_id)?;
        sure(!public_id.contains('\r'), Reason::Identifier, public_id)?;
        identifiers(public, system, self.document.is_xml11)
    }
}
