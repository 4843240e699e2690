"""Odds: figures against enumerations written here from the rule text, not from the engine; sums, choices, limits."""

from __future__ import annotations

import os
import random
import tomllib
from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, islice, permutations
from math import comb
from pathlib import Path
from typing import Any

import pytest

from engine import codec, julian, navajo_wars, policy, testing
from engine.exceptions import Unreadable
from engine.game import Continue, check, prepare
from engine.messages import REGISTRY
from engine.odds import DONE, Budget, Odds, odds, table
from engine.policy import Policy
from engine.questions import ChooseSome, Option
from engine.tally import Line, places
from tests.bench import full_position
from tests.shown import all_shown, played

GAME = navajo_wars.GAME
EXAMPLES = Path(__file__).parents[1] / "examples"
RUNS = int(os.environ.get("ODDS_RUNS", "1000"))  # 100,000 in `make fuzz`
DICE = range(1, 7)
CANYON = Policy({"evade-where": ["canyon"]})
AMBUSH = {"kind": "ambush", "family": "A"}


def asked(
    position: dict[str, Any],
    action: dict[str, Any],
    follows: Policy | None = None,
    game: Any = GAME,
    **more: Any,
) -> Odds:
    """The odds of an action as a request states it."""
    at = prepare(game, position, more.pop("choices", {}), more.pop("components", {}))
    return odds(game, at, codec.read(action, game.action_types, "/action"), (), follows, **more)


def likely(line: Line) -> dict[str, Fraction]:
    """The probability of each outcome name, which must be certain together."""
    assert sum(one.value for _, one in line.outcomes) == 1
    for values in line.changes.values():
        assert sum(one.value for _, one in values) == 1
    found: Counter[str] = Counter()
    for outcome, one in line.outcomes:
        found[outcome.name] += one.value  # type: ignore[assignment]  # a fraction counts too
    return dict(found)  # type: ignore[arg-type]


def becomes(line: Line, pointer: str) -> dict[Any, Fraction]:
    """What a place of the position becomes."""
    return {value: one.value for value, one in line.changes[pointer]}


def shares(values: list[Any]) -> dict[Any, Fraction]:
    """How large a part of a list each value is."""
    return {value: Fraction(count, len(values)) for value, count in Counter(values).items()}


# -- Evade (5.2.4) -----------------------------------------------------------------------------------


def raid_in(area: int, modifier: int = 0, manuelito: str | None = None, **more: Any) -> dict[str, Any]:
    """An Enemy Raid in an Area of Shiprock, where Family A is."""
    return {
        "period": "mexican",
        "tracks": {"ap": 3, "military": 2, "culture": 5, "enemy_morale": 4, "enemy_ferocity": 2},
        "families": {
            "A": {
                "at": f"shiprock-{area}",
                "ferocity": 1,
                "evasion": modifier,
                "man": True,
                "woman": True,
                "child": False,
                "horse": False,
            }
        },
        "areas": {f"shiprock-{area}": {"raid": 1}},
        "manuelito": manuelito,
        "resources": {"trade_goods": 4},
        "cards": {"hand": []},
        **more,
    }


def evaded(area: int, modifier: int, die: int) -> str:
    """An unmodified 1 stays; an unmodified 6, or a modified 7, gets into the Canyon; else a higher Area is reached."""
    reached = die + modifier
    if die == 1:
        return f"shiprock-{area}"
    if die == 6 or (reached > area and reached >= 7):
        return "canyon-de-chelly-1"
    return f"shiprock-{reached}" if reached > area else f"shiprock-{area}"


@pytest.mark.parametrize("manuelito", [False, True])
@pytest.mark.parametrize("modifier", [-2, -1, 0, 1, 2, 3])
@pytest.mark.parametrize("area", DICE)
def test_evade_from_every_area_with_every_modifier(area: int, modifier: int, *, manuelito: bool) -> None:
    position = raid_in(area, modifier, "A" if manuelito else None)
    expected = shares([evaded(area, modifier + manuelito, die) for die in DICE])
    found = asked(position, {"kind": "evade", "family": "A"}, CANYON)
    assert found.exact
    assert found.checks <= 1 + 6 + 5
    assert becomes(found.line, "/families/A/at") == expected
    assert likely(found.line).get("evade-failed", 0) == expected.get(f"shiprock-{area}", 0)


def test_nobody_flees_onto_a_raid_counter() -> None:
    position = raid_in(2, 0, areas={"shiprock-2": {"raid": 1}, "shiprock-4": {"raid": 1}})
    expected = {"evade-failed": Fraction(3, 6), "evade-succeeded": Fraction(3, 6)}  # 1, 2 and 4 fail
    assert likely(asked(position, {"kind": "evade", "family": "A"}, CANYON).line) == expected


def test_the_first_open_decision_is_listed_apart() -> None:
    found = asked(raid_in(4), {"kind": "evade", "family": "A"})
    assert likely(found.line)["decision-open"] == Fraction(1, 6)
    refuges = [*(f"canyon-de-chelly-{number}" for number in (1, 2, 3)), "shiprock-6"]
    assert sorted(choice.value for choice in found.choices) == refuges
    for choice in found.choices:
        assert likely(choice.line) == {"evade-failed": Fraction(4, 6), "evade-succeeded": Fraction(2, 6)}
        assert becomes(choice.line, "/families/A/at")[choice.value] == Fraction(1, 6)
        assert choice.best is None


# -- Negotiate (5.2.2), Tribal Diplomacy (3.1 step 5) ------------------------------------------------


def agreed(modifier: int, die: int) -> bool:
    """An unmodified 1 fails, an unmodified 6 succeeds, otherwise a modified 6 or more."""
    return die == 6 or (die != 1 and die + modifier >= 6)


@pytest.mark.parametrize("modifier", [-1, 0, 1, 2])
def test_a_table_shows_how_many_trade_goods_a_negotiation_is_worth(modifier: int) -> None:
    at = prepare(GAME, raid_in(4, modifier), {}, {})
    do = codec.read({"kind": "negotiate", "family": "A"}, GAME.action_types, "")
    rows = table(GAME, at, do, {"trade_goods": [0, 1, 2, 3, 4]})
    assert [row.action.trade_goods for row in rows] == [0, 1, 2, 3, 4]
    for goods, row in enumerate(rows):
        expected = shares([agreed(modifier + goods, die) for die in DICE])
        assert likely(row.odds.line).get("negotiate-succeeds", 0) == expected.get(True, 0)
        if goods:
            assert becomes(row.odds.line, "/resources/trade_goods") == {4 - goods: 1}


def example(name: str, file: str, game: str = "navajo-wars") -> dict[str, Any]:
    """What a worked example puts in."""
    found = next(one for one in testing.load(EXAMPLES / game / file) if one.name == name)
    return {
        "position": testing.plain(found.position),
        "action": testing.plain(found.action),
        "components": testing.plain(found.components),
    }


@pytest.mark.parametrize("goods", [0, 1, 2])
def test_tribal_diplomacy_with_each_number_of_trade_goods(goods: int) -> None:
    told = example("A Family treats with the Utes", "tribes.toml")
    modifier = 1  # printed for Ferocity 1
    found = asked(told["position"], {**told["action"], "trade_goods": goods})
    expected = shares([agreed(modifier + goods, die) for die in DICE])
    assert likely(found.line) == {
        "tribal-diplomacy-succeeds": expected[True],
        "tribal-diplomacy-fails": expected[False],
    }


# -- harvest (3.2.4) ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("droughts", "ranchos"), [(1, 0), (2, 0), (2, 1), (0, 3)])
def test_a_harvest_with_one_to_three_counters(droughts: int, ranchos: int) -> None:
    told = example("A harvest without Drought counters and Ranchos needs no roll", "corn.toml")
    position = told["position"]
    position["territories"]["hopi-land"]["drought"] = droughts
    position["areas"] |= {f"hopi-land-{number}": {"rancho": True} for number in range(2, 2 + ranchos)}
    found = asked(position, told["action"])
    fails = Fraction(sum(die <= droughts + ranchos for die in DICE), 6)
    assert likely(found.line) == {"harvest-fails": fails, "reading-needed": 1 - fails}
    (reading,) = (one for one, _ in found.line.outcomes if one.name == "reading-needed")
    assert reading.so_far is not None
    assert (reading.so_far.name, reading.params["area"]) == ("harvest-succeeds", "hopi-land-1")


# -- the Tribal Raid ---------------------------------------------------------------------------------

SUFFERED = Policy(
    {
        "tribal-raid-evade": ["none"],
        "tribal-raid-give-up": ["none"],
        "tribal-raid-resolution": ["suffer"],
        "tribal-raid-population": ["woman", "man"],
        "tribal-raid-affected-family": ["A", "B"],
        "tribal-raid-return-area": ["any-area"],
        "tribal-raid-return-ferocity": [0],
    }
)


@pytest.mark.parametrize("tribe", ["comanche", "ute"])
@pytest.mark.parametrize("given_up", [0, 2])
@pytest.mark.parametrize("deepest", [1, 3])
@pytest.mark.parametrize("area", [2, 4, 6])
def test_the_conduct_roll(area: int, deepest: int, given_up: int, tribe: str) -> None:
    """It reaches every Area of at most the roll, 1 more for Comanche, the highest counter less 1, 1 less for each counter given up."""
    memory = {"tribe": tribe, "territory": "shiprock", "given_up": given_up}
    position = raid_in(
        area,
        areas={f"shiprock-{deepest}": {"tribal_raid": 1}},
        tribal_raid_box=0,
        agenda=[{"procedure": "tribal-raid", "step": "conduct", "memory": memory}],
    )
    found = asked(position, {"kind": "continue"}, SUFFERED)
    reaches = [die + (tribe == "comanche") + deepest - 1 - given_up >= area for die in DICE]
    caught = shares(reaches)
    said = {outcome.params["caught"]: one.value for outcome, one in found.line.outcomes}
    assert said == {int(reached): share for reached, share in caught.items()}


def test_a_whole_tribal_raid_against_one_family() -> None:
    """One counter: the die of six Territories, then the Conduct roll against Area 4, with 1 more for Comanche."""
    found = asked(
        raid_in(4, areas={}, subjugation={"red": 3}), {"kind": "tribal-raid", "tribe": "comanche"}, SUFFERED
    )
    said = {outcome.params["caught"]: one.value for outcome, one in found.line.outcomes}
    hit = Fraction(1, 6) * Fraction(sum(die + 1 >= 4 for die in DICE), 6)
    assert (found.exact, said) == (True, {0: 1 - hit, 1: hit})


FOUGHT = Policy({**SUFFERED.answers, "tribal-raid-resolution": [{"kind": "battle"}, "suffer"]})
NOBODY_REACTS = Policy(
    {
        "enemy-raid-direction": ["any-area"],
        "enemy-raid-player-reaction": ["none"],
        "enemy-raid-affected-family": ["A", "B"],
        "enemy-raid-resolution": ["suffer"],
        "enemy-raid-population": ["child", "woman", "man"],
        "enemy-raid-return-area": ["any-area"],
        "enemy-raid-return-ferocity": [0],
    }
)
COPY = tomllib.loads((EXAMPLES.parent / "components" / "invented-whole-copy.toml").read_text())
# Invented: a Battle that sends Family B to where the Raid may still reach it.
MOVES_B = [{"pointer": "/families/B/at", "to": "shiprock-2"}, {"pointer": "/family/ferocity", "to": 3}]
MOVING_COPY = {
    **COPY,
    "battle_table": {
        **COPY["battle_table"],
        "effects": dict.fromkeys(("MFV", "FV", "RGD", "TTD", "EV", "MEV"), MOVES_B),
    },
}


def two_families(second: str, **more: Any) -> dict[str, Any]:
    """Family A in Shiprock #1, Family B where it is said, both with everything they need to fight."""
    position = raid_in(1, **{"areas": {}, "subjugation": {"red": 3}, "santa_fe": {"raid": 2}, **more})
    state = {**position["families"]["A"], "child": True}
    return {**position, "families": {"A": state, "B": {**state, "at": second}}}


WHOLE_TRIBAL_RAID = {"kind": "tribal-raid", "tribe": "ute"}
WHOLE_ENEMY_RAID = {"kind": "enemy-raid", "ap": 0}
TO_BE_CONDUCTED = {
    "procedure": "tribal-raid",
    "step": "conduct",
    "memory": {"tribe": "ute", "territory": "shiprock"},
}
IN_SHIPROCK = {"agenda": [TO_BE_CONDUCTED], "areas": {"shiprock-1": {"tribal_raid": 1}}, "tribal_raid_box": 0}


@pytest.mark.parametrize(
    ("position", "action", "follows", "components"),
    [
        (two_families("shiprock-5"), WHOLE_TRIBAL_RAID, SUFFERED, {}),
        (two_families("hopi-land-3"), WHOLE_TRIBAL_RAID, SUFFERED, {}),
        (two_families("shiprock-3", **IN_SHIPROCK), {"kind": "continue"}, FOUGHT, COPY),
        (two_families("shiprock-6", **IN_SHIPROCK), {"kind": "continue"}, FOUGHT, MOVING_COPY),
        (two_families("shiprock-2"), WHOLE_ENEMY_RAID, NOBODY_REACTS, COPY),
    ],
)
def test_branches_that_differ_in_what_no_longer_matters_are_one(
    position: dict[str, Any],
    action: dict[str, Any],
    follows: Policy,
    components: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same chances as where every note of a chart keeps branches apart, with fewer positions looked at."""
    merged = asked(position, action, follows, components=components, budget=PATIENT)
    monkeypatch.setattr("engine.odds._Walk._that_matters", lambda _self, _at, frame: frame)
    apart = asked(position, action, follows, components=components, budget=PATIENT)
    assert merged.exact
    assert apart.exact
    assert merged.checks < apart.checks or components is MOVING_COPY
    assert by_key(merged.line) == by_key(apart.line)


PATIENT = Budget(nodes=200_000, seconds=600)


def by_key(line: Line) -> tuple[dict[Any, Fraction], dict[str, dict[str, Fraction]]]:
    """Every outcome and every value of every place, in no order."""
    outcomes = {outcome.key: one.value for outcome, one in line.outcomes}
    return outcomes, {
        pointer: {str(value): one.value for value, one in values} for pointer, values in line.changes.items()
    }


# -- drawing cubes (3.2.6) ---------------------------------------------------------------------------

# Invented for this test: what the table of a copy prints is the player's to say.
INVENTED_TABLE = {
    "raid_table": {
        "outpost": {
            "black": {"hit": 1},
            "white": {"ends": True},
            **{colour: {} for colour in ("brown", "red", "yellow", "green", "blue")},
        },
        "hits": {"mission": 2},
    }
}
EIGHT = {"black": 3, "white": 2, "brown": 2, "red": 1}


def raided(cubes: tuple[str, ...]) -> str:
    """Cube after cube: two hits destroy, a white cube ends it, an empty bag too."""
    hits = 0
    for cube in cubes:
        hits += cube == "black"
        if hits == 2:
            return "raid-destroyed"
        if cube == "white":
            break
    return "raid-hit" if hits else "done"


def outpost_raid() -> dict[str, Any]:
    told = example("A Raid on an Outpost costs the Area Value of the Family's Area", "raiding.toml")
    position = {**told["position"], "raid_pool": EIGHT, "manuelito": None}
    return {"position": position, "action": told["action"], "components": INVENTED_TABLE}


def test_a_raid_on_an_outpost_over_all_orders_of_eight_cubes() -> None:
    bag = [colour for colour, count in EIGHT.items() for _ in range(count)]
    expected = shares([raided(order) for order in permutations(bag)])
    found = asked(**outpost_raid())
    assert found.exact
    assert likely(found.line) == expected


@pytest.mark.parametrize("drawn", [1, 2])
def test_markers_drawn_from_the_pool_of_julian(drawn: int) -> None:
    pool = {"credo": 3, "military": 2, "dux": 4}
    memory = {"player": "roman", "source": "pool", "left": drawn, "why": "combat"}
    position = {
        "pool": pool,
        "hands": {"roman": {}, "barbarian": {}},
        "agenda": [{"procedure": "draw-markers", "step": "draw", "memory": memory}],
    }
    found = asked(position, {"kind": "continue"}, game=julian.GAME)
    whole = comb(9, drawn)
    for marker, count in pool.items():
        expected = {
            have: Fraction(comb(count, have) * comb(9 - count, drawn - have), whole)
            for have in range(min(count, drawn) + 1)
        }
        assert becomes(found.line, f"/hands/roman/{marker}") == expected
    assert set(likely(found.line)) == {"marker-drawn"}


def test_nobody_knows_how_likely_what_lies_hidden_is() -> None:
    """Told by its number alone: any marker can come, and none is likelier than another as far as anybody knows."""
    memory = {"player": "roman", "source": "pool", "left": 1, "why": "combat"}
    agenda = [{"procedure": "draw-markers", "step": "draw", "memory": memory}]
    position = {"pool": {"count": 9}, "hands": {"roman": {}, "barbarian": {}}, "agenda": agenda}
    found = asked(position, {"kind": "continue"}, game=julian.GAME)
    assert likely(found.line) == {"fact-needed": 1}
    assert found.line.outcomes[0][0].pointer == "/pool"
    # Drawn into a hand that is told by its number, out of a pool that is known: the chances are known, too.
    position |= {"pool": {"credo": 1, "dux": 3}, "hands": {"roman": {"count": 2}, "barbarian": {}}}
    found = asked(position, {"kind": "continue"}, game=julian.GAME)
    assert becomes(found.line, "/pool/dux") == {2: Fraction(3, 4), 3: Fraction(1, 4)}


def test_losses_that_are_too_small_are_no_choice() -> None:
    """Half of 4 + 2 strength points is 3: the unit of 2 alone will not do."""
    attackers = [{"id": "a1", "combat": 5, "movement": 6}]
    defenders = [{"id": "d1", "combat": 4, "movement": 5}, {"id": "d2", "combat": 2, "movement": 5}]
    action = {"kind": "combat-result", "result": "DR", "attackers": attackers, "defenders": defenders}
    position = {"phase": "operations", "subphase": "combat", "active": "roman"}
    found = asked(position, action, game=julian.GAME)
    assert [choice.value for choice in found.choices] == [["d1"], ["d1", "d2"]]


@pytest.mark.parametrize("need", [0, 1, 5, 9, 10])
def test_sets_that_come_to_enough(need: int) -> None:
    options = tuple(Option(f"u{number}", DONE, {"combat": number}) for number in (4, 1, 3, 2))
    found = [value for value, _ in policy.possible(ChooseSome(options, 1, 4, ("combat", need)))]
    every = chain.from_iterable(combinations(["u4", "u1", "u3", "u2"], size) for size in range(1, 5))
    assert found == [list(one) for one in every if sum(int(unit[1]) for unit in one) >= need]


def test_sets_that_come_to_enough_are_found_at_once_among_many() -> None:
    """The one strong unit is the last of forty: nobody tries all sets of the weak ones."""
    options = tuple(Option(str(number), DONE, {"combat": 30 if number == 39 else 1}) for number in range(40))
    first = list(islice(policy.possible(ChooseSome(options, 1, 40, ("combat", 30))), 100))
    assert [value for value, _ in first[:2]] == [["39"], ["0", "39"]]
    assert len(first) == 100


def test_a_rout_of_julian() -> None:
    told = example("A player may walk in at a line of a result", "combat.toml", "julian")
    found = asked(told["position"], told["action"], game=julian.GAME)
    said = {outcome.params["hexes"]: one.value for outcome, one in found.line.outcomes}
    assert len(said) == 6
    assert set(said.values()) == {Fraction(1, 6)}


# -- policies and aims -------------------------------------------------------------------------------


def two_horses_to_give_up() -> dict[str, Any]:
    """A Tribal Raid is conducted against Family A in Area 4, with two horses in the Resources Box."""
    memory = {"tribe": "ute", "territory": "shiprock", "given_up": 0}
    return raid_in(
        4,
        areas={"shiprock-1": {"tribal_raid": 1}},
        tribal_raid_box=0,
        resources={"horse": 2, "sheep": 0, "corn": [], "trade_goods": 0, "firearms": 0},
        agenda=[{"procedure": "tribal-raid", "step": "give-up", "memory": memory}],
    )


def test_an_aim_decides_everything_and_marks_the_best() -> None:
    """Whoever wants to keep his people gives up what he has: the roll reaches less far."""
    found = asked(
        two_horses_to_give_up(),
        {"kind": "continue"},
        Policy(SUFFERED.answers | {"tribal-raid-give-up": []}, "keep-population"),
    )
    assert found.decision is not None
    assert found.decision.name == "tribal-raid-give-up"
    best = [choice.value for choice in found.choices if choice.best]
    assert best == ["horse"]  # each counter given up makes the roll reach less far
    # Two horses given up: a roll of 6 reaches Area 4, and costs one population counter of two.
    assert found.line.worth == 2 - Fraction(1, 6)
    worths = {choice.value: choice.line.worth for choice in found.choices}
    assert worths == {"none": 2 - Fraction(3, 6), "horse": 2 - Fraction(1, 6)}


TO_EVADE = {**SUFFERED.answers, **CANYON.answers, "tribal-raid-evade": []}
EVADE_A, EVADE_B = ({"kind": "evade", "family": family} for family in "AB")


def each_in_its_territory(**more: Any) -> dict[str, Any]:
    """Family A in Shiprock #4, Family B in Hopi Land #2: no Tribal Raid reaches both, so that one alone may evade it."""
    position = two_families("hopi-land-2", **more)
    position["families"]["A"]["at"] = "shiprock-4"
    return position


def test_where_a_choice_is_not_offered_the_aim_chooses_among_what_is() -> None:
    """Whichever Family it is that evades where it can, the other does so where that one cannot."""
    follows = Policy(TO_EVADE, "keep-population")
    found = asked(each_in_its_territory(), WHOLE_TRIBAL_RAID, follows, budget=PATIENT)
    assert found.decision is not None
    assert (found.exact, found.decision.name) == (True, "tribal-raid-evade")
    assert [set(likely(choice.line)) for choice in found.choices] == [{"tribal-raid-over"}] * 3
    marked = [(choice.value, choice.best, choice.line.worth == found.line.worth) for choice in found.choices]
    assert marked == [("none", False, False), (EVADE_A, True, True), (EVADE_B, True, True)]


def test_an_aim_makes_another_decision_too_where_that_is_the_first() -> None:
    """The policy lets Family A evade, so that the first decision there is what to give up; that of B is whether it evades."""
    stocked = {"horse": 1, "sheep": 0, "corn": [], "trade_goods": 0, "firearms": 0}
    answers = {**TO_EVADE, "tribal-raid-evade": [EVADE_A], "tribal-raid-give-up": []}
    position = each_in_its_territory(resources=stocked)
    found = asked(position, WHOLE_TRIBAL_RAID, Policy(answers, "keep-population"), budget=PATIENT)
    assert found.decision is not None
    assert found.decision.name == "tribal-raid-evade"
    for line in (found.line, *(choice.line for choice in found.choices)):
        assert set(likely(line)) == {"tribal-raid-over"}
    assert "decision-open" in likely(asked(position, WHOLE_TRIBAL_RAID, Policy(answers)).line)


def test_where_samples_meet_what_is_not_offered_the_aim_chooses_too() -> None:
    follows = Policy(TO_EVADE, "keep-population")
    sampled = Budget(nodes=8, runs=50, luck=random.Random)
    found = asked(each_in_its_territory(), WHOLE_TRIBAL_RAID, follows, budget=sampled)
    assert not found.exact
    assert {name for choice in found.choices for name in likely(choice.line)} == {"tribal-raid-over"}


def test_what_was_not_followed_to_its_end_is_not_called_best() -> None:
    follows = Policy(SUFFERED.answers | {"tribal-raid-give-up": []}, "keep-population")
    cut = asked(two_horses_to_give_up(), {"kind": "continue"}, follows, budget=Budget(nodes=4))
    assert not cut.exact
    assert [choice.value for choice in cut.choices] == ["none", "horse"]
    assert {choice.best for choice in cut.choices} == {None}
    sampled = Budget(nodes=4, runs=200, luck=random.Random)
    guessed = asked(two_horses_to_give_up(), {"kind": "continue"}, follows, budget=sampled)
    assert not guessed.exact
    assert [choice.value for choice in guessed.choices if choice.best] == ["horse"]


def test_where_a_table_has_to_be_read_first_no_choice_is_called_best() -> None:
    """Whether to fight hangs on the Battle Table, which the player's copy was not told: it counts as nothing lost."""
    answers = {**SUFFERED.answers, "tribal-raid-resolution": []}
    position = two_families("shiprock-3", **IN_SHIPROCK)
    blind = asked(position, {"kind": "continue"}, Policy(answers, "military"), budget=PATIENT)
    assert "reading-needed" in {outcome.name for one in blind.choices for outcome, _ in one.line.outcomes}
    assert ({choice.best for choice in blind.choices}, blind.compared) == ({None}, False)
    told = asked(position, {"kind": "continue"}, Policy(answers, "military"), components=COPY, budget=PATIENT)
    assert (True in {choice.best for choice in told.choices}, told.compared) == (True, True)
    assert asked(position, {"kind": "continue"}, Policy(answers), budget=PATIENT).compared


def test_what_was_preferred_to_an_unread_table_is_not_called_best_either() -> None:
    """The raid is suffered because what a battle does to Enemy Morale cannot be read: no outcome shows that."""
    answers = {**SUFFERED.answers, "tribal-raid-resolution": [], "tribal-raid-give-up": []}
    rows = COPY["battle_table"]["rows"]
    in_part = {**COPY, "battle_table": {**COPY["battle_table"], "rows": [rows[0], *rows[2:]]}}
    follows = Policy(answers, "morale")
    blind, told = (
        asked(two_horses_to_give_up(), {"kind": "continue"}, follows, components=copy, budget=PATIENT)
        for copy in (in_part, COPY)
    )
    assert {name for one in blind.choices for name in likely(one.line)} == {"tribal-raid-over"}
    assert ({choice.best for choice in blind.choices}, blind.compared) == ({None}, False)
    assert (True in {choice.best for choice in told.choices}, told.compared) == (True, True)


def test_the_row_of_a_table_that_serves_the_aim_best_is_marked() -> None:
    """An Elder further right succeeds more often; one in the first space cannot act at all."""
    position = {**full_position(), "operation": {"kind": "planning", "tribal": []}}
    action = {"kind": "elder-action", "elder": 1, "choice": "culture-to-military"}
    at, do = prepare(GAME, position, {}, {}), codec.read(action, GAME.action_types, "")
    for aim, best in (("military", [None, False, True]), ("culture", [None, True, False])):
        rows = table(GAME, at, do, {"elder": [1, 2, 4]}, (), Policy({}, aim))
        assert [row.best for row in rows] == best
    assert {row.best for row in table(GAME, at, do, {"elder": [1, 2, 4]})} == {None}


def test_a_policy_that_offers_nothing_possible_leaves_the_decision_open() -> None:
    found = asked(raid_in(4), {"kind": "evade", "family": "A"}, Policy({"evade-where": ["shiprock-2"]}))
    assert "decision-open" in likely(found.line)


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        ({"evade-were": ["canyon"]}, "/policy/evade-were"),
        ({"aim": "glory"}, "/policy/aim"),
        ({"aim": 3}, "/policy/aim"),
        ({"enemy-raid-resolution": "suffer"}, "/policy/enemy-raid-resolution"),
    ],
)
def test_a_policy_names_what_the_game_knows(given: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Unreadable) as error:
        policy.read(given, GAME.procedures, GAME.aims)
    assert error.value.pointer == pointer


# -- inside a chart ----------------------------------------------------------------------------------


def test_an_action_inside_a_chart_is_followed_to_its_own_end() -> None:
    raid = {
        "procedure": "enemy-raid",
        "step": "player-reaction",
        "memory": {"entered": "shiprock-4", "found_a_family": True},
    }
    alone = asked(raid_in(4), {"kind": "evade", "family": "A"}, CANYON)
    inside = asked(raid_in(4, agenda=[raid]), {"kind": "evade", "family": "A"}, CANYON)
    assert likely(inside.line) == likely(alone.line)
    rolling = {"procedure": "evade", "step": "roll", "memory": {"family": "A"}}
    going_on = asked(raid_in(4, agenda=[raid, rolling]), {"kind": "continue"}, CANYON)
    assert likely(going_on.line) == likely(alone.line)


def test_answers_that_are_known_come_first() -> None:
    at = prepare(GAME, raid_in(4), {}, {})
    do = codec.read({"kind": "evade", "family": "A"}, GAME.action_types, "")
    assert likely(odds(GAME, at, do, [("die", 5)]).line) == {"evade-succeeded": 1}
    assert odds(GAME, at, do, [("die", 7)]).verdict.ruling == "illegal"
    assert odds(GAME, at, do, [("die", 5), ("die", 5)]).verdict.ruling == "illegal"


def test_a_battle_stops_at_the_table_with_what_is_to_be_read() -> None:
    found = asked(raid_in(4), AMBUSH)
    assert set(likely(found.line)) == {"reading-needed"}
    rows = {outcome.params["row"]: one.value for outcome, one in found.line.outcomes}
    modifier = max(rows, key=rows.get)  # type: ignore[arg-type]  # the likeliest difference is that of equal dice
    differences = shares([dine - enemy + int(modifier) for dine in DICE for enemy in DICE])
    assert {int(row): share for row, share in rows.items()} == differences
    summed = {int(outcome.params["row"]): one.value for outcome, one in found.line.at_least}
    assert summed == {
        least: sum((share for row, share in differences.items() if row >= least), Fraction(0))
        for least in differences
    }
    assert list(summed) == sorted(differences, reverse=True)


def test_numbers_or_better_are_sampled_with_their_bounds_too() -> None:
    exact = {int(o.params["row"]): one.value for o, one in asked(raid_in(4), AMBUSH).line.at_least}
    found = asked(raid_in(4), AMBUSH, budget=Budget(nodes=3, runs=RUNS, luck=random.Random))
    assert not found.exact
    assert [one.value for _, one in found.line.at_least] == sorted(
        one.value for _, one in found.line.at_least
    )
    inside = [
        one.low <= exact[int(outcome.params["row"])] <= one.high  # type: ignore[operator]  # sampled, so it has bounds
        for outcome, one in found.line.at_least
    ]
    assert sum(inside) >= len(exact) - 2  # each holds with 95 %


def test_what_is_read_by_no_number_has_no_number_or_better() -> None:
    assert asked(raid_in(4), {"kind": "evade", "family": "A"}).line.at_least == []


def test_what_may_not_be_done_has_no_odds() -> None:
    position = raid_in(4)
    position["areas"] = {}
    found = asked(position, {"kind": "evade", "family": "A"})
    assert found.verdict.ruling == "illegal"
    assert not found.line.outcomes
    del position["areas"]
    assert asked(position, {"kind": "evade", "family": "A"}).verdict.ruling == "undetermined"


def test_a_fact_missing_on_the_way_ends_its_branches() -> None:
    position = raid_in(4)
    del position["tracks"]["culture"]
    memory = {"tribe": "ute", "territory": "shiprock", "given_up": 0}
    agenda = [{"procedure": "tribal-raid", "step": "conduct", "memory": memory}]
    areas = {"shiprock-1": {"tribal_raid": 1}}
    found = asked(
        {**position, "areas": areas, "agenda": agenda, "tribal_raid_box": 0}, {"kind": "continue"}, SUFFERED
    )
    assert likely(found.line)["fact-needed"] == Fraction(3, 6)
    (lacking,) = (one for one, _ in found.line.outcomes if one.name == "fact-needed")
    assert lacking.pointer == "/tracks/culture"


# -- beyond the budget -------------------------------------------------------------------------------


def simulated(request: dict[str, Any], runs: int, seed: int) -> Counter[str]:
    """Plays of the Raid on an Outpost through nothing but checks, cube by cube, as a player would."""
    luck = random.Random(seed)
    at = prepare(GAME, request["position"], {}, request["components"])
    begun = check(GAME, at, codec.read(request["action"], GAME.action_types, ""))
    bag = [colour for colour, count in EIGHT.items() for _ in range(count)]
    found: Counter[str] = Counter()
    for _ in range(runs):
        answer, came = begun, "done"
        for cube in luck.sample(bag, len(bag)):
            answer = check(GAME, at.on(answer.position), Continue(), [("cube", cube)])
            marked = [event.message.name for event in answer.events if event.message.amounts_to]
            came = marked[-1] if marked else came
            if answer.pending is None:
                break
        found[came] += 1
    return found


def test_a_simulation_by_checks_agrees_with_the_exact_figures() -> None:
    request = outpost_raid()
    exact = likely(asked(**request).line)
    found = simulated(request, RUNS, seed=7)
    for name, share in exact.items():
        deviation = (float(share) * float(1 - share) / RUNS) ** 0.5
        assert abs(found[name] / RUNS - float(share)) < 4 * deviation


@pytest.mark.parametrize("nodes", [1, 20])
def test_beyond_the_budget_the_rest_is_sampled_within_its_bounds(nodes: int) -> None:
    exact = {outcome.key: one.value for outcome, one in asked(**outpost_raid()).line.outcomes}
    budget = Budget(nodes=nodes, runs=RUNS, luck=random.Random)
    found = asked(**outpost_raid(), budget=budget)
    assert not found.exact
    assert found.line.sampled == RUNS
    likely(found.line)
    inside = 0
    for outcome, one in found.line.outcomes:
        assert one.low is not None
        assert one.high is not None
        assert one.exact_part is not None
        assert one.exact_part <= one.value
        assert one.low <= one.value <= one.high
        inside += one.low <= exact[outcome.key] <= one.high
    assert inside >= len(exact) - 1  # each holds with 95 %
    assert asked(**outpost_raid(), budget=budget).line == found.line  # the same seed, the same samples


def test_without_luck_the_rest_is_said_not_to_be_followed() -> None:
    found = asked(**outpost_raid(), budget=Budget(nodes=20))
    assert not found.exact
    assert 0 < likely(found.line)["not-followed"] < 1


def test_time_ends_the_walk_too() -> None:
    ticks = iter(range(10_000))
    found = asked(**outpost_raid(), budget=Budget(clock=lambda: float(next(ticks)), seconds=3))
    assert not found.exact
    assert found.checks < 20  # of more than a hundred


# -- marked events -----------------------------------------------------------------------------------


def test_what_amounts_to_an_outcome_is_told_with_all_that_its_words_need() -> None:
    """Over all worked examples; an outcome whose parameters an event lacks could not be said."""
    marked = {name for name, said in REGISTRY.items() if said.amounts_to is not None}
    told = set()
    answers = [outcome.answer for one in all_shown() for outcome in played(one)]
    for event in chain.from_iterable(answer.events for answer in answers if answer is not None):
        meant = event.message.amounts_to
        if meant is not None:
            told.add(event.message.name)
            assert set(places(meant)) <= event.params.keys(), event.message.name
    assert marked == told
