import torch


def normalise(image: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    shifted = image.sub_(image.mean())  # here broken
    #: shifted = image - image.mean()
    return image, shifted


original, centred = normalise(torch.rand(3, 8, 8))
print((original - centred).abs().max())
