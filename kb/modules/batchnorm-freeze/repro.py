"""A pretrained backbone with requires_grad=False is fine-tuned with a new head on data of another scale: its batch-norm
statistics move all the same. With the batch-norm layers put into eval() after each train() they stay."""

import json
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def run(keep_eval):
    torch.manual_seed(0)
    backbone = nn.Sequential(
        nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 16, 3), nn.BatchNorm2d(16), nn.ReLU()
    )
    head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 4))
    model = nn.Sequential(backbone, head).to(device)
    for _ in range(30):  # "pretraining" fills the running statistics
        backbone(torch.randn(8, 3, 16, 16, device=device))

    for parameter in backbone.parameters():
        parameter.requires_grad_(False)
    norms = [m for m in backbone.modules() if isinstance(m, nn.modules.batchnorm._BatchNorm)]
    statistics = [m.running_var.clone() for m in norms]
    weights = [p.clone() for p in backbone.parameters()]
    probe = torch.randn(4, 3, 16, 16, device=device)
    model.eval()
    with torch.no_grad():
        features = backbone(probe)

    optimizer = torch.optim.SGD(head.parameters(), lr=0.01)
    for _ in range(20):
        model.train()
        if keep_eval:
            for m in norms:
                m.eval()
        x = 3 * torch.randn(8, 3, 16, 16, device=device) + 1
        loss = nn.functional.cross_entropy(model(x), torch.randint(0, 4, (8,), device=device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    model.eval()
    with torch.no_grad():
        shift = ((backbone(probe) - features).norm() / features.norm()).item()
    moved = max(((m.running_var - old) / old).abs().max().item() for m, old in zip(norms, statistics))
    trained = any(not torch.equal(p, old) for p, old in zip(backbone.parameters(), weights))
    print(
        json.dumps(
            {
                "statistics_moved": round(moved, 3),
                "features_moved": round(shift, 3),
                "weights_changed": trained,
            }
        )
    )
    if moved > 0.1:
        sys.exit(
            f"symptom: no weight changed, yet the running statistics of the frozen layers moved by {moved:.0%}"
        )


def broken():
    run(keep_eval=False)


def fixed():
    run(keep_eval=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
