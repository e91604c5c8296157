"""Programs that `mypy --strict` checks. They are not run."""

import pathlib
from collections.abc import AsyncIterator, Iterator
from typing import assert_type

import tagstream
from tagstream import EndTag, Node, StartTag, Text
from tagstream.types import Event, Json


def links(page: bytes) -> list[str]:
    document = tagstream.parse_html(page, encoding="utf-8", limits={"depth": 100})
    first = document.select_one("a")
    if first is not None:
        assert_type(first.get("href"), str | None)
        assert_type(first.get("href", 5), str | int)
        first["rel"] = "nofollow"
    return [link["href"] for link in document.select("a[href]")]


def texts(path: pathlib.Path) -> Iterator[str]:
    for entry in tagstream.iterparse(path, "entry", recover=True):
        assert_type(entry, Node)
        yield entry.text


def dictionaries(path: str) -> list[Json]:
    return list(tagstream.iterparse(path, "entry", as_dict=True))


def names(events: list[Event]) -> Iterator[str]:
    for event in events:
        match event:
            case StartTag(name, attributes):
                assert_type(attributes, dict[str, str])
                yield name
            case EndTag(name):
                yield name
            case Text(text):
                yield text
            case _:
                pass


async def entries(chunks: AsyncIterator[bytes]) -> list[Node]:
    return [entry async for entry in tagstream.aiterparse(chunks, "entry", dialect="xml")]


def rewritten(page: bytes) -> bytes:
    def secure(link: tagstream.RewriteEvent) -> None:
        link["href"] = link["href"].replace("http:", "https:")

    rewriter = tagstream.Rewriter("html", balanced=True)
    rewriter.on("a[href]", secure)
    return rewriter.feed(page) + rewriter.close()


def place(markup: str) -> tuple[int, int, str]:
    try:
        tagstream.parse_xml(markup, errors=True)
    except tagstream.ParseError as error:
        return error.line, error.column, error.code
    return 0, 0, ""


def clean(markup: str) -> str:
    return tagstream.Sanitizer("user-content", link_rel="nofollow", allow_elements=["b"]).clean(markup)
