"""Conversions, lifetimes and exceptions. Conformance is tested in `test_suites.py`, threads in `test_threads.py`."""

import copy
import gc
import io
import mmap
import sys
import weakref

import pytest
import tagstream
from tagstream import EndTag, StartTag, Text


def test_select_and_attributes():
    page = tagstream.parse_html(b"<p>See <a href=/a title='A &amp; B'>this</a>, <A HREF='/b?c&amp;d'>that")
    links = page.select("a[href]")
    assert [link["href"] for link in links] == ["/a", "/b?c&d"]
    assert links[0].attributes == {"href": "/a", "title": "A & B"}
    assert links[0].get("none") is None and links[0].get("none", 5) == 5
    assert "href" in links[0] and "none" not in links[0]
    with pytest.raises(KeyError, match="none"):
        links[0]["none"]
    assert page.select_values("a", "title") == ["A & B"]
    assert page.select_texts("a") == ["this", "that"]
    assert page.select_one("i") is None
    assert links[0].parent.name == "p" and links[0].closest("body").name == "body"
    assert links[0].matches("p > a") and not links[0].matches("p")
    assert [child.name for child in page.body] == ["p"]
    assert page.head.next_sibling == page.body and page.body.previous_sibling == page.head


def test_kinds_of_sources(tmp_path):
    markup = "<p>é"
    data = markup.encode()
    path = tmp_path / "page.html"
    path.write_bytes(data)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        sources = [data, bytearray(data), memoryview(data), mapped, path, io.BytesIO(data), [data[:1], data[1:]]]
        for source in sources:
            assert tagstream.parse_html(source, encoding="utf-8").body.text == "é", source
    assert tagstream.parse_html(markup).body.text == "é"
    assert tagstream.parse_html(io.StringIO(markup)).body.text == "é"
    assert tagstream.parse_html("<meta charset=latin-1><p>é".encode("latin-1")).body.text == "é"
    for wrong in (5, None, [5]):
        with pytest.raises(TypeError):
            tagstream.parse_html(wrong)


def test_a_buffer_that_changes_is_copied():
    data = bytearray(b"<p>one")
    parser = tagstream.Parser("html", encoding="utf-8").feed(data)
    data[3:] = b"two"
    assert [event.text for event in parser.close() if isinstance(event, Text)] == ["one"]


def test_nodes_keep_the_document_and_there_are_no_cycles():
    page = tagstream.parse_html("<p>a<b>b</b>")
    node = page.select_one("b")
    gone = weakref.ref(page)
    del page
    assert node.text == "b" and gone() is not None
    del node
    assert gone() is None, "freed without the garbage collector"


def test_equality_and_hash():
    page = tagstream.parse_html("<p>a<b>b</b>")
    assert page.select_one("b") == page.select_one("p").last_child
    assert len({page.select_one("b"), page.select_one("b"), page.body}) == 2
    assert page.select_one("b") != copy.copy(page).select_one("b")
    assert page.select_one("b") != "b"


def test_edits():
    page = tagstream.parse_html("<p>a<b>b</b><script>evil()</script>")
    page.select_one("script").remove()
    bold = page.select_one("b")
    bold["class"] = "x"
    bold.after(" & text")
    bold.before("before")
    bold.append(page.body.new_element("i"))
    assert page.body.inner_html == '<p>abefore<b class="x">b<i></i></b> &amp; text</p>'
    del bold["class"]
    with pytest.raises(KeyError):
        del bold["class"]
    bold.rename("strong")
    assert bold.name == "strong"
    bold.unwrap()
    page.select_one("p").set_text("<")
    assert page.body.inner_html == "<p>&lt;</p>"
    page.select_one("p").set_html("<img src=x onerror=evil()>ok")
    assert page.body.inner_html == "<p>ok</p>"
    page.select_one("p").set_html("<img src=x>", unsafe_=True)
    assert page.body.inner_html == '<p><img src="x"></p>'
    with pytest.raises(tagstream.EditError):
        page.body.append(page.root_element)
    with pytest.raises(tagstream.EditError):
        page.body["a b"] = "c"
    other = tagstream.parse_html("<em>other</em>")
    page.body.append(other.select_one("em"))
    assert page.body.last_child.to_html() == "<em>other</em>" and other.select_one("em").text == "other"


def test_a_filter_may_use_the_document():
    page = tagstream.parse_html("<p title=a>old")

    def title(element, name, value):
        return page.select_one("p")["title"] + value

    page.select_one("p").set_html("<b title=b>new", sanitizer=tagstream.Sanitizer(attribute_filter=title))
    assert page.body.inner_html == '<p title="a"><b title="ab">new</b></p>'


def test_xpath_and_inner_text():
    page = tagstream.parse_html("<p id=a>one <b>two</b><p>three")
    assert [node.name for node in page.xpath("//b | //p[2]")] == ["b", "p"]
    assert page.xpath("//p/@id") == ["a"] and page.xpath("count(//p)") == 2.0
    assert page.xpath("boolean(//i)") is False and page.select_one("p").xpath("string(b)") == "two"
    assert page.body.inner_text() == "one two\n\nthree"
    with pytest.raises(tagstream.XPathError) as caught:
        page.xpath("//p[")
    assert caught.value.offset == 4
    feed = tagstream.parse_xml("<f xmlns='u:a'><t>x</t></f>")
    expression = tagstream.XPath("//a:t[. = $text]", namespaces={"a": "u:a"}, variables={"text": "x"})
    assert [node.text for node in feed.xpath(expression)] == ["x"]
    assert feed.select_one(tagstream.Selector("a|t", namespaces={"a": "u:a"})).text == "x"


def test_xpath_on_streams():
    titles = tagstream.XPath("//entry/title")
    source = b"<feed><title>a</title><entry><title>b</title></entry></feed>"
    assert [title.text for title in tagstream.iterparse(source, titles)] == ["b"]
    rewriter = tagstream.Rewriter("xml")
    rewriter.on(titles, lambda title: title.set_content("c"))
    output = rewriter.feed(source) + rewriter.close()
    assert output == b"<feed><title>a</title><entry><title>c</title></entry></feed>"
    with pytest.raises(tagstream.XPathError):
        tagstream.iterparse(source, tagstream.XPath("//entry[last()]"))
    with pytest.raises(TypeError, match="selector"):
        tagstream.iterparse(source, 5)


def test_errors_have_a_place():
    with pytest.raises(tagstream.ParseError) as caught:
        tagstream.parse_xml("<list>\n  <item b=c/>\n</list>")
    error = caught.value
    assert (error.code, error.line, error.column, error.offset) == ("unquoted-value", 2, 11, 17)
    assert isinstance(error, ValueError)
    assert tagstream.parse_xml("<list><item b=c /></list>", recover=True).select_one("item")["b"] == "c"
    with pytest.raises(tagstream.SelectorError) as caught:
        tagstream.parse_html("").select("a[")
    assert caught.value.offset == 2
    (error, *_) = tagstream.parse_html("<p>a</b>", errors=True).errors
    assert isinstance(error, tagstream.ParseError) and (error.line, error.column) == (1, 1)
    node = tagstream.parse_xml("<a>\n <b/></a>", positions=True).select_one("b")
    assert (node.line, node.column, node.offset) == (2, 2, 5)
    assert tagstream.parse_xml("<a/>").root_element.line is None


def test_options_by_name():
    assert tagstream.parse_html("<td>a", fragment="tr").to_html() == "<td>a</td>"
    assert tagstream.parse_xml("a<b/>", fragment=True).root.text == "a"
    assert tagstream.parse_xml("<a>&eacute;</a>", html_entities=True).root.text == "é"
    assert tagstream.parse_xml("<a:b/>", namespaces=False).root_element.local_name == "a:b"
    assert tagstream.parse_xml("<a/>", encoding=None).root_element.name == "a"
    sky = tagstream.parse_xml("<a/>", dialect="sky", context="fragment", registered=["a", "b"])
    assert sky.root.text == ""
    with pytest.raises(TypeError, match="no option 'nonsense'"):
        tagstream.parse_xml("<a/>", nonsense=True)
    with pytest.raises(TypeError, match="no option 'recover'"):
        tagstream.parse_html("", recover=True)
    with pytest.raises(ValueError, match="encoding"):
        tagstream.parse_html(b"", encoding="nonsense")
    with pytest.raises(ValueError, match="no dialect"):
        tagstream.Parser("sgml")


def test_limits():
    bomb = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {b} "{10 * f"&{a};"}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True)
    )
    with pytest.raises(tagstream.LimitError):
        tagstream.parse_xml(bomb + "]><a>&j;</a>")
    with pytest.raises(tagstream.LimitError) as caught:
        tagstream.parse_xml("<a><b><c/></b></a>", limits={"depth": 2})
    assert caught.value.code == "depth-limit"
    for limits, kind in (({"deepness": 2}, ValueError), ({"depth": -1}, ValueError), (2, TypeError)):
        with pytest.raises(kind):
            tagstream.parse_xml("<a/>", limits=limits)
    # The depth of the tree is no recursion, also when it is dropped or written.
    deep = tagstream.parse_xml("<a>" * 9000 + "</a>" * 9000)
    assert deep.to_xml().count("<a>") == 8999
    value, depth = deep.root_element.to_dict(), 0
    while value:
        value, depth = value["a"], depth + 1
    assert depth == 8999
    # The limit of HTML is that of browsers, and no error.
    deepest, depth = tagstream.parse_html("<b>" * 2000, limits={"attributes": 5}).select("b")[-1], 0
    while deepest := deepest.parent:
        depth += 1
    assert depth <= 513


def test_events_of_chunks():
    parser = tagstream.Parser("xml")
    found = []
    for chunk in (b"<log><entry id='1'>Tom &am", b"p; Jer", b"ry</entry><ent", b"ry>2</entry></log>"):
        for event in parser.feed(chunk):
            match event:
                case StartTag("entry", attributes):
                    found.append(attributes)
                case Text(text):
                    found.append(text)
                case EndTag("log"):
                    found.append("end")
    found.extend(parser.close())
    assert found == [{"id": "1"}, "Tom & Jerry", {}, "2", "end"]


def test_events_do_not_depend_on_chunks():
    source = "<!DOCTYPE html><p class=a>é<table>b<tr><td>c</table><!--d-->".encode()
    whole = list(map(repr, tagstream.Parser("html").feed(source).close()))
    parser = tagstream.Parser("html")
    pieces = [repr(event) for byte in source for event in parser.feed(bytes([byte]))]
    pieces += map(repr, parser.close())
    assert pieces == whole and len(whole) > 10
    parser.reset()
    assert list(map(repr, parser.feed(source).close())) == whole
    assert parser.encoding == "UTF-8"


def test_iterparse(tmp_path):
    source = b"<r><h/>" + b"".join(b"<rec id='%d'><t>T%d</t><x/></rec>" % (i, i) for i in range(20_000)) + b"</r>"
    path = tmp_path / "a.xml"
    path.write_bytes(source)
    chunks = [source[start : start + 1000] for start in range(0, len(source), 1000)]
    for given in (source, path, str(path), io.BytesIO(source), path.open("rb"), chunks, iter(chunks)):
        count = 0
        for record in tagstream.iterparse(given, "r > rec"):
            assert record["id"] == str(count) and record.select_one("t").text == f"T{count}"
            count += 1
        assert count == 20_000
    assert next(tagstream.iterparse(source, "rec", as_dict=True)) == {"@id": "0", "t": "T0", "x": None}
    html = tagstream.iterparse([b"<ul><li>a<li>b"], "li", dialect="html")
    assert [item.text for item in html] == ["a", "b"]
    with pytest.raises(tagstream.SelectorError):
        tagstream.iterparse(source, "rec:last-child")
    with pytest.raises(FileNotFoundError):
        tagstream.iterparse("none.xml", "rec")


def test_records_before_an_error_are_yielded():
    records = tagstream.iterparse(b"<r><rec/><rec/><rec></r>", "rec")
    assert [next(records).name, next(records).name] == ["rec", "rec"]
    with pytest.raises(tagstream.ParseError):
        next(records)
    assert next(records, "end") == "end"
    subtrees = tagstream.Subtrees("rec")
    assert [node.name for node in subtrees.feed(b"<r><rec/><rec></r>")] == ["rec"]
    with pytest.raises(tagstream.ParseError):
        subtrees.feed(b"")


def test_exceptions_of_a_source_pass_through():
    class Broken(io.RawIOBase):
        def read(self, size=-1):
            raise ConnectionResetError("gone")

    def chunks():
        yield b"<a>"
        raise ConnectionResetError("gone")

    for source in (Broken(), chunks()):
        with pytest.raises(ConnectionResetError):
            list(tagstream.iterparse(source, "a"))
    for function in (tagstream.parse_xml, tagstream.parse_html, lambda source: tagstream.records(source, "a")):
        with pytest.raises(ConnectionResetError):
            function(Broken())


def test_an_iterator_cannot_call_itself():
    class Reader:
        def read(self, size):
            next(self.records)

    reader = Reader()
    reader.records = tagstream.iterparse(reader, "a")
    with pytest.raises(ValueError, match="in use"):
        next(reader.records)


def test_dictionaries():
    tree = tagstream.parse_xml("<a x='1'><b>1</b><b>2</b><b/>t<c y='2'>u</c></a>")
    expected = {"@x": "1", "b": ["1", "2", None], "c": {"@y": "2", "#text": "u"}, "#text": "t"}
    assert tree.root_element.to_dict() == tree.to_dict() == expected
    assert tree.select_one("c").to_dict() == {"@y": "2", "#text": "u"}


def test_rewriter():
    rewriter = tagstream.Rewriter()
    seen = []

    def link(event):
        seen.append(event)
        assert event.attributes == {"href": "y"} and event.name == "a" and "href" in event
        assert (event.line, event.column, event.offset) == (1, 14, 13)
        event["rel"] = "nofollow"
        event.after("<!>", markup=False)
        with pytest.raises(RuntimeError, match="in use"):
            rewriter.feed(b"")

    rewriter.on("a[href]", link)
    rewriter.on("a", lambda event: event.set("id", "z"))
    with pytest.raises(tagstream.SelectorError):
        rewriter.on("a:last-child", link)
    output = b"".join([*map(rewriter.feed, [b"<P  CLASS=x>a<a hr", b"ef=y>b</a", b">c"]), rewriter.close()])
    assert output == b'<P  CLASS=x>a<a href=y rel="nofollow" id="z">b</a>&lt;!&gt;c'
    with pytest.raises(RuntimeError, match="returned"):
        seen[0].name


def test_every_edit_of_the_rewriter():
    edits = {
        "rename": (lambda event: event.rename("i"), b"<i a=b>c</i>"),
        "remove": (lambda event: event.remove(), b""),
        "unwrap": (lambda event: event.unwrap(), b"c"),
        "before": (lambda event: event.before("<"), b"&lt;<b a=b>c</b>"),
        "after": (lambda event: event.after("<br>", markup=True), b"<b a=b>c</b><br>"),
        "prepend": (lambda event: event.prepend("d"), b"<b a=b>dc</b>"),
        "append": (lambda event: event.append("d"), b"<b a=b>cd</b>"),
        "content": (lambda event: event.set_content("d"), b"<b a=b>d</b>"),
        "delete": (lambda event: event.__delitem__("a"), b"<b>c</b>"),
    }
    for name, (edit, expected) in edits.items():
        for balanced in (False, True):
            rewriter = tagstream.Rewriter(balanced=balanced)
            rewriter.on("b", edit)
            output = rewriter.feed(b"<p><b a=b>c</b></p>") + rewriter.close()
            assert output == b"<p>" + expected + b"</p>", name


def test_exceptions_of_handlers():
    def bad(event):
        event["a b"] = "c"

    rewriter = tagstream.Rewriter(encoding="utf-8")
    rewriter.on("a", bad)
    with pytest.raises(tagstream.EditError) as caught:
        rewriter.feed(b"one<a>two")
    assert caught.traceback[-1].frame.code.name == "bad", "raised in the handler"
    assert caught.value.code == "name"
    # The rewriter continues after the tag.
    assert rewriter.feed(b"three") + rewriter.close() == b"one<a>twothree"


@pytest.mark.parametrize("kind", ["rewriter", "sanitizer", "iterparse"])
def test_cycles_are_collected(kind):
    class Owner:
        def __init__(self):
            if kind == "rewriter":
                self.owned = tagstream.Rewriter()
                self.owned.on("a", self.called)
            elif kind == "sanitizer":
                self.owned = tagstream.Sanitizer(attribute_filter=self.called)
            else:
                self.owned = tagstream.iterparse(self, "a")

        def called(self, *arguments):
            return None

        def read(self, size):
            return b""

    owner = Owner()
    gone = weakref.ref(owner)
    del owner
    gc.collect()
    assert gone() is None


def test_sanitizer():
    assert tagstream.sanitize("<p onclick=a()>x<script>y</script><a href='javascript:z'>l") == "<p>x<a>l</a></p>"
    only = tagstream.Sanitizer("nothing", allow_elements=["b"])
    assert only.clean("<b>x<i>z</i></b>y") == "<b>x</b>y"
    upper = tagstream.Sanitizer("user-content", attribute_filter=lambda e, n, v: v.upper() if n == "title" else v)
    assert 'title="T"' in upper.clean("<abbr title=t>x</abbr>")
    assert tagstream.sanitize("<b>x", "all") == "<b>x</b>"
    with pytest.raises(TypeError):
        tagstream.Sanitizer(nonsense=True)
    with pytest.raises(ValueError, match="policy"):
        tagstream.Sanitizer("nonsense")
    with pytest.raises(ValueError):
        tagstream.Sanitizer(allow_elements=["a b"])
    assert tagstream.Sanitizer().clean("<td>a", context="tr") == "<td>a</td>"


def test_an_exception_in_a_filter_removes_the_attribute(monkeypatch):
    reported = []
    monkeypatch.setattr(sys, "unraisablehook", reported.append)
    broken = tagstream.Sanitizer(attribute_filter=lambda e, n, v: 1 / 0)
    assert broken.clean("<b title=t>x") == "<b>x</b>"
    assert reported and reported[0].exc_type is ZeroDivisionError


def test_copies():
    page = tagstream.parse_html("<p>a")
    for made in (copy.copy(page), copy.deepcopy(page)):
        made.select_one("p")["class"] = "x"
        assert "class" not in page.select_one("p")
    assert sys.getsizeof(page) > 100
    assert repr(page).startswith("<Document of ") and repr(page.body) == "<Node body>"


def test_sections_and_the_internal_subset_are_kept():
    source = "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;<![CDATA[<b>]]></a>"
    document = tagstream.parse_xml(source, cdata=True, internal_subset=True)
    texts = [(text.text, text.is_cdata) for text in document.root_element.children]
    assert texts == [("x", False), ("<b>", True)]
    assert document.internal_subset == "<!ENTITY e 'x'>"
    assert document.to_xml() == source.replace("&e;", "x")
    usual = tagstream.parse_xml(source)
    assert (usual.internal_subset, usual.to_xml()) == (None, "<!DOCTYPE a><a>x&lt;b&gt;</a>")
    with pytest.raises(TypeError, match="leafxml has no option 'internal_subset'"):
        tagstream.parse_xml("<a/>", dialect="leafxml", internal_subset=True)
    section = tagstream.parse_xml("<a><![CDATA[<]]></a>", dialect="leafxml", cdata=True)
    assert section.to_xml() == "<a><![CDATA[<]]></a>"
