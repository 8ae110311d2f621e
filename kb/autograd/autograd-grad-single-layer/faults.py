PENALTY = """def mixed(one, other):
    share = torch.full((len(one), 1), 0.5)
    return share * one + (1 - share) * other


def penalty(critic, real, fake):
    between = mixed(real, fake)
    score = critic(between)
    grads = torch.autograd.grad(
        outputs=score, inputs=between, grad_outputs=torch.ones_like(score), create_graph=True
    )[0]
    return ((grads.norm(2, dim=1) - 1) ** 2).mean()


critic = torch.nn.Linear(2, 1)
penalty(critic, torch.ones(3, 2), torch.zeros(3, 2)).backward()
assert critic.weight.grad is not None
"""
SLOPE = """curve = torch.nn.Sequential(torch.nn.Linear(1, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
times = torch.linspace(0, 1, 5).unsqueeze(1)
height = curve(times)
(slope,) = torch.autograd.grad(height.sum(), times, create_graph=True)
assert slope.shape == (5, 1)
"""
PLACES = """field = torch.nn.Linear(2, 1)
for _ in range(2):
    x, t = torch.rand(4, 1), torch.rand(4, 1)
    u = field(torch.cat([x, t], 1)) ** 2
    of_x, of_t = torch.autograd.grad(u.sum(), [x, t], create_graph=True)
    assert of_x.shape == of_t.shape == (4, 1)
"""


def faults(host):
    for text in (PENALTY, SLOPE, PLACES):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
