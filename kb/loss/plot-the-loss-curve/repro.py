"""A network overfits twenty noisy points. Judged by its falling training loss alone it is trained far beyond its best epoch;
with both curves recorded, the weights of the best validation loss are kept. A third set of points measures the result."""

import copy
import json
import sys

import torch
from torch import nn

torch.set_num_threads(1)  # the tensors are tiny


def train(keep_best):
    torch.manual_seed(0)
    x = torch.linspace(-1, 1, 20).unsqueeze(1)
    y = torch.sin(3 * x) + 0.5 * torch.randn(20, 1)
    x_val = torch.linspace(-0.97, 0.97, 40).unsqueeze(1)
    y_val = torch.sin(3 * x_val) + 0.5 * torch.randn(40, 1)
    x_test = torch.linspace(-0.98, 0.98, 200).unsqueeze(1)
    y_test = torch.sin(3 * x_test)
    model = nn.Sequential(nn.Linear(1, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.MSELoss()
    history, tests = [], []
    best = copy.deepcopy(model.state_dict())
    for _ in range(500):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            history.append(criterion(model(x_val), y_val).item())
            tests.append(criterion(model(x_test), y_test).item())
        if history[-1] == min(history):
            best = copy.deepcopy(model.state_dict())
    if keep_best:
        model.load_state_dict(best)
    with torch.no_grad():
        final = criterion(model(x_test), y_test).item()
    turn = history.index(min(history))
    print(
        json.dumps(
            {
                "train": round(loss.item(), 4),
                "test": round(final, 4),
                "lowest test": round(min(tests), 4),
                "lowest val in epoch": turn,
            }
        )
    )
    if final > 2 * min(tests):
        sys.exit(
            f"symptom: trained past the lowest validation loss, the test loss is {final / min(tests):.1f} times its lowest value"
        )


def broken():
    train(keep_best=False)


def fixed():
    train(keep_best=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
