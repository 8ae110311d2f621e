FUNCTION = """@torch.inference_mode()
def features_of(trunk, pictures):
    return trunk(pictures)


trunk, head = torch.nn.Linear(4, 3), torch.nn.Linear(3, 1)
seen = features_of(trunk, torch.randn(6, 4))
torch.nn.functional.mse_loss(head(seen), torch.ones(6, 1)).backward()
assert head.weight.grad is not None
"""
BLOCK = """teacher, pupil = torch.nn.Linear(4, 2), torch.nn.Linear(4, 2)
x = torch.randn(6, 4)
with torch.inference_mode():
    wanted = teacher(x)
error = (pupil(x) * wanted).sum()
error.backward()
assert pupil.weight.grad is not None
"""
IN_PLACE = """class Cached(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.scale = torch.nn.Linear(4, 4), None

    def forward(self, x):
        if self.scale is None:
            self.scale = torch.full((4,), 0.5)
        return self.layer(x * self.scale)


cached = Cached()
with torch.inference_mode():
    cached(torch.ones(2, 4))
cached.scale.mul_(2)
assert cached.scale[0] == 1
"""
# Two blocks, of which either may be the one.
TWO = """first, last = torch.nn.Linear(4, 2), torch.nn.Linear(2, 1)
with torch.inference_mode():
    seen = first(torch.ones(3, 4))
with torch.inference_mode():
    shown = first(torch.zeros(3, 4))
last(seen).sum().backward()
"""


def faults(host):
    for text in (FUNCTION, BLOCK, IN_PLACE, TWO):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("torch.no_grad()", "torch.inference_mode()")
