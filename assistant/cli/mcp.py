"""`torchwhy mcp`: the same answers for a coding agent, by the Model Context Protocol."""

from __future__ import annotations

import argparse
import secrets

from assistant.errors import UsageError
from assistant.runtime.install import install_line

from .options import FULL_TEXT_HELP, PYTHON_HELP, add_kb, add_lang, add_model
from .output import tell

HELP = "answer coding agents (Model Context Protocol)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--http", action="store_true", help="streamable HTTP on 127.0.0.1 behind a token, instead of stdio"
    )
    parser.add_argument("--port", type=int, help="with --http: the port (default 8766; 0 takes any free one)")
    parser.add_argument("--python", metavar="PYTHON", help=PYTHON_HELP)
    parser.add_argument(
        "--no-source", action="store_true", help="do not look into the files that a traceback names"
    )
    parser.add_argument("--full-text", action="store_true", help=FULL_TEXT_HELP)
    add_lang(parser)
    add_kb(parser)
    add_model(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until the client, or Ctrl-C, ends it. Raises UsageError."""
    if args.port is not None and not args.http:
        raise UsageError("--port goes with --http")
    from assistant.agents.desk import Desk

    try:
        from assistant.agents.server import make_server
    except ImportError as error:
        if (error.name or "").startswith("assistant"):
            raise
        raise UsageError(
            f"mcp needs the protocol's SDK, release 2 ({error.name} is missing): {install_line('mcp')}"
        ) from error
    server = make_server(
        Desk(
            args.kb,
            args.model,
            args.lang,
            not args.no_vectors,
            args.python,
            not args.no_source,
            args.full_text,
        )
    )
    if not args.http:
        from assistant.agents import stdio

        stdio.serve(server)
        return 0
    from assistant.agents import http
    from assistant.runtime import settings

    given = settings.MCP_TOKEN.read()
    if given and len(given) < http.MIN_TOKEN_CHARS:
        raise UsageError(f"{settings.MCP_TOKEN.name}: wanted at least {http.MIN_TOKEN_CHARS} characters")
    token = given or secrets.token_urlsafe(32)
    opened = http.listening(http.PORT if args.port is None else args.port)
    print(f"http://{http.HOST}:{opened.getsockname()[1]}{http.PATH}", flush=True)
    tell(f"Authorization: Bearer {'$' + settings.MCP_TOKEN.name if given else token}")
    http.serve(server, opened, token)
    return 0
