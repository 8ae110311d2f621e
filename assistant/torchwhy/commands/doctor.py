"""`torchwhy doctor`: its own installation, part by part, and the one command that fixes what is missing."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from torchwhy.cli.options import add_shared
from torchwhy.cli.output import print_json, print_rows
from torchwhy.cli.setup import page_lang
from torchwhy.errors import AssistantError
from torchwhy.runtime import locations
from torchwhy.runtime.install import install_line
from torchwhy.text.phrases import phrase
from torchwhy.text.plain import escaped
from torchwhy.version import __version__

if TYPE_CHECKING:
    from torchwhy.knowledge.facts import Facts

HELP = "is this installation whole? each part, and the command that fixes it"
EXTRAS = {"web": "textual_serve", "mcp": "mcp", "lsp": "pygls", "embed": "sentence_transformers"}


@dataclass(frozen=True, slots=True)
class InstallationPart:
    """One part of the installation. "absent" is what one may live without; only "fix" is a fault."""

    name: str
    state: Literal["good", "fix", "absent"]
    found: str
    command: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_shared(parser, "python", "json", "lang", "kb")


def run(args: argparse.Namespace) -> int:
    """0 if nothing is to be fixed, else 1."""
    lang = page_lang(args)
    parts = list(examine(args.kb, args.python, lang))
    broken = sum(part.state == "fix" for part in parts)
    if args.json:
        print_json({"schema": 1, "whole": not broken, "parts": [asdict(part) for part in parts]})
        return 1 if broken else 0
    print_rows([[part.name, phrase(f"doctor_{part.state}", lang), part.found] for part in parts])
    commands = [part for part in parts if part.command]
    if commands:
        print()
        print_rows([[part.name, part.command] for part in commands])
    print("\n" + phrase("doctor_to_fix" if broken else "doctor_all_good", lang, count=str(broken)))
    return 1 if broken else 0


def examine(kb: str | None, python: str | None, lang: str) -> Iterator[InstallationPart]:
    """Every part, each looked at by itself: one that fails does not hide the next."""
    yield InstallationPart("torchwhy", "good", f"{__version__}, {locations.PACKAGE}, {sys.executable}")
    checks: list[tuple[str, Callable[[], Iterator[InstallationPart]], str]] = [
        ("knowledge", lambda: knowledge(kb, lang), install_line(again=True)),
        ("model", lambda: model(lang), install_line(again=True)),
        ("vectors", vectors, install_line(again=True)),
        ("cache", lambda: folder("cache", locations.cache_folder(), "TORCHWHY_CACHE", lang), ""),
        ("data", lambda: folder("data", locations.data_folder(), "TORCHWHY_DATA", lang), ""),
        ("torch, gpu", lambda: machine(python, lang), "torchwhy doctor --python PYTHON"),
        ("guards", lambda: guards(lang), ""),
    ]
    for name, look, command in checks:
        try:
            yield from look()
        except (AssistantError, ImportError, OSError, RuntimeError, ValueError) as error:
            yield InstallationPart(name, "fix", escaped(" ".join(str(error).split())[:300]), command)
    yield from extras()


def knowledge(kb: str | None, lang: str) -> Iterator[InstallationPart]:
    """The entries, and those that were left out."""
    from torchwhy.api import Assistant

    store = Assistant(kb, vectors=False).store
    shipped = escaped(str(locations.shipped("kb")))
    said = phrase("doctor_entries", lang, count=str(store.count), folder=shipped)
    if store.problems:
        said += "; " + phrase("doctor_broken", lang, count=str(len(store.problems)))
        yield InstallationPart("knowledge", "fix", said, "torchwhy kb check")
    else:
        yield InstallationPart("knowledge", "good", said)


def model(lang: str) -> Iterator[InstallationPart]:
    """The embedding model: every file as it was shipped, and one sentence through it."""
    from torchwhy.embedding import adapter
    from torchwhy.embedding.encoders import question_encoder
    from torchwhy.embedding.model import find_model

    chosen = find_model(None)
    adapter.key(chosen)  # checks every file against its pinned hash
    question_encoder(chosen).encode(["the loss is nan"])
    yield InstallationPart("model", "good", f"{chosen.name}: {phrase('doctor_encodes', lang)}")


def vectors() -> Iterator[InstallationPart]:
    """The shipped passages' vectors, and what of them is used from the cache."""
    from torchwhy.api import Assistant

    opened = Assistant()
    found = opened.matcher.open_vectors()
    if found is not None:
        yield InstallationPart("vectors", "good", str(found.count))
    else:
        yield InstallationPart("vectors", "fix", "; ".join(opened.notes)[:300], install_line(again=True))


def folder(name: str, path: Path, variable: str, lang: str) -> Iterator[InstallationPart]:
    """Whether a folder of torchwhy's own can be written, and what lies in it."""
    shown = escaped(str(path))
    try:
        locations.make_private(path)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        command = f"export {variable}=/a/folder/of/yours"
        yield InstallationPart(name, "fix", f"{shown}: {error.strerror}", command)
        return
    size = sum(os.lstat(Path(at, file)).st_size for at, _, files in os.walk(path) for file in files)
    yield InstallationPart(
        name, "good", phrase("doctor_writable", lang, folder=shown, size=f"{size / 2**20:.0f}")
    )


def machine(python: str | None, lang: str) -> Iterator[InstallationPart]:
    """The torch that proofs would use, and the GPU for those that need one."""
    from torchwhy.machine.machine_facts import machine_facts

    facts = machine_facts(python=python)
    release = facts.get("torch.version")
    where = escaped(facts.interpreter)
    if release.known and release.value:
        yield InstallationPart("torch", "good", f"{release.value}, {where}")
    else:
        found = phrase("doctor_no_torch", lang, python=where)
        yield InstallationPart("torch", "absent", found, "torchwhy doctor --python PYTHON")
    yield gpu(facts, lang)


def gpu(facts: Facts, lang: str) -> InstallationPart:
    """The GPU with the most free memory."""
    from torchwhy.machine.machine_facts import best_gpu

    best = best_gpu(facts.gpus)
    if best is None or not best.memory_free:
        return InstallationPart("gpu", "absent", phrase("doctor_no_gpu", lang))
    free = f"{best.memory_free / 2**30:.1f}"
    return InstallationPart(
        "gpu", "good", phrase("doctor_gpu", lang, name=escaped(str(best.name)), free=free)
    )


def guards(lang: str) -> Iterator[InstallationPart]:
    """What stands around a proof's script on this system."""
    import shutil

    from torchwhy.proof.sandbox import missing_guards

    missing = missing_guards()
    if not missing:
        yield InstallationPart("guards", "good", phrase("doctor_guards", lang))
        return
    names = ("；" if lang == "zh" else "; ").join(phrase(f"guard_{name}", lang) for name in missing)
    install = sys.platform == "linux" and shutil.which("bwrap") is None
    command = "apt-get install bubblewrap" if install else ""
    yield InstallationPart("guards", "absent", phrase("doctor_no_guards", lang, names=names), command)


def extras() -> Iterator[InstallationPart]:
    """The faces that have a dependency of their own."""
    from importlib.util import find_spec

    for extra, module in EXTRAS.items():
        there = find_spec(module) is not None
        yield InstallationPart(extra, "good" if there else "absent", "", "" if there else install_line(extra))
