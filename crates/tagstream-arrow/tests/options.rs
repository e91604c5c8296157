//! Options by name.

use tagstream_arrow::{Mode, OptionError, Options};

#[test]
fn options_are_set_by_both_spellings() {
    let mut options = Options::default();
    for (name, value) in [
        ("xml.row_tag", "page"),
        ("attributePrefix", "@"),
        ("VALUETAG", "text"),
        ("xml.nullValue", "-"),
        ("mode", "dropMalformed"),
        ("column_name_of_corrupt_record", "bad"),
        ("columnNameOfCorruptRecord", "bad"),
        ("ignoreSurroundingSpaces", "FALSE"),
        ("excludeAttribute", "true"),
        ("ignore_namespace", "true"),
        ("inferSchema", "false"),
        ("prefersDecimal", "true"),
        ("preferDate", "false"),
        ("timezone", "+02:00"),
        ("charset", "iso-8859-1"),
        ("batch_size", "10"),
        ("samplingRatio", "0.5"),
    ] {
        options
            .set(name, value)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let expected = Options::new("page")
        .attribute_prefix("@")
        .value_tag("text")
        .null_value(Some("-"))
        .mode(Mode::DropMalformed)
        .column_name_of_corrupt_record("bad")
        .ignore_surrounding_spaces(false)
        .exclude_attribute(true)
        .ignore_namespace(true)
        .infer_schema(false)
        .prefers_decimal(true)
        .prefer_date(false)
        .timezone("+02:00")
        .unwrap()
        .encoding(Some("iso-8859-1"))
        .batch_size(10)
        .sampling_ratio(0.5);
    assert_eq!(options, expected);
}

#[test]
fn wrong_options_are_refused() {
    let mut options = Options::default();
    let before = options.clone();
    for (name, value) in [
        ("rowtags", "x"),
        ("wildcardColName", "x"),
        ("row_tag", ""),
        ("row_tag", "<x>"),
        ("mode", "strict"),
        ("inferSchema", "yes"),
        ("samplingRatio", "0"),
        ("samplingRatio", "2"),
        ("timezone", "Mars"),
        ("encoding", "no such encoding"),
        ("date_format", "yyyy-QQ"),
        ("batch_size", "0"),
    ] {
        assert!(options.set(name, value).is_err(), "{name} {value}");
    }
    assert_eq!(options, before);
    let error = options.set("mode", "strict").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the option `mode` cannot be `strict`: expected `PERMISSIVE`, `DROPMALFORMED` or `FAILFAST`"
    );
    assert_eq!(
        options.set("x", "y"),
        Err(OptionError::Unknown { name: "x".into() })
    );
}

/// Each name of the table is set, and there are no two names that differ only in their spelling.
#[test]
fn names_are_unique() {
    let mut names: Vec<_> = Options::names().map(|name| name.replace('_', "")).collect();
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}

/// The names of rows that are no names, and offsets of time zones with seconds, which Arrow does not have.
#[test]
fn other_wrong_options_are_refused() {
    let mut options = Options::default();
    for (name, value) in [
        ("row_tag", "<x"),
        ("row_tag", "x>"),
        ("timezone", "+02:00:30"),
        ("timezone", "-000001"),
        ("timezone", "+18:01"),
    ] {
        assert!(options.set(name, value).is_err(), "{name} {value}");
    }
    assert_eq!(options, Options::default());
}

/// The last of a selector and a name chooses the rows, and a sample is never empty.
#[test]
fn names_replace_selectors() {
    let options = Options::selector("a > p");
    assert_eq!(options.row_name(), None);
    assert_eq!(options.row_tag("p").row_name(), Some("p"));
    let smallest = Options::new("p").sampling_ratio(1e-6);
    assert_eq!(Options::new("p").sampling_ratio(0.0), smallest);
}
