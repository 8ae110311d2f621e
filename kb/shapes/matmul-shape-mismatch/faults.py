LOOKS = """def looks(q, k, v):
    shares = (q @ k / 2).softmax(-1)
    return shares @ v


assert looks(*torch.randn(3, 2, 5, 4)).shape == (2, 5, 4)
"""
ONE = """class Eyes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.out = torch.nn.Conv2d(1, 4, 3), torch.nn.Linear(64, 2)

    def forward(self, picture):
        seen = torch.relu(self.conv(picture))
        return self.out(torch.flatten(seen, 1))


eyes = Eyes().eval()
with torch.no_grad():
    said = eyes(torch.ones(1, 6, 6))
assert said.shape == (1, 2)
"""


def faults(host):
    for text in (LOOKS, ONE):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.without_call("flatten")
    yield from host.with_argument("Linear", 0, "{} + 1")
    yield from host.with_argument("Linear", 0, "2 * ({})")
    yield from host.with_text("k.transpose(-2, -1)", "k")
