"""Asynchronous iteration over chunks. The parsers need no thread and no event loop of their own."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from typing import TYPE_CHECKING

from ._native import Parser, Subtrees

if TYPE_CHECKING:
    from typing import Unpack

    from ._native import Node, Selector, XPath
    from .types import AnyOptions, Chunk, Dialect, Event


async def aiterparse(
    chunks: AsyncIterable[Chunk],
    selector: str | Selector | XPath,
    *,
    dialect: Dialect = "xml",
    **options: Unpack[AnyOptions],
) -> AsyncIterator[Node]:
    """Yield the elements of an asynchronous source of chunks that match a selector, as iterparse does.

    >>> import asyncio, tagstream
    >>> async def chunks():
    ...     for chunk in [b"<log><entry>1</en", b"try><entry>2</entry></log>"]:
    ...         yield chunk
    >>> async def texts():
    ...     return [entry.text async for entry in tagstream.aiterparse(chunks(), "entry")]
    >>> asyncio.run(texts())
    ['1', '2']
    """
    subtrees = Subtrees(selector, dialect=dialect, **options)
    async for chunk in chunks:
        for element in subtrees.feed(chunk):
            yield element
    for element in subtrees.close():
        yield element


async def aevents(
    chunks: AsyncIterable[Chunk],
    dialect: Dialect,
    *,
    balanced: bool = True,
    text_pieces: bool = False,
    errors: bool = False,
    positions: bool = False,
    **options: Unpack[AnyOptions],
) -> AsyncIterator[Event]:
    """Yield the events of an asynchronous source of chunks, as Parser does.

    >>> import asyncio, tagstream
    >>> async def chunks():
    ...     yield b"<p>one"
    >>> async def names():
    ...     return [event.name async for event in tagstream.aevents(chunks(), "html") if hasattr(event, "name")]
    >>> asyncio.run(names())
    ['html', 'head', 'head', 'body', 'p', 'p', 'body', 'html']
    """
    parser = Parser(
        dialect,
        balanced=balanced,
        text_pieces=text_pieces,
        errors=errors,
        positions=positions,
        **options,
    )
    async for chunk in chunks:
        for event in parser.feed(chunk):
            yield event
    for event in parser.close():
        yield event
