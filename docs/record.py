"""`python -m docs.record`: run the sitting of the first page, keep what it printed, draw it (needs torch).

Only the names of two folders are replaced: the one that it runs in, and the environment's.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RECORDED = Path(__file__).parent / "recorded"
SESSION = RECORDED / "session.json"
PICTURE = Path(__file__).parents[1] / "data" / "pictures" / "run.svg"
PICTURE_COLUMNS = 168
ROOT = Path(__file__).parents[1]
COMMANDS = (("run", "train.py"), ("confirm", "matmul-shape-mismatch"))
COLUMNS = "88"


def recorded_step(words: tuple[str, ...], folder: Path) -> dict[str, str]:
    """One command and what it printed, standard error included."""
    env = {
        **os.environ,
        "COLUMNS": COLUMNS,
        "PYTHONPATH": str(ROOT / "assistant"),
        "NO_COLOR": "1",
        "TORCHWHY_LANG": "en",
        "TORCHWHY_DATA": str(folder / ".data"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        [sys.executable, "-m", "torchwhy", *words],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    output = done.stdout.replace(str(folder), "~/project").replace(sys.prefix, "~/venv")
    return {"command": " ".join(["torchwhy", *words]), "output": output.rstrip() + "\n"}


def record() -> list[dict[str, str]]:
    """Every step of the sitting, in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        shutil.copy(RECORDED / "train.py", folder)
        return [recorded_step(words, folder) for words in COMMANDS]


def picture(steps: list[dict[str, str]]) -> str:
    """The first step as SVG: on the left the program's own traceback, on the right what torchwhy adds."""
    from rich.console import Console
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    traceback, _, answer = steps[0]["output"].rstrip().partition("\n\n")
    screen = Text(answer)
    screen.highlight_regex(r"(?m)^  - .*$", "red")
    screen.highlight_regex(r"(?m)^  \+ .*$", "green")
    screen.highlight_regex(r"(?m)^(Change|Or)\b", "bold")
    columns = Table.grid(expand=True, padding=(0, 1))
    columns.add_row(
        Panel(Text(traceback), title="python train.py", expand=True),
        Panel(screen, title=steps[0]["command"], expand=True, border_style="green"),
    )
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        console = Console(width=PICTURE_COLUMNS, record=True, file=nowhere, force_terminal=True)
        console.print(columns)
        return console.export_svg(title="torchwhy", unique_id="run")


if __name__ == "__main__":
    SESSION.write_text(json.dumps(record(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PICTURE.write_text(picture(json.loads(SESSION.read_text("utf-8"))), "utf-8")
    print(f"{SESSION.name} and {PICTURE.name} written")
