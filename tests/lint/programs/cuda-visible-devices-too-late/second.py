import argparse
import os

#: os.environ["CUDA_VISIBLE_DEVICES"] = "2"
import torch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    os.environ["CUDA_VISIBLE_DEVICES"] = "2"  # here broken
    model = torch.nn.Linear(4, 2).to(device)
    print(model, args.lr)


if __name__ == "__main__":
    main()
