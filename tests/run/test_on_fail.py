"""`run --on-fail`: what a command hears of a failure, and that nothing of it touches the run's own outcome."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run

SHAPES = """
import torch
customer_krakatau = "x"
layer = torch.nn.Linear(400, 10)
layer(torch.randn(32, 84))
"""
OWN = "raise ValueError('no contract for krakatau, token hf_' + 'aB3d' * 9)"


@pytest.fixture
def run(torchwhy: Run, tmp_path: Path) -> Run:
    """Run `torchwhy run` in a folder of its own, with data of its own."""
    own = {"TORCHWHY_DATA": str(tmp_path / "data"), "TORCHWHY_LANG": "en", "VIRTUAL_ENV": sys.prefix}
    return lambda *words, **more: torchwhy("run", *words, stdin=None, env=own | more)


def test_the_command_gets_the_answer(run: Run, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SHAPES)
    done = run("--on-fail", "cat > told.json; echo heard", "train.py")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.rstrip().endswith("heard")
    told = json.loads((tmp_path / "told.json").read_text())
    assert (told["match"]["id"], told["status"]) == ("matmul-shape-mismatch", 1)
    assert "layer(torch.randn(32, 84))" in told["text"] and "in_features" in told["match"]["says"][0]
    assert told["command"][-1] == "train.py"


def test_what_is_told_holds_no_word_that_may_be_secret(run: Run, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(OWN)
    done = run("--quiet", "--on-fail", "cat > told.json", "train.py", "--name", "krakatau")
    assert done.returncode == 1
    assert "krakatau" not in (tmp_path / "told.json").read_text()
    run("--quiet", "--full-text", "--on-fail", "cat > told.json", "train.py")
    whole = (tmp_path / "told.json").read_text()
    assert "no contract for krakatau" in whole and "aB3daB3d" not in whole


def test_a_failure_without_an_answer_is_told_and_a_success_is_not(run: Run, tmp_path: Path) -> None:
    assert run("--on-fail", "cat > told.json", "--", "true").returncode == 0
    assert not (tmp_path / "told.json").exists()
    assert run("--on-fail", "cat > told.json", "--", "sh", "-c", "exit 5").returncode == 5
    told = json.loads((tmp_path / "told.json").read_text())
    assert told["status"] == 5 and "exit status 5" in told["text"]


def told_of_it(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The lines about the command, which nothing else of it may stand beside; a first use builds vectors."""
    lines = done.stderr.splitlines()
    told = [line for line in lines if line.startswith("torchwhy: --on-fail: ")]
    assert all(line in told or "embedding passages" in line for line in lines)
    return told


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-command-here", r"exit status 127: .*no-such-command-here: (?:command )?not found"),
        ("echo the hook is down >&2; exit 3", "exit status 3: the hook is down"),
    ],
)
def test_a_command_that_fails_costs_one_line(run: Run, command: str, said: str) -> None:
    done = run("--quiet", "--on-fail", command, "--", "sh", "-c", "exit 5")
    assert done.returncode == 5
    (line,) = told_of_it(done)
    assert re.fullmatch(rf"torchwhy: --on-fail: {said}", line)


def test_a_command_that_hangs_is_ended_with_all_that_it_started(run: Run, tmp_path: Path) -> None:
    begun = time.monotonic()
    done = run("--quiet", "--on-fail", "sleep 77.25 & echo $! > pid; wait", "--", "sh", "-c", "exit 5")
    assert done.returncode == 5 and time.monotonic() - begun < 40
    assert told_of_it(done) == ["torchwhy: --on-fail: ended after 10 s"]
    pid = int((tmp_path / "pid").read_text())
    state = Path(f"/proc/{pid}/stat")
    assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("jq")), reason="the examples use curl and jq")
@pytest.mark.parametrize("name", ["SLACK", "FEISHU"])
def test_the_documents_examples_reach_a_webhook(run: Run, tmp_path: Path, name: str) -> None:
    heard: list[bytes] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = (ROOT / "docs/run.md").read_text("utf-8")
    (line,) = [line for line in page.splitlines() if "--on-fail" in line and f"${name}_WEBHOOK" in line]
    found = re.search(r"--on-fail '([^']+)'", line)
    assert found is not None
    (tmp_path / "train.py").write_text(
        "raise RuntimeError('mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)')"
    )
    address = f"http://127.0.0.1:{server.server_port}/hook"
    done = run("--on-fail", found[1], "train.py", **{f"{name}_WEBHOOK": address, "no_proxy": "*"})
    server.shutdown()
    server.server_close()
    assert done.returncode == 1 and "--on-fail" not in done.stderr
    sent = json.loads(heard[0])
    text = sent["text"] if name == "SLACK" else sent["content"]["text"]
    assert "cannot be multiplied" in text and (name == "SLACK" or sent["msg_type"] == "text")


@pytest.mark.parametrize(
    ("option", "example"), [("json", "out.json"), ("report", "report.md"), ("html", "page.html")]
)
def test_an_option_that_took_the_program_for_its_file_says_so(
    run: Run, tmp_path: Path, option: str, example: str
) -> None:
    (tmp_path / "train.py").write_text("print('ran')")
    watch = ["--watch"] if option == "html" else []
    done = run(*watch, f"--{option}", "python3", "train.py")
    line = f"torchwhy run --{option} {example} python3 train.py"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"torchwhy: --{option} wants a file first: {line}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["train.py"]
    done = run(*watch, f"--{option}", "train.py")
    assert done.returncode == 2 and "wants a file first" in done.stderr
