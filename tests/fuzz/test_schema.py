"""What is told of a run of schemathesis, and which part of its cases a run takes."""

from __future__ import annotations

import pytest

from tests.fuzz.schema import Put, answered, wrong
from tests.fuzz.slices import SLICES, Slice

LOG = """[INFO] Booting worker with pid: 1
{"time":"2026-11-18T01:09:34+00:00","method":"GET","operation":"games","status":200,"ms":2.5}
{"time":"2026-11-18T01:09:35+00:00","method":"POST","operation":"julianCheck","status":422,"ms":2.5}
{"time":"2026-11-18T01:09:36+00:00","method":"POST","operation":"julianCheck","status":422,"ms":2.5}
"""


def test_answers_are_counted_by_operation_and_status() -> None:
    assert answered(LOG) == {"games": {200: 1}, "julianCheck": {422: 2}}


def test_a_run_without_fault() -> None:
    assert not wrong(Put(3, 0, "", LOG))


@pytest.mark.parametrize(
    ("ended", "log"),
    [
        (1, LOG),
        (0, LOG.replace("200", "500")),
        (0, f"{LOG}Traceback (most recent call last):\n"),
        (0, f'{LOG}{{"level":"error","text":"unexpected error"}}\n'),
    ],
)
def test_a_fault_of_any_kind_is_one(ended: int, log: str) -> None:
    assert wrong(Put(3, ended, "", log))


def test_every_body_is_put_by_one_of_so_many_seeds_that_follow_each_other() -> None:
    bodies = [number % 2 for number in range(200)]  # of two operations, in turn
    slices = [Slice(seed) for seed in range(2026, 2026 + SLICES)]
    taken = [[one.takes(f"operation {name}") for name in bodies] for one in slices]
    assert [sum(column) for column in zip(*taken, strict=True)] == [1] * len(bodies)
    for one in taken:
        assert {name for name, put in zip(bodies, one, strict=True) if put} == {0, 1}, "each has its turn"
