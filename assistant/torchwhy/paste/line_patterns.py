"""What the lines of a paste look like: headers, frames, errors, wrappers, noise. `parse` reads with these
patterns.

They run on untrusted text with Python's `re`, so none may backtrack over more than one run of characters: a
line costs time in proportion to its length (tests/paste/test_linear.py measures each).
"""

from __future__ import annotations

import re

from torchwhy.text.lazy_re import lazy_compile


def _any(*alternatives: str) -> str:
    return "|".join(alternatives)


_ENDINGS = (
    "Error|Exception|Warning|Exit|Interrupt|Failed|Limit|Unsupported|Timeout|Iteration|Failure|HitLimit|Expected"
    "|Fault|Group"
)
NAME = rf"(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:{_ENDINGS})"
EXCEPTION = lazy_compile(
    rf"^\s*(?:[EF]\s+)?({NAME}|(?:[A-Za-z_]\w*\.)+exc\.[A-Z]\w+|Exception|KeyboardInterrupt|StopIteration)"
    r"(?::\s?(.*)|\s*)$"
)
# Below the frames of a traceback an exception may have any name, as GuardOnDataDependentSymNode of torch.fx.
RAISED = lazy_compile(r"^((?:[A-Za-z_]\w*\.)+[A-Z]\w*): (.+)$")
INLINE = lazy_compile(rf"(?:^|[\s(>`'\"：:，,。*|])({NAME})\s?[:：]\s?(.+)$")  # an error inside a sentence
# A line of pytest's summary: what a test raised, often cut off, once more.
SUMMARY = lazy_compile(rf"^(?:FAILED|ERROR) \S+\.py\S*(?: .*?)? - ({NAME})(?:: (.*))?$")
NOTEBOOK = lazy_compile(rf"^\s*({NAME})\s+Traceback \(most recent call last\)")
HEADER = lazy_compile(r"(?:^|[\s|+-])Traceback \(most recent call last\):?\s*$")
FRAME = lazy_compile(r'^[\s|>`*]*File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>.+))?')
# Where a notebook's frame stands: a file, or a cell; what follows is read by `notebook_frame`.
NOTEBOOK_PLACE = lazy_compile(
    r"^(?: {0,4}File )?(?:[/~.\w\\:-]+\.py\b|<ipython-input|Cell In\b|Input In \[\d)"
)
PLACE_NUMBER = lazy_compile(r"(?:, line |:)(\d+):?$")
# Such a frame that is one without a header above it: of a cell, of Spyder, of pytest's short tracebacks.
OPENING = lazy_compile(r"^(?:Cell In\[\d| {0,4}File \S+\.py:\d+(?: in \S|$)|\S+\.py:\d+: in \S)")
ARROW = lazy_compile(r"^\s*-+>\s?(\d+)\s(.*)$")  # the line that a notebook points at
WARNING = lazy_compile(r"^(?P<file>\S.*?):(?P<line>\d+): (?P<name>\w*Warning): (?P<message>.*)$")
NAMED_WARNING = lazy_compile(r"\b(\w+Warning): (.*)")
COMPILED = lazy_compile(r"^\s*from user code:\s*$")  # above the lines that torch.compile was tracing
CARETS = lazy_compile(r"^[ ~^]*\^[ ~^]*$")
CHAIN = lazy_compile(
    _any("During handling of the above exception", "The above exception was the direct cause")
)
PLACE = lazy_compile(r":\d+: ")  # a line of a source file, as compilers and device code name it
CPP = lazy_compile(r"^\s*what\(\):\s+(.*)$")
SHELL = lazy_compile(
    r"^(?:"
    + _any(
        r".*\b(?:Killed|已杀死|Bus error|总线错误|Segmentation fault|段错误|Aborted|已放弃)\b"
        r"(?: \([^()]*\)|（[^（）]*）)?\s*(?:python.*)?",
        r".*error: unrecognized arguments:.*",
        r".*error: the following arguments are required:.*",
        r"OMP: Error #\d+:.*",
        r"Fatal Python error: .*",
        r"\[[EF]\d{0,4}[ \d:.-]*\w+\.(?:cpp|cc|py):\d+\].*",
        r".*\[E ?ProcessGroup.*",
        r".*THCudaCheck FAIL.*",
        r".*NVRM: Xid.*",
        r"\S+:\d+: failed assertion [`'].*",
        r"Error [a-z][\w ,-]{2,80} at line \d+ in file \S.*\.(?:cuh?|cpp)\s*",  # bitsandbytes' last
        r"(?:.*\b)?ERROR: Unexpected (?:bus error|segmentation fault|floating-point exception).*",
    )
    + r")$"
)
# What a loader says when a library is missing or does not fit, and glibc of a damaged heap: the cause of the
# crash below it, without an exception's name. TensorFlow's "Could not load dynamic library" is a warning of
# another kind.
LOADER = lazy_compile(
    r"^\s*(?:[\w./-]{1,80}: )?(?:"
    + _any(
        r"Could not load library \S",
        r"(?:[\w./-]{1,80}: )?symbol lookup error: ",
        r"error while loading shared libraries: ",
        r"Unable to load any of \{",
        r"Cannot load symbol \w",
        r"Invalid handle\. Cannot load symbol ",
        r"(?:free|malloc|realloc|munmap_chunk|malloc_consolidate)\(\): [a-z]",
        r"double free or corruption \(",
        r"corrupted (?:size vs\. prev_size|double-linked list)",
    )
    + ")"
)
ADVICE = lazy_compile(
    _any(
        "For debugging consider passing CUDA_LAUNCH_BLOCKING",
        "Compile with `?TORCH_USE_CUDA_DSA",
        "CUDA kernel errors might be asynchronously",
        "Set TORCH_LOGS=",
        "You can suppress this exception",
        "Search for `",
        "TORCHDYNAMO_VERBOSE",
        "To enable debugging",
        "Hint: ",
        "To execute this test",
        "Device-side assertion tracking was not enabled",
    )
)
WRAPPERS = lazy_compile(
    "(?:ChildFailedError|ProcessRaisedException|ProcessExitedException|CalledProcessError|CellExecutionError"
    "|PapermillExecutionError|RayTaskError|BackendCompilerFailed|InductorError|MultiprocessingException"
    "|ExceptionGroup|LoweringException|TorchRuntimeError)$"
)
WRAPPED = lazy_compile(
    _any(
        r"^Caught \w+ in (?:DataLoader worker process|replica|pin memory thread)",
        r"^DataLoader worker \(pid.*\) exited unexpectedly",
    ),
    re.IGNORECASE,
)
CASCADES = lazy_compile(
    _any(
        "Connection (?:closed by|reset by) peer",
        "SIGTERM",
        r"Sending process \d+ closing signal",
        "Broken pipe",
        "leaked semaphore",
        r"destroy_process_group\(\)",
        "To avoid data inconsistency, we are taking the entire process down",
        "Exception ignored in",
        "BrokenPipeError",
        "EOFError",
        r"Received Signals\.SIGTERM",
        "SignalException",
        "Process group watchdog thread terminated",
        "NCCL communicator was aborted",
    )
)
TORCH_RELEASE = lazy_compile(
    r"(?:torch(?:\.__version__)?|pytorch|PyTorch)(?: version)?\s{0,9}(?:[:=]{1,2}|==)?\s{0,9}"
    r"v?(\d+\.\d+(?:\.\d+)?(?:\+\w+)?)"
)
ABORTED = lazy_compile(
    r"^(?:Aborted|已放弃)\b"
)  # the shell's word after abort(): what led to it stands above
IGNORED = lazy_compile(r"^Exception ignored in\b")  # what the interpreter says while it goes down
STOP = lazy_compile(
    _any(
        r"^\s*$",
        r"Traceback(?: \(most recent|:$)",
        r"^\s*File \"",
        "^During handling",
        "^The above exception",
        r"^\S+:\d+: \w*Warning: ",
        "^-{10,}$",
        "^[=]{10,}$",
        r"^Exception (?:ignored in|in thread)\b",
        r"^-- Process \d+ terminated",
        "^(?:```|~~~)",
        "^(?:wandb|srun|slurmstepd|mpirun|make|bash): ",
        r"^(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]+:",
        r"^\[?[IWEF]\d{4} \d\d:\d\d",
        r"\d%\|[^|]*\|",  # a progress bar
        r"^(?:\([\w.-]+\) )?(?:PS [A-Z]:\\.*>|[\w.-]+@[\w.-]+:.*[$#](?: |$))",  # a prompt
    )
)
SOURCE = lazy_compile(r"^  \S")  # the source line that Python shows below a warning
NOT_PROSE = lazy_compile(
    _any(
        r"%\|",
        "it/s",
        r"^\s*(?:Epoch|epoch|Step|step|iter|\[|\{|import |from \w+ import|def |class |return )",
        r"^\s*(?:self\.|\$ |>>> |#)",
        r"^\s*(?:for|with) .*:$",
        r"^\s*\w+(?:\.\w+)*\s*=[^=]",
    )
)
CALL = lazy_compile(r"\w\(")
