"""Every private part of another library that is replaced or built on, with the reason.

A test looks each one up.

A release that changes one of them turns that test red; the upper bounds in pyproject.toml keep it from users
until then.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patch:
    """One private part.

    `attribute` is a dotted name inside `module`; `signature` is what `inspect` says of it here.
    """

    distribution: str
    module: str
    attribute: str
    signature: str
    where: str
    reason: str


PATCHES = (
    Patch(
        "rich",
        "rich._wrap",
        "words",
        "(text: 'str') -> 'Iterable[tuple[int, int, str]]'",
        "torchwhy.text.cjk.patch_rich_wrapping",
        "replaced for the whole process: rich and textual break lines at spaces alone, and Chinese has none",
    ),
    Patch(
        "textual",
        "textual._xterm_parser",
        "XTermParser.feed",
        "(self, data: 'str') -> 'Iterable[Message]'",
        "torchwhy.tui.paste_driver.PasteParser",
        "overridden: a paste is read letter by letter, two seconds for a megabyte",
    ),
    Patch(
        "textual",
        "textual.drivers.linux_driver",
        "XTermParser",
        "(debug: 'bool' = False) -> 'None'",
        "torchwhy.tui.paste_driver.patch_xterm_parser",
        "replaced in the driver's module: a driver has no setting for its parser",
    ),
    Patch(
        "textual",
        "textual.drivers.web_driver",
        "XTermParser",
        "(debug: 'bool' = False) -> 'None'",
        "torchwhy.tui.paste_driver.patch_xterm_parser",
        "replaced in the driver's module: a driver has no setting for its parser",
    ),
    Patch(
        "textual",
        "textual.drivers.linux_driver",
        "getincrementaldecoder",
        "(encoding)",
        "torchwhy.tui.paste_driver.lenient_decoder",
        "replaced in the driver's module: a byte that is no UTF-8 ends the app",
    ),
    Patch(
        "textual",
        "textual.drivers.linux_driver",
        "WriterThread",
        "(file: 'IO[str]') -> 'None'",
        "torchwhy.tui.paste_driver.LastingWriterThread",
        "replaced in the driver's module: a closed terminal ends the thread, and the app waits for ever",
    ),
    Patch(
        "textual",
        "textual.drivers._writer_thread",
        "WriterThread.run",
        "(self) -> 'None'",
        "torchwhy.tui.paste_driver.LastingWriterThread",
        "overridden: it ends at the first error",
    ),
    Patch(
        "textual",
        "textual.drivers.web_driver",
        "getincrementaldecoder",
        "(encoding)",
        "torchwhy.tui.paste_driver.lenient_decoder",
        "replaced in the driver's module: a byte that is no UTF-8 ends the app",
    ),
    Patch(
        "textual",
        "textual.widgets",
        "TextArea._on_paste",
        "(self, event: 'events.Paste') -> 'None'",
        "torchwhy.tui.widgets.composer.Input",
        "overridden: a log of megabytes does not belong into an editor",
    ),
    Patch(
        "textual",
        "textual.drivers.web_driver",
        "WebDriver.run_input_thread",
        "(self) -> 'None'",
        "torchwhy.tui.web.tab.TabDriver",
        "overridden, with `_app` and `exit_event`: the app ends when the server has gone without a word",
    ),
)
