"""A detector is given COCO's x, y, width, height as if they were corners, and refuses. Converted to corners, it trains."""

import sys

import torch
from torchvision.models.detection import fasterrcnn_mobilenet_v3_large_320_fpn
from torchvision.ops import box_convert


def train(boxes):
    torch.manual_seed(0)
    model = fasterrcnn_mobilenet_v3_large_320_fpn(weights=None, weights_backbone=None, num_classes=2).train()
    losses = model([torch.rand(3, 64, 64)], [{"boxes": boxes, "labels": torch.tensor([1])}])
    print("losses:", sorted(losses))


coco = torch.tensor([[30.0, 30.0, 10.0, 20.0]])


def broken():
    train(coco)


def fixed():
    train(box_convert(coco, "xywh", "xyxy"))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
