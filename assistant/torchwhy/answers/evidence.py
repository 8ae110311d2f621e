"""What is known of a failure before it is answered: the text, read once, its machine, the user's files and
operands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from torchwhy.paste.parse import parse
from torchwhy.paste.paste import Paste
from torchwhy.paste.place import here_of, own_frames

if TYPE_CHECKING:
    from torchwhy.knowledge.facts import Facts
    from torchwhy.runtime.json_types import JSONObject

    from .missing_package import MissingPackage
    from .operand_origins import Origin
    from .required import Required


REPORT_MARK = "PyTorch version:"  # stands in every report of torch.utils.collect_env


class Question(NamedTuple):
    """`paste`: the text without a report of torch.utils.collect_env; `reported`: the facts of that report."""

    paste: Paste
    reported: Facts | None = None


def read_question(text: str) -> Question:
    """Take the report out of a text and parse the rest, once. The paste names the report's torch release."""
    if REPORT_MARK not in text:
        return Question(parse(text))
    from . import collect_env

    reported = collect_env.facts_in(text)
    if not reported:
        return Question(parse(text))
    paste = parse(collect_env.strip_reports(text))
    release = reported.get("torch.version").value
    return Question(paste._replace(torch=str(release)) if release else paste, reported)


class CodeFinding(Protocol):
    """A place in the user's code, as `torchwhy.lint` reports it; sentences by language, lines from 1."""

    @property
    def id(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def cell(self) -> int | None: ...
    @property
    def sure(self) -> str: ...
    @property
    def message(self) -> Mapping[str, str]: ...
    @property
    def fix(self) -> Mapping[str, str]: ...
    @property
    def text(self) -> str: ...
    @property
    def raises(self) -> bool: ...
    def as_json(self, lang: str = "en") -> dict[str, object]: ...


class Evidence(NamedTuple):
    """Everything that an answer rests on; whoever has more gives a fuller one, and the answer is built anew.

    `source`: whether the text is of this machine, so that the files which it names may be read.
    """

    paste: Paste
    source: bool = False
    facts: Facts | None = None
    """The facts that were looked at: this machine's or a pasted report's; None where none were."""
    code: tuple[CodeFinding, ...] | None = None
    """What was found in the user's code, by file and line; None where none was looked at."""
    line: Mapping[str, str] = {}
    """What is known of the failing line (`line_facts`)."""
    origins: tuple[Origin, ...] = ()
    """Where the objects of the failing line were made, read in the user's file."""
    operands: tuple[JSONObject, ...] = ()
    """What the record of a crash says of the failing line's names (docs/json.md)."""
    missing: MissingPackage | None = None
    """The package that Python itself says it does not have."""
    required: Required | None = None
    """The releases of two packages of which one asks what the other lacks."""


def evidence_of(
    paste: Paste, *, source: bool = False, facts: Facts | None = None, operands: Sequence[JSONObject] = ()
) -> Evidence:
    """What a text, the files that it names (where `source`) and a crash's record of its operands give."""
    line: Mapping[str, str] = {}
    here = here_of(paste)
    if here is not None or operands:
        from .line_facts import line_facts

        line = line_facts(here, operands)
    origins: tuple[Origin, ...] = ()
    frames = own_frames(paste) if source and paste.root is not None else ()
    if frames:
        from .operand_origins import origins_of

        origins = origins_of(frames)
    return Evidence(paste, source, facts, None, line, origins, tuple(operands))
