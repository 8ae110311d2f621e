"""Whether the file sets up the process group itself."""

from torchwhy.source.edits import FailingLine, LineEdit, Values


def call_of_init(line: FailingLine, values: Values) -> LineEdit | None:
    calls = line.calls("init_process_group")
    return line.shown(calls[0].lineno) if len(calls) == 1 else None
