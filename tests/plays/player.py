"""Somebody who plays through the API: he has a key, and remembers the version he saw last."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

GAME = "navajo-wars"
# Invented for these tests: one Family with a Raid beside it, ready to evade.
EVADING: dict[str, Any] = {
    "period": "spanish",
    "families": {"A": {"at": "shiprock-3", "ferocity": 1}},
    "areas": {"shiprock-3": {"raid": 1}},
}
EVADE = {"kind": "evade", "family": "A"}


class Player:
    """One client of one play."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.id = self.key = ""
        self.version = 0

    def start(self, game: str = GAME, **body: Any) -> dict[str, Any]:
        """A new play."""
        response = self.client.post(f"/v1/games/{game}/plays", json=body)
        assert response.status_code == 201, response.get_data(as_text=True)
        state: dict[str, Any] = response.get_json()
        self.id, self.key, self.version = state["id"], state["key"], state["version"]
        return state

    def headers(self, **other: str) -> dict[str, str]:
        """His key, and the version he means."""
        return {
            "Authorization": f"Bearer {self.key}",
            "If-Match": f'"{self.version}"',
            **{name.replace("_", "-"): value for name, value in other.items()},
        }

    def send(self, to: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """A POST, whatever comes of it."""
        return self.client.post(f"/v1/plays/{self.id}/{to}", json=body, headers=headers or self.headers())

    def post(self, to: str, body: Any = None, **headers: str) -> dict[str, Any]:
        """A POST that is carried out."""
        response = self.send(to, body, self.headers(**headers))
        assert response.status_code == 200, response.get_data(as_text=True)
        answer: dict[str, Any] = response.get_json()
        assert response.headers["ETag"] == f'"{answer["version"]}"'
        self.version = answer["version"]
        return answer

    def move(self, action: Any = None, *inputs: Any, **headers: str) -> dict[str, Any]:
        """A move, or an answer."""
        body = {"inputs": list(inputs)} if action is None else {"action": action, "inputs": list(inputs)}
        return self.post("moves", body, **headers)

    def tell(self, **facts: Any) -> dict[str, Any]:
        """Facts by pointer, with two underscores for each slash."""
        told = {"/" + name.replace("__", "/"): value for name, value in facts.items()}
        return self.move(None, {"tell": told})

    def get(self, path: str = "", **query: Any) -> dict[str, Any]:
        """What there is to see."""
        response = self.client.get(f"/v1/plays/{self.id}{path}", query_string=query)
        assert response.status_code == 200, response.get_data(as_text=True)
        found: dict[str, Any] = response.get_json()
        return found

    def text(self, path: str, **query: Any) -> str:
        """What there is to read."""
        response = self.client.get(f"/v1/plays/{self.id}{path}", query_string=query)
        assert response.status_code == 200, response.get_data(as_text=True)
        return response.get_data(as_text=True)
