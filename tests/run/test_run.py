"""`torchwhy run` from outside: the answer, what it writes, what it keeps, and the answer again."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run, follows_schema
from tests.support.terminal import environment
from torchwhy.api import Assistant
from torchwhy.cli.main import main
from torchwhy.run import endings, last
from torchwhy.run.last import Failure

SHAPES = """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(400, 10)
    def forward(self, x):
        return self.fc(x)
Net()(torch.randn(32, 84))
"""
SAYS_SHAPES = "raise RuntimeError('mat1 and mat2 shapes cannot be multiplied (32x84 and 400x10)')"
SAYS_TWICE = "raise RuntimeError('Trying to backward through the graph a second time')"
HANGS = """
import time
print("up", flush=True)
def waits_here():
    time.sleep(6)
waits_here()
"""


@pytest.fixture
def run(torchwhy: Run, tmp_path: Path) -> Run:
    """Run `torchwhy` in a folder of its own, with data of its own."""
    (tmp_path / "data").mkdir()
    own = {"TORCHWHY_DATA": str(tmp_path / "data"), "TORCHWHY_LANG": "en", "VIRTUAL_ENV": sys.prefix}
    return lambda *words, env=None: torchwhy(*words, stdin=None, env=own | (env or {}))


def write(folder: Path, source: str, name: str = "train.py") -> None:
    (folder / name).write_text(source)


def test_the_answer_follows_the_failure(run: Run, tmp_path: Path) -> None:
    write(tmp_path, SHAPES)
    words = ["train.py", "--json", "--password", "hunter2xyz"]
    done = run("run", "--json", "out.json", "--report", "report.md", "--full", *words)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("Traceback")
    page = done.stderr.partition("\n# ")[2]
    assert "matmul-shape-mismatch" in page
    assert "`train.py:9` in `Net.forward`" in page
    assert "float32[32, 84]" in page
    data = json.loads((tmp_path / "out.json").read_text())
    follows_schema(data, "answers/answer.schema.json")
    assert (data["match"]["id"], data["status"]) == ("matmul-shape-mismatch", 1)
    assert data["command"][1:] == ["train.py", "--json", "--password", "<redacted>"]
    here = data["here"]
    assert (os.path.basename(here["file"]), here["line"], here["function"].rpartition(".")[2]) == (
        "train.py",
        9,
        "forward",
    )
    assert here["code"] == "return self.fc(x)"
    assert {item["name"] for item in here["operands"]} >= {"self.fc", "x", "self.fc.weight"}
    assert "float32[32, 84]" in (tmp_path / "report.md").read_text()


def test_the_json_of_a_run_has_no_secret_of_its_message_and_is_private(run: Run, tmp_path: Path) -> None:
    write(tmp_path, "raise RuntimeError('no login for hub, password: Tulip99Garden, by hf_' + 'aB3d' * 9)")
    (tmp_path / "out.json").write_text("")
    (tmp_path / "out.json").chmod(0o644)
    run("run", "--quiet", "--json", "out.json", "train.py")
    text = (tmp_path / "out.json").read_text()
    assert "no login for hub" in text and "Tulip99" not in text and "aB3daB3d" not in text
    if os.name == "posix":
        assert (tmp_path / "out.json").stat().st_mode & 0o777 == 0o600


def test_in_chinese(run: Run, tmp_path: Path) -> None:
    write(tmp_path, SAYS_SHAPES)
    done = run("run", "--full", "train.py", env={"TORCHWHY_LANG": "zh"})
    assert "## 出错的位置" in done.stderr


def test_success_prints_nothing(run: Run, tmp_path: Path) -> None:
    write(tmp_path, "print('fine')")
    done = run("run", "--json", "out.json", "train.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "fine\n", "")
    data = json.loads((tmp_path / "out.json").read_text())
    follows_schema(data, "answers/answer.schema.json")
    assert (data["status"], data["since"]) == (0, None)


def test_a_status_without_a_word(run: Run, tmp_path: Path) -> None:
    done = run("run", "--json", "out.json", "--", "bash", "-c", "exit 5")
    assert done.returncode == 5
    follows_schema(json.loads((tmp_path / "out.json").read_text()), "answers/answer.schema.json")
    assert (
        done.stderr == "torchwhy: bash ended with exit status 5, and printed no error that can be looked up\n"
        "its standard output was not read; to read both: COMMAND 2>&1 | torchwhy\n"
    )


def test_what_another_program_prints_is_answered_without_a_traceback(run: Run, tmp_path: Path) -> None:
    """Neither a traceback nor a line of the user's: what pip says is recognised, and the first screen shown."""
    said = "ERROR: No matching distribution found for torch==1.8.1"
    done = run("run", "--json", "out.json", "--", "bash", "-c", f"echo '{said}' >&2; exit 1")
    assert done.returncode == 1
    data = json.loads((tmp_path / "out.json").read_text())
    follows_schema(data, "answers/answer.schema.json")
    assert data["match"]["id"] == "no-matching-torch-wheel" and data["here"] is None
    assert "torchwhy show no-matching-torch-wheel" in done.stderr


def test_in_a_folder_that_is_gone_there_is_an_answer(tmp_path: Path) -> None:
    line = f"mkdir d; cd d; rmdir ../d; {sys.executable} -m torchwhy run -- {sys.executable} -c 'raise KeyError(7)'"
    done = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, env=environment(), capture_output=True, timeout=100, check=False
    )
    assert done.returncode == 1 and b"Errno" not in done.stderr and done.stderr.count(b"KeyError") > 1


def test_gone_moved_another(run: Run, tmp_path: Path) -> None:
    def since() -> object:
        run("run", "--quiet", "--json", "out.json", "train.py")
        data = json.loads((tmp_path / "out.json").read_text())
        follows_schema(data, "answers/answer.schema.json")
        return data["since"]

    write(tmp_path, SAYS_TWICE)
    assert since() is None
    assert since() == "same"
    write(tmp_path, f"\n\n{SAYS_TWICE}")
    assert since() == "moved"
    write(tmp_path, SAYS_SHAPES)
    assert since() == "another"
    write(tmp_path, "pass")
    assert since() == "gone"
    assert since() is None


def test_last_is_the_same_screen_again(run: Run, tmp_path: Path) -> None:
    write(tmp_path, SHAPES)
    said = run("run", "train.py").stderr
    screen = run("last").stdout.partition("\n\n")[2]
    assert "nn.Linear(400, 10)" in screen and screen.strip() in said
    assert len(run("last", "--full").stdout) > 3 * len(screen)


def test_confirm_takes_the_python_of_the_run_that_failed_so(run: Run, tmp_path: Path) -> None:
    """Where no environment is active: the line that the first screen prints works as it stands."""
    write(tmp_path, SAYS_SHAPES)
    none = {"VIRTUAL_ENV": "", "CONDA_PREFIX": ""}
    screen = run("run", "--", sys.executable, "train.py", env=none).stderr
    command = screen.partition("proof on this machine: torchwhy ")[2].splitlines()[0]
    assert command == "confirm matmul-shape-mismatch"
    proof = json.loads(run(*command.split(), "--json", env=none).stdout)
    assert (proof["python"], proof["chosen"]) == (sys.executable, "python_last")
    assert proof["verdict"] == "reproduces-here"


def test_last_is_private_and_without_secrets(run: Run, tmp_path: Path) -> None:
    token = "hf_" + "abcdefghijABCDEFGHIJ1234567890abcd"
    write(tmp_path, f"import sys\nprint('HF_TOKEN={token}')\nraise RuntimeError('no access with {token}')")
    run("run", "--quiet", "train.py", f"--token={token}")
    path = tmp_path / "data" / "last-run.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert token not in path.read_text()
    shown = run("last")
    assert shown.returncode == 0
    assert "exit status 1" in shown.stdout
    assert token not in shown.stdout
    assert json.loads(run("last", "--json").stdout)["status"] == 1
    again = run("run", "--anomaly")
    assert again.returncode == 2
    assert "secrets" in again.stderr
    run("last", "--forget")
    assert run("last").returncode == 1


@pytest.mark.parametrize("before", [0, 18])
def test_no_part_of_a_secret_is_kept(before: int, run: Run, tmp_path: Path) -> None:
    """Lines that are cut for a screen, or for a record, are redacted before: half a key is not known as one."""
    tokens = " ".join(f"ghp_{number:02}{'kQ8vT2mLw9' * 3}xY7z" for number in range(12))
    url = "postgresql://optuna:kQ8vT2mLw9Xk4Rb7Nd3Fp6Hs@db/optuna"
    write(
        tmp_path,
        "import torch\n"
        f"weight = torch.zeros(5, 6)  # {'x' * before} {tokens}\n"
        f"torch.zeros(3, 4) @ weight  # {'x' * before} {url if before else tokens} {tokens}\n",
    )
    run("run", "--quiet", "--report", "report.md", "train.py")
    for name in ("data/last-run.json", "report.md"):
        text = (tmp_path / name).read_text("utf-8")
        assert "matmul-shape-mismatch" in text
        assert "kQ8v" not in text, text[text.index("kQ8v") - 100 :][:200]


@pytest.mark.parametrize(
    "words",
    [
        ["--password", "hunter2xyz"],
        ["--password", "it's my pass word"],
        ["--api-key", "Zq8vT2mLw9Xk4Rb7Nd3Fp6Hs"],
        ["--wandb_key", "0123456789abcdef0123456789abcdef01234567"],
        ["--db.password=hunter2xyz"],
        ["HF_TOKEN=Zq8vT2mLw9Xk4Rb7Nd3Fp6Hs"],
        ["curl", "-u", "bob:hunter2xyz", "x"],
        ["curl", "-u", "bob:it's my pass word", "x"],
        ["mysql", "-u", "root", "-phunter2xyz"],
    ],
)
def test_no_secret_of_a_command_is_kept(words: list[str], tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path))
    last.keep(["python", "t.py", *words], 1, None, "", {"command": ["python", "t.py", *words], "status": 1})
    text = (tmp_path / "last-run.json").read_text()
    assert not any(part in text for part in ("hunter2", "my pass", "Zq8v", "0123456789")), text
    kept = last.read()
    assert kept is not None and not kept.whole
    assert kept.command[:2] == ("python", "t.py") and tuple(kept.answer["command"]) == kept.command


def test_the_python_of_a_run_is_that_of_its_entry_alone(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path))
    assert last.python_of("grad-is-none") is None
    last.keep(["x"], 1, Failure("grad-is-none", "TypeError", "m"), "", {}, python="/env/bin/python")
    assert last.python_of("grad-is-none") == "/env/bin/python"
    assert last.python_of("nan-loss") is None
    last.keep(["x"], 1, Failure("grad-is-none", "TypeError", "m"), "", {})
    assert last.python_of("grad-is-none") is None


def test_a_command_without_secrets_is_kept_as_it_was(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path))
    command = ["python", "-c", "print('a b')", "--lr", "1e-3", "--tokenizer", "bert base", "--key", "value"]
    last.keep(command, 1, None, "", {})
    kept = last.read()
    assert kept is not None and kept.whole and list(kept.command) == command


def test_a_secret_with_digits_is_taken_out_of_the_message_that_is_compared() -> None:
    token = "hf_abCd1EfGhIj2KlMnOpQr3StUvWxYz4AbCdEf"
    answer = Assistant(vectors=False).ask(f"RuntimeError: step 7: no access with {token}")
    message = last.failure_of(answer, None).message
    assert "EfGhIj" not in message and "step #" in message


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_a_run_that_another_user_may_have_put_there_is_none(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path))
    last.keep(["python", "t.py"], 1, None, "", {})
    path = tmp_path / "last-run.json"
    assert last.read() is not None
    path.chmod(0o666)
    assert last.read() is None
    path.chmod(0o600)
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to("elsewhere.json")
    assert last.read() is None
    path.unlink()
    os.mkfifo(path)
    assert last.read() is None


def test_a_run_that_a_program_wrote_acts_on_no_terminal(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path))
    last.keep(["python", "t.py"], 1, None, "PAGE", {})
    path = tmp_path / "last-run.json"
    path.write_text(path.read_text("utf-8").replace("PAGE", r"a\u001b]0;b\u0007c"), "utf-8")
    assert main(["last"]) == 0
    shown = capsys.readouterr().out
    assert shown.endswith("ac") and shown.replace("\n", "").isprintable()


def test_last_is_off_by_a_setting(run: Run, tmp_path: Path) -> None:
    write(tmp_path, SAYS_TWICE)
    run("run", "--quiet", "train.py", env={"TORCHWHY_HISTORY": "off"})
    assert not list((tmp_path / "data").iterdir())


@pytest.mark.parametrize("output", [">log 2>&1", ">>log 2>&1"])
def test_of_one_file_for_both_outputs_both_are_read(output: str, tmp_path: Path) -> None:
    """What stood in it before is of another run; what torchwhy says itself is no error of the program's."""
    (tmp_path / "log").write_text("ValueError: of another run\n")
    said = "ERROR: No matching distribution found for torch==1.8.1"
    line = f"{sys.executable} -m torchwhy run --json out.json -- sh -c \"echo '{said}'; exit 1\" {output}"
    subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment(), timeout=100, check=False)
    data = json.loads((tmp_path / "out.json").read_text())
    assert (data["match"]["id"], data["status"]) == ("no-matching-torch-wheel", 1)
    assert (tmp_path / "log").read_text().count("of another run") == (output[1] == ">")


def test_a_native_crash_says_how_to_see_its_line(run: Run, tmp_path: Path) -> None:
    write(tmp_path, "import ctypes\ndef crashes():\n    ctypes.string_at(0)\ncrashes()")
    done = run("run", "train.py")
    assert done.returncode == -11
    assert "PYTHONFAULTHANDLER=1" in done.stderr
    done = run("run", "train.py", env={"PYTHONFAULTHANDLER": "1"})
    assert 'train.py", line 3 in crashes' in done.stderr
    assert "PYTHONFAULTHANDLER=1" not in done.stderr


def test_anomaly_names_the_line_of_the_forward_pass(run: Run, tmp_path: Path) -> None:
    write(
        tmp_path,
        "import torch\nx = torch.ones(4, requires_grad=True)\ny = torch.sigmoid(x)\ny += 1\ny.sum().backward()\n",
    )
    assert "torchwhy run --anomaly" in run("run", "train.py").stderr
    again = run("run", "--anomaly")  # the last command
    assert "train.py:3`: `y = torch.sigmoid(x)`" in again.stderr
    assert "The same error in the same place" in again.stderr


def test_blocking_sets_the_variable(run: Run, tmp_path: Path) -> None:
    write(tmp_path, "import os; print(os.environ.get('CUDA_LAUNCH_BLOCKING'))")
    assert run("run", "train.py").stdout == "None\n"
    assert run("run", "--blocking", "train.py").stdout == "1\n"


def test_a_stall_shows_where_it_waits(run: Run, tmp_path: Path) -> None:
    """What it prints meanwhile, from a thread that says that it lives, is no progress."""
    beat = "import threading\ndef beat():\n    while True: time.sleep(0.3); print('alive', flush=True)\n"
    write(tmp_path, f"import time\n{beat}threading.Thread(target=beat, daemon=True).start()\n{HANGS}")
    done = run("run", "--stall", "2", "train.py")
    assert done.returncode == 0 and "alive" in done.stdout
    assert done.stderr.count("the same lines") == 1
    assert "is at train.py:10" in done.stderr


def test_a_program_that_goes_on_stands_not_still(run: Run, tmp_path: Path) -> None:
    """Without a word."""
    write(
        tmp_path,
        "import time\nend = time.monotonic() + 4\nwhile time.monotonic() < end:\n"
        + 6 * "    time.sleep(0.1)\n",
    )
    done = run("run", "--stall", "2", "train.py")
    assert (done.returncode, done.stderr) == (0, "")


def test_where_nobody_can_be_looked_into_one_line_says_so(run: Run) -> None:
    done = run("run", "--stall", "1", "--", "sleep", "4")
    assert done.returncode == 0 and done.stderr.count("\n") == 1 and "py-spy" in done.stderr


def test_a_stall_of_a_known_kind_names_its_entry(run: Run, tmp_path: Path) -> None:
    write(
        tmp_path,
        "import time\nfrom torch.utils.data import DataLoader\nclass Slow:\n"
        "    def __len__(self):\n        return 1\n"
        "    def __getitem__(self, number):\n        time.sleep(10)\n        return number\n"
        "if __name__ == '__main__':\n    for batch in DataLoader(Slow(), num_workers=1):\n        pass",
    )
    done = run("run", "--stall", "2", "train.py")
    assert "waits in _next_data at train.py:" in done.stderr
    assert "torchwhy show dataloader-" in done.stderr
    assert "## " not in done.stderr and "**" not in done.stderr


@pytest.mark.parametrize("workers", [0, 1])
def test_a_failing_sample_is_named(run: Run, tmp_path: Path, workers: int) -> None:
    write(
        tmp_path,
        "from torch.utils.data import DataLoader\nclass Items:\n"
        "    def __len__(self):\n        return 9\n"
        "    def __getitem__(self, number):\n        return {1: 2}[1 if number != 7 else 3]\n"
        f"if __name__ == '__main__':\n    list(DataLoader(Items(), batch_size=4, num_workers={workers}))\n",
    )
    done = run("run", "--json", "out.json", "train.py")
    assert "while reading sample 7" in done.stderr
    assert json.loads((tmp_path / "out.json").read_text())["here"]["sample"] == 7


@pytest.mark.skipif(shutil.which("py-spy") is None, reason="py-spy is not installed")
def test_py_spy_looks_where_no_hook_is(run: Run, tmp_path: Path) -> None:
    """Python's -I takes no hook in; the thread's name and the native frames are py-spy's."""
    write(tmp_path, HANGS)
    done = run("run", "--stall", "2", "--", sys.executable, "-I", "train.py")
    assert (done.returncode, done.stdout) == (0, "up\n")
    assert "is at train.py:5" in done.stderr
    assert 'Thread "MainThread" waits' in done.stderr and "  native " in done.stderr


@pytest.mark.skipif(not hasattr(signal, "SIGRTMIN"), reason="a signal of Linux")
def test_a_program_that_took_no_hook_in_is_sent_no_signal(run: Run, tmp_path: Path) -> None:
    """A handler of that number is its own, as those that a service in Go has for every signal."""
    write(
        tmp_path,
        "import os, signal, time\nsignal.signal(signal.SIGRTMIN + 11, lambda *_: os._exit(9))\n"
        "time.sleep(5)\nprint('through')",
    )
    done = run("run", "--stall", "2", "--quiet", "--", sys.executable, "-I", "train.py")
    assert (done.returncode, done.stdout) == (0, "through\n"), done.stderr


def test_where_py_spy_is_refused_the_hook_tells(run: Run, tmp_path: Path) -> None:
    tool = tmp_path / "bin" / "py-spy"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\necho 'Error: Permission denied (os error 13)' >&2\nexit 1\n")
    tool.chmod(0o755)
    write(tmp_path, HANGS)
    path = os.pathsep.join((str(tool.parent), os.environ["PATH"]))
    done = run("run", "--stall", "2", "train.py", env={"PATH": path})
    assert "is at train.py:5" in done.stderr
    assert "  native " not in done.stderr


def test_a_question_that_begins_like_the_command(run: Run) -> None:
    done = run("run", "out", "of", "memory", "--no-vectors")
    assert "no such command" in done.stderr
    asked = run("run", "out", "of", "memory")
    assert "no such command" not in asked.stderr
    assert asked.returncode in (0, 1)


# --- parts ---


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (1, "exit status 1"),
        (-9, "signal SIGKILL"),
        (137, "exit status 137 (SIGKILL)"),
        *([(-35, "signal SIGRTMIN+1")] if sys.platform == "linux" else []),
    ],
)
def test_statuses_are_named(status: int, words: str) -> None:
    assert endings.status_words(status, "en") == words


def test_kills_for_memory_are_counted(tmp_path: Path) -> None:
    def make(count: int, machine: int) -> None:
        for path, text in (
            ("proc/self/cgroup", "0::/job\n"),
            ("sys/fs/cgroup/job/memory.events", f"low 0\nhigh 0\nmax 9\noom 1\noom_kill {count}\n"),
            ("proc/vmstat", f"nr_free_pages 5\noom_kill {machine}\n"),
        ):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)

    make(0, 4)
    before = endings.out_of_memory_kills(tmp_path)
    make(0, 4)
    assert endings.counted_since(before, endings.out_of_memory_kills(tmp_path)) == ""
    make(2, 6)
    assert endings.counted_since(before, endings.out_of_memory_kills(tmp_path)).endswith(
        "memory.events: oom_kill +2"
    )


def test_folders_in_folders_without_end_change_no_status(run: Run) -> None:
    """Removing the run's folder would go as deep as they do."""
    program = (
        "import os, sys\nos.chdir(os.environ['TORCHWHY_RUN_FOLDER'])\n"
        "for _ in range(3000):\n    os.mkdir('d')\n    os.chdir('d')\nsys.exit(3)\n"
    )
    done = run("run", "--", sys.executable, "-c", program)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
