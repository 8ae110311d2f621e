"""The chat under a test's hands: the real app, driven by its keys."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from torchwhy import Assistant
from torchwhy.tui.app import ChatApp
from torchwhy.tui.screens.chat import ChatScreen
from torchwhy.tui.state import ChatOptions, Progress
from torchwhy.tui.widgets.answer import AnswerView

TWICE = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."
TRACE = f'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    loss.backward()\n{TWICE}'
OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 256.00 MiB. GPU 0 has a total capacity of 9.77 GiB of which 185.50 MiB is free."


class Chat:
    """The app under the pilot's hands."""

    def __init__(self, app: ChatApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def screen(self) -> ChatScreen:
        screen = self.app.screen_stack[0]
        assert isinstance(screen, ChatScreen)
        return screen

    @property
    def answers(self) -> list[AnswerView]:
        return list(self.screen.query(AnswerView))

    async def until(self, holds: Callable[[], object], seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, f"waited {seconds} s in vain; notifications: {self.notes}"
            await self.pilot.pause(0.02)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        await self.pilot.press(
            *("space" if key == " " else "question_mark" if key == "?" else key for key in text)
        )

    async def paste(self, text: str) -> None:
        assert self.app.focused is not None
        self.app.focused.post_message(events.Paste(text))
        await self.pilot.pause()

    async def say(self, text: str) -> AnswerView:
        before = len(self.answers)
        await self.paste(text)
        await self.pilot.press("enter")
        await self.until(lambda: len(self.answers) > before and not self.screen.busy)
        return self.answers[-1]

    @property
    def notes(self) -> list[str]:
        return [str(note.message) for note in self.app._notifications]


def drive(
    script: Callable[[Chat], Awaitable[None]],
    assistant: Assistant | Callable[[], Assistant],
    size: tuple[int, int] = (120, 40),
    options: ChatOptions | None = None,
) -> None:
    """Run a script on the app over an Assistant that is open already, or over what opens one."""

    def open_backend(progress: Progress) -> Assistant:
        return assistant if isinstance(assistant, Assistant) else assistant()

    async def run() -> None:
        app = ChatApp(open_backend, options)
        async with app.run_test(size=size) as pilot:
            await script(Chat(app, pilot))

    asyncio.run(run())


def shown(widget: Static) -> str:
    return str(widget.render())
