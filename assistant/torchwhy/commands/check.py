"""`torchwhy check [PATH...]`: mistakes that stand in the source; `--build` runs a program as well."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from torchwhy.cli.options import add_flags, add_mine, add_shared
from torchwhy.cli.output import encodable_here, print_json, print_screen, tell
from torchwhy.cli.setup import page_lang
from torchwhy.errors import UsageError

from .own_python import allowed

if TYPE_CHECKING:
    from torchwhy.lint.finding import Finding

HELP = "find mistakes in your own source, without running it"
MAX_STDIN_CHARS = 4 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        default=["."],
        metavar="PATH",
        help="files, folders, notebooks; - is standard input",
    )
    add_flags(parser, strict="also show what is only worth a look")
    parser.add_argument(
        "--format",
        choices=("text", "json", "sarif", "github"),
        default="text",
        help="how findings are printed",
    )
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="as --format json")
    parser.add_argument("--diff", metavar="REV", help="only lines that changed since this revision of git")
    for name, text in (("select", "only these"), ("ignore", "without these")):
        parser.add_argument(
            f"--{name}",
            action="append",
            default=[],
            metavar="ID",
            help=f"{text}: ids, categories (with commas)",
        )
    add_flags(parser, statistics="count the findings of each rule, and show nothing else of them")
    add_flags(
        parser,
        fix="write the changes that cannot be wrong",
        build="also run the program PATH (its arguments behind `--`) for some seconds in a folder of its own",
        gpu="with --build: as if there were a GPU, also where torch was built for none",
    )
    add_shared(parser, "lang", "kb")
    add_mine(parser, "run the lint.py files of your own knowledge base")
    add_shared(parser, "model", "no-vectors")


def run(args: argparse.Namespace) -> int:
    """0 nothing found, 1 something."""
    from torchwhy.lint.api import chosen, load_rules, own_rule_files, wanted
    from torchwhy.lint.check import check_sources
    from torchwhy.lint.settings import read_settings
    from torchwhy.lint.sources import changed, collect

    built: list[Finding] = []
    if args.build:
        from .check_build import build_findings

        built, args.paths = build_findings(args), args.paths[:1]
    elif args.gpu:
        raise UsageError("--gpu says how --build runs a program: give both")
    stdin = sys.stdin.read(MAX_STDIN_CHARS + 1) if "-" in args.paths else None
    if stdin is not None and len(stdin) > MAX_STDIN_CHARS:
        raise UsageError(f"standard input is longer than {MAX_STDIN_CHARS:,} characters")
    settings = read_settings(Path.cwd())
    sources = collect(args.paths, settings.exclude, stdin=stdin)
    if args.diff is not None:
        sources = changed(sources, args.diff)
    rules = load_rules(allowed(own_rule_files(args.kb), args.mine), tell)
    ids = chosen(rules, _names(args.select), _names(args.ignore))
    findings = [*wanted(check_sources(sources, rules, say=tell), settings, args.strict, ids), *built]
    fixed = fix(findings) if args.fix else []
    show(args, findings, len(sources), len(fixed))
    return 1 if len(findings) > len(fixed) else 0


def _names(given: list[str]) -> list[str]:
    return [name.strip() for each in given for name in each.split(",") if name.strip()]


def fix(findings: list[Finding]) -> list[Finding]:
    """Write what cannot be wrong. Raises UsageError where a file cannot be written."""
    from torchwhy.lint.fixes import apply_fixes

    try:
        return apply_fixes([each for each in findings if each.path != "-"])
    except OSError as error:
        raise UsageError(f"--fix: {error}") from error


def show(args: argparse.Namespace, findings: list[Finding], files: int, fixed: int) -> None:
    """Print the findings in the format that was asked for."""
    from torchwhy.lint import output
    from torchwhy.text.phrases import phrase

    lang = page_lang(args)
    if args.format == "json":
        print_json(output.as_json(findings, lang))
    elif args.format == "sarif":
        from torchwhy.version import __version__

        print_json(output.as_sarif(findings, __version__, lang))
    elif args.format == "github":
        sys.stdout.write(encodable_here("".join(f"{line}\n" for line in output.github_lines(findings, lang))))
    else:
        from torchwhy.answers.screen_lines import ScreenLine

        lines = list(output.text_lines(findings, files, lang, args.statistics))
        if fixed:
            lines.append(ScreenLine(phrase("lint_fixed", lang, count=str(fixed))))
        print_screen(lines)
