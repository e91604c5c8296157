//! A small proxy in front of another server. Pages are rewritten while they arrive: each link gets `rel="nofollow"`.
//! All other bytes stay the same. If a client closes its connection, only the rewriter of its page is dropped.
//!
//! `cargo run --manifest-path examples/net/Cargo.toml --bin proxy http://SERVER` prints the address of the proxy.

use futures_util::{TryStreamExt, stream};
use http_body_util::{BodyExt, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::CONTENT_TYPE;
use hyper::{Request, Response, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use std::net::Ipv4Addr;
use tagstream::{Html, RewriteError, Rewriter};
use tokio::net::TcpListener;

type Error = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let server = std::env::args()
        .nth(1)
        .ok_or("usage: proxy http://SERVER")?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    println!("http://{}", listener.local_addr()?);
    loop {
        let (connection, _) = listener.accept().await?;
        let server = server.clone();
        let service = service_fn(move |request| pass(server.clone(), request));
        tokio::spawn(async move {
            let served = http1::Builder::new().serve_connection(TokioIo::new(connection), service);
            if let Err(error) = served.await {
                eprintln!("{error}");
            }
        });
    }
}

/// Sends the request to the server, and returns its response.
async fn pass(
    server: String,
    request: Request<Incoming>,
) -> Result<Response<UnsyncBoxBody<Bytes, Error>>, Error> {
    let answer = reqwest::get(format!("{server}{}", request.uri())).await?;
    let mut response = Response::builder().status(answer.status());
    let media_type = answer.headers().get(CONTENT_TYPE).cloned();
    let named = media_type.as_ref().and_then(|name| name.to_str().ok());
    let named = named.unwrap_or_default().to_owned();
    if let Some(name) = media_type {
        response = response.header(CONTENT_TYPE, name);
    }
    let body = match named.starts_with("text/html") {
        true => {
            let mut page = Rewriter::new(Html::default().content_type(&named));
            page.select("a[href]")?;
            let chunks = stream::try_unfold((answer, Some(page)), next_chunk);
            BodyExt::boxed_unsync(StreamBody::new(chunks.map_ok(Frame::data)))
        }
        false => {
            let chunks = answer.bytes_stream().map_err(Error::from);
            BodyExt::boxed_unsync(StreamBody::new(chunks.map_ok(Frame::data)))
        }
    };
    Ok(response.body(body)?)
}

/// The response that is read, and the rewriter of its page. `None` after the end.
type Passing = (reqwest::Response, Option<Rewriter<Html>>);

/// Returns the next non-empty chunk of a page.
async fn next_chunk((mut answer, mut page): Passing) -> Result<Option<(Bytes, Passing)>, Error> {
    while let Some(mut rewriter) = page.take() {
        let chunk = answer.chunk().await?;
        let is_last = chunk.is_none();
        match chunk {
            Some(chunk) => rewriter.feed(chunk),
            None => rewriter.finish(),
        }
        mark_links(&mut rewriter)?;
        let output = Bytes::from(rewriter.take_output());
        page = (!is_last).then_some(rewriter);
        if !output.is_empty() {
            return Ok(Some((output, (answer, page))));
        }
    }
    Ok(None)
}

/// Sets the attribute of all links that have been read. A link whose tag cannot be changed stays as it is, so that the
/// page is passed on to its end.
fn mark_links(page: &mut Rewriter<Html>) -> Result<(), RewriteError> {
    loop {
        let marked = match page.next_selected() {
            Ok(Some(mut link)) => link.set_attribute("rel", "nofollow").map(drop),
            Ok(None) => return Ok(()),
            Err(error) => Err(error),
        };
        match marked {
            Ok(()) | Err(RewriteError::Refused(..)) => {}
            Err(error) => return Err(error),
        }
    }
}
