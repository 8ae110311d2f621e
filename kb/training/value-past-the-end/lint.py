"""A return that adds the value of the next state also where the episode has ended."""

import ast
import re

from torchwhy.lint import patterns as p

REWARD = re.compile(r"^(r|rs|rew|rews|rewards?|\w*_rewards?|reward_\w+|b_r)$")
DISCOUNT = re.compile(r"gamma|discount", re.I)
ENDED = re.compile(r"^(done|dones|terminal|terminals|terminated|terminations|\w*_dones?|done_\w+|b_done)$")
LEFT_OUT = re.compile(r"done|term|mask|not_|alive|contin|final|valid|end", re.I)

SAYS = {
    "en": "`{code}` goes on behind the end of an episode: `{ended}` is there, and is never read",
    "zh": "`{code}` 在回合结束之后仍继续累加：`{ended}` 就在这里，却从未使用",
}
FIX = {
    "en": "leave the next value out where the episode ended: `{reward} + (1 - {ended}) * {rest}`",
    "zh": "回合结束处去掉下一状态的价值：`{reward} + (1 - {ended}) * {rest}`",
}
IN_REPRO = None  # the script has both targets in one function


def find(module):
    for node in module.by_type[ast.BinOp]:
        function = module.function(node)
        if function is None or not isinstance(node.op, ast.Add) or not REWARD.match(name_of(node.left)):
            continue
        right = node.right
        if not (isinstance(right, ast.BinOp) and isinstance(right.op, ast.Mult)):
            continue
        names = [name_of(each) for each in p.inside(right, ast.Name, ast.Attribute, ast.Constant)]
        if not any(map(DISCOUNT.search, names)) or any(map(LEFT_OUT.search, names)):
            continue
        ended = unread(function)
        if ended:
            words = {"reward": p.text(node.left), "rest": p.text(right)}
            yield p.wrong(node, code=p.text(node), ended=ended, **words)


def name_of(node):
    node = node.value if isinstance(node, ast.Subscript) else node
    return str(getattr(node, "id", getattr(node, "attr", getattr(node, "value", ""))))


def unread(function):
    """A name that says where episodes end, is given a value here, and is never read."""
    uses = [each for each in p.inside(function, ast.Name) if ENDED.match(each.id)]
    read = {each.id for each in uses if isinstance(each.ctx, ast.Load)}
    given = [each.id for each in uses if isinstance(each.ctx, ast.Store)]
    given += [each.arg for each in function.args.args if ENDED.match(each.arg)]
    others = {name_of(each) for each in p.inside(function, ast.Name, ast.Attribute, ast.Constant)}
    left_out = any(LEFT_OUT.search(each) for each in others - set(given))
    return given[0] if given and not read and not left_out else ""
