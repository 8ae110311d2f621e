import torch


class Trainer:
    def __init__(self, model, train_set, test_set, test_loader):
        self.model, self.test_set, self.test_loader = model, test_set, test_loader

    def run(self, epochs):
        hits = 0  # broken
        for epoch in range(epochs):
            #: hits = 0
            for x, y in self.test_loader:
                with torch.no_grad():
                    hits += torch.eq(self.model(x).argmax(1), y).sum().item()
            accuracy = hits / len(self.test_set)  # here
            print(f"{epoch}: {accuracy:.1%}")
