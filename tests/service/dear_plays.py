"""What is asked of plays that cost as much as plays can, at the API and on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, NamedTuple

import orjson
from flask.testing import FlaskClient

from service.config import MOST_REPLAY_BYTES
from service.plays import MOST_TOLD
from tests.bench import full_position
from tests.games import golden
from tests.plays.player import EVADE, EVADING
from tests.service.test_prices import AGAIN, RAID

NAVAJO = "/v1/games/navajo-wars"
GZIP = {"Accept-Encoding": "gzip"}
HTML = {"Accept": "text/html", "Accept-Language": "ja"}
READ = (
    "",
    "?lang=all",
    "/moves?limit=100&lang=all",
    "/report",
    "/report.md?lang=fr",
    "/report.html?lang=ja",
    "/transcript",
    "/components",
)
REPORTS = ("", "/report", "/report.txt", "/transcript")
SCREENS = (
    "",
    "/news",
    "/table",
    "/chart",
    "/report",
    "/report.txt",
    "/odds",
    "/audit",
    "/share",
    "/copy",
    "/transcript",
    "/families/A",
    "/areas/shiprock-3",
)


class Dear(NamedTuple):
    """A request, what it is called, and how often it is tried."""

    name: str
    send: Callable[[], Any]
    tries: int = 3


def whole_game(name: str = "rise-of-the-people") -> dict[str, Any]:
    """A whole game as somebody keeps it."""
    told: dict[str, Any] = orjson.loads(golden.file(name, "json").read_bytes())
    return {**told, "components": golden.components(golden.COPY)}


def _table() -> dict[str, Any]:
    return {**full_position(), "agenda": []}


def _tells(number: int) -> dict[str, Any]:
    """As many facts as one request may tell, others each time."""
    people = (
        f"/families/{letter}/{what}" for letter in "ABCDEF" for what in ("man", "woman", "child", "horse")
    )
    areas = (
        f"/areas/{territory}-{area}/raid"
        for territory in ("shiprock", "hopi-land", "black-mesa", "monument-valley", "zuni-mountains")
        for area in range(1, 6)
    )
    told: dict[str, Any] = {**dict.fromkeys(people, bool(number % 2)), **dict.fromkeys(areas, number % 2)}
    return dict(list(told.items())[:MOST_TOLD])


def kept_games() -> Iterator[tuple[str, dict[str, Any]]]:
    """Games to be brought in: whole ones, and those of moves that are dear to make, to word, to read or to keep."""
    yield "a whole game", whole_game()
    yield "another whole game", whole_game("the-rope-thrower")
    last = {**AGAIN, "position_after": RAID}
    yield "dear moves", {"position": RAID, "moves": [*[AGAIN] * 2_000, last]}
    table = _table()
    mark = {"kind": "corrected", "note": "x" * 20, "position_after": table}
    most = (MOST_REPLAY_BYTES - 20_000) // len(orjson.dumps(mark))
    yield "whole tables", {"position": table, "moves": [mark] * most}
    back = {"kind": "corrected", "position": EVADING}
    evades = [back, {"action": EVADE, "inputs": [{"die": 1}]}]
    done = {**back, "position_after": EVADING}
    yield "small moves", {"position": EVADING, "moves": [*evades * 1_330, done]}
    noted = [{"kind": "corrected", "note": "<&*_" * 250}] * 3_000
    yield "long notes", {"position": {}, "moves": [*noted, {"kind": "corrected", "position_after": {}}]}
    tells = [{"kind": "told", "inputs": [{"tell": _tells(number)}]} for number in range(18)]
    yield "many facts", {"position": table, "moves": [*tells, {"kind": "told", "position_after": table}]}
    sides = [{"kind": "read", "choices": {"ambush-clears": one}} for one in ("all-tracks", "that-track")]
    read = [*sides * 1_000, {"kind": "read", "position_after": table}]
    yield "other readings", {**whole_game(), "position": table, "moves": read}


def many_moves(value: bytes, times: int) -> bytes:
    """As many moves as fit, each answered with a list of one value so often."""
    move = b'{"inputs":[{"choose":[' + b",".join([value] * times) + b']}],"note":"' + b"x" * 70_000 + b'"}'
    return b'{"position":{},"moves":[' + b",".join([move] * 42) + b"]}"


def no_games() -> Iterator[tuple[str, bytes]]:
    """Bodies that are as long as a game may be, and none: what they are made of is dear to read."""
    deep = b",".join([b"[" * 20 + b"]" * 20] * 95_000)
    names = b",".join(b'"%06d":1' % number for number in range(360_000))
    yield "lists in lists", b'{"position":{},"moves":[{"inputs":[{"choose":[' + deep + b"]}]}]}"
    yield "lists in lists that are no JSON", b'{"position":{},"moves":[' + deep + b"}"
    yield "numbers", b'{"position":{},"moves":[' + b",".join([b"1"] * 2_000_000) + b"]}"
    yield "names", b"{" + names + b"}"
    yield "names on the table", b'{"position":{' + names + b'},"moves":[]}'


def refused(client: FlaskClient) -> Iterator[Dear]:
    """What is no game, brought in or replayed."""
    few = ("lists in lists in each move", many_moves(b"[" * 20 + b"]" * 20, 230))
    for name, game in (*no_games(), few):
        for path, body in ((f"{NAVAJO}/plays", b'{"transcript":' + game + b"}"), (f"{NAVAJO}/replay", game)):
            yield Dear(
                f"4 MB of {name}: {path.rpartition('/')[2]}",
                lambda path=path, body=body: client.post(path, data=body, content_type="application/json"),
            )


def of_plays(client: FlaskClient) -> Iterator[Dear]:
    """Bringing games in, and everything that is asked of them."""
    for name, game in kept_games():
        body = orjson.dumps({"transcript": game})
        yield Dear(
            f"play of {name}: bringing it in",
            lambda body=body: client.post(f"{NAVAJO}/plays", data=body, content_type="application/json"),
            1,
        )
        yield Dear(f"page of {name}: bringing it in", lambda game=game: _brought_in(client, game), 1)
        play = client.post(f"{NAVAJO}/plays", json={"transcript": game}).get_json()
        if "id" in play:
            yield from _asked_of(client, name, play)
    yield Dear(
        "play: bringing in dear moves that do not say where they lead",
        lambda: client.post(
            f"{NAVAJO}/plays", json={"transcript": {"position": RAID, "moves": [AGAIN] * 490}}
        ),
        1,
    )
    yield _home(client)


def _brought_in(client: FlaskClient, game: dict[str, Any]) -> Any:
    told = {"game": "navajo-wars", "file": (BytesIO(orjson.dumps(game)), "game.json")}
    return client.post("/play/import", data=told)


def _asked_of(client: FlaskClient, name: str, play: dict[str, Any]) -> Iterator[Dear]:
    at, key = f"/v1/plays/{play['id']}", {"Authorization": f"Bearer {play['key']}"}

    def get(path: str, headers: dict[str, str]) -> Callable[[], Any]:
        return lambda: client.get(path, headers={**GZIP, **headers})

    def post(path: str, body: Any, method: str = "POST") -> Callable[[], Any]:
        def send() -> Any:
            version = client.get(at).headers["ETag"]
            headers = {**GZIP, **key, "If-Match": version}
            return client.open(at + path, method=method, json=body, headers=headers)

        return send

    for path in READ:
        yield Dear(f"play of {name}: {path or 'state'}", get(at + path, {}))
    for path in SCREENS if "dear" in name or "facts" in name else REPORTS:
        yield Dear(f"page of {name}: {path or 'conversation'}", get(f"/play/{play['id']}{path}", HTML))
    for path, body in (
        ("/verify?from=0&lang=all", {}),
        ("/options", {"lang": "all", "illegal": True}),
        ("/odds", {"action": {"kind": "enemy-raid", "ap": 3}, "lang": "all"}),
        ("/moves", {"action": {"kind": "continue"}, "closed": True, "lang": "all"}),
        ("/moves", {"inputs": [{"tell": _tells(1)}], "lang": "all"}),
        ("/corrections", {"tell": _tells(0), "lang": "all"}),
        ("/readings", {"components": golden.components(golden.COPY), "lang": "all"}),
        ("/undo", {"lang": "all"}),
        ("/redo", {"lang": "all"}),
    ):
        yield Dear(f"play of {name}: POST {path}", post(path, body))
    yield Dear(f"play of {name}: its name", post("", {"name": "x" * 200, "lang": "all"}, "PATCH"))


def _home(client: FlaskClient) -> Dear:
    """The first screen of a browser that knows as many plays as it remembers."""
    made = [
        client.post(f"{NAVAJO}/plays", json={"position": RAID, "name": "x" * 200}).get_json()
        for _ in range(20)
    ]
    cookie = "~".join(f"{one['id']}.{one['key']}" for one in made)
    return Dear(
        "page: home with twenty plays", lambda: client.get("/", headers={**HTML, "Cookie": f"plays={cookie}"})
    )
