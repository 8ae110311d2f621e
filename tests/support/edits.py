"""What an edit makes of a program's failing line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from tests.conftest import KB
from torchwhy.answers.change import Change, change_of
from torchwhy.answers.operand_origins import origin_of, origins_of
from torchwhy.knowledge.entry import ChangeTemplate, EditTemplate, Form
from torchwhy.paste.place import UserFrame
from torchwhy.source.edits import FailingLine
from torchwhy.source.own_file import read_source
from torchwhy.source.record import CrashRecord
from torchwhy.text.language import Bilingual

SAYS = Bilingual("{want} is wanted, {got} arrive.", "要 {want}，来了 {got}。")


def frame(folder: Path, text: str, line: int, expression: str = "") -> UserFrame:
    """A line of a program that lies in this folder."""
    file = folder / "train.py"
    file.write_text(text)
    return UserFrame(str(file), line, text.splitlines()[line - 1].strip(), "forward", expression)


def line_of(
    here: UserFrame,
    callers: Sequence[UserFrame] = (),
    shapes: Mapping[str, Sequence[int]] = MappingProxyType({}),
) -> FailingLine:
    operands = [{"name": name, "kind": "tensor", "shape": [*shape]} for name, shape in shapes.items()]
    origins = origins_of((here,))

    def made(operand: str) -> UserFrame | None:
        origin = origin_of(origins, operand)
        return UserFrame(origin.file, origin.line, origin.code, "") if origin else None

    return FailingLine(here, read_source(here), callers, made, CrashRecord(operands))


def changed(
    edit: EditTemplate | str,
    here: UserFrame,
    values: dict[str, str],
    entry: str = "",
    applied: tuple[Form, ...] = ("edit",),
    callers: Sequence[UserFrame] = (),
    only_as_edit: bool = False,
    shapes: Mapping[str, Sequence[int]] = MappingProxyType({}),
) -> Change | None:
    """What is shown of a change with this edit, by its keys or as a function of an entry (`shapes/my-pitfall`).

    `shapes`: of the tensors in the line, as a record of the crash has them.
    """
    its = EditTemplate(function=edit) if isinstance(edit, str) else edit
    template = ChangeTemplate(None, code="fixed", edits=(its,), applied=applied, only_as_edit=only_as_edit)
    return change_of((template,), values, "en", here, line_of(here, callers, shapes), None, str(KB / entry))


def after(
    edit: EditTemplate | str,
    here: UserFrame,
    values: dict[str, str],
    entry: str = "",
    callers: Sequence[UserFrame] = (),
) -> tuple[int | None, str | None]:
    """(number of the line that is edited, the line as it is to be); (None, None) where none is."""
    found = changed(edit, here, values, entry, callers=callers)
    assert found is not None
    return found.line, found.after or None
