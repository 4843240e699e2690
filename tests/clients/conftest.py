"""The contract as a file, as the code says it today; another test holds the committed one against it."""

from __future__ import annotations

from pathlib import Path

import pytest

from service import openapi, table


@pytest.fixture(scope="session")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("contract") / "openapi.yaml"
    file.write_text(openapi.as_yaml(openapi.document(table.operations())), encoding="utf-8")
    return file
