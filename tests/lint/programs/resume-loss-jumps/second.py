import os

import torch
from torch import nn


def train(args, model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    start = 0
    if args.resume and os.path.isfile(args.resume):
        checkpoint = torch.load(args.resume, map_location=args.device)
        model.load_state_dict(checkpoint["state_dict"])  # here
        #: optimizer.load_state_dict(checkpoint["optimizer"])
        start = checkpoint["epoch"]
    for epoch in range(start, args.epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        state = {"state_dict": model.state_dict(), "epoch": epoch + 1}
        #: state["optimizer"] = optimizer.state_dict()
        torch.save(state, "checkpoint.pt")
