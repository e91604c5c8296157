"""Events, trees and errors of random documents, compared with those of the program `tagstream`.

The program reads the events of all documents of a dialect in one run, and each tree in a run of its own.
"""

import json
import os
import pathlib
import random
import subprocess

import pytest
import tagstream
from tagstream import (
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

ROOT = pathlib.Path(__file__).resolve().parents[3]
DOCUMENTS = int(os.environ.get("TAGSTREAM_DOCUMENTS", "500"))
SEED = int(os.environ.get("TAGSTREAM_SEED", "1"))

PIECES = {
    "html": [
        "<p>", "</p>", "<b>", "</b>", "<a href=x>", "<a HREF='y' id=1 id=2>", "</a>", "<table>", "<tr>", "<td>", "</table>",
        "<!--c-->", "<!DOCTYPE html>", "<!DOCTYPE a PUBLIC 'b'>", "text", " ", "\n", "é", "\0", "&amp;", "&#x80;", "&not", "&",
        "<", "<br/>", "<svg>", "<![CDATA[d]]>", "</svg>", "<script>", "</script>", "<textarea>", "</textarea>", "<?pi d?>",
        "<select>", "<option>", "<template>", "</template>", "<body class=z>", "<html lang=e>", "<math><mi>", "<li>", "</li>",
        "<title>", "</title>", "<form>", "</form>", "<meta charset=latin1>", "</", "<!", "<ul>", "</ul>", "<h1>", "</h2>",
    ],
    "xml": [
        "<a>", "</a>", "<b c='d'>", "</b>", "<e:f xmlns:e='g'/>", "<e:f>", "</e:f>", "<!--c-->", "<!-- -- -->", "<?pi data?>",
        "<?xml version='1.0'?>", "<!DOCTYPE a>", "<!DOCTYPE a [<!ENTITY x 'y<z/>'><!ATTLIST a k CDATA 'v'>]>", "&x;", "&lt;",
        "&none;", "&#65;", "&#0;", "text", "\n", "é", "\x01", "<![CDATA[<d>]]>", "]]>", "<", "&", "<a b=c>", "<a b='1' b='2'>",
        "</c>", "<a/>", ">", "\"",
    ],
    "sky": ["#!mojo mojo:sky\n", "<a>", "</a>", "<b c=d>", "</>", "<b c='e' />", "text", "\n", "&amp;", "&#x41;", "<!--x-->",
            "<script>", "</script>", "<style>", "</style>", "<", "&", "é", "<import src=x as=y />"],
}
PIECES["microxml"] = PIECES["xml"]
PIECES["leafxml"] = PIECES["xml"]


def well_formed(draw):
    """Return a document of XML without errors."""
    pieces, open_elements = ["<r>"], ["r"]
    for _ in range(draw.randrange(20)):
        kind = draw.randrange(4)
        if kind == 0:
            name = draw.choice(["a", "b", "é"])
            pieces.append(f"<{name} c='{draw.choice(['', 'd', '&amp;', ' e '])}'>")
            open_elements.append(name)
        elif kind == 1 and len(open_elements) > 1:
            pieces.append(f"</{open_elements.pop()}>")
        else:
            pieces.append(draw.choice(["text", "&lt;", "&#x41;", "<e/>", "\n", "<!--f-->", "<?g h?>", "é", "<![CDATA[<]]>"]))
    return "".join(pieces) + "".join(f"</{name}>" for name in reversed(open_elements))


def document(draw, dialect):
    count = draw.randrange(1, 30)
    text = "".join(draw.choice(PIECES[dialect]) for _ in range(count))
    if dialect in ("xml", "microxml", "leafxml") and draw.random() < 0.4:
        return well_formed(draw).encode()
    if dialect != "html" and draw.random() < 0.5:
        text = f"<r>{text}</r>"
    data = text.encode()
    if draw.random() < 0.1:
        at = draw.randrange(len(data))
        data = data[:at] + b"\xff" + data[at:]
    return data


def shown(event):
    """Return an event in the form of the program's JSON."""
    match event:
        case StartTag(name, attributes):
            found = {"event": "start", "name": name, "attributes": [list(pair) for pair in attributes.items()]}
            found["selfClosing"] = event.is_self_closing
            if event.is_implied:
                found["implied"] = True
        case EndTag(name):
            found = {"event": "end", "name": name}
        case Text(text):
            found = {"event": "text", "data": text}
        case Comment(text):
            found = {"event": "comment", "data": text}
        case ProcessingInstruction(target, data):
            found = {"event": "pi", "target": target, "data": data}
        case Doctype(name, public_id, system_id):
            found = {"event": "doctype", "name": name or None, "publicId": public_id, "systemId": system_id}
            if event.force_quirks:
                found["forceQuirks"] = True
        case XmlDeclaration(version, encoding, standalone):
            found = {"event": "declaration", "version": version, "encoding": encoding, "standalone": standalone}
        case SkippedEntity(name):
            found = {"event": "skippedEntity", "name": name}
        case EncodingChange(label):
            found = {"event": "encodingChange", "label": label}
        case AddedAttributes(name, attributes):
            found = {"event": "attributes", "name": name, "attributes": [list(pair) for pair in attributes.items()]}
        case ErrorEvent(code):
            found = {"event": "error", "code": code}
    if getattr(event, "is_moved", False):
        found["moved"] = True
    found |= {"line": event.line, "column": event.column, "span": [event.offset, event.end]}
    return found


def first_values(row):
    """Return an event of the program with the first value of each attribute, as dictionaries have it."""
    row.pop("file", None)
    row.pop("related", None)
    if "attributes" in row:
        kept = {}
        for name, value in row["attributes"]:
            kept.setdefault(name, value)
        row["attributes"] = [list(pair) for pair in kept.items()]
    for key in ("namespace", "localName", "external"):
        row.pop(key, None)
    return row


@pytest.fixture(scope="session")
def program():
    """The path of the program: TAGSTREAM_PROGRAM, or one that is built in the build directory of the workspace."""
    if path := os.environ.get("TAGSTREAM_PROGRAM"):
        return path
    environment = {name: value for name, value in os.environ.items() if name != "CARGO_TARGET_DIR"}
    command = ["cargo", "build", "--quiet", "--package", "tagstream-cli"]
    subprocess.run(command, cwd=ROOT, check=True, env=environment)
    return ROOT / "target" / "debug" / "tagstream"


@pytest.fixture(scope="session")
def documents(tmp_path_factory):
    """The random documents of a dialect, as files."""
    folder = tmp_path_factory.mktemp("documents")
    made = {}

    def of(dialect):
        if dialect not in made:
            draw = random.Random(f"{SEED} {dialect}")
            made[dialect] = []
            for number in range(DOCUMENTS):
                path = folder / f"{dialect}-{number:05}"
                path.write_bytes(document(draw, dialect))
                made[dialect].append(path)
        return made[dialect]

    return of


def run(program, *arguments):
    result = subprocess.run([program, *arguments], capture_output=True, check=False)
    return result.stdout.decode(), result.stderr.decode()


CASES = [
    ("html", True), ("html", False), ("xml", True), ("xml", False), ("microxml", True), ("sky", True), ("sky", False),
    ("leafxml", True),
]


@pytest.mark.parametrize("dialect, balanced", CASES)
def test_events(program, documents, dialect, balanced):
    paths = documents(dialect)
    options = ["--dialect", dialect, "--as-text", "--format", "json", "--errors", "--positions"]
    if balanced:
        options.append("--balanced")
    context = {}
    if dialect == "sky":
        context = {"context": "fragment"}
        options += ["--context", "fragment"]
    output, _ = run(program, "events", *options, *map(str, paths))
    expected = {str(path): [] for path in paths}
    for line in output.splitlines():
        row = json.loads(line)
        expected[row["file"]].append(first_values(row))
    count = 0
    for number, path in enumerate(paths):
        parser = tagstream.Parser(
            dialect,
            balanced=balanced,
            errors=True,
            positions=True,
            recover=None if dialect in ("html", "sky", "leafxml") else True,
            **context,
        )
        found = []
        data = path.read_bytes()
        try:
            for start in range(0, len(data), 1 + number % 9):
                found += map(shown, parser.feed(data[start : start + 1 + number % 9]))
            found += map(shown, parser.close())
        except tagstream.ParseError as error:
            assert error.code
        assert found == expected[str(path)], (SEED, number, data)
        count += len(found)
    assert count > DOCUMENTS


def as_json(document):
    """Return a tree in the form of the program's JSON."""

    def children_of(node):
        return [child for child in node.children if child.kind != "doctype"]

    found = {"node": "document", "doctype": None, "children": []}
    for node in document.root.children:
        if node.kind == "doctype":
            name, public_id, system_id = node.doctype
            found["doctype"] = {"name": name, "publicId": public_id or None, "systemId": system_id or None}
    pending = [(document.root, found["children"])]
    while pending:
        parent, target = pending.pop()
        for node in children_of(parent):
            match node.kind:
                case "element":
                    shown = {"node": "element", "name": node.name, "namespace": node.namespace}
                    shown["attributes"] = [list(pair) for pair in node.attributes.items()]
                    shown["children"] = []
                    if (contents := node.template_contents) is not None:
                        shown["content"] = []
                        pending.append((contents, shown["content"]))
                    pending.append((node, shown["children"]))
                case "processing-instruction":
                    shown = {"node": "pi", "target": node.name, "data": node.text}
                case kind:
                    shown = {"node": kind, "data": node.text}
            target.append(shown)
    return found


@pytest.mark.parametrize("dialect", PIECES)
def test_trees(program, documents, dialect):
    """The tree, or the error that ended the parse."""
    options = ["--dialect", dialect, "--as-text", "--format", "json"]
    context = None
    if dialect == "sky":
        context = "fragment"
        options += ["--context", "fragment"]
    failed = 0
    for path in documents(dialect):
        data = path.read_bytes()
        output, failure = run(program, "tree", *options, str(path))
        try:
            match dialect:
                case "html":
                    tree = tagstream.parse_html(data)
                case "xml" | "microxml":
                    tree = tagstream.parse_xml(data, dialect=dialect, recover=True)
                case _:
                    tree = tagstream.parse_xml(data, dialect=dialect, context=context)
        except tagstream.ParseError as error:
            assert f":{error.line}:{error.column}: " in failure, (SEED, data, failure)
            failed += 1
            continue
        expected = json.loads(output)
        if expected["doctype"]:
            expected["doctype"] = {key: value or None for key, value in expected["doctype"].items()}
            expected["doctype"]["name"] = expected["doctype"]["name"] or ""
        found = as_json(tree)
        if dialect not in ("html",):
            expected["doctype"] = found["doctype"]
        assert found == expected, (SEED, data)
    assert failed == 0 or dialect == "leafxml"


@pytest.mark.parametrize("dialect", ["xml", "microxml"])
def test_errors_of_strict_documents(program, documents, dialect):
    """The first violation, with its code and its place."""
    paths = documents(dialect)
    _, failures = run(program, "events", "--dialect", dialect, "--as-text", "--strict", *map(str, paths))
    found = []
    for path in paths:
        try:
            for event in tagstream.Parser(dialect).feed(path.read_bytes()).close():
                assert event
        except tagstream.ParseError as error:
            assert str(error).startswith(f"{error.line}:{error.column}: ") and f"({error.code})" in str(error)
            found.append(f"{path}:{error}")
    assert found == failures.splitlines(), SEED
    assert len(found) > 5
