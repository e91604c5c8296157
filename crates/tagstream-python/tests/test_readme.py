"""Runs the programs of README.md, and the examples of the docstrings."""

import doctest
import pathlib
import re

import pytest
import tagstream
from tagstream import _native, _streams

README = pathlib.Path(__file__).parent.parent / "README.md"
PROGRAMS = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.M | re.S)


def test_the_readme_has_its_programs():
    assert len(PROGRAMS) == 13


@pytest.mark.parametrize("index", range(len(PROGRAMS)))
def test_program(index, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pages = (f"<page id='{n}'><title>Page {n}</title><size>{n}.5</size></page>" for n in range(100))
    (tmp_path / "dump.xml").write_text("<dump>" + "".join(pages) + "</dump>")
    exec(compile(PROGRAMS[index], f"program {index + 1}", "exec"), {"__name__": "__main__"})


def examples(owner, name):
    """Yield the docstrings of an object and of its members."""
    if owner.__doc__:
        yield name, owner.__doc__
    if isinstance(owner, type):
        for key, member in vars(owner).items():
            if member.__doc__ and not key.startswith("__"):
                yield f"{name}.{key}", member.__doc__


DOCSTRINGS = [
    pair
    for module in (_native, _streams)
    for name in dir(module)
    if not name.startswith("_") and getattr(getattr(module, name), "__module__", "").startswith("tagstream")
    for pair in examples(getattr(module, name), name)
]


@pytest.mark.parametrize("name, text", DOCSTRINGS, ids=[name for name, _ in DOCSTRINGS])
def test_docstring(name, text):
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.failed == 0


def test_everything_public_is_documented():
    undocumented = [
        f"{name}.{key}"
        for name in tagstream.__all__
        if isinstance(getattr(tagstream, name), type)
        for key, member in vars(getattr(tagstream, name)).items()
        if not key.startswith("_")
        and callable(member)
        and not member.__doc__
    ]
    assert undocumented == []
    assert all(getattr(tagstream, name).__doc__ for name in tagstream.__all__ if name != "Iterparse")
    assert sum(">>>" in text for _, text in DOCSTRINGS) >= 15
