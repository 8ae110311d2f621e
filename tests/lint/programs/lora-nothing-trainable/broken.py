import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM

base = AutoModelForCausalLM.from_pretrained("gpt2")
net = PeftModel.from_pretrained(base, "adapter")  # here
steps = torch.optim.AdamW(net.parameters(), lr=1e-4)
for _ in range(10):
    steps.zero_grad()
    net(torch.ones(1, 4, dtype=torch.long), labels=torch.ones(1, 4, dtype=torch.long)).loss.backward()
    steps.step()
