"""Photos in NumPy's order of axes, a dataset of one's own, a small U-Net, masks, a checkpoint and back."""

import io

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Photos(Dataset):
    def __init__(self, count):
        rng = np.random.default_rng(4)
        self.pixels = rng.integers(0, 256, (count, 16, 16, 3), dtype=np.uint8)

    def __len__(self):
        return len(self.pixels)

    def __getitem__(self, index):
        image = torch.from_numpy(self.pixels[index]).permute(2, 0, 1).float() / 255
        mask = (image.mean(0, keepdim=True) > 0.5).float()
        return image, mask


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1 = nn.Conv2d(3, 8, 3, padding=1)
        self.down2 = nn.Conv2d(8, 16, 3, padding=1)
        self.up = nn.ConvTranspose2d(16, 8, 2, stride=2)
        self.last = nn.Conv2d(16, 1, 1)

    def forward(self, x):
        first = torch.relu(self.down1(x))
        deep = torch.relu(self.down2(nn.functional.max_pool2d(first, 2)))
        joined = torch.cat([self.up(deep), first], dim=1)
        return self.last(joined)


torch.manual_seed(5)
net = UNet()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for images, masks in DataLoader(Photos(12), batch_size=4):
    out = net(images)
    loss = criterion(out, masks)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
file = io.BytesIO()
torch.save({"model": net.state_dict(), "step": 3}, file)
file.seek(0)
again = UNet()
again.load_state_dict(torch.load(file)["model"])
again.eval()
image, mask = Photos(12)[0]
with torch.no_grad():
    found = torch.sigmoid(again(image.unsqueeze(0))) > 0.5
overlap = (found & mask.bool()).sum()
print(f"{loss.item():.4f} {overlap.item()}")
