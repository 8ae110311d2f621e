"""A state that goes from batch to batch with its graph, and a picture that the discriminator's loss has used up."""

import ast

from torchwhy.lint.context import without_gradients
from torchwhy.lint.kinds import kind
from torchwhy.lint.module import constant, position
from torchwhy.lint.rule import look

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
    found = list(used_up(module)) or list(shared_values(module))
    yield from found or shared_calls(module)


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
        if (
            isinstance(each, ast.Call)
            and isinstance(each.func, ast.Name)
            and state in map(ast.unparse, each.args)
        ):
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
                score = module.statement(score_of(module, first, name))
                yield look(
                    score,
                    code=ast.unparse(score)[:60],
                    what=(
                        f"sends its backward() through `{name}` (line {made}) and frees the graph that"
                        f" `{ast.unparse(second)[:40]}` needs as well",
                        f"的 backward() 会经过 `{name}`（第 {made} 行）并释放它的计算图，而"
                        f" `{ast.unparse(second)[:40]}` 也要用到",
                    ),
                    instead=(
                        f"write `{name}.detach()` for `{name}` in this line",
                        f"这一行里把 `{name}` 写成 `{name}.detach()`",
                    ),
                )
                return


def score_of(module, call, name):
    """The call of a model that is given `name`, in what this backward() goes through."""
    for score in scores(module, call.func.value):
        if any(isinstance(given, ast.Name) and given.id == name for given in score.args):
            return score
    return call


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


def shared_values(module):
    """Two losses of one value that a model made: `advantage` in the actor's and in the critic's."""
    backward = [call for call in module.methods("backward") if isinstance(call.func.value, ast.Name)]
    for first in backward:
        for second in backward:
            if position(first) >= position(second) or module.loops(first)[:1] != module.loops(second)[:1]:
                continue
            if module.function(first) is not module.function(second):
                continue
            losses = [only_binding(module, call.func.value) for call in (first, second)]
            if None in losses or losses[0] is losses[1] or is_part(losses):
                continue
            names = [used_whole(each.value) for each in losses]
            for name in sorted(names[0].keys() & names[1].keys()):
                node = names[0][name]
                if from_model(module, node, module.function(first)):
                    yield shared(module, losses[0].node, losses[1].node, name)
                    return


def shared(module, first, second, name):
    statement = module.statement(first)
    line = module.statement(second).lineno
    return look(
        statement,
        code=ast.unparse(statement)[:60],
        what=(
            f"and the loss of line {line} both come from `{name}`: the first backward() frees its graph",
            f"与第 {line} 行的损失都来自 `{name}`：第一次 backward() 会释放它的计算图",
        ),
        instead=(
            f"`{name}.detach()` in the loss that shall not train what made it, often this one",
            f"在不该训练它来源的那个损失里（常常是这一个）用 `{name}.detach()`",
        ),
    )


def shared_calls(module):
    """Two losses with a backward() each behind one call of a model: a trunk under two heads."""
    backward = [call for call in module.methods("backward") if isinstance(call.func.value, ast.Name)]
    for first in backward:
        for second in backward:
            if position(first) >= position(second) or module.loops(first)[:1] != module.loops(second)[:1]:
                continue
            if module.function(first) is not module.function(second) or not module.loops(first):
                continue
            losses = [only_binding(module, call.func.value) for call in (first, second)]
            if None in losses or losses[0] is losses[1] or is_part(losses):
                continue
            function = module.function(first)
            calls = [made_by(module, call.func.value, function) for call in (first, second)]
            shared = [call for call in calls[0] if call in calls[1]]
            if shared:
                one, other = (call.func.value.id for call in (first, second))
                made = ast.unparse(shared[0])[:40]
                yield look(
                    module.statement(second),
                    code=ast.unparse(module.statement(second))[:60],
                    what=(
                        f"goes through `{made}` (line {shared[0].lineno}), whose graph"
                        f" `{ast.unparse(first)[:40]}` has freed",
                        f"会经过 `{made}`（第 {shared[0].lineno} 行），而它的计算图已被"
                        f" `{ast.unparse(first)[:40]}` 释放",
                    ),
                    instead=(
                        f"If both shall train it: `({one} + {other}).backward()` in place of the first, all"
                        " zero_grad() before it; delete this line.",
                        f"如果两个损失都要训练它：第一处换成 `({one} + {other}).backward()`，所有 zero_grad()"
                        " 放在它之前；删去这一行。",
                    ),
                )
                return


def made_by(module, name, function, depth=8):
    """The calls of models that a name's value came from with their graph, each of its names bound once."""
    found = []
    bindings = module.bindings(name) if depth else []
    if len(bindings) != 1 or bindings[0].value is None or module.function(bindings[0].node) is not function:
        return found
    value = bindings[0].value
    if without_gradients(module, value):
        return found
    values = [value, *filled_with(module, name.id, function)]
    for each in values:
        for node in used_whole(each).values():
            if node.id != name.id:
                found += made_by(module, node, function, depth - 1)
        found += [
            call
            for call in ast.walk(each)
            if isinstance(call, ast.Call)
            and kind(module, call.func) == "module"
            and not is_loss(module, call)
        ]
    return found


def is_loss(module, call):
    """Whether what is called is a criterion, which two losses may share."""
    return any(
        isinstance(made, ast.Call) and ast.unparse(made.func).endswith("Loss")
        for made in module.values(call.func)
    )


def filled_with(module, name, function):
    """What is appended to a list of that name."""
    return [
        call.args[0]
        for call in module.methods("append")
        if isinstance(call.func.value, ast.Name)
        and call.func.value.id == name
        and module.function(call) is function
        and call.args
    ]


def only_binding(module, name):
    """Where a name gets its only value."""
    bindings = module.bindings(name)
    if len(bindings) != 1 or bindings[0].part != "whole" or bindings[0].value is None:
        return None
    return bindings[0]


def is_part(losses):
    """Whether one of the losses is made of the other."""
    first, second = losses
    name = first.node.id if isinstance(first.node, ast.Name) else ""
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(second.value))


def used_whole(value):
    """The names in an expression that no detach() or item() cuts."""
    found = {}
    todo = [value]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Attribute) and node.attr in (*CUT, "item", "tolist", "numpy"):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found[node.id] = node
        todo += [
            each
            for each in ast.iter_child_nodes(node)
            if not (isinstance(node, ast.Call) and each is node.func and isinstance(each, ast.Name))
        ]
    return found


def from_model(module, name, function, depth=6):
    """Whether a name's value was made by a model's call, with its graph."""
    bindings = module.bindings(name)[-1:] if depth else []
    for binding in bindings:
        if binding.value is None or without_gradients(module, binding.value):
            continue
        for node in used_whole(binding.value).values():
            if node.id != name.id and from_model(module, node, function, depth - 1):
                return True
            if node.id == name.id and appended(module, node.id, function):
                return True
        for call in ast.walk(binding.value):
            if isinstance(call, ast.Call) and kind(module, call.func) == "module":
                return True
    return False


def appended(module, name, function):
    """Whether what a model gives is put into a list of that name."""
    return any(
        isinstance(call.func.value, ast.Name)
        and call.func.value.id == name
        and module.function(call) is function
        and any(isinstance(each, ast.Call) and kind(module, each.func) == "module" for each in ast.walk(call))
        and not any(isinstance(each, ast.Attribute) and each.attr in CUT for each in ast.walk(call))
        for call in module.methods("append")
    )
