"""One embedding model: which, adapted how, run by torch or by onnxruntime."""
