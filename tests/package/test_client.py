"""The client asks everything there is, and waits, tries again and fails as it says."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import ruleglot
from ruleglot import Asking, Client, Engine
from service import openapi, play_records, table
from service.app import create_app
from service.games import GAMES
from tests.clients.raid import TABLE
from tests.package.serving import Forgetful, answering, running

EVADE = {
    "period": "mexican",
    "families": {"C": {"at": "shiprock-3", "ferocity": 1}},
    "areas": {"shiprock-3": {"raid": 1}},
}
ACT = {"kind": "evade", "family": "C"}
NW = "navajo-wars"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    store = f"sqlite:///{tmp_path_factory.mktemp('plays')}/plays.sqlite"
    with running(create_app({"LIMITS": "off", "STORE": store})) as address, Client(address) as client:
        yield client


# -- everything there is -----------------------------------------------------------------------------


def contract_operations() -> set[tuple[str, str]]:
    games = "|".join(GAMES)
    return {
        (method, re.sub(f"^/v1/games/({games})/", "/v1/games/{game}/", path))
        for path, methods in openapi.document(table.operations())["paths"].items()
        for method in methods
    }


def test_it_asks_every_operation_of_the_contract() -> None:
    asked = [*ruleglot.OPERATIONS.values(), *ruleglot.PLAY_OPERATIONS.values()]
    assert {tuple(one) for one in asked} == contract_operations()
    for name in ruleglot.OPERATIONS:
        assert callable(getattr(Client, name))
    for name in ruleglot.PLAY_OPERATIONS:
        assert callable(getattr(Client, name, None) or getattr(ruleglot.Play, name))


QUESTIONS: dict[str, Callable[[Asking], Any]] = {
    "games": lambda ask: ask.games(),
    "health": lambda ask: ask.health(),
    "ready": lambda ask: ask.ready(),
    "check": lambda ask: ask.check(NW, EVADE, ACT, [{"die": 4}], choices={"evade-on-6": "may"}, closed=True),
    "check_batch": lambda ask: ask.check_batch(NW, EVADE, [{"action": ACT}]),
    "options": lambda ask: ask.options(NW, EVADE, kinds=["evade", "planning"], illegal=False),
    "odds": lambda ask: ask.odds(NW, EVADE, ACT),
    "replay": lambda ask: ask.replay(NW, EVADE, [{"action": ACT, "inputs": [{"die": 4}]}], record=True),
    "audit": lambda ask: ask.audit(NW, {"tracks": {"ap": 40}}),
    "actions": lambda ask: ask.actions("julian"),
    "rules": lambda ask: ask.rules(NW, "quanto costa muovere con un fortino?", limit=3),
    "rule": lambda ask: ask.rule(NW, "nw:5.2.4"),
    "issues": lambda ask: ask.issues("julian"),
    "issue": lambda ask: ask.issue(NW, "evade-on-6"),
    "terms": lambda ask: ask.terms(NW, "embuscade"),
    "term": lambda ask: ask.term(NW, "nw.reaction.ambush"),
    "terms_csv": lambda ask: ask.terms_csv(NW),
    "terms_tbx": lambda ask: ask.terms_tbx("julian"),
    "scenarios": lambda ask: ask.scenarios(NW),
    "scenario": lambda ask: ask.scenario(NW, "14.1"),
    "charts": lambda ask: ask.charts(NW),
    "chart": lambda ask: ask.chart(NW, "enemy-raid", at="placement", done=["initiation", "next-placement"]),
    "sources": lambda ask: ask.sources(NW),
    "everything": lambda ask: ask.everything("julian"),
}


def test_every_operation_is_tried() -> None:
    assert set(QUESTIONS) == set(ruleglot.OPERATIONS)


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("lang", ["ja", "all"])
def test_a_server_and_the_engine_give_the_same_answer(client: Client, name: str, lang: str) -> None:
    engine = Engine(lang=lang)
    client.lang = lang
    there, here = QUESTIONS[name](client), QUESTIONS[name](engine)
    assert there == here
    assert there


UNASSUMING: dict[str, Callable[[Asking], Any]] = {
    "check": lambda ask: [ask.check(NW, EVADE, ACT, assume=False)],
    "check_batch": lambda ask: ask.check_batch(NW, EVADE, [{"action": ACT}], assume=False)["results"],
    "options": lambda ask: ask.options(NW, EVADE, kinds=["evade"], assume=False)["options"],
    "odds": lambda ask: [ask.odds(NW, EVADE, ACT, assume=False)],
    "check, without a client": lambda _: [ruleglot.check(NW, EVADE, ACT, assume=False)],
    "options, without a client": lambda _: ruleglot.options(NW, EVADE, kinds=["evade"], assume=False)[
        "options"
    ],
    "odds, without a client": lambda _: [ruleglot.odds(NW, EVADE, ACT, assume=False)],
}


@pytest.mark.parametrize("name", UNASSUMING)
def test_nothing_is_taken_for_granted_where_that_is_asked_for(client: Client, name: str) -> None:
    assert ruleglot.check(NW, EVADE, ACT)["assumed"]
    for asked in (client, Engine()):
        (answer,) = UNASSUMING[name](asked)
        assert answer["assumed"] == []


def test_what_was_told_of_a_reading_goes_along_as_the_page_says(client: Client) -> None:
    told, read = {"tell": {"/choices/evade-on-6": "may"}}, {"read": "shiprock-3"}
    for asked in (client, Engine()):
        at_once = asked.check(NW, TABLE, {"kind": "enemy-raid", "ap": 1}, [told, read])
        first = asked.check(NW, TABLE, {"kind": "enemy-raid", "ap": 1}, [told])
        then = asked.check(NW, first["position"], {"kind": "continue"}, [{"tell": first["told"]}, read])
        assert (then["accepted"], then["told"], at_once["told"]) == (2, told["tell"], told["tell"])
        assert (then["position"], then["pending"]) == (at_once["position"], at_once["pending"])
        wrong = asked.check(NW, first["position"], {"kind": "continue"}, [read, {"die": 4}])
        assert (wrong["refused"], wrong["accepted"]) == ("answer", 1)
        assert wrong["position"] == first["position"]


@pytest.mark.parametrize("record", [False, True])
def test_a_game_is_replayed_page_by_page(client: Client, record: bool) -> None:
    moves = [{"action": ACT, "inputs": [{"die": 4}]}, {"position": {"tracks": {"ap": 2}}, "kind": "told"}]
    client.lang = "en"
    for asked in (client, Engine(lang="en")):
        whole = asked.replay(NW, EVADE, moves, record=record)
        first = asked.replay(NW, EVADE, moves, limit=1, record=record)
        assert first["next"] == 1
        second = asked.replay(NW, EVADE, moves, after=first["next"], record=record)
        assert (whole["next"], second["next"]) == (None, None)
        assert [*first["moves"], *second["moves"]] == whole["moves"]
        assert second["position"] == whole["position"]
    assert client.replay(NW, EVADE, moves, after=1) == Engine(lang="en").replay(NW, EVADE, moves, after=1)


def test_a_key_for_a_larger_budget_goes_with_every_request() -> None:
    play = (200, {}, {"id": "x", "version": 1})
    with answering((200, {}, {"games": []}), play, play) as (address, asked):
        client = Client(address, api_key="opensesame")
        client.games()
        client.open_play("x", "key").undo()
    assert [one["X-Api-Key"] for one in asked] == ["opensesame"] * 3
    assert asked[2]["Authorization"] == "Bearer key"


def test_the_key_is_for_this_server_and_no_other() -> None:
    with answering((200, {}, {"games": []})) as (elsewhere, asked_there):
        sent_on = (307, {"Location": f"{elsewhere}/v1/games"}, {})
        with answering(sent_on) as (address, asked_here):
            assert Client(address, api_key="opensesame").games() == {"games": []}
    assert ("X-Api-Key" in asked_here[0], "X-Api-Key" in asked_there[0]) == (True, False)


# -- failures ----------------------------------------------------------------------------------------

WRONG: dict[str, tuple[type[ruleglot.Problem], str, Callable[[Asking], Any]]] = {
    "a rule": (ruleglot.NotFound, "unknown-rule", lambda ask: ask.rule(NW, "nw:99", lang="fr")),
    "a term": (ruleglot.NotFound, "unknown-term", lambda ask: ask.term(NW, "nw.x y")),
    "a scenario": (ruleglot.NotFound, "unknown-scenario", lambda ask: ask.scenario("julian", "1", lang="fr")),
    "a chart": (ruleglot.NotFound, "unknown-chart", lambda ask: ask.chart(NW, "?", lang="fr")),
    "an issue": (ruleglot.NotFound, "unknown-dispute", lambda ask: ask.issue(NW, "C999", lang="fr")),
    "a game": (ruleglot.NotFound, "unknown-game", lambda ask: ask.options("chess", {}, lang="fr")),
    "a row": (ruleglot.Unreadable, "unreadable", lambda ask: ask.chart(NW, "enemy-raid", at="x", lang="fr")),
    "a place": (
        ruleglot.Unreadable,
        "unreadable",
        lambda ask: ask.check(NW, {"families": {"C": {"at": "nowhere"}}}, {"kind": "jump"}, lang="fr"),
    ),
    "a question": (ruleglot.Unreadable, "unreadable", lambda ask: ask.rules(NW, " ", lang="fr")),
    "no question": (ruleglot.Unreadable, "unreadable", lambda ask: ask.rules(NW, "", lang="fr")),
    "a limit": (ruleglot.Unreadable, "unreadable", lambda ask: ask.rules(NW, "fort", limit=0, lang="fr")),
    "a page": (
        ruleglot.Unreadable,
        "unreadable",
        lambda ask: ask.replay(NW, {}, [{"action": ACT}], limit=0, lang="fr"),
    ),
    "a set": (ruleglot.Unreadable, "unreadable", lambda ask: ask.check(NW, {"areas": {"x"}}, ACT, lang="fr")),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_problem_is_raised_as_its_own_type_with_all_it_says(client: Client, what: str) -> None:
    kind, code, ask = WRONG[what]
    client.lang = None
    with pytest.raises(kind) as there:
        ask(client)
    with pytest.raises(kind) as here:
        ask(Engine())
    for problem in (there.value, here.value):
        assert problem.code == code
        assert problem.status in (404, 422)
        assert str(problem) == problem.detail
    assert there.value.body == here.value.body


def test_every_place_that_is_wrong_is_named(client: Client) -> None:
    _, _, ask = WRONG["a place"]
    with pytest.raises(ruleglot.Unreadable) as caught:
        ask(client)
    assert [place.pointer for place in caught.value.errors] == ["/position/families/C/at", "/action/kind"]


def test_it_asks_again_where_the_server_is_busy() -> None:
    busy = ((503, {}, {}), (429, {"Retry-After": "0"}, {}), (502, {}, {}))
    with answering(*busy, (200, {}, {"games": []})) as (address, asked):
        assert Client(address, backoff=0.01).games() == {"games": []}
        assert len(asked) == 4


def test_a_check_is_asked_again_too() -> None:
    with answering((503, {}, {}), (200, {}, {"ruling": "legal"})) as (address, asked):
        assert Client(address, backoff=0.01).check(NW, {}, ACT)["ruling"] == "legal"
        assert [one["method"] for one in asked] == ["POST", "POST"]


def test_it_gives_up_in_the_end_and_says_how_long_to_wait() -> None:
    body = {"code": "too-many-requests", "detail": "Attendez.", "errors": []}
    with answering(*[(429, {"Retry-After": "0"}, body)] * 3) as (address, asked):
        with pytest.raises(ruleglot.TooManyRequests, match="Attendez") as caught:
            Client(address, retries=2, backoff=0.01).games()
        assert (caught.value.code, caught.value.retry_after) == ("too-many-requests", 0.0)
        assert len(asked) == 3


def test_what_would_not_help_is_not_asked_again() -> None:
    with answering((500, {}, {"detail": "broken"})) as (address, asked):
        with pytest.raises(ruleglot.ServerError, match="broken"):
            Client(address).games()
        assert len(asked) == 1


def test_what_has_an_etag_is_kept_and_asked_for_again_cheaply() -> None:
    first, again = (200, {"ETag": '"1"'}, {"id": "nw:5"}), (304, {"ETag": '"1"'}, {})
    newer = (200, {"ETag": '"2"'}, {"id": "newer"})
    with answering(first, again, newer) as (address, asked):
        client = Client(address)
        assert [client.rule(NW, "nw:5")["id"] for _ in range(3)] == ["nw:5", "nw:5", "newer"]
        assert [one.get("If-None-Match") for one in asked] == [None, '"1"', '"1"']


def test_what_is_kept_in_one_language_is_not_given_in_another() -> None:
    with answering((200, {"ETag": '"1"'}, {"id": "en"}), (200, {"ETag": '"1"'}, {"id": "fr"})) as (
        address,
        asked,
    ):
        client = Client(address)
        assert client.rule(NW, "nw:5", lang="en")["id"] == "en"
        assert client.rule(NW, "nw:5", lang="fr")["id"] == "fr"
        assert "If-None-Match" not in asked[1]


def test_a_real_server_confirms_what_is_kept(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.lang = "it"
    first = client.rule(NW, "nw:5.2.1")
    decoded = []
    monkeypatch.setattr(client, "_keep", lambda *kept: decoded.append(kept))
    assert client.rule(NW, "nw:5.2.1") == first
    assert not decoded


def test_whoever_changes_an_answer_changes_his_own_only(client: Client) -> None:
    first = client.scenario(NW, "14.1")
    ap = first["position"]["tracks"]["ap"]
    first["position"]["tracks"]["ap"] = ap + 10
    assert client.scenario(NW, "14.1")["position"]["tracks"]["ap"] == ap


def test_nobody_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ruleglot.Unreachable, match="127"):
            Client(address, retries=1, backoff=0.01).games()


def test_somebody_who_never_answers() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(ruleglot.Unreachable):
            Client(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.2, retries=0).games()


def test_somebody_else() -> None:
    html = (200, {"Content-Type": "text/html"}, "hello")
    with answering(html) as (address, _), pytest.raises(ruleglot.NotRuleglot):
        Client(address).games()


# -- plays -------------------------------------------------------------------------------------------


def test_a_play_from_its_start_to_its_end(client: Client) -> None:
    client.lang = "fr"
    play = client.start_play(NW, name="mardi", position=EVADE)
    assert (play.state["name"], play.version) == ("mardi", 1)
    assert play.key
    asked = play.move(ACT)
    assert asked["ruling"] == "legal"
    assert asked["pending"]["input"] == "die"
    moved = play.move(inputs=[{"die": 4}])
    assert moved["position"]["families"]["C"]["at"] == "shiprock-5"
    assert play.refresh()["moves"] == 2
    assert "Évasion" in play.report()
    assert play.report_file("txt") == play.report()
    assert play.options(kinds=["evade"])["options"][0]["kind"] == "evade"
    assert play.odds(ACT)["lang"] == "fr"
    assert [len(play.moves(limit=1)["moves"]), play.moves(after=1)["next"]] == [1, None]
    assert play.undo()["moves"] == 1
    assert play.redo()["moves"] == 2
    assert (
        play.correct({"/families/C/ferocity": 3}, note="compté")["position"]["families"]["C"]["ferocity"] == 3
    )
    assert play.read_otherwise(choices={"evade-on-6": "may"})["choices"]["evade-on-6"] == "may"
    assert play.rename("mercredi")["name"] == "mercredi"
    assert play.verify()["diverged"] is None
    kept = play.transcript()
    assert client.start_play(NW, transcript=kept).state["position"] == play.state["position"]
    assert play.components() is not None
    play.delete()
    with pytest.raises(ruleglot.NotFound):
        client.open_play(play.id)


def test_another_device_joins_and_its_key_is_ended(client: Client) -> None:
    play = client.start_play(NW, position=EVADE)
    other = client.join_play(play.make_code())
    assert other.id == play.id
    assert other.key not in (None, play.key)
    assert other.move(ACT)["ruling"] == "legal"
    with pytest.raises(ruleglot.Changed) as caught:
        play.rename("mine")
    assert caught.value.status == 412
    play.refresh()
    assert play.rename("mine")["name"] == "mine"
    last = play.keys()["keys"][-1]["number"]
    play.end_key(last)
    other.refresh()
    with pytest.raises(ruleglot.NoKey):
        other.rename("theirs")
    with pytest.raises(ruleglot.NotFound):
        play.end_key(last)


def test_a_move_that_takes_nothing_for_granted(client: Client) -> None:
    play = client.start_play(NW, position=EVADE)
    assert play.options(kinds=["evade"])["options"][0]["assumed"]
    assert not play.options(kinds=["evade"], assume=False)["options"][0]["assumed"]
    assert play.odds(ACT, assume=False)["ruling"] == "undetermined"
    assert play.move(ACT, assume=False)["ruling"] == "undetermined"
    assert play.move()["ruling"] == "undetermined"  # the action that waits keeps it
    assert play.move(inputs=[{"die": 4}], assume=True)["ruling"] == "legal"


def test_no_page_of_no_moves(client: Client) -> None:
    with pytest.raises(ruleglot.Unreadable):
        client.start_play(NW).moves(limit=0)


@pytest.mark.parametrize("ending", ["txt", "md", "html"])
def test_a_long_report_is_told_to_its_end(
    client: Client, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    client.lang = None
    play = client.start_play(NW, position=EVADE)
    for count in range(3):
        play.correct({"/tracks/ap": count}, note=f"counted {count}")
    monkeypatch.setattr(play_records, "MOST_IN_A_PART", 1)
    parts = list(play.report_parts(ending, lang="fr"))
    assert len(parts) == 3
    for count, part in enumerate(parts):
        assert f"counted {count}" in part
        assert part not in parts[:count]
    assert play.report_file(ending, lang="fr") == "\n".join(parts)
    assert play.report(lang="fr") == "\n".join(play.report_parts(lang="fr"))


def test_two_who_look_at_one_play_each_have_seen_a_version_of_their_own(client: Client) -> None:
    made = client.start_play(NW, position=EVADE)
    one, other = client.open_play(made.id, made.key), client.open_play(made.id, made.key)
    one.refresh()
    other.refresh()
    one.move(ACT, [{"die": 4}])
    assert (one.version, other.version) == (2, 1)
    with pytest.raises(ruleglot.Changed):
        other.undo()
    assert other.refresh()["moves"] == 1


def test_the_state_after_a_move_is_of_one_piece(client: Client) -> None:
    play = client.start_play(NW, position=EVADE)
    play.move(ACT, [{"die": 4}])
    assert play.state == client.open_play(play.id).state
    assert (play.state["moves"], play.state["position"]["families"]["C"]["at"]) == (1, "shiprock-5")
    before = play.state
    assert play.move({"kind": "plant-corn", "family": "A"})["version"] == play.version
    assert (play.state is before) == (play.version == before["version"])


def test_who_has_not_looked_since_his_move_does_not_undo_what_followed(client: Client) -> None:
    play = client.start_play(NW, position=EVADE)
    other = client.open_play(play.id, play.key)
    play.move(ACT)
    other.refresh()
    other.rename("theirs")
    with pytest.raises(ruleglot.Changed):
        play.move(inputs=[{"die": 4}])
    assert play.refresh()["name"] == "theirs"


def test_what_asking_again_cannot_help_is_not_called_changed(client: Client) -> None:
    play = client.start_play(NW, position=EVADE)
    for code, ask in (
        ("nothing-to-undo", lambda: play.undo(5)),
        ("nothing-to-redo", play.redo),
        ("last-key", lambda: play.end_key(play.keys()["keys"][0]["number"])),
    ):
        with pytest.raises(ruleglot.NotPossible) as caught:
            ask()
        assert (caught.value.status, caught.value.code) == (409, code)
        assert not isinstance(caught.value, ruleglot.Changed)


def test_a_request_without_its_version_is_not_helped_by_refreshing() -> None:
    missing = {"code": "version-missing", "detail": "Say which."}
    with (
        answering((200, {}, {"id": "x", "version": 1}), (428, {}, missing)) as (address, _),
        pytest.raises(ruleglot.Unreadable),
    ):
        Client(address).open_play("x", "key").undo()


def test_every_answer_may_be_lost_once(tmp_path: Path) -> None:
    app = create_app({"LIMITS": "off", "STORE": f"sqlite:///{tmp_path}/plays.sqlite"})
    with running(Forgetful(app)) as address, Client(address, backoff=0.01) as client:
        play = client.start_play(NW, position=EVADE)
        other = client.join_play(play.make_code())
        assert other.key not in (None, play.key)
        assert other.move(ACT, [{"die": 4}])["kept"]
        assert (other.undo()["moves"], other.redo()["moves"]) == (0, 1)
        assert other.rename("ours")["name"] == "ours"
        assert len(play.keys()["keys"]) == 2
        other.end_key(play.keys()["keys"][0]["number"])
        assert len(other.keys()["keys"]) == 1
        other.delete()
        with pytest.raises(ruleglot.NotFound):
            client.open_play(play.id)


@pytest.mark.parametrize(("before", "ended"), [(502, True), (429, False)])
def test_a_key_that_is_not_found_was_ended_only_if_that_was_tried(before: int, ended: bool) -> None:
    unknown = {"code": "unknown-key", "detail": "This play has no key with this number."}
    answers = ((200, {}, {"id": "x", "version": 1}), (before, {"Retry-After": "0"}, {}), (404, {}, unknown))
    with answering(*answers) as (address, _):
        play = Client(address, backoff=0.01).open_play("x", "key")
        with nullcontext() if ended else pytest.raises(ruleglot.NotFound):
            play.end_key(7)


def test_a_play_that_is_gone_is_forgotten(client: Client) -> None:
    play = client.start_play("julian")
    play.delete()
    play.delete()
    with pytest.raises(ruleglot.NotFound):
        play.refresh()


def test_another_address_is_not_a_play_that_is_gone() -> None:
    nothing = {"code": "not-found", "detail": "There is nothing at this address."}
    with (
        answering((200, {}, {"id": "x", "version": 1}), (404, {}, nothing)) as (address, _),
        pytest.raises(ruleglot.NotFound),
    ):
        Client(address).open_play("x", "key").delete()


def test_without_a_key_it_can_be_looked_at_and_no_more(client: Client) -> None:
    play = client.start_play("julian")
    looked = client.open_play(play.id)
    assert looked.state["game"] == "julian"
    with pytest.raises(ruleglot.NoKey):
        looked.rename("mine")
