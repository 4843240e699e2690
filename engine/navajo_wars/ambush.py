"""Section 5.2.1: Ambush."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from engine.actions import Action, Said, say
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Term, message, requirement
from engine.navajo_wars.battle import (
    BATTLE,
    VICTORY,
    ferocity_modifier,
    means,
    means_said,
    mixes_of_means,
    place_horse,
)
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.components import BattleResult
from engine.navajo_wars.consequences import on_chart, signed
from engine.navajo_wars.map import AREAS, territory_of, track
from engine.navajo_wars.position import AreaId, FamilyLetter
from engine.navajo_wars.reactions import (
    RAID_GOES_ON,
    can_pay,
    enemy_raid_only,
    families_in_play,
    free_of_outposts,
    is_in_area,
    pay,
    placed_here,
    reacts_at_all,
    standing_in,
    tribal_raid,
)
from engine.tables import Where, automatic, call, end, procedure
from engine.verdict import Caution, Check, Unknown, certain, must_know, needs, refuted, warns


class Ambush(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="ambush"):
    """A Family ambushes the Enemy Raid that has entered its Area."""

    family: FamilyLetter
    horse: bool = False
    firearms: bool = False


AMBUSH_NO_MILITARY = requirement(
    "ambush-without-military",
    "An Ambush needs at least 1 Military Point; your Military Points are at %(have)s.",
    met="Military Points: %(have)s, and an Ambush needs at least 1.",
)
AMBUSH_NO_MAN = requirement(
    "ambush-without-man",
    "An Ambush is a Battle, and Family %(family)s has no man in its Family Box.",
    met="Family %(family)s has a man, as a Battle requires.",
)
TOO_MILD = requirement(
    "ambush-without-ferocity",
    "An Ambush needs a Family with a Ferocity of at least 1; Family %(family)s has Ferocity %(have)s.",
    met="Family %(family)s has Ferocity %(have)s, and an Ambush needs at least 1.",
)
AMBUSH_CAPPED = message(
    "ambush-capped",
    "In Area %(area)s the doubled Ferocity counts only %(modifier)s: the Area Value is the limit.",
)
AMBUSH_SUCCEEDS = message(
    "ambush-succeeds",
    "The Ambush succeeds: every Raid counter on the Area Tracks goes to the Enemy Out of Play Box; those in Santa Fé stay.",
    outcome=True,
)
AMBUSH_SUCCEEDS_THERE = message(
    "ambush-succeeds-there",
    "The Ambush succeeds: every Raid counter on the Area Track of the ambushing Family goes to the Enemy Out of Play Box; all other Raid counters stay.",
    outcome=True,
)
AMBUSH_FAILS = message(
    "ambush-fails",
    "The Ambush fails: the Raid counters stay where they are.",
    outcome=True,
)


AMBUSHING = Term("nw.reaction.ambush")


def ambush_cost(at: Board) -> int:
    """1 AP; one of the charts leaves the cost out (C07)."""
    return 1 if at.choice("ambush-ap-cost") == "one-ap" else 0


def may_ambush_at_all(at: Board, letter: FamilyLetter) -> Iterator[Check]:
    """What is asked of the Family before anything else."""
    family = at.family(letter)
    yield from reacts_at_all(at, family)
    if not refuted(family.in_play):
        yield free_of_outposts(at, family)


def may_ambush(at: Board, do: Ambush) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may ambush the Raid, in rulebook order."""
    yield from may_ambush_at_all(at, do.family)
    if not refuted(at.family(do.family).in_play):
        yield from may_ambush_here(at, do)


def may_ambush_here(at: Board, do: Ambush) -> Iterator[Check | Caution]:
    """What is asked of the Raid, of what can be spent and of the Family that fights."""
    family = at.family(do.family)
    tribal = tribal_raid(at, family)
    yield enemy_raid_only(tribal, AMBUSHING)
    charted, military = on_chart(at, "nw:enemy-raid.ambush-pre"), at.military
    rules, pointer = ("nw:5.2.1", *charted), "/tracks/military"
    yield needs(military > 0, AMBUSH_NO_MILITARY, *rules, pointer=pointer, have=military)
    if not certain(tribal):
        yield placed_here(at, family, "nw:5.2.1")
    if at.choice("ambush-needs-man") == "man-needed":
        yield with_a_man(family)
    yield fierce_enough(family, charted)
    cost = ambush_cost(at)
    if cost:
        yield can_pay(at, cost, "nw:5.2.1.cost", *charted)
    yield from means(at, family, horse=do.horse, firearms=do.firearms)
    if not refuted(is_in_area(family.at)):
        yield from capped(at, family)


def with_a_man(family: Family) -> Check:
    """A man in the Family, where it is read so (C09)."""
    pointer = f"{family.pointer}/man"
    return needs(
        family.man, AMBUSH_NO_MAN, "nw:11.1.man", "nw:11.1.ambush", pointer=pointer, family=family.letter
    )


def fierce_enough(family: Family, charted: tuple[str, ...]) -> Check:
    """A Ferocity of at least 1."""
    ferocity = family.ferocity
    return needs(
        ferocity >= 1,
        TOO_MILD,
        "nw:5.2.1",
        "nw:5.2.1.choose-family",
        *charted,
        pointer=f"{family.pointer}/ferocity",
        family=family.letter,
        have=ferocity,
    )


def capped(at: Board, family: Family) -> tuple[Caution, ...]:
    """A caution where the value of the Area keeps Ferocity from being doubled; the Battle counts the same modifier."""
    modifier = ferocity_modifier(at, family, ambush=True)
    if isinstance(modifier, Unknown) or modifier >= family.ferocity * 2:
        return ()
    rule, pointer = "nw:5.2.1.double-ferocity-cap-area", f"{family.pointer}/at"
    return (warns(AMBUSH_CAPPED, rule, pointer=pointer, area=family.at, modifier=signed(modifier)),)


def ways(_: Board, letter: FamilyLetter) -> Iterator[Ambush]:
    """The plain Ambush; a horse or Firearms are added by whoever wants to spend them."""
    yield Ambush(letter)


def variants(at: Board, letter: FamilyLetter) -> Iterator[Ambush]:
    """The plain Ambush, and with what may be used in its Battle."""
    return (Ambush(letter, horse, firearms) for horse, firearms in mixes_of_means(at, letter))


def offer(_: Board, do: Ambush) -> Said:
    """An Ambush as an answer."""
    used = means_said(horse=do.horse, firearms=do.firearms)
    return say(OFFER_WITH, family=do.family, means=used) if used else say(OFFER, family=do.family)


OFFER = message("raid-react-ambush", "Family %(family)s: Ambush")
OFFER_WITH = message("raid-react-ambush-with", "Family %(family)s: Ambush, with %(means)s")
ASK_AMBUSHER = message("ask-ambusher", "Which Family lies in ambush?")
ASK_AMBUSH_AREA = message("ask-ambush-area", "In which Area is the Ambush?")
ASK_AMBUSH_RESULT = message("ask-ambush-result", "How did the Battle of the Ambush end?")


class AmbushMemory(Memory, frozen=True):
    """Who lies in ambush where, and how the Battle ended."""

    questions: ClassVar[dict[str, Message]] = {
        "family": ASK_AMBUSHER,
        "area": ASK_AMBUSH_AREA,
        "result": ASK_AMBUSH_RESULT,
    }

    family: Noted[FamilyLetter] = NOT_NOTED
    area: Noted[AreaId] = NOT_NOTED
    firearms: bool = False
    result: Noted[BattleResult] = NOT_NOTED


def begin_ambush(at: Board, do: Ambush) -> tuple[Board, Where]:
    """Pay, put the horse in the box, and fight."""
    at = pay(at, ambush_cost(at), "nw:5.2.1.cost")
    at = place_horse(at, do.family) if do.horse else at
    return at, call(AMBUSH, family=do.family, firearms=do.firearms)


def fight(at: Board, noted: AmbushMemory) -> tuple[Board, Where]:
    """The Battle of 11.2, with doubled Ferocity."""
    letter = must_know(noted.family)
    return at.remember(area=str(standing_in(at.family(letter)))), call(
        BATTLE,
        family=letter,
        enemy="enemy",
        firearms=noted.firearms,
        ambush=True,
    )


def ambush_outcome(at: Board, noted: AmbushMemory) -> tuple[Board, Where]:
    """FV or MFV clears the tracks; anything else leaves the raid where it is."""
    result = must_know(noted.result)
    applied = ("nw:5.2.1.apply-battle-result", "nw:11.3.ambush")
    if result not in VICTORY:
        at = at.tell(AMBUSH_FAILS, "nw:5.2.1.success", *applied, result=result)
        return at.tell(RAID_GOES_ON, "nw:5.2.1.continue"), end()
    everywhere = at.choice("ambush-clears") == "all-tracks"
    for area in AREAS if everywhere else track(territory_of(must_know(noted.area))):
        if at.counters(area, "raid"):
            at = at.set_area(area, raid=0)
    said = AMBUSH_SUCCEEDS if everywhere else AMBUSH_SUCCEEDS_THERE
    cleared = ("nw:5.2.1.success-clears-tracks", *on_chart(at, "nw:enemy-raid.ambush-success"))
    at = at.tell(said, "nw:5.2.1.success", *cleared, *applied, result=result)
    anew = on_chart(at, "nw:enemy-raid.after-ambush")
    return at.tell(RAID_GOES_ON_FROM_SANTA_FE, "nw:5.2.1.continue", *anew), end()


RAID_GOES_ON_FROM_SANTA_FE = message(
    "raid-goes-on-from-santa-fe",
    "Continue following the Enemy Raid Flowchart: Raid counters still in Santa Fé are placed from there.",
    tells="next",
)

AMBUSH = procedure(
    "ambush",
    AmbushMemory,
    automatic("fight", ("nw:5.2.1", "nw:11.1.ambush"), fight, title="The Battle of the Ambush"),
    automatic("outcome", "nw:5.2.1.success", ambush_outcome, title="Does the Ambush succeed?"),
    title="Ambush",
)

ACTION = Action(
    Ambush,
    "nw:5.2.1",
    AMBUSHING,
    message("action.ambush", "A Family ambushes the Enemy Raid that has just entered its Area."),
    may_ambush,
    begin_ambush,
    offer=offer,
    ways=ways,
    variants=variants,
    subjects=families_in_play,
    may_at_all=may_ambush_at_all,
    may_so=may_ambush_here,
    subject="family",
)
