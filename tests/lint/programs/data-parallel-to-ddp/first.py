from torch import nn
from torch.nn.parallel import DistributedDataParallel

spread = nn.DataParallel(nn.Linear(4, 4).cuda())  # broken, here
spread = DistributedDataParallel(nn.Linear(4, 4).cuda())  # fixed
