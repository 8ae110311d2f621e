import torch
from torch import nn

model = nn.Linear(32, 8).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda")  # fixed
for step in range(100):
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):  # here
        loss = model(torch.rand(4, 32, device="cuda")).pow(2).mean()
    loss.backward()  # broken
    optimizer.step()  # broken
    scaler.scale(loss).backward()  # fixed
    scaler.step(optimizer)  # fixed
    scaler.update()  # fixed
