STATE = """reader = torch.nn.GRU(3, 4, batch_first=True)
tuner = torch.optim.SGD(reader.parameters(), lr=0.1)
state = torch.zeros(1, 2, 4)
for part in torch.randn(3, 2, 5, 3):
    made, state = reader(part, state)
    error = made.square().mean()
    tuner.zero_grad()
    error.backward()
    tuner.step()
"""
PAIR = """class Listener(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(3, 4)
        self.head = torch.nn.Linear(4, 1)

    def forward(self, x, memory=None):
        x, memory = self.lstm(x, memory)
        return self.head(x), memory


def listen(listener, parts):
    memory = None
    for part in parts:
        heard, memory = listener(part, memory)
        error = (heard - 1).abs().mean()
        error.backward()
    return error.item()


listen(Listener(), torch.randn(3, 5, 2, 3))
"""
BEFORE = """line, wanted = torch.nn.Linear(3, 1), torch.ones(8, 1)
given = torch.randn(8, 3)
tuner = torch.optim.SGD(line.parameters(), lr=0.1)
guess = line(given)
error = torch.nn.functional.mse_loss(guess, wanted)
for _ in range(3):
    tuner.zero_grad()
    error.backward()
    tuner.step()
assert error.item() < torch.nn.functional.mse_loss(torch.zeros(8, 1), wanted) + 3
"""
TWO = """body = torch.nn.Linear(3, 2)
tuner = torch.optim.SGD(body.parameters(), lr=0.1)
for given in torch.randn(2, 5, 3):
    made = body(given).tanh()
    left = made[:, 0].square().mean()
    right = made[:, 1].abs().mean()
    tuner.zero_grad()
    left.backward()
    right.backward()
    tuner.step()
"""
TOTAL = """line = torch.nn.Linear(3, 1)
tuner = torch.optim.Adam(line.parameters())
total = 0
for given in torch.randn(3, 5, 3):
    error = line(given).square().mean()
    total += error
    tuner.zero_grad()
    total.backward()
    tuner.step()
"""
RETAINED = """w = torch.ones(2, requires_grad=True)
curve = w.pow(3).sum()
for _ in range(2):
    (slope,) = torch.autograd.grad(curve, w)
"""


JUDGED = """class Pair:
    def __init__(self):
        self.maker, self.judge = torch.nn.Linear(2, 2), torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
        self.of_maker = torch.optim.SGD(self.maker.parameters(), lr=0.1)
        self.of_judge = torch.optim.SGD(self.judge.parameters(), lr=0.1)

    def step(self):
        made = self.maker(torch.ones(3, 2))
        said = self.judge(made)
        error = said.mean() - self.judge(torch.zeros(3, 2)).mean()
        self.of_judge.zero_grad()
        error.backward()
        self.of_judge.step()
        deceived = -said.mean()
        self.of_maker.zero_grad()
        deceived.backward()
        self.of_maker.step()
        return deceived.item()


assert len({Pair().step() for _ in range(2)}) == 2
"""
IN_METHODS = """class Game:
    def __init__(self):
        self.maker = torch.nn.Linear(2, 2)
        self.judge = torch.nn.Sequential(torch.nn.Linear(2, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
        self.of_maker = torch.optim.SGD(self.maker.parameters(), lr=0.1)
        self.of_judge = torch.optim.SGD(self.judge.parameters(), lr=0.1)

    def judge_step(self, real, made):
        true, false = self.judge(real), self.judge(made)
        error = false.mean() - true.mean()
        self.of_judge.zero_grad()
        error.backward()
        self.of_judge.step()

    def maker_step(self, made):
        deceived = -self.judge(made).mean()
        self.of_maker.zero_grad()
        deceived.backward()
        self.of_maker.step()

    def step(self):
        made = self.maker(torch.ones(3, 2))
        self.judge_step(torch.zeros(3, 2), made)
        self.maker_step(made)


Game().step()
"""


def faults(host):
    for text in (IN_METHODS, JUDGED):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("D(fake.detach())", "D(fake)")
    for indent in ("    ", "        "):
        yield from host.with_text(
            f"{indent}loss.backward()\n", f"{indent}loss.backward()\n{indent}loss.backward()\n"
        )
    for text in (STATE, PAIR, BEFORE, TWO, TOTAL, RETAINED):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text(
        "memory = encoder(source, src_key_padding_mask=padding)\n",
        "memory = encoder(source, src_key_padding_mask=padding)\nmemory.sum().backward()\n",
    )
