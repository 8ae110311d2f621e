from fastapi import FastAPI
import torch
from transformers import AutoModelForSequenceClassification

app = FastAPI()
#: model = AutoModelForSequenceClassification.from_pretrained("distilbert-base-uncased")


@app.post("/classify")
def classify(ids: list[int]):
    model = AutoModelForSequenceClassification.from_pretrained("distilbert-base-uncased")  # here broken
    with torch.inference_mode():
        return model(torch.tensor([ids])).logits.argmax(-1).tolist()
