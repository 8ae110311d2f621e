"""Time until the chat shows its prompt, as a ratio to `python -c "import textual.app"` in the same run: `python tests/bench/bench_chat.py [RUNS]`.

The real program on a pseudo-terminal; medians; asserts nothing.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

if __package__ in (None, ""):  # run as a script
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.support.terminal import Terminal

PROMPT = b"aste an error"  # its first letter stands under the cursor, in a style of its own


def textual() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import textual.app"], check=True)
    return time.perf_counter() - started


def prompt() -> float:
    """Seconds until the prompt is drawn; raises AssertionError where it is not within 30."""
    started = time.perf_counter()
    words = [sys.executable, "-m", "torchwhy", "chat", "--lang", "en"]
    with Terminal(words, ".", {**os.environ, "TERM": "xterm-256color"}, (40, 120)) as terminal:
        terminal.wait_for(PROMPT, 30)
        return time.perf_counter() - started


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    textual(), prompt()
    pairs = [
        (textual(), prompt()) for _ in range(runs)
    ]  # in turn, so that a machine whose speed drifts treats both alike
    base, mine = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(
        f"import textual.app  {base * 1000:6.0f} ms\nthe chat's prompt   {mine * 1000:6.0f} ms   {mine / base:.2f} times"
    )


if __name__ == "__main__":
    main()
