"""Nothing of the user's reaches a test: own cache and data folders, no settings from the environment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import tiers

if TYPE_CHECKING:
    from tests.support.llm_server import Server
    from torchwhy import Assistant

ROOT = Path(__file__).resolve().parent.parent
KB = ROOT / "kb"
# programs as users write them, some named as tests are
collect_ignore = ["fixtures", "hosts", "lint/programs", "watch/programs"]
ENTRIES = sorted(path.parent for path in KB.glob("[!_.]*/*/pitfall.yaml"))


def pytest_addoption(parser: pytest.Parser) -> None:
    tiers.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    tiers.register(config)
    # One cache for all workers of a run, kept between runs: vectors are built once, under the program's own lock.
    shared = Path(os.environ.get("TORCHWHY_TEST_CACHE") or ROOT / ".pytest_cache" / "torchwhy")
    for name in list(os.environ):
        if name.startswith("TORCHWHY_") and name != "TORCHWHY_TEST_CACHE":
            del os.environ[name]
    os.environ.update(
        TORCHWHY_CACHE=str(shared),
        TORCHWHY_DATA=str(shared / "data"),
        LC_ALL="C.UTF-8",
        LANG="C.UTF-8",
        NO_COLOR="1",
    )
    if "PYTEST_XDIST_WORKER" in os.environ:
        # Workers that each take every core wait for one another: a small training then takes four times as long.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
    # Where Python is told to keep no bytecode, each of the hundreds of processes that tests start compiles anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    os.environ.pop("COLUMNS", None)
    os.environ.pop("LINES", None)
    if (
        signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    ):  # started in the background: what the tests start would not hear Ctrl-C
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder of the test's own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("TORCHWHY_CACHE", str(folder))
    return folder


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def torchwhy(tmp_path: Path) -> Run:
    """Run the command line in a process of its own, from an empty folder."""

    def run(
        *words: str, stdin: str | bytes | None = "", env: dict[str, str] | None = None, timeout: float = 300
    ) -> subprocess.CompletedProcess[str]:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [sys.executable, "-m", "torchwhy", *words],
            input=data,
            capture_output=True,
            cwd=tmp_path,
            timeout=timeout,
            env={**os.environ, "PYTHONPATH": str(ROOT / "assistant"), **(env or {})},
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return run


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty data and current folders of the test's own."""
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def anyio_backend() -> str:
    """Where a test that is a coroutine (marked `anyio`) runs."""
    return "asyncio"


@pytest.fixture(scope="module")
def real() -> Assistant:
    """The shipped knowledge without vectors, for what signatures settle."""
    from torchwhy import Assistant

    return Assistant(vectors=False)


@pytest.fixture(scope="module")
def quick() -> Assistant:
    """The same in English."""
    from torchwhy import Assistant

    return Assistant(lang="en", vectors=False)


@pytest.fixture
def server() -> Iterator[Server]:
    """What a model's words come from."""
    from tests.support.llm_server import Server

    made = Server()
    yield made
    made.close()


@pytest.fixture(scope="session")
def assistant() -> Assistant:
    from torchwhy import Assistant

    return Assistant(lang="en")


def follows_schema(data: object, schema: str) -> None:
    """Assert that the documented form (`answers/answer.schema.json`) holds for the data."""
    import json

    import jsonschema

    jsonschema.validate(data, json.loads((ROOT / "assistant" / "torchwhy" / schema).read_text("utf-8")))


def write_entry(
    root: Path,
    id: str = "made-up",
    category: str = "shapes",
    yaml: str | None = None,
    repro: str | None = None,
    asks: Callable[[str], str] = str,
) -> Path:
    """A copy of the template under `root`, with its text replaced where given; `asks`: what becomes of a question."""
    from torchwhy.knowledge.files import ASKS_FILES

    folder = root / category / id
    folder.mkdir(parents=True)
    template = KB / "_template"
    text = (template / "pitfall.yaml").read_text("utf-8")
    (folder / "pitfall.yaml").write_text(yaml if yaml is not None else text, "utf-8")
    (folder / "repro.py").write_text(
        repro if repro is not None else (template / "repro.py").read_text("utf-8"), "utf-8"
    )
    for name in ASKS_FILES.values():
        lines = (template / name).read_text("utf-8").splitlines()
        (folder / name).write_text("".join(f"{asks(line)}\n" for line in lines), "utf-8")
    return folder
