"""The server by the official SDK (extra `mcp`): tools, resources and prompts over what `pages` and `desk` do.

No `from __future__ import annotations` here: the SDK reads the annotations of functions inside functions.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Annotated

import anyio.from_thread
import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.mcpserver.resolve import AcceptedElicitation, Elicit, ElicitationResult, Resolve
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from torchwhy.errors import AssistantError, UsageError
from torchwhy.text.language import choose
from torchwhy.text.phrases import phrase
from torchwhy.text.plain import escaped
from torchwhy.version import __version__

from . import pages
from .desk import Desk, Script
from .pages import Part

INSTRUCTIONS = (
    "Why a PyTorch program failed, from a curated knowledge base, offline. Call diagnose with the traceback "
    "or its log file before you guess; ask for sections only where the first lines do not do; "
    "confirm proves a diagnosis here by a script that fails the same way and then does not."
)
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
RUNS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
Id = Annotated[str, Field(description="an entry's id, such as backward-twice")]


class Permission(BaseModel):
    """What the user is asked before a script runs."""

    run: bool = Field(description="Run it")


@contextmanager
def told() -> Iterator[None]:
    """What torchwhy raises on purpose reaches the agent as the tool's own words."""
    try:
        yield
    except AssistantError as error:
        raise ToolError(str(error)) from error


def make_server(desk: Desk) -> MCPServer:
    """The server with all that it offers; `desk` opens the knowledge with the first call."""
    server: MCPServer = MCPServer(
        "torchwhy",
        version=__version__,
        instructions=INSTRUCTIONS,
        log_level="CRITICAL",  # what a client asks wrongly is answered; in its log it would be a traceback
        subscriptions=False,
    )
    add_reading(server, desk)
    add_proof(server, desk)
    add_resources(server, desk)
    add_prompts(server)
    return server


def add_reading(server: MCPServer, desk: Desk) -> None:
    """The tools that run nothing."""

    def diagnose(
        text: Annotated[str, Field(description="the traceback, log or symptom")] = "",
        file: Annotated[str, Field(description="instead: a log file on this machine, of any size")] = "",
        sections: Annotated[list[Part], Field(description="whole sections instead of the short answer")] = [],  # noqa: B006 (the SDK's schema shows the default; nothing changes it)
    ) -> str:
        """Why a PyTorch program failed: the entry or family that fits (or an honest no), the user's line, the
        change, the evidence. Short unless sections are named.
        """
        with told():
            answer = desk.assistant.ask(pages.text_of(text, file), source=desk.source)
            return pages.diagnosis(answer, sections, full=desk.full_text or not file)

    def search(words: Annotated[str, Field(description="words, English or Chinese")]) -> str:
        """The entries of the knowledge base that are nearest to some words, best first: id and title."""
        with told():
            return pages.found(desk.assistant.ask(pages.text_of(words, ""), source=False))

    def candidates(
        text: Annotated[str, Field(description="the traceback, log or symptom")] = "",
        file: Annotated[str, Field(description="instead: a log file on this machine, of any size")] = "",
    ) -> str:
        """Where diagnose is unsure: the twenty entries that come nearest, with title, cause and what decides.
        You know the program: choose by that, or none.
        """
        with told():
            return pages.listed(desk.assistant.ask(pages.text_of(text, file), source=False))

    def show(id: Id, sections: list[Part] = list(pages.SHOWN_FIRST)) -> str:  # noqa: B006 (as above)
        """Sections of one entry: why, fix, check, sources, or all."""
        with told():
            return pages.entry(desk.assistant, id, desk.page_lang(), sections)

    def machine() -> str:
        """This machine's facts (GPU, driver, torch, memory, limits), without touching the GPU's memory."""
        with told():
            return pages.machine(desk.assistant.machine(python=desk.python), desk.page_lang())

    def check(
        paths: Annotated[list[str], Field(description="Python files, notebooks or folders")],
        strict: Annotated[bool, Field(description="also what is only worth a look")] = False,
    ) -> str:
        """Mistakes that stand in PyTorch source, found without running it: place, id, sentence, fix."""
        with told():
            return pages.checked(paths, strict, desk.page_lang())

    for tool in (diagnose, candidates, search, show, check, machine):
        server.add_tool(tool, annotations=READS, structured_output=False)


def add_proof(server: MCPServer, desk: Desk) -> None:
    """The one tool that runs something: an entry's own script, after the user's yes."""

    def script_of(id: str) -> Script:
        with told():
            return desk.script(id)

    def may_run(ctx: Context, script: Annotated[Script, Resolve(script_of)]) -> Elicit[Permission]:
        capabilities, lang = ctx.client_capabilities, desk.page_lang()
        if capabilities is None or capabilities.elicitation is None:
            command = f"torchwhy confirm {script.entry.id}"
            raise ToolError(phrase("agent_cannot_ask", lang, command=command))
        seconds = f"{script.entry.needs.seconds:g}"
        # the hash makes it another question once the script is another one
        where = f"{escaped(script.path)} (SHA-256 {script.sha256})"
        asked = phrase("agent_ask", lang, id=script.entry.id, seconds=seconds, script=where)
        return Elicit(asked, Permission)

    async def confirm(
        id: Id,
        ctx: Context,
        script: Annotated[Script, Resolve(script_of)],
        permission: Annotated[ElicitationResult[Permission], Resolve(may_run)],
        paste: Annotated[str, Field(description="the user's error, to compare with")] = "",
    ) -> str:
        """Prove an entry on this machine: its script fails the same way, and with the fix it does not.
        Asks the user first; takes seconds to minutes.
        """
        lang = choose(desk.lang, paste)
        if not isinstance(permission, AcceptedElicitation) or not permission.data.run:
            raise ToolError(phrase("agent_no", lang))
        stop = threading.Event()

        def on_event(kind: str, text: str) -> None:
            if kind == "leg":
                anyio.from_thread.run(ctx.report_progress, 0 if text == "broken" else 1, 2, text)

        prove = partial(
            desk.assistant.confirm,
            script.entry.id,
            paste or None,
            python=desk.python,
            shown=script.sha256,
            on_event=on_event,
            cancelled=stop.is_set,
        )
        with told():
            try:
                result = await anyio.to_thread.run_sync(prove, abandon_on_cancel=True)
            finally:
                stop.set()  # where the call was cancelled, what still runs ends
            return pages.proof(desk.assistant, result, lang)

    server.add_tool(confirm, annotations=RUNS, structured_output=False)


def add_resources(server: MCPServer, desk: Desk) -> None:
    """Every entry as a page, and the list of them."""

    @server.resource("torchwhy://pitfalls", mime_type="text/plain", description="every entry: id and title")
    def pitfalls() -> str:
        lang, known = desk.page_lang(), desk.assistant.pitfalls
        return "".join(f"{id}: {known[id].title[lang]}\n" for id in known)

    @server.resource("torchwhy://pitfall/{id}", mime_type="text/markdown", description="one entry, whole")
    def pitfall(id: str) -> str:
        try:
            return pages.entry(desk.assistant, id, desk.page_lang(), ["all"])
        except UsageError as error:
            raise ResourceNotFoundError(str(error)) from error


def add_prompts(server: MCPServer) -> None:
    """What a user picks from a menu of his client."""

    @server.prompt(description="find out why a PyTorch program failed, and fix it")
    def why(error: str) -> str:
        return (
            "Find out why this PyTorch program failed: call torchwhy's diagnose with it as it stands, say "
            "what it found and how sure it is, then make the smallest change that fixes it."
            f"\n\n{pages.secretless(error)}"
        )

    @server.prompt(description="prove a diagnosis on this machine")
    def prove(id: str) -> str:
        return (
            f"Call torchwhy's confirm for {id}. Say what its script showed without the fix and with it, and "
            "what that does not show about my program."
        )
