"""Whether a text says that something is wrong.

A healthy log does not, nor does a question about how to do a thing: nothing went wrong there, however near
its words are to those of an entry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from torchwhy.text.lazy_re import lazy_compile

from .paste import Paste, is_prose

MAX_SEARCHED_CHARS = 20_000
MAX_LINES, MAX_LINE_CHARS = 300, 400  # of a text, what decides whether it is a log

# What somebody says, or a program prints, where something is not as it should be.
COMPLAINT = lazy_compile(
    r"\b(?:errors?|exceptions?|traceback|fail\w*|crash\w*|warn\w*|abort\w*|killed|dies?|died|segfault|fault|"
    r"wrong\w*|weird|strange\w*|odd|broken?|bug\w*|issues?|problems?|trouble|unexpected\w*|complain\w*|refuse[sd]?|invalid|"
    r"incorrect\w*|incompatib\w*|mismatch\w*|missing|corrupt\w*|unsupported|illegal|denied|impossible|cannot|"
    r"out of (?:\w+ )?(?:memory|v?ram)|stays|nan|nans|inf|infinity|overflow\w*|underflow\w*|explod\w*|vanish\w*|oom|leak\w*|"
    r"slow\w*|hang|hangs|hanging|hung|stuck|freez\w*|frozen|deadlock\w*|stall\w*|idle|forever|endless\w*|timeout|"
    r"worse|bad|poor\w*|low|lower|drops?|dropped|falls?|jump\w*|grow\w*|grew|climb\w*|increas\w*|decreas\w*|rises?|"
    r"rising|fluctuat\w*|diverg\w*|converg\w*|learn(?:ing)? anything|different\w*|differs?|disagree\w*|same|equal|"
    r"why|instead|unlike|although|though|despite|but|however|yet|still|only|always|never|none|nothing|no|not|"
    r"without|nor|unable|unused|ignored?|lost|lose[s]?|forgot\w*|too|twice|suddenly|anymore|should(?:n)?|supposed|"
    r"expect\w*|stops?|stopped|gone|remain\w*|avoid|prevent|get rid|safe|wait\w*|reproduc\w*|"
    r"reject\w*|gets?|got|throws?|raise[sd]?|happens?|seems?|after|before|when|full|use[sd]? up|right)\b|n't\b|n’t\b",
    re.IGNORECASE,
)
COMPLAINT_ZH = lazy_compile(
    "错|报|失败|崩|挂|卡|死|慢|不|没|无|未|为什么|为何|为啥|怎么回事|怎么是|怎么变|怎么办|怎么会|咋|却|但|只|反而|竟|居然|还是|仍|一直|总|"
    "越来越|突然|差|低|高|降|涨|升|变|泄漏|泄露|异常|警告|问题|奇怪|爆|溢出|丢|缺|找不到|不同|一样|不一|相同|重复|"
    "正常吗|对吗|原因|解决|避免|防止|能否|可以吗|行吗|会不会|是不是|应该|之后|以后|才"
)
# The same where a program's own lines say it: "no", "none" and "after" are nothing there.
FAILURE = lazy_compile(
    r"error|exception|traceback|fail|crash|abort|killed|segfault|\bfault|invalid|illegal|mismatch|missing|corrupt|unsupported|"
    r"\b(?:nan|inf|oom|hang|hung|slow\w*)\b|overflow|out of memory|leak|stuck|deadlock|timeout|timed out|not (?:found|available|"
    r"supported|implemented)|cannot|can't|unable|错|失败|崩|异常|溢出|卡住|变慢|找不到",
    re.IGNORECASE,
)
# Failures that did not happen, and what reports say of what they did not look for.
HARMLESS = lazy_compile(
    r"\b0 (?:errors?|corrupt|failed|failures|missing)|\b(?:overflow|errors?|failed|missing|skipped)(?: \w+)?[:= ]{1,2}0\b|"
    r"\bVulnerability [\w ]{1,40}: [^\n]{0,200}|Could not collect|\[not set\]|No device found|if (?:it|they) fail|"
    r"on failure|not found, using \w+",
    re.IGNORECASE,
)
MARKED = lazy_compile(  # as loggers begin
    r"^\W*(?:\S{1,80}\] |\[[\w ./:-]{1,60}\]|INFO\b|DEBUG\b|[IVW]\d{4} |wandb: |(?:\S{1,80} (?:\[\d+\] )?)?NCCL INFO )"
)
# Somebody's words, though they are little more than code: no program prints the verb.
TOLD = lazy_compile(r"is_available(?:\(\))? (?:is|was|returns?|returned|gives?) False\b")
FIRST_PERSON = lazy_compile(r"\b(?:I|my|we|our|me)\b|我")
MAX_LOG_WORDS = 16  # of a line that reads like prose and begins as programs begin
MIN_LOG_SHARE = 0.7  # of a text's lines, from which it is a log
LABEL = lazy_compile(  # "cuDNN version: 9", "loss scale = 512", "loss scale 512, ..."
    r"^\W*\w(?:[\w ./()-]{0,40}(?:: |= ?)|[\w ]{0,30} \d[\w.%/-]{0,20}(?:,|\s\||$))"
)
ASKED = lazy_compile(r"[?？](?!\s*(?:it|img|B)/s)")  # a progress bar that has not begun shows ?it/s
# Of a log's line that reads like prose: how programs begin to say what they do.
LOG_START = lazy_compile(
    r"^\W*(?:\S+ )?(?:Using|Loading|Loaded|Saving|Saved|Initializ|Setting|Starting|Started|Running|"
    r"Finished|Downloading|Installing|Collecting|Requirement|Successfully|Building|Restored|Resuming|Detected|Found|"
    r"Trainer|All |The following|Number of|Total|Writing|Configuration|Model|wandb|Epoch|Step|Best|done|"
    r"[Ee]xported \S{1,80}\.\w)",
)
HOW_TO = lazy_compile(
    r"^\W*(?:(?:hi|hello|hey|please|ok|so|and)\W+)*(?:how (?:do|can|should|would|could|to|does|many|much)\b|"
    r"what (?:is|are|does|do|s|would)\b|what's\b|which\b|where\b|can (?:you|i|we)\b|could you\b|is (?:there|it)\b|"
    r"are there\b|does\b|explain\b|show me how\b|any (?:recommend|suggest|advice)|recommend)",
    re.IGNORECASE,
)
HOW_TO_ZH = lazy_compile("怎么|怎样|如何|什么|哪些|哪个|有没有|区别|推荐|该怎么|多少|能不能|吗[？?]?$")


Calm = Literal["log", "how", "plain"]


def calm(paste: Paste) -> Calm | None:
    """Of a text in which nothing is said to be wrong what it is: a healthy log, a question about how to do a
    thing, or a plain statement. None where something is.
    """
    text = paste.text[:MAX_SEARCHED_CHARS]
    if paste.root is not None or not text.strip():
        return None
    if is_log(paste.lines) and not ASKED.search(text) and not tells_failure(text):
        return "log"
    if COMPLAINT.search(text) or COMPLAINT_ZH.search(text):
        return None
    return "how" if HOW_TO.search(text) or HOW_TO_ZH.search(text) else "plain"


def tells_failure(text: str) -> bool:
    """Whether a program's lines speak of a failure, though none of them is read as an error."""
    text = text[:MAX_SEARCHED_CHARS]
    return bool(FAILURE.search(HARMLESS.sub("", text)) or TOLD.search(text))


def is_log(lines: Sequence[str]) -> bool:
    """Whether most lines of a text are a program's own."""
    filled = [line[:MAX_LINE_CHARS] for line in lines[:MAX_LINES] if line.strip()]
    if any(TOLD.search(line) for line in filled):
        return False
    return sum(map(is_log_line, filled)) >= MIN_LOG_SHARE * len(filled)


def is_log_line(line: str) -> bool:
    """Whether a line is a program's own, or a command, rather than somebody's sentence."""
    if MARKED.match(line):
        return True
    told = HARMLESS.sub("", line)
    if COMPLAINT.search(told) or COMPLAINT_ZH.search(told) or FIRST_PERSON.search(told):
        return False
    if not is_prose(line):
        return True
    starts = LOG_START.match(line) or LABEL.match(line)
    return starts is not None and len(line.split()) <= MAX_LOG_WORDS
