import torch
import torchvision


def build(args):
    model = torchvision.models.resnet18(num_classes=args.classes)
    if torch.cuda.device_count() > 1:  # broken
        model = torch.nn.DataParallel(model)  # here broken
    #: torch.distributed.init_process_group("nccl")
    #: model = torch.nn.parallel.DistributedDataParallel(model.cuda())
    return model.cuda()
