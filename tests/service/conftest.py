"""The application as a program on the other side of the wire sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from tests.service.sent import CHECK


@pytest.fixture(scope="session")
def client() -> FlaskClient:
    return create_app().test_client()


@pytest.fixture
def ask(client: FlaskClient) -> Callable[..., dict[str, Any]]:
    """Send a check that must be readable, and give its answer."""

    def send(request: dict[str, Any], path: str = CHECK, **headers: str) -> dict[str, Any]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        response = client.post(path, json=request, headers=named)
        assert response.status_code == 200, response.get_data(as_text=True)
        assert response.content_type == "application/json"
        answer: dict[str, Any] = response.get_json()
        return answer

    return send
