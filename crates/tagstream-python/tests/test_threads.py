"""Several threads, leaks, and hostile documents."""

import contextlib
import gc
import os
import random
import sys
import threading
import time
import tracemalloc

import pytest
import tagstream

SECONDS = float(os.environ.get("TAGSTREAM_SECONDS", "3"))
SEED = int(os.environ.get("TAGSTREAM_SEED", "1"))
CALLS = 100
"""Each thread makes at least this number of calls, also on a machine that is busy."""

HTML = ["<p>", "<a href=x>", "</a>", "text", "<b>", "</b>", "<table><td>", "&amp;", "<!--c-->", "<svg>", "<template>", "é", "<"]
XML = ["<r>", "<e a='b'>", "</e>", "</r>", "text", "&lt;", "<e/>", "<!--c-->", "<![CDATA[d]]>", "&x;", "<", "é"]
SELECTORS = ["a", "p > a[href]", "b, i", "td:nth-child(2)", ":has(b)", "e", "r > e", "a["]
EXPRESSIONS = ["//a", "count(//b)", "//a/@href", "string(//p)", "//p[", "1 div 0"]


class Shared:
    """Objects that all threads use at the same time."""

    def __init__(self):
        self.page = tagstream.parse_html("<p>one<a href=x>two</a>" * 20)
        self.parser = tagstream.Parser("html", encoding="utf-8")
        self.subtrees = tagstream.Subtrees("e", recover=True)
        self.rewriter = tagstream.Rewriter(encoding="utf-8")
        self.rewriter.on("a", lambda event: event.set("rel", "x"))
        self.sanitizer = tagstream.Sanitizer(attribute_filter=lambda element, name, value: value)
        self.records = tagstream.iterparse((b"<e>1</e>" for _ in range(10**9)), "e", fragment=True)
        self.nodes = []


def markup(draw, pieces):
    return "".join(draw.choice(pieces) for _ in range(draw.randrange(40)))


def node_of(draw, shared):
    nodes = shared.page.root.descendants
    return draw.choice(nodes) if nodes else shared.page.root


def calls(draw, shared):
    """Return a random call."""
    html, xml = markup(draw, HTML), markup(draw, XML)
    page, node = shared.page, node_of(draw, shared)
    selector, expression = draw.choice(SELECTORS), draw.choice(EXPRESSIONS)
    return draw.choice([
        lambda: page.select(selector),
        lambda: page.xpath(expression),
        lambda: [(one.name, one.text, one.attributes, one.parent) for one in node.children],
        lambda: node.append(html),
        lambda: node.set_html(html, sanitizer=draw.choice([None, shared.sanitizer])),
        lambda: node.remove(),
        lambda: node.__setitem__("id", html),
        lambda: node.unwrap(),
        lambda: node.to_dict(),
        lambda: node.inner_text(),
        lambda: page.to_html(),
        lambda: page.to_xml(),
        lambda: list(shared.parser.feed(html)),
        lambda: shared.parser.reset(),
        lambda: shared.subtrees.feed(xml),
        lambda: shared.rewriter.feed(html),
        lambda: shared.sanitizer.clean(html),
        lambda: next(shared.records)["id"],
        lambda: shared.nodes.append(node) or (len(shared.nodes) > 100 and shared.nodes.clear()),
        lambda: tagstream.parse_xml(xml, recover=draw.random() < 0.5, errors=True).errors,
        lambda: list(tagstream.iterparse(xml.encode(), "e", as_dict=True)),
        lambda: setattr(shared, "page", tagstream.parse_html(html)) if draw.random() < 0.1 else None,
        lambda: node.append(tagstream.parse_html(html).body),
        gc.collect,
    ])


EXPECTED = (ValueError, KeyError, RuntimeError, AttributeError)


def test_random_calls_from_four_threads():
    """Nothing crashes, no thread waits for ever, and no other exception is raised."""
    shared, until, failures = Shared(), time.monotonic() + SECONDS, []
    counts = [0] * 4

    def work(number):
        draw = random.Random(f"{SEED} {number}")
        while (time.monotonic() < until or counts[number] < CALLS) and not failures:
            try:
                calls(draw, shared)()
            except EXPECTED:
                pass
            except BaseException as error:  # noqa: BLE001
                failures.append(error)
                raise
            counts[number] += 1

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(SECONDS + 60)
    finally:
        sys.setswitchinterval(interval)
    assert not any(thread.is_alive() for thread in threads), "a thread waits for ever"
    assert failures == [] and min(counts) >= CALLS, counts


def test_the_gil_is_released():
    """A thread counts while a large page is parsed."""
    page = "<p class=x>text <b>bold</b>" * 100_000
    count, stop = [0], threading.Event()

    def tick():
        while not stop.wait(0.001):
            count[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    document = tagstream.parse_html(page)
    parsed = count[0]
    document.to_html()
    stop.set()
    thread.join()
    assert parsed > 3 and count[0] > parsed


def mixed_use(data):
    page = tagstream.parse_html(data)
    page.select("a")[0]["href"] = "y"
    page.xpath("//a/@href")
    page.to_html()
    page.body.to_dict()
    list(tagstream.Parser("html").feed(data).close())
    list(tagstream.iterparse(b"<r><e a='1'>x</e><e/></r>", "e"))
    list(tagstream.iterparse([b"<r><e a='1'>x</e>", b"<e/></r>"], "e", as_dict=True))
    rewriter = tagstream.Rewriter()
    rewriter.on("a", lambda event: event.set("rel", "x"))
    rewriter.feed(data) + rewriter.close()
    tagstream.sanitize(data.decode())
    tagstream.records(b"<r><e a='1'>x</e><e/></r>", "e").__arrow_c_schema__()
    for wrong in (lambda: tagstream.parse_xml("<a>"), lambda: page.select("a["), lambda: page.body["none"]):
        with pytest.raises((ValueError, KeyError)):
            wrong()


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_is_constant():
    data = b"<p>one<a href=x>two</a>" * 200
    for _ in range(20):
        mixed_use(data)
    gc.collect()
    objects, references = len(gc.get_objects()), sys.getrefcount(data)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    has_proc = os.path.exists("/proc/self/statm")
    resident_before = resident() if has_proc else 0
    for _ in range(200):
        mixed_use(data)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 100_000, grown
    assert len(gc.get_objects()) - objects < 100
    # The last reference may be given back later, by a thread that attaches to the interpreter.
    tagstream.parse_html(b"")
    assert sys.getrefcount(data) <= references + 1
    if has_proc:
        assert resident() - resident_before < 8 << 20


def test_references_of_sources_are_given_back():
    data, text = b"<p>" * 1000, "<p>é" * 1000
    counts = sys.getrefcount(data), sys.getrefcount(text)
    page, parser = tagstream.parse_html(data), tagstream.Parser("html").feed(text)
    assert sys.getrefcount(text) > counts[1]
    del page, parser
    gc.collect()
    tagstream.parse_html("")
    assert (sys.getrefcount(data), sys.getrefcount(text)) == counts


HOSTILE_HTML = {
    "div": "<div>" * 20_000,
    "b": "<b>" * 20_000,
    "lists": "<ul><li>" * 20_000,
    "attributes": "<a " + " ".join(f"a{number}" for number in range(50_000)) + ">",
    "formatting": "<b><p>" * 10_000,
    "tables": "<table><td>" * 5_000,
    "svg": "<svg>" * 20_000,
    "entities": "&" * 200_000,
    "comments": "<!--" * 100_000,
}
HOSTILE_XML = {
    "depth": "<a>" * 20_000 + "</a>" * 20_000,
    "open": "<a>" * 200_000,
    "attributes": "<a " + " ".join(f'a{number}=""' for number in range(50_000)) + "/>",
    "namespaces": "".join(f'<a xmlns:p{number}="u{number}">' for number in range(5_000)) + "</a>" * 5_000,
    "laughs": '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {b} "{10 * f"&{a};"}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
    + "]><a>&j;</a>",
    "quadratic": f'<!DOCTYPE a [<!ENTITY x "{"y" * 50_000}">]><a>{"&x;" * 20_000}</a>',
}


def rewritten(markup, dialect):
    def edit(event):
        # Elements without a tag in the source cannot be edited.
        with contextlib.suppress(tagstream.EditError):
            event["id"] = "x"
            event.append("y")

    rewriter = tagstream.Rewriter(dialect, balanced=True)
    rewriter.on("a, b, div", edit)
    return rewriter.feed(markup) + rewriter.close()


USES_OF_HTML = [
    lambda markup: tagstream.parse_html(markup).select("b"),
    lambda markup: tagstream.parse_html(markup).to_html(),
    lambda markup: tagstream.parse_html(markup).root.text,
    lambda markup: tagstream.parse_html(markup).root_element.to_dict(),
    lambda markup: list(tagstream.Parser("html").feed(markup).close()),
    lambda markup: rewritten(markup, "html"),
    tagstream.sanitize,
]
USES_OF_XML = [
    lambda markup: tagstream.parse_xml(markup).select("a"),
    lambda markup: tagstream.parse_xml(markup).to_xml(),
    lambda markup: tagstream.parse_xml(markup).root.text,
    lambda markup: tagstream.parse_xml(markup, recover=True, errors=True),
    lambda markup: list(tagstream.iterparse(markup.encode(), "a", as_dict=True)),
    lambda markup: list(tagstream.iterparse(markup.encode(), "a", as_dict=True, recover=True)),
    lambda markup: rewritten(markup, "xml"),
    lambda markup: tagstream.records(markup.encode(), "a").to_pyarrow().read_all(),
]
HOSTILE = [
    *(("html", name, markup, USES_OF_HTML) for name, markup in HOSTILE_HTML.items()),
    *(("xml", name, markup, USES_OF_XML) for name, markup in HOSTILE_XML.items()),
]


@pytest.mark.parametrize("dialect, name, markup, uses", HOSTILE, ids=[f"{one[0]}-{one[1]}" for one in HOSTILE])
def test_hostile_documents(dialect, name, markup, uses):
    start = time.process_time()
    for use in uses:
        # LimitError, ParseError, EditError and the errors of pyarrow.
        with contextlib.suppress(ValueError, OSError):
            use(markup)
    assert time.process_time() - start < 20, "two seconds without the checks of a debug build"
