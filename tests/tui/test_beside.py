"""The paste beside its answer, with the error marked; and what can be asked next, under it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.chat_pilot import TRACE, TWICE, Chat, drive
from torchwhy import Assistant
from torchwhy.tui.state import ChatOptions
from torchwhy.tui.widgets.chips import Chips
from torchwhy.tui.widgets.paste import MAX_LINES_BEFORE, PasteView
from torchwhy.tui.widgets.thread import Said

pytestmark = pytest.mark.usefixtures("own_data")

LOG = "\n".join(f"epoch {number} loss 2.3" for number in range(40)) + f"\n{TRACE}"


def pasted(chat: Chat) -> PasteView:
    return chat.screen.query_one(PasteView)


def marked(chat: Chat) -> dict[str, str]:
    view = pasted(chat)
    return {view.document.get_line(at).strip(): style for at, style in view.marked.items()}


@pytest.mark.parametrize(("width", "stands"), [(119, False), (120, True), (200, True)])
def test_from_120_columns_on(real: Assistant, width: int, stands: bool) -> None:
    async def script(chat: Chat) -> None:
        await chat.say(LOG)
        assert pasted(chat).display is stands
        assert marked(chat) == {"loss.backward()": "paste--own", TWICE: "paste--error"}
        if stands:
            first = round(pasted(chat).scroll_offset.y)
            assert first <= min(pasted(chat).marked) and max(pasted(chat).marked) < first + 36
            await chat.say("why?")
            assert pasted(chat).display, "a follow-up speaks of the same paste"
            await chat.pilot.press("f3")
            await chat.until(lambda: not pasted(chat).display)
            await chat.pilot.press("escape")
            await chat.until(lambda: pasted(chat).display)
            await chat.say("my loss does not go down")
            await chat.until(lambda: not pasted(chat).display)  # words are no paste
            await chat.say(LOG)
            await chat.pilot.press("ctrl+n")
            await chat.until(lambda: not pasted(chat).display)

    drive(script, real, size=(width, 40))


def test_of_a_long_log_what_is_around_the_error(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        await chat.say("\n".join(f"step {number}" for number in range(9000)) + f"\n{TRACE}")
        view = pasted(chat)
        assert view.document.line_count <= MAX_LINES_BEFORE
        assert set(marked(chat).values()) == {"paste--own", "paste--error"}
        view.focus()
        await chat.pilot.press("x", "backspace", "ctrl+end")
        assert TWICE in view.text, "it is to read"

    drive(script, real)


def test_questions_are_asked_by_keys_and_by_clicks(real: Assistant) -> None:
    async def script(chat: Chat) -> None:
        chips = chat.screen.query_one(Chips)
        assert not chips.display
        await chat.say(TRACE)
        assert chips.display and chips.questions[:2] == ("prove it", "which line?")
        await chat.pilot.press("shift+tab")
        assert chat.app.focused is chips
        await chat.pilot.press("right", "enter")
        await chat.until(lambda: len(chat.answers) == 2 and not chat.screen.busy)
        assert list(chat.screen.query(Said))[-1].text == "which line?"
        assert chat.app.focused is chat.screen.composer.input, "and one types on"
        assert "which line?" not in chips.questions
        second = len(f"  {chips.questions[0]}  ") + 3
        wanted = chips.questions[1]
        await chat.pilot.click(Chips, offset=(second, 0))
        await chat.until(lambda: len(chat.answers) == 3 and not chat.screen.busy)
        assert list(chat.screen.query(Said))[-1].text == wanted
        await chat.pilot.press("ctrl+n")
        assert not chips.display

    drive(script, real)


@pytest.mark.parametrize("width", [30, 80])
def test_as_many_as_fit(real: Assistant, width: int) -> None:
    async def script(chat: Chat) -> None:
        await chat.say(TRACE)
        chips = chat.screen.query_one(Chips)
        assert 1 <= len(chips.fitting) < len(chips.questions)
        text = str(chips.render())
        assert text.rstrip().endswith(chips.fitting[-1]) and len(text) <= width

    drive(script, real, size=(width, 24))


@pytest.mark.parametrize("source", [True, False])
def test_the_change_of_the_users_own_line(real: Assistant, tmp_path: Path, source: bool) -> None:
    program = tmp_path / "net.py"
    program.write_text(
        "from torch import nn\n\nclass Net(nn.Module):\n    def __init__(self):\n        self.head = nn.Linear(2048, 10)\n\n"
        "    def forward(self, x):\n        return self.head(x)\n"
    )
    log = (
        f'Traceback (most recent call last):\n  File "{program}", line 8, in forward\n    return self.head(x)\n'
        '  File "/env/lib/python3.11/site-packages/torch/nn/modules/linear.py", line 134, in forward\n'
        "    return F.linear(input, self.weight, self.bias)\n"
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (16x1568 and 2048x10)"
    )

    async def script(chat: Chat) -> None:
        view = await chat.say(log)
        edit = "+ self.head = nn.Linear(1568, 10)"
        assert (edit in view.markdown) is source
        if source:
            assert view.markdown.index(edit) < view.markdown.index("## Why")

    drive(script, real, options=ChatOptions(source=source))
