"""Types for annotations: events, options, and the arguments that functions take."""

from collections.abc import Iterable, Mapping
from mmap import mmap
from os import PathLike
from typing import Literal, Protocol, TypeAlias, TypedDict

from ._native import (
    AddedAttributes,
    Comment,
    Doctype,
    EncodingChange,
    EndTag,
    ErrorEvent,
    ProcessingInstruction,
    SkippedEntity,
    StartTag,
    Text,
    XmlDeclaration,
)

Buffer: TypeAlias = bytes | bytearray | memoryview | mmap
"""Bytes of a document. The contents of all but bytes are copied."""

Chunk: TypeAlias = str | Buffer
"""A piece of a document."""

Event: TypeAlias = (
    StartTag
    | EndTag
    | Text
    | Comment
    | ProcessingInstruction
    | Doctype
    | XmlDeclaration
    | SkippedEntity
    | EncodingChange
    | AddedAttributes
    | ErrorEvent
)
"""An event of a Parser."""

Dialect: TypeAlias = Literal["html", "xml", "microxml", "sky", "leafxml"]
XmlDialect: TypeAlias = Literal["xml", "microxml", "sky", "leafxml"]
Policy: TypeAlias = Literal["standard", "user-content", "all", "nothing"]

Json: TypeAlias = "str | None | dict[str, Json] | list[Json]"
"""The value of an element in a dictionary: see Node.to_dict."""


class Reader(Protocol):
    """A file, or another object with the method read."""

    def read(self, size: int, /) -> Chunk:
        """Return at most size bytes; an empty result is the end."""
        ...


Markup: TypeAlias = Chunk | PathLike[str] | Reader | Iterable[Chunk]
"""A document for parse_html and parse_xml: a str is the markup itself."""

Source: TypeAlias = str | Buffer | PathLike[str] | Reader | Iterable[Chunk]
"""A document for iterparse and records: a str is a path."""


class LimitOptions(TypedDict, total=False):
    """The limits of a parse by name: docs/limits.md describes them."""

    limits: Mapping[str, int] | None


class HtmlOptions(LimitOptions, total=False):
    """The options of HTML."""

    fragment: str | None
    encoding: str | None
    fallback_encoding: str | None
    content_type: str | None
    scripting: bool | None
    processing_instructions: bool | None
    shadow_roots: bool | None


class XmlOptions(LimitOptions, total=False):
    """The options of XML, and of the other dialects of its family."""

    recover: bool | None
    namespaces: bool | None
    fragment: bool | None
    html_entities: bool | None
    encoding: str | None
    content_type: str | None
    revision: Literal["first", "final"] | None
    context: Literal["application", "module", "fragment"] | None
    registered: Iterable[str] | None
    comments: bool | None
    processing_instructions: bool | None
    doctype: bool | None


class AnyOptions(LimitOptions, total=False):
    """The options of all dialects."""

    recover: bool | None
    namespaces: bool | None
    fragment: str | bool | None
    html_entities: bool | None
    encoding: str | None
    fallback_encoding: str | None
    content_type: str | None
    scripting: bool | None
    shadow_roots: bool | None
    revision: Literal["first", "final"] | None
    context: Literal["application", "module", "fragment"] | None
    registered: Iterable[str] | None
    comments: bool | None
    processing_instructions: bool | None
    doctype: bool | None


class SanitizerOptions(TypedDict, total=False):
    """The options of a Sanitizer."""

    allow_elements: Iterable[str] | None
    remove_elements: Iterable[str] | None
    replace_with_children: Iterable[str] | None
    allow_attributes: Iterable[str] | None
    remove_attributes: Iterable[str] | None
    allow_processing_instructions: Iterable[str] | None
    remove_processing_instructions: Iterable[str] | None
    url_schemes: Iterable[str] | None
    link_rel: str | None
    comments: bool | None
    data_attributes: bool | None
    processing_instructions: bool | None
