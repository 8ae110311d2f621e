"""A tag for each word: embedding, LSTM, padded sentences, cross entropy that ignores padding."""

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

WORDS, TAGS, PAD = 30, 5, 0


class Tagger(nn.Module):
    def __init__(self, words, tags, dim=8, hidden=10):
        super().__init__()
        self.table = nn.Embedding(words, dim, padding_idx=PAD)
        self.lstm = nn.LSTM(dim, hidden, num_layers=2, batch_first=True)
        self.out = nn.Linear(hidden, tags)
        self.layers, self.hidden = 2, hidden

    def forward(self, ids):
        start = torch.zeros(self.layers, ids.size(0), self.hidden)
        states, _ = self.lstm(self.table(ids), (start, start))
        return self.out(states)


torch.manual_seed(2)
sentences = [torch.randint(1, WORDS, (length,)) for length in (5, 3, 7, 4)]
gold = [sentence % TAGS for sentence in sentences]
ids = pad_sequence(sentences, batch_first=True, padding_value=PAD)
tags = pad_sequence(gold, batch_first=True, padding_value=-100)
tagger = Tagger(WORDS, TAGS)
loss_fn = nn.CrossEntropyLoss(ignore_index=-100)
optimizer = torch.optim.AdamW(tagger.parameters(), lr=0.02)
losses = []
for step in range(5):
    logits = tagger(ids)
    loss = loss_fn(logits.reshape(-1, TAGS), tags.reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
right = (logits.argmax(-1) == tags) & (tags != -100)
print([round(each, 4) for each in losses], right.sum().item())
