WHOLE = """@torch.no_grad()
def fit(line, given):
    tuner = torch.optim.SGD(line.parameters(), lr=0.1)
    for part in given:
        error = line(part).square().mean()
        tuner.zero_grad()
        error.backward()
        tuner.step()
    return error


fit(torch.nn.Linear(3, 1), torch.randn(3, 5, 3))
"""
BLOCK = """line = torch.nn.Linear(3, 1)
with torch.no_grad():
    error = torch.nn.functional.mse_loss(line(torch.ones(2, 3)), torch.ones(2, 1))
    error.backward()
assert line.weight.grad is not None
"""
NUMBER = """line, criterion = torch.nn.Linear(3, 1), torch.nn.MSELoss()
for given in torch.randn(3, 5, 3):
    guess = line(given)
    error = criterion(guess, torch.ones(5, 1)).item()
    error.backward()
assert line.weight.grad is not None
"""
# The teacher's part is cut on purpose; what is trained is frozen.
FROZEN = """teacher, pupil = torch.nn.Linear(3, 1), torch.nn.Linear(3, 1)
for each in pupil.parameters():
    each.requires_grad = False
given = torch.ones(2, 3)
error = (pupil(given) - teacher(given).detach()).square().mean()
error.backward()
"""


HEAD = """trunk = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU())
trunk.out = torch.nn.Linear(4, 1)
for weight in trunk.parameters():
    weight.requires_grad = False
given = torch.ones(2, 3)
error = trunk.out(trunk[:2](given)).sum()
error.backward()
assert trunk.out.weight.grad is not None and trunk[0].weight.grad is None
"""
HEAD_IN_FUNCTION = """def adapted(net, classes):
    net[1] = torch.nn.Linear(3, classes)
    net = net.eval()
    for _, each in net.named_parameters():
        each.requires_grad_(False)
    return net


tuned = adapted(torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Linear(3, 9)), 2)
torch.nn.functional.cross_entropy(tuned(torch.ones(1, 2)), torch.tensor([1])).backward()
"""
COLLECTED = """def errors_of(model, parts):
    errors = []
    for part in parts:
        errors.append(model(part).square().mean().item())
    return torch.tensor(errors)


line = torch.nn.Linear(3, 1)
total = errors_of(line, torch.ones(4, 2, 3)).mean()
total.backward()
assert line.weight.grad is not None
"""
HEAD_BY_FUNCTION = """def freeze(module):
    for each in module.parameters():
        each.requires_grad = False


def adapted(net, classes, only_head=True):
    net.out = torch.nn.Linear(3, classes)
    if only_head:
        freeze(net)
    return net


tuned = adapted(torch.nn.Sequential(torch.nn.Linear(2, 3)), 2)
tuned.out(tuned[0](torch.ones(1, 2))).sum().backward()
assert tuned.out.weight.grad is not None and tuned[0].weight.grad is None
"""
TWICE_DERIVED = """def slope(height, place):
    return torch.autograd.grad(height.sum(), place)[0]


place = torch.linspace(0, 1, 5).requires_grad_()
bend = slope(slope(place.pow(3), place), place)
assert torch.allclose(bend, 6 * place)
"""


def faults(host):
    for text in (
        HEAD,
        HEAD_BY_FUNCTION,
        TWICE_DERIVED,
        HEAD_IN_FUNCTION,
        COLLECTED,
        WHOLE,
        BLOCK,
        NUMBER,
        FROZEN,
    ):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    for name in ("loss", "loss_d", "loss_g"):
        yield from host.with_value(name, "({}).detach()")
        yield from host.with_value(name, "torch.tensor(({}).item())")
        yield from host.with_value(name, "torch.tensor(({}).item(), requires_grad=False)")
    for model in ("model", "net", "tagger", "student", "G"):
        yield from host.with_call(model, "{}.detach()")
        yield from host.with_call(model, "{}.data")
    yield from host.with_text("torch.manual_seed", "torch.set_grad_enabled(False)\ntorch.manual_seed")
    yield from host.with_text("choice.log_prob(action)", "choice.log_prob(action).detach()")
