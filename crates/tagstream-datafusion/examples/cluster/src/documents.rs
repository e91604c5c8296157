//! A folder of generated XML documents, and the result of the query over them, computed without SQL.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The table of customers. `@` is the folder.
pub const CUSTOMERS: &str = "CREATE EXTERNAL TABLE customers (_id BIGINT, country VARCHAR) STORED AS XML \
     LOCATION '@/customers/' OPTIONS ('xml.row_tag' 'customer')";

/// The table of orders. `@` is the folder.
pub const ORDERS: &str = "CREATE EXTERNAL TABLE orders (_id BIGINT, _customer BIGINT, amount BIGINT, note VARCHAR) \
     STORED AS XML LOCATION '@/orders/' OPTIONS ('xml.row_tag' 'order')";

/// The query: the number, the sum and the length of the notes of the orders from each country.
pub const QUERY: &str = "SELECT c.country, count(*) AS orders, sum(o.amount) AS amount, \
     sum(character_length(o.note)) AS characters \
     FROM orders o JOIN customers c ON o._customer = c._id GROUP BY c.country ORDER BY c.country";

const COUNTRIES: [&str; 6] = ["Chile", "Côte d'Ivoire", "Ghana", "Japan", "Norway", "Peru"];
const CUSTOMER_COUNT: u64 = 5000;

/// Text of notes, as markup and as characters. Some of it looks like an order.
const NOTES: [(&str, &str); 6] = [
    ("leave at the door, ", "leave at the door, "),
    ("fish &amp; rice, ", "fish & rice, "),
    (
        "<![CDATA[<order customer='1'><amount>1</amount></order>]]>",
        "<order customer='1'><amount>1</amount></order>",
    ),
    (
        "<!-- <order customer='2'><amount>2</amount></order> -->",
        "",
    ),
    ("東京, ", "東京, "),
    ("&lt;order customer='3'/&gt;", "<order customer='3'/>"),
];

/// The orders from one country.
#[derive(Clone, Copy, Default)]
struct Total {
    orders: u64,
    amount: u64,
    characters: u64,
}

/// A generator of pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        ((self.0 >> 33) as usize) % limit
    }
}

/// Writes a document of customers and `files` documents of orders of at least `bytes` bytes each. Returns the lines of
/// the query's result, in which the columns are separated by `|`.
pub fn write(folder: &Path, files: usize, bytes: usize) -> io::Result<Vec<String>> {
    let mut random = Random(files as u64);
    let mut countries = Vec::new();
    fs::create_dir_all(folder.join("customers"))?;
    let mut output = BufWriter::new(File::create(folder.join("customers/customers.xml"))?);
    writeln!(output, "<?xml version='1.0'?>\n<customers>")?;
    for id in 0..CUSTOMER_COUNT {
        let country = COUNTRIES[random.below(COUNTRIES.len())];
        countries.push(country);
        writeln!(
            output,
            "<customer id='{id}'><country>{country}</country></customer>"
        )?;
    }
    writeln!(output, "</customers>")?;
    output.flush()?;

    let mut totals: BTreeMap<&str, Total> = BTreeMap::new();
    fs::create_dir_all(folder.join("orders"))?;
    let mut id = 0;
    for file in 0..files {
        let mut output = BufWriter::new(File::create(folder.join(format!("orders/{file}.xml")))?);
        writeln!(output, "<?xml version='1.0'?>\n<orders>")?;
        let mut length = 0;
        while length < bytes {
            // Some customers are not in the table of customers, so the join leaves their orders out.
            let customer = random.below(CUSTOMER_COUNT as usize + 500);
            let amount = random.below(100_000) as u64;
            let mut note = String::new();
            let mut content = String::new();
            for _ in 0..random.below(12) {
                let (markup, text) = NOTES[random.below(NOTES.len())];
                note.push_str(markup);
                content.push_str(text);
            }
            if let Some(country) = countries.get(customer) {
                let total = totals.entry(country).or_default();
                total.orders += 1;
                total.amount += amount;
                // Whitespace around a value is not a part of it.
                total.characters += content.trim().chars().count() as u64;
            }
            let row = format!(
                "<order id='{id}' customer='{customer}'><amount>{amount}</amount><note>{note}</note></order>\n"
            );
            output.write_all(row.as_bytes())?;
            length += row.len();
            id += 1;
        }
        writeln!(output, "</orders>")?;
        output.flush()?;
    }
    let lines = totals.into_iter().map(|(country, total)| {
        let Total {
            orders,
            amount,
            characters,
        } = total;
        format!("{country}|{orders}|{amount}|{characters}")
    });
    Ok(lines.collect())
}
