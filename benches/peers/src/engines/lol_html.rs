//! lol_html: rewrites pages in a stream.

use super::{Done, Job, tagstream};
use crate::reading::Reading;
use lol_html::{HtmlRewriter, Settings, element};

/// Rewrites a page: sets an attribute of each link.
pub fn rewrite<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    let mut out = Vec::with_capacity(job.input.bytes.len());
    let settings = Settings::new().append_element_content_handler(element!("a[href]", |link| {
        link.set_attribute("rel", "nofollow")?;
        Ok(())
    }));
    let mut rewriter = HtmlRewriter::new(settings, |chunk: &[u8]| out.extend_from_slice(chunk));
    for chunk in job.input.bytes.chunks(job.chunk) {
        rewriter.write(chunk)?;
    }
    rewriter.end()?;
    tagstream::read_rewritten(&out, reading)
}
