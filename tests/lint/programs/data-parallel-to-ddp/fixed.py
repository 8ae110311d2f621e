from torch import nn
from torch.nn.parallel import DistributedDataParallel

spread = DistributedDataParallel(nn.Linear(4, 4).cuda())
