"""`torchwhy chat --web` as a process of its own, for the tests and the tool that draws pictures."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from tests.conftest import ROOT

PROMPT = "an error, or ask"  # the cursor stands on the letters before


class Serving:
    """`torchwhy chat --web` as a process of its own."""

    def __init__(self, folder: Path, *words: str, stdin: str | None = None) -> None:
        env = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "LINES": "11",
            "COLUMNS": "33",
            "TORCHWHY_DATA": str(folder / "data"),
        }  # another terminal's size
        env.pop("NO_COLOR", None)
        command = [
            sys.executable,
            "-m",
            "assistant",
            "chat",
            "--web",
            "--port",
            "0",
            "--no-vectors",
            "--lang",
            "en",
            *words,
        ]
        given = subprocess.DEVNULL if stdin is None else subprocess.PIPE
        self.errors = folder / "errors.txt"
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                command, stdin=given, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=folder, env=env
            )
        if stdin is not None:
            assert self.process.stdin is not None
            self.process.stdin.write(stdin)
            self.process.stdin.close()
            self.process.stdin = None
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url, self.errors.read_text()

    @property
    def origin(self) -> str:
        return "http://" + urlsplit(self.url).netloc

    @property
    def tabs(self) -> list[int]:
        """The processes of the tabs that are open (Linux)."""
        return [
            int(pid)
            for pid in Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        ]

    def end(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(30)

    def __enter__(self) -> Serving:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)
