import torch


class Trainer:
    def __init__(self, model, optimizer, accumulate):
        self.model, self.optimizer, self.accumulate = model, optimizer, accumulate
        self.scaler = torch.amp.GradScaler("cpu")

    def epoch(self, batches):
        for i, (x, y) in enumerate(batches):
            loss = torch.nn.functional.cross_entropy(self.model(x), y)
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)  # broken, here
            last = i % self.accumulate == self.accumulate - 1
            if last:
                self.scaler.unscale_(self.optimizer)  # fixed
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad()
