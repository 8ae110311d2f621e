"""What is meant for others: an entry's script that needs no tool, and a bug report in Markdown without secrets."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import TYPE_CHECKING

from . import __version__, evidence, linux
from .answer import Answer
from .confirm_types import Confirmation
from .errors import UsageError
from .facts import Facts, report_names, shown
from .markup import fence, span
from .redact import redact
from .render import percent, source_line
from .types import Pitfall
from .words import word

if TYPE_CHECKING:
    from .environment import Probe

SYSTEM = (("platform.release", "system"), ("platform.libc", "C library"), ("cpu.model", "CPU"), ("cpu.vectors", "its vector instructions"))
FIRST, LAST = 15, 45  # lines of a long traceback that are kept
# Packages that a maintainer asks for; a list of everything says more about its owner than about the error.
TELLING = (
    "accelerate", "apex", "bitsandbytes", "cuda-python", "deepspeed", "fairscale", "flash-attn", "horovod", "lightning", "numpy", "nvidia-cublas-cu12",
    "nvidia-cudnn-cu11", "nvidia-cudnn-cu12", "nvidia-cudnn-cu13", "nvidia-nccl-cu11", "nvidia-nccl-cu12", "nvidia-nccl-cu13", "peft", "pytorch-lightning",
    "safetensors", "scikit-learn", "torchaudio", "torchdata", "torchmetrics", "torchvision", "transformers", "triton", "xformers",
)  # fmt: skip


def standalone(entry: Pitfall, lang: str) -> str:
    """The entry's script with a header that says what it is and how to run it. Raises UsageError where there is none."""
    if entry.repro is None:
        assert entry.no_repro
        raise UsageError(f"{entry.id} has no script: {entry.no_repro[lang]}")
    seen = evidence.versions(entry.id)
    wants = ", ".join(("torch", *entry.needs.packages))
    lines = [
        entry.title[lang], "", word("rep_seen", lang, where="; ".join(seen)) if seen else word("rep_unseen", lang), word("rep_run", lang, packages=wants),
        f"    python repro.py           {word('rep_fails' if entry.kind == 'error' else 'rep_shows', lang)}",
        f"    python repro.py --fixed   {word('rep_fixed', lang)}", "", f"torchwhy {__version__}, {entry.id}",
    ]  # fmt: skip
    return "".join(f"# {line}".rstrip() + "\n" for line in lines) + "\n" + Path(entry.repro).read_text("utf-8")


def report(answer: Answer, probe: Probe, result: Confirmation | None) -> str:
    """A bug report: the error, the diagnosis, the verdict where there is one, the environment; redacted throughout."""
    lang = answer.lang
    root = answer.root
    name = (f"{root.exception}: " if root.exception else "") + next(iter(root.message.splitlines()), "") if root else answer.paste.text.strip()
    parts = [f"# {span(name, 120)}", f"## {word('rep_error' if root else 'rep_words', lang)}", fence(error_text(answer))]
    parts += [f"## {word('rep_diagnosis', lang)}", *diagnosis(answer), f"## {word('rep_verdict', lang)}", verdict(result, lang)]
    theirs = answer.facts if answer.facts is not None and answer.facts.origin == "report" else None
    parts += [f"## {word('rep_environment', lang)}", fence(facts_text(theirs) if theirs else environment_text(probe))]
    last = [f"---\n{word('rep_redacted', lang)} (torchwhy {__version__})"]
    if answer.match is not None and answer.match.pitfall.repro:  # whole: who reads the report may not have this tool
        said = word("rep_script", lang, id=answer.match.id)
        script = Path(answer.match.pitfall.repro).read_text("utf-8")
        last.insert(0, f"<details>\n<summary>{said.replace('`', '')}</summary>\n\n{fence(script, 'python')}\n\n</details>")
    return "\n\n".join([redact("\n\n".join(parts)), *last]) + "\n"


def error_text(answer: Answer) -> str:
    """The leading error with its traceback, its middle left out where it is long; the words where there is no error."""
    root = answer.root
    if root is None:
        return answer.paste.text.strip()[:2000]
    lines = list(answer.paste.lines[root.start : root.end])
    if len(lines) > FIRST + LAST:
        lines = [*lines[:FIRST], f"[... {len(lines) - FIRST - LAST} lines left out ...]", *lines[-LAST:]]
    return "\n".join(line if len(line) <= 500 else line[:500] + "…" for line in lines)


def diagnosis(answer: Answer) -> list[str]:
    lang = answer.lang
    if answer.match is None:
        return [word("rep_none", lang)]
    entry = answer.match.pitfall
    parts = [f"**{entry.id}** ({percent(answer.match.probability)}): {entry.title[lang]}", entry.cause[lang].strip()]
    if answer.rival is not None:
        parts.append(f"{word('rep_maybe', lang)}: **{answer.rival.id}** ({percent(answer.rival.probability)}): {answer.rival.pitfall.title[lang]}")
    links = [f"- {source_line(source, lang)}" for source in entry.sources if source.url]  # the documents are not everybody's
    return [*parts, *(["\n".join(links)] if links else [])]


def verdict(result: Confirmation | None, lang: str) -> str:
    if result is None:
        return word("rep_unrun", lang)
    parts = [word(result.verdict, lang)]
    if result.reason:
        parts.append(span(result.reason))
    if result.message:
        parts.append(f"{word('printed', lang)}:\n\n{fence(result.message[:1500])}")
    return "\n\n".join(parts)


def facts_text(facts: Facts) -> str:
    """The environment of the pasted report of torch.utils.collect_env: it is the one that failed."""
    return "\n".join(f"{name}: {shown(name, facts.get(name).value)}" for name in report_names(facts) if facts.get(name).known)


def environment_text(probe: Probe) -> str:
    """The environment as its own Python told it, without paths."""
    from .gpus import read

    rows = [("torch", probe.torch or f"cannot be imported: {probe.torch_error}"), ("CUDA of that build", probe.cuda or "none"), ("Python", probe.python)]
    driver = read()
    rows += [("GPU", ", ".join(gpu.name for gpu in driver.gpus) or probe.device or "none"), ("driver", driver.version or "none")]
    rows += [("platform", f"{platform.system()} {platform.release()} {platform.machine()}")]
    told = {name: fact.value for name, fact in {**linux.release(Path("/")), **linux.processor(Path("/"))}.items() if fact.value}
    rows += [(label, str(told[name])) for name, label in SYSTEM if name in told]
    have = {name.lower().replace("_", "-"): release for name, release in probe.packages.items()}
    rows += [("packages", " ".join(f"{name}=={have[name]}" for name in TELLING if name in have) or "none of note")]
    return "\n".join(f"{name}: {value}" for name, value in rows)
