import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
noise = torch.randn(1, 3, 64, 64, requires_grad=True).to(device)  # here broken
#: noise = torch.randn(1, 3, 64, 64, device=device, requires_grad=True)
optimizer = torch.optim.Adam([noise], lr=0.05)
for _ in range(10):
    optimizer.zero_grad()
    noise.square().mean().backward()
    optimizer.step()
