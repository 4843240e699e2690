"""What every run of the tests says at its end; failing assertions in shared modules say what they saw."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite(
    "tests.properties.playing", "tests.properties.counting", "tests.games.watching"
)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Count the rules of each game, whenever the catalogues were tested."""
    reports = [report for group in terminalreporter.stats.values() for report in group]
    if not any("catalogue/test_rules.py" in getattr(report, "nodeid", "") for report in reports):
        return
    from tests.catalogue.tally import GAMES, tally

    terminalreporter.section("rules")
    for name in GAMES:
        terminalreporter.write_line(tally(name))
