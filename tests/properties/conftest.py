"""Failing assertions in the shared modules say what they saw, as those in the tests do."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.properties.playing", "tests.properties.counting")
