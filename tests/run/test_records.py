"""What a hostile program leaves in the run's folder stops nothing, and acts on no terminal."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from torchwhy.answers.answer import Answer
from torchwhy.answers.evidence import Evidence
from torchwhy.paste.parse import parse
from torchwhy.plugins import exception
from torchwhy.run import crashes
from torchwhy.run.diagnosis import failed_run
from torchwhy.run.frame_record import frame_section, under_lines
from torchwhy.run.passing import CommandEnd

PRINTED = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x\nValueError: boom\n'
ACTS = "\x1b]0;x\x07\x1b[31mE\x9b2J\u202e\x00\nx"
BAD = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")


def record(**changed: object) -> dict[str, Any]:
    """A record of the error that was printed, some of its fields changed."""
    error = {
        "exception": "ValueError",
        "message": "boom",
        "frames": [{"file": "a.py", "line": 1, "function": "f", "code": "x", "library": False}],
        "here": 0,
        "operands": [{"name": "x", "kind": "int", "value": 3}],
    }
    whole = {"schema": 1, "how": "uncaught", "rank": None, "thread": "MainThread", "time": 1.0}
    return {
        **whole,
        "errors": [{**error, **changed}],
        **{name: changed[name] for name in whole if name in changed},
    }


def shown(folder: Path) -> str:
    """All that is made of the folder's files for a reader."""
    evidence = failed_run(CommandEnd(1, PRINTED), ["python", "a.py"], str(folder))
    here = evidence.frame
    assert here is not None
    nothing = Answer(None, (), "en", Evidence(evidence.paste))
    return "\n".join(
        [
            frame_section(here, "en").markdown,
            *(f"{what} {made}" for what, made in under_lines(here, nothing)),
            evidence.text,
        ]
    )


def test_nothing_that_a_record_says_acts_on_a_terminal(tmp_path: Path) -> None:
    frame = {
        "file": f"{ACTS}.py",
        "line": 1,
        "function": ACTS,
        "code": ACTS,
        "expression": ACTS,
        "columns": [0, 1],
    }
    operands = [{"name": ACTS, "kind": "tensor", "dtype": ACTS, "shape": [1], "device": ACTS, "of": ACTS}]
    operands += [{"name": "m", "kind": "module", "class": ACTS, "settings": ACTS, "devices": [ACTS]}]
    data = record(frames=[frame], operands=operands, thread=ACTS)
    (tmp_path / "crash-1-1.json").write_text(json.dumps(data))
    text = shown(tmp_path)
    assert "E" in text and not BAD.search(text)
    here = crashes.find_frame(crashes.read_records(str(tmp_path)), parse(PRINTED))
    assert here is not None and not BAD.search(
        json.dumps(here.as_json(), ensure_ascii=False).replace("\\n", "")
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX")
@pytest.mark.parametrize("name", ["crash-1-1.json", "watch-1.json"])
def test_what_is_no_plain_file_is_left_out(tmp_path: Path, name: str) -> None:
    (tmp_path / "crash-1-2.json").write_text(json.dumps(record()))
    path = tmp_path / name
    for make in (
        lambda: os.mkfifo(path),
        lambda: path.symlink_to("/dev/zero"),
        lambda: path.symlink_to(tmp_path / "missing"),
        lambda: path.mkdir(),
        lambda: path.write_text("[" * 100_000),
        lambda: path.write_bytes(b"\xff\x00" * 3_000_000),
    ):
        make()
        assert "`x` int 3" in shown(tmp_path)
        assert len(crashes.read_file(path)) <= crashes.MAX_BYTES
        path.rmdir() if path.is_dir() else path.unlink()


def test_an_exception_object_acts_on_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    code = compile("def f(x):\n    raise ValueError('boom')\n", f"/{ACTS.replace(chr(0), '')}.py", "exec")
    names: dict[str, Any] = {}
    exec(code, names)
    with pytest.raises(ValueError, match="boom") as raised:
        names["f"](1)
    text = exception.explain(raised.value, lang="en").markdown
    assert "ValueError" in text and not BAD.search(text)
