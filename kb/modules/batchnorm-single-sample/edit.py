"""A batch of one sample: a prediction of a model that still trains, or the rest at the end of a loader."""

import ast

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values
from torchwhy.source.kinds import makers
from torchwhy.source.line import failing_call
from torchwhy.source.nodes import argument, inside, last_name
from torchwhy.source.own_file import value_of, without_gradients


def eval_first(line: FailingLine, values: Values) -> LineEdit | None:
    """`model.eval()` before it predicts: where no gradients are wanted, or the program trains nothing any more,
    and no training goes on behind it that does not call `model.train()` itself.
    """
    outside = line.model_called()
    source, statement, call = outside.source, outside.statement(), failing_call(outside.here)
    if source is None or statement is None or call is None or not isinstance(call.func, NAMED):
        return None
    block = without_gradients(source, statement)
    model, loops = ast.unparse(call.func), source.loops(statement)
    last = max((each.lineno for each in source.called_as("backward", "step")), default=0)
    ended = source.function(statement) is None and not loops and last < statement.lineno
    if (block is None and not ended) or (loops and not _trains(loops[-1], model)):
        return None
    return outside.put_before(block if isinstance(block, ast.With) else statement, f"{model}.eval()")


def without_the_rest(line: FailingLine, values: Values) -> LineEdit | None:
    """`drop_last=True` of the loader over whose batches the training goes."""
    outside = line.model_called()
    source, statement = outside.source, outside.statement()
    loops = source.loops(statement) if source is not None and statement is not None else []
    over = loops[0].iter if loops and isinstance(loops[0], ast.For | ast.AsyncFor) else None
    if source is None or statement is None or without_gradients(source, statement) is not None:
        return None
    made = [value for each in inside(over, *NAMED, ast.Call) for value in makers(source, each)]
    loaders = [each for each in dict.fromkeys(made) if last_name(each.func) == "DataLoader"]
    sizes = [argument(each, 1, "batch_size") for each in loaders]
    if len(loaders) != 1 or sizes[0] is None or value_of(source, sizes[0]) == 1:
        return None
    return outside.with_keyword(loaders, "drop_last=True")


def _trains(loop: ast.AST, model: str) -> bool:
    return f"{model}.train" in [ast.unparse(each.func) for each in inside(loop, ast.Call)]
