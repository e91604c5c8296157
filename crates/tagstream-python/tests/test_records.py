"""Records in the libraries that read Arrow's C stream."""

import gzip
import importlib.util
import io
import pathlib

import pytest
import tagstream

pyarrow = pytest.importorskip("pyarrow")

XML = b"<r><e id='1'><n>a</n><v>1.5</v></e><e id='2'><n>b</n></e></r>"
ROWS = [{"_id": 1, "n": "a", "v": 1.5}, {"_id": 2, "n": "b", "v": None}]


def test_rows():
    assert pyarrow.table(tagstream.records(XML, "e")).to_pylist() == ROWS
    records = tagstream.records(XML, "e")
    assert records.columns == ["_id", "n", "v"] and records.notes == []
    assert records.to_pyarrow().read_all().to_pylist() == ROWS
    with pytest.raises(ValueError, match="already"):
        records.__arrow_c_stream__()


def test_schemas_and_options():
    schema = pyarrow.schema([("n", pyarrow.string())])
    records = tagstream.records(io.BytesIO(XML), "e", schema=schema)
    assert records.to_pyarrow().read_all().to_pylist() == [{"n": "a"}, {"n": "b"}]
    records = tagstream.records(XML, "e", attributePrefix="@", infer_schema=False)
    assert pyarrow.table(records).to_pylist()[0] == {"@id": "1", "n": "a", "v": "1.5"}
    with pytest.raises(TypeError, match="no option 'nonsense'"):
        tagstream.records(XML, "e", nonsense=1)
    with pytest.raises(AttributeError):
        tagstream.records(XML, "e", schema=5)


def test_sources(tmp_path):
    path = tmp_path / "a.xml"
    path.write_bytes(XML)
    compressed = tmp_path / "a.xml.gz"
    compressed.write_bytes(gzip.compress(XML))
    for source in (path, str(path), compressed, path.open("rb"), bytearray(XML), [XML[:20], XML[20:]]):
        assert pyarrow.table(tagstream.records(source, "e")).to_pylist() == ROWS, source
    with pytest.raises(FileNotFoundError):
        tagstream.records(tmp_path / "none", "e")


def test_inference_from_a_part(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text("<r>" + "<e id='1'><n>a</n></e>" * 50_000 + "</r>")
    for options in ({}, {"infer_bytes": 300_000}, {"infer_bytes": None}, {"threads": 2}):
        table = pyarrow.table(tagstream.records(path, "e", **options))
        assert table.column_names == ["_id", "n"] and table.num_rows == 50_000


@pytest.fixture(scope="session")
def dump(tmp_path_factory):
    """The document with records, lists and structs that bench.py measures, of a megabyte."""
    spec = importlib.util.spec_from_file_location("bench", pathlib.Path(__file__).parent.parent / "bench.py")
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    path = tmp_path_factory.mktemp("dump") / "dump.xml"
    bench.dump(path, 1)
    return path


def in_polars(records):
    return pytest.importorskip("polars").DataFrame(records).to_dicts()


def in_duckdb(records):
    duckdb, reader = pytest.importorskip("duckdb"), records.to_pyarrow()
    return [dict(zip(records.columns, row, strict=True)) for row in duckdb.from_arrow(reader).fetchall()]


def plain(value):
    """Return a value with lists in place of the arrays of numpy."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list) or hasattr(value, "tolist"):
        return [plain(part) for part in value]
    return value


def in_pandas(records):
    frame = pytest.importorskip("pandas").DataFrame
    if hasattr(frame, "from_arrow"):
        made = frame.from_arrow(records)
    else:
        made = records.to_pyarrow().read_pandas()
    # Numbers with nulls are floats in pandas, nulls of numbers are NaN, and lists are arrays.
    made = made.astype(object).where(made.notna(), None)
    return plain(made.to_dict("records"))


@pytest.mark.parametrize("read", [in_polars, in_duckdb, in_pandas])
def test_libraries_read_the_same_as_pyarrow(read, dump):
    assert read(tagstream.records(XML, "e")) == ROWS
    expected = pyarrow.table(tagstream.records(dump, "record")).to_pylist()
    assert len(expected) > 1000 and set(expected[0]) == {"_id", "title", "author", "count", "tags", "body"}
    assert read(tagstream.records(dump, "record")) == expected


@pytest.mark.parametrize("parser, xpath", [("lxml", "/export/record"), ("etree", "./record")])
def test_pandas_reads_the_same_from_xml(parser, xpath, dump):
    """pandas.read_xml reads attributes and text, and not the elements in a child."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("lxml")
    frame = pandas.read_xml(dump, xpath=xpath, parser=parser)
    rows = pyarrow.table(tagstream.records(dump, "record")).to_pylist()
    for theirs, ours in (("id", "_id"), ("title", "title"), ("count", "count"), ("body", "body")):
        assert frame[theirs].tolist() == [row[ours] for row in rows]


def test_errors_of_the_document():
    with pytest.raises(tagstream.ParseError):
        tagstream.records(b"<r><e>1</e><e>2</f></r>", "e", mode="FAILFAST")
