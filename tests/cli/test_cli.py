"""The command line as a user meets it: each test runs the real program in a process of its own."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import KB, ROOT, Run, write_entry
from torchwhy.cli.arguments import parse_line
from torchwhy.cli.main import main
from torchwhy.commands.ask import what_to_type
from torchwhy.errors import UsageError
from torchwhy.extend import COMMANDS

TWICE = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."
SHOWN = ("list", "show backward-twice", f"'{TWICE}'")


def test_a_message_as_an_argument(torchwhy: Run) -> None:
    done = torchwhy(TWICE)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) <= 14
    for part in ("an earlier backward() has freed", "Change", "sure (", "torchwhy show backward-twice"):
        assert part in done.stdout
    assert "torchwhy confirm backward-twice" in done.stdout
    assert done.stderr == ""


def test_the_whole_page(torchwhy: Run) -> None:
    done = torchwhy("--full", TWICE)
    assert done.returncode == 0
    assert done.stdout.startswith("# ") and "**backward-twice**" in done.stdout
    for heading in (
        "## Why",
        "## Fix",
        "## How to check it",
        "## Evidence",
        "## Sources",
        "## Prove it here",
        "torchwhy confirm backward-twice",
    ):
        assert heading in done.stdout
    assert done.stderr == ""


def test_standard_input(torchwhy: Run) -> None:
    done = torchwhy(
        stdin=f'epoch 1\nTraceback (most recent call last):\n  File "train.py", line 3, in <module>\n    loss.backward()\n{TWICE}\n'
    )
    assert done.returncode == 0 and "torchwhy show backward-twice" in done.stdout
    assert done.stdout.startswith("train.py:3 ") and "loss.backward()" in done.stdout.splitlines()[0]


def test_a_file_alone_is_read(torchwhy: Run, tmp_path: Path) -> None:
    """As with -f, also a large one; a name that is no path stays a question."""
    (tmp_path / "gan.log").write_text(TWICE)
    (tmp_path / "runs").write_text(f"{'epoch 1, loss 0.5' * 100}\n" * 4_000 + f"{TWICE}\n")
    for name in ("gan.log", "runs"):
        assert torchwhy(name).stdout == torchwhy("--file", str(tmp_path / name)).stdout != ""
    assert "show backward-twice" in torchwhy("runs").stdout
    assert json.loads(torchwhy("--json", "gan.log").stdout)["match"]["id"] == "backward-twice"
    assert torchwhy("other").returncode == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["train.py"],
            "train.py is a program: did you mean `torchwhy run train.py`? (`torchwhy check train.py`",
        ),
        (["train.py", "--lr", "3"], "did you mean `torchwhy run train.py --lr 3`?"),
        (["other.log"], "other.log: no such file"),
        (["a.ipynb"], "a.ipynb is a program: did you mean `torchwhy check a.ipynb`?"),
        (["logs"], "logs is a folder: give one log of it, or `torchwhy triage logs`"),
        (["report", "logs"], "logs is a folder"),
        (["-f", "logs"], "logs is a folder"),
        (["model.pt"], "model.pt: this is a binary file, not a log; give the text that the program printed"),
    ],
)
def test_what_is_no_log_gets_one_line(torchwhy: Run, tmp_path: Path, words: list[str], said: str) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "train.py").write_text("import torch\n")
    (tmp_path / "a.ipynb").write_text("{}")
    (tmp_path / "model.pt").write_bytes(bytes(range(256)) * 50)
    done = torchwhy(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and done.stderr.count("\n") == 1 and done.stderr.startswith("torchwhy: ")


@pytest.mark.skipif(os.name != "posix", reason="a terminal of its own")
@pytest.mark.parametrize("name", ["xterm", "dumb"])
def test_no_terminal_shows_markdown_as_it_is_written(tmp_path: Path, name: str) -> None:
    from tests.support.terminal import Terminal, environment

    words = [sys.executable, "-m", "torchwhy", "--lang", "en", "--full", TWICE]
    with Terminal(words, str(tmp_path), {**environment(), "TERM": name, "PAGER": "cat"}) as terminal:
        assert terminal.finish() == 0
    assert b"Fix" in terminal.seen and b"backward-twice" in terminal.seen
    assert not any(mark in terminal.seen for mark in (b"## ", b"**", b"```"))


def test_languages(torchwhy: Run) -> None:
    assert "## 原因" in torchwhy("--lang", "zh", "--full", TWICE).stdout
    assert "改法" in torchwhy(f"训练第二步就报错：{TWICE}").stdout
    assert "Change" in torchwhy("--lang", "en", f"训练第二步就报错：{TWICE}").stdout
    assert "改法" in torchwhy(TWICE, env={"LANG": "zh_CN.UTF-8", "LC_ALL": "zh_CN.UTF-8"}).stdout


def test_nothing_fits(torchwhy: Run) -> None:
    done = torchwhy("npm ERR! missing script: build")
    assert done.returncode == 1
    assert "not something I know" in done.stdout


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        ([], "", "the text is empty"),
        ([], "   \n \n", "the text is empty"),
        (["-f", "no-such-file"], "", "no-such-file: cannot be read (No such file or directory)"),
        ([], bytes(range(256)) * 50, "binary file"),
        (["--lang", "fr", "x"], "", "invalid choice"),
        (["show", "no-such-entry"], "", "no-such-entry: no such entry"),
        (["show", "backward-twise"], "", "did you mean backward-twice"),
        (["confirm"], "", "give an entry's ID"),
        (["confirm", "backward-twice", "--python", "/no/such"], "", "no such program"),
        (["--kb", "/no/such/folder", "x"], "", "no such knowledge base folder"),
        (["eval", "no-such-file"], "", "cannot be read"),
        (["list", "--category", "nope"], "", "categories: "),
        (["-f", "x", "and", "words"], "", "not both"),
        (["show"], "", "(torchwhy show --help)"),
        (["show", "x", "--no-such-option"], "", "(torchwhy show --help)"),
        (["kb"], "", "(torchwhy kb --help)"),
        (["kb", "check", "--no-such-option"], "", "(torchwhy kb check --help)"),
        (["kb", "new", "-x"], "", "(torchwhy kb new --help)"),
        (["--no-such-option", "x"], "", "(torchwhy --help)"),
        (["machine", "--model", "x"], "", "unrecognized arguments: --model x (torchwhy machine --help)"),
        (["list", "--no-vectors"], "", "(torchwhy list --help)"),
    ],
)
def test_bad_input_gets_one_clear_line(
    torchwhy: Run, words: list[str], stdin: str | bytes, said: str
) -> None:
    done = torchwhy(*words, stdin=stdin)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and done.stderr.count("\n") == 1 and done.stderr.startswith("torchwhy: ")


def test_odd_text_gets_an_answer_and_harms_nothing(torchwhy: Run) -> None:
    hostile = f"[/red] [bold] \x1b[31m{TWICE}\x1b[0m \x1b]0;owned\x07 \x1b]8;;http://x\x07 \u202eevil \udcff".encode(
        "utf-8", "surrogatepass"
    )
    done = torchwhy(stdin=hostile)
    assert done.returncode == 0 and "show backward-twice" in done.stdout
    assert not {"\x1b", "\x07", "\u202e"} & set(done.stdout)


def test_a_word_is_a_command_only_when_the_whole_line_is_one() -> None:
    assert parse_line(["index"])[0] == "index"
    assert parse_line(["index", "out", "of", "range", "in", "self"])[0] == "ask"
    assert parse_line(["show", "me", "how", "to", "clip"])[0] == "ask"
    assert parse_line(["--json", "why", "my loss is stuck"])[1].text == ["my loss is stuck"]
    assert parse_line(["explain", "my loss is stuck"])[1].text == ["my loss is stuck"]
    assert parse_line(["why", "is", "it", "slow"])[1].text == ["why", "is", "it", "slow"]
    assert parse_line(["list", "index", "out", "of", "range"])[0] == "ask"
    assert parse_line(["confirm", "some-id"])[0] == "confirm"
    assert parse_line(["RuntimeError: x"])[0] == "ask"
    assert parse_line(["lost", "gradients"])[0] == "ask"
    assert parse_line(["help", "me"])[0] == "ask"
    assert parse_line(["help", "kb", "keeps", "failing"])[0] == "ask"
    for line in (["chat", "foo"], ["show", "x", "--nope"], ["index", "error"]):
        with pytest.raises(UsageError):
            parse_line(line)
    with pytest.raises(UsageError):
        parse_line(["show"])
    with pytest.raises(UsageError):
        parse_line(["show", "x", "--no-such-option"])


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("confrim backward-twice", "confirm backward-twice"),
        ("shwo backward-twice", "show backward-twice"),
        ("reprot --json", "report --json"),
        ("vresion", "version"),
        ("ru train.py", "run train.py"),
        ("runn python train.py --lr 3", "run python train.py --lr 3"),
        ("--lang zh runn -- python -m train", "run -- python -m train"),
        ("chekc a.py --json", "check a.py --json"),
        ("watch train.py", "run --watch train.py"),
        ("lint .", "check ."),
        ("fix backward-twice", "show backward-twice"),
        ("explain no-such-entry --lang zh", "show no-such-entry --lang zh"),
        ("why gan.log", "gan.log"),
        ("fix", "show ID"),
        ("prove", "confirm ID"),
        ("watch", "run --watch train.py"),
        ("diagnose train.py", "run train.py"),
    ],
)
def test_a_slip_of_a_command_is_no_question(line: str, meant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = (os.path.dirname(sys.executable), os.environ.get("PATH", ""))  # not every system has a `python`
    monkeypatch.setenv("PATH", os.pathsep.join(folders))
    with pytest.raises(UsageError, match=f"there is no command `.*`: did you mean `torchwhy {meant}`"):
        parse_line(line.split())


@pytest.mark.parametrize(
    "line",
    [
        "slow",
        "nan",
        "lost gradients",
        "slow training",
        "runs slow on cpu",
        "run out of memory when training",
        "fix CUDA out of memory please",
        "fix loss.backward()",
        "explain nn.Linear",
        "why does train.py crash",
        "checks train.py says nan",
    ],
)
def test_a_sentence_is_a_question_whatever_its_first_word_is_near_to(line: str) -> None:
    assert parse_line(line.split())[0] == "ask"


def test_shared_options_stand_before_a_command_or_after_it() -> None:
    for words in (["--lang", "zh", "confirm", "x", "--json"], ["--json", "confirm", "x", "--lang=zh"]):
        name, args = parse_line(words)
        assert (name, args.lang, args.json, args.id) == ("confirm", "zh", True, "x")
    name, args = parse_line(["--lang", "zh", "my loss is nan"])
    assert (name, args.lang, args.text) == ("ask", "zh", ["my loss is nan"])
    assert parse_line(["list", "autograd"])[1].of == "autograd"
    name, args = parse_line(["--lang", "zh", "run", "--", "python", "train.py"])
    assert (name, args.lang, args.command) == ("run", "zh", ["python", "train.py"])


def test_a_slip_is_said_at_once(torchwhy: Run) -> None:
    done = torchwhy("confrim", "backward-twice")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no command `confrim`: did you mean `torchwhy confirm backward-twice`?" in done.stderr
    assert torchwhy("version").stdout == torchwhy("--version").stdout
    assert torchwhy("--version").stdout.startswith("torchwhy 0.")
    page = torchwhy("help").stdout
    assert page == torchwhy("--help").stdout
    assert torchwhy("help", "kb", "new").stdout.startswith("usage: torchwhy kb new ")


def test_the_users_file_is_read_only_if_he_lets_it(torchwhy: Run, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text("head = nn.Linear(2048, 10)\nout = head(x)\n")
    log = (
        'Traceback (most recent call last):\n  File "net.py", line 2, in <module>\n    out = head(x)\n'
        '  File "/e/site-packages/torch/nn/modules/linear.py", line 1, in forward\n    return F.linear(x)\n'
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (16x1568 and 2048x10)\n"
    )
    assert "+ head = nn.Linear(1568, 10)" in torchwhy(stdin=log).stdout
    assert "+ head" not in torchwhy("--no-source", stdin=log).stdout


def test_no_error_and_pythons_own_error(torchwhy: Run) -> None:
    done = torchwhy(stdin="epoch 1 loss 2.1\nepoch 2 loss 1.9\nepoch 3 loss 1.8\n")
    assert done.returncode == 1 and done.stdout.startswith("No error that I know in these 3 lines.")
    done = torchwhy("--no-vectors", "KeyError: 'learning_rate'")
    assert done.returncode == 0 and "A Python error, not a PyTorch one" in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_help_and_json(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A name of other signs than letters would be a question, and so would that of an option."""

    def page(*words: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main([*words, "--help"])
        shown = capsys.readouterr()
        assert (ended.value.code, shown.err) == (0, "") and shown.out.startswith(
            f"usage: torchwhy {' '.join(words)} "
        )
        return shown.out

    assert COMMANDS[name].HELP
    actions = ("check", "new", "facts", "tables") if name == "kb" else ()
    pages = [page(name, action) for action in actions] or [page(name)]
    without = name in ("mcp", "lsp", "completion")  # what they print is a protocol's, a shell's
    assert without or all("--json" in each for each in pages)


def test_the_first_help_fits_a_small_terminal(torchwhy: Run) -> None:
    shown = torchwhy("--help").stdout.splitlines()
    assert len(shown) <= 24 and max(map(len, shown)) < 80
    assert all(any(name in line for line in shown) for name in COMMANDS)
    options = torchwhy("help", "ask").stdout
    assert "--ask-model" in options and "--no-vectors" not in options


def test_alone_on_a_terminal_it_says_what_to_type(
    torchwhy: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path / "data"))
    assert "failed last" not in what_to_type()
    (tmp_path / "train.py").write_text("import this_is_missing", "utf-8")
    torchwhy("run", "train.py")
    shown = what_to_type().splitlines()
    assert len(shown) <= 10 and "train.py:1" in next(line for line in shown if "failed last" in line)


def test_a_question_does_not_import_the_commands() -> None:
    """Unless its first word could be one."""
    code = "from torchwhy.cli.arguments import parse_line; import sys; parse_line([{!r}]); print('torchwhy.extend' in sys.modules)"
    for text, imported in (("RuntimeError: x", "False"), ("my loss is nan", "False"), ("loss", "True")):
        done = subprocess.run(
            [sys.executable, "-c", code.format(text)], capture_output=True, text=True, cwd=ROOT, check=True
        )
        assert done.stdout.strip() == imported, text


def test_facts_as_json(torchwhy: Run) -> None:
    data = json.loads(torchwhy("kb", "facts", "--json").stdout)
    assert {"name", "en", "zh"} == set(data["facts"][0])


@pytest.mark.skipif(os.name != "posix", reason="closes descriptors by a shell")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_outputs_change_no_status(tmp_path: Path, closed: str) -> None:
    program = "import sys; print('of the program'); sys.exit(3)"
    env = {**os.environ, "PYTHONPATH": str(ROOT / "assistant"), "TORCHWHY_DATA": str(tmp_path / "data")}
    for words, status in ((["run", "--quiet", "--", sys.executable, "-c", program], 3), (["list"], 0)):
        command = shlex.join([sys.executable, "-m", "torchwhy", *words])
        done = subprocess.run(f"{command} {closed}", shell=True, env=env, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (status, "")


def test_a_broken_pipe_is_quiet(tmp_path: Path) -> None:
    done = in_shell(tmp_path, f"{sys.executable} -m torchwhy list | head -n 1")
    assert done.returncode == 0 and done.stderr == "" and done.stdout.count("\n") == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
@pytest.mark.parametrize(
    "words", [*SHOWN, *(f"{each} --json" for each in SHOWN), "completion bash", "check ."]
)
def test_a_full_disk_is_one_line(tmp_path: Path, words: str) -> None:
    done = in_shell(tmp_path, f"{sys.executable} -m torchwhy {words} >/dev/full")
    assert done.returncode == 2
    assert done.stderr.startswith("torchwhy: the output cannot be written") and done.stderr.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="a shell")
@pytest.mark.parametrize(
    "words",
    [
        "list >&-",
        "list 2>&-",
        "list <&-",
        "<&-",
        "check - <&-",
        f"'{TWICE}' >&-",
        "list <&- >&- 2>&-",
        "mcp <&-",
        "lsp <&-",
    ],
)
def test_a_stream_that_is_closed_stops_nothing(tmp_path: Path, words: str) -> None:
    done = in_shell(tmp_path, f"{sys.executable} -m torchwhy {words}")
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 2)
    assert ("backward-twice" in done.stdout) == (words in ("list 2>&-", "list <&-"))


@pytest.mark.skipif(os.name != "posix", reason="a folder that is removed under a program")
def test_a_folder_that_is_gone_is_one_line(tmp_path: Path) -> None:
    done = in_shell(tmp_path, f"mkdir gone; cd gone; rmdir ../gone; {sys.executable} -m torchwhy check .")
    assert (done.returncode, done.stderr) == (2, "torchwhy: the current folder is not there any more\n")


@pytest.mark.skipif(os.name != "posix", reason="another user's home")
@pytest.mark.parametrize("name", ["TORCHWHY_CACHE", "TORCHWHY_DATA", "TORCHWHY_KB", "TORCHWHY_MODEL"])
def test_a_user_that_nobody_is_is_one_line(tmp_path: Path, name: str) -> None:
    for words in (f"'{TWICE}'", "last", "list"):
        done = in_shell(tmp_path, f"{name}='~nobody-of-that-name/x' {sys.executable} -m torchwhy {words}")
        assert "Traceback" not in done.stderr
        assert done.stderr.count("\n") <= 1


def in_shell(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "assistant")}
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, cwd=folder, env=env, check=False
    )


def test_list_and_show_are_plain_in_a_pipe(torchwhy: Run) -> None:
    rows = torchwhy("list").stdout.splitlines()
    assert len(rows) >= 27 and all(row.count("\t") == 3 for row in rows)
    data = json.loads(torchwhy("list", "--json").stdout)
    assert (
        data["total"]
        == len(rows)
        == sum(data["counts"]["category"].values())
        == sum(data["counts"]["kind"].values())
    )
    assert (
        torchwhy("list", "--category", "autograd", "--kind", "silent").stdout.count("\tautograd\tsilent\t")
        >= 1
    )
    page = torchwhy("show", "backward-twice").stdout
    assert "\x1b" not in page and page.startswith("# ") and "backward-twice" in page
    assert json.loads(torchwhy("show", "backward-twice", "--json").stdout)["id"] == "backward-twice"


@pytest.mark.skipif(os.name != "posix", reason="a terminal of its own")
def test_a_terminal_gets_colour_and_no_color_none(tmp_path: Path) -> None:
    """On a pseudo-terminal the answer is drawn; NO_COLOR leaves the drawing and drops the colours."""
    from tests.support.terminal import Terminal, environment

    def shown(**more: str) -> str:
        env = {name: value for name, value in environment().items() if name != "NO_COLOR"}
        words = [sys.executable, "-m", "torchwhy", TWICE]
        with Terminal(words, str(tmp_path), {**env, "TERM": "xterm-256color", **more}) as terminal:
            assert terminal.finish() == 0
        return terminal.seen.decode()

    coloured, plain = shown(), shown(NO_COLOR="1")
    assert "backward-twice" in coloured and "\x1b[" in coloured
    assert "backward-twice" in plain and "\x1b[3" not in plain.replace("\x1b[3m", "")


def test_confirm_runs_both_legs_and_compares(torchwhy: Run, tmp_path: Path) -> None:
    (tmp_path / "paste.txt").write_text(TWICE)
    done = torchwhy("confirm", "backward-twice", "--paste", "paste.txt")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        "# confirmed:" in done.stdout
        and "this machine printed" in done.stdout
        and "you pasted" in done.stdout
    )
    assert "backward-twice without the fix" in done.stderr and "backward-twice with the fix" in done.stderr
    data = json.loads(torchwhy("confirm", "backward-twice", "--json").stdout)
    assert (data["verdict"], data["exit_status"]) == ("reproduces-here", 0)
    assert [leg["shows"] for leg in data["legs"]] == ["shown", "clean"]


def test_answer_and_proof_in_one_go(torchwhy: Run) -> None:
    done = torchwhy(TWICE, "--confirm", "--json")
    data = json.loads(done.stdout)
    assert (data["match"]["id"], data["confirmation"]["verdict"], done.returncode) == (
        "backward-twice",
        "confirmed",
        0,
    )


def test_a_teams_own_knowledge_base(torchwhy: Run, tmp_path: Path) -> None:
    text = (
        (KB / "_template" / "pitfall.yaml")
        .read_text("utf-8")
        .replace("Sizes of tensors must match", "Flux capacitors must match")
    )
    text = text.replace("invalid argument 0: Flux", "invalid argument 0: Flux")
    write_entry(tmp_path / "team", "flux-capacitor", yaml=text)
    paste = "RuntimeError: Flux capacitors must match except in dimension 1. Expected size 3 but got size 4 for tensor number 2 in the list."
    assert "show flux-capacitor" in torchwhy("--kb", str(tmp_path / "team"), paste).stdout
    assert "show flux-capacitor" in torchwhy(paste, env={"TORCHWHY_KB": str(tmp_path / "team")}).stdout
    assert "flux-capacitor\t" in torchwhy("list", "--kb", str(tmp_path / "team")).stdout
    assert torchwhy("kb", "check", str(tmp_path / "team"), "--only", "flux-capacitor").returncode == 0


def test_a_broken_entry_is_skipped_with_a_line(torchwhy: Run, tmp_path: Path) -> None:
    write_entry(tmp_path / "team", "broken-one", yaml="title: {en: x}\nkind: mystery\n")
    done = torchwhy("--kb", str(tmp_path / "team"), TWICE)
    assert done.returncode == 0 and "show backward-twice" in done.stdout
    assert "skipped a broken entry: shapes/broken-one/pitfall.yaml" in done.stderr
    checked = torchwhy("kb", "check", str(tmp_path / "team"), "--only", "broken-one")
    assert checked.returncode == 1
    for part in (
        "title: found",
        "kind: found 'mystery'; wanted one of error, warning, silent",
        "effect: found",
    ):
        assert part in checked.stdout
