"""Making a paste readable: terminal escapes, carriage returns, rank and time prefixes, notebooks' arrows.
Pure functions.

Nothing of a paste is ever printed before it went through `plain`.
"""

from __future__ import annotations

import re
from itertools import pairwise

from torchwhy.text.lazy_re import lazy_compile
from torchwhy.text.plain import plain

# The escape byte itself is often lost on the way through a web page; what is left looks like [0;31m or [1m.
LOST_ANSI = lazy_compile(r"\[(?:\d{1,3}(?:;\d{1,3}){0,4})m")
RANK = lazy_compile(
    r"^(?:"
    r"\[(?:rank|default|local_rank|Rank )\s?(\d+)\]:?\s?|"  # [rank0]: of torchrun
    r"\[?(?:Rank|rank|worker|GPU)[ _]?(\d+)\]?[:|]\s|"
    r"(\d{1,3}): (?=\S)|"  # srun --label
    r"\((?:\w+ )*(?:ip=[\d.]+,? )?(?:pid|ip)=(\d+)[^)]*\)\s?"  # ray, vLLM: a process, kept apart but no rank
    r")"
)
# ComfyUI's report of an error, and VS Code's: the two halves of the exception's line, above its frames.
REPORTED = lazy_compile(r"Exception Type:|Exception has occurred:|发生异常[:：]")
REPORTED_TYPE = lazy_compile(
    r"^\W{0,8}(?:Exception Type:\W{0,4}\s|Exception has occurred: |发生异常[:：] ?)([A-Za-z_][\w.]{0,80})"
    r"\s*(?:\(note: .*)?$"
)
REPORTED_HEADING = lazy_compile(r"^#{1,3} [A-Z][\w ]{0,40}$")
REPORTED_MESSAGE = lazy_compile(r"^\W{0,8}(?:Exception Message:\W{0,4}\s)?(\S.*)$")
MISQUOTED = lazy_compile(r"(?<![\w'\"])(['\"])([\w.]{1,80})['\"](?![\w'\"])")  # a name, retyped: 'torch.fx"
# A file as a web page links it, Colab's tracebacks among them.
LINKED = lazy_compile(r"\[([^\]\s\[]{1,300})\]\(https?://[^\s)]{1,300}\)")
QUOTED = lazy_compile(r"^\s{0,3}>(?!>) ?")
HEAD = "Traceback (most recent call last)"
MAX_PREFIX_CHARS, MAX_PREFIXES = 120, 3
NUMBERS = lazy_compile(r"\d+")
BOXED = lazy_compile(r"^ *[╭│╰]─* ?")  # of rich, which draws a traceback in a box
BOX_END = " ─╮│╯"
POINTED = lazy_compile(r"^❱ (\d+) [│ ]*")
ENTITY = lazy_compile(r"&(?:quot|gt|lt|amp|#39);")
ENTITIES = {"&quot;": '"', "&gt;": ">", "&lt;": "<", "&amp;": "&", "&#39;": "'"}
STAMP = lazy_compile(
    r"^\s*\[?"
    r"(?:\d{4}[-/]\d\d[-/]\d\d[T ]|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)?\s?[A-Z][a-z]{2} [ \d]\d )?"
    r"\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d)?\]?[\s:|-]*"
    r"(?:\[?\b(?:DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL|FATAL|stderr|stdout)\b\]?[\s:|-]*)?"
)
TRACED = "TorchRuntimeError"
OF_THE_BREAK = lazy_compile(
    r"^\s*(?:Hint: |Developer debug context:|For more details about this graph break)"
)
QUOTED_ERROR = lazy_compile(r"""^(\w+)\((?:'(.*)'|"(.*)")\)$""")
MAX_HEADING_LINES = 3  # in which the report's next heading follows
MAX_STAMP_CHARS = 80
MAX_RANK_DIGITS = 9
LEVEL = lazy_compile(r"[A-Za-z]{4,}\W*$")


def overwritten(line: str) -> str:
    """What a terminal shows of a line with carriage returns: of each rewrite the last, unless an error stands
    earlier.
    """
    parts = [part for part in line.split("\r") if part.strip()]
    if len(parts) <= 1:
        return parts[0] if parts else ""
    kept = [part for part in parts[:-1] if "Error" in part or "Traceback" in part or "Warning" in part]
    return "\n".join([*kept, parts[-1]])


def lines_of(text: str) -> list[tuple[str, int | None]]:
    """The paste's lines as (text, rank), prefixes removed; rank is None where no prefix names one, and below
    0 where it is a process id.
    """
    text = ENTITY.sub(lambda found: ENTITIES[found[0]], plain(text)) if "&" in text else plain(text)
    text = MISQUOTED.sub(r"\1\2\1", text)
    if "[" in text:
        text = LINKED.sub(r"\1", LOST_ANSI.sub("", text))
    if "\r" in text:
        text = "\n".join(overwritten(line) for line in text.split("\n"))
    lines = [line.rstrip() for line in text.expandtabs(4).split("\n")]
    if "Exception Group Traceback" in text:
        lines = [re.sub(r"^\s*[|+](?:[-+]+ (?:\d+ -+|\.\.\. -+)?)?\s?", "", line) for line in lines]
    if "╭" in text:
        lines = [POINTED.sub(r"--> \1 ", BOXED.sub("", line.rstrip(BOX_END))) for line in lines]
    lines = unquoted(lines)
    result = []
    for line in lines:
        rank: int | None = None
        stamped = STAMP.match(line)
        if stamped and stamped.end():
            bare = len(stamped[0].rstrip())
            # behind a bare stamp (`docker logs -t`) the line's own indentation begins after one blank
            line = (
                line[bare + 1 :]
                if stamped[0][bare - 1].isalnum() and not LEVEL.search(stamped[0][-MAX_STAMP_CHARS:])
                else line[stamped.end() :]
            )
        found = RANK.match(line)
        if found:
            number = next(group for group in found.groups() if group is not None)
            rank = int(number[:MAX_RANK_DIGITS]) * (-1 if found[4] else 1)
            line = line[found.end() :]
        result.append((line, rank))
    result = _unprefixed(result) if HEAD in text else result
    result = _unwrapped(result) if TRACED in text else result
    return _reported(result) if REPORTED.search(text) else result


def _unprefixed(lines: list[tuple[str, int | None]]) -> list[tuple[str, int | None]]:
    """The lines without what a logger, a container or a launcher wrote before each: what stands before a
    traceback's head, its numbers aside, and before the line below it.
    """
    shapes: dict[str, re.Pattern[str]] = {}
    for (line, _), (below, _) in pairwise(lines):
        prefix, head, _ = line.partition(HEAD)
        bare = prefix.rstrip()
        if not head or not bare or len(prefix) > MAX_PREFIX_CHARS or len(shapes) == MAX_PREFIXES:
            continue
        shape = r"\d+".join(map(re.escape, NUMBERS.split(bare)))
        pattern = shapes.get(shape) or re.compile(rf"^{shape}(?: {{{len(prefix) - len(bare)}}}|$)")
        if pattern.match(below):
            shapes[shape] = pattern
    for pattern in shapes.values():
        lines = [(pattern.sub("", line), rank) for line, rank in lines]
    return lines


def _unwrapped(lines: list[tuple[str, int | None]]) -> list[tuple[str, int | None]]:
    """The error that torch.compile met while it traced, as it reads uncompiled: it is quoted in the
    explanation of another one, or stands below `Failed running ...:`, as releases up to 2.6 have it.
    """
    result: list[tuple[str, int | None]] = []
    head = -1  # the line of the error that quotes another one
    for number, (line, rank) in enumerate(lines):
        error = QUOTED_ERROR.match(line.partition(": got ")[2]) if 0 <= head < number <= head + 2 else None
        if error:
            result[head] = ("", result[head][1])
            line = f"{error[1]}: " + (error[2] or error[3] or "").replace("\\n", " ").replace("\\'", "'")
        elif 0 <= head == number - 1 and ": Failed running " in result[head][0] and line.strip():
            result[head] = ("", result[head][1])
            line = f"RuntimeError: {line.lstrip()}"
        elif head >= 0 and OF_THE_BREAK.match(line) and not result[head][0]:
            line = ""
        head = number if f"{TRACED}: " in line else head
        result.append((line, rank))
    return result


def _reported(lines: list[tuple[str, int | None]]) -> list[tuple[str, int | None]]:
    """The exception of a report written as one line, as Python does."""
    result: list[tuple[str, int | None]] = []
    heading_until = -1
    for number, (line, rank) in enumerate(lines):
        name = REPORTED_TYPE.match(result[-1][0]) if result else None
        message = REPORTED_MESSAGE.match(line) if name else None
        if name and message:
            result[-1] = ("", result[-1][1])
            line = f"{name[1]}: {message[1]}"
            heading_until = number + MAX_HEADING_LINES
        elif number <= heading_until and REPORTED_HEADING.match(line):
            line = ""  # it would be read as more of the message
        result.append((line, rank))
    return result


def unquoted(lines: list[str]) -> list[str]:
    """The lines without the marks of a quotation: several lines in a row that begin with one, blank ones
    aside; pytest marks a single line, and Python's prompt has three.
    """
    result, run = list(lines), []
    for number, line in enumerate([*lines, "-"]):
        if QUOTED.match(line):
            run.append(number)
        elif line.strip():
            if len(run) > 1:
                for each in run:
                    result[each] = QUOTED.sub("", lines[each])
            run = []
    return result
