import torch
from peft import LoraConfig, TaskType, get_peft_model
from transformers import AutoModelForSequenceClassification, Trainer, TrainingArguments


def main(dataset):
    config = LoraConfig(  # here
        task_type=TaskType.SEQ_CLS,
        r=8,
        inference_mode=True,  # broken
        inference_mode=False,  # fixed
        lora_alpha=16,
    )
    model = get_peft_model(AutoModelForSequenceClassification.from_pretrained("bert-base-uncased"), config)
    trainer = Trainer(model, TrainingArguments("out"), train_dataset=dataset)
    trainer.train()
    torch.save(model.state_dict(), "adapter.pt")
