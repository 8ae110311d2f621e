"""`torchwhy chat --web`: its arguments, what it reads from a pipe, and what it prints about
who can come in.
"""

from __future__ import annotations

import argparse
import os
import secrets
import stat
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from assistant.errors import UsageError
from assistant.runtime.install import install_line
from assistant.text.language import choose

from . import output

HOST, PORT = "127.0.0.1", 8765


def refuse_without_web(args: argparse.Namespace) -> None:
    """The options of --web mean nothing without it. Raises UsageError."""
    if args.host is not None or args.port is not None or args.no_token or args.beyond_loopback:
        raise UsageError("--host, --port, --no-token and --beyond-loopback go with --web")


def run_web(args: argparse.Namespace) -> int:
    """Serve the chat until Ctrl-C. Raises UsageError."""
    if args.json:
        raise UsageError("chat has no --json; ask without chat")
    port = PORT if args.port is None else args.port
    if not 0 <= port <= 65535:
        raise UsageError(f"--port {port}: wanted 0 to 65535")
    try:
        import asyncio

        from assistant.tui.web.server import ChatServer
        from assistant.tui.web.tab import Tab
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in (
            "textual_serve",
            "aiohttp",
            "aiohttp_jinja2",
            "jinja2",
        ):
            raise
        raise UsageError(
            f"chat --web needs textual-serve ({error.name} is missing): {install_line('web')}"
        ) from error

    with ExitStack() as stack:
        tab = Tab(args.kb, args.model, args.lang, not args.no_vectors, machine=args.machine)
        token = None if args.no_token else secrets.token_urlsafe(32)
        server = ChatServer(tab, HOST if args.host is None else args.host, port, token, choose(args.lang, ""))
        if not server.loopback and not args.beyond_loopback:
            raise UsageError(
                f"--host {args.host} can be reached from other machines;"
                " say --beyond-loopback as well if that is meant"
            )
        if not server.loopback and args.no_token:
            raise UsageError(
                "--no-token is for loopback alone:"
                " whoever reaches the chat reads its history and runs scripts here"
            )
        server.tab = replace(tab, piped=_spooled(stack))

        def tell(url: str) -> None:
            if not server.loopback:
                _warn(
                    "other machines can reach this chat, over plain HTTP:"
                    " whoever sees the address reads along and can run the entries' scripts here"
                )
            if token is None:
                _warn("without a token, every program and user of this machine can use this chat")
            print(url, flush=True)
            _warn("open the address above in a browser; Ctrl-C ends it")

        try:
            return asyncio.run(server.listen(tell))
        except KeyboardInterrupt:  # Windows; elsewhere the signal ends it in order
            return 0


def _spooled(stack: ExitStack) -> str | None:
    """What was piped in, as a file for the tabs; None for a terminal or nothing. A log of any size is
    digested.
    """
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return None
    if not (stat.S_ISFIFO(mode) or stat.S_ISREG(mode)):
        return None
    from assistant.paste.reading import read_path

    _warn("reading standard input to its end ...")
    text = read_path("-")
    if not text.strip():
        return None
    nameless = _nameless(stack, text)
    if nameless is not None:
        return nameless
    path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="torchwhy-")), "piped.txt")
    path.touch(0o600)
    path.write_text(text, "utf-8")
    return str(path)


def _nameless(stack: ExitStack, text: str) -> str | None:
    """The text as a file in memory, which ends with this process however that ends; None where there is no
    such file (Linux has them).
    """
    if sys.platform != "linux":
        return None
    try:
        file = stack.enter_context(os.fdopen(os.memfd_create("torchwhy"), "w", encoding="utf-8"))
    except OSError:
        return None
    file.write(text)
    file.flush()
    path = f"/proc/{os.getpid()}/fd/{file.fileno()}"
    return path if os.access(path, os.R_OK) else None


def _warn(text: str) -> None:
    output.tell(text)
