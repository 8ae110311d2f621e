"""Fine-tuning a tiny language model: where truncation cuts off the whole answer, all labels are -100 and the epoch's mean loss is nan,
though the weights are healthy. Summing and dividing by the number of targets gives the true mean."""

import json
import math
import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
MAX_LENGTH = 32


def batches():
    generator = torch.Generator().manual_seed(0)
    for prompt in (10, 20, 31, 40, 12):  # the fourth prompt alone is longer than MAX_LENGTH
        tokens = torch.randint(100, (1, prompt + 8), generator=generator)
        labels = tokens.clone()
        labels[:, :prompt] = -100  # learn the answer only
        yield tokens[:, :MAX_LENGTH].to(device), labels[:, :MAX_LENGTH].to(device)


def mean_of_batch(logits, labels):
    return nn.functional.cross_entropy(logits, labels)


def sum_over_count(logits, labels):
    count = (labels != -100).sum().clamp_min(1)
    return nn.functional.cross_entropy(logits, labels, reduction="sum") / count


def train(criterion):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Embedding(100, 16), nn.Linear(16, 100)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    losses, empty = [], 0
    for tokens, labels in batches():
        empty += int((labels == -100).all())
        loss = criterion(model(tokens)[0, :-1], labels[0, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    mean = sum(losses) / len(losses)
    healthy = all(bool(p.isfinite().all()) for p in model.parameters())
    print(
        json.dumps(
            {
                "batches_without_target": empty,
                "mean_loss": mean if math.isfinite(mean) else None,
                "weights_finite": healthy,
            }
        )
    )
    if math.isnan(mean):
        sys.exit(f"symptom: {empty} of {len(losses)} batches have no target and the mean loss is nan")


def broken():
    train(mean_of_batch)


def fixed():
    train(sum_over_count)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
