import torch
from torch import nn

torch.manual_seed(0)
embed, head = nn.Embedding(20, 16), nn.Linear(16, 20)
layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
opt = torch.optim.AdamW([*embed.parameters(), *layer.parameters(), *head.parameters()], 1e-3)
warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda step: min(1.0, step / 4))
mask = nn.Transformer.generate_square_subsequent_mask(7)
for _ in range(10):
    tokens = torch.randint(0, 20, (4, 8))
    out = head(layer(embed(tokens[:, :-1]), src_mask=mask, is_causal=True))
    loss = nn.functional.cross_entropy(out.reshape(-1, 20), tokens[:, 1:].reshape(-1), ignore_index=0)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
    opt.step()
    warm.step()
