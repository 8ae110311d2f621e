"""The queries of docs/triage.md run, and its table names every column."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.logs import FAILED, STEPS, rows
from torchwhy.triaging.row import Row

PAGE = (ROOT / "docs" / "triage.md").read_text("utf-8")
QUERIES = re.findall(r"^```sql\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_every_column_is_in_the_table() -> None:
    named = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`[^|]+) \|", PAGE, re.MULTILINE)))
    assert named == [each.name for each in fields(Row)]


def test_the_queries_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pytz")  # DuckDB gives time stamps by it
    (tmp_path / "l").mkdir()
    host = "gpu-7:12:12 [0] NCCL INFO Bootstrap\n"
    for number, text in enumerate((FAILED, FAILED.replace("2x3", "4x4"), "")):
        (tmp_path / "l" / f"j{number}.log").write_text(host + STEPS + text)
    rows([str(tmp_path / "l")], tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    causes, first, hosts = (duckdb.sql(query).fetchall() for query in QUERIES)
    assert [row[:2] for row in causes] == [("matmul-shape-mismatch", 2)]
    assert [row[2] for row in first] == [2]
    assert hosts == [("gpu-7", 3, pytest.approx(2 / 3))]
