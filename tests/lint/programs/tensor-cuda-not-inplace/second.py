import torch


def evaluate(model, loader, device):
    hits = 0
    for x, y in loader:
        y.to(device)  # here broken
        #: y = y.to(device)
        hits += (model(x.to(device)).argmax(1) == y).sum().item()
    return hits


mask = torch.ones(4, 4)
with torch.no_grad():
    print(evaluate(torch.nn.Linear(3, 2), [(mask[:, :3], torch.zeros(4, dtype=torch.long))], "cpu"))
