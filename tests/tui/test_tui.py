"""The chat, by its keys: the real app on the real knowledge base, and once the real program in a real terminal."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input as TextInput
from textual.widgets import Markdown, OptionList, Static

from tests.conftest import ROOT, Run
from tests.support.chat_pilot import OOM, TRACE, TWICE, Chat, drive, shown
from torchwhy import Assistant
from torchwhy.chat.history import History
from torchwhy.knowledge import files
from torchwhy.tui.screens.browse import BrowseScreen
from torchwhy.tui.screens.help import HelpScreen
from torchwhy.tui.screens.sessions import SessionsScreen
from torchwhy.tui.state import ChatOptions
from torchwhy.tui.widgets.candidates import Candidates
from torchwhy.tui.widgets.proof import ProofView
from torchwhy.tui.widgets.thread import Greeting, Said, ThreadView

pytestmark = pytest.mark.usefixtures("own_data")

SIZES = [(80, 24), (120, 40), (200, 50)]


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_paste_ask_and_follow_up(real: Assistant, size: tuple[int, int], theme: str) -> None:
    async def script(chat: Chat) -> None:
        chat.app.theme = theme
        view = await chat.say(TRACE)
        assert (
            view.answer is not None
            and view.answer.match is not None
            and view.answer.match.id == "backward-twice"
        )
        kinds = [section.section.kind for section in view.query("SectionView").results()]  # type: ignore[attr-defined]
        assert kinds[0] == "title" and {"why", "fix", "check", "prove"} <= set(kinds)
        await chat.type("why?")
        await chat.pilot.press("enter")
        await chat.until(lambda: len(chat.answers) == 2)
        reply = chat.answers[-1].answer.reply  # type: ignore[union-attr]
        assert reply is not None and reply.intent == "why" and "**backward-twice**" in reply.markdown
        said = list(chat.screen.query(Said))[-1]
        assert said.region.y >= 1 and said.region.bottom <= size[1] - 3, "the question is on screen"
        assert chat.screen.composer.region.bottom == size[1] - 1 and chat.screen.composer.input.has_focus
        assert chat.app.export_screenshot().startswith("<svg")

    drive(script, real, size)


def test_lines_and_pastes(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        composer = chat.screen.composer
        await chat.type("one")
        await chat.pilot.press("ctrl+j")
        await chat.type("two")
        await chat.pilot.press("shift+enter")
        assert composer.input.text == "one\ntwo\n" and not list(chat.screen.query(Said))
        composer.input.text = ""
        await chat.paste("line\r\n" * 200 + "\r" + TRACE)
        attached = chat.screen.query_one("#attached", Static)
        assert composer.input.text == "" and attached.display and "205 lines" in shown(attached)
        await chat.pilot.press("backspace")
        assert not attached.display and composer.attached == ""
        await chat.paste("step 1 loss 0.5\n" * 70_000 + TRACE)
        await chat.type("help")
        await chat.pilot.press("enter")
        await chat.until(lambda: chat.answers)
        said = chat.screen.query_one(Said)
        assert said.lines > 70_000 and shown(said).count("\n") <= 2, "one folded block"
        assert chat.answers[0].answer.match.id == "backward-twice"  # type: ignore[union-attr]
        said.focus()
        await chat.pilot.press("enter")
        assert 100 < shown(said).count("\n") < 500

    drive(script, real)


@pytest.mark.parametrize("lines", [0, 2000], ids=["short", "large"])
@pytest.mark.parametrize("where", ["no focus yet", "candidates"])
def test_a_paste_reaches_the_input_from_anywhere(real: Assistant, where: str, lines: int) -> None:
    """With Enter right behind it: a program that types does not wait, and a browser's tab begins without focus."""

    async def script(chat: Chat) -> None:
        if where == "candidates":
            await chat.pilot.press("f3")
            assert not chat.screen.composer.input.has_focus
        else:
            chat.app.post_message(events.AppBlur())
        chat.app.post_message(events.Paste("step 1 loss 0.5\n" * lines + TWICE))
        if where == "candidates":  # Enter is the list's own until the paste has taken the focus
            await chat.until(lambda: chat.screen.composer.input.has_focus)
        chat.app.post_message(events.Key("enter", "\r"))
        await chat.until(lambda: chat.answers)
        assert chat.answers[0].answer.match.id == "backward-twice"  # type: ignore[union-attr]

    drive(script, real)


def test_hostile_text_is_literal(real: Assistant) -> None:
    hostile = (
        "[bold red]x[/] [link='http://evil']y[/link] [/nothing] \x1b[31mred\x1b[0m \u202egnp.exe \x07 "
        + "z" * 9000
        + f"\n[b]{TWICE}"
    )

    async def script(chat: Chat) -> None:
        view = await chat.say(hostile)
        text = shown(chat.screen.query_one(Said))
        view_text = view.markdown
        chat.screen.query_one(Said).folded = False
        text += shown(chat.screen.query_one(Said))
        assert "[bold red]x[/]" in text and "[link='http://evil']" in text
        for odd in ("\x1b", "\u202e", "\x07"):
            assert odd not in text and odd not in view_text
        chat.app.say_error(RuntimeError("[bold]no markup[/] [/oops]"))
        chat.app.tell("ui_copied", what="[/x]")
        await chat.pilot.pause()
        assert any("[/oops]" in note for note in chat.notes)

    drive(script, real)


def test_candidates_change_the_answer(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        view = await chat.say(OOM)
        first = view.answer.match.id  # type: ignore[union-attr]
        await chat.pilot.press("f3")
        panel = chat.screen.query_one(Candidates)
        assert (
            panel.display
            and panel.query_one(OptionList).has_focus
            and panel.query_one(OptionList).option_count >= 2
        )
        await chat.pilot.press("down")
        await chat.until(lambda: view.answer.match.id != first)  # type: ignore[union-attr]
        second = view.answer.match.id  # type: ignore[union-attr]
        assert second == panel.answer.candidates[1].id and len(chat.answers) == 1  # type: ignore[union-attr]
        await chat.until(
            lambda: any(second in title.section.body for title in view.query("SectionView").results())
        )  # type: ignore[attr-defined]
        await chat.pilot.press("up")
        await chat.until(lambda: view.answer.match.id == first)  # type: ignore[union-attr]
        await chat.pilot.press("escape")
        assert chat.screen.composer.input.has_focus

    drive(script, real, (80, 24))


@pytest.mark.parametrize("key", ["escape", "enter", "f3"])
def test_a_look_at_a_candidate_is_left_or_kept(real: Assistant, key: str) -> None:
    """Esc brings back the answer and what follow-ups speak of; Enter and F3 stay with the one that was looked at."""

    async def script(chat: Chat) -> None:
        view = await chat.say(OOM)
        answer = view.answer
        first = answer.match.id  # type: ignore[union-attr]
        await chat.pilot.press("f3")
        await chat.pilot.press("down")
        await chat.until(lambda: view.answer.match.id != first)  # type: ignore[union-attr]
        await chat.pilot.press(key)
        await chat.until(lambda: chat.screen.composer.input.has_focus)
        if key == "escape":
            await chat.until(lambda: view.answer is answer)
        conversation = chat.screen.session.conversation
        assert conversation is not None and conversation.focus is not None
        assert (conversation.focus.id == first) is (key == "escape")
        assert (view.answer.match.id == first) is (key == "escape")  # type: ignore[union-attr]
        assert not chat.screen.query_one(Candidates).display

    drive(script, real, (80, 24))


def test_two_that_cannot_be_told_apart(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        view = await chat.say("CUDA error somewhere, memory maybe, not sure, the loss line")
        assert view.answer is not None and view.answer.match is None and len(view.answer.candidates) > 1
        await chat.pilot.press("f3")
        await chat.until(lambda: chat.screen.query_one("#candidates-detail Markdown", Markdown).source)
        text = chat.screen.query_one("#candidates-detail Markdown", Markdown).source
        first, second = view.answer.candidates[:2]
        assert (
            "How to tell the first two apart" in text
            and f"**{first.id}**:" in text
            and f"**{second.id}**:" in text
        )

    drive(script, real)


def test_copying(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        await chat.pilot.press("f6")
        assert "Nothing to copy yet" in chat.notes
        view = await chat.say(TWICE)
        entry = real.pitfalls["backward-twice"]
        for key, text in (
            ("f6", entry.fix.en),
            ("f7", Path(str(entry.repro)).read_text("utf-8")),
            ("f8", view.markdown),
        ):
            await chat.pilot.press(key)
            assert chat.app.clipboard == text
        await chat.until(lambda: any("Copied to the clipboard: the fix" in note for note in chat.notes))

    drive(script, real)


def test_a_script_that_cannot_be_read_is_copied_as_a_notification(
    real: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(chat: Chat) -> None:
        await chat.say(TWICE)
        monkeypatch.setattr(files, "MAX_FILE_BYTES", 10)
        await chat.pilot.press("f7")
        assert any("cannot be read" in note for note in chat.notes)
        monkeypatch.undo()
        assert (await chat.say("why?")).answer is not None, "the chat goes on"

    drive(script, real)


def test_browsing(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        await chat.until(lambda: chat.screen.session.conversation)
        await chat.pilot.press("f2")
        screen = chat.app.screen
        assert isinstance(screen, BrowseScreen)
        options = screen.query_one(OptionList)
        await chat.until(
            lambda: options.option_count > len(real.pitfalls)
        )  # with the categories between them
        await chat.type("backward-tw")
        await chat.until(
            lambda: options.option_count < len(real.pitfalls) // 2 and screen.picked == "backward-twice"
        )
        page = screen.query_one("#page Markdown", Markdown)
        await chat.until(lambda: "**backward-twice**" in page.source)
        await chat.pilot.press("f7")
        await chat.until(lambda: "def fixed" in page.source)
        await chat.pilot.press("enter")
        await chat.until(lambda: chat.answers)
        assert chat.app.screen is chat.screen and chat.answers[0].answer.match.id == "backward-twice"  # type: ignore[union-attr]

    drive(script, real)


def test_language_help_and_palette(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        await chat.say(TWICE)
        await chat.pilot.press("f9")
        await chat.until(lambda: len(chat.answers) == 2)
        assert chat.app.lang == "zh" and "## 原因" in chat.answers[-1].markdown
        assert {"帮助", "浏览"} <= {
            active.binding.description for active in chat.screen.active_bindings.values()
        }
        assert chat.screen.composer.input.placeholder.startswith("粘贴")
        await chat.say("in English")
        assert chat.app.lang == "en"
        await chat.pilot.press("f1")
        assert isinstance(chat.app.screen, HelpScreen)
        await chat.until(lambda: "Ctrl+J" in chat.app.screen.query_one(Markdown).source)
        await chat.pilot.press("escape")
        titles = {command.title for command in chat.app.get_system_commands(chat.screen)}
        assert {"Browse", "Prove it", "New chat", "Copy repro"} <= titles

    drive(script, real)


def test_history_is_kept_resumed_and_deleted(
    real: Assistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHWHY_HISTORY", "full")  # follow-ups too

    async def script(chat: Chat) -> None:
        await chat.say(f"password=hunter2hunter2\n{TWICE}")
        await chat.say("why?")
        await chat.until(lambda: History().sessions() and History().sessions()[0].turns == 2)
        assert "hunter2" not in History().page(1)
        await chat.pilot.press("ctrl+n")
        await chat.until(lambda: not chat.answers)
        await chat.say(OOM)
        await chat.until(lambda: len(History().sessions()) == 2)
        await chat.pilot.press("f4")
        screen = chat.app.screen
        assert isinstance(screen, SessionsScreen)
        screen.query_one(TextInput).value = "graph"
        await chat.until(lambda: screen.query_one(OptionList).option_count == 1 and screen.picked)
        await chat.pilot.press("enter")
        await chat.until(lambda: len(chat.answers) == 2 and chat.screen.session.record.number == 1)
        assert chat.screen.session.conversation.focus.id == "backward-twice"  # type: ignore[union-attr]
        await chat.say("how do I fix it?")
        await chat.until(lambda: len(History().turns(1)) == 3)
        await chat.pilot.press("f4")
        await chat.until(lambda: chat.app.screen.query_one(OptionList).option_count == 2)
        await chat.pilot.press("down", "ctrl+d")
        await chat.until(lambda: len(History().sessions()) == 1)

    drive(script, real)


def test_history_off(real: Assistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHWHY_HISTORY", "off")

    async def script(chat: Chat) -> None:
        await chat.say(TWICE)
        await chat.pilot.press("f4")
        assert any("TORCHWHY_HISTORY=off" in note for note in chat.notes)

    drive(script, real)
    assert not (tmp_path / "data").exists()


def test_an_error_in_a_worker_is_a_notification(real: Assistant, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")

    async def script(chat: Chat) -> None:
        await chat.say(TWICE)
        await chat.until(lambda: any("cannot be used" in note for note in chat.notes))
        assert (await chat.say("why?")).answer is not None, "the chat goes on"

    drive(script, real)


def test_a_knowledge_base_that_cannot_be_opened() -> None:
    async def script(chat: Chat) -> None:
        await chat.until(lambda: any("no such knowledge base folder" in note for note in chat.notes))
        assert "cannot be opened" in chat.app.status

    drive(script, lambda: Assistant("/no/such/folder", vectors=False))


def test_piped_text_is_already_in_it(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        await chat.until(lambda: chat.answers)
        assert chat.answers[0].answer.match.id == "backward-twice"  # type: ignore[union-attr]

    drive(script, real, options=ChatOptions(piped=io.BytesIO(TRACE.encode())))


def test_a_proof_runs_and_can_be_cancelled(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        await chat.pilot.press("f5")
        assert any("Nothing to prove yet" in note for note in chat.notes)
        await chat.say(TRACE)
        await chat.say("prove it")
        view = chat.screen.query_one(ProofView)
        await chat.until(lambda: view.leg == "broken", 120)
        assert (await chat.say("why?")).answer is not None, "the chat stays alive meanwhile"
        await chat.until(lambda: view.verdict, 180)
        assert (
            "confirmed" in view.verdict
            and "you pasted" in view.verdict
            and "What the fix changes" in view.verdict
            and "a second time" in view.verdict
        )
        await chat.pilot.press("f5")
        again = list(chat.screen.query(ProofView))[-1]
        await chat.until(lambda: again.leg == "broken", 120)
        started = time.monotonic()
        await chat.pilot.press("escape")
        await chat.until(lambda: "cancelled" in again.status, 30)
        assert time.monotonic() - started < 10 and chat.screen.proof is None

    drive(script, real)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
@pytest.mark.parametrize("how", ["key", "signal"])
def test_the_real_program_in_a_terminal(tmp_path: Path, how: str) -> None:
    """A pipe into the chat, keys from the terminal, and the terminal as it was afterwards."""
    server = ["tmux", "-L", f"torchwhy-{os.getpid()}-{how}", "-f", "/dev/null"]
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "assistant"),
        "TERM": "screen-256color",
        "LINES": "24",
        "COLUMNS": "80",
    }  # another terminal's size
    env.pop("NO_COLOR", None)
    (tmp_path / "log.txt").write_text("step 1\n" * 50_000 + TRACE)
    program = f"cat {shlex.quote(str(tmp_path / 'log.txt'))} | {shlex.quote(sys.executable)} -m torchwhy chat --no-vectors --lang en; echo status $?; exec cat"

    def tmux(*words: str) -> str:
        return subprocess.run(
            [*server, *words], env=env, capture_output=True, text=True, check=True, timeout=30
        ).stdout

    def until(text: str, times: int = 1, seconds: float = 90) -> str:
        end = time.monotonic() + seconds
        while (screen := tmux("capture-pane", "-p")).count(text) < times:
            assert time.monotonic() < end, f"no {text!r} on:\n{screen}"
            time.sleep(0.1)
        return screen

    tmux("new-session", "-d", "-x", "100", "-y", "40", program)
    try:
        until("backward-twice")
        tmux("send-keys", "how do I fix it?", "Enter")
        until("from backward-twice (Fix)")
        if how == "key":
            tmux("send-keys", "C-q")
        else:
            subprocess.run(
                [
                    "pkill",
                    "-TERM",
                    "-P",
                    tmux("display", "-p", "#{pane_pid}").strip(),
                    "-f",
                    "torchwhy chat",
                ],
                check=True,
            )
        screen = until("status 0" if how == "key" else "status 143")
        assert "backward-twice" not in screen, "the screen is the shell's again"
        tmux("send-keys", "typed", "Enter")
        until("typed", times=2)  # by the terminal, which echoes again, and by cat
    finally:
        subprocess.run([*server, "kill-server"], check=False, capture_output=True)


@pytest.mark.parametrize(
    ("words", "said"), [(["chat"], "needs a terminal"), (["chat", "--json"], "has no --json")]
)
def test_without_a_terminal(torchwhy: Run, words: list[str], said: str) -> None:
    done = torchwhy(*words)
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1


def test_an_empty_screen_says_what_can_be_done(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        greeting = chat.screen.query_one(Greeting)
        thread = chat.screen.query_one(ThreadView)
        assert greeting.display and not thread.display
        for lang in ("zh", "en"):
            chat.app.lang = lang
            await chat.pilot.pause()
            text = shown(greeting)
            assert all(Greeting.example(number, lang) in text for number in Greeting.EXAMPLES)
            assert "F5" in text
        await chat.pilot.press("1", "enter")
        await chat.until(lambda: chat.answers)
        assert chat.answers[0].answer.match.id == "matmul-shape-mismatch"  # type: ignore[union-attr]
        assert thread.display and not greeting.display
        await chat.pilot.press("ctrl+n")
        await chat.until(lambda: greeting.display)
        examples = [Greeting.example(number, lang) for number in Greeting.EXAMPLES for lang in ("en", "zh")]
        assert all(real.ask(example).found for example in examples)

    drive(script, real)


def test_a_search_begins_with_the_ids_that_begin_so(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        await chat.until(lambda: chat.app.backend)
        await chat.pilot.press("f2")
        await chat.until(lambda: isinstance(chat.app.screen, BrowseScreen))
        screen = chat.app.screen
        assert isinstance(screen, BrowseScreen)
        ids = [option.id or "" for option in screen.find("nan")]
        begins = [id.startswith("nan") for id in ids]
        assert begins[0] and not begins[-1]
        assert begins == sorted(begins, reverse=True)

    drive(script, real)
