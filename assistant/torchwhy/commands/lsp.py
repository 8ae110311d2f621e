"""`torchwhy lsp`: what `check` finds, in an editor, by the Language Server Protocol."""

from __future__ import annotations

import argparse

from torchwhy.cli.options import add_flags, add_mine, add_shared
from torchwhy.cli.output import tell
from torchwhy.cli.setup import open_entries, page_lang
from torchwhy.errors import UsageError
from torchwhy.runtime.install import install_line

from .own_python import allowed

HELP = "show in an editor what check finds (Language Server Protocol, over stdio)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_flags(parser, strict="also show what is only worth a look")
    add_shared(parser, "lang", "kb")
    add_mine(parser, "run the lint.py files of your own knowledge base")


def run(args: argparse.Namespace) -> int:
    """Serve until the editor, or Ctrl-C, ends it. Raises UsageError."""
    from torchwhy.lint.api import load_rules, own_rule_files

    try:
        from torchwhy.lint.language_server import Diagnostics, make_server
    except ImportError as error:
        if (error.name or "").startswith("torchwhy"):
            raise
        raise UsageError(f"lsp needs pygls ({error.name} is missing): {install_line('lsp')}") from error
    rules = load_rules(allowed(own_rule_files(args.kb), args.mine), tell)
    lang = page_lang(args)
    titles = {entry.id: entry.title[lang] for entry in open_entries(args).pitfalls.values()}
    make_server(Diagnostics(rules, titles, lang, args.strict)).start_io()
    return 0
