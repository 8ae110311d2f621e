"""Lines of healthy runs and of errors, written for the tests, in which nothing is secret and nobody is named."""

from __future__ import annotations

HEALTHY: tuple[str, ...] = tuple(
    line
    for line in """\
["password", "username"] ("password", "username") {"type": "password", "required": true} <input name="password" type="password">
{"password": ["This field is required."]} password: Optional[str] = None password (optional): string
| key | value | | key_proj | 1024 x 1024 | | token | count | {"name": "key_proj", "value": "linear"} {"name": "layer1", "value": 0.5}
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false"); os.environ.get("LOCAL_RANK", "0"); getattr(self, "key", "default")
%env CUDA_VISIBLE_DEVICES 0; setx CUDA_HOME "C:/CUDA/v12.4"; set -gx CUDA_HOME /usr/local/cuda
ENV TORCH_CUDA_ARCH_LIST "8.0 9.0"
echo "import torch" | python; echo yes | pip uninstall torch; curl -sSL https://download.pytorch.org/x.whl -o x.whl; curl -fsSLa x y:z
pass = 1; PASS: tests/test_model.py::test_forward; pw = 3; psk: 4; bearer: none; client.login("user", "reader")
[sudo] password for the machine is missing; Password for user is wrong; passphrase for key is needed: no
http_proxy=localhost:3128; HTTPS_PROXY= "d": 3, "k": 5; login(new_session=False); wandb.login(key=None)
pe[:, 0::2] = torch.sin(position * div_term); pe[:, 1::2] = torch.cos(position * div_term); x = x[::2, ::4]
expected scalar type c10::Half but found c10::BFloat16; undefined symbol of c10:: or at::
THCudaCheck FAIL file=/opt/conda/conda-bld/pytorch_1579022034529/work/aten/src/THC/generic/THCTensorMath.cu line=24 error=59
See https://docs.vllm.ai/en/latest/usage/troubleshooting/ and https://setuptools.pypa.io/en/latest/history.html
No API key found for the Hugging Face hub: set HF_TOKEN, or see https://huggingface.co/docs/huggingface_hub/quick-start
key is not in the state dict; get_key('layer1.weight'); KeyError: 'token'; self.key = nn.Linear(512, 512)
auth = None; optimizer.param_groups[0]['lr'], response=200, signature=(Tensor self, Tensor other) -> Tensor
hf_hub_download failed, hf_transfer is not installed: RuntimeError
Epoch 3/10: 100%|██████████| 1250/1250 [02:11<00:00,  9.51it/s, loss=0.0321, lr=5e-05]
{'loss': 2.3026, 'grad_norm': 1.53, 'learning_rate': 4.9e-05, 'epoch': 0.01}
[rank0]:[W1122 16:25:54.123456789 ProcessGroupNCCL.cpp:1250] Warning: process group has NOT been destroyed before we destruct it
tokenizer.pad_token = tokenizer.eos_token
Setting `pad_token_id` to `eos_token_id`:128001 for open-end generation.
Special tokens have been added in the vocabulary, make sure the associated word embeddings are fine-tuned or trained.
max_new_tokens=512, pad_token='<|endoftext|>', eos_token="</s>", bos_token=<s>, unk_token=[UNK]
Token indices sequence length is longer than the specified maximum sequence length for this model (5124 > 1024)
num_tokens: 1048576  tokens/s: 12345.67  key_padding_mask=None  attn_mask: torch.Size([8, 1, 2048, 2048])
KeyError: 'model.layers.0.self_attn.q_proj.weight'
RuntimeError: Error(s) in loading state_dict for Net: Missing key(s) in state_dict: "fc.weight", "fc.bias".
Unexpected key(s) in state_dict: "module.conv1.weight", "module.bn1.running_mean".
TypeError: forward() got an unexpected keyword argument 'token_type_ids'
AttributeError: 'GPT2TokenizerFast' object has no attribute 'secret_token_list'
key: value, query, key = qkv.chunk(3, dim=-1)
for key, value in state_dict.items(): print(key, value.shape)
sorted(items, key=lambda item: item[1], reverse=True)
q @ k.transpose(-2, -1) * scale; attn = (q@k).softmax(-1); out = attn@v
@torch.no_grad() @property @staticmethod
loss = F.cross_entropy(logits.view(-1, 50257), y.view(-1), ignore_index=-100)
HUGGING_FACE_HUB_TOKEN is not set; using anonymous access
WARNING: password authentication is disabled; use an access token
api_key=os.environ["WANDB_API_KEY"], project="mnist"
api_key = None, token: Optional[str] = None, secret=None, password: str
login(token=os.getenv("HF_TOKEN")); wandb.login(key=args.wandb_key)
export HF_TOKEN=$HF_TOKEN; export WANDB_API_KEY=${WANDB_API_KEY}; export TOKEN=<your token>
huggingface-cli login --token $HF_TOKEN --add-to-git-credential
--model_name_or_path meta-llama/Llama-3.1-8B-Instruct --use_fast_tokenizer --trust_remote_code --token_type bpe
wandb: Tracking run with wandb version 0.17.5
wandb: Syncing run twilight-sunset-12
wandb: 🚀 View run at https://wandb.ai/example/mnist/runs/1a2b3c4d
Downloading shards: 100%|██████████| 4/4 [00:00<00:00, 10.32it/s]
model-00001-of-00030.safetensors: 100%|██████████| 4.98G/4.98G [01:58<00:00, 42.0MB/s]
Downloading https://download.pytorch.org/whl/cu124/torch-2.6.0%2Bcu124-cp311-cp311-linux_x86_64.whl (768.4 MB)
Requirement already satisfied: multiprocess in /usr/local/lib/python3.11/dist-packages (from datasets) (0.70.16.1)
Requirement already satisfied: typing-extensions>=3.7.4.3 in /opt/conda/lib/python3.10/site-packages (4.12.2)
Collecting nvidia-cudnn-cu12==9.1.0.70 (from torch)
Installing collected packages: nvidia-cublas-cu12, nvidia-curand-cu12-10.3.5.147, torch
Successfully installed nvidia-cufft-cu12-11.2.1.3 nvidia-nvjitlink-cu12-12.4.127 torch-2.6.0
conda install pytorch=2.5.1=py3.11_cuda12.4_cudnn9.1.0_0 -c pytorch
cudatoolkit 11.3.1 h9edb442_10 conda-forge, libcublas 12.4.5.8, cudnn 8.9.2.26
NVIDIA-SMI 535.104.05   Driver Version: 535.104.05   CUDA Version: 12.2
| 30%   41C    P2    71W / 350W |   1523MiB / 24576MiB |      0%      Default |
GPU 0: NVIDIA A100-SXM4-80GB, compute capability 8.0, memory 81920 MiB
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.69 GiB of which 1.31 GiB is free.
RuntimeError: CUDA error: device-side assert triggered
/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: [5,0,0] Assertion `t >= 0 && t < n_classes` failed.
terminate called after throwing an instance of 'c10::Error'
frame #3: c10d::ProcessGroupNCCL::WorkNCCL::checkTimeout(std::optional<std::chrono::duration<long, std::ratio<1l, 1000l> > >) + 0x1c7 (0x7f0a1c5d2e47 in /usr/local/lib/python3.11/site-packages/torch/lib/libtorch_cuda.so)
[E ProcessGroupNCCL.cpp:475] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1800000) ran for 1800123 milliseconds before timing out.
NCCL version 2.21.5+cuda12.4
NCCL INFO Channel 00/02 :    0   1
NCCL INFO Trees [0] 1/-1/-1->0->-1 [1] -1/-1/-1->0->1
NCCL INFO Connected all rings, use ring PXN 0 GDR 1
NCCL_SOCKET_IFNAME=eth0 NCCL_IB_DISABLE=1 CUDA_VISIBLE_DEVICES=0,1,2,3 OMP_NUM_THREADS=8
MASTER_ADDR=localhost MASTER_PORT=29500 RANK=0 WORLD_SIZE=4 LOCAL_RANK=0
The server socket has failed to listen on [::]:29500 (errno: 98 - Address already in use).
listening on 127.0.0.1:6006 and 0.0.0.0:8080
[2026-01-02 03:04:05,678] torch.distributed.run: [WARNING] Setting OMP_NUM_THREADS environment variable for each process to be 1
2026-01-02 03:04:05.678901: I tensorflow/core/platform/cpu_feature_guard.cc:210] This TensorFlow binary is optimized to use available CPU instructions
[2026-01-02T03:04:05Z INFO  train] step 100 loss 1.234
Traceback (most recent call last):
  File "train.py", line 42, in <module>
  File "/usr/local/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1736, in _wrapped_call_impl
  File "/opt/conda/envs/llm/lib/python3.10/site-packages/transformers/trainer.py", line 2052, in train
  File "/workspace/train.py", line 10, in main
  File "/home/user/project/train.py", line 10, in main
  File "/root/miniconda3/lib/python3.11/runpy.py", line 196, in _run_module_as_main
  File "C:\\ProgramData\\anaconda3\\Lib\\site-packages\\torch\\__init__.py", line 148, in <module>
    return self._call_impl(*args, **kwargs)  # type: ignore[misc]
    raise OSError(f'{repo_id} is not a local folder and is not a valid model identifier listed on https://huggingface.co/models')
OSError: You are trying to access a gated repo. Make sure to have access to it at https://huggingface.co/meta-llama/Llama-3.1-8B.
requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://huggingface.co/api/whoami-v2
See https://pytorch.org/docs/stable/notes/cuda.html#memory-management (PYTORCH_CUDA_ALLOC_CONF)
https://github.com/pytorch/pytorch/issues/12345#issuecomment-678901234
git clone git@github.com:pytorch/pytorch.git && cd pytorch && git submodule update --init --recursive
commit 1d70c1f6f5e84d1f3a6c1b5a7e1f0d9c8b7a6f5e
sha256:53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db
Stored in directory: /tmp/pip-ephem-wheel-cache-abcdefgh/wheels/53/c4/f8/c4cb07f135845218b019b4a55d8a0470a0f21ee13f8dcd16be
Using cache directory: /root/.cache/vllm/torch_compile_cache/2b70b500a6/rank_0 for vLLM's torch.compile
torch._dynamo.exc.Unsupported: Graph break: call_method UserDefinedObjectVariable(Tensor) __getitem__
V0102 03:04:05.678000 140234 torch/_inductor/graph.py:1234] cache miss for fx graph
assert torch.allclose(a, b, atol=1e-6), f'{(a-b).abs().max()=}'
DataLoader(dataset, batch_size=64, num_workers=4, pin_memory=True, persistent_workers=True)
DataLoader worker (pid(s) 12345, 12346) exited unexpectedly
OSError: [Errno 24] Too many open files: '/dev/shm/pymp-abcd1234'
RuntimeError: unable to open shared memory object </torch_12345_678> in read/write mode
Segmentation fault (core dumped)
slurmstepd: error: Detected 1 oom_kill event in StepId=1234567.batch. Some of the step tasks have been OOM Killed.
sbatch --gres=gpu:4 --ntasks-per-node=4 --time=04:00:00 run.sh
srun: job 1234567 queued and waiting for resources
srun --mpi=pmix -p gpu -N 2 python -m torch.distributed.run train.py
docker run -p 8080:80 --gpus all --ipc=host -v /data:/data nvcr.io/nvidia/pytorch:24.05-py3
torchrun --nproc_per_node=8 --nnodes=2 --node_rank=0 --master_port=29500 train.py --resume latest
python -m pip install -U "torch>=2.6" --index-url https://download.pytorch.org/whl/cu124
train_loss 0.123456 val_loss 0.234567 acc 98.76 sec/iter 0.0123
tensor([[ 0.1234, -0.5678],\n        [ 1.2345,  0.0001]], device='cuda:0', grad_fn=<AddmmBackward0>)
Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same
mat1 and mat2 shapes cannot be multiplied (64x3136 and 9216x128)
Net(\n  (conv1): Conv2d(3, 64, kernel_size=(7, 7), stride=(2, 2), padding=(3, 3), bias=False)
total params: 124,439,808 | trainable: 124,439,808 | flops: 2.85e+11
显存不足：CUDA out of memory，已经把 batch_size 调到 1 还是报错，怎么办？
用 torch.save 保存之后再 load，结果不一样；token 的 embedding 需要重新训练吗？
密码学里的随机数和 torch.manual_seed 有什么关系？
为什么 key 和 query 的维度必须一样？
Passing `key_cache` is deprecated; use `past_key_values` instead.
key      model.layers.0.self_attn.k_proj.weight
max_token  4096
| cache_key | 0 | torch.float32 |
GET /x?code=404&state=ok HTTP/1.1
session: 3 turns, auth: none, login: ok, sid: 12, pass: 4, fail: 0
passed=12 failed=0 skipped=3; bypass=True; compass: north
secret: false, secrets: [], credential_helper=, credentials: null
The authorization header is missing; Authorization: <required>
basic usage: python train.py; bearer of bad news: loss is nan
user=None host=localhost port=5432 database=mlflow
cookie cutter template; no cookie was set
GPT-4, LLaMA-2-7b-chat-hf, Qwen2.5-0.5B-Instruct, bert-base-uncased, sd-v1-4-full-ema.ckpt
sk-learn version 1.4.2; task-level-parallelism; risk-averse-optimization-of-the-loss
hf_transfer, hf_hub_download, r8_quantized, fw_bw_time, key-value-cache-implementation, ms-swift
a::b::c::d, std::vector<c10::IValue>, at::native::add, 12:30:45, 1:2:3, ratio 3:4:5
x = y if key == 'token' else z['password_field'].shape
UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors.
""".splitlines()
)
