//! Writes CDATA sections.

use super::check::{html_characters, is_restricted, sure, xml_characters};
use super::error::{Reason, Refusal};
use super::html::Space;
use super::writer_state::{Language, WriterState};

impl WriterState {
    /// Writes a CDATA section.
    pub(super) fn cdata(&mut self, text: &str) -> Result<(), Refusal> {
        sure(!text.contains("]]>"), Reason::Cdata, text)?;
        match self.language {
            Language::Xml => xml_characters(text, self.document.is_xml11)?,
            Language::Html => {
                html_characters(text)?;
                sure(!text.contains('\r'), Reason::Character, "\r")?;
            }
        }
        self.close_tag(false)?;
        let is_xml = self.is_xml();
        match self.open.last_mut() {
            Some(open) => {
                sure(is_xml || open.space != Space::Html, Reason::NoCdata, text)?;
                (open.has_text, open.is_empty) = (true, false);
            }
            None => {
                sure(is_xml && self.is_content, Reason::OutsideRoot, text)?;
                self.document.has_text = true;
            }
        }
        self.write(&["<![CDATA[", text, "]]>"]);
        Ok(())
    }

    /// Writes text of XML as CDATA sections: several if the text contains `]]>`. Characters that a section cannot contain
    /// are written as references between two sections. Where sections are not allowed, all of the text is written as
    /// text.
    pub(super) fn sections(&mut self, text: &str) -> Result<(), Refusal> {
        if !self.is_xml() || self.open.is_empty() && !self.is_content {
            return self.text(text);
        }
        let is_xml11 = self.document.is_xml11;
        let is_reference =
            |character: char| character == '\r' || is_xml11 && is_restricted(character);
        let mut rest = text;
        while !rest.is_empty() {
            let plain = rest.find(is_reference).unwrap_or(rest.len());
            let (mut plain, after) = rest.split_at(plain);
            // A section ends within each `]]>`.
            while let Some(at) = plain.find("]]>") {
                let (section, others) = plain.split_at(at + 2);
                self.cdata(section)?;
                plain = others;
            }
            if !plain.is_empty() {
                self.cdata(plain)?;
            }
            let references = after.find(|character| !is_reference(character));
            let (references, others) = after.split_at(references.unwrap_or(after.len()));
            self.text(references)?;
            rest = others;
        }
        Ok(())
    }
}
