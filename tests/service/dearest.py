"""`make dearest`: the dearest requests that are taken, in simple checks, by processor time; at most 400 each."""

from __future__ import annotations

import gc
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
from flask.testing import FlaskClient

from service import constants, prices, search, table
from service.app import create_app
from service.bodies import MOST_CHECKS, MOST_INPUTS, MOST_MOVES
from tests.bench import body, full_position
from tests.fuzz.mutating import seeds
from tests.service.dear_plays import GZIP, NAVAJO, Dear, of_plays, refused, whole_game
from tests.service.sent import AMBUSH, CHECK
from tests.service.test_prices import AGAIN, MOST, RAID, least, posting

LONG_QUESTION = ("may a family with a horse move into an area with a fort when raiding " * 8)[:200]


def about_positions(client: FlaskClient) -> Iterator[Dear]:
    """What is asked with a position."""

    def post(name: str, path: str, body: Any) -> Dear:
        return Dear(name, posting(client, path, body))

    everywhere = {**full_position(), "agenda": []}
    forged = {"procedure": "enemy-raid", "step": "player-reaction", "memory": {"entered": "shiprock-4"}}
    yield post(
        "check: 24 forged frames, all languages",
        CHECK,
        {
            "position": {**RAID, "agenda": [forged] * 24},
            "action": {"kind": "continue"},
            "lang": "all",
            "closed": True,
        },
    )
    yield post(
        "check: as many answers as are taken",
        CHECK,
        {
            "position": RAID,
            "action": {"kind": "continue"},
            "inputs": [{"choose": "none"}] * MOST_INPUTS,
            "lang": "all",
        },
    )
    yield post(
        "batch: a Raid's Reaction so often, all languages",
        f"{NAVAJO}/check/batch",
        {
            "position": RAID,
            "actions": [AGAIN] * MOST_CHECKS,
            "lang": "all",
        },
    )
    for position, name in (
        (RAID | {"agenda": []}, "Raid"),
        (everywhere, "a whole table"),
        ({}, "nothing told"),
    ):
        yield post(
            f"options: {name}, with what is not allowed, all languages",
            f"{NAVAJO}/options",
            {
                "position": position,
                "illegal": True,
                "lang": "all",
            },
        )
    yield post(
        "audit: a whole table, all languages", f"{NAVAJO}/audit", {"position": everywhere, "lang": "all"}
    )
    raid = {"kind": "enemy-raid", "ap": 3}
    yield post(
        "odds: an Enemy Raid",
        f"{NAVAJO}/odds",
        {"position": everywhere, "action": raid, "image": True, "lang": "all"},
    )
    yield post(
        "odds: every Ambush",
        f"{NAVAJO}/odds",
        {
            "position": everywhere,
            "action": {"kind": "ambush", "family": "A"},
            "vary": {"family": list("ABCDEF")},
            "image": True,
            "lang": "all",
        },
    )
    yield post(
        "odds: enemy operations",
        f"{NAVAJO}/odds",
        {
            "position": everywhere,
            "action": {"kind": "enemy-operations", "printed_ap": 9},
            "lang": "all",
        },
    )
    told_again = {**AGAIN, "position": {"tracks": {"ap": 1}}}
    for move, name in ((AGAIN, "asked again"), (told_again, "told again")):
        yield post(
            f"replay: a Raid's Reaction {name} 500 times",
            f"{NAVAJO}/replay",
            {
                "position": RAID,
                "moves": [move] * MOST_MOVES,
                "lang": "all",
                "record": True,
            },
        )
    yield post(
        "replay: a whole game, all languages, recorded",
        f"{NAVAJO}/replay",
        {**whole_game(), "lang": "all", "record": True},
    )
    yield post(
        "6,500 fields that nobody knows", CHECK, {**AMBUSH, **{f"{number:x}": 1 for number in range(6_500)}}
    )
    yield post(
        "a body of 4 MB that is no game",
        f"{NAVAJO}/replay",
        {"position": {}, "moves": [{"x": "y" * 90}] * 39_000},
    )


def looked_up(client: FlaskClient) -> Iterator[Dear]:
    """What is only read, of the API and of the page."""

    def get(path: str, **headers: str) -> Dear:
        return Dear(f"GET {path}"[:90], lambda: client.get(path, headers={**GZIP, **headers}))

    for one in table.operations():
        if one.method == "get" and not (one.shown or one.path).endswith("/none"):
            address = one.shown or one.path
            yield get(address + ("" if one.query is None else f"{'&' if '?' in address else '?'}lang=all"))
            if one.picture:
                yield get(address, Accept=one.picture)
    for lang in ("en", "ja"):
        yield get(f"{NAVAJO}/rules?q={LONG_QUESTION}&limit=50&lang={lang}")
    yield get(f"{NAVAJO}/terms?q={LONG_QUESTION}")
    html = {"Accept": "text/html", "Accept-Language": "ja"}
    for path in (
        "/",
        "/play/new",
        f"/rules/navajo-wars?q={LONG_QUESTION}",
        "/rules/navajo-wars/nw:5.2.4?beside=ja",
        "/issues/navajo-wars",
        "/terms/navajo-wars",
        "/may/navajo-wars",
        "/walk/navajo-wars",
        "/audit/navajo-wars",
    ):
        yield get(path, **html)


def examples(client: FlaskClient) -> Dear:
    """The dearest of all worked examples."""
    found = {}
    for case in seeds()[::7]:
        send = posting(client, f"/v1/games/{case.game}/check", {**case.body, "lang": "all"})
        found[least(send, 1)] = send
    return Dear("check: the dearest worked example, all languages", found[max(found)])


def all_of_them(client: FlaskClient) -> Iterator[Dear]:
    """Every request that is looked at."""
    yield from about_positions(client)
    yield from looked_up(client)
    yield examples(client)
    yield from refused(client)
    yield from of_plays(client)


def measured(client: FlaskClient) -> list[tuple[float, str, int]]:
    """Each request in simple checks (those of `make bench`), with its status; the dearest first."""
    simple = least(posting(client, CHECK, orjson.loads(body())), 300)
    found = []
    for dear in all_of_them(client):
        status = dear.send().status_code
        found.append((least(dear.send, dear.tries) / simple, dear.name, status))
    return sorted(found, reverse=True)


def main() -> None:
    """The table; ends with 1 where a request costs more than it may."""
    with tempfile.TemporaryDirectory() as folder:
        client = create_app(
            {"LIMITS": "off", "STORE": f"sqlite:///{Path(folder) / 'plays.sqlite3'}"}
        ).test_client()
        search.warm()
        constants.warm()
        prices.of_a_check()
        gc.freeze()  # as a server does when it is ready
        gc.set_threshold(20_000, 20, 20)
        found = measured(client)
    for ratio, name, status in found:
        print(f"{ratio:8.1f}  {status}  {name}")
    sys.exit(found[0][0] > MOST)


if __name__ == "__main__":
    main()
