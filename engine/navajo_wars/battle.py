"""Section 11: Battles. Who may fight, the two dice, the Battle Table and what its result does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from msgspec import Struct

from engine.actions import Action, Said, say
from engine.chance import Die
from engine.codec import Number
from engine.exceptions import Refused
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Act, Message, Term, act, message, question, requirement
from engine.navajo_wars.board import ASK_ACTIVATION, ASK_OPERATION, Board, Family
from engine.navajo_wars.components import SHIPPED, BattleResult, Change, Changes
from engine.navajo_wars.consequences import (
    change_track,
    modifier_shown,
    on_chart,
    set_ferocity,
    signed,
    still_in_play,
)
from engine.navajo_wars.counters import MEMBERS
from engine.navajo_wars.map import PlaceRef, is_area, territory_of, track
from engine.navajo_wars.position import FamilyLetter
from engine.navajo_wars.printed import PrintedEffect, always_so, apply_printed
from engine.navajo_wars.raid_memory import EnemyRaidMemory, ResolutionMemory
from engine.questions import Option, Question, Read, ask, known
from engine.tables import Where, automatic, call, chance, end, part, procedure, reading
from engine.verdict import (
    Caution,
    Check,
    Truth,
    Unknown,
    as_number,
    certain,
    denied,
    every,
    must_know,
    needs,
    refuted,
    some,
    total,
    warns,
)

Foe = Literal["enemy", "comanche", "ute"]
FOE_MODIFIER: dict[Foe, int] = {"comanche": 5, "ute": 4}
FOE_TERM: dict[Foe, Term] = {
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
    met="Family %(family)s has a man, as a Battle requires.",
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
    "Family %(family)s cannot be given a horse: there is none in the Resources Box.",
    met="A horse is available for Family %(family)s.",
)
NO_HORSE_FOR_BATTLE = requirement(
    "no-horse-for-battle",
    "There is no horse in the Resources Box for Family %(family)s: this Battle can only be fought without one.",
    met="A horse is available for Family %(family)s.",
)
NO_FIREARMS = requirement(
    "no-firearms",
    "There are no Firearms in the Resources Box: this Battle can only be fought without them.",
    met="Firearms in the Resources Box: %(have)s.",
)
AGAINST_CARSON = requirement(
    "battle-against-carson",
    "In the Kit Carson Campaign Family %(family)s cannot fight a Battle in Raid Resolution: it suffers the "
    "Raid.",
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
    yield from may_battle_at_all(at, do.family)
    if not refuted(at.family(do.family).in_play):
        yield from may_battle_so(at, do)


def may_battle_so(at: Board, do: Battle) -> Iterator[Check | Caution]:
    """An occasion for this Battle, and what is used in it."""
    family = at.family(do.family)
    yield needs(
        occasion(at, family, do),
        NO_OCCASION,
        "nw:11.1.closed-list",
        *OCCASIONS["ambush" if do.ambush else "enemy" if do.enemy == "enemy" else "tribe"],
        pointer="/areas",
        family=do.family,
    )
    yield at.occasion(
        denied(hunted_by_carson(at, family)),
        AGAINST_CARSON,
        "nw:6.2.3.s4.no-battle",
        "nw:tribal-raid.carson",
        pointer="/cards/current",
        takes=None,
        family=do.family,
    )
    yield from means(at, family, horse=do.horse, firearms=do.firearms)


def in_play(family: Family) -> Check:
    """The Family is in play."""
    return needs(
        family.in_play, NOT_IN_PLAY, "nw:13.in-play.family", pointer=family.pointer, family=family.letter
    )


def may_battle_at_all(at: Board, letter: FamilyLetter) -> Iterator[Check]:
    """What is asked of the Family, whoever it fights."""
    family = at.family(letter)
    yield in_play(family)
    if not refuted(family.in_play):
        yield from can_fight(at, family)


WHY_NO_BATTLE = {
    "gone": act("why.not-in-play", "it is no longer in play"),
    "man": act("why.no-man", "it has no man"),
    "military": act("why.no-military", "there are no Military Points"),
}


def why_no_battle(at: Board, letter: str) -> Act:
    """What keeps a Family from fighting, where something does."""
    family = at.family(letter)
    if refuted(family.in_play):
        return WHY_NO_BATTLE["gone"]
    return WHY_NO_BATTLE["man" if refuted(family.man) else "military"]


def can_fight(at: Board, family: Family) -> Iterator[Check]:
    """A man in the Family and at least 1 Military Point (11.1)."""
    yield needs(family.man, NO_MAN, "nw:11.1.man", pointer=f"{family.pointer}/man", family=family.letter)
    yield needs(
        at.military > 0, NO_MILITARY, "nw:11.1.military", pointer="/tracks/military", have=at.military
    )


def occasion(at: Board, family: Family, do: Battle) -> Truth:
    """One of the four occasions of 11.1, as far as the position shows them; Forts keep Raids away."""
    if is_dealt_with(at, family):
        return True
    place = family.at
    if isinstance(place, Unknown):  # in a Caught Box or an Escape Box there is none
        return every((place, _occasion_in_area(at, family, do)))
    return _occasion_in_area(at, family, do) if is_area(place) else False


def _occasion_in_area(at: Board, family: Family, do: Battle) -> Truth:
    exposed = denied(at.has_fort(family.at))
    if do.ambush:
        return every((do.enemy == "enemy", raided_here(at, family), exposed))
    if do.enemy == "enemy":
        return some((every((raided_here(at, family), exposed)), _raiding(at, family)))
    return some((every((tribal_raid_near(at, family), exposed)), _at_tribal_war(at)))


def is_dealt_with(at: Board, family: Family) -> bool:
    """Does the Raid Resolution of a chart under way deal with this Family now?"""
    chart = at.noted(ResolutionMemory)
    return chart is not None and at.agenda[-1].step == "resolution" and certain(chart.family == family.letter)


def hunted_by_carson(at: Board, family: Family) -> Truth:
    """Is this a Raid of the Kit Carson Campaign? In an Enemy Raid it is not."""
    if at.noted(EnemyRaidMemory) is not None:
        return False
    return every((tribal_raid_near(at, family), at.kit_carson_campaign))


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
    return at.on_one_of(track(territory_of(family.at)), "tribal_raid")


def _raiding(at: Board, family: Family) -> Truth:
    acting: Truth = at.told("activation", "family", ask=ASK_ACTIVATION) == family.letter
    return acting


def _at_tribal_war(at: Board) -> Truth:
    planning: Truth = at.told("operation", "kind", ask=ASK_OPERATION) == "planning"
    return planning


def means(at: Board, family: Family, *, horse: bool, firearms: bool) -> Iterator[Check | Caution]:
    """A horse put into the box just before, one Firearms counter: both must be available."""
    if horse:
        yield needs(
            some((family.horse, at.resource("horse") > 0)),
            NO_HORSE_FOR_BATTLE,
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
    if at.holds_a_card:
        rules = ("nw:11.2.1.blessing-way", "nw:13.blessing-way")
        yield warns(BLESSING_WAY, *rules, pointer="/cards/hand")


def ways(_: Board, letter: FamilyLetter) -> Iterator[Battle]:
    """A Battle against each opponent; a horse or Firearms are added by whoever wants to use them."""
    for foe in FOE_TERM:
        yield Battle(letter, foe)


def variants(at: Board, letter: FamilyLetter) -> Iterator[Battle]:
    """A Battle against each opponent, with a horse, with Firearms, with both; against the Enemy as an Ambush, too."""
    for foe in FOE_TERM:
        for ambush in (False, True) if foe == "enemy" else (False,):
            for horse, firearms in mixes_of_means(at, letter):
                yield Battle(letter, foe, horse, firearms, ambush)


def mixes_of_means(at: Board, letter: FamilyLetter) -> Iterator[tuple[bool, bool]]:
    """A horse or none, Firearms or none; one that is in the Family Box already counts anyway."""
    for horse in (False,) if certain(at.family(letter).horse) else (False, True):
        for firearms in (False, True):
            yield horse, firearms


def means_said(*, horse: bool, firearms: bool) -> list[Term]:
    """What is used in a Battle besides the Family itself, by name."""
    return [Term("nw.horse")] * horse + [Term("nw.firearms")] * firearms


def offer(_: Board, do: Battle) -> Said:
    """A Battle as an answer."""
    said, shown = OFFER_AMBUSH if do.ambush else OFFER, {"family": do.family, "foe": FOE_TERM[do.enemy]}
    used = means_said(horse=do.horse, firearms=do.firearms)
    if not used:
        return say(said, **shown)
    return say(OFFER_AMBUSH_WITH if do.ambush else OFFER_WITH, **shown, means=used)


OFFER = message("battle-offer", "Family %(family)s: Battle (%(foe)s)")
OFFER_WITH = message("battle-offer-with", "Family %(family)s: Battle (%(foe)s), with %(means)s")
OFFER_AMBUSH = message("battle-offer-ambush", "Family %(family)s: Battle as an Ambush (%(foe)s)")
OFFER_AMBUSH_WITH = message(
    "battle-offer-ambush-with", "Family %(family)s: Battle as an Ambush (%(foe)s), with %(means)s"
)


# -- 11.2: the procedure -----------------------------------------------------------------------------

HORSE_PLACED = message(
    "horse-placed",
    "A horse goes from the Resources Box into the Family Box of Family %(family)s.",
    tells="detail",
)
DINE_ROLL = question(
    "battle-dine-roll",
    "Battle, step 1: roll a die for the Diné.",
    hint="Modifier of Family %(family)s: %(modifier)s.",
)
DOUBLED_FEROCITY = act("battle.doubled-ferocity", "doubled Ferocity")
DINE_ROLLED = message(
    "battle-dine-rolled",
    "The Diné roll %(die)s%(terms)s: modified die roll %(total)s.",
    tells="detail",
    terms={
        "ferocity": "%(called)s %(ferocity)s",
        "horse": "horse %(horse)s",
        "manuelito": "Manuelito's Family %(manuelito)s",
        "firearms": "Firearms %(firearms)s",
    },
)
ENEMY_ROLL = question(
    "battle-enemy-roll",
    "Battle, step 2: roll a die for the opponent.",
    hint="Modifier of the opponent (%(foe)s): %(modifier)s.",
)
ENEMY_ROLLED = message(
    "battle-enemy-rolled",
    "The opponent (%(foe)s) rolls %(die)s%(terms)s: modified die roll %(total)s.",
    tells="detail",
    terms={"modifier": "modifier %(modifier)s"},
)
ROW_AT_LEAST = message("battle-row-at-least", "The difference is %(row)s or better.")
READ_RESULT = question(
    "battle-read-result",
    "Which result does the Battle Table print in row %(row)s, column %(column)s?",
    lead="Battle, step 3: look at the Battle Table, row %(row)s, column %(column)s.",
    at_least=("row", ROW_AT_LEAST),
)
READ_RESULT_IN = question(
    "battle-read-result-in",
    "Which result does the Battle Table print in row %(row)s, in the column of the Area Value of Area "
    "%(area)s?",
    lead="Battle, step 3: the Area Value printed on the map names the column of the Battle Table.",
    at_least=("row", ROW_AT_LEAST),
)
READ_TRIBAL_RESULT = question(
    "battle-read-tribal-result",
    "Which result does the Battle Table print in row %(row)s for Tribal Warfare?",
    lead="Battle, step 3: look at the Battle Table, row %(row)s, in the column for Tribal Warfare; if your "
    "table has none, in the column of the Family's Area Value.",
    at_least=("row", ROW_AT_LEAST),
)
BATTLE_ENDS = message("outcome.battle-result", "Result of the Battle: %(result)s.")
RESULT = message(
    "battle-result", "Result of the Battle: %(result)s (row %(row)s).", outcome=BATTLE_ENDS, whole=True
)
RESULT_NAME = message("battle-result-name", "%(result)s")
KNOWN_EFFECT = message(
    "battle-known-effect",
    "Public sources state what the result %(result)s does to points and Ferocity; check it against your "
    "Battle Table.",
    tells="detail",
)
READ_EFFECT = question(
    "battle-read-effect",
    "What else does your Battle Table print for the result %(result)s, such as population counters or horses lost?",
    hint="Points and Ferocity are already adjusted.",
)
READ_WHOLE_EFFECT = message(
    "battle-read-whole-effect", "What does your Battle Table print for the result %(result)s?"
)
FIREARMS_SPENT = message(
    "firearms-spent", "The Firearms counter goes to the Out of Play Box.", tells="detail"
)


ASK_FIGHTER = message("ask-fighter", "Which Family fights the Battle?")
ASK_FOE = message("ask-foe", "Against whom is the Battle fought?")
ASK_DINE_TOTAL = message("ask-dine-total", "What was the modified die roll of the Diné?")
ASK_FOE_TOTAL = message("ask-foe-total", "What was the modified die roll of the opponent?")
ASK_BATTLE_RESULT = message("ask-battle-result", "What was the result of the Battle?")


class BattleMemory(Memory, frozen=True):
    """Who fights whom with what, and how the dice fell."""

    questions: ClassVar[dict[str, Message]] = {
        "family": ASK_FIGHTER,
        "enemy": ASK_FOE,
        "dine": ASK_DINE_TOTAL,
        "foe": ASK_FOE_TOTAL,
        "result": ASK_BATTLE_RESULT,
    }

    family: Noted[FamilyLetter] = NOT_NOTED
    enemy: Noted[Foe] = NOT_NOTED
    firearms: bool = False
    ambush: bool = False
    tribal_warfare: bool = False
    dine: Noted[Number] = NOT_NOTED
    foe: Noted[Number] = NOT_NOTED
    result: Noted[BattleResult] = NOT_NOTED


def begin_battle(at: Board, do: Battle) -> tuple[Board, Where]:
    """Put the horse in the box, then step 1."""
    at = place_horse(at, do.family) if do.horse else at
    planned = do.enemy != "enemy" and not certain(tribal_raid_near(at, at.family(do.family)))
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


def dine_modifiers(at: Board, noted: BattleMemory) -> dict[str, int | Unknown]:
    """Each modifier of the Diné's die by its name."""
    family = at.family(noted.family)
    return {
        "ferocity": ferocity_modifier(at, family, ambush=noted.ambush),
        "horse": as_number(family.horse),
        "manuelito": as_number(family.is_manuelitos),
        "firearms": 2 if noted.firearms else 0,
    }


def ask_dine_roll(at: Board, noted: BattleMemory) -> Question:
    """Step 1 waits for the Diné's die."""
    modifier = total(dine_modifiers(at, noted).values())
    return ask(DINE_ROLL, Die(), family=noted.family, modifier=modifier_shown(modifier))


def dine_roll(at: Board, noted: BattleMemory, die: int) -> Board:
    """Step 1: the Diné's die with its modifiers."""
    parts = dine_modifiers(at, noted)
    modified = die + must_know(total(parts.values()))
    ambush = ("nw:5.2.1.double-ferocity-cap-area", *on_chart(at, "nw:enemy-raid.ambush-battle"))
    manuelito = ("nw:13.manuelito.battle", "nw:1.6.1.manuelito")
    return at.remember(dine=modified).tell(
        DINE_ROLLED,
        "nw:11.2.1.roll",
        *(ambush if noted.ambush else ()),
        *(f"nw:11.2.1.{name}" for name, part in parts.items() if part),
        *(manuelito if parts["manuelito"] else ()),
        die=die,
        total=modified,
        called=DOUBLED_FEROCITY if noted.ambush else Term("nw.ferocity"),
        **{name: modifier_shown(part) for name, part in parts.items()},
    )


def foe_modifier(at: Board, noted: BattleMemory) -> int | Unknown:
    """Enemy Ferocity, or the Tribe's fixed modifier."""
    enemy = noted.enemy
    return enemy if isinstance(enemy, Unknown) else FOE_MODIFIER.get(enemy) or at.enemy_ferocity


def ask_enemy_roll(at: Board, noted: BattleMemory) -> Question:
    """Step 2 waits for the opponent's die."""
    enemy = noted.enemy
    foe = enemy if isinstance(enemy, Unknown) else FOE_TERM[enemy]
    return ask(ENEMY_ROLL, Die(), foe=foe, modifier=modifier_shown(foe_modifier(at, noted)))


def enemy_roll(at: Board, noted: BattleMemory, die: int) -> Board:
    """Step 2: the opponent's die with its modifier."""
    enemy: Foe = must_know(noted.enemy)
    modifier = must_know(foe_modifier(at, noted))
    rules = ("nw:11.2.2.enemy", "nw:1.7.4.enemy-tracks") if enemy == "enemy" else (f"nw:11.2.2.{enemy}",)
    return at.remember(foe=die + modifier).tell(
        ENEMY_ROLLED,
        "nw:11.2.2.roll",
        *rules,
        foe=FOE_TERM[enemy],
        die=die,
        modifier=modifier_shown(modifier),
        total=die + modifier,
    )


def in_row(number: int) -> str:
    """A row of the Battle Table as it is printed."""
    return signed(number) if number else "0"


def difference(noted: BattleMemory) -> int:
    """The row: the Diné's modified roll less the opponent's."""
    return must_know(noted.dine - noted.foe)


RESULT_OPTIONS = tuple(Option(result, RESULT_NAME, {"result": result}) for result in RESULTS)


def ask_result(at: Board, noted: BattleMemory) -> Question:
    """Step 3: the cell of the Battle Table, looked up where the table is given, read off otherwise."""
    row = difference(noted)
    table = at.components.battle_table
    if noted.tribal_warfare and at.choice("tribal-warfare-column") == "tribal-if-printed":
        printed = table.result(row, "tribal")
        filled_in_without = table.rows and not any("tribal" in row.results for row in table.rows)
        if printed or not filled_in_without:
            return (
                known(printed) if printed else ask(READ_TRIBAL_RESULT, cell(row, "tribal"), row=in_row(row))
            )
    area = battlefield(at.family(noted.family))
    column = at.value(area)
    if isinstance(column, Unknown):
        read = table.in_areas.get(str(row), {}).get(area)
        if read is not None:
            return known(read)
        place = f"/components/battle_table/in_areas/{row}/{area}"
        return ask(
            READ_RESULT_IN, Read(BattleResult, RESULT_OPTIONS, place=place), row=in_row(row), area=area
        )
    printed = table.result(row, str(column))
    return known(printed) if printed else ask(READ_RESULT, cell(row, column), row=in_row(row), column=column)


def cell(row: int, column: int | str) -> Read:
    """What a cell of the Battle Table prints, the same for every Battle."""
    return Read(BattleResult, RESULT_OPTIONS, place=f"/components/battle_table/cells/{row}/{column}")


def note_result(at: Board, noted: BattleMemory, result: BattleResult) -> Board:
    """Note the result; what it does is applied next."""
    row = in_row(difference(noted))
    what_follows = "ambush" if noted.ambush else "tribal-war" if noted.tribal_warfare else "other"
    at = at.remember(result=result).tell(
        RESULT, "nw:11.2.3.difference", "nw:11.3", f"nw:11.3.{what_follows}", result=result, row=row
    )
    if result in at.components.battle_table.effects:
        return at
    return apply_known_effect(at, noted, result)


def ask_effect(at: Board, noted: BattleMemory) -> Question:
    """What the result does: as the components state it, otherwise as public sources and the player say."""
    result = must_know(noted.result)
    table = at.components.battle_table
    printed = table.effects.get(result, table.besides.get(result))
    if printed is not None:
        return known(printed)
    said = READ_EFFECT if result in SHIPPED.battle_effects else READ_WHOLE_EFFECT
    effect = Read(PrintedEffect, place=f"/components/battle_table/besides/{result}", states=of_every_battle)
    return ask(said, effect, result=result)


def of_every_battle(read: PrintedEffect) -> tuple[Change, ...] | None:
    """What a result does every time; None where it names which counters the Family lost, which may be others next time."""
    changes = always_so(read)
    lost = tuple(f"/family/{piece}" for piece in (*MEMBERS, "horse"))
    return None if changes is None or any(one.pointer in lost for one in changes) else changes


def apply_effect(at: Board, noted: BattleMemory, read: Any) -> Board:
    """Apply the result to the Family that fought and to the tracks."""
    effect = Changes(read) if isinstance(read, tuple) else read
    return apply_printed(at, effect, "nw:11.2.3.apply", must_know(noted.family))


def apply_known_effect(at: Board, noted: BattleMemory, result: BattleResult) -> Board:
    """What public sources state of a result: Ferocity, Enemy Morale, and Culture against a Tribe."""
    letter = must_know(noted.family)
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
    if effect.culture_against_tribe and noted.enemy != "enemy":
        at = change_track(at, "culture", effect.culture_against_tribe, rule)
    return at


def battle_over(at: Board, noted: BattleMemory) -> tuple[Board, Where]:
    """Firearms that were used leave play; the result goes back to whoever called for the Battle."""
    result = must_know(noted.result)
    if noted.firearms:
        at = _spend_firearms(at)
    if len(at.agenda) == 1:  # a Battle of its own: nobody else looks after the Family that fought
        at = still_in_play(at, must_know(noted.family))
    return at, end(result=result)


def _spend_firearms(at: Board) -> Board:
    left = at.resource("firearms")
    if not isinstance(left, Unknown) and left > 0:
        at = at.spend_resource("firearms", 1)
    return at.tell(FIREARMS_SPENT, "nw:11.2.1.firearms-spent", "nw:1.6.1.firearms", "nw:13.firearms")


BATTLE = procedure(
    "battle",
    BattleMemory,
    part("dice", "Steps 1 and 2: the dice"),
    chance("dine-roll", "nw:11.2.1.roll", ask_dine_roll, dine_roll, title="The Diné roll"),
    chance(
        "enemy-roll",
        "nw:11.2.2.roll",
        ask_enemy_roll,
        enemy_roll,
        goes=("result", "dine-roll"),  # back, where Trade Goods buy another roll
        title="The opponent rolls",
    ),
    part("table", "Step 3: the Battle Table"),
    reading("result", "nw:11.2.3.column", ask_result, note_result, title="The result of the Battle"),
    reading("effects", "nw:11.2.3.apply", ask_effect, apply_effect, title="What the result does"),
    automatic("over", "nw:11.3", battle_over, title="The Battle is over"),
    title="Battle",
)

ACTION = Action(
    Battle,
    "nw:11",
    Term("nw.battle"),
    message("action.battle", "A Family fights a Battle against the Enemy or a Tribe."),
    may_battle,
    begin_battle,
    offer=offer,
    ways=ways,
    variants=variants,
    may_so=may_battle_so,
    subjects=lambda at: [family.letter for family in at.families()],
    may_at_all=may_battle_at_all,
    subject="family",
)
