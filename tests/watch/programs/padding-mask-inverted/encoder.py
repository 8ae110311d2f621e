import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(40, 16), nn.Linear(16, 2)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), 1)

    def forward(self, tokens, mask):
        x = self.encoder(self.embed(tokens), src_key_padding_mask=mask)  # broken, here
        x = self.encoder(self.embed(tokens), src_key_padding_mask=~mask)  # fixed
        return self.head(x[:, 0])


model = Classifier()
opt = torch.optim.Adam(model.parameters(), 1e-3)
for step in range(12):
    texts = [torch.randint(1, 40, (length,)) for length in torch.randint(4, 20, (8,)).tolist()]
    tokens = pad_sequence(texts, batch_first=True)
    labels = torch.tensor([int(text[0] > 20) for text in texts])
    opt.zero_grad()
    nn.functional.cross_entropy(model(tokens, mask=tokens != 0), labels).backward()
    opt.step()
