"""`torchwhy machine`: this machine's facts, or a pasted report's."""

from __future__ import annotations

import argparse

from torchwhy.cli.options import add_flags, add_shared, add_values
from torchwhy.cli.output import print_json, print_markdown
from torchwhy.cli.setup import page_lang
from torchwhy.errors import UsageError
from torchwhy.text.plain import escaped

HELP = "this machine's facts, without touching the GPU or importing torch"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_shared(parser, "python")
    add_flags(parser, full="also import torch there: its arch list and cuDNN (seconds)")
    told = "read a report of python -m torch.utils.collect_env instead (- is standard input)"
    add_values(parser, report=("FILE", told))
    add_shared(parser, "json", "lang")


def run(args: argparse.Namespace) -> int:
    from torchwhy.answers.machine_page import machine_markdown
    from torchwhy.knowledge.facts import Facts

    facts: Facts | None
    if args.report:
        from torchwhy.answers.collect_env import facts_in
        from torchwhy.paste.reading import read_path

        if args.python or args.full:
            raise UsageError("--report reads another machine's report; --python and --full ask this one")
        facts = facts_in(read_path(args.report))
        if facts is None:
            raise UsageError(f"{escaped(args.report)}: no report of python -m torch.utils.collect_env in it")
    else:
        from torchwhy.machine.machine_facts import machine_facts

        facts = machine_facts(python=args.python, full=args.full)
    if args.json:
        print_json(facts.as_json())
    else:
        print_markdown(machine_markdown(facts, page_lang(args)), page=True)
    return 0
