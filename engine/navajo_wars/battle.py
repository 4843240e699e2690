"""Section 11: Battles. Who may fight, the two dice, the Battle Table and what its result does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from engine.actions import Action
from engine.chance import Die
from engine.codec import Number
from engine.exceptions import Refused
from engine.memory import Memory
from engine.messages import Term, message, requirement
from engine.navajo_wars.board import ASK_ACTIVATION, ASK_OPERATION, Board, Family
from engine.navajo_wars.components import SHIPPED, BattleResult, Changes
from engine.navajo_wars.consequences import change_track, on_chart, set_ferocity, signed
from engine.navajo_wars.map import PlaceRef, is_area, territory_of, track
from engine.navajo_wars.position import FamilyLetter
from engine.navajo_wars.printed import PrintedEffect, apply_printed
from engine.questions import Option, Question, Read, ask, known
from engine.tables import Where, automatic, call, chance, end, procedure, reading
from engine.verdict import (
    Caution,
    Check,
    Truth,
    Unknown,
    as_number,
    denied,
    every,
    must_know,
    needs,
    some,
    total,
    unknown,
    warns,
)

Foe = Literal["enemy", "comanche", "ute"]
FOE_MODIFIER = {"comanche": 5, "ute": 4}
FOE_TERM = {
    "enemy": Term("nw.enemy"),
    "comanche": Term("nw.tribe.comanche"),
    "ute": Term("nw.tribe.ute"),
}
RESULTS: tuple[BattleResult, ...] = ("MFV", "FV", "RGD", "TTD", "EV", "MEV")
VICTORY = ("FV", "MFV")


class Battle(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="battle"):
    """A Family fights the Enemy or a Tribe."""

    family: FamilyLetter
    enemy: Foe
    horse: bool = False
    firearms: bool = False
    ambush: bool = False


# -- 11.1: who may fight, and when -------------------------------------------------------------------

NOT_IN_PLAY = requirement(
    "family-not-in-play",
    "Family %(family)s is not in play: its counter is in no Area, Caught Box or Escape Box.",
    met="Family %(family)s is in play.",
)
NO_MAN = requirement(
    "battle-without-man",
    "Family %(family)s cannot fight a Battle: there is no man in its Family Box.",
    met="Family %(family)s has a man, so it can fight a Battle.",
)
NO_MILITARY = requirement(
    "battle-without-military",
    "A Battle needs at least 1 Military Point; your Military Points are at %(have)s.",
    met="Military Points: %(have)s, and a Battle needs at least 1.",
)
NO_OCCASION = requirement(
    "battle-without-occasion",
    "Nothing allows a Battle here: no Raid has reached Family %(family)s, it is not raiding, "
    "and there is no Tribal Warfare or Ambush.",
    met="There is an occasion for a Battle.",
)
NO_HORSE = requirement(
    "no-horse-in-resources",
    "There is no horse in the Resources Box to put into the Family Box of Family %(family)s.",
    met="A horse is available for Family %(family)s.",
)
NO_FIREARMS = requirement(
    "no-firearms",
    "There are no Firearms in the Resources Box to use in this Battle.",
    met="Firearms in the Resources Box: %(have)s.",
)
AGAINST_CARSON = requirement(
    "battle-against-carson",
    "In the Kit Carson Campaign Family %(family)s cannot fight a Battle in Raid Resolution: it follows the three steps.",
    met="No Raid of the Kit Carson Campaign keeps Family %(family)s from fighting a Battle.",
)
BLESSING_WAY = message(
    "blessing-way-possible",
    "You hold a Ceremony card: it may be played now for its Blessing Way. Read its effect off the card.",
)


OCCASIONS = {
    "ambush": ("nw:11.1.ambush",),
    "enemy": ("nw:11.1.option-in-raid", "nw:11.1.forced-by-raid"),
    "tribe": ("nw:11.1.option-in-raid", "nw:11.1.tribal-war"),
}


def may_battle(at: Board, do: Battle) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may fight a Battle now."""
    family = at.family(do.family)
    yield needs(family.in_play, NOT_IN_PLAY, "nw:13.in-play.family", pointer=family.pointer, family=do.family)
    if family.in_play is False:
        return
    yield from can_fight(at, family)
    yield needs(
        occasion(at, family, do),
        NO_OCCASION,
        "nw:11.1.closed-list",
        *OCCASIONS["ambush" if do.ambush else "enemy" if do.enemy == "enemy" else "tribe"],
        pointer="/areas",
        family=do.family,
    )
    yield needs(
        denied(every((tribal_raid_near(at, family), at.kit_carson_campaign))),
        AGAINST_CARSON,
        "nw:6.2.3.s4.no-battle",
        "nw:tribal-raid.carson",
        pointer="/cards/current",
        family=do.family,
    )
    yield from means(at, family, horse=do.horse, firearms=do.firearms)


def can_fight(at: Board, family: Family) -> Iterator[Check]:
    """A man in the Family and at least 1 Military Point (11.1)."""
    yield needs(family.man, NO_MAN, "nw:11.1.man", pointer=f"{family.pointer}/man", family=family.letter)
    yield needs(
        at.military > 0, NO_MILITARY, "nw:11.1.military", pointer="/tracks/military", have=at.military
    )


def occasion(at: Board, family: Family, do: Battle) -> Truth:
    """One of the four occasions of 11.1, as far as the position shows them; Forts keep Raids away."""
    if not isinstance(family.at, Unknown) and not is_area(family.at):
        return False
    exposed = denied(at.has_fort(family.at))
    if do.ambush:
        return every((do.enemy == "enemy", raided_here(at, family), exposed))
    if do.enemy == "enemy":
        return some((every((raided_here(at, family), exposed)), _raiding(at, family)))
    return some((every((tribal_raid_near(at, family), exposed)), _at_tribal_war(at)))


def battlefield(family: Family) -> PlaceRef:
    """The Area a Battle under way is fought in; in a box there is none."""
    place: PlaceRef = must_know(family.at)
    if not is_area(place):
        pointer = f"{family.pointer}/at"
        raise Refused(needs(False, NO_OCCASION, "nw:11.1.closed-list", pointer=pointer, family=family.letter))
    return place


def raided_here(at: Board, family: Family) -> Truth:
    """Is an Enemy Raid counter in the Family's Area?"""
    return at.counters(family.at, "raid") > 0  # type: ignore[no-any-return]


def tribal_raid_near(at: Board, family: Family) -> Truth:
    """Is a Tribal Raid counter on the Family's Area Track?"""
    if isinstance(family.at, Unknown):
        return family.at
    return at.on_one_of(track(territory_of(family.at)), lambda area: area.tribal_raid > 0)


def _raiding(at: Board, family: Family) -> Truth:
    acting = at.position.activation
    if acting is UNSET:
        return unknown("/activation", ASK_ACTIVATION)
    return acting is not None and acting.family == family.letter


def _at_tribal_war(at: Board) -> Truth:
    operation = at.position.operation
    kind = UNSET if operation is UNSET else operation.kind
    return unknown("/operation/kind", ASK_OPERATION) if kind is UNSET else kind == "planning"


def means(at: Board, family: Family, *, horse: bool, firearms: bool) -> Iterator[Check | Caution]:
    """A horse put into the box just before, one Firearms counter: both must be available."""
    if horse:
        yield needs(
            some((family.horse, at.resource("horse") > 0)),
            NO_HORSE,
            "nw:11.2.1.horse",
            pointer="/resources/horse",
            family=family.letter,
        )
    if firearms:
        yield needs(
            at.resource("firearms") > 0,
            NO_FIREARMS,
            "nw:11.2.1.firearms",
            "nw:1.6.1.firearms",
            "nw:13.firearms",
            pointer="/resources/firearms",
            have=at.resource("firearms"),
        )
    cards = at.position.cards
    if cards is not UNSET and cards.hand is not UNSET and cards.hand:
        rules = ("nw:11.2.1.blessing-way", "nw:13.blessing-way")
        yield warns(BLESSING_WAY, *rules, pointer="/cards/hand")


# -- 11.2: the procedure -----------------------------------------------------------------------------

HORSE_PLACED = message(
    "horse-placed", "A horse goes from the Resources Box into the Family Box of Family %(family)s."
)
DINE_ROLL = message(
    "battle-dine-roll",
    "Battle, step 1: roll a die for the Diné. Modifier of Family %(family)s: %(modifier)s.",
)
DINE_ROLLED = message(
    "battle-dine-rolled",
    "The Diné roll %(die)s; with Ferocity %(ferocity)s, horse %(horse)s, Manuelito %(manuelito)s and "
    "Firearms %(firearms)s the modified die roll is %(total)s.",
)
ENEMY_ROLL = message(
    "battle-enemy-roll",
    "Battle, step 2: roll a die for the opponent. Modifier of %(foe)s: %(modifier)s.",
)
ENEMY_ROLLED = message(
    "battle-enemy-rolled",
    "The opponent (%(foe)s) rolls %(die)s; with %(modifier)s the modified die roll is %(total)s.",
)
READ_RESULT = message(
    "battle-read-result",
    "Battle, step 3: look at the Battle Table, row %(row)s, column %(column)s. Which result is printed there?",
)
READ_RESULT_IN = message(
    "battle-read-result-in",
    "Battle, step 3: look at the Battle Table, row %(row)s, in the column of the Area Value printed in "
    "Area %(area)s. Which result is printed there?",
)
READ_TRIBAL_RESULT = message(
    "battle-read-tribal-result",
    "Battle, step 3: look at the Battle Table, row %(row)s, in the column for Tribal Warfare; if your table has "
    "none, in the column of the Family's Area Value. Which result is printed there?",
)
RESULT = message("battle-result", "Result of the Battle: %(result)s (row %(row)s).")
RESULT_NAME = message("battle-result-name", "%(result)s")
KNOWN_EFFECT = message(
    "battle-known-effect",
    "Public sources state what the result %(result)s does to points and Ferocity; check it against your Battle Table.",
)
READ_EFFECT = message(
    "battle-read-effect",
    "What else does your Battle Table print for the result %(result)s, such as population counters or horses "
    "lost? Points and Ferocity are already adjusted. Send the changes, “none”, or “by-hand”.",
)
READ_WHOLE_EFFECT = message(
    "battle-read-whole-effect",
    "What does your Battle Table print for the result %(result)s? Send the changes, “none”, or “by-hand”.",
)
FIREARMS_SPENT = message("firearms-spent", "The Firearms counter goes to the Out of Play Box.")


class BattleMemory(Memory, frozen=True):
    """Who fights whom with what, and how the dice fell."""

    family: FamilyLetter | UnsetType = UNSET
    enemy: Foe | UnsetType = UNSET
    firearms: bool = False
    ambush: bool = False
    tribal_warfare: bool = False
    dine: Number | UnsetType = UNSET
    foe: Number | UnsetType = UNSET
    result: BattleResult | UnsetType = UNSET


def begin_battle(at: Board, do: Battle) -> tuple[Board, Where]:
    """Put the horse in the box, then step 1."""
    at = place_horse(at, do.family) if do.horse else at
    planned = do.enemy != "enemy" and tribal_raid_near(at, at.family(do.family)) is not True
    return at, call(
        BATTLE,
        family=do.family,
        enemy=do.enemy,
        firearms=do.firearms,
        ambush=do.ambush,
        tribal_warfare=planned,
    )


def place_horse(at: Board, letter: str) -> Board:
    """A horse from the Resources Box; one that is already in the box counts anyway (1.6.1)."""
    if at.family(letter).horse:
        return at
    at = at.spend_resource("horse", 1).set_family(letter, horse=True)
    return at.tell(HORSE_PLACED, "nw:11.2.1.horse", family=letter)


def ferocity_modifier(at: Board, family: Family, *, ambush: bool) -> int | Unknown:
    """Ferocity; in an Ambush twice that, but never more than the value of the Area (5.2.1)."""
    ferocity = family.ferocity
    if not ambush or isinstance(ferocity, Unknown):
        return ferocity
    value = at.value(battlefield(family))
    return value if isinstance(value, Unknown) else min(2 * ferocity, value)


def dine_modifiers(at: Board) -> dict[str, int | Unknown]:
    """Each modifier of the Diné's die by its name."""
    family = at.family(at.recall("family"))
    return {
        "ferocity": ferocity_modifier(at, family, ambush=at.recall("ambush")),
        "horse": as_number(family.horse),
        "manuelito": as_number(family.is_manuelitos),
        "firearms": 2 if at.recall("firearms") else 0,
    }


def ask_dine_roll(at: Board) -> Question:
    """Step 1 waits for the Diné's die."""
    modifier = total(dine_modifiers(at).values())
    return ask(DINE_ROLL, Die(), family=at.recall("family"), modifier=_shown(modifier))


def _shown(modifier: int | Unknown) -> Any:
    return modifier if isinstance(modifier, Unknown) else signed(modifier)


def dine_roll(at: Board, die: int) -> tuple[Board, Where]:
    """Step 1: the Diné's die with its modifiers."""
    parts = dine_modifiers(at)
    modified = die + must_know(total(parts.values()))
    ambush = ("nw:5.2.1.double-ferocity-cap-area", *on_chart(at, "nw:enemy-raid.ambush-battle"))
    manuelito = ("nw:13.manuelito.battle", "nw:1.6.1.manuelito")
    at = at.remember(dine=modified).tell(
        DINE_ROLLED,
        "nw:11.2.1.roll",
        *(ambush if at.recall("ambush") else ()),
        *(f"nw:11.2.1.{name}" for name, part in parts.items() if part),
        *(manuelito if parts["manuelito"] else ()),
        die=die,
        total=modified,
        **{name: _shown(part) for name, part in parts.items()},
    )
    return at, "enemy-roll"


def foe_modifier(at: Board) -> int | Unknown:
    """Enemy Ferocity, or the Tribe's fixed modifier."""
    enemy = at.recall("enemy")
    return enemy if isinstance(enemy, Unknown) else FOE_MODIFIER.get(enemy) or at.enemy_ferocity


def ask_enemy_roll(at: Board) -> Question:
    """Step 2 waits for the opponent's die."""
    enemy = at.recall("enemy")
    foe = enemy if isinstance(enemy, Unknown) else FOE_TERM[enemy]
    return ask(ENEMY_ROLL, Die(), foe=foe, modifier=_shown(foe_modifier(at)))


def enemy_roll(at: Board, die: int) -> tuple[Board, Where]:
    """Step 2: the opponent's die with its modifier."""
    enemy, modifier = at.recall("enemy"), must_know(foe_modifier(at))
    rules = ("nw:11.2.2.enemy", "nw:1.7.4.enemy-tracks") if enemy == "enemy" else (f"nw:11.2.2.{enemy}",)
    at = at.remember(foe=die + modifier).tell(
        ENEMY_ROLLED,
        "nw:11.2.2.roll",
        *rules,
        foe=FOE_TERM[enemy],
        die=die,
        modifier=_shown(modifier),
        total=die + modifier,
    )
    return at, "result"


def difference(at: Board) -> int:
    """The row: the Diné's modified roll less the opponent's."""
    rolled: int = must_know(at.recall("dine") - at.recall("foe"))
    return rolled


def ask_result(at: Board) -> Question:
    """Step 3: the cell of the Battle Table, looked up where the table is given, read off otherwise."""
    row = difference(at)
    options = tuple(Option(result, RESULT_NAME, {"result": result}) for result in RESULTS)
    table = at.components.battle_table
    form = Read(BattleResult, options)
    if at.recall("tribal_warfare") and at.choice("tribal-warfare-column") == "tribal-if-printed":
        printed = table.result(row, "tribal")
        filled_in_without = table.rows and not any("tribal" in row.results for row in table.rows)
        if printed or not filled_in_without:
            return known(printed) if printed else ask(READ_TRIBAL_RESULT, form, row=signed(row))
    area = battlefield(at.family(at.recall("family")))
    column = at.value(area)
    if isinstance(column, Unknown):
        return ask(READ_RESULT_IN, form, row=signed(row), area=area)
    printed = table.result(row, str(column))
    return known(printed) if printed else ask(READ_RESULT, form, row=signed(row), column=column)


def note_result(at: Board, result: BattleResult) -> tuple[Board, Where]:
    """Note the result; what it does is applied next."""
    row = signed(difference(at))
    what_follows = (
        "ambush" if at.recall("ambush") else "tribal-war" if at.recall("tribal_warfare") else "other"
    )
    at = at.remember(result=result).tell(
        RESULT, "nw:11.2.3.difference", "nw:11.3", f"nw:11.3.{what_follows}", result=result, row=row
    )
    if result in at.components.battle_table.effects:
        return at, "effects"
    return apply_known_effect(at, must_know(at.recall("family")), result), "effects"


def ask_effect(at: Board) -> Question:
    """What the result does: as the components state it, otherwise as public sources and the player say."""
    result = must_know(at.recall("result"))
    printed = at.components.battle_table.effects.get(result)
    if printed is not None:
        return known(printed)
    said = READ_EFFECT if result in SHIPPED.battle_effects else READ_WHOLE_EFFECT
    return ask(said, Read(PrintedEffect), result=result)


def apply_effect(at: Board, read: Any) -> tuple[Board, Where]:
    """Apply the result to the Family that fought and to the tracks."""
    effect = Changes(read) if isinstance(read, tuple) else read
    return apply_printed(at, effect, "nw:11.2.3.apply", must_know(at.recall("family"))), "over"


def apply_known_effect(at: Board, letter: str, result: BattleResult) -> Board:
    """What public sources state of a result: Ferocity, Enemy Morale, and Culture against a Tribe."""
    effect = SHIPPED.battle_effects[result]
    rule = "nw:11.2.3.apply"
    at = at.tell(KNOWN_EFFECT, rule, result=result)
    family = at.family(letter)
    now = family.ferocity
    if effect.ferocity_to is not None:
        at = set_ferocity(at, letter, effect.ferocity_to, rule)
    elif not isinstance(now, Unknown):
        at = set_ferocity(at, letter, min(3, now + effect.ferocity), rule)
    if effect.enemy_morale:
        at = change_track(at, "enemy_morale", effect.enemy_morale, rule)
    if effect.culture_against_tribe and at.recall("enemy") != "enemy":
        at = change_track(at, "culture", effect.culture_against_tribe, rule)
    return at


def battle_over(at: Board) -> tuple[Board, Where]:
    """Firearms that were used leave play; the result goes back to whoever called for the Battle."""
    result = must_know(at.recall("result"))
    if at.recall("firearms"):
        at = _spend_firearms(at)
    return at, end(result=result)


def _spend_firearms(at: Board) -> Board:
    left = at.resource("firearms")
    if not isinstance(left, Unknown) and left > 0:
        at = at.spend_resource("firearms", 1)
    return at.tell(FIREARMS_SPENT, "nw:11.2.1.firearms-spent", "nw:1.6.1.firearms", "nw:13.firearms")


BATTLE = procedure(
    "battle",
    BattleMemory,
    chance("dine-roll", "nw:11.2.1.roll", ask_dine_roll, dine_roll),
    chance("enemy-roll", "nw:11.2.2.roll", ask_enemy_roll, enemy_roll),
    reading("result", "nw:11.2.3.column", ask_result, note_result),
    reading("effects", "nw:11.2.3.apply", ask_effect, apply_effect),
    automatic("over", "nw:11.3", battle_over),
)

ACTION = Action(
    Battle,
    "nw:11",
    Term("nw.battle"),
    message("action.battle", "A Family fights a Battle against the Enemy or a Tribe."),
    may_battle,
    begin_battle,
)
