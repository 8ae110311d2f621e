"""A log of another framework gets no entry of torch's, whatever words of CUDA stand in it; a log of both does."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from torchwhy import Assistant
from torchwhy.answers.screen import screen_of

NOTICES = (
    "2024-02-03 01:02:03.131415: E tensorflow/stream_executor/cuda/cuda_blas.cc:55] Unable to register cuBLAS factory\n"
    "2024-02-03 01:02:03.141516: I tensorflow/core/platform/cpu_feature_guard.cc:182] This binary is optimized\n"
)
LOGS = yaml.safe_load(Path(__file__).with_name("foreign.yaml").read_text("utf-8"))


@pytest.mark.parametrize("whose", LOGS["foreign"])
def test_an_error_of_another_framework_is_said_to_be_that(real: Assistant, whose: str) -> None:
    answer = real.ask(LOGS["foreign"][whose], lang="en")
    name = "tensorflow" if whose == "keras" else whose
    assert answer.match is None and answer.family is None and not answer.candidates
    assert answer.to_dict()["foreign"] == [name]
    screen = screen_of(answer)
    assert screen.certainty.startswith(f"This looks like {name}, not PyTorch")
    assert not any("Nearest" in line for line in screen.tell)


@pytest.mark.parametrize("case", LOGS["torchs"])
def test_an_error_of_torch_beside_another_framework_is_answered(real: Assistant, case: str) -> None:
    answer = real.ask(LOGS["torchs"][case], lang="en")
    assert answer.match is not None and answer.match.id == "no-kernel-image"


def test_notices_of_another_framework_do_not_hide_a_symptom_in_words(real: Assistant) -> None:
    text = NOTICES + "CUBLAS_STATUS_EXECUTION_FAILED is all that my torch program prints after this\n"
    answer = real.ask(text, lang="en")
    assert answer.match is not None and answer.match.id == "cublas-status"


DEATHS = {
    "a path": "glyphs(id):Error:Assert failed:in file ../src/glyphs.h, line 513\nSegmentation fault (core dumped)\n",
    "an address": "Segmentation fault: 11 in the command window\nwhen the viewer of https://example.org/viewer/run.html is closed\n",
    "a server's log": "[2022-03-27 12:20:48 +0700] [54644] [WARNING] Worker with pid 54646 was terminated due to signal 9\n",
}


@pytest.mark.parametrize("case", DEATHS)
def test_the_death_of_another_program_is_no_entrys(real: Assistant, case: str) -> None:
    answer = real.ask(DEATHS[case], lang="en")
    assert answer.match is None and answer.family is None


def test_the_death_of_a_program_that_may_be_torchs_is_answered(real: Assistant) -> None:
    for text in (
        "Segmentation fault (core dumped)",
        "./run.sh: line 3: 77 Segmentation fault  python train.py",
    ):
        answer = real.ask(text, lang="en")
        assert answer.match is not None or answer.family is not None
