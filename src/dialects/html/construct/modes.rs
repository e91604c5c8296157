//! The modes, each of which has a rule table in the schema.

/// The insertion modes of the standard, its rules for foreign content, and a mode for each kind of foreign current node
/// whose content may be HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(in crate::dialects::html) enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
    Foreign,
    /// The current node is a MathML text integration point.
    MathTextIntegrationPoint,
    /// The current node is an `annotation-xml` that is not an HTML integration point.
    AnnotationXml,
    /// The current node is an HTML integration point.
    HtmlIntegrationPoint,
}

crate::checkpoint::checkpointable! {
    enum Mode {
        Initial, BeforeHtml, BeforeHead, InHead, InHeadNoscript, AfterHead, InBody, Text, InTable,
        InTableText, InCaption, InColumnGroup, InTableBody, InRow, InCell, InTemplate, AfterBody,
        InFrameset, AfterFrameset, AfterAfterBody, AfterAfterFrameset, Foreign,
        MathTextIntegrationPoint, AnnotationXml, HtmlIntegrationPoint,
    }
}
