"""One log: what failed in it, and that a healthy one is left alone."""

from __future__ import annotations

import io
import tracemalloc

import pytest

from tests.support.logs import FAILED, STEPS
from torchwhy.errors import UsageError
from torchwhy.triaging.fingerprint import normalised
from torchwhy.triaging.jobs import Grouping
from torchwhy.triaging.look import Looker
from torchwhy.triaging.row import Look


def looked(text: str | bytes, looker: Looker | None = None) -> Look:
    look = Look("a.log")
    data = text if isinstance(text, bytes) else text.encode()
    (looker or Looker()).look(io.BytesIO(data), look)
    return look


def test_an_error_with_its_place_and_time() -> None:
    look = looked(STEPS + FAILED)
    assert (look.order, look.exception, look.time) == (0, "RuntimeError", 1741082439.0)
    assert look.error == "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"
    assert look.user_frame is not None
    assert look.user_frame.endswith("train.py:7")


def test_a_reading_that_is_remembered_keeps_the_logs_own_numbers() -> None:
    looker = Looker()
    first = looked(STEPS + FAILED, looker)
    second = looked(FAILED.replace("2x3", "64x768"), looker)
    assert second.error == "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x768 and 4x5)"
    assert first.fingerprint == second.fingerprint == looked(FAILED.replace("4x5", "9x9")).fingerprint


@pytest.mark.parametrize(
    "text",
    [
        "",
        STEPS,
        STEPS + "WARNING fetch: ConnectionError: reset, trying again (1/5)\n" + STEPS,
        STEPS + FAILED + "handled, going on\n" + STEPS,
        STEPS
        + "Exception ignored in: <function D.__del__ at 0x7f>\n"
        + FAILED.replace("RuntimeError: mat1", "AssertionError: can only join a child process, mat1"),
        "/p/x.py:3: UserWarning: something is deprecated\n  warnings.warn(\n" + STEPS,
    ],
    ids=["empty", "steps", "retried", "handled", "teardown", "warning"],
)
def test_nothing_is_blamed_where_nothing_failed(text: str) -> None:
    assert looked(text).order == 9


def test_the_rank_that_failed_first() -> None:
    lines = [f"[rank3]: {line}\n" for line in FAILED.splitlines()]
    late = [f"[rank0]: {line}\n" for line in FAILED.splitlines()]
    look = looked(STEPS + "".join(lines + late))
    assert look.rank == 3
    looker = Looker()
    assert looked("".join(lines), looker).rank == 3
    assert looked("".join(late), looker).rank == 0


def test_a_schedulers_word() -> None:
    look = looked(
        STEPS
        + "slurmstepd: error: *** JOB 77 ON gpu-12 CANCELLED AT 2025-03-04T11:00:00 DUE TO TIME LIMIT ***\n"
    )
    assert (look.order, look.host) == (0, "gpu-12")


def test_secrets_are_not_kept() -> None:
    look = looked(FAILED.replace("mat1", "token=hf_abcdefghijklmnopqrstuvwxyzABCDEFGH mat1"))
    assert "hf_abc" not in f"{look.error}{look.sample}"


@pytest.mark.parametrize("length", [440, 460, 480, 490, 1940, 1960, 1980])
@pytest.mark.parametrize("before", ["RuntimeError: ", "    x = "])
def test_a_secret_is_redacted_before_its_line_is_cut(length: int, before: str) -> None:
    secret = "SuperSecretPassword99"
    line = f"{before}{'x' * length} postgresql://bob:{secret}@db.corp.example/x"
    for text in (FAILED.replace("RuntimeError: ", f"{line}\nRuntimeError: ", 1), FAILED + line + "\n"):
        look = looked("Traceback (most recent call last):\n" + text)
        assert secret[:4] not in f"{look.error}{look.sample}"


def test_one_line_without_an_end_is_read_in_bounded_memory() -> None:
    class Endless(io.RawIOBase):
        left = 96

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            return b"x" * size if self.left > 0 else b""

    look = Look("a.log")
    tracemalloc.start()
    Looker().look(Endless(), look)  # type: ignore[arg-type]
    assert tracemalloc.get_traced_memory()[1] < 16 << 20
    tracemalloc.stop()
    assert look.order == 9


def test_an_error_late_in_a_large_log() -> None:
    text = STEPS * 2000
    assert looked(text + FAILED).exception == "RuntimeError"
    assert looked(text).order == 9


def test_utf_16_and_binary() -> None:
    assert looked((STEPS + FAILED).encode("utf-16")).exception == "RuntimeError"
    with pytest.raises(UsageError, match="binary"):
        looked(b"\x00\x01" * 100)


def test_numbers_that_tell_stay() -> None:
    assert normalised("size 12 of /a/b/c.pt at 0x7f00") == "size # of <path> at <hex>"
    assert normalised("Xid (PCI:0000:44:00): 79") != normalised("Xid (PCI:0000:44:00): 48")


@pytest.mark.parametrize(
    ("path", "head", "wanted"),
    [
        ("/l/run7_x/attempt_1/3/stderr.log", "", ("/l/run7_x", 3, 1)),
        ("/l/slurm-123456_7.out", "", ("123456_7", None, 0)),
        ("/l/job/rank12.log.gz", "", ("/l/job", 12, 0)),
        ("/l/job/3.log", "", ("/l/job", 3, 0)),
        ("/l/train.out", "", ("/l/train", None, 0)),
        ("/l/train.err", "", ("/l/train", None, 0)),
        ("/l/x/rank1.txt", "SLURM_JOB_ID=991", ("991", 1, 0)),
        ("/l/x.log", "run_id: none", ("/l/x", None, 0)),
    ],
)
def test_whose_log_it_is(path: str, head: str, wanted: tuple[str, int | None, int]) -> None:
    assert tuple(Grouping().place(path, head.encode())) == wanted


def test_a_pattern_of_ones_own() -> None:
    assert tuple(Grouping(r"/(?P<job>exp\d+)/w(?P<rank>\d+)").place("/x/exp9/w4.txt", b"")) == ("exp9", 4, 0)
    with pytest.raises(UsageError, match="--job"):
        Grouping("(")
    with pytest.raises(UsageError, match="group"):
        Grouping("abc")
    with pytest.raises(UsageError, match="RE2"):
        Grouping("(?=a)(b)")


def test_a_pattern_of_ones_own_is_linear_and_takes_any_name() -> None:
    """With a backtracking engine the first takes longer than the universe has lasted."""
    assert Grouping(r"(a+)+$").place("/l/" + "a" * 5000 + "!", b"").job == "/l/" + "a" * 5000 + "!"
    assert Grouping("/(?P<job>[^/]+)/rank").place("/作业\udcff/rank3.log", b"") == ("作业\udcff", 3, 0)
    assert Grouping("/(?P<job>.)").place("/é", b"").job == "\\xc3"
