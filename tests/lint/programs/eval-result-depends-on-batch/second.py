import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence


class Sentiment(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(1000, 16)
        self.lstm = nn.LSTM(16, 32, batch_first=True)
        self.fc = nn.Linear(32, 2)

    def forward(self, ids, lengths):
        out, _ = self.lstm(self.embed(ids))
        last = out[:, -1, :]  # here broken
        #: last = out[torch.arange(len(lengths)), lengths - 1]
        return self.fc(last)


rows = [torch.randint(1, 1000, (n,)) for n in (3, 9, 5)]
lengths = torch.tensor([len(row) for row in rows])
print(Sentiment()(pad_sequence(rows, batch_first=True), lengths))
