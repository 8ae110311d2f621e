"""What the lines of a paste look like: headers, frames, errors, wrappers, noise. Patterns alone; `paste` reads with them."""

from __future__ import annotations

import re

NAME = r"(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Failed|Limit|Unsupported|Timeout|Iteration|Failure|HitLimit|Expected|Fault|Group)"
EXCEPTION = re.compile(rf"^\s*(?:[EF]\s+)?({NAME}|(?:[A-Za-z_]\w*\.)+exc\.[A-Z]\w+|KeyboardInterrupt|StopIteration)(?::\s?(.*)|\s*)$")
INLINE = re.compile(rf"(?:^|[\s(>`'\"：:，,。*|])({NAME})\s?[:：]\s?(.+)$")
NOTEBOOK = re.compile(rf"^\s*({NAME})\s+Traceback \(most recent call last\)")
HEADER = re.compile(r"^(?P<indent>[\s|+-]*)(?:\S.*\s)?(?P<original>Original )?Traceback \(most recent call last\):?\s*$")
FRAME = re.compile(r'^\s*(?:\|\s*)?File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>.+))?')
NOTEBOOK_FRAME = re.compile(
    r"^(?P<file>(?:[/~.\w\\:-]+\.py|<ipython-input[^>]*>|Cell In\[?\d*\]?[^:]*|Input In \[\d+\])[^ ]*)(?:,? in |:\d+, in )(?P<function>[\w.<>]+\(?.*)?$"
)
ARROW = re.compile(r"^\s*-+>\s?(\d+)\s(.*)$")
WARNING = re.compile(r"^(?P<file>\S.*?):(?P<line>\d+): (?P<name>\w*Warning): (?P<message>.*)$")
CHAIN = re.compile(r"During handling of the above exception|The above exception was the direct cause")
ASSERT = re.compile(r"(?:\.cu|\.cuh|\.cpp|\.h)?:\d+: .*Assertion `?.+?`? failed")
CPP = re.compile(r"^\s*what\(\):\s+(.*)$")
SHELL = re.compile(
    r"^(?:.*\b(?:Killed|已杀死|Bus error|总线错误|Segmentation fault|段错误|Aborted|已放弃)\b(?: \(.*\)|（.*）)?\s*(?:python.*)?|.*error: unrecognized arguments:.*|"
    r".*error: the following arguments are required:.*|OMP: Error #\d+:.*|Fatal Python error: .*|\[[EF]\d{0,4}[ \d:.-]*\w+\.(?:cpp|cc|py):\d+\].*|.*\[E ?ProcessGroup.*|.*THCudaCheck FAIL.*|.*NVRM: Xid.*|(?:.*\b)?ERROR: Unexpected (?:bus error|segmentation fault|floating-point exception).*)$"
)
ADVICE = re.compile(
    r"For debugging consider passing CUDA_LAUNCH_BLOCKING|Compile with `?TORCH_USE_CUDA_DSA|CUDA kernel errors might be asynchronously|"
    r"Set TORCH_LOGS=|You can suppress this exception|Search for `|TORCHDYNAMO_VERBOSE|To enable debugging|Hint: |To execute this test|"
    r"Device-side assertion tracking was not enabled"
)
WRAPPERS = re.compile(
    r"(?:ChildFailedError|ProcessRaisedException|ProcessExitedException|CalledProcessError|RayTaskError|BackendCompilerFailed|InductorError|"
    r"MultiprocessingException|ExceptionGroup|LoweringException|TorchRuntimeError)$"
)
WRAPPED = re.compile(r"^Caught \w+ in (?:DataLoader worker process|replica|pin memory thread)|^DataLoader worker \(pid.*\) exited unexpectedly", re.IGNORECASE)
CASCADES = re.compile(
    r"Connection (?:closed by|reset by) peer|SIGTERM|Sending process \d+ closing signal|Broken pipe|leaked semaphore|destroy_process_group\(\)|"
    r"To avoid data inconsistency, we are taking the entire process down|Exception ignored in|BrokenPipeError|EOFError|Received Signals\.SIGTERM|"
    r"SignalException|Process group watchdog thread terminated|NCCL communicator was aborted",
)
TORCH_RELEASE = re.compile(r"(?:torch(?:\.__version__)?|pytorch|PyTorch)(?: version)?\s*(?:[:=]{1,2}|==)?\s*v?(\d+\.\d+(?:\.\d+)?(?:\+\w+)?)")
ABORTED = re.compile(r"^(?:Aborted|已放弃)\b")  # the shell's word after abort(): what led to it stands above
IGNORED = re.compile(r"^Exception ignored in\b")  # what the interpreter says while it goes down
STOP = re.compile(
    r"^\s*$|Traceback \(most recent|^\s*File \"|^During handling|^The above exception|^\S+:\d+: \w*Warning: |^-{10,}$|^[=]{10,}$|"
    r"^Exception (?:ignored in|in thread)\b|^-- Process \d+ terminated|^(?:```|~~~)|^(?:wandb|srun|slurmstepd|mpirun|make|bash): |"
    r"^(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]+:|^\[?[IWEF]\d{4} \d\d:\d\d|\d+%\|.*\||"
    r"^(?:\([\w.-]+\) )?(?:PS [A-Z]:\\.*>|[\w.-]+@[\w.-]+:.*[$#](?: |$))"
)
SOURCE = re.compile(r"^  \S")
NOT_PROSE = re.compile(
    r"%\||it/s|^\s*(?:Epoch|epoch|Step|step|iter|\[|\{|import |from \w+ import|def |class |return |for .*:$|with .*:$|self\.|\$ |>>> |#)|^\s*\w+(?:\.\w+)*\s*=[^=]|\w+\(.*\)\s*$"
)
