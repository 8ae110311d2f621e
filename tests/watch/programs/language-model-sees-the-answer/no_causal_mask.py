import torch
from torch import nn

torch.manual_seed(0)
text = torch.randint(0, 12, (400,)).repeat(3)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.place = nn.Embedding(12, 16), nn.Parameter(torch.randn(20, 16))
        self.layer, self.out = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), nn.Linear(16, 12)

    def forward(self, tokens):
        x = self.embed(tokens) + self.place
        mask = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1])  # fixed
        x = self.layer(x, src_mask=mask)  # fixed
        x = self.layer(x)  # broken, here
        return self.out(x)


model = Model()
opt = torch.optim.Adam(model.parameters(), 1e-3)
for start in range(0, 300, 20):
    rows = torch.stack([text[start + row : start + row + 21] for row in range(8)])
    opt.zero_grad()
    nn.functional.cross_entropy(model(rows[:, :-1]).reshape(-1, 12), rows[:, 1:].reshape(-1)).backward()
    opt.step()
