"""A state that goes from batch to batch with its graph, and a picture that the discriminator's loss has used up."""

import ast

from assistant.lint.context import without_gradients
from assistant.lint.kinds import kind
from assistant.lint.module import constant, position
from assistant.lint.rule import look

CUT = ("detach", "detach_", "data")

SAYS = {
    "en": "`{code}` {what}",
    "zh": "`{code}` {what}",
}
FIX = {
    "en": "{instead}",
    "zh": "{instead}",
}
IN_REPRO = "output, hidden = rnn(x, between_batches(hidden))"


def find(module):
    if any(
        keyword.arg == "retain_graph" and constant(keyword.value) is not False
        for call in module.methods("backward")
        for keyword in call.keywords
    ):
        return
    yield from carried_states(module)
    yield from used_up(module)


def carried_states(module):
    """`out, state = model(x, state)` in the loop that also calls backward(), with nothing that cuts it."""
    for node in module.by_type[ast.Assign]:
        call, loops = node.value, module.loops(node)
        if not isinstance(call, ast.Call) or not loops or kind(module, call.func) != "module":
            continue
        if not isinstance(node.targets[0], ast.Tuple) or without_gradients(module, node):
            continue
        made = {ast.unparse(each) for each in node.targets[0].elts[1:]}
        given = [ast.unparse(each) for each in call.args[1:]]
        state = next((each for each in given if each in made), None)
        if state is None or not trains(module, loops[0], node) or is_cut(loops[0], state, node):
            continue
        yield look(
            node,
            code=ast.unparse(node)[:60],
            what=(
                f"takes {state} over from the step before with its graph, which backward() has freed",
                f"把上一步的 {state} 连同计算图一起带了过来，而 backward() 已经释放了那张图",
            ),
            instead=(
                f"cut it behind this line: `{state} = {state}.detach()`; of an LSTM"
                f" `{state} = tuple(s.detach() for s in {state})`",
                f"在这一行之后切断：`{state} = {state}.detach()`；LSTM 用 `{state} = tuple(s.detach() for s in {state})`",
            ),
        )


def trains(module, loop, node):
    """Whether backward() is called in each pass of this very loop."""
    return any(
        module.loops(call)[:1] == [loop] and module.function(call) is module.function(node)
        for call in module.methods("backward")
    )


def is_cut(loop, state, node):
    """Whether the loop cuts the state, or makes it anew."""
    for each in ast.walk(loop):
        if each is node.value:
            continue
        if isinstance(each, ast.Attribute) and each.attr in CUT:
            return True
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and state in map(ast.unparse, each.args):
            return True  # a function of the user's own may cut it
        if isinstance(each, ast.Assign) and each is not node:
            if any(state in ast.unparse(target) for target in each.targets):
                return True
    return False


def used_up(module):
    """`fake = G(z)`; a loss of `D(fake)` goes backward; then a second loss uses `D(fake)` too."""
    backward = [call for call in module.methods("backward") if isinstance(call.func.value, ast.Name)]
    for first in backward:
        for second in backward:
            if position(first) >= position(second) or module.loops(first)[:1] != module.loops(second)[:1]:
                continue
            if not module.loops(first) or module.function(first) is not module.function(second):
                continue
            shared = inputs(module, first) & inputs(module, second)
            for name, made in sorted(shared):
                loss = module.statement(module.bindings(first.func.value)[0].node)
                yield look(
                    loss,
                    code=ast.unparse(loss)[:60],
                    what=(
                        f"sends its backward() through `{name}` (line {made}) and frees the graph that"
                        f" `{ast.unparse(second)[:40]}` needs as well",
                        f"的 backward() 会经过 `{name}`（第 {made} 行）并释放它的计算图，而"
                        f" `{ast.unparse(second)[:40]}` 也要用到",
                    ),
                    instead=(
                        f"give this loss `{name}.detach()`",
                        f"这一处改用 `{name}.detach()`",
                    ),
                )
                return


def inputs(module, call):
    """(name, line) of what models made that a loss was computed of, through one more model."""
    found = set()
    for score in scores(module, call.func.value):
        for given in score.args:
            if not isinstance(given, ast.Name):
                continue
            for each in module.bindings(given)[:1]:
                made = each.value
                if (
                    each.part == "whole"
                    and isinstance(made, ast.Call)
                    and kind(module, made.func) == "module"
                    and not without_gradients(module, made)
                ):
                    found.add((given.id, made.lineno))
    return found


def scores(module, loss):
    """The calls of models in what a loss was made of, one name deep."""
    for binding in module.bindings(loss)[:1]:
        if binding.part != "whole" or binding.value is None:
            continue
        parts = list(ast.walk(binding.value))
        for part in list(parts):
            if isinstance(part, ast.Name):
                parts += [
                    each.value
                    for each in module.bindings(part)[:1]
                    if each.part == "whole" and isinstance(each.value, ast.Call)
                ]
        for part in parts:
            if isinstance(part, ast.Call) and kind(module, part.func) == "module":
                yield part
