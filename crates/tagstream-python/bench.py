"""Compares the package with others: CPU time, and the memory that a program adds.

    python bench.py iterparse [MEGABYTES]     elements of a dump, with lxml and the standard library
    python bench.py records [MEGABYTES]       rows of a dump as a table, with pandas
    python bench.py links PAGE...             the links of pages, ten times, with selectolax
    python bench.py comments [TEXT]           2,000 comments of about 250 bytes, sanitized ten times, with nh3; or TEXT

Build the package with `maturin develop --release` first. Each program runs in a process of its own, and its result is
compared with that of the others. The programs run alternately, in nine rounds; the table has the smallest time of each, and
the median, over the rounds, of its time divided by that of tagstream in the same round.
"""

import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 9
WORDS = "the of and to in is that for it as was with be by on not he his but at are this have from or had".split()

PROGRAMS = {
    "iterparse": {
        "tagstream": """
import tagstream
result = 0
for record in tagstream.iterparse(path, "record"):
    result += len(record["id"]) + len(record.select_one("title").text) + len(record.select_one("count").text)
""",
        "tagstream, as_dict": """
import tagstream
result = 0
for record in tagstream.iterparse(path, "record", as_dict=True):
    result += len(record["@id"]) + len(record["title"]) + len(record["count"])
""",
        "lxml": """
from lxml import etree
result = 0
for _, record in etree.iterparse(path, tag="record"):
    result += len(record.get("id")) + len(record.findtext("title")) + len(record.findtext("count"))
    record.clear()
    while record.getprevious() is not None:
        del record.getparent()[0]
""",
        "xml.etree": """
import xml.etree.ElementTree as etree
result, root = 0, None
for event, record in etree.iterparse(path, events=("start", "end")):
    root = record if root is None else root
    if event == "end" and record.tag == "record":
        result += len(record.get("id")) + len(record.findtext("title")) + len(record.findtext("count"))
        root.clear()
""",
    },
    "records": {
        "tagstream": """
import pyarrow
import tagstream
result = tagstream.records(path, "record", infer_bytes=4 << 20).to_pyarrow().read_all().num_rows
""",
        "tagstream, to_pandas": """
import pandas
import pyarrow
import tagstream
result = len(tagstream.records(path, "record", infer_bytes=4 << 20).to_pyarrow().read_pandas())
""",
        "tagstream, all read for the schema": """
import pyarrow
import tagstream
result = tagstream.records(path, "record", infer_bytes=None).to_pyarrow().read_all().num_rows
""",
        "pandas, lxml": """
import lxml.etree
import pandas
result = len(pandas.read_xml(path, xpath="/export/record"))
""",
        "pandas, etree": """
import pandas
result = len(pandas.read_xml(path, xpath="./record", parser="etree"))
""",
    },
    "links": {
        "tagstream": """
import tagstream
links = tagstream.Selector("a[href]")
result = sum(len([node["href"] for node in tagstream.parse_html(page, encoding="utf-8").select(links)]) for page in pages)
""",
        "selectolax": """
from selectolax.lexbor import LexborHTMLParser
result = sum(len([node.attributes["href"] for node in LexborHTMLParser(page).css("a[href]")]) for page in pages)
""",
    },
    "comments": {
        "tagstream": """
import tagstream
clean = tagstream.Sanitizer("user-content").clean
result = len([clean(comment) for comment in comments])
""",
        "nh3.clean": """
import nh3
clean = nh3.clean
result = len([clean(comment) for comment in comments])
""",
        "nh3.Cleaner": """
import nh3
clean = nh3.Cleaner().clean
result = len([clean(comment) for comment in comments])
""",
    },
}

# Runs a program, and prints its CPU time, the memory above the imports, and its result.
RUN = """
import json, pathlib, resource, sys, time
name, path, program = sys.argv[1], sys.argv[2], sys.argv[3]
if name == "links":
    pages = 10 * [pathlib.Path(page).read_bytes() for page in json.loads(path)]
if name == "comments":
    comments = 10 * json.loads(pathlib.Path(path).read_text())
program = compile(program, name, "exec")
imports = [line for line in sys.argv[3].splitlines() if line.startswith(("import", "from"))]
exec("\\n".join(imports))
memory, begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
exec(program)
end = time.process_time()
print(json.dumps([end - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory, result]))
"""


def dump(path: pathlib.Path, megabytes: int) -> None:
    """Write a document with records."""
    draw = random.Random(7)

    def words(count: int) -> str:
        return " ".join(draw.choice(WORDS) for _ in range(count))

    with path.open("w", encoding="utf-8") as file:
        file.write("<export>\n")
        number = 0
        while file.tell() < megabytes * 1_000_000:
            number += 1
            file.write(
                f'  <record id="{number}"><title>{words(6).title()} &amp; {words(3)}</title>\n'
                f"    <author><name>{words(2).title()} Müller</name></author><count>{draw.randrange(10**6)}</count>\n"
                f"    <tags><tag>{words(1)}</tag><tag>{words(1)}</tag></tags><body>{words(60)} &lt;b&gt; {words(20)}</body>\n"
                f"  </record>\n"
            )
        file.write("</export>\n")


def comments(path: pathlib.Path) -> None:
    """Write comments with random markup."""
    draw = random.Random(3)
    pieces = [
        "<p>Hello <b>world</b>, see <a href='https://example.org/?a=1&b=2' onclick='x()'>this</a></p>",
        "<script>alert(1)</script>", "plain text with &amp; and <i>italic</i> ", "<ul><li>one<li>two</ul>",
        "<img src=x onerror=y>", "<a href='javascript:z'>bad</a>", "<blockquote>quoted <code>x &lt; y</code></blockquote>",
    ]  # fmt: skip
    made = ["".join(draw.choice(pieces) for _ in range(draw.randrange(1, 12))) for _ in range(2000)]
    path.write_text(json.dumps(made), encoding="utf-8")


def main() -> None:
    name, *arguments = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "input")
        if name in ("iterparse", "records"):
            dump(path, int(arguments[0]) if arguments else 200)
        elif name == "comments" and arguments:
            path.write_text(json.dumps(2000 * arguments), encoding="utf-8")
        elif name == "comments":
            comments(path)
        argument = json.dumps(arguments) if name == "links" else str(path)
        rounds: dict[str, list[tuple[float, int]]] = {package: [] for package in PROGRAMS[name]}
        results = set()
        for _ in range(ROUNDS):
            for package, program in PROGRAMS[name].items():
                command = [sys.executable, "-W", "ignore", "-c", RUN, name, argument, program]
                output = subprocess.run(command, capture_output=True, check=True, text=True).stdout
                seconds, kilobytes, result = json.loads(output)
                rounds[package].append((seconds, kilobytes))
                results.add(result)
        assert len(results) == 1, results
        for package, measured in rounds.items():
            pairs = zip(measured, rounds["tagstream"], strict=True)
            ratio = statistics.median(seconds / ours for (seconds, _), (ours, _) in pairs)
            seconds, kilobytes = min(measured)[0], max(memory for _, memory in measured)
            print(f"{package:36} {seconds:8.3f} s  {ratio:6.2f}  {kilobytes / 1024:8.1f} MB")


if __name__ == "__main__":
    main()
