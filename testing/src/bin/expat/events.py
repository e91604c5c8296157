"""Reads documents from standard input with expat, and writes the events of each. `main.rs` has the other half.

A document is preceded by its length in bytes, as eight digits of base 16, and by a letter: `n` if namespaces are processed,
`k` if also the declarations of the DOCTYPE and the CDATA sections are shown, else `-`. The answer has the same form, without
that letter.
"""

import sys
from xml.parsers import expat


def shown(text):
    return "".join(f"\\u{{{ord(one):x}}}" if one in "\\\n\r\t" else one for one in text)


class Events:
    """The events of one document as lines. Adjacent texts are one line."""

    def __init__(self):
        self.lines = []
        self.text = ""
        self.kind = self.next_kind = "text "
        self.is_first = False
        self.is_in_doctype = False

    def end_text(self):
        if self.text:
            self.lines.append(self.kind + shown(self.text))
            self.text = ""
        self.kind = self.next_kind

    def add(self, line):
        self.end_text()
        self.lines.append(line)

    def start(self, name, attributes):
        pairs = sorted(f"{shown(key)}={shown(value)}" for key, value in attributes.items())
        self.add(" ".join(["start", name, *pairs]))

    def comment(self, text):
        # The comments of a DOCTYPE are no events of tagstream.
        if not self.is_in_doctype:
            self.add("comment " + shown(text))

    def characters(self, text):
        # The text of a tree does not show a section that is empty.
        if self.next_kind != self.kind or self.is_first:
            self.end_text()
            self.is_first = False
        self.text += text

    def section(self, begins):
        self.next_kind = "section " if begins else "text "
        self.is_first = begins


def show_declarations(parser, events):
    def show(kind):
        return lambda *parts: events.add(kind + " " + shown(repr(parts)))

    parser.StartCdataSectionHandler = lambda: events.section(True)
    parser.EndCdataSectionHandler = lambda: events.section(False)
    parser.EntityDeclHandler = show("entity")
    parser.NotationDeclHandler = show("notation")
    parser.AttlistDeclHandler = show("attribute")
    parser.ElementDeclHandler = show("element")


def events_of(document, form):
    events = Events()
    has_namespaces = form != b"-"
    parser = expat.ParserCreate(namespace_separator="\x01" if has_namespaces else None)
    parser.StartElementHandler = events.start
    parser.EndElementHandler = lambda name: events.add("end " + name)
    parser.CharacterDataHandler = events.characters
    parser.StartDoctypeDeclHandler = lambda *_: setattr(events, "is_in_doctype", True)
    parser.EndDoctypeDeclHandler = lambda: setattr(events, "is_in_doctype", False)
    parser.CommentHandler = events.comment
    parser.ProcessingInstructionHandler = lambda target, data: events.add(
        f"instruction {target} {shown(data)}"
    )
    if form == b"k":
        show_declarations(parser, events)
    try:
        parser.Parse(document, True)
        events.end_text()
        events.lines.append("well-formed")
    except expat.ExpatError:
        events.lines.append("refused")
    return "\n".join(events.lines)


def main():
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while head := source.read(9):
        document = source.read(int(head[:8], 16))
        answer = events_of(document, head[8:]).encode("utf-8", "surrogatepass")
        target.write(b"%08x" % len(answer) + answer)
        target.flush()


main()
