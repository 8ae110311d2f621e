import torch


def losses(recon, x, mu, log_sigma, logvar):
    fit = ((recon - x) ** 2).sum(1).mean()
    other = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp(), dim=1).mean()
    kl = -0.5 * torch.mean(1 + log_sigma - mu**2 - torch.exp(2 * log_sigma))  # broken, here
    kl = -0.5 * torch.mean(1 + 2 * log_sigma - mu**2 - torch.exp(2 * log_sigma))  # fixed
    return fit + kl, other
