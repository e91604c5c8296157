//! Plain documents: elements, attributes, text and the five references, well-formed by all four
//! documents of the XML-like dialects, give the same tree in all of them, however they are fed.
//!
//! What is plain is what no dialect reads in a way of its own: names of elements that begin in ASCII,
//! tags without tabs, values without white space but single spaces inside, text of white space alone
//! only inside a `t`, no script, style or template, characters in NFC.

use testing::compare::plain::plain;
use testing::drawn::Feed;
use testing::run::Program;

const DOCUMENTS: [(&str, &str); 13] = [
    ("<a/>", "a[]"),
    ("<a></a>", "a[]"),
    ("<a b=\"c\"/>", "a b=\"c\"[]"),
    (
        "<a b='c' d = \"e\" f='' g='\"' h=\"'\"></a >",
        "a b=\"c\" d=\"e\" f=\"\" g=\"\\\"\" h=\"'\"[]",
    ),
    ("<a>text</a>", "a[\"text\"]"),
    ("<a>&lt;&gt;&amp;&quot;&apos;</a>", "a[\"<>&\\\"'\"]"),
    (
        "<a b='&lt;&gt;&amp;&quot;&apos;' c=\"x &amp; y &lt; z\"/>",
        "a b=\"<>&\\\"'\" c=\"x & y < z\"[]",
    ),
    (
        "<a>x<b>y</b>z<c/>&amp;<b/></a>",
        "a[\"x\" b[\"y\"] \"z\" c[] \"&\" b[]]",
    ),
    (
        "<a>line\r\nline\rline\n</a>",
        "a[\"line\\nline\\nline\\n\"]",
    ),
    (
        "\n<list kind='short'\n>\n1. <item id=\"_1\" lang='de'\r\n >Grüße, 世界 𝄞</item\n>!</list>\n",
        "list kind=\"short\"[\"\\n1. \" item id=\"_1\" lang=\"de\"[\"Grüße, 世界 𝄞\"] \"!\"]",
    ),
    (
        "<aé ü='ä'><_日本 名='前'/>x</aé>",
        "aé ü=\"ä\"[_日本 名=\"前\"[] \"x\"]",
    ),
    (
        "<t a=\"b &amp; c\"><d/>text &lt; &gt; &quot; &apos;<e f='g'>more</e>\n</t>",
        "t a=\"b & c\"[d[] \"text < > \\\" '\" e f=\"g\"[\"more\"] \"\\n\"]",
    ),
    ("<t> <b> </b>\n</t>", "t[\" \" b[\" \"] \"\\n\"]"),
];

pub(crate) fn add(program: &mut Program) {
    for (input, expected) in DOCUMENTS {
        program.case(format!("core/plain document {input:?}"), move || {
            assert_eq!(plain(Feed::WHOLE, input.as_bytes())?, expected);
            Ok::<_, String>(())
        });
    }
}
