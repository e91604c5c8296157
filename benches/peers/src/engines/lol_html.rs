//! lol_html: rewrites pages in a stream.

use super::{Done, Job, TWENTY_SELECTORS, tagstream};
use crate::reading::Reading;
use lol_html::{HtmlRewriter, Settings, element};

/// Rewrites a page: sets an attribute of each link.
pub fn rewrite<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    rewrite_with(&TWENTY_SELECTORS[..1], job, reading)
}

/// The same with nineteen more selectors, whose elements stay unchanged.
pub fn rewrite_of_twenty<R: Reading>(job: &Job<'_>, reading: &mut R) -> Done {
    rewrite_with(&TWENTY_SELECTORS, job, reading)
}

fn rewrite_with<R: Reading>(selectors: &[&str], job: &Job<'_>, reading: &mut R) -> Done {
    let mut out = Vec::with_capacity(job.input.bytes.len());
    let mut settings = Settings::new();
    for (number, &selector) in selectors.iter().enumerate() {
        settings = settings.append_element_content_handler(element!(selector, move |element| {
            if number == 0 {
                element.set_attribute("rel", "nofollow")?;
            }
            Ok(())
        }));
    }
    let mut rewriter = HtmlRewriter::new(settings, |chunk: &[u8]| out.extend_from_slice(chunk));
    for chunk in job.input.bytes.chunks(job.chunk) {
        rewriter.write(chunk)?;
    }
    rewriter.end()?;
    tagstream::read_rewritten(&out, reading)
}
