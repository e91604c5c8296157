"""Reads documents from standard input with expat, and writes the events of each. `main.rs` has the other half.

A document is preceded by its length in bytes, as eight digits of base 16, and by `n` if namespaces are processed, else by
`-`. The answer has the same form, without that letter.
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
        self.is_in_doctype = False

    def end_text(self):
        if self.text:
            self.lines.append("text " + shown(self.text))
            self.text = ""

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
        self.text += text


def events_of(document, has_namespaces):
    events = Events()
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
        answer = events_of(document, head[8:] == b"n").encode("utf-8", "surrogatepass")
        target.write(b"%08x" % len(answer) + answer)
        target.flush()


main()
