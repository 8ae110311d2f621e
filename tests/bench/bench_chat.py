"""Time until the chat shows its prompt, as a ratio to `python -c "import textual.app"` in the same run: `python tests/bench/bench_chat.py [RUNS]`.

The real program on a pseudo-terminal; medians; asserts nothing.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time

PROMPT = b"aste an error"  # its first letter stands under the cursor, in a style of its own


def textual() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import textual.app"], check=True)
    return time.perf_counter() - started


def prompt() -> float:
    """Seconds until the prompt is drawn; raises RuntimeError where it is not within 30."""
    started = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(sys.executable, [sys.executable, "-m", "torchwhy", "chat", "--lang", "en"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    drawn = b""
    while PROMPT not in drawn and time.perf_counter() - started < 30:
        if select.select([terminal], [], [], 0.5)[0]:
            drawn += os.read(terminal, 65536)
    took = time.perf_counter() - started
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(terminal)
    if PROMPT not in drawn:
        raise RuntimeError(f"no prompt within 30 s: {drawn[-300:]!r}")
    return took


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
