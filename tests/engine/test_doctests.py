"""The examples in the docstrings of the kernel's words are true."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from engine import verdict


@pytest.mark.parametrize("module", [verdict], ids=lambda module: module.__name__)
def test_docstrings_are_true(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
