"""What every run of the tests says at its end; failing assertions in shared modules say what they saw."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

import pytest

# One address sends all the requests of the tests; those about the limits turn them on.
os.environ.setdefault("RULEGLOT_LIMITS", "off")

# What tests keep goes into a folder of this run, not into the user's own.
os.environ.pop("DATABASE_URL", None)
os.environ["RULEGLOT_DATA"] = tempfile.mkdtemp(prefix="ruleglot-tests-")
os.environ.setdefault("XDG_RUNTIME_DIR", os.environ["RULEGLOT_DATA"])  # or the PostgreSQL of the tests warns
atexit.register(shutil.rmtree, os.environ["RULEGLOT_DATA"], ignore_errors=True)

pytest.register_assert_rewrite(
    "tests.properties.playing", "tests.properties.counting", "tests.games.watching"
)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are read, replayed and told in one part, also where a busy machine makes their moves look dear."""
    from service import prices

    allowed = 100 * prices.of_a_check()
    monkeypatch.setattr(prices, "of_a_check", lambda: allowed)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures that tests give, and count the rules of each game whenever the catalogues were tested."""
    reports = [report for group in terminalreporter.stats.values() for report in group]
    figures = [
        value
        for report in reports
        for name, value in getattr(report, "user_properties", ())
        if name == "figures" and report.when == "call"
    ]
    if figures:
        terminalreporter.section("figures")
        terminalreporter.write_line("\n\n".join(figures))
    if not any("catalogue/test_rules.py" in getattr(report, "nodeid", "") for report in reports):
        return
    from tests.catalogue.tally import GAMES, tally

    terminalreporter.section("rules")
    for name in GAMES:
        terminalreporter.write_line(tally(name))
