"""Asked of a checkout with one game more: everything that the service answers of it."""

from service import openapi, table
from service.app import create_app

GAME = "/v1/games/stones"
client = create_app().test_client()


def answered(path: str, body: object = None) -> dict:
    answer = client.get(path) if body is None else client.post(path, json=body)
    assert answer.status_code == 200, (path, answer.get_json())
    return answer.get_json()


assert [one["name"] for one in answered("/v1/games")["games"]] == ["navajo-wars", "julian", "stones"]
taken = answered(f"{GAME}/check", {"position": {"pile": 5}, "action": {"kind": "take", "stones": 2}})
assert (taken["ruling"], taken["position"]["pile"]) == ("legal", 3)
assert taken["outcome"] == "stones-taken"
many = answered(
    f"{GAME}/check", {"position": {"pile": 1}, "action": {"kind": "take", "stones": 2}, "lang": "all"}
)
assert [one["name"] for one in many["reasons"]] == ["stones-too-few"]
asked = answered(f"{GAME}/check", {"position": {}, "action": {"kind": "take", "stones": 2}})
assert [one["name"] for one in asked["unknowns"]] == ["ask-pile"]
answered(f"{GAME}/options", {"position": {"pile": 5}})
answered(f"{GAME}/odds", {"position": {"pile": 5}, "action": {"kind": "take", "stones": 2}})
assert answered(f"{GAME}/audit", {"position": {"pile": 5}})["possible"] is True
assert answered(f"{GAME}/rules?q=stones")["hits"][0]["id"] == "toy:take"
assert [one["id"] for one in answered(f"{GAME}/sources")["sources"]] == ["toy"]
for part in ("actions", "rules/toy:take", "issues", "terms", "scenarios", "charts", "everything.json"):
    answered(f"{GAME}/{part}")
document = openapi.document(table.operations())
assert f"{GAME}/check" in document["paths"]
assert "StonesPosition" in document["components"]["schemas"]
print("everything answered")
