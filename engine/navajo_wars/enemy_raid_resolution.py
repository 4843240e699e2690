"""The Enemy Raid Flowchart (4.2.8), box Raid Resolution: a Battle or the three steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.chance import Die
from engine.messages import message, question, requirement
from engine.navajo_wars.battle import Battle
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.consequences import change_track, dissolve, dissolve_without_adult, to_passage
from engine.navajo_wars.counters import MEMBERS
from engine.navajo_wars.map import CANYON, PlaceRef, territory_of
from engine.navajo_wars.outposts import DIE_SYMBOL
from engine.navajo_wars.position import FamilyLetter
from engine.navajo_wars.raid_memory import EnemyRaidMemory
from engine.navajo_wars.raid_placement import visible_in
from engine.navajo_wars.raid_resolution import (
    FIGHT_OR_SUFFER,
    NOBODY,
    ask_family,
    catch_family,
    empty_spaces,
    lose_culture,
    lose_population,
    own_caught_box,
    this_battle,
    turn_to_family,
)
from engine.navajo_wars.reactions import free_of_outposts, may_react
from engine.questions import Choose, Option, Question, Read, ask, known
from engine.tables import Where
from engine.verdict import Check, certain, every, must_know, needs, refuted

AMBUSHER_AFFECTED = message(
    "raid-ambusher-affected",
    "The Ambush of Family %(family)s did not drive the Raid away: Raid Resolution follows for it as well.",
)


def ask_affected(at: Board, noted: EnemyRaidMemory) -> Question:
    """The Families in the Area of the newly placed Raid counters that still have to be dealt with."""
    return ask_family(affected(at, noted))


def affected(at: Board, noted: EnemyRaidMemory) -> list[Family]:
    """Every Family the Raid sees where its newly placed counters still are, each once."""
    entered = must_know(noted.entered)
    if entered is None or not at.counters(entered, "raid"):
        return []
    left = [family for family in visible_in(at, entered) if family.letter not in noted.resolved]
    if noted.ambusher in [family.letter for family in left] and _spared(at):
        return [family for family in left if family.letter != noted.ambusher]
    return left


def _spared(at: Board) -> bool:
    return at.choice("after-failed-ambush") == "battle-was-enough"


def turn_to(at: Board, noted: EnemyRaidMemory, letter: str) -> tuple[Board, Where]:
    """The next Family, or the next placement when all have been dealt with."""
    if letter == NOBODY:
        return at, "next-placement"
    if letter == noted.ambusher:
        at = at.tell(AMBUSHER_AFFECTED, "nw:enemy-raid.ambush-fail", family=letter)
    return turn_to_family(at, noted, letter)


def ask_resolution(at: Board, noted: EnemyRaidMemory) -> Question:
    """(A) a Battle or (B) the three steps; who may not react may fight, unless read otherwise (C19)."""
    letter: FamilyLetter = must_know(noted.family)
    if any(refuted(check.holds) for check in not_free_to_react(at, letter)):
        return known("suffer")
    return ask(FIGHT_OR_SUFFER, family=letter)


LIKE_A_REACTION = requirement(
    "battle-like-a-reaction",
    "By the reading chosen here, a Family that may not react may not fight a Battle in Raid Resolution either: Family %(family)s suffers the Raid.",
    met="Family %(family)s may react, as a Battle in Raid Resolution requires by the reading chosen here.",
)


def not_free_to_react(at: Board, letter: FamilyLetter) -> tuple[Check, ...]:
    """What keeps this Family from a Battle, or may keep it, because it does so from reacting; where that is so read (C19)."""
    family = at.family(letter)
    checks = (*may_react(at, family), free_of_outposts(at, family))
    open_yet = tuple(check for check in checks if not certain(check.holds))
    if not open_yet or at.choice("battle-in-resolution") != "like-a-reaction":
        return ()
    reacts, rule = every(check.holds for check in open_yet), "nw:enemy-raid.option-battle"
    return needs(reacts, LIKE_A_REACTION, rule, pointer=f"{family.pointer}/at", family=letter), *open_yet


def battle_in_resolution(at: Board, noted: EnemyRaidMemory, do: Battle) -> Iterator[Check]:
    """The Battle of the Family dealt with, against the Enemy."""
    yield from THIS_BATTLE(at, noted, do)
    yield from not_free_to_react(at, must_know(noted.family))


THIS_BATTLE = this_battle("enemy")


def battle_once_written(_: Board, noted: EnemyRaidMemory, value: Any) -> Battle | None:
    """Saved games say “battle” for the plain Battle."""
    return Battle(must_know(noted.family), "enemy") if value == "battle" else None


def step_1(at: Board, noted: EnemyRaidMemory, kind: str) -> Board:
    """A population counter is lost; Ferocity is not adjusted and the Family not removed yet (C15)."""
    letter = must_know(noted.family)
    at = lose_population(at, noted, kind, "nw:enemy-raid.hit-step1")
    emptied = empty_spaces(at, noted)
    at = dissolve_without_adult(at, letter)
    gone = refuted(at.family(letter).in_play)
    return at.remember(empty=MEMBERS if gone else emptied)


def step_2(at: Board, noted: EnemyRaidMemory) -> Board:
    """Culture Points for the empty spaces, and Enemy Ferocity goes down."""
    at = lose_culture(at, noted, "nw:enemy-raid.hit-step2-culture")
    return change_track(at, "enemy_ferocity", -1, "nw:enemy-raid.hit-step2-ferocity")


MORALE_ROLL = message(
    "raid-morale-roll",
    "Raid Resolution step 2: roll a die for Enemy Morale, because Family %(family)s has empty population "
    "spaces.",
)
READ_RANGE = question(
    "raid-read-range",
    "Does the die lie in the range of numbers under an empty population space of Family %(family)s on the "
    "Population Display?",
    lead="Raid Resolution step 2: the die shows %(die)s.",
)
MORALE_RISES = message(
    "raid-morale-rises",
    "Enemy Morale rises: the die shows %(die)s, a number that counts for the empty population spaces.",
)
MORALE_STAYS = message(
    "raid-morale-stays",
    "Enemy Morale does not rise: the die shows %(die)s, not a number that counts for the empty population spaces.",
)


def ask_morale_roll(_: Board, noted: EnemyRaidMemory) -> Question:
    """The die for Enemy Morale."""
    return ask(MORALE_ROLL, Die(), family=must_know(noted.family))


def note_morale_roll(at: Board, _noted: EnemyRaidMemory, die: int) -> Board:
    """What the die means is read off the Population Display next."""
    return at.remember(die=die)


def ask_range(at: Board, noted: EnemyRaidMemory) -> Question:
    """Is the die in a range printed under an empty space (C16)?"""
    die, letter = must_know(noted.die), must_know(noted.family)
    spaces = empty_spaces(at, noted)
    if at.choice("raid-morale-roll") == "number-lost":
        return known(die <= len(spaces))
    told = [at.components.population_ranges.get(kind) for kind in spaces]
    if any(low <= die <= high for low, high in filter(None, told)):
        return known(True)
    if all(told):
        return known(False)
    read = read_before(at, spaces, die)
    if read is not None:
        return known(read)
    place = f"/components/population_dice/{'+'.join(spaces)}/{die}"
    return ask(READ_RANGE, Read(bool, place=place), die=die, family=letter)


def read_before(at: Board, spaces: Sequence[str], die: int) -> bool | None:
    """What the Population Display was found to say of this die: yes of some of these spaces, or no of all of them."""
    found = [
        (set(together.split("+")), dice[str(die)])
        for together, dice in at.components.population_dice.items()
        if str(die) in dice
    ]
    if any(holds and together <= set(spaces) for together, holds in found):
        return True
    ruled_out = {space for together, holds in found if not holds for space in together}
    return False if ruled_out >= set(spaces) else None


def adjust_morale(at: Board, noted: EnemyRaidMemory, rises: bool) -> Board:
    """Enemy Morale goes up by 1 at most."""
    rule, die = "nw:enemy-raid.hit-step2-morale", must_know(noted.die)
    if not rises:
        return at.tell(MORALE_STAYS, rule, die=die)
    return change_track(at.tell(MORALE_RISES, rule, die=die), "enemy_morale", +1, rule)


CAUGHT_WHERE = question(
    "raid-caught-where",
    "In which other Territory's Caught Box is Family %(family)s placed?",
    lead="Raid Resolution step 3: Family %(family)s was caught in Canyon de Chelly.",
)
CAUGHT_HERE = message("raid-caught-here", "%(box)s")
EVERYONE_LOST = message(
    "raid-everyone-lost",
    "Family %(family)s was caught in Canyon de Chelly: all its population counters go to the Passage of Time Box.",
)


def ask_caught(at: Board, noted: EnemyRaidMemory) -> Question:
    """The Caught Box of its Territory; from Canyon de Chelly one of another Territory (C18)."""
    letter = must_know(noted.family)
    family = at.family(letter)
    if refuted(family.in_play):
        return known(NOBODY)
    if len(empty_spaces(at, noted)) == len(MEMBERS) and at.choice("family-without-population") == "removed":
        return known("removed")
    if not at.in_canyon(family.at) or at.choice("caught-in-canyon") == "like-any-other":
        return known(own_caught_box(at, letter))
    boxes = [f"{territory}-caught" for territory in DIE_SYMBOL]
    options = tuple(Option(box, CAUGHT_HERE, {"box": PlaceRef(box)}) for box in boxes)
    return ask(CAUGHT_WHERE, Choose(options), family=letter)


def step_3(at: Board, noted: EnemyRaidMemory, box: str) -> Board:
    """The Family is caught; who is caught in Canyon de Chelly loses everyone."""
    letter = must_know(noted.family)
    if box == NOBODY:
        return at
    if box == "removed":
        return dissolve(at, letter)
    rule = "nw:enemy-raid.hit-step3"
    if at.in_canyon(at.family(letter).at) and territory_of(box) != CANYON:
        at, rule = everyone_lost(at, letter), "nw:enemy-raid.hit-canyon"
    return catch_family(at, letter, box, rule)


def everyone_lost(at: Board, letter: str) -> Board:
    """All population counters left go to the Passage of Time Box; no more Culture Points are lost for them."""
    family = at.family(letter)
    for kind in MEMBERS:
        if must_know(getattr(family, kind)):
            at = to_passage(at.set_family(letter, **{kind: False}), kind)
    return at.tell(EVERYONE_LOST, "nw:enemy-raid.hit-canyon", family=letter)
