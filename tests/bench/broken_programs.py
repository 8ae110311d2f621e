"""The programs of tests/fixtures/broken in each place where programs run, bare and answered, as a table.

`python tests/bench/broken_programs.py [--places plain,worker,ranks,kernel,pytest] [--names A,B] [--python PYTHON]`. The
first line of a program names its entry and the operands that are to be told; `# HERE` stands behind the line to be named.
`--python` runs the programs (not torchwhy, nor the kernel) with another Python and its torch.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
BROKEN = ROOT / "tests" / "fixtures" / "broken"
TIMEOUT_S = 200
RANKS = "import torch.distributed\ntorch.distributed.init_process_group('gloo')\n"
WORKER = """from torch.utils.data import DataLoader, Dataset

class Rows(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, number):
{body}
        return number

if __name__ == "__main__":
    for batch in DataLoader(Rows(), batch_size=2, num_workers=2):
        pass
"""
PYTHON = [sys.executable]
WORDS: dict[str, list[str]] = {
    "plain": [],
    "worker": [],
    "ranks": ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2"],
    "pytest": ["-m", "pytest", "-q", "-p", "no:cacheprovider"],
}
PLACES = (*WORDS, "kernel")
STEADY = ("plain", "worker")  # what the others print differs from run to run: times, ports, process ids
ASKS = "import json; print(json.dumps(get_ipython().run_line_magic('why', '').as_json()))"


class Broken(NamedTuple):
    """A program, the entry that explains it, and the names whose shapes and types are to be told."""

    name: str
    source: str
    entry: str
    operands: frozenset[str]


class Outcome(NamedTuple):
    """What was right of one program in one place; `same`: bytes and status as bare, None where not compared."""

    entry: bool
    line: bool
    operands: bool
    same: bool | None
    said: str


def programs() -> list[Broken]:
    """All of them, by name."""
    found = []
    for path in sorted(BROKEN.glob("*.py")):
        source = path.read_text()
        entry, names = re.match(r"# entry: (\S+) \| operands: ?(.*)", source).groups()  # type: ignore[union-attr]
        wanted = frozenset(filter(None, names.split(", ")))
        found.append(Broken(path.stem, source, entry, wanted))
    return found


def placed(source: str, place: str) -> str:
    """The program as it stands in this place."""
    if place == "worker":
        return WORKER.format(body=textwrap.indent(source, " " * 8))
    if place == "ranks":
        return RANKS + source
    if place == "pytest":
        return "def test_program():\n" + textwrap.indent(source, " " * 4)
    return source


def line_of(source: str) -> int:
    return next(number for number, text in enumerate(source.splitlines(), 1) if "# HERE" in text)


def judged(program: Broken, source: str, data: dict[str, Any], same: bool | None) -> Outcome:
    """`data`: the answer as JSON."""
    match, here = data["match"] or {}, data["here"] or {}
    told = {item["name"] for item in here.get("operands") or ()}
    said = f"{match.get('id')} line {here.get('line')} for {line_of(source)}: {', '.join(sorted(told))}"
    return Outcome(
        match.get("id") == program.entry,
        here.get("line") == line_of(source),
        told >= program.operands,
        same,
        said,
    )


def environment(folder: str) -> dict[str, str]:
    more = {
        "PYTHONPATH": str(ROOT / "assistant"),
        "OMP_NUM_THREADS": "1",
        "GLOO_SOCKET_IFNAME": "lo",
        "TORCHWHY_DATA": os.path.join(folder, "data"),
    }
    return {**os.environ, **more}


def run_one(
    program: Broken, place: str, folder: str, compare: bool = True, python: str = sys.executable
) -> Outcome:
    """Under `torchwhy run`, and bare where what it prints is steady."""
    name = f"test_{program.name}.py" if place == "pytest" else f"{program.name}.py"
    source = placed(program.source, place)
    Path(folder, name).write_text(source)
    words, env = [python, *WORDS[place], name], environment(folder)
    wrapped = [*PYTHON, "-m", "torchwhy", "run", "--quiet", "--json", "out.json", "--", *words]
    done = subprocess.run(wrapped, cwd=folder, env=env, capture_output=True, timeout=TIMEOUT_S, check=False)
    data = json.loads(Path(folder, "out.json").read_text())
    same: bool | None = None
    if compare and place in STEADY:
        bare = subprocess.run(words, cwd=folder, env=env, capture_output=True, timeout=TIMEOUT_S, check=False)
        same = (done.returncode, done.stdout, done.stderr) == (bare.returncode, bare.stdout, bare.stderr)
    return judged(program, source, data, same)


def run_cells(chosen: list[Broken], folder: str) -> Iterator[Outcome]:
    """Each as a cell of one kernel, with `%why` behind it; its names are taken away before the next."""
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(kernel_name="python3", env=environment(folder), cwd=folder)
    try:
        printed(client, "%load_ext torchwhy")
        for program in chosen:
            printed(client, program.source)
            yield judged(program, program.source, json.loads(printed(client, ASKS)), None)
            printed(client, "%reset -f")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def printed(client: Any, code: str) -> str:
    """What a cell prints on standard output."""
    parts: list[str] = []

    def hear(message: dict[str, Any]) -> None:
        if message["header"]["msg_type"] == "stream" and message["content"]["name"] == "stdout":
            parts.append(message["content"]["text"])

    client.execute_interactive(code, timeout=TIMEOUT_S, output_hook=hear)
    return "".join(parts)


def outcomes(chosen: list[Broken], place: str, python: str) -> Iterator[Outcome]:
    with tempfile.TemporaryDirectory() as folder:
        if place == "kernel":
            yield from run_cells(chosen, folder)
        else:
            for program in chosen:
                yield run_one(program, place, folder, python=python)


def table_row(place: str, found: list[Outcome]) -> str:
    counts = [sum(getattr(each, part) for each in found) for part in ("entry", "line", "operands")]
    compared = [each.same for each in found if each.same is not None]
    same = f"{sum(compared)} of {len(compared)}" if compared else "-"
    return f"{place:8} {len(found):8} " + " ".join(f"{count:9}" for count in counts) + f" {same:>10}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", default=",".join(PLACES))
    parser.add_argument("--names", default="")
    parser.add_argument("--python", default=sys.executable)
    args = parser.parse_args()
    names = set(filter(None, args.names.split(",")))
    chosen = [program for program in programs() if not names or program.name in names]
    rows = []
    for place in args.places.split(","):
        found = []
        for program, outcome in zip(chosen, outcomes(chosen, place, args.python), strict=True):
            found.append(outcome)
            if not all((outcome.entry, outcome.line, outcome.operands, outcome.same is not False)):
                same = "" if outcome.same is not False else " other output than bare"
                print(f"{place} {program.name}: {outcome.said}{same}", flush=True)
        rows.append(table_row(place, found))
    print(f"{'':8} programs     entry      line  operands       same")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
