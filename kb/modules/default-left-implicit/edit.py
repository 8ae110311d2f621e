"""torch's meshgrid, in a file where it can be no other one."""

from torchwhy.source.edits import FailingLine, LineEdit, Values


def meshgrid_of_torch(line: FailingLine, values: Values) -> LineEdit | None:
    if line.uses("np", "numpy", "jnp"):
        return None
    return line.with_keyword(line.calls("meshgrid"), 'indexing="ij"')
