//! The programs with other libraries in the migration guides compile with these libraries, and do what the guides say.

/// Defines a module with the program of a guide, and a test of it.
macro_rules! guide {
    ($module:ident, $file:literal, $check:expr) => {
        mod $module {
            include!(concat!(env!("OUT_DIR"), "/", $file, ".rs"));

            #[test]
            fn does_what_the_guide_says() {
                $check
            }
        }
    };
}

guide!(of_quick_xml, "quick_xml", {
    let feed = "<feed><title>Tom &amp; Jerry</title><entry><title>b</title></entry></feed>";
    assert_eq!(titles(feed).unwrap(), ["Tom & Jerry", "b"]);
});

guide!(of_html5ever, "html5ever", {
    let found = [("/a".to_owned(), "b".to_owned())];
    assert_eq!(links("<p><A HREF=/a>b</A><a>c"), found);
});

guide!(of_lol_html, "lol_html", {
    let page = secure("<p><A HREF=http://a.b/>c");
    assert_eq!(page, "<p><A HREF=\"https://a.b/\">c");
});

guide!(of_roxmltree, "roxmltree", {
    let found = name_of("1", "<a><b id='1'/></a>").unwrap();
    assert_eq!(found.as_deref(), Some("b"));
});

guide!(of_xml_rs, "xml_rs", {
    let found = outline(&b"<a><b/></a>"[..]).unwrap();
    assert_eq!(found, "a\n b\n");
});
