"""Runs the programs of docs/python.md with both packages, and compares their results."""

import pathlib
import re

import pytest

GUIDE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "python.md"
TEXT = GUIDE.read_text(encoding="utf-8")
FILES = re.findall(r"^```(?:xml|html)\n<!-- (\S+) -->\n(.*?)^```", TEXT, re.M | re.S)
PAIRS = re.findall(r"^```python before\n(.*?)^```\n.*?^```python after\n(.*?)^```", TEXT, re.M | re.S)
PACKAGES = ["lxml", "lxml", "bs4", "html5lib", "selectolax", "defusedxml", "xmltodict", "pandas", "nh3", "bleach"]


def test_the_guide_has_its_programs():
    assert len(FILES) == 2 and len(PAIRS) == len(PACKAGES)


@pytest.mark.parametrize("index", range(len(PAIRS)))
@pytest.mark.filterwarnings("ignore")
def test_guide(index, tmp_path, monkeypatch):
    pytest.importorskip(PACKAGES[index])
    monkeypatch.chdir(tmp_path)
    for name, text in FILES:
        pathlib.Path(name).write_text(text, encoding="utf-8")
    before, after = PAIRS[index]
    assert PACKAGES[index] in before and "tagstream" in after
    results = []
    for program in (before, after):
        namespace = {}
        exec(compile(program, f"program {index}", "exec"), namespace)
        results.append(namespace["result"])
    assert results[0] == results[1] and results[0]
