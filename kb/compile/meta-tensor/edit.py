"""What was made without data."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import constant, inside, words

# By these a program gets the data of what it made on meta.
FILLS = words("to_empty assign load_checkpoint_and_dispatch init_empty_weights set_module_tensor_to_device")


def with_data(line: FailingLine, values: Values) -> LineEdit | None:
    """The only "meta" of the file as "cpu", where nothing brings the data later."""
    if line.source is None or line.uses(*FILLS):
        return None
    found = [each for each in inside(line.source.tree, ast.Constant) if constant(each) == "meta"]
    return alone(line.put(found[0], '"cpu"') if len(found) == 1 else None)
