from torchvision.models import resnet50

base = resnet50()
for block in base.children():  # broken
    block.requires_grad = False  # broken, here
for block in base.parameters():  # fixed
    block.requires_grad = False  # fixed
