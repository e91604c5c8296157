"""Records in the libraries that read Arrow's C stream."""

import gzip
import io

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


def test_four_libraries_read_the_same():
    polars = pytest.importorskip("polars")
    duckdb = pytest.importorskip("duckdb")
    pandas = pytest.importorskip("pandas")
    assert polars.DataFrame(tagstream.records(XML, "e")).to_dicts() == ROWS
    reader = tagstream.records(XML, "e").to_pyarrow()
    assert duckdb.from_arrow(reader).fetchall() == [tuple(row.values()) for row in ROWS]
    frame = pandas.DataFrame.from_arrow(tagstream.records(XML, "e")) if hasattr(pandas.DataFrame, "from_arrow") else (
        tagstream.records(XML, "e").to_pyarrow().read_pandas()
    )
    assert frame.where(frame.notna(), None).to_dict("records")[0] == ROWS[0] and len(frame) == 2


def test_errors_of_the_document():
    with pytest.raises(tagstream.ParseError):
        tagstream.records(b"<r><e>1</e><e>2</f></r>", "e", mode="FAILFAST")
