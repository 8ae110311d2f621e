# The second optimizer has what the first one left frozen, by one group or by two.
UNFROZEN = """net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Linear(3, 1))
for each in net[0].parameters():
    each.requires_grad = False
saved = torch.optim.Adam(net[1].parameters()).state_dict()
for each in net.parameters():
    each.requires_grad = True
whole = torch.optim.Adam({groups})
whole.load_state_dict(saved)
assert sum(len(group["params"]) for group in whole.param_groups) == 4
"""
GROUPS = ("net.parameters()", '[{"params": net[0].parameters(), "lr": 0.1}, {"params": net[1].parameters()}]')
WHOLE = """line = torch.nn.Linear(2, 1)
tuner = torch.optim.SGD(line.parameters(), lr=0.1)
kept = {"weights": line.state_dict(), "tuner": tuner.state_dict()}
torch.optim.SGD(line.parameters(), lr=0.1).load_state_dict(kept)
"""


def faults(host):
    for text in (*(UNFROZEN.replace("{groups}", each) for each in GROUPS), WHOLE):
        yield from host.with_text("torch.manual_seed(", f"{text}torch.manual_seed(")
    yield from host.with_text(
        'optimizer.load_state_dict(state["optimizer"])', "optimizer.load_state_dict(state)"
    )
    yield from host.with_text(
        '"optimizer": optimizer.state_dict()', '"optimizer": optimizer.state_dict()["state"]'
    )
    yield from host.with_text(
        "optimizer = torch.optim.Adam(model.parameters(), lr=0.02)\n        ",
        "optimizer = torch.optim.Adam(model.out.parameters(), lr=0.02)\n        ",
    )
    yield from host.with_text(
        'optimizer.load_state_dict(state["optimizer"])',
        'torch.optim.SGD(model.parameters(), lr=0.1).load_state_dict(state["optimizer"])',
    )
    for name, model in (("optimizer", "model"), ("opt", "net"), ("optimizer", "tagger")):
        part = f"torch.optim.SGD([*{model}.parameters()][:1], lr=0.1).load_state_dict({name}.state_dict())"
        if f"\n{model} = " in host.text and f"\n{name} = " in host.text:
            yield from host.with_text("\nprint(", f"\n{part}\nprint(")
