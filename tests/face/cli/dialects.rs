//! `events` and `tree` with MicroXML, Sky and LeafXML, each option of theirs.

use super::written;
use testing::run::Program;

pub(crate) fn add(program: &mut Program) {
    for &(arguments, input, expected) in TREES {
        for (format, expected) in FORMATS.into_iter().zip(expected) {
            let option = format!("--format={format}");
            let name = format!("cli/tree {option} {}", arguments.join(" "));
            program.case(name, move || {
                let all = [&["tree", &*option], arguments, &["-"]].concat();
                assert_eq!(written(&all, input), expected);
            });
        }
    }
    for &(arguments, input, expected) in EVENTS {
        program.case(format!("cli/events {}", arguments.join(" ")), move || {
            let events = ["events", "--format=json", "--errors"];
            let found = written(&[&events, arguments, &["-"]].concat(), input);
            assert_eq!(found.lines().collect::<Vec<_>>(), expected);
        });
    }
}

/// What `tree` writes of an input in each of these: html5lib's is the last.
const FORMATS: [&str; 5] = ["outline", "xml", "canonical", "html", "html5lib"];

type TreeCase = (&'static [&'static str], &'static str, [&'static str; 5]);

const TREES: &[TreeCase] = &[
    (
        &["--dialect=microxml"],
        "x<a b=c>&lt;<d e>f</a>",
        [
            "<#doc>\n  \"x\"\n  <a b=\"c\">\n    \"<<d e>f\"\n",
            "<#doc>x<a b=\"c\">&lt;&lt;d e&gt;f</a></#doc>\n",
            "<#doc>x<a b=\"c\">&lt;&lt;d e&gt;f</a></#doc>",
            "<#doc>x<a b=\"c\">&lt;&lt;d e&gt;f</a></#doc>\n",
            "| <#doc>\n|   \"x\"\n|   <a>\n|     b=\"c\"\n|     \"<<d e>f\"\n",
        ],
    ),
    (
        &["--dialect=microxml", "--revision=final"],
        "<?x?><a b=c>&lt;<d e>f</a> ",
        [
            "<a b=\"c\">\n  \"<\"\n  <d e=\"\">\n    \"f\"\n",
            "<a b=\"c\">&lt;<d e=\"\">f</d></a>\n",
            "<a b=\"c\">&lt;<d e=\"\">f</d></a>",
            "<a b=\"c\">&lt;<d e=\"\">f</d></a>\n",
            "| <a>\n|   b=\"c\"\n|   \"<\"\n|   <d>\n|     e=\"\"\n|     \"f\"\n",
        ],
    ),
    (
        &["--dialect=microxml", "--strict"],
        "<!-- x --><a b=\"c\"><d/>&#x41;</a>\n",
        [
            "<a b=\"c\">\n  <d>\n  \"A\"\n",
            "<a b=\"c\"><d/>A</a>\n",
            "<a b=\"c\"><d></d>A</a>",
            "<a b=\"c\"><d></d>A</a>\n",
            "| <a>\n|   b=\"c\"\n|   <d>\n|   \"A\"\n",
        ],
    ),
    (
        &["--dialect=sky"],
        "SKY MODULE\n <a b=1><template>x<c></template> <t> </></>",
        [
            "<a b=\"1\">\n  <template>\n    content\n      \"x\"\n      <c>\n  <t>\n    \" \"\n",
            "<a b=\"1\"><template>x<c/></template><t> </t></a>\n",
            "<a b=\"1\"><template>x<c></c></template><t> </t></a>",
            "<a b=\"1\"><template>x<c></c></template><t> </t></a>\n",
            "| <a>\n|   b=\"1\"\n|   <template>\n|     content\n|       \"x\"\n|       <c>\n|   <t>\n|     \" \"\n",
        ],
    ),
    (
        &["--dialect=sky", "--context=fragment", "--registered=a,t"],
        "S<a><d e/>f</></g>",
        [
            "\"S\"\n<a>\n  <error e=\"\">\n  \"f\"\n",
            "S<a><error e=\"\"/>f</a>\n",
            "S<a><error e=\"\"></error>f</a>",
            "S<a><error e=\"\"></error>f</a>\n",
            "| \"S\"\n| <a>\n|   <error>\n|     e=\"\"\n|   \"f\"\n",
        ],
    ),
    (
        &["--dialect=sky", "--context=application"],
        "#!mojo mojo:sky x\n<script>a</b</script>",
        [
            "<script>\n  \"a</b\"\n",
            "<script>a&lt;/b</script>\n",
            "<script>a&lt;/b</script>",
            "<script>a&lt;/b</script>\n",
            "| <script>\n|   \"a</b\"\n",
        ],
    ),
    (
        &["--dialect=leafxml"],
        "<p:a xmlns:p=\"u\" p:b=\" c  d \" e=''><f/>e&#x301;<!--g--></p:a>\n",
        [
            "<p:a xmlns:p=\"u\" p:b=\"c d\" e=\"\">\n  <f>\n  \"é\"\n",
            "<p:a xmlns:p=\"u\" p:b=\"c d\" e=\"\"><f/>é</p:a>\n",
            "<p:a e=\"\" p:b=\"c d\" xmlns:p=\"u\"><f></f>é</p:a>",
            "<p:a xmlns:p=\"u\" p:b=\"c d\" e=\"\"><f></f>é</p:a>\n",
            "| <{u}p:a>\n|   e=\"\"\n|   {http://www.w3.org/2000/xmlns/}xmlns:p=\"u\"\n|   {u}p:b=\"c d\"\n|   <f>\n|   \"é\"\n",
        ],
    ),
];

/// Events as JSON, with what is repaired, of each option.
type EventCase = (
    &'static [&'static str],
    &'static str,
    &'static [&'static str],
);

const EVENTS: &[EventCase] = &[
    (
        &["--dialect=microxml"],
        "x<a b=c>&lt;<d e>f</a>",
        &[
            "{\"event\":\"error\",\"code\":\"text-outside-root\",\"line\":1,\"column\":1,\"span\":[0,0]}",
            "{\"event\":\"text\",\"data\":\"x\",\"span\":[0,1]}",
            "{\"event\":\"start\",\"name\":\"a\",\"attributes\":[[\"b\",\"c\"]],\"selfClosing\":false,\"span\":[1,8]}",
            "{\"event\":\"error\",\"code\":\"stray-markup\",\"line\":1,\"column\":13,\"span\":[12,13]}",
            "{\"event\":\"text\",\"data\":\"<<d e>f\",\"span\":[8,18]}",
            "{\"event\":\"end\",\"name\":\"a\",\"span\":[18,22]}",
        ],
    ),
    (
        &["--dialect=microxml", "--revision=final"],
        "<?x?><a b=c>&lt;<d e>f</a> ",
        &[
            "{\"event\":\"start\",\"name\":\"a\",\"attributes\":[[\"b\",\"c\"]],\"selfClosing\":false,\"span\":[5,12]}",
            "{\"event\":\"text\",\"data\":\"<\",\"span\":[12,16]}",
            "{\"event\":\"start\",\"name\":\"d\",\"attributes\":[[\"e\",\"\"]],\"selfClosing\":false,\"span\":[16,21]}",
            "{\"event\":\"text\",\"data\":\"f\",\"span\":[21,22]}",
            "{\"event\":\"error\",\"code\":\"mismatched-end-tag\",\"line\":1,\"column\":23,\"span\":[22,26]}",
            "{\"event\":\"end\",\"name\":\"a\",\"span\":[22,26]}",
            "{\"event\":\"text\",\"data\":\" \",\"span\":[26,27]}",
        ],
    ),
    (
        &["--dialect=microxml", "--strict"],
        "<!-- x --><a b=\"c\"><d/>&#x41;</a>\n",
        &[
            "{\"event\":\"start\",\"name\":\"a\",\"attributes\":[[\"b\",\"c\"]],\"selfClosing\":false,\"span\":[10,19]}",
            "{\"event\":\"start\",\"name\":\"d\",\"attributes\":[],\"selfClosing\":true,\"span\":[19,23]}",
            "{\"event\":\"end\",\"name\":\"d\",\"span\":[23,23]}",
            "{\"event\":\"text\",\"data\":\"A\",\"span\":[23,29]}",
            "{\"event\":\"end\",\"name\":\"a\",\"span\":[29,33]}",
            "{\"event\":\"text\",\"data\":\"\\n\",\"span\":[33,34]}",
        ],
    ),
    (
        &["--dialect=sky"],
        "SKY MODULE\n <a b=1><template>x<c></template> <t> </></>",
        &[
            "{\"event\":\"text\",\"data\":\" \",\"span\":[11,12]}",
            "{\"event\":\"start\",\"name\":\"a\",\"attributes\":[[\"b\",\"1\"]],\"selfClosing\":false,\"span\":[12,19]}",
            "{\"event\":\"start\",\"name\":\"template\",\"attributes\":[],\"selfClosing\":false,\"span\":[19,29]}",
            "{\"event\":\"text\",\"data\":\"x\",\"span\":[29,30]}",
            "{\"event\":\"start\",\"name\":\"c\",\"attributes\":[],\"selfClosing\":false,\"span\":[30,33]}",
            "{\"event\":\"error\",\"code\":\"mismatched-end-tag\",\"line\":2,\"column\":23,\"span\":[33,44]}",
            "{\"event\":\"end\",\"name\":\"template\",\"span\":[33,44]}",
            "{\"event\":\"text\",\"data\":\" \",\"span\":[44,45]}",
            "{\"event\":\"start\",\"name\":\"t\",\"attributes\":[],\"selfClosing\":false,\"span\":[45,48]}",
            "{\"event\":\"text\",\"data\":\" \",\"span\":[48,49]}",
            "{\"event\":\"end\",\"name\":\"t\",\"span\":[49,52]}",
            "{\"event\":\"end\",\"name\":\"a\",\"span\":[52,55]}",
        ],
    ),
    (
        &["--dialect=sky", "--context=fragment", "--registered=a,t"],
        "S<a><d e/>f</></g>",
        &[
            "{\"event\":\"text\",\"data\":\"S\",\"span\":[0,1]}",
            "{\"event\":\"start\",\"name\":\"a\",\"attributes\":[],\"selfClosing\":false,\"span\":[1,4]}",
            "{\"event\":\"start\",\"name\":\"d\",\"attributes\":[[\"e\",\"\"]],\"selfClosing\":true,\"span\":[4,10]}",
            "{\"event\":\"end\",\"name\":\"d\",\"span\":[10,10]}",
            "{\"event\":\"text\",\"data\":\"f\",\"span\":[10,11]}",
            "{\"event\":\"end\",\"name\":\"a\",\"span\":[11,14]}",
            "{\"event\":\"error\",\"code\":\"stray-end-tag\",\"line\":1,\"column\":15,\"span\":[14,18]}",
            "{\"event\":\"end\",\"name\":\"g\",\"span\":[14,18]}",
        ],
    ),
    (
        &["--dialect=sky", "--context=application"],
        "#!mojo mojo:sky x\n<script>a</b</script>",
        &[
            "{\"event\":\"start\",\"name\":\"script\",\"attributes\":[],\"selfClosing\":false,\"span\":[18,26]}",
            "{\"event\":\"text\",\"data\":\"a</b\",\"span\":[26,30]}",
            "{\"event\":\"end\",\"name\":\"script\",\"span\":[30,39]}",
        ],
    ),
    (
        &["--dialect=leafxml"],
        "<p:a xmlns:p=\"u\" p:b=\" c  d \" e=''><f/>e&#x301;<!--g--></p:a>\n",
        &[
            "{\"event\":\"start\",\"name\":\"p:a\",\"attributes\":[[\"xmlns:p\",\"u\"],[\"p:b\",\"c d\"],[\"e\",\"\"]],\"selfClosing\":false,\"namespace\":\"u\",\"localName\":\"a\",\"external\":[[\"u\",\"b\",\"c d\"]],\"span\":[0,35]}",
            "{\"event\":\"start\",\"name\":\"f\",\"attributes\":[],\"selfClosing\":true,\"namespace\":null,\"localName\":\"f\",\"external\":[],\"span\":[35,39]}",
            "{\"event\":\"end\",\"name\":\"f\",\"span\":[39,39]}",
            "{\"event\":\"text\",\"data\":\"é\",\"span\":[39,47]}",
            "{\"event\":\"end\",\"name\":\"p:a\",\"span\":[55,61]}",
        ],
    ),
];
