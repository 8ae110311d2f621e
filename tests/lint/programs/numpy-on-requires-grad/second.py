import torch
from torch import nn


class Predictor:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1))

    def predict(self, rows):
        inputs = torch.as_tensor(rows, dtype=torch.float32)
        outputs = self.model(inputs)
        return outputs.numpy()  # here broken
        #: return outputs.detach().numpy()


print(Predictor().predict([[0.0] * 6]).shape)
