EPOCHS = """layer = torch.nn.Linear(2, 1)
batches = [torch.ones(3, 2)] * 4
steps = torch.optim.SGD(layer.parameters(), lr=0.1)
{epochs}cycle = torch.optim.lr_scheduler.OneCycleLR(steps, {length})
for epoch in range({over}):
    for {each} in {batches}:
        layer(batch).sum().backward()
        steps.step()
        cycle.step()
assert cycle.last_epoch == cycle.total_steps == 12
"""
# The loop is as long as it should be, and the scheduler steps twice.
TWICE = """layer = torch.nn.Linear(2, 1)
steps = torch.optim.SGD(layer.parameters(), lr=0.1)
cycle = torch.optim.lr_scheduler.OneCycleLR(steps, 0.1, total_steps=3)
for epoch in range(3):
    steps.step()
    cycle.step()
    cycle.step()
"""
METRIC = """layer = torch.nn.Linear(2, 1)
steps = torch.optim.SGD(layer.parameters(), lr=0.1)
slower = torch.optim.lr_scheduler.ReduceLROnPlateau(steps, patience=1)
for epoch in range(3):
    loss = layer(torch.ones(3, 2)).square().mean()
    loss.backward()
    steps.step()
{held}    slower.step()
assert slower.last_epoch == 3 and slower.best {best} 10
"""
# Told of its batches by a division, which leaves out the last one.
ROUNDED = """class Fit:
    def __init__(self, rows):
        self.layer = torch.nn.Linear(2, 1)
        self.batches = torch.utils.data.DataLoader(rows, batch_size=2)
        self.steps = torch.optim.SGD(self.layer.parameters(), lr=0.1)
        self.cycle = torch.optim.lr_scheduler.OneCycleLR(
            self.steps, 0.1, epochs=3, steps_per_epoch=len(rows) // 2
        )

    def epoch(self):
        for batch in self.batches:
            self.layer(batch).sum().backward()
            self.steps.step()
            self.cycle.step()


fit = Fit(torch.ones(5, 2))
for epoch in range(3):
    fit.epoch()
assert fit.cycle.total_steps == 9
"""
FORMS = (
    ("", "0.1, total_steps=3", "3", "batch", "batches"),
    ("epochs = 3\n", "max_lr=0.1, total_steps=epochs", "epochs", "batch", "batches"),
    (
        'config = {"epochs": 3}\n',
        '0.1, config["epochs"]',
        'config["epochs"]',
        "at, batch",
        "enumerate(batches)",
    ),
    ("EPOCHS = 2\n", "0.1, total_steps=EPOCHS + 1", "EPOCHS + 1", "batch", "batches"),
)


def faults(host):
    for epochs, length, over, each, batches in FORMS:
        text = EPOCHS.format(epochs=epochs, length=length, over=over, each=each, batches=batches)
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    held = METRIC.format(held="    val_loss = 20.0\n", best=">")
    for text in (METRIC.format(held="", best="<"), held, ROUNDED, TWICE):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text("scheduler.step(total)", "scheduler.step()")
    yield from host.with_argument("OneCycleLR", "total_steps", "2")
    yield from host.without_argument("OneCycleLR", "total_steps")
    yield from host.with_call("StepLR", "torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=1)")
    yield from host.with_call("StepLR", "torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01)")
