"""Types of exceptions: limits, files, options of a wrong type, strings with surrogates, and calls in a wrong order."""

import contextlib
import gzip
import io
import os
import pathlib
import sys
import threading
import typing

import pytest
import tagstream
from tagstream import types

XML = b"<r><e id='1'><n>a</n></e><e id='2'><n>b</n></e></r>"


def raised(function, *arguments, **options):
    """Return the exception that a function raises."""
    try:
        function(*arguments, **options)
    except Exception as error:  # noqa: BLE001
        return error
    return None


def place(error):
    return error.code, error.line, error.column, error.offset


# Limits.

DEEP = "<e>" * 10_001
OVER_A_LIMIT = {
    "parse_xml": lambda: tagstream.parse_xml(DEEP),
    "parse_html": lambda: tagstream.parse_html("<a b c>", limits={"attributes": 1}),
    "iterparse": lambda: list(tagstream.iterparse(DEEP.encode(), "e")),
    "Subtrees": lambda: tagstream.Subtrees("e").feed(DEEP),
    "Parser": lambda: list(tagstream.Parser("xml").feed(DEEP)),
    "Rewriter": lambda: tagstream.Rewriter("xml").feed(DEEP),
    "records": lambda: tagstream.records(DEEP.encode(), "e"),
    "records of a reader": lambda: tagstream.records(io.BytesIO(DEEP.encode()), "e"),
    "records, columns": lambda: tagstream.records(XML, "e", max_columns=1),
    "records, bytes of a row": lambda: tagstream.records(XML, "e", max_row_bytes=5, mode="FAILFAST"),
}


@pytest.mark.parametrize("name", OVER_A_LIMIT)
def test_limits(name):
    error = raised(OVER_A_LIMIT[name])
    assert type(error) is tagstream.LimitError, error
    code, line, column, _ = place(error)
    assert code.endswith("-limit") and line == 1 and column >= 1


def test_limits_of_the_records_of_a_path(tmp_path):
    path = tmp_path / "deep.xml"
    path.write_text(DEEP)
    assert type(raised(tagstream.records, path, "e")) is tagstream.LimitError


def test_places_of_the_errors_of_records():
    error = raised(tagstream.records, b"<r>\n <e>1</e><e>2</f></r>", "e", mode="FAILFAST")
    assert type(error) is tagstream.ParseError and place(error) == ("malformed-row", 2, 14, 17)


# Files.

READERS = {
    "parse_html": tagstream.parse_html,
    "parse_xml": tagstream.parse_xml,
    "iterparse": lambda source: list(tagstream.iterparse(source, "e")),
    "records": lambda source: tagstream.records(source, "e"),
    "records with a schema": lambda source: tagstream.records(source, "e", schema=Schema(), threads=2),
}


class Schema:
    """A schema that pyarrow makes."""

    def __arrow_c_schema__(self):
        pyarrow = pytest.importorskip("pyarrow")
        return pyarrow.schema([("n", pyarrow.string())]).__arrow_c_schema__()


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read(10)


@contextlib.contextmanager
def without_privileges():
    """Become another user than the superuser, who may read every file."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def paths(folder):
    """Return paths that cannot be read."""
    denied = folder / "denied"
    denied.write_bytes(XML)
    denied.chmod(0)
    endless = folder / "endless"
    if not endless.is_symlink():
        endless.symlink_to(endless)
    return {
        "missing": folder / "missing",
        "in no folder": folder / "missing" / "missing",
        "below a file": denied / "file",
        "a folder": folder,
        "not permitted": denied,
        "a circle": endless,
        "a long name": folder / ("a" * 1000),
        "a null byte": folder / "a\0b",
        "surrogates": folder / "a\ud800b",
        "bytes that are not UTF-8": folder / "a\udcffb",
        "an error of reading": pathlib.Path("/proc/self/mem"),
    }


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other errors")
@pytest.mark.parametrize("name", READERS)
def test_errors_of_files_are_those_of_open(name, tmp_path):
    is_path = name not in ("parse_html", "parse_xml")
    for kind, path in paths(tmp_path).items():
        with without_privileges() if kind == "not permitted" else contextlib.nullcontext():
            expected = raised(read_bytes, path)
            errors = [raised(READERS[name], given) for given in ([path, str(path)] if is_path else [path])]
        assert expected is not None, kind
        for error in errors:
            assert type(error) is type(expected), (kind, error)
            if isinstance(expected, OSError):
                assert (error.errno, error.filename) == (expected.errno, expected.filename), kind
                assert (str(error), error.args) == (str(expected), expected.args), kind


def test_a_compressed_file_that_is_cut_off(tmp_path):
    path = tmp_path / "a.xml.gz"
    path.write_bytes(gzip.compress(XML * 1000)[:-20])
    assert isinstance(raised(tagstream.records, path, "e"), OSError)


# Options.

VALUES = {bool: True, str: "", int: 5, float: 0.5, list: ["b"], tuple: (5,), bytes: b"b", dict: {"b": 5}, object: object()}
VALUES_OF = {
    "bool": (bool,),
    "str": (str,),
    "Iterable[str]": (list, dict),
    "Mapping[str, int]": (dict,),
}


def kinds_of(annotation):
    """Return the names of the types in the annotation of an option."""
    kinds = [kind for kind in typing.get_args(annotation) if kind is not type(None)]
    for kind in kinds:
        if typing.get_origin(kind) is typing.Literal:
            yield "str"
        else:
            yield kind.__name__ if isinstance(kind, type) and not typing.get_args(kind) else str(kind).replace(
                "collections.abc.", ""
            )


DIALECTS = {
    "html": (types.HtmlOptions, {}),
    "xml": (types.XmlOptions, {}),
    "microxml": (types.XmlOptions, {}),
    "sky": (types.XmlOptions, {}),
    "leafxml": (types.XmlOptions, {}),
}
FUNCTIONS = [
    *((name, lambda name=name, **options: tagstream.Parser(name, **options), of) for name, (of, _) in DIALECTS.items()),
    ("Sanitizer", tagstream.Sanitizer, types.SanitizerOptions),
]
OPTIONS = [
    (name, function, option, [VALUES[type_] for kind in kinds_of(annotation) for type_ in VALUES_OF[kind]])
    for name, function, options in FUNCTIONS
    for option, annotation in typing.get_type_hints(options).items()
]


@pytest.mark.parametrize("name, function, option, allowed", OPTIONS, ids=[f"{one[0]}-{one[2]}" for one in OPTIONS])
def test_options_of_a_wrong_type(name, function, option, allowed):
    """Values of the type in the annotation may be wrong, with ValueError. All others are a TypeError with the name."""
    assert raised(function, **{option: None}) is None
    for value in VALUES.values():
        error = raised(function, **{option: value})
        if any(value is one for one in allowed):
            is_missing = "has no option" in str(error)
            assert error is None or isinstance(error, ValueError) or is_missing, error
        else:
            assert type(error) is TypeError and f"'{option}'" in str(error), (value, error)


WRONG = [
    ("recover", lambda: tagstream.parse_xml("<a>", recover=1)),
    ("recover", lambda: tagstream.parse_xml("<a>", recover="true")),
    ("strict", lambda: tagstream.parse_xml("<a>", strict=True)),
    ("depth", lambda: tagstream.parse_xml("<a/>", limits={"depth": True})),
    ("depth", lambda: tagstream.parse_xml("<a/>", limits={"depth": "5"})),
    ("depth", lambda: tagstream.parse_xml("<a/>", limits={"depth": 5.0})),
    ("limits", lambda: tagstream.parse_xml("<a/>", limits={5: 5})),
    ("limits", lambda: tagstream.parse_xml("<a/>", limits=[("depth", 5)])),
    ("allow_elements", lambda: tagstream.Sanitizer(allow_elements=5)),
    ("allow_elements", lambda: tagstream.Sanitizer(allow_elements="b")),
    ("allow_elements", lambda: tagstream.Sanitizer(allow_elements=["b", 5])),
    ("allow_elements", lambda: tagstream.Sanitizer(allow_elements=[b"b"])),
    ("link_rel", lambda: tagstream.Sanitizer(link_rel=True)),
    ("attribute_filter", lambda: tagstream.Sanitizer(attribute_filter=5)),
    ("handler", lambda: tagstream.Rewriter().on("a", 5)),
    ("namespaces", lambda: tagstream.Selector("a", namespaces=5)),
    ("namespaces", lambda: tagstream.Selector("a", namespaces={"a": 5})),
    ("namespaces", lambda: tagstream.XPath("a", namespaces={5: "a"})),
    ("variables", lambda: tagstream.XPath("a", variables={"a": None})),
    ("variables", lambda: tagstream.XPath("a", variables=5)),
    ("infer_schema", lambda: tagstream.records(XML, "e", infer_schema=1)),
    ("inferSchema", lambda: tagstream.records(XML, "e", inferSchema=["true"])),
    ("max_depth", lambda: tagstream.records(XML, "e", max_depth=True)),
    ("maxColumns", lambda: tagstream.records(XML, "e", maxColumns=5.0)),
    ("sampling_ratio", lambda: tagstream.records(XML, "e", sampling_ratio=True)),
    ("attributePrefix", lambda: tagstream.records(XML, "e", attributePrefix=True)),
    ("mode", lambda: tagstream.records(XML, "e", mode=5)),
    ("null_value", lambda: tagstream.records(XML, "e", null_value=["a"])),
    ("errors", lambda: tagstream.parse_xml("<a/>", errors=1)),
    ("markup", lambda: tagstream.sanitize(b"")),
]


@pytest.mark.parametrize("name, call", WRONG)
def test_arguments_of_a_wrong_type(name, call):
    error = raised(call)
    # The name of a positional argument is in a note.
    assert type(error) is TypeError and name in f"{error} {getattr(error, '__notes__', '')}", error


@pytest.mark.parametrize("names", [["a,b"], [" b"], [""], ["a b"]])
def test_names_that_are_no_names(names):
    error = raised(tagstream.Sanitizer, allow_elements=names)
    assert type(error) is ValueError and str(error).endswith("expected names"), error


def test_numbers_of_other_types():
    class Number:
        def __index__(self):
            return 2

    error = raised(lambda: tagstream.parse_xml("<a><b><c/></b></a>", limits={"depth": Number()}))
    assert type(error) is tagstream.LimitError
    for number in (-1, 1 << 70):
        assert type(raised(lambda: tagstream.parse_xml("<a/>", limits={"depth": number}))) is ValueError


def test_values_of_options():
    for names in (["b"], ("b",), {"b"}, {"b": 1}, (name for name in "b")):
        assert tagstream.Sanitizer("nothing", allow_elements=names).clean("<b>x</b>") == "<b>x</b>"
    for options in ({"infer_schema": "false"}, {"inferSchema": False}, {"max_columns": 5}, {"samplingRatio": 1}):
        assert tagstream.records(XML, "e", **options).columns == ["_id", "n"]


# Strings.

SURROGATE = "a\ud800"
NODE = tagstream.parse_html("<p id=a>text").select_one("p")
DOCUMENT = NODE.document


def in_a_handler(call):
    """Return what a handler of a rewriter raises."""
    rewriter = tagstream.Rewriter(encoding="utf-8")
    rewriter.on("a", call)
    rewriter.feed("<a>")


WITH_SURROGATES = {
    "parse_html": lambda text: tagstream.parse_html(text),
    "parse_xml": lambda text: tagstream.parse_xml(text),
    "a chunk": lambda text: tagstream.parse_html([text]),
    "an option": lambda text: tagstream.parse_html("", encoding=text),
    "the name of an option": lambda text: tagstream.parse_html("", **{text: True}),
    "the name of a limit": lambda text: tagstream.parse_html("", limits={text: 5}),
    "a dialect": lambda text: tagstream.Parser(text),
    "Parser.feed": lambda text: tagstream.Parser("html").feed(text),
    "Subtrees.feed": lambda text: tagstream.Subtrees("a").feed(text),
    "Rewriter.feed": lambda text: tagstream.Rewriter().feed(text),
    "iterparse, selector": lambda text: tagstream.iterparse(b"", text),
    "iterparse, path": lambda text: tagstream.iterparse(text, "a"),
    "Selector": lambda text: tagstream.Selector(text),
    "Selector, prefix": lambda text: tagstream.Selector("a", namespaces={text: "b"}),
    "Selector, namespace": lambda text: tagstream.Selector("a", namespaces={"b": text}),
    "XPath": lambda text: tagstream.XPath(text),
    "XPath, variable": lambda text: tagstream.XPath("a", variables={"b": text}),
    "Rewriter.on": lambda text: tagstream.Rewriter().on(text, print),
    "records, path": lambda text: tagstream.records(text, "a"),
    "records, row": lambda text: tagstream.records(XML, text),
    "records, option": lambda text: tagstream.records(XML, "e", null_value=text),
    "sanitize": lambda text: tagstream.sanitize(text),
    "Sanitizer.clean": lambda text: tagstream.Sanitizer().clean(text),
    "Sanitizer, names": lambda text: tagstream.Sanitizer(allow_elements=[text]),
    "Sanitizer, link_rel": lambda text: tagstream.Sanitizer(link_rel=text),
    "select": DOCUMENT.select,
    "select_one": DOCUMENT.select_one,
    "select_values": lambda text: DOCUMENT.select_values("a", text),
    "select_texts": DOCUMENT.select_texts,
    "xpath": DOCUMENT.xpath,
    "Node.select": NODE.select,
    "Node.matches": NODE.matches,
    "Node.closest": NODE.closest,
    "Node.xpath": NODE.xpath,
    "Node.get": NODE.get,
    "Node[]": NODE.__getitem__,
    "Node[] =": lambda text: NODE.__setitem__("a", text),
    "del Node[]": NODE.__delitem__,
    "in Node": NODE.__contains__,
    "rename": NODE.rename,
    "append": NODE.append,
    "prepend": NODE.prepend,
    "before": NODE.before,
    "after": NODE.after,
    "set_text": NODE.set_text,
    "set_html": NODE.set_html,
    "new_element": NODE.new_element,
    "handler, get": lambda text: in_a_handler(lambda event: event.get(text)),
    "handler, set": lambda text: in_a_handler(lambda event: event.set("b", text)),
    "handler, append": lambda text: in_a_handler(lambda event: event.append(text)),
}


@pytest.mark.parametrize("name", WITH_SURROGATES)
def test_strings_with_surrogates(name):
    assert type(raised(WITH_SURROGATES[name], SURROGATE)) is UnicodeEncodeError


# Calls in a wrong order.


def after_close(made):
    made.close()
    return made


AFTER_CLOSE = {
    "Parser": lambda: list(after_close(tagstream.Parser("xml", fragment=True)).feed("<a/>")),
    "Parser of html": lambda: after_close(tagstream.Parser("html")).feed("").feed("a").read(),
    "Subtrees": lambda: after_close(tagstream.Subtrees("a", fragment=True)).feed(b"<a/>"),
    "Rewriter": lambda: after_close(tagstream.Rewriter()).feed(b"<a>"),
    "balanced Rewriter": lambda: after_close(tagstream.Rewriter("xml", balanced=True)).feed(b"<a/>"),
}


@pytest.mark.parametrize("name", AFTER_CLOSE)
def test_feed_after_close(name):
    error = raised(AFTER_CLOSE[name])
    assert type(error) is ValueError and str(error) == "feed was called after close", error


def test_a_str_after_bytes_in_another_encoding():
    parser = tagstream.Parser("html", encoding="latin1")
    error = raised(lambda: parser.feed(b"\xe9").feed("e").read())
    assert type(error) is ValueError and "a str was fed after bytes" in str(error), error


def test_edits_that_a_tree_refuses():
    text = tagstream.parse_html("<p>a").select_one("p").first_child
    for edit in (lambda: text.set_html("b"), lambda: text.append("b"), lambda: text.__setitem__("b", "c")):
        error = raised(edit)
        assert type(error) is tagstream.EditError and error.code, error


def rewriter_with(handler):
    rewriter = tagstream.Rewriter(encoding="utf-8")
    rewriter.on("a", handler)
    return rewriter


def test_handlers_are_registered_before_the_first_chunk():
    for begin in (lambda rewriter: rewriter.feed(b""), lambda rewriter: rewriter.close()):
        rewriter = tagstream.Rewriter()
        begin(rewriter)
        error = raised(rewriter.on, "a", print)
        assert type(error) is RuntimeError and "before the first call of feed or close" in str(error), error
    errors = []
    rewriter = rewriter_with(lambda event: errors.append(raised(rewriter.on, "b", print)))
    assert rewriter.feed(b"<a>") + rewriter.close() == b"<a>"
    assert [type(error) for error in errors] == [RuntimeError] and "a handler must not" in str(errors[0])


def test_a_rewriter_is_for_one_thread_at_a_time():
    inside, release, outputs = threading.Event(), threading.Event(), []

    def wait(event):
        inside.set()
        assert release.wait(60)

    rewriter = rewriter_with(wait)
    thread = threading.Thread(target=lambda: outputs.append(rewriter.feed(b"<a>b")))
    thread.start()
    assert inside.wait(60)
    errors = [raised(rewriter.feed, b"c"), raised(rewriter.close), raised(rewriter.on, "a", print)]
    release.set()
    thread.join()
    assert [type(error) for error in errors] == [RuntimeError] * 3
    assert all("another thread is feeding it" in str(error) for error in errors), errors
    assert outputs + [rewriter.close()] == [b"<a>b", b""]
