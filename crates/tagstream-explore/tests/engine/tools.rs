//! The options, the rewriter and the sanitizer.

use super::{list, parsed};
use serde_json::json;
use tagstream_explore::{Session, dialects, rewrite, sanitize};

#[test]
fn hostile_options_are_errors() {
    for options in [
        "",
        "null",
        "[]",
        "{",
        "{\"dialect\":\"sgml\"}",
        "{\"dialect\":1}",
        "{\"scripting\":1}",
        "{\"fragment\":\"<tr>\"}",
        "{\"encoding\":\"x\"}",
        "{\"encoding\":[]}",
        "{\"trace\":0}",
        "{\"dialect\":\"microxml\",\"revision\":\"x\"}",
        "{\"dialect\":\"sky\",\"context\":\"x\"}",
        "{\"balanced\":\"yes\"}",
        &"[".repeat(100_000),
        "{\"a\":\"\\ud800\\u\"}",
        "{} x",
    ] {
        assert!(Session::new(options).is_err(), "{options:.80}");
    }
    // Unknown options and those of other dialects are ignored.
    assert!(Session::new(r#"{"dialect":"leafxml","strict":true,"x":[1,2.5e3,null]}"#).is_ok());
}

#[test]
fn the_table_of_options_has_all_dialects() {
    let dialects = list(&dialects());
    let ids: Vec<&str> = dialects
        .iter()
        .map(|dialect| dialect["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["html", "xml", "microxml", "sky", "leafxml"]);
    for dialect in &dialects {
        // The defaults are accepted.
        let mut options = json!({"dialect": dialect["id"]});
        for option in dialect["options"].as_array().unwrap() {
            options[option["id"].as_str().unwrap()] = option["default"].clone();
        }
        assert!(Session::new(&options.to_string()).is_ok(), "{options}");
    }
}

#[test]
fn edits() {
    let document = "<p class=a>b<i>c</i></p>";
    for (edits, expected) in [
        (r#"[]"#, document),
        (
            r#"[{"selector":"i","action":"remove"}]"#,
            "<p class=a>b</p>",
        ),
        (
            r#"[{"selector":"i","action":"unwrap"}]"#,
            "<p class=a>bc</p>",
        ),
        (
            r#"[{"selector":"i","action":"rename","name":"em"}]"#,
            "<p class=a>b<em>c</em></p>",
        ),
        (
            r#"[{"selector":"p","action":"set_attribute","name":"id","value":"\u0022"}]"#,
            "<p class=a id=\"&quot;\">b<i>c</i></p>",
        ),
        (
            r#"[{"selector":".a","action":"remove_attribute","name":"class"}]"#,
            "<p>b<i>c</i></p>",
        ),
        (
            r#"[{"selector":"i","action":"before","value":"<b>x</b>"}]"#,
            "<p class=a>b<b>x</b><i>c</i></p>",
        ),
        (
            r#"[{"selector":"p:has(i)","action":"set_text","value":"<"}]"#,
            "<p class=a>&lt;</p>",
        ),
    ] {
        let output = parsed(&rewrite(document, "{}", edits));
        assert_eq!(output["output"], expected, "{edits}: {output}");
    }
    for edits in [
        "",
        "{}",
        "[1]",
        r#"[{"selector":"(","action":"remove"}]"#,
        r#"[{"selector":"i","action":"x"}]"#,
        r#"[{"selector":"i","action":"rename","name":"<"}]"#,
        r#"[{"selector":1,"action":"remove"}]"#,
        r#"[{"selector":"i","action":"set_attribute","name":"a b","value":""}]"#,
        r#"[{"selector":"i","action":"before","value":"<b"}]"#,
    ] {
        let output = parsed(&rewrite(document, "{}", edits));
        assert!(output["error"].is_string(), "{edits}: {output}");
    }
    for dialect in ["xml", "microxml", "leafxml", "sky"] {
        let options = json!({"dialect": dialect}).to_string();
        let edits = r#"[{"selector":"b","action":"remove"}]"#;
        assert_eq!(
            parsed(&rewrite("<a><b/>c</a>", &options, edits))["output"],
            "<a>c</a>"
        );
    }
}

#[test]
fn sanitized_output() {
    let document = "<p onclick=x>a<script>b</script><a href='javascript:c'>d</a><!--e--></p>";
    for (options, expected) in [
        ("{}", "<p>a<a>d</a></p>"),
        (r#"{"preset":"allow_nothing"}"#, ""),
        (
            r#"{"comments":true,"remove_elements":["a"]}"#,
            "<p>a<!--e--></p>",
        ),
        (r#"{"unwrap_elements":"a p"}"#, "ad"),
    ] {
        let output = parsed(&sanitize(document, options));
        assert_eq!(output["output"], expected, "{options}: {output}");
    }
    for options in ["", r#"{"preset":"x"}"#, r#"{"fragment":"<"}"#] {
        assert!(
            parsed(&sanitize(document, options))["error"].is_string(),
            "{options}"
        );
    }
}
