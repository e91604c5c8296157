//! A sheet of a workbook in Office Open XML.

use super::scatter;
use serde::Deserialize;
use std::fmt::Write;

/// A sheet.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Worksheet {
    pub dimension: Option<Dimension>,
    pub sheet_data: SheetData,
}

/// The range of the cells.
#[derive(Debug, Deserialize)]
pub struct Dimension {
    #[serde(rename = "@ref")]
    pub range: String,
}

/// The rows of the sheet.
#[derive(Debug, Deserialize)]
pub struct SheetData {
    #[serde(default)]
    pub row: Vec<Row>,
}

/// A row.
#[derive(Debug, Deserialize)]
pub struct Row {
    #[serde(rename = "@r")]
    pub number: u32,
    #[serde(rename = "@spans")]
    pub spans: Option<String>,
    #[serde(rename = "c", default)]
    pub cells: Vec<Cell>,
}

/// A cell.
#[derive(Debug, Deserialize)]
pub struct Cell {
    #[serde(rename = "@r")]
    pub place: String,
    #[serde(rename = "@s")]
    pub style: Option<u32>,
    #[serde(rename = "@t")]
    pub kind: Option<String>,
    #[serde(rename = "f")]
    pub formula: Option<String>,
    #[serde(rename = "v")]
    pub value: Option<String>,
}

pub(super) const AROUND: (&str, &str) = (
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
     <worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" \
     xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\">\
     <dimension ref=\"A1:L9999\"/><sheetViews><sheetView workbookViewId=\"0\"/></sheetViews><sheetData>",
    "</sheetData></worksheet>",
);

pub(super) fn row(out: &mut String, number: u64) {
    let row = number + 1;
    let _ = write!(out, "<row r=\"{row}\" spans=\"1:12\">");
    for (at, column) in ('A'..='L').enumerate() {
        let random = scatter(number * 12 + at as u64);
        let _ = match at % 4 {
            0 => write!(
                out,
                "<c r=\"{column}{row}\" t=\"s\"><v>{}</v></c>",
                random % 4000
            ),
            1 => write!(
                out,
                "<c r=\"{column}{row}\" s=\"{}\"><v>{}.{}</v></c>",
                random % 9,
                random % 10_000,
                random % 97
            ),
            2 => write!(
                out,
                "<c r=\"{column}{row}\" s=\"3\"><f>SUM(B{row}:B{})</f><v>{}</v></c>",
                row + 3,
                random % 100_000
            ),
            _ => write!(out, "<c r=\"{column}{row}\" s=\"2\"/>"),
        };
    }
    *out += "</row>";
}
