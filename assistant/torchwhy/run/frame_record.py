"""The user's own line at which a run failed, with the operands under it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from torchwhy.answers.answer import Answer, Section
from torchwhy.answers.operand_origins import origin_of, shown_origin
from torchwhy.runtime.json_types import JSONObject
from torchwhy.text.markup import fence, span
from torchwhy.text.phrases import phrase
from torchwhy.text.plain import plain

MAX_SHOWN = 8  # operands on the page; all of them are in the JSON
MAX_UNDER = 4  # of them on a first screen
MAX_SIDE_BY_SIDE = 4  # elements of a list of tensors


@dataclass(frozen=True, slots=True)
class FrameRecord:
    """A frame of the user's code.

    `expression`: the part of the line that was being evaluated; `columns`: where it stands in `code` (-1 as
    the end: it goes on in another line); `operands`: its names, as docs/json.md says.
    """

    file: str
    line: int
    function: str
    code: str
    expression: str | None = None
    columns: tuple[int, int] | None = None
    operands: tuple[JSONObject, ...] = ()
    rank: int | None = None
    thread: str = ""
    sample: int | str | None = None  # that a DataLoader was reading, by its index or key

    def with_operands(self, more: Iterable[JSONObject]) -> FrameRecord:
        """With further operands in front: those of the process in which it was raised."""
        first = tuple(more)
        names = {operand["name"] for operand in first}
        return replace(
            self, operands=(*first, *(item for item in self.operands if item["name"] not in names))
        )

    def as_json(self) -> JSONObject:
        """As docs/json.md says; the tuples are lists there."""
        return {**asdict(self), "thread": self.thread or None}

    def place(self) -> str:
        """`train.py:12`, by the shorter of the two ways to name the file from here."""
        short = os.path.relpath(self.file) if os.path.isabs(self.file) else self.file
        return f"{short if len(short) < len(self.file) else self.file}:{self.line}"


def frame_section(frame: FrameRecord, lang: str) -> Section:
    """The place, the marked line and the operands."""
    place = phrase("run_here_in", lang, place=span(frame.place()), function=span(frame.function or "?"))
    if frame.rank is not None:
        place += f" · {phrase('run_here_rank', lang, rank=str(frame.rank))}"
    if frame.thread not in ("", "MainThread"):
        place += f" · {phrase('run_here_thread', lang, thread=span(frame.thread))}"
    parts = [place]
    if frame.code:
        parts.append(fence(_marked(frame), "python"))
    shown = operand_lines(frame.operands, lang)
    if shown:
        parts.append("\n".join(f"- {line}" for line in shown))
    if frame.sample is not None:
        parts.append(phrase("run_sample", lang, sample=repr(frame.sample)))
    return Section("here", phrase("run_here", lang), "\n\n".join(parts))


def under_lines(frame: FrameRecord, answer: Answer) -> list[tuple[str, str]]:
    """The operands as plain text, for below the line of code on a first screen, each with the line that made
    it ("" where that is not known, or stands on the screen).
    """
    own = answer.here
    is_own = own is not None and (own.file, own.line) == (frame.file, frame.line)
    origins = answer.evidence.origins if is_own else ()
    edited = (answer.change.file, answer.change.line) if answer.change else None
    lines: list[tuple[str, str]] = []
    told = {edited}
    for item in _chosen(frame.operands)[:MAX_UNDER]:
        line = _line(item, _with_device(frame.operands), answer.lang).replace("`", "")
        origin, made = origin_of(origins, str(item.get("of") or item["name"])), ""
        if origin is not None and own is not None and (origin.file, origin.line) not in told:
            told.add((origin.file, origin.line))
            made = shown_origin(origin, own, answer.lang)
        lines.append((line, made))
    if frame.sample is not None:
        lines.append((phrase("run_sample", answer.lang, sample=repr(frame.sample)), ""))
    return lines


def _marked(frame: FrameRecord) -> str:
    """The line, and under it a mark below the expression unless that is all of the line."""
    code = plain(frame.code)
    if frame.columns is None or frame.columns[0] < 0:
        return code
    begin, end = frame.columns
    end = len(code) if end < 0 else end
    if not begin < end <= len(code) or (begin == 0 and end == len(code)):
        return code
    return f"{code}\n{' ' * begin}{'^' * (end - begin)}"


# --- operands


def operand_lines(operands: Sequence[JSONObject], lang: str) -> list[str]:
    """A line for each operand: tensors and what holds them first, plain numbers where nothing else is
    there.
    """
    return [_line(item, _with_device(operands), lang) for item in _chosen(operands)[:MAX_SHOWN]]


def _chosen(operands: Sequence[JSONObject]) -> list[JSONObject]:
    telling = [item for item in operands if item["kind"] not in ("object", "none", "bool", "str", "bytes")]
    return telling or list(operands)


def _with_device(operands: Sequence[JSONObject]) -> bool:
    """Whether any of them is not on the CPU."""
    return {device for item in operands for device in _devices(item)} != {"cpu"}


def _line(item: JSONObject, with_device: bool, lang: str) -> str:
    name = span(str(item["name"]))
    if item.get("of"):
        name = phrase("run_operand_of", lang, name=name, owner=span(str(item["of"])))
    return f"{name} {plain(shown(item, with_device))}"


def _devices(item: JSONObject) -> list[str]:
    found = [str(item["device"])] if item.get("device") else list(item.get("devices") or ())
    return found + [device for part in item.get("elements") or () for device in _devices(part)]


def shown(item: JSONObject, with_device: bool = True) -> str:
    """One operand in a few words: `float32[32, 400] cuda:0 requires_grad`."""
    kind = item["kind"]
    if kind in ("tensor", "parameter", "array"):
        return _tensor(item, with_device)
    if kind == "module":
        return _module(item, with_device)
    if kind == "optimizer":
        rates = ", ".join(f"{rate:g}" for rate in item["lrs"] if rate is not None)
        return f"{item['class']}, {item['groups']} groups, lr {rates}"
    if kind == "loader":
        length = item.get("dataset_length")
        return (
            f"{item['class']}, batch_size={item['batch_size']}, num_workers={item['workers']}, "
            f"{item['dataset']} of {'unknown length' if length is None else length}"
        )
    if kind in ("int", "float", "bool", "device", "dtype"):
        return f"{kind} {item.get('value', '(large)')}"
    if kind in ("str", "bytes"):
        return f"{kind} of length {item['length']}"
    if "length" in item:
        return _container(item, with_device)
    return str(item.get("class") or kind)


def _tensor(item: JSONObject, with_device: bool) -> str:
    words = [f"{item.get('dtype')}{item.get('shape')}"]
    if with_device and item.get("device"):
        words.append(str(item["device"]))
    if item.get("stride"):
        words.append(f"stride {tuple(item['stride'])}")
    if item.get("layout"):
        words.append(str(item["layout"]))
    if item.get("requires_grad") and item["kind"] != "parameter":
        words.append(f"grad_fn {item['grad_fn']}" if item.get("grad_fn") else "requires_grad, leaf")
    return " ".join(words)


def _module(item: JSONObject, with_device: bool) -> str:
    words = f"{item['class']}({item.get('settings') or ''})"
    if not item.get("training"):
        words += " eval"
    if with_device and item.get("devices"):
        words += " " + "/".join(item["devices"])
    return words


def _container(item: JSONObject, with_device: bool) -> str:
    text = f"{item['kind']} of {item['length']}"
    elements = [shown(part, with_device) for part in item.get("elements") or ()]
    if elements:
        text += ": " + ", ".join(dict.fromkeys(elements[:MAX_SIDE_BY_SIDE]))
    return text
