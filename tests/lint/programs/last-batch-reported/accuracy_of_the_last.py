import torch
from torch import nn


class Runner:
    def __init__(self, loader):
        self.net, self.loader = nn.Linear(4, 3), loader
        self.criterion = nn.CrossEntropyLoss()

    @torch.no_grad()
    def check(self, log):
        self.net.eval()
        right, last, count = 0, None, 0
        for step, (inputs, classes) in enumerate(self.loader):
            scores = self.net(inputs)
            accuracy = (scores.argmax(1) == classes).float().mean().item()  # broken, here
            right += (scores.argmax(1) == classes).sum().item()
            count += len(classes)
            last = self.criterion(scores, classes)
            log(last)
        accuracy = right / count  # fixed
        print(f"accuracy {accuracy:.3f}, last loss {last:.3f}")

    def first(self):
        with torch.no_grad():
            for inputs, classes in self.loader:
                loss = self.criterion(self.net(inputs), classes)
                break
        return loss
