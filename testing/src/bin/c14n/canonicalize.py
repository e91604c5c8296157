"""Canonicalizes node-sets with libxml2, whose C functions are called directly: lxml has none for a node-set. `main.rs` has
the other half.

Each line of standard input is an object of JSON: `document`, and `requests`, of which each has `select` (an XPath expression
for one node), `exclusive`, `comments` and `prefixes`. The answer is a line with one string for each request, or null if
libxml2 refuses it.
"""

import ctypes
import ctypes.util
import json
import sys

libxml2 = ctypes.CDLL(ctypes.util.find_library("xml2"))
for name in ["xmlReadMemory", "xmlXPathNewContext", "xmlXPathEvalExpression"]:
    getattr(libxml2, name).restype = ctypes.c_void_p

# The options of a parser: default attributes, references replaced, no messages, and text instead of CDATA sections.
OPTIONS = 8 | 2 | 32 | 64 | 16384

# The message of libxml2 for an error of canonicalization is not needed.
silent = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)(lambda *_: None)
libxml2.xmlSetGenericErrorFunc(None, silent)


class NodeSetObject(ctypes.Structure):
    """The beginning of `xmlXPathObject`."""

    _fields_ = [("type", ctypes.c_int), ("nodes", ctypes.c_void_p)]


def canonicalized(document, context, request):
    select = request["select"]
    nodes = f"({select})/descendant-or-self::node()"
    expression = f"{nodes} | {nodes}/@* | {nodes}/namespace::*"
    found = libxml2.xmlXPathEvalExpression(expression.encode(), ctypes.c_void_p(context))
    if not found:
        raise ValueError(expression)
    nodes = NodeSetObject.from_address(found).nodes
    prefixes = [prefix.encode() for prefix in request["prefixes"].split()]
    prefixes = (ctypes.c_char_p * (len(prefixes) + 1))(*prefixes, None)
    text = ctypes.c_void_p()
    length = libxml2.xmlC14NDocDumpMemory(
        ctypes.c_void_p(document),
        ctypes.c_void_p(nodes),
        1 if request["exclusive"] else 0,
        prefixes if request["exclusive"] else None,
        1 if request["comments"] else 0,
        ctypes.byref(text),
    )
    libxml2.xmlXPathFreeObject(ctypes.c_void_p(found))
    if length < 0:
        return None
    result = ctypes.string_at(text, length).decode()
    ctypes.CFUNCTYPE(None, ctypes.c_void_p).in_dll(libxml2, "xmlFree")(text)
    return result


for line in sys.stdin:
    read = json.loads(line)
    source = read["document"].encode()
    document = libxml2.xmlReadMemory(source, len(source), None, b"UTF-8", OPTIONS)
    if not document:
        raise ValueError(source)
    context = libxml2.xmlXPathNewContext(ctypes.c_void_p(document))
    results = [canonicalized(document, context, request) for request in read["requests"]]
    libxml2.xmlXPathFreeContext(ctypes.c_void_p(context))
    libxml2.xmlFreeDoc(ctypes.c_void_p(document))
    print(json.dumps(results), flush=True)
