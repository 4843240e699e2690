"""A part of the bodies that schemathesis makes.

For the seventeen operations with large bodies it makes some 180,000: one for each way in which each part of a position can
be right or wrong, operation by operation, and it puts all of them. A run takes every eighth of each operation, by its seed
another eighth, so that every operation has its turn in every run, and every case in eight runs.
"""

from __future__ import annotations

from collections import Counter

SLICES = 8


class Slice:
    """The bodies of one run."""

    def __init__(self, seed: int) -> None:
        self._number = seed % SLICES
        self._made: Counter[str] = Counter()

    def takes(self, operation: str) -> bool:
        """Is the next body of an operation one of them?"""
        self._made[operation] += 1
        return self._made[operation] % SLICES == self._number
