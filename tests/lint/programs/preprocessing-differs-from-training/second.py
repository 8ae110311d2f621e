import torch
import torchvision.transforms as T
from torchvision.models import resnet18

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
transform_train = T.Compose([T.RandomResizedCrop(224), T.ToTensor(), T.Normalize(MEAN, STD)])
transform_val = T.Compose(  # here
    [
        T.Resize(256),
        T.CenterCrop(224),
        T.ToTensor(),
        T.Normalize((0.5,), (0.5,)),  # broken
        #: T.Normalize(mean=MEAN, std=STD),
    ]
)


def predict(image):
    model = resnet18(weights="DEFAULT").eval()
    with torch.no_grad():
        return model(transform_val(image)[None]).argmax(1)
