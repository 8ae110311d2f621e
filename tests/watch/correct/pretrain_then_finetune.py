import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Sequential(nn.Linear(8, 4), nn.ReLU()), nn.Linear(4, 8)
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], 1e-2)
for _ in range(10):
    x = torch.randn(16, 8)
    opt.zero_grad()
    nn.functional.mse_loss(decoder(encoder(x)), x).backward()
    opt.step()
net = nn.Sequential(encoder, nn.Dropout(0.2), nn.Linear(4, 2))
opt = torch.optim.SGD([{"params": net[0].parameters(), "lr": 1e-4}, {"params": net[2].parameters()}], lr=1e-2)
for epoch in range(3):
    net.train()
    for _ in range(5):
        opt.zero_grad()
        nn.functional.cross_entropy(net(torch.randn(16, 8)), torch.randint(0, 2, (16,))).backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        net(torch.randn(16, 8)).argmax(1)
