"""Ten crashes told by torchwhy and by three other tools: `python tests/bench/bench_peers.py`.

Needs `pip install tensor-sensor friendly-traceback rich matplotlib graphviz` in the Python that runs it. Prints for each
tool in how many of the ten crashes it says a cause beside the message that the exception brings, points at the user's
line, tells the shapes of the operands, and keeps the exit status.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

if __package__ in (None, ""):  # run as a script
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.broken_programs import BROKEN, PYTHON, Broken, environment, line_of, programs

TIMEOUT_S = 200
# Of each program the shapes at the line that fails.
SHAPES = {
    "autoencoder": ("8, 16", "128, 32"),
    "attention_scores": ("4, 10, 64", "4, 12, 64"),
    "mixup_weights": ("16", "16, 3, 32, 32"),
    "heads_back_together": ("2, 10, 8, 16",),
    "skip_connection": ("1, 16, 44, 44", "1, 16, 45, 45"),
    "carried_hidden": ("8, 5, 12", "1, 8, 24"),
    "table_of_doubles": ("100, 8",),
    "tied_vocabulary": ("1, 4",),
    "mask_minus_mask": ("3, 6",),
    "float_classes": ("10, 3", "10"),
}
CLARIFY = (
    "import runpy, tsensor\nwith tsensor.clarify():\n    runpy.run_path({path!r}, run_name='__main__')\n"
)
LOCALS = (
    "import runpy\nfrom rich.traceback import install\ninstall(show_locals=True)\n"
    "runpy.run_path({path!r}, run_name='__main__')\n"
)


class Told(NamedTuple):
    """What one tool said of one crash."""

    cause: bool
    line: bool
    shapes: bool
    status: bool


def output(words: list[str], folder: str) -> tuple[int, str]:
    done = subprocess.run(
        words,
        cwd=folder,
        env={**environment(folder), "COLUMNS": "200"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


def has_shapes(text: str, program: Broken) -> bool:
    """Whether each of them is in the text, but for the line of the exception's own message."""
    lines = [line for line in text.splitlines() if "Error: " not in line]
    rest = "\n".join(lines)
    return all(f"[{shape}]" in rest or f"({shape})" in rest for shape in SHAPES[program.name])


def by_torchwhy(program: Broken, path: str, folder: str) -> Told:
    words = [*PYTHON, "-m", "torchwhy", "run", "--json", "out.json", "--", *PYTHON, path]
    status, text = output(words, folder)
    data = json.loads(Path(folder, "out.json").read_text())
    match, here = data["match"] or {}, data["here"] or {}
    right = match.get("id") == program.entry
    return Told(right, here.get("line") == line_of(program.source), has_shapes(text, program), status == 1)


def by_tensor_sensor(program: Broken, path: str, folder: str) -> Told:
    Path(folder, "peer.py").write_text(CLARIFY.format(path=path))
    status, text = output([*PYTHON, "peer.py"], folder)
    cause = text.partition("\nCause: ")[2].strip()
    line = program.source.splitlines()[line_of(program.source) - 1]
    expression = cause.partition(" tensor ")[0].removesuffix(" on")  # an operator alone stands in any line
    right = bool(cause) and expression in line
    return Told(right, right, has_shapes(cause, program), status == 1)


def by_friendly(program: Broken, path: str, folder: str) -> Told:
    status, text = output([*PYTHON, "-m", "friendly_traceback", path], folder)
    knows = "does not know the cause" not in text and "No information is known" not in text
    pointed = f"-->{line_of(program.source)}|" in text and Path(path).name in text
    return Told(knows, pointed, has_shapes(text, program), status == 1)


def by_rich(program: Broken, path: str, folder: str) -> Told:
    """It explains nothing: the frames, all alike, and their locals as `repr` gives them."""
    Path(folder, "peer.py").write_text(LOCALS.format(path=path))
    status, text = output([*PYTHON, "peer.py"], folder)
    number = line_of(program.source)
    pointed = any(
        line.split("❱")[-1].split()[:1] == [str(number)] for line in text.splitlines() if "❱" in line
    )
    return Told(False, pointed, has_shapes(text, program), status == 1)


TOOLS = {
    "torchwhy run": by_torchwhy,
    "TensorSensor": by_tensor_sensor,
    "friendly-traceback": by_friendly,
    "rich.traceback, locals": by_rich,
}


def main() -> None:
    chosen = [program for program in programs() if program.name in SHAPES]
    print(f"{'':24} cause  line shapes status   of {len(chosen)}")
    for name, tell in TOOLS.items():
        with tempfile.TemporaryDirectory() as folder:
            told = [tell(program, str(BROKEN / f"{program.name}.py"), folder) for program in chosen]
        for program, each in zip(chosen, told, strict=True):
            if not all(each):
                missing = ", ".join(part for part, right in each._asdict().items() if not right)
                print(f"  {program.name}: no {missing}")
        counts = [sum(column) for column in zip(*told, strict=True)]
        print(f"{name:24}" + " ".join(f"{count:6}" for count in counts), flush=True)


if __name__ == "__main__":
    main()
