from concurrent.futures import ProcessPoolExecutor

import torch


def simulate(rows):
    torch.set_num_threads(1)  # fixed
    x = torch.as_tensor(rows, dtype=torch.float32)
    return torch.linalg.svd(x @ x.T).S.max().item()


def main(tables):
    pool = ProcessPoolExecutor(max_workers=16)
    futures = [pool.submit(simulate, table) for table in tables]  # here
    return [each.result() for each in futures]
