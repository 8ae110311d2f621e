"""A script that did not come with torchwhy runs only after a clear yes, whoever asks for the proof."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from tests.conftest import KB, Run
from tests.support.chat_pilot import Chat, drive
from tests.support.scripts import GOOD, MESSAGE, made_up, script
from torchwhy import Assistant
from torchwhy.cli import main, output
from torchwhy.commands import repro
from torchwhy.errors import ConfirmError, NotShutInError, UntrustedScriptError
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.script_hashes import file_hash, shipped_path
from torchwhy.machine import torch_probe
from torchwhy.proof import sandbox, trust
from torchwhy.proof.confirm import confirm
from torchwhy.tui.widgets.proof import ProofView

pytestmark = pytest.mark.promise(2)

YES, MINE = trust.Consent(trust=True), trust.Consent(mine=True)
SCRIPT = script('open("{mark}", "w").close()\n' + GOOD)


@pytest.fixture(autouse=True)
def any_system(monkeypatch: pytest.MonkeyPatch, own_data: None, quick_probe: torch_probe.Probe) -> None:
    monkeypatch.setenv("TORCHWHY_RUNNER", "env")  # so that a foreign script may run on every system


def entry_of(root: Path, text: str = SCRIPT) -> Pitfall:
    return made_up(root, text)


def test_shipped_scripts_need_no_yes(real: Assistant) -> None:
    shipped = real.pitfall("backward-twice")
    assert shipped_path(shipped) and trust.is_trusted(shipped)
    assert shipped.repro and trust.permitted(shipped) == trust.Permit(file_hash(shipped.repro))


def test_a_foreign_script_wants_a_yes_that_is_remembered(tmp_path: Path) -> None:
    entry = entry_of(tmp_path / "kb")
    assert entry.repro is not None
    for _ in range(2):
        with pytest.raises(UntrustedScriptError, match=r"read it .*--trust .*trust=True"):
            trust.permitted(entry, trust.Consent())
    allowed = trust.Permit(file_hash(entry.repro), shut_in=True)
    assert trust.permitted(entry, YES) == trust.permitted(entry) == allowed
    (note,) = (tmp_path / "data/trusted").iterdir()
    assert json.loads(note.read_text()) == {"script": entry.repro, "sha256": file_hash(entry.repro)}
    if os.name == "posix":
        assert stat.S_IMODE(note.stat().st_mode) == 0o600
        assert stat.S_IMODE(note.parent.stat().st_mode) == 0o700


def test_a_yes_is_for_one_script_in_one_folder(tmp_path: Path) -> None:
    entry = entry_of(tmp_path / "kb")
    assert entry.repro is not None
    trust.permitted(entry, YES)
    assert not trust.is_trusted(entry_of(tmp_path / "elsewhere"))
    Path(entry.repro).write_text(SCRIPT + "# one more line\n")
    assert not trust.is_trusted(entry)
    Path(entry.repro).write_text(SCRIPT)
    assert trust.is_trusted(entry)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="users and modes are POSIX's")
def test_a_yes_that_another_user_may_have_planted_is_none(tmp_path: Path) -> None:
    entry = entry_of(tmp_path / "kb")
    trust.permitted(entry, YES)
    (note,) = (tmp_path / "data/trusted").iterdir()
    note.chmod(0o666)
    assert not trust.is_trusted(entry)
    note.unlink()
    (tmp_path / "theirs").write_text("")
    note.symlink_to(tmp_path / "theirs")
    assert not trust.is_trusted(entry)


def test_where_nothing_shuts_it_in_a_foreign_script_does_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a yes of earlier neither, and nothing is asked of a Python before; whoever wrote it may run it as he is."""
    entry = entry_of(tmp_path / "kb", SCRIPT.format(mark=tmp_path / "ran"))
    trust.permitted(entry, YES)
    monkeypatch.delenv("TORCHWHY_RUNNER")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(torch_probe, "probe", lambda interpreter: pytest.fail("asked"))
    for consent in (trust.NO_CONSENT, YES):
        with pytest.raises(NotShutInError, match=r"install bubblewrap .*TORCHWHY_RUNNER .*--mine"):
            trust.permitted(entry, consent)
    with pytest.raises(NotShutInError):
        confirm(entry, python=sys.executable)
    assert not (tmp_path / "ran").exists() and not trust.is_trusted(entry)
    assert entry.repro and trust.permitted(entry, MINE) == trust.Permit(file_hash(entry.repro))


@pytest.mark.skipif(os.name != "posix", reason="links are exchanged")
def test_a_link_to_a_shipped_script_gives_no_other_one_its_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = entry_of(tmp_path / "kb")
    assert entry.repro is not None
    script, shipped = Path(entry.repro), next(KB.glob("autograd/backward-twice/repro.py"))
    real = trust.read_bytes

    def read(path: Path) -> bytes:
        content = real(path)
        script.unlink()
        script.symlink_to(shipped)
        return content

    monkeypatch.setattr(trust, "read_bytes", read)
    with pytest.raises(UntrustedScriptError):
        trust.permitted(entry, trust.Consent())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs")
def test_a_pipe_in_the_place_of_a_script_holds_nothing_up(tmp_path: Path) -> None:
    entry = entry_of(tmp_path / "kb")
    assert entry.repro is not None
    os.unlink(entry.repro)
    os.mkfifo(entry.repro)
    with pytest.raises(ConfirmError, match=r"cannot be started .*FIFO"):
        confirm(entry, python=sys.executable, seconds=30, permit=trust.Permit("0" * 64))


def test_what_was_changed_between_the_yes_and_the_run_does_not_run(tmp_path: Path) -> None:
    entry = entry_of(tmp_path / "kb", SCRIPT.format(mark=tmp_path / "ran"))
    with pytest.raises(ConfirmError, match="was changed meanwhile"):
        confirm(entry, python=sys.executable, seconds=30, permit=trust.Permit("0" * 64))
    assert not (tmp_path / "ran").exists()


def test_the_api_wants_trust(tmp_path: Path, cache: Path) -> None:
    entry_of(tmp_path / "kb")
    assistant = Assistant(str(tmp_path / "kb"), vectors=False)
    assert not assistant.is_trusted("made-up") and assistant.is_trusted("backward-twice")
    with pytest.raises(UntrustedScriptError, match="trust=True"):
        assistant.confirm("made-up", python=sys.executable)
    assert assistant.confirm("made-up", python=sys.executable, trust=True).verdict == "reproduces-here"
    assert assistant.confirm("made-up", python=sys.executable).verdict == "reproduces-here"


def test_the_command_line(torchwhy: Run, tmp_path: Path) -> None:
    entry_of(tmp_path / "kb")
    words = ["--kb", "kb", "--no-vectors", "--python", sys.executable]
    done = torchwhy("confirm", "made-up", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--trust" in done.stderr and "torchwhy repro made-up" in done.stderr
    assert "Traceback" not in done.stderr and len(done.stderr.splitlines()) == 1
    assert torchwhy("confirm", "made-up", "--trust", *words).returncode == 0
    assert torchwhy("confirm", "made-up", *words).returncode == 0


def test_a_question_with_confirm_is_answered_without_a_yes(torchwhy: Run, tmp_path: Path) -> None:
    """The answer stands; what it did not run is said in a line."""
    made_up(tmp_path / "kb", SCRIPT, unlike_anything())
    for words in (["RuntimeError: " + ODD, "--confirm"], ["report", "RuntimeError: " + ODD, "--confirm"]):
        done = torchwhy(*words, "--kb", "kb", "--no-vectors", "--python", sys.executable)
        assert "made-up" in done.stdout, done.stderr
        assert "--trust" in done.stderr


ODD = MESSAGE.replace("Sizes", "Quuxes")


def unlike_anything() -> str:
    return (KB / "_template/pitfall.yaml").read_text("utf-8").replace("Sizes of tensors", "Quuxes of tensors")


def test_a_yes_is_for_the_script_that_was_shown(tmp_path: Path) -> None:
    entry = entry_of(tmp_path / "kb")
    assert entry.repro is not None
    seen = file_hash(entry.repro)
    Path(entry.repro).write_text(SCRIPT + "import evil\n")
    with pytest.raises(ConfirmError, match="changed while it was shown"):
        trust.permitted(entry, trust.Consent(trust=True, shown=seen))
    assert not trust.is_trusted(entry)
    again = file_hash(entry.repro)
    permit = trust.permitted(entry, trust.Consent(trust=True, shown=again))
    assert permit == trust.Permit(again, shut_in=True)


@pytest.mark.parametrize(
    "head",
    [
        b"# coding: unicode_escape \xff\n",  # a byte that is no UTF-8 beside the name of the encoding
        b"\r# coding: unicode_escape\r",  # a line that ends as Python ends lines, and not every reader
        b"# \n# coding: no-such-encoding\n",
        b"x = 1  # \x00\n",  # behind which older Pythons read nothing of the line
    ],
    ids=["no UTF-8", "carriage return", "unknown", "NUL"],
)
def test_no_script_hides_in_what_encoding_it_is_read(tmp_path: Path, head: bytes) -> None:
    r"""Behind the first two heads Python runs the comment's second line, which nobody was shown as one."""
    entry = entry_of(tmp_path / "kb")
    assert entry.repro is not None
    hidden = b'# harmless \\x0aopen("ran", "w")\n'
    Path(entry.repro).write_bytes(head + hidden + SCRIPT.encode())
    with pytest.raises(ConfirmError, match="so it was not run"):
        trust.permitted(entry, YES)
    assert not trust.is_trusted(entry)


def test_a_script_on_a_terminal_hides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hiding = 'x = "\x1b]"; evil()  # \x07"\r# harmless\nevil() #\x1b[2K\u202e\tx\n'
    entry = entry_of(tmp_path / "kb", SCRIPT + hiding)
    monkeypatch.setattr(output, "on_terminal", lambda: True)
    monkeypatch.setattr(repro, "on_terminal", lambda: True)
    assert main(["repro", entry.id, "--kb", str(tmp_path / "kb")]) == 0
    shown = capsys.readouterr().out
    assert '; evil()  # \\x07"\n# harmless' in shown and "evil() #\\x1b[2K\\u202e" in shown
    assert not any(each in shown for each in "\x1b\r\u202e\x07")


def test_the_chat_runs_no_script_without_a_yes(tmp_path: Path, cache: Path) -> None:
    entry_of(tmp_path / "kb", SCRIPT.format(mark=tmp_path / "ran"))
    assistant = Assistant(str(tmp_path / "kb"), vectors=False)

    async def script(chat: Chat) -> None:
        await chat.say("made-up")
        await chat.pilot.press("f5")
        await chat.until(lambda: chat.screen.query(ProofView))
        await chat.until(lambda: chat.screen.proof is None)
        view = chat.screen.query_one(ProofView)
        await chat.until(lambda: "--trust" in view.status)

    drive(script, assistant)
    assert not (tmp_path / "ran").exists() and not assistant.is_trusted("made-up")


def test_the_chat_does_not_ask_where_nothing_shuts_it_in(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry_of(tmp_path / "kb", SCRIPT.format(mark=tmp_path / "ran"))
    assistant = Assistant(str(tmp_path / "kb"), vectors=False)
    monkeypatch.delenv("TORCHWHY_RUNNER")
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: None)

    async def script(chat: Chat) -> None:
        await chat.say("made-up")
        await chat.pilot.press("f5")
        await chat.until(lambda: chat.screen.query(ProofView))
        await chat.until(lambda: chat.screen.proof is None)
        view = chat.screen.query_one(ProofView)
        await chat.until(lambda: "TORCHWHY_RUNNER" in view.status)

    drive(script, assistant)
    assert not (tmp_path / "ran").exists()
