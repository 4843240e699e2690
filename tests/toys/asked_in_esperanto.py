"""Asked of a checkout with one language more: everything that is said, in this language."""

import json
import os
from pathlib import Path

from click.testing import CliRunner

from ruleglot.cli import main
from service import openapi, table
from service.app import create_app

MARK = "¤"
GAME = "/v1/games/navajo-wars"
AMBUSH = {
    "position": {
        "period": "mexican",
        "tracks": {"ap": 1, "military": 0, "culture": 6},
        "families": {"C": {"at": "shiprock-4", "ferocity": 2, "man": True, "woman": True, "child": False}},
        "areas": {"shiprock-4": {"raid": 1}},
    },
    "action": {"kind": "ambush", "family": "C"},
}
EVADE = {**AMBUSH, "action": {"kind": "evade", "family": "C"}}
client = create_app({"STORE": f"sqlite:///{Path.cwd()}/plays.db"}).test_client()


def asked(path: str, body: object = None, status: int = 200) -> dict:
    answer = client.get(path) if body is None else client.post(path, json=body)
    assert answer.status_code == status, (path, answer.get_data(as_text=True)[:500])
    assert answer.headers["Content-Language"] == "eo", path
    return answer.get_json()


def all_said(answer: object) -> list[str]:
    """Every sentence of an answer."""
    if isinstance(answer, list):
        return [said for part in answer for said in all_said(part)]
    if not isinstance(answer, dict):
        return []
    own = [answer[key] for key in ("text", "title", "headline", "detail") if isinstance(answer.get(key), str)]
    return own + [said for part in answer.values() for said in all_said(part)]


def in_esperanto(answer: object) -> None:
    said = all_said(answer)
    assert said
    assert [one for one in said if MARK not in one] == []


# answers, reasons, questions, options, odds, audits
in_esperanto(asked(f"{GAME}/check", {**AMBUSH, "lang": "eo"}))
in_esperanto(asked(f"{GAME}/check", {**EVADE, "lang": "eo"}))
in_esperanto(asked(f"{GAME}/options", {"position": AMBUSH["position"], "lang": "eo"})["options"])
in_esperanto(asked(f"{GAME}/odds", {**EVADE, "lang": "eo"}))
in_esperanto(asked(f"{GAME}/audit", {"position": {"tracks": {"ap": 40}}, "lang": "eo"})["findings"])
chorus = client.post(f"{GAME}/check", json={**AMBUSH, "lang": "all"}).get_json()
assert list(chorus["headline"]) == ["en", "eo", "fr", "it", "ja"]
assert client.get("/v1/games", headers={"Accept-Language": "eo"}).headers["Content-Language"] == "eo"

# problems
in_esperanto(asked(f"{GAME}/check", {"spam": 1, "lang": "eo"}, 422))
unknown = client.post(f"{GAME}/check", json={**AMBUSH, "lang": "xx"}).get_json()
assert "en, eo, fr, it, or ja" in unknown["detail"], unknown

# reports
moves = [{"action": EVADE["action"], "inputs": [{"die": 4}]}]
replayed = asked(f"{GAME}/replay", {"position": EVADE["position"], "moves": moves, "lang": "eo"})
in_esperanto(replayed["moves"])

# a play and its report
begun = client.post(f"{GAME}/plays?lang=eo", json={"position": EVADE["position"]}).get_json()
opened = {"Authorization": f"Bearer {begun['key']}", "If-Match": f'"{begun["version"]}"'}
at = f"/v1/plays/{begun['id']}"
moved = client.post(f"{at}/moves?lang=eo", json=moves[0], headers=opened).get_json()
assert moved["version"] > begun["version"], moved
in_esperanto(moved)
assert MARK in client.get(f"{at}/report?lang=eo", headers=opened).get_data(as_text=True)

# rules, search, terms, charts
hits = asked(f"{GAME}/rules?q=kiom+kostas+la+embusko&lang=eo")["hits"]
assert hits[0]["id"] == "nw:5.2.1", [one["id"] for one in hits]
in_esperanto(hits[0])
term = client.get(f"{GAME}/terms/nw.reaction.ambush").get_json()["terms"][0]
assert term["eo"]["term"] == f"{MARK}Ambush", term
assert ",eo,eo_source," in client.get(f"{GAME}/terms.csv").get_data(as_text=True).splitlines()[0]
assert 'xml:lang="eo"' in client.get(f"{GAME}/terms.tbx").get_data(as_text=True)
in_esperanto(asked(f"{GAME}/charts/enemy-raid?lang=eo"))
in_esperanto(asked(f"{GAME}/issues?lang=eo"))

# pages
home = client.get("/?lang=eo").get_data(as_text=True)
assert '<html lang="eo"' in home
assert "Esperanto" in home
assert MARK in home
for page in (
    "/rules/navajo-wars?q=embusko",
    "/rules/navajo-wars/nw:5.2.1",
    "/issues/navajo-wars",
    "/may/navajo-wars",
    "/play/new",
    "/terms/navajo-wars/nw.reaction.ambush",
    "/nothing",
):
    shown = client.get(page, headers={"Cookie": "lang=eo", "Accept": "text/html"}).get_data(as_text=True)
    assert '<html lang="eo"' in shown, page
    assert MARK in shown, page

# the contract
document = openapi.document(table.operations())
schemas = document["components"]["schemas"]
assert "eo" in schemas["Text"]["anyOf"][1]["required"]
assert "eo" in schemas["TermEntry"]["required"]
assert "eo" in schemas["NavajoWarsCheckRequest"]["properties"]["lang"]["enum"]
assert "English, Esperanto, French" in document["info"]["description"]

# the command line
Path("ambush.json").write_text(json.dumps(AMBUSH))
Path("game.json").write_text(json.dumps({"position": EVADE["position"], "moves": moves}))
runner = CliRunner()
for line in (
    "rule 5.2.1 --lang eo",
    "ask embusko --lang eo",
    "check ambush.json --lang eo",
    "replay game.json --lang eo",
    "scenario 14.1 --lang eo",
    "chart enemy-raid --lang eo",
):
    printed = runner.invoke(main, line.split())
    assert printed.exit_code in (0, 1), (line, printed.output, printed.exception)
    assert MARK in printed.output, (line, printed.output)
os.environ["LC_ALL"] = "eo.UTF-8"
assert MARK in runner.invoke(main, ["rule", "5.2.1"]).output
assert "Esperanto" not in runner.invoke(main, ["term", "nw.reaction.ambush"]).output
print("everything answered")
