"""Evaluates XPath expressions with lxml. `main.rs` has the other half.

Each line of standard input is an object of JSON: `document`, `expressions`, and `namespaces` by prefix. The answer is a line
with one list for each expression: the type of its value, and the values as strings.
"""

import json
import struct
import sys

from lxml import etree


def node(found):
    if isinstance(found, tuple):
        return f"namespace {found[0] or ''} {found[1]}"
    if isinstance(found, etree._Comment):
        return f"comment {found.text or ''}"
    if isinstance(found, etree._ProcessingInstruction):
        return f"instruction {found.target} {found.text or ''}"
    if isinstance(found, etree._Element):
        prefix = f"{found.prefix}:" if found.prefix else ""
        return f"element {prefix}{etree.QName(found).localname} {found.xpath('string()')}"
    if found.is_attribute:
        return f"attribute {etree.QName(found.attrname).localname} {found}"
    return f"text {found}"


def value(root, expression, namespaces):
    try:
        found = root.xpath(expression, namespaces=namespaces)
    except etree.XPathError as error:
        return ["error", str(error)]
    if isinstance(found, bool):
        return ["boolean", str(found).lower()]
    if isinstance(found, float):
        return ["number", "NaN" if found != found else struct.pack(">d", found).hex()]
    if isinstance(found, str):
        return ["string", found]
    return ["nodes", *map(node, found)]


for line in sys.stdin:
    read = json.loads(line)
    root = etree.fromstring(read["document"])
    values = [value(root, one, read["namespaces"]) for one in read["expressions"]]
    print(json.dumps(values), flush=True)
