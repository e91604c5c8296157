//! Deserializes a GPX file whose three lists are interleaved, with tagstream or with quick-xml, and prints the seconds
//! and the peak memory. Each engine runs in a separate process, because the peak is measured for the process.
//!
//! ```sh
//! cargo run --release --bin lists -- tagstream 100
//! cargo run --release --bin lists -- quick-xml 100
//! ```
//!
//! The arguments are the engine and the size of the document in MB. With the third argument `reader`, the document is
//! read as bytes, otherwise as a string.

use serde::Deserialize;
use std::error::Error;
use std::fmt::Write;
use std::time::Instant;

#[derive(Deserialize)]
struct Gpx {
    wpt: Vec<Point>,
    rte: Vec<Route>,
    trk: Vec<Track>,
}

#[derive(Deserialize)]
struct Point {
    #[serde(rename = "@lat")]
    lat: f64,
    #[serde(rename = "@lon")]
    lon: f64,
    ele: f64,
    time: String,
}

#[derive(Deserialize)]
struct Route {
    rtept: Vec<Point>,
}

#[derive(Deserialize)]
struct Track {
    trkseg: Vec<Segment>,
}

#[derive(Deserialize)]
struct Segment {
    trkpt: Vec<Point>,
}

/// Adds a point.
fn point(out: &mut String, name: &str, number: usize) -> Result<(), std::fmt::Error> {
    let (minute, second) = (number / 60 % 60, number % 60);
    write!(
        out,
        "    <{name} lat=\"47.{:06}\" lon=\"8.{:06}\">\n      <ele>{}.5</ele>\n      \
         <time>2026-11-23T12:{minute:02}:{second:02}Z</time>\n    </{name}>\n",
        number * 7 % 1_000_000,
        number * 13 % 1_000_000,
        number % 3_000,
    )
}

/// Returns a document of about this number of bytes, which repeats ten way points, a route and a track.
fn document(bytes: usize) -> Result<String, std::fmt::Error> {
    let mut out = String::with_capacity(bytes + 10_000);
    out.push_str("<?xml version=\"1.0\"?>\n<gpx>\n");
    let mut number = 0;
    while out.len() < bytes {
        for (open, name, close) in [
            ("", "wpt", ""),
            ("<rte>\n", "rtept", "</rte>\n"),
            ("<trk><trkseg>\n", "trkpt", "</trkseg></trk>\n"),
        ] {
            out.push_str(open);
            for _ in 0..10 {
                number += 1;
                point(&mut out, name, number)?;
            }
            out.push_str(close);
        }
    }
    out.push_str("</gpx>\n");
    Ok(out)
}

/// Returns the peak memory of this process, in MiB.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

/// Returns the number of points, and a sum that must be the same for every engine.
fn sum(gpx: &Gpx) -> (usize, f64) {
    let routes = gpx.rte.iter().flat_map(|route| &route.rtept);
    let segments = gpx.trk.iter().flat_map(|track| &track.trkseg);
    let points = gpx.wpt.iter().chain(routes);
    let points = points.chain(segments.flat_map(|segment| &segment.trkpt));
    points.fold((0, 0.0), |(count, sum), point| {
        let time = point.time.len() as f64;
        (count + 1, sum + point.lat + point.lon + point.ele + time)
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let engine = arguments.next().unwrap_or_default();
    let megabytes: usize = arguments.next().map_or(Ok(100), |size| size.parse())?;
    let is_reader = arguments.next().is_some_and(|way| way == "reader");
    let text = document(megabytes * 1_000_000)?;
    let before = peak();
    let start = Instant::now();
    let gpx: Gpx = match (&*engine, is_reader) {
        ("tagstream", false) => {
            use tagstream::{Xml, de::Deserializer};
            Deserializer::of(Xml::strict(), &text).buffer_limit(usize::MAX).read()?
        }
        ("tagstream", true) => {
            use tagstream::{Events, Xml, de::Deserializer};
            let events = Events::read(Xml::strict(), text.as_bytes());
            Deserializer::new(events).buffer_limit(usize::MAX).read()?
        }
        ("quick-xml", false) => quick_xml::de::from_str(&text)?,
        ("quick-xml", true) => quick_xml::de::from_reader(text.as_bytes())?,
        (engine, _) => return Err(format!("the engine is tagstream or quick-xml, not `{engine}`").into()),
    };
    let seconds = start.elapsed().as_secs_f64();
    let (points, sum) = sum(&gpx);
    println!(
        "{engine}: {:.2} s, {points} points, sum {sum:.3}; peak {:?} MiB, of which the document {:?} MiB",
        seconds,
        peak(),
        before
    );
    Ok(())
}
