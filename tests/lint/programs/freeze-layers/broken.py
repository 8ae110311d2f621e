from torchvision.models import resnet50

base = resnet50()
for block in base.children():
    block.requires_grad = False  # here
