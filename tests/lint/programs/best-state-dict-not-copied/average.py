import torch


class Average:
    def __init__(self, model):
        self.kept = [p.detach() for p in model.parameters()]  # broken, here
        self.kept = [p.detach().clone() for p in model.parameters()]  # fixed

    @torch.no_grad()
    def update(self, model):
        for mean, p in zip(self.kept, model.parameters()):
            mean.lerp_(p, 0.01)

    @torch.no_grad()
    def apply(self, model):
        for index, p in enumerate(model.parameters()):
            p.copy_(self.kept[index])
