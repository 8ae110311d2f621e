import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)
PAD = 1


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.out = (
            nn.Embedding(30, 16),
            nn.GRU(16, 16, batch_first=True),
            nn.Linear(16, 30),
        )

    def forward(self, tokens):
        return self.out(self.rnn(self.embed(tokens))[0])


model = Decoder()
criterion = nn.CrossEntropyLoss()  # broken, here
criterion = nn.CrossEntropyLoss(ignore_index=PAD)  # fixed
opt = torch.optim.Adam(model.parameters(), 1e-2)
for step in range(12):
    texts = [torch.randint(2, 30, (length,)) for length in torch.randint(4, 20, (8,)).tolist()]
    tokens = pad_sequence(texts, batch_first=True, padding_value=PAD)
    opt.zero_grad()
    criterion(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten()).backward()
    opt.step()
