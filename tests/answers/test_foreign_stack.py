"""A log of another framework gets no entry of torch's, whatever words of CUDA stand in it; a log of both does."""

from __future__ import annotations

import pytest

from torchwhy import Assistant
from torchwhy.answers.screen import screen_of

CALLED = 'Traceback (most recent call last):\n  File "/me/fit.py", line 4, in <module>\n    fit(rows)\n'
NOTICES = (
    "2024-02-03 01:02:03.131415: E tensorflow/stream_executor/cuda/cuda_blas.cc:55] Unable to register cuBLAS factory\n"
    "2024-02-03 01:02:03.141516: I tensorflow/core/platform/cpu_feature_guard.cc:182] This binary is optimized\n"
)
NO_IMAGE = "CUDA error: no kernel image is available for execution on the device"
FOREIGN = {
    "tensorflow": "2024-02-03 01:02:03.13: E tensorflow/stream_executor/cuda/cuda_blas.cc:60] failed to run cuBLAS "
    "routine cublasDgemm_v2: CUBLAS_STATUS_EXECUTION_FAILED\nHow do I get rid of this?\n",
    "caffe": "I0312 10:00:00.100000 77 solver.cpp:60] Solver scaffolding done.\n"
    "F0312 10:00:01.200000 77 math_functions.cu:28] Check failed: status == CUBLAS_STATUS_SUCCESS (14 vs. 0) "
    "CUBLAS_STATUS_INTERNAL_ERROR\n*** Check failure stack trace: ***\n    @     0x7f11c  google::LogMessage::Fail()\n"
    "    @     0x7f22c  caffe::caffe_gpu_gemm<>()\nAborted (core dumped)\n",
    "jax": CALLED + "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: CUDA out of memory. Tried to allocate 2.00 GiB\n",
    "mxnet": CALLED + f"mxnet.base.MXNetError: [10:20:30] src/engine/naive_engine.h:15: {NO_IMAGE}\n",
    "keras": CALLED
    + '  File "/env/lib/python3.11/site-packages/keras/src/utils/traceback_utils.py", line 70, in error_handler\n'
    f"    raise e\nRuntimeError: {NO_IMAGE}\n",
    "java": f"java.lang.IllegalStateException: {NO_IMAGE}\n    at org.rows.Native.run(Native.java:12)\n",
    "node": f"/me/serve.js:3\n  throw err;\n  ^\n\nError: {NO_IMAGE}\n    at start (/me/serve.js:3:9)\n"
    "    at Module._load (node:internal/modules/cjs/loader:922:27)\n\nNode.js v18.17.0\n",
}  # fmt: skip
TORCHS = {
    "notices above": NOTICES + f"RuntimeError: {NO_IMAGE}\n",
    "notices above a traceback": NOTICES + CALLED + f"RuntimeError: {NO_IMAGE}\n",
    "torch called it": CALLED
    + '  File "/env/lib/python3.11/site-packages/torch/cuda/__init__.py", line 5, in synchronize\n    sync()\n'
    + '  File "/env/lib/python3.11/site-packages/keras/src/utils/traceback_utils.py", line 70, in error_handler\n'
    + f"    raise e\nRuntimeError: {NO_IMAGE}\n",
    "torch's own log": "[E123 10:00:00.1 ProcessGroupNCCL.cpp:60] tensorflow/core/x.cc:1 as well\n"
    f"RuntimeError: {NO_IMAGE}\n",
}


@pytest.mark.parametrize("whose", FOREIGN)
def test_an_error_of_another_framework_is_said_to_be_that(real: Assistant, whose: str) -> None:
    answer = real.ask(FOREIGN[whose], lang="en")
    name = "tensorflow" if whose == "keras" else whose
    assert answer.match is None and answer.family is None and not answer.candidates
    assert answer.to_dict()["foreign"] == [name]
    screen = screen_of(answer)
    assert screen.certainty.startswith(f"This looks like {name}, not PyTorch")
    assert not any("Nearest" in line for line in screen.tell)


@pytest.mark.parametrize("case", TORCHS)
def test_an_error_of_torch_beside_another_framework_is_answered(real: Assistant, case: str) -> None:
    answer = real.ask(TORCHS[case], lang="en")
    assert answer.match is not None and answer.match.id == "no-kernel-image"


def test_notices_of_another_framework_do_not_hide_a_symptom_in_words(real: Assistant) -> None:
    text = NOTICES + "CUBLAS_STATUS_EXECUTION_FAILED is all that my program prints after this\n"
    answer = real.ask(text, lang="en")
    assert answer.match is not None and answer.match.id == "cublas-status"
