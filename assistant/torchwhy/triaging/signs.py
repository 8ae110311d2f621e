"""What the lines of a log look like that tell of a failure, of its rank, host and time.

Those on bytes run over whole logs, so none may backtrack over more than one bounded run.
"""

from __future__ import annotations

import re

SIGNS = "|".join(
    [
        r"Exception ignored in|Traceback \(most recent call last\)",
        r"(?:Error|Exception|Exit|Interrupt|Failed|Limit|Unsupported|Timeout|Iteration|Failure|Expected|Fault|Group)"
        r"\s?(?::|：|\r?\n|$)",
        r"what\(\):|\.exc\.[A-Z]",
        r"\b(?:Killed|Bus error|Segmentation fault|Aborted|core dumped)|已杀死|总线错误|段错误|已放弃",
        r"(?i:error|fatal): |ERROR:|Error (?:#|response)|sh: .{0,200}(?:No such file|not found|denied)|make(?:\[\d\])?: \*\*\*|name: E[A-Z]|NCCL WARN|(?:nccl|CUDA_ERROR_)\w+:|Fatal Python|\[(?:rank\d+\]:\[)?[EF]\d{0,4}[ \d]|THCudaCheck|Xid|Unexpected (?:bus|seg|float)",
        r"Could not load library|symbol lookup|Unable to load any|annot load symbol|Assertion `|CANCELLED AT",
    ]
)
# What a scheduler says of a job that it ended; no program prints it.
SCHEDULER = re.compile(
    r"^.{0,80}(?:slurmstepd: error: .{0,200}|CANCELLED AT .{0,200}|Out of memory: Killed process.{0,200})$",
    re.MULTILINE,
)
FOLLOWED = re.compile(  # what a rank says when another one is gone
    r"(?i)connection (?:closed|reset|refused)|broken pipe|socket timeout|watchdog caught collective|"
    r"remote process|timed out waiting|communicator was aborted|some NCCL operations have failed|ncclRemoteError|"
    r"Connectivity|SIGTERM|CANCELLED AT (?!.{0,60}DUE TO)"
)
TEARDOWN = re.compile(r"Exception ignored in|leaked|destroy_process_group\(\)")
STAMP = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")
PROGRESS = re.compile(rb"(?i)\b(?:epoch|step|iter(?:ation)?)\b[\s:=\[(/]{0,4}\d|\d%\|")
LABEL = re.compile(
    rb"(?m)\[(?:rank|default|local_rank|Rank )\s?(\d+)\]|\b(?:rank|worker) ?(\d+)\b|^(\d{1,3}): |\bpid=(\d+)"
)
# Errors that no traceback and no exception's name announces, or whose exception has an unusual name.
ODD_NAME = re.compile(
    r"^(?:(?:[A-Za-z_]\w{0,60}\.){1,8}[A-Za-z_]\w{0,60}|[A-Za-z]\w{0,60}Error|Exception|error)(?::|$)"
)
BARE = re.compile(
    r"^(?:[\w./-]{1,40}: ){0,2}(?:ERROR|FATAL|[Ee]rror|fatal)(?: [\w ]{1,30})?:.|^(?:nccl|CUDA_ERROR_)\w{1,40}:|\bNCCL WARN .{0,40}\bError\b|"
    r"^(?:ba|da|z)?sh: .{0,200}(?:No such file|not found|denied)|^g?make(?:\[\d\])?: \*\*\*|^code: -\d+, name: E|\bNVRM: Xid "
)
LAUNCHER_LINE = re.compile(r"torch\.distributed|elastic|local_rank: \d+ \(pid")
LAUNCHED = frozenset(
    ["ChildFailedError", "ProcessRaisedException", "ProcessExitedException", "CalledProcessError"]
)
MAX_BARE_LINES, MAX_BARE_CHARS = 8, 600  # of such an error's message
LAUNCHER = re.compile(rb"Root Cause \(first observed failure\)")
LAUNCHER_RANK = re.compile(rb"\brank\s*:\s*(\d+)")
HOST = re.compile(
    rb"(?m)^[^\n]{0,80}?([A-Za-z][\w.-]{1,60}):\d+:\d+ \[\d+\] NCCL|"
    rb"^\W*host\s*:\s*([\w.-]{2,60})|SLURMD_NODENAME\W{1,3}([\w.-]{2,60})|\bhost(?:name)?[=:]\s?([\w.-]{2,60})|"
    rb"([\w.-]{2,60}) kernel: [^\n]{0,60}Xid|error: \*\*\* (?:JOB|STEP) \S+ ON ([\w.-]{2,60})"
)
