from pathlib import Path

import numpy as np
from torch.utils.data import DataLoader

names = [str(path) for path in Path("train").rglob("*.jpg")]
batches = DataLoader(names, batch_size=64, num_workers=8)  # broken, here
batches = DataLoader(np.array(names), batch_size=64, num_workers=8)  # fixed
