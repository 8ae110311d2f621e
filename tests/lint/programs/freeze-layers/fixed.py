from torchvision.models import resnet50

base = resnet50()
for block in base.parameters():
    block.requires_grad = False
