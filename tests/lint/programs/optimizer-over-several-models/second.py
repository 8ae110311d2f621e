import torch
from torch import nn


class Pair:
    def __init__(self):
        self.encoder, self.decoder = nn.Linear(8, 2), nn.Linear(2, 8)
        self.optimizer = torch.optim.SGD(  # here
            self.encoder.parameters() + self.decoder.parameters(),  # broken
            #: [*self.encoder.parameters(), *self.decoder.parameters()],
            lr=0.1,
        )


Pair()
