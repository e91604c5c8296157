"""The conformance suites, read through Python."""

import json
import re

import pytest
import tagstream

SECTIONS = ("#data", "#errors", "#new-errors", "#document", "#document-fragment", "#script-on", "#script-off")
NAMESPACES = {"http://www.w3.org/2000/svg": "svg ", "http://www.w3.org/1998/Math/MathML": "math "}
FOREIGN_ATTRIBUTES = (
    [f"xlink:{name}" for name in ("actuate", "arcrole", "href", "role", "show", "title", "type")]
    + ["xml:lang", "xml:space", "xmlns:xlink"]
)


def read_cases(path):
    """Yield the cases of a file of tree construction tests as dictionaries of their sections."""
    text = path.read_bytes().decode("utf-8")
    for block in re.split(r"(?:^|\n\n)(?=#data\n)", text):
        if not block.startswith("#data\n"):
            continue
        case, section = {}, None
        for line in block.split("\n"):
            if line in SECTIONS and section != "#document":
                section = line
                case[section] = []
            else:
                case[section].append(line)
        if "#document" in case:
            yield {name: "\n".join(lines) for name, lines in case.items()}


def attribute_name(name, is_foreign):
    """Return the name of an attribute as the suite writes it."""
    if is_foreign and name == "xmlns":
        return "xmlns xmlns"
    if is_foreign and name in FOREIGN_ATTRIBUTES:
        return name.replace(":", " ", 1)
    return name


def outline(document, is_fragment):
    """Return the tree in the format of the suite. Walks with a stack of its own, so that depth is no recursion."""
    top = document.root_element if is_fragment else document.root
    stack = [(node, 0) for node in reversed(top.children)]
    lines = []
    while stack:
        node, depth = stack.pop()
        indentation = "| " + "  " * depth
        if isinstance(node, str):
            lines.append(indentation + node)
            continue
        match node.kind:
            case "element":
                namespace = NAMESPACES.get(node.namespace, "")
                lines.append(f"{indentation}<{namespace}{node.name}>")
                attributes = [(attribute_name(name, namespace), value) for name, value in node.attributes.items()]
                lines.extend(f'{indentation}  {name}="{value}"' for name, value in sorted(attributes))
                below = [(child, depth + 1) for child in node.children]
                if (contents := node.template_contents) is not None:
                    below = [("content", depth + 1), *((child, depth + 2) for child in contents.children), *below]
                stack.extend(reversed(below))
            case "text":
                lines.append(f'{indentation}"{node.text}"')
            case "comment":
                lines.append(f"{indentation}<!-- {node.text} -->")
            case "processing-instruction":
                lines.append(f"{indentation}<?{node.name} {node.text}?>")
            case "doctype":
                name, public_id, system_id = node.doctype
                identifiers = f' "{public_id}" "{system_id}"' if public_id or system_id else ""
                lines.append(f"{indentation}<!DOCTYPE {name}{identifiers}>")
    return "\n".join(lines)


def test_trees_of_html(suites):
    counts = {"documents": 0, "instructions": 0, "fragments": 0}
    failed = []
    for path in sorted((suites / "html" / "tree-construction").glob("*.dat")):
        for case in read_cases(path):
            if "#script-on" in case:
                continue
            fragment = case.get("#document-fragment")
            document = tagstream.parse_html(case["#data"], fragment=fragment)
            if outline(document, fragment is not None).strip() != case["#document"].strip():
                failed.append((path.name, case["#data"]))
            if fragment is not None:
                counts["fragments"] += 1
            elif path.name == "processing-instructions.dat":
                counts["instructions"] += 1
            else:
                counts["documents"] += 1
    assert failed == []
    # The copy of the suite may be a part of it: the whole suite has 1,602, 124 and 196 cases.
    assert counts["documents"] >= 1200 and counts["instructions"] >= 90 and counts["fragments"] >= 150


def verdicts(root):
    """Yield the bytes of each document for which no external entity is read, its name, and if it is well-formed."""
    for line in (root / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        is_xml_1_0 = case["version"] in ("", "1.0") and "1.1" not in case["recommendation"]
        is_fifth = not case["edition"] or "5" in case["edition"].split()
        if case["entities"] == "none" and is_xml_1_0 and is_fifth and case["type"] != "error":
            yield root / case["uri"], case["namespace"] != "no", case["type"] in ("valid", "invalid")


def test_verdicts_on_xml(suites):
    counts = {True: 0, False: 0}
    wrong = []
    for path, namespaces, is_well_formed in verdicts(suites / "xmlconf"):
        counts[is_well_formed] += 1
        try:
            tagstream.parse_xml(path, namespaces=namespaces)
            is_accepted = True
        except tagstream.ParseError as error:
            is_accepted = False
            assert error.line >= 1 and error.column >= 1 and error.code
        if is_accepted != is_well_formed:
            wrong.append(str(path))
    assert wrong == []
    assert counts[True] >= 600 and counts[False] >= 750


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_trees_of_chunks(suites, size):
    """The tree does not depend on the chunks, which come from an iterator here."""
    for case in list(read_cases(suites / "html" / "tree-construction" / "tests1.dat")):
        if "#document-fragment" in case or "#script-on" in case:
            continue
        data = case["#data"].encode()
        chunks = (data[start : start + size] for start in range(0, len(data), size))
        document = tagstream.parse_html(chunks, encoding="utf-8")
        assert outline(document, False).strip() == case["#document"].strip()
