"""What holds of every answer, whatever was asked; each check asks the service again and compares."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from engine import codec, transcript
from engine.telling import Table, tell
from service.games import GAMES
from service.terms import LANGUAGES
from tests.fuzz.asking import Case, Said, Service, schema_of, validator

CONTINUE = {"kind": "continue"}
# What is in words: everything else is the same in every language.
WORDS = frozenset(
    [
        "headline",
        "text",
        "lead",
        "hint",
        "short",
        "title",
        "row_title",
        "from_text",
        "to_text",
        "when_text",
        "reading",
        "snippet",
        "percent",
        "labels",
        "lang",
        "remembers",
    ]
)


class Broken(AssertionError):
    """A property that does not hold, with the request that shows it."""

    def __init__(self, rule: str, case: Case, why: str) -> None:
        super().__init__(f"{rule}: {why}")
        self.rule, self.case, self.why = rule, case, why


def same_again(service: Service, case: Case, said: Said, _random: Random) -> None:
    """The same request gets the same bytes."""
    again = service.ask(case)
    if (again.status, again.text) != (said.status, said.text):
        raise Broken(
            "same-again", case, f"{said.status} {said.text[:300]!r} then {again.status} {again.text[:300]!r}"
        )


def fits_the_contract(_service: Service, case: Case, said: Said, _random: Random) -> None:
    """The answer fits the schema that the contract shows."""
    name = "AuditAnswer" if case.operation == "audit" and said.status == 200 else schema_of(case, said.status)
    wrong = [f"{error.instance_path}: {error.message}" for error in validator(name).iter_errors(said.body)]
    if wrong:
        raise Broken("fits-the-contract", case, f"not a {name}: {wrong[:3]}")


def a_refusal_is_no_failure(_service: Service, case: Case, said: Said, _random: Random) -> None:
    """What cannot be read is refused as that, and says where."""
    if said.status >= 500:
        raise Broken("no-failure", case, str(said.body))
    if said.status == 422 and not said.body["errors"]:
        raise Broken("no-failure", case, "a refusal that does not say where")


def in_every_language(service: Service, case: Case, said: Said, random: Random) -> None:
    """Another language changes the words and nothing else."""
    if said.status != 200:
        return
    lang = random.choice([one for one in LANGUAGES if one != said.body["lang"]])
    other = service.ask(case, lang)
    if other.status != 200 or _without_words(other.body) != _without_words(said.body):
        raise Broken("in-every-language", case, f"{lang} differs")


def _without_words(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_words(inner) for key, inner in value.items() if key not in WORDS}
    return [_without_words(one) for one in value] if isinstance(value, list) else value


def can_be_sent_back(service: Service, case: Case, said: Said, _random: Random) -> None:
    """The position of a legal answer is read again, and asks the same question."""
    if said.status != 200 or case.operation != "check" or said.body["ruling"] != "legal":
        return
    body = said.body
    back = _going_on(case, body, [])
    again = service.ask(back)
    if again.status != 200:
        raise Broken("can-be-sent-back", case, f"refused: {again.body['detail']}")
    asked, then = body["pending"], again.body["pending"]
    if (
        body["position"].get("agenda")
        and asked is not None
        and (then is None or then["name"] != asked["name"])
    ):
        raise Broken("can-be-sent-back", case, f"asked {asked['name']}, then {then and then['name']}")


def _going_on(case: Case, said: dict[str, Any], inputs: list[Any]) -> Case:
    """The same from where an answer leads, with what was told beside the position."""
    body = {key: value for key, value in case.body.items() if key in ("choices", "components", "assume")}
    told = [{"tell": said["told"]}] if said.get("told") else []
    going_on = {"position": said["position"], "action": CONTINUE, "inputs": [*told, *inputs]}
    return Case(case.game, "check", {**body, **going_on})


def step_by_step(service: Service, case: Case, said: Said, random: Random) -> None:
    """All answers in one request lead where some now and the rest later do."""
    inputs = case.body.get("inputs")
    if said.status != 200 or case.operation != "check" or not isinstance(inputs, list) or len(inputs) < 2:
        return
    if said.body["ruling"] != "legal" or any(
        not isinstance(one, dict) or {"tell", "untell"} & set(one) for one in inputs
    ):
        return
    cut = random.randrange(1, len(inputs))
    first = service.ask(Case(case.game, "check", {**case.body, "inputs": inputs[:cut]}))
    if first.status != 200 or first.body["ruling"] != "legal" or first.body["pending"] is None:
        return
    rest = service.ask(_going_on(case, first.body, inputs[cut:]))
    both = (rest.body.get("position"), _name(rest.body)), (said.body["position"], _name(said.body))
    if rest.status != 200 or both[0] != both[1]:
        raise Broken("step-by-step", case, f"cut behind {cut}: {_name(rest.body)} against {_name(said.body)}")


def _name(body: dict[str, Any]) -> str | None:
    return body["pending"]["name"] if body.get("pending") else None


def replays(service: Service, case: Case, said: Said, _random: Random) -> None:
    """A legal move as a transcript comes to the same position, and what is recorded replays."""
    if said.status != 200 or case.operation != "check" or said.body["ruling"] != "legal":
        return
    move = {"action": case.body["action"], "inputs": case.body.get("inputs", [])}
    shared = {key: case.body[key] for key in ("choices", "components") if key in case.body}
    game = {**shared, "position": case.body["position"], "moves": [move], "record": True}
    went = service.ask(Case(case.game, "replay", game))
    if (
        went.status != 200
        or went.body["diverged"] is not None
        or went.body["position"] != said.body["position"]
    ):
        if case.body.get("assume") is False:
            return  # a transcript takes for granted what nobody told
        raise Broken("replays", Case(case.game, "replay", game), f"{went.status} {went.text[:300]!r}")
    kept = Case(case.game, "replay", went.body["transcript"])
    again = service.ask(kept)
    if again.status != 200 or again.body["diverged"] is not None:
        raise Broken("replays", kept, "what was recorded does not replay")


def one_fact_less(service: Service, case: Case, said: Said, random: Random) -> None:
    """Leaving out a fact may make it undetermined; it never turns legal into illegal or back, unless it says so."""
    position = case.body.get("position")
    settled = ("legal", "illegal")
    if said.status != 200 or case.operation != "check" or said.body["ruling"] not in settled or not position:
        return
    name, less = _without_one(position, random)
    told = service.ask(Case(case.game, "check", {**case.body, "position": less}))
    if told.status != 200 or told.body["ruling"] not in settled or told.body["ruling"] == said.body["ruling"]:
        return
    if _excused(service, case, said.body, told.body, name):
        return
    raise Broken(
        "one-fact-less", case, f"without {name}: {told.body['ruling']}, with it {said.body['ruling']}"
    )


def _excused(service: Service, case: Case, said: dict[str, Any], less: dict[str, Any], name: str) -> bool:
    """May the two answers differ, the second without the part of this name?"""
    position = case.body["position"]
    return (
        # an answer to another question; or it says that it rests on what was not told
        "answer" in (said["refused"], less["refused"])
        or _announced(less, name)
        # it was told otherwise elsewhere: the two cannot both be so
        or bool(TOLD_TWICE.get(name, set()) & {*_impossible(service, case, position)})
        # what a procedure has noted is an answer that was given before: it is held to what is known then
        or any(place.startswith("/agenda/") for place in _places_told(case))
        # that a combat is under way says more than where the Operations Phase was when that was told
        or (name == "combat" and position.get("subphase") not in (None, "combat"))
        # what is under way says it, too
        or (
            bool(position.get("agenda"))
            and any(reason["name"] == SAID_UNDER_WAY.get(name) for reason in said["reasons"])
        )
        # a copy on which something is printed that takes away more than there is
        or any(reason["name"] == "change-not-possible" for reason in said["reasons"])
    )


def _without_one(position: dict[str, Any], random: Random) -> tuple[str, dict[str, Any]]:
    """A position with a fact left out, and of which part."""
    less = copy.deepcopy(position)
    name = random.choice(sorted(less))
    inner = less[name]
    if (
        isinstance(inner, dict)
        and inner
        and name in ("tracks", "families", "resources")
        and random.random() < 0.7
    ):
        inside = random.choice(sorted(inner))
        if name == "families" and isinstance(inner[inside], dict) and inner[inside]:
            del inner[inside][random.choice(sorted(inner[inside]))]
        elif name != "families":
            del inner[inside]
    elif name not in ("agenda", "format", "partial"):
        del less[name]
    return name, less


def _places_told(case: Case) -> list[str]:
    """Where the inputs of a request tell something."""
    facts, _ = transcript.told_apart(case.body.get("inputs", []))
    return [place for place, _ in facts]


def _announced(body: dict[str, Any], name: str) -> bool:
    """Does the answer say that it took this for granted, could not look at it, or asks for it on the way?"""
    said = f"/{TOLD_BESIDE.get(name, name)}"
    on_the_way = [*body["unknowns"]] if body["pending"] and body["pending"]["kind"] == "fact" else []
    return any(
        said in str(one.get("pointer", said)) for one in (*body["assumed"], *body["cautions"], *on_the_way)
    )


# What an audit finds where a fact that can be seen elsewhere, too, is told otherwise there.
TOLD_TWICE: dict[str, set[str]] = {
    "last_play": {"last-play-not-played"},
    "played": {"last-play-not-played"},
    "activation": {"acting-before-operation", "acting-family-not-noted"},
    "operation": {"acting-before-operation", "acting-family-not-noted"},
    "instructions": {"addressed-tribe-not-active"},
    "hands": {"too-many-markers"},
    "pool": {"too-many-markers"},
    "areas": {"fort-outside-american-period"},
    "period": {"fort-outside-american-period", "card-of-later-period", "card-of-earlier-period"},
    "cards": {"card-of-later-period", "card-of-earlier-period"},
}
# Reasons that what is under way speaks against: a Family acts, and no Operation was chosen before one is.
SAID_UNDER_WAY = {"activation": "no-activation-under-way", "operation": "operation-chosen-before"}
TOLD_BESIDE = {"has_played": "played"}  # single facts of a list that is not told, which answers name as that


def stays_possible(service: Service, case: Case, said: Said, _random: Random) -> None:
    """What is legal leads from a position that an audit finds nothing in to another one, unless it says so."""
    if said.status != 200 or case.operation != "check" or said.body["ruling"] != "legal":
        return
    after = said.body["position"]
    forged = case.body["position"].get("agenda") or after.get("agenda")  # or it is in the middle of something
    if forged or said.body["cautions"] or _impossible(service, case, _as_told(case)):
        return
    told = _places_told(case)  # at the end, perhaps: what is said last of a place is the player's word
    found = [name for name, place in _findings(service, case, after) if place not in told]
    if found:
        raise Broken("stays-possible", case, f"afterwards {found}")


def _as_told(case: Case) -> Any:
    """The position of a request with the facts that its inputs tell."""
    game = GAMES[case.game]
    facts, _ = transcript.told_apart(case.body.get("inputs", []))
    of_the_table = [
        one for one in facts if one[0].startswith("/") and not one[0].startswith(NOT_OF_THE_TABLE)
    ]
    table = Table(codec.read(case.body["position"], game.position, ""), {}, game.components())
    return codec.write(tell(game, table, of_the_table, "").position)


NOT_OF_THE_TABLE = ("/action/", "/choices/", "/components/")


def _impossible(service: Service, case: Case, position: Any) -> list[str]:
    """What an audit finds in a position; also that it cannot be read."""
    return [name for name, _ in _findings(service, case, position)]


def _findings(service: Service, case: Case, position: Any) -> list[tuple[str, str]]:
    """The same, each with its place."""
    shared = {key: case.body[key] for key in ("choices", "components") if key in case.body}
    audited = service.ask(Case(case.game, "audit", {**shared, "position": position}))
    if audited.status != 200:
        return [(str(audited.body["code"]), "")]
    return [(one["name"], one["pointer"]) for one in audited.body["findings"]]


Property = Callable[[Service, Case, Said, Random], None]
# How often each is held against an answer: what asks again several times less often.
PROPERTIES: tuple[tuple[Property, float], ...] = (
    (a_refusal_is_no_failure, 1),
    (same_again, 0.5),
    (fits_the_contract, 0.25),
    (can_be_sent_back, 1),
    (in_every_language, 0.3),
    (step_by_step, 1),
    (replays, 0.3),
    (one_fact_less, 0.5),
    (stays_possible, 0.5),
)
