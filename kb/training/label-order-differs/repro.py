"""Eleven classes '0' to '10' are numbered in training by their names sorted as text, as ImageFolder does; the script that uses the
model takes index 2 for '2', while it is '10'. With the order saved beside the weights all names are right."""

import json
import os
import sys
import tempfile

import torch
from torch import nn

FOLDERS = [str(number) for number in range(11)]


def train(path):
    torch.manual_seed(0)
    classes = sorted(FOLDERS)  # '0', '1', '10', '2', ...
    images = torch.eye(len(FOLDERS))  # image number i comes from folder FOLDERS[i]
    targets = torch.tensor([classes.index(folder) for folder in FOLDERS])
    model = nn.Linear(len(FOLDERS), len(FOLDERS))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    for _ in range(200):
        loss = nn.functional.cross_entropy(model(images), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.save({"model": model.state_dict(), "classes": classes}, path)
    return images, targets


def use(names_of):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.pt")
        images, targets = train(path)
        checkpoint = torch.load(path)
    model = nn.Linear(len(FOLDERS), len(FOLDERS))
    model.load_state_dict(checkpoint["model"])
    predicted = model(images).argmax(1)
    names = names_of(checkpoint)
    wrong = sum(names[index] != folder for index, folder in zip(predicted.tolist(), FOLDERS))
    print(
        json.dumps(
            {
                "right_indices": int((predicted == targets).sum()),
                "wrong_names": wrong,
                "classes": len(FOLDERS),
            }
        )
    )
    if wrong:
        sys.exit(f"symptom: {wrong} of {len(FOLDERS)} names are wrong although every index is right")


def broken():
    use(lambda checkpoint: FOLDERS)


def fixed():
    use(lambda checkpoint: checkpoint["classes"])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
