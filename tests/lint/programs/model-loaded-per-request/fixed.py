import torch
from flask import Flask, request

app = Flask(__name__)
model = torch.load("model.pt", map_location="cpu", weights_only=False)


@app.post("/predict")
def predict():
    return model(torch.tensor(request.json)).tolist()
