"""`torchwhy mcp`: the same answers for a coding agent, by the Model Context Protocol."""

from __future__ import annotations

import argparse

from torchwhy.cli.options import add_flags, add_shared
from torchwhy.errors import UsageError
from torchwhy.runtime.install import install_line

HELP = "answer coding agents (Model Context Protocol, over stdio)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_shared(parser, "python")
    add_flags(parser, no_source="do not look into the files that a traceback names")
    add_shared(parser, "full-text", "lang", "kb", "model", "no-vectors")


def run(args: argparse.Namespace) -> int:
    """Serve until the client, or Ctrl-C, ends it. Raises UsageError."""
    from torchwhy.agents.desk import Desk

    try:
        from torchwhy.agents import stdio
        from torchwhy.agents.server import make_server
    except ImportError as error:
        if (error.name or "").startswith("torchwhy"):
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
    stdio.serve(server)
    return 0
