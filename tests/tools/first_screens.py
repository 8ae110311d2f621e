"""What `torchwhy run` says first about ten broken programs, on terminals of 80 and 120 columns and in both languages.

`python -m tests.tools.first_screens` runs tests/fixtures/programs/*.py and renews docs/first-screens.md.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.terminal import Terminal, environment

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAMS = ROOT / "tests" / "fixtures" / "programs"
PAGE = ROOT / "docs" / "first-screens.md"
TERMINALS = ((80, "en"), (80, "zh"), (120, "en"))
ESCAPE = re.compile(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\r")
INTRO = """# First screens

What stands under the traceback when a program fails under `torchwhy run`: the line, the message, what the failing line's names were, what the
numbers mean, the change. Ten programs ([tests/fixtures/programs](../tests/fixtures/programs)), each for a terminal of 80 columns in English and in
Chinese, and for one of 120; `python -m tests.tools.first_screens` makes this page anew.
"""


def screen_of(program: Path, columns: int, lang: str) -> str:
    """What follows the program's own output on a terminal of that width, without colours and links."""
    words = [sys.executable, program.name]
    printed = subprocess.run(words, cwd=PROGRAMS, capture_output=True, text=True, check=False).stderr
    screen = printed_on(columns, [sys.executable, "-m", "torchwhy", "run", "--lang", lang, "--", *words])
    last = printed.rstrip("\n").rpartition("\n")[2]
    before, found, after = ESCAPE.sub("", screen).partition(f"{last}\n")
    if not found:
        raise SystemExit(f"{program.name}: {last!r} does not stand in what it printed under run:\n{before}")
    return after.strip("\n")


def printed_on(columns: int, words: list[str]) -> str:
    """What a command writes to a terminal of that width."""
    with tempfile.TemporaryDirectory(
        prefix="torchwhy-"
    ) as data:  # its own: nobody has run this program before
        env = {name: value for name, value in environment().items() if name not in ("COLUMNS", "LINES")}
        env |= {"TERM": "xterm-256color", "TORCHWHY_DATA": data}
        with Terminal(words, str(PROGRAMS), env, (40, columns)) as terminal:
            terminal.finish(300)
        return terminal.seen.decode()


def main() -> None:
    printed_on(
        80, [sys.executable, "-m", "torchwhy", "RuntimeError"]
    )  # what is compiled once shows its progress
    parts = [INTRO]
    for program in sorted(PROGRAMS.glob("*.py")):
        parts.append(f"## {program.stem}\n")
        parts += [f"```\n{screen_of(program, columns, lang)}\n```\n" for columns, lang in TERMINALS]
    PAGE.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
