import torch


def fit(net, epochs, validate):
    best_loss, patience = 0, 5  # broken, here
    best_loss, patience = float("inf"), 5  # fixed
    for epoch in range(epochs):
        valid_loss = validate(net)
        if valid_loss < best_loss:
            best_loss, patience = valid_loss, 5
            torch.save(net.state_dict(), "best.pt")
