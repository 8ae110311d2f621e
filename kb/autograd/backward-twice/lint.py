"""A state that goes from batch to batch with its graph, and a picture that the discriminator's loss has used up."""

import ast
import itertools

from torchwhy.lint import patterns as p

CUT = ("detach", "detach_", "data")

IN_REPRO = "output, hidden = rnn(x, between_batches(hidden))"


def find(module):
    calls = module.methods("backward")
    options = [option for call in calls for option in call.keywords]
    if any(each.arg == "retain_graph" and p.constant(each.value) is not False for each in options):
        return
    yield from carried_states(module)
    named = [call for call in calls if isinstance(call.func.value, ast.Name)]
    pairs = [pair for pair in itertools.combinations(named, 2) if p.same_pass(module, *pair)]
    for judge in (used_up, shared_value, shared_call):
        found = next(filter(None, (judge(module, *pair) for pair in pairs)), None)
        if found is not None:
            yield found
            return


def carried_states(module):
    """`out, state = model(x, state)` in the loop that also calls backward(), with nothing that cuts it."""
    for node in module.by_type[ast.Assign]:
        loops = module.loops(node)
        if not loops or not p.calls_model(module, node.value) or not isinstance(node.targets[0], ast.Tuple):
            continue
        made = {p.text(each) for each in node.targets[0].elts[1:]}
        state = next((p.text(each) for each in node.value.args[1:] if p.text(each) in made), None)
        trains = any(p.same_pass(module, call, node) for call in module.methods("backward"))
        if state is None or not trains or p.without_gradients(module, node) or is_cut(loops[0], state, node):
            continue
        yield p.look(
            node,
            code=p.text(node, 60),
            says=(
                f"takes {state} over from the step before with its graph, which backward() has freed",
                f"把上一步的 {state} 连同计算图一起带了过来，而 backward() 已经释放了那张图",
            ),
            fix=(
                f"cut it behind this line: `{state} = {state}.detach()`; of an LSTM"
                f" `{state} = tuple(s.detach() for s in {state})`",
                f"在这一行之后切断：`{state} = {state}.detach()`；LSTM 用 `{state} = tuple(s.detach() for s in {state})`",
            ),
        )


def is_cut(loop, state, node):
    """Whether the loop cuts the state, hands it to a function of its own that may, or makes it anew."""
    others = (each for each in p.inside(loop, ast.Call, ast.Assign) if each not in (node, node.value))
    return bool(p.attributes_in(loop, *CUT)) or any(
        any(state in p.text(target) for target in each.targets)
        if isinstance(each, ast.Assign)
        else isinstance(each.func, ast.Name) and state in map(p.text, each.args)
        for each in others
    )


def used_up(module, first, second):
    """`fake = G(z)`; a loss of `D(fake)` goes backward; then a second loss uses `D(fake)` too."""
    if not module.loops(first):
        return None
    used, needed = (through_two(module, call.func.value) for call in (first, second))
    if not used.keys() & needed.keys():
        return None
    name, made = min(used.keys() & needed.keys())
    score = module.statement(used[name, made])
    return p.look(
        score,
        code=p.text(score, 60),
        says=(
            f"sends its backward() through `{name}` (line {made}) and frees the graph that"
            f" `{p.text(second, 40)}` needs as well",
            f"的 backward() 会经过 `{name}`（第 {made} 行）并释放它的计算图，而 `{p.text(second, 40)}` 也要用到",
        ),
        fix=(
            f"write `{name}.detach()` for `{name}` in this line",
            f"这一行里把 `{name}` 写成 `{name}.detach()`",
        ),
    )


def through_two(module, loss):
    """{(name, line): score} of what models made that a loss was computed of, through one more model's score."""
    found = {}
    for score in scores(module, loss):
        for given in score.args:
            for each in bound(module, given):
                if p.calls_model(module, each.value) and not p.without_gradients(module, each.value):
                    found.setdefault((given.id, each.value.lineno), score)
    return found


def scores(module, loss):
    """The calls of models in what a loss was made of, one name deep."""
    for binding in bound(module, loss):
        parts = list(ast.walk(binding.value))
        for part in list(parts):
            parts += [each.value for each in bound(module, part) if isinstance(each.value, ast.Call)]
        yield from (part for part in parts if p.calls_model(module, part))


def bound(module, name):
    """The nearest place where a name gets its value whole."""
    found = module.bindings(name)[:1] if isinstance(name, ast.Name) else []
    return [each for each in found if each.part == "whole" and each.value is not None]


def apart(module, first, second):
    """Where two losses get their only values, neither made of the other; None for others."""
    losses = [only_binding(module, call.func.value) for call in (first, second)]
    if None in losses or losses[0] is losses[1]:
        return None
    is_part = p.text(getattr(losses[0].node, "targets", [None])[0]) in p.names_in(losses[1].value)
    return None if is_part else losses


def only_binding(module, name):
    bindings = module.bindings(name)
    return bound(module, name)[0] if len(bindings) == 1 and bound(module, name) else None


def shared_value(module, first, second):
    """Two losses of one value that a model made: `advantage` in the actor's and in the critic's."""
    losses = apart(module, first, second)
    names = [uncut(each.value) for each in losses] if losses else [{}, {}]
    for name in sorted(names[0].keys() & names[1].keys()):
        if model_calls(module, names[0][name], module.function(first)):
            statement, line = module.statement(losses[0].node), module.statement(losses[1].node).lineno
            return p.look(
                statement,
                code=p.text(statement, 60),
                says=(
                    f"and the loss of line {line} both come from `{name}`: the first backward() frees its graph",
                    f"与第 {line} 行的损失都来自 `{name}`：第一次 backward() 会释放它的计算图",
                ),
                fix=(
                    f"`{name}.detach()` in the loss that shall not train what made it, often this one",
                    f"在不该训练它来源的那个损失里（常常是这一个）用 `{name}.detach()`",
                ),
            )
    return None


def shared_call(module, first, second):
    """Two losses with a backward() each behind one call of a model: a trunk under two heads."""
    if not module.loops(first) or not apart(module, first, second):
        return None
    function = module.function(first)
    calls = [model_calls(module, call.func.value, function) for call in (first, second)]
    shared = next((call for call in calls[0] if call in calls[1]), None)
    if shared is None:
        return None
    one, other = (call.func.value.id for call in (first, second))
    made, line, used = p.text(shared, 40), shared.lineno, p.text(first, 40)
    return p.look(
        module.statement(second),
        code=p.text(module.statement(second), 60),
        says=(
            f"goes through `{made}` (line {line}), whose graph `{used}` has freed",
            f"会经过 `{made}`（第 {line} 行），而它的计算图已被 `{used}` 释放",
        ),
        fix=(
            f"If both shall train it: `({one} + {other}).backward()` in place of the first, all"
            " zero_grad() before it; delete this line.",
            f"如果两个损失都要训练它：第一处换成 `({one} + {other}).backward()`，所有 zero_grad()"
            " 放在它之前；删去这一行。",
        ),
    )


def model_calls(module, name, function, depth=8):
    """The calls of models that a name's value came from with their graph, each of its names bound once."""
    bindings = module.bindings(name) if depth else []
    if len(bindings) != 1 or bindings[0].value is None or module.function(bindings[0].node) is not function:
        return []
    if p.without_gradients(module, bindings[0].value):
        return []
    found = []
    for value in [bindings[0].value, *filled_with(module, name.id, function)]:
        for node in uncut(value).values():
            if node.id != name.id:
                found += model_calls(module, node, function, depth - 1)
        found += [
            call
            for call in p.inside(value, ast.Call)
            if p.calls_model(module, call) and not is_loss(module, call)
        ]
    return found


def is_loss(module, call):
    """Whether what is called is a criterion, which two losses may share."""
    return any(p.text(made.func).endswith("Loss") for made in p.values_by(module, call.func))


def filled_with(module, name, function):
    """What is appended to a list of that name."""
    return [
        call.args[0]
        for call in module.methods("append")
        if p.text(call.func.value) == name and module.function(call) is function and call.args
    ]


def uncut(value):
    """The names in an expression that no detach() or item() cuts."""
    found, todo = {}, [value]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Attribute) and node.attr in (*CUT, "item", "tolist", "numpy"):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found[node.id] = node
        called = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
        todo += [each for each in ast.iter_child_nodes(node) if each is not called]
    return found
