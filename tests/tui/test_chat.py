"""The chat's further keys: a model's words, the machine's facts, the proof with both messages aligned; and hostile text everywhere."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt
from textual.widgets import Input as TextInput
from textual.widgets import Markdown, OptionList

from tests.support.chat_pilot import OOM, TRACE, TWICE, Chat, drive
from tests.support.llm_server import GOOD, Server, never, says, sends
from torchwhy import Assistant
from torchwhy.tui.screens.browse import BrowseScreen
from torchwhy.tui.screens.sessions import SessionsScreen
from torchwhy.tui.state import ChatOptions
from torchwhy.tui.widgets.candidates import Candidates
from torchwhy.tui.widgets.proof import ProofView
from torchwhy.tui.widgets.thread import Said

pytestmark = pytest.mark.usefixtures("own_data")

HOSTILE = "[bold red]x[/] [link='http://evil']y[/link] [/nothing] [@click=app.quit]z[/] **b** <b>h</b> [t](http://evil) \x1b[31mred\x1b[0m\x1b]8;;http://evil\x07l\x1b]8;;\x07 \u202egnp.exe\u202c \u2066\x07\x08\x9b2J"
ODD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture
def server(server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    for name, value in (("URL", server.url), ("MODEL", "tiny"), ("SECONDS", "20")):
        monkeypatch.setenv(f"TORCHWHY_LLM_{name}", value)
    return server


def screen_text(chat: Chat) -> str:
    """What stands on the terminal, cell by cell."""
    return "\n".join(strip.text for strip in chat.app.screen._compositor.render_strips())


def evil(markdown: str) -> list[str]:
    """Links and emphasis that came from hostile text, as the widget's own parser sees them."""
    found = []
    for block in MarkdownIt("gfm-like").parse(markdown):
        for token in block.children or ():
            if token.type == "link_open" and "evil" in str(token.attrs.get("href")):
                found.append(str(token.attrs["href"]))
        if block.type == "inline" and re.search(
            r"<b>h|\*\*b\*\*",
            "".join(token.content for token in block.children or () if token.type != "code_inline"),
        ):
            found.append(block.content)
    return found


def test_a_models_words_are_marked_and_the_plain_answer_is_one_key_away(
    real: Assistant, server: Server
) -> None:
    async def script(chat: Chat) -> None:
        await chat.pilot.press("ctrl+o")
        assert any("Nothing to rephrase yet" in note for note in chat.notes)
        view = await chat.say(f"password=hunter2hunter2\n{TRACE}")
        plain = view.markdown
        assert server.requests == [], "nothing is sent unasked"
        await chat.pilot.press("ctrl+o")
        await chat.until(lambda: view.in_other_words)
        assert (
            "In the words of tiny (127.0.0.1" in view.markdown
            and "Ctrl+O shows the plain answer" in view.markdown
            and GOOD in view.markdown
        )
        assert "torchwhy confirm backward-twice" in view.markdown and "## Why" not in view.markdown
        await chat.until(lambda: "In the words of tiny" in screen_text(chat))
        assert "hunter2" not in str(server.requests)
        await chat.pilot.press("ctrl+o")
        await chat.until(lambda: not view.in_other_words)
        assert view.markdown == plain and len(server.requests) == 1
        await chat.pilot.press("ctrl+o")
        await chat.until(lambda: view.in_other_words)
        assert len(server.requests) == 1, "asked once"
        follow_up = await chat.say("why?")
        await chat.pilot.press("ctrl+o")
        await chat.until(lambda: follow_up.in_other_words)
        assert "why?" in server.requests[1][2]["messages"][1]["content"]

    drive(script, real)


def test_a_model_that_fails_leaves_the_plain_answer(real: Assistant, server: Server) -> None:
    server.reply = sends(b"[bold]no[/]", 500)

    async def script(chat: Chat) -> None:
        view = await chat.say(TRACE)
        plain = view.markdown
        await chat.pilot.press("ctrl+o")
        await chat.until(
            lambda: any(
                "The plain answer stands: " in note and "HTTP 500: [bold]no[/]" in note for note in chat.notes
            )
        )
        assert view.markdown == plain and not view.in_other_words and chat.screen.writing is None
        server.reply = never(server)
        await chat.pilot.press("ctrl+o")
        await chat.until(lambda: len(server.requests) == 2 and "is writing" in screen_text(chat))
        assert (await chat.say("why?")).answer is not None, "the chat stays alive meanwhile"
        await chat.pilot.press("escape")
        await chat.until(lambda: chat.screen.writing is None)
        assert "is writing" not in screen_text(chat) and view.markdown == plain
        server.reply = says(GOOD + "\n\n" + "w" * 15_000 + "\n\n" + HOSTILE)
        await chat.pilot.press("ctrl+o")
        newest = chat.answers[-1]
        await chat.until(lambda: newest.in_other_words)
        assert not ODD.search(screen_text(chat)) and "](http://evil" not in newest.markdown

    drive(script, real)


def test_without_a_model_the_key_says_so(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        await chat.say(TRACE)
        await chat.pilot.press("ctrl+o")
        assert any("No model is configured" in note and "Nothing was sent" in note for note in chat.notes)

    drive(script, real)


def test_settings_that_cannot_be_used_are_a_notification(
    real: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHWHY_LLM_URL", "ftp://[bold]x[/]")
    monkeypatch.setenv("TORCHWHY_LLM_MODEL", "tiny")

    async def script(chat: Chat) -> None:
        await chat.say(TRACE)
        await chat.pilot.press("ctrl+o")
        assert any("TORCHWHY_LLM_URL" in note for note in chat.notes)

    drive(script, real)


def test_the_machines_facts(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        await chat.say(OOM)
        await chat.pilot.press("f11")
        await chat.until(lambda: len(chat.answers) == 2)
        reply = chat.answers[-1].answer.reply  # type: ignore[union-attr]
        assert (
            reply is not None
            and reply.intent == "machine"
            and "torch.version" in reply.markdown
            and "**cuda-out-of-memory**" in reply.markdown
        )
        view = await chat.say("are you sure?")
        assert view.answer is not None and view.answer.facts is not None

    drive(script, real)


def test_facts_for_every_diagnosis(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        view = await chat.say(OOM)
        assert (
            view.answer is not None
            and view.answer.facts is not None
            and view.answer.facts.origin == "machine"
        )
        assert "Facts of" in view.markdown

    drive(script, real, options=ChatOptions(machine=True))


def test_the_ui_does_not_wait_for_the_machine(real: Assistant, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that hangs keeps the answer waiting, never the keyboard."""
    import threading

    going, asked = threading.Event(), threading.Event()
    gather = real.machine

    def slow(**named: object) -> object:
        asked.set()
        assert going.wait(60)
        return gather(**named)  # type: ignore[arg-type]

    monkeypatch.setattr(real, "machine", slow)

    async def script(chat: Chat) -> None:
        await chat.paste(OOM)
        await chat.pilot.press("enter")
        await chat.until(asked.is_set)
        await chat.type("still typing")
        assert chat.screen.composer.input.text == "still typing" and not chat.answers
        going.set()
        await chat.until(lambda: chat.answers)

    drive(script, real, options=ChatOptions(machine=True))


def test_a_proof_shows_both_messages(real: Assistant) -> None:
    pasted = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 1024x10)"

    async def script(chat: Chat) -> None:
        await chat.say(pasted)
        await chat.pilot.press("f5")
        view = chat.screen.query_one(ProofView)
        await chat.until(lambda: view.verdict, 240)
        over, under = (line for line in view.verdict.splitlines() if "mat1 and mat2" in line)
        assert over == pasted and under.partition("(")[0] == pasted.partition("(")[0] and under != over
        assert "the same message, other numbers aside" in view.verdict
        await chat.until(lambda: "other numbers aside" in " ".join(screen_text(chat).split()), 30)
        await chat.until(lambda: chat.screen.session.conversation.facts is not None, 30)  # type: ignore[union-attr]
        assert (await chat.say("are you sure?")).answer.facts is not None  # type: ignore[union-attr]

    drive(script, real, (80, 40))


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_hostile_text_is_literal_in_every_widget(real: Assistant, size: tuple[int, int]) -> None:
    wide = "W" * 300_000
    trace = f'Traceback (most recent call last):\n  File "{HOSTILE}.py", line 3, in {HOSTILE}\n    {HOSTILE} {wide}\n{TWICE} {HOSTILE} {wide}'

    async def script(chat: Chat) -> None:
        async def look(where: str) -> str:
            await chat.pilot.pause(0.05)
            text = screen_text(chat)
            assert not ODD.search(text), where
            return text

        await chat.paste(HOSTILE)  # small enough for the editor itself
        assert "[bold red]x[/]" in await look("the editor")
        chat.screen.composer.input.text = ""
        await chat.paste(trace)
        await look("the folded paste")
        await chat.pilot.press("enter")
        await chat.until(lambda: chat.answers and not chat.screen.busy)
        await look("the answer")
        said = chat.screen.query_one(Said)
        chat.screen.thread.show(said)
        assert "Traceback (most recent call last)" in await look("the folded message")
        said.folded = False
        assert "[bold red]x[/] [link='http://evil']y[/link]" in await look("the unfolded message")
        for question in (
            "which line?",
            f"is it {HOSTILE[:60]}?",
            f"what if I use {HOSTILE[:40]}?",
            f"{HOSTILE}",
            "are you sure?",
            "check my machine",
        ):
            view = await chat.say(question)
            await look(question)
            assert not ODD.search(view.markdown)
            assert not evil(view.markdown), f"markup of the user's text: {question}"
        line = (await chat.say("which line?")).markdown
        assert max(map(len, line.splitlines())) < 1200, "an enormous line is cut"
        await chat.pilot.press("f3")
        await chat.until(lambda: chat.screen.query_one(Candidates).display)
        await look("the candidates")
        await chat.pilot.press("escape")
        proof = ProofView("backward-twice", "en")
        await chat.screen.thread.mount(proof)
        proof.hear("leg", "broken")
        for part in (HOSTILE, wide, trace):
            proof.hear("line", part)

        def on_screen() -> bool:
            chat.screen.thread.show(proof)  # again: what it shows grows as it is laid out
            return "[bold red]x[/]" in screen_text(chat)

        await chat.until(on_screen)
        await look("the live output")
        proof.finish("", f"could not be run: {HOSTILE}")
        await look("the end of the proof")
        chat.app.say_error(RuntimeError(HOSTILE + wide))
        chat.app.tell("ui_copied", what=HOSTILE)
        chat.app.status = HOSTILE
        await look("notifications and the status line")
        await chat.pilot.press("f2")
        screen = chat.app.screen
        assert isinstance(screen, BrowseScreen)
        screen.query_one(TextInput).value = HOSTILE
        await look("the search for entries")
        await chat.pilot.press("escape")
        await chat.pilot.press("f4")
        sessions = chat.app.screen
        assert isinstance(sessions, SessionsScreen)
        await chat.until(lambda: sessions.query_one(OptionList).option_count)
        await look("the list of chats")
        await chat.until(lambda: sessions.query_one(Markdown).source)
        await look("a kept chat")

    drive(script, real, size)


def test_a_verdict_with_hostile_output(real: Assistant) -> None:
    from dataclasses import replace

    from torchwhy.proof.confirmation import Confirmation, Leg
    from torchwhy.proof.verdict import confirmation_markdown

    entry = real.pitfalls["backward-twice"]
    output = "``````\n[t](http://evil)\n" + "x" * 100_000
    leg = Leg(
        "broken",
        "different",
        1,
        1.0,
        output,
        numbers={"a|b": "[t](http://evil)\n`|", "n": None},
        reason="[t](http://evil)",
    )
    shown = Confirmation(
        entry.id, "different-failure", leg.reason, (leg,), "/home/_x_/[t](http://evil)/python", "2.0"
    )
    text = confirmation_markdown(shown, entry, "en", "nothing")
    assert not evil(text) and max(map(len, text.splitlines())) < 1000
    both = replace(
        shown,
        verdict="reproduces-here",
        legs=(replace(leg, shows="shown"), replace(leg, name="fixed", shows="clean")),
    )
    assert not evil(confirmation_markdown(both, entry, "en"))
    row = next(
        line for line in confirmation_markdown(both, entry, "en").splitlines() if line.startswith("| a")
    )
    assert row.count("|") - row.count("\\|") == 4

    async def script(chat: Chat) -> None:
        await chat.say(TWICE)
        view = ProofView("backward-twice", "en")
        await chat.screen.thread.mount(view)
        view.finish(text)
        chat.screen.thread.show(view)
        await chat.pilot.pause(0.2)
        assert not ODD.search(screen_text(chat))

    drive(script, real)


def test_words_instead_of_keys(real: Assistant) -> None:
    """Slash commands, `quit`, Up, Ctrl+C and Ctrl+D: what a terminal or a browser does not keep for itself."""

    async def script(chat: Chat) -> None:
        await chat.say(TRACE)
        composer = chat.screen.composer
        composer.input.text = "/candidates"
        await chat.pilot.press("enter")
        await chat.until(lambda: chat.screen.query_one(Candidates).display)
        await chat.pilot.press("escape")
        composer.input.focus()
        composer.input.text = "/nonsense"
        await chat.pilot.press("enter")
        await chat.until(lambda: any("/prove" in note and "/quit" in note for note in chat.notes))
        assert len(chat.answers) == 1, "neither was a question"
        await chat.pilot.press("up")
        await chat.until(lambda: composer.input.text == "/nonsense")
        await chat.pilot.press("ctrl+c")
        await chat.until(lambda: composer.input.text == "")
        await chat.pilot.press("ctrl+c")
        await chat.until(lambda: any("Ctrl+D leaves" in note for note in chat.notes))
        await chat.pilot.press("ctrl+d")
        await chat.until(lambda: chat.app._exit)

    drive(script, real)
