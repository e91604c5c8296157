"""Measures expressions with lxml. `times.rs` has the other half.

Each line of standard input is an object of JSON: `path`, `expressions` and `runs`. The answer is a line with a pair for each
expression: the shortest time of an evaluation in seconds, and the number of nodes.
"""

import json
import sys
import time

from lxml import etree

for line in sys.stdin:
    read = json.loads(line)
    parser = etree.HTMLParser() if read["path"].endswith(".html") else None
    tree = etree.parse(read["path"], parser)
    pairs = []
    for expression in read["expressions"]:
        evaluate = etree.XPath(expression)
        shortest = float("inf")
        for _ in range(read["runs"]):
            start = time.perf_counter()
            found = evaluate(tree)
            shortest = min(shortest, time.perf_counter() - start)
        pairs.append([shortest, len(found) if isinstance(found, list) else int(found)])
    print(json.dumps(pairs), flush=True)
