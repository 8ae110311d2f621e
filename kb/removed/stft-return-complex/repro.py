"""Code of the time before complex tensors calls stft without return_complex and reads real and imaginary part from a last dimension of 2:
stft refuses. Asked for complex numbers, it gives them, and istft takes them back."""

import sys

import torch

sound = torch.sin(torch.arange(16000) * 0.1)
window = torch.hann_window(400)


def broken():
    parts = torch.stft(sound, 400, window=window)
    print("loudest:", (parts[..., 0] ** 2 + parts[..., 1] ** 2).sqrt().max().item())


def fixed():
    spectrum = torch.stft(sound, 400, window=window, return_complex=True)
    print("loudest:", spectrum.abs().max().item())
    back = torch.istft(spectrum, 400, window=window, length=len(sound))
    print("error of the way back:", (back - sound).abs().max().item())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
