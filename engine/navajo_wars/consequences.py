"""What follows by itself and is easily forgotten: points that cannot be paid (1.7.4), Families without
adults (1.7.5), corn left behind (3.2.4), Intruders (glossary), and whatever a printed result says."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, UnsetType, structs

from engine.exceptions import Refused
from engine.flow import Memory, Where, call, end, procedure, reading
from engine.messages import Message, Ref, Term, message, requirement
from engine.navajo_wars.board import Board, Family
from engine.navajo_wars.components import Change, Changes
from engine.navajo_wars.map import AREAS, PLACES, PlaceRef, is_area
from engine.navajo_wars.position import FamilyLetter, PassageBox, Resources, SantaFe
from engine.questions import Question, Read, ask
from engine.verdict import Unknown, must_know, needs

# -- 1.7.4: points ---------------------------------------------------------------------------------

TRACK_CHANGED = {
    "ap": message("ap-changed", "AP: %(by)s."),
    "culture": message("culture-changed", "Culture Points: %(by)s."),
    "military": message("military-changed", "Military Points: %(by)s."),
    "enemy_morale": message("enemy-morale-changed", "Enemy Morale: %(by)s."),
    "enemy_ferocity": message("enemy-ferocity-changed", "Enemy Ferocity: %(by)s."),
    "enemy_ap": message("enemy-ap-changed", "Enemy APs: %(by)s."),
}
CULTURE_CONVERTED = message(
    "culture-converted",
    "%(missing)s Culture Points cannot be paid: each of them costs 2 Military Points instead.",
)
MILITARY_CONVERTED = message(
    "military-converted",
    "%(missing)s Military Points cannot be paid: each of them costs 2 Culture Points instead.",
)

OTHER = {"culture": "military", "military": "culture"}
CONVERTED = {
    "culture": (CULTURE_CONVERTED, "nw:1.7.4.culture-overflow"),
    "military": (MILITARY_CONVERTED, "nw:1.7.4.military-overflow"),
}


def change_track(at: Board, name: str, by: int, *rules: str) -> Board:
    """Move a marker and say so; Culture or Military that cannot be paid turns into two of the other."""
    now = at.track(name)
    at = _shift_and_say(at, name, by, *rules)
    if name not in OTHER or by >= 0:
        return at
    missing = -by - must_know(now)
    if missing <= 0:
        return at
    said, rule = CONVERTED[name]
    at = at.tell(said, rule, missing=missing)
    return _shift_and_say(at, OTHER[name], -2 * missing, rule)


def _shift_and_say(at: Board, name: str, by: int, *rules: str) -> Board:
    """Move a marker and say how far it really went; how far an untold one goes is what the rule says."""
    before = at.track(name)
    at = at.shift(name, by)
    after = at.track(name)
    moved = by if isinstance(before, Unknown) or isinstance(after, Unknown) else after - before
    return at.tell(TRACK_CHANGED[name], *rules, by=signed(moved))


def signed(number: int) -> str:
    """A change as the aids print it: +1, -2."""
    return f"{number:+d}"


# -- 1.7.5: a Family without adults ----------------------------------------------------------------

DISSOLVED = message(
    "family-dissolved",
    "Family %(family)s has no adult left: its counter leaves the map, and a child or horse in its "
    "Family Box goes to the Passage of Time Box.",
)


def dissolve_without_adult(at: Board, letter: str) -> Board:
    """A Family whose last adult is gone leaves the map at once; an Enemy Raid waits with it until its end."""
    family = at.family(letter)
    if family.man is not False or family.woman is not False or _waits(at):
        return at
    return dissolve(at, letter)


def dissolve(at: Board, letter: str) -> Board:
    """The Family's counter goes back to its holding space, its child and horse to the Passage of Time Box."""
    family = at.family(letter)
    for kind in ("child", "horse"):
        if getattr(family, kind) is True:
            at = to_passage(at, kind)
    at = _corn_left_behind(at, family)
    left = {other: state for other, state in at.position.families.items() if other != letter}  # type: ignore[union-attr]
    return at.change(families=left).tell(DISSOLVED, "nw:1.7.5.family-dissolves", family=letter)


def _waits(at: Board) -> bool:
    """Does an Enemy Raid under way hold 1.7.5 back until its end (C15)?"""
    return in_enemy_raid(at) and at.choice("family-without-adults") == "until-raid-ends"


def in_enemy_raid(at: Board) -> bool:
    """Is an Enemy Raid under way? Its chart says so, or Raid counters in Areas do: they leave when it ends."""
    if any(frame.procedure == "enemy-raid" for frame in at.agenda):
        return True
    areas = at.position.areas
    return areas is not UNSET and any(state.raid for state in areas.values())


def to_passage(at: Board, kind: str) -> Board:
    """A counter goes to the Passage of Time Box; one whose content was not told stays untold."""
    box = at.position.passage_of_time
    if box is UNSET or getattr(box, kind) is UNSET:
        return at
    return at.change(passage_of_time=structs.replace(box, **{kind: getattr(box, kind) + 1}))


# -- 3.2.4: corn left behind -----------------------------------------------------------------------

CORN_LOST = message("corn-lost", "The Corn counter left behind in Area %(area)s goes back to its Draw Cup.")


def move_family(at: Board, letter: str, to: str, *rules: str) -> Board:
    """Put a Family's counter somewhere else; corn it leaves behind goes back to its cup."""
    at = _corn_left_behind(at, at.family(letter), *rules)
    return at.leave(letter, to)


def _corn_left_behind(at: Board, family: Family, *rules: str) -> Board:
    area = must_know(family.at)
    if not is_area(area) or not at.counters(area, "corn"):
        return at
    if at.choice("corn-when-one-leaves") == "stays-with-another-family":
        others = [other for other in at.families_in(area) if other.letter != family.letter]
        if others:
            return at
    return at.set_area(area, corn=False).tell(CORN_LOST, "nw:3.2.4.corn-lost", *rules, area=area)


# -- what a printed table, card or counter does ------------------------------------------------------

MOST = 99  # counters of a kind in one place, as the position counts them
BY_HAND: Literal["by-hand"] = "by-hand"
NONE: Literal["none"] = "none"
PrintedEffect = Changes | Literal["by-hand", "none"]

DONE_BY_HAND = message(
    "done-by-hand",
    "The pieces were moved by hand; what they may have changed counts as not told from here on.",
)
CHANGE_NOT_POSSIBLE = requirement(
    "change-not-possible",
    "The change at %(at)s is not possible here. Name a track, a Family, a box or an Area of the position, "
    "with “by” for an amount or “to” for a value it can have.",
    met="The change is possible.",
)
PRINTED_CHANGE = message("printed-change", "As printed: %(at)s: %(value)s.")
OF_FAMILY = message("changed.family", "Family %(family)s")
IN_FAMILY = message("changed.in-family", "Family %(family)s, %(counter)s")
IN_BOX = message("changed.in-box", "%(box)s, %(counter)s")
IN_AREA = message("changed.in-area", "Area %(area)s, %(counter)s")
IS_THERE = message("changed.there", "there")
IS_GONE = message("changed.gone", "not there any more")

CHANGED_TERM = {
    **{kind: Term(f"nw.{kind}") for kind in ("man", "woman", "child", "elder", "horse", "sheep")},
    **{kind: Term(f"nw.{kind}") for kind in ("trade_goods", "firearms")},
    **{kind: Term(f"nw.outpost.{kind}") for kind in ("mission", "rancho")},
    "corn": Term("nw.corn_counter"),
    "harass": Term("nw.harass_counter"),
    "intruders": Term("nw.intruder"),
    "raid": Term("nw.enemy_raid_counter"),
    "tribal_raid": Term("nw.tribal_raid_counter"),
}
BOX_TERM = {
    "resources": Term("nw.box.resources"),
    "passage_of_time": Term("nw.box.passage_of_time"),
    "santa_fe": Term("nw.santa_fe"),
}


class ChangedRef(Ref):
    """What a printed result changes, by its pointer: whose counter it is, or where it is."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """The Family, the Area or the box, and the counter."""
        match self.split("/")[1:]:
            case ["families", letter, "at"]:
                return OF_FAMILY, {"family": letter}
            case ["families", letter, kind]:
                return IN_FAMILY, {"family": letter, "counter": CHANGED_TERM[kind]}
            case ["areas", area, kind]:
                return IN_AREA, {"area": PlaceRef(area), "counter": CHANGED_TERM[kind]}
        box, kind = self.split("/")[1:]
        return IN_BOX, {"box": BOX_TERM[box], "counter": CHANGED_TERM[kind]}


class ThereRef(Ref):
    """Whether a counter is there now: "true" or "false"."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """In words."""
        return (IS_THERE if self == "true" else IS_GONE), {}


def apply_printed(at: Board, read: PrintedEffect, rule: str, letter: str = "") -> Board:
    """Carry out what the player read off his copy, each change checked."""
    if read == NONE:
        return at
    if read == BY_HAND:
        return _take_back(at, letter).tell(DONE_BY_HAND, rule)
    for change in read.changes:
        at = _apply(at, change, rule, letter)
    return at


def _take_back(at: Board, letter: str) -> Board:
    """After pieces were moved by hand: what a Battle or an Intruder may have touched is no longer told."""
    for name in ("culture", "military", "enemy_morale", "enemy_ferocity"):
        if not isinstance(at.track(name), Unknown):
            at = at.set_track(name, UNSET)
    if at.family(letter).in_play is True:
        at = at.set_family(letter, **dict.fromkeys(("ferocity", "man", "woman", "child", "horse"), UNSET))
    if at.position.resources is not UNSET:
        at = at.change(resources=UNSET)
    return at


def _apply(at: Board, change: Change, rule: str, letter: str) -> Board:
    pointer = change.pointer
    if pointer.startswith("/family/"):
        pointer = f"/families/{letter}/{pointer.removeprefix('/family/')}"
        change = structs.replace(change, pointer=pointer)
    match pointer.split("/")[1:]:
        case ["tracks", name] if name in TRACK_CHANGED and isinstance(change.by, int):
            return change_track(at, name, change.by, rule)
        case ["families", other, name] if at.family(other).in_play is True:
            return _apply_to_family(at, change, rule, other, name)
        case ["resources", name] if name in ("horse", "sheep", "trade_goods", "firearms"):
            return _apply_to_box(at, change, rule, "resources", Resources(), name)
        case ["passage_of_time", name] if name in PassageBox.__struct_fields__:
            return _apply_to_box(at, change, rule, "passage_of_time", PassageBox(), name)
        case ["santa_fe", "raid"]:
            return _apply_to_box(at, change, rule, "santa_fe", SantaFe(), "raid")
        case ["areas", area, name] if area in AREAS:
            return _apply_to_area(at, change, rule, area, name)
    raise _refused(change, rule)


def _refused(change: Change, rule: str) -> Refused:
    return Refused(needs(False, CHANGE_NOT_POSSIBLE, rule, pointer="/inputs", at=change.pointer))


def _said(at: Board, change: Change, rule: str, value: str) -> Board:
    """Say what changed: by how much, or to what."""
    return at.tell(PRINTED_CHANGE, rule, at=ChangedRef(change.pointer), value=value)


def _there(to: bool) -> ThereRef:
    return ThereRef("true" if to else "false")


def _apply_to_family(at: Board, change: Change, rule: str, letter: str, name: str) -> Board:
    family = at.family(letter)
    if name == "ferocity":
        return set_ferocity(at, letter, _new_ferocity(family, change, rule), rule)
    if name in ("man", "woman", "child", "horse") and isinstance(change.to, bool):
        at = _said(at.set_family(letter, **{name: change.to}), change, rule, _there(change.to))
        return dissolve_without_adult(at, letter)
    if name == "at" and isinstance(change.to, str) and change.to in PLACES:
        return _said(move_family(at, letter, change.to), change, rule, PlaceRef(change.to))
    raise _refused(change, rule)


def _new_ferocity(family: Family, change: Change, rule: str) -> int | Unknown:
    if isinstance(change.by, int):
        now = family.ferocity
        return now if isinstance(now, Unknown) else min(3, max(0, now + change.by))
    if type(change.to) is int and 0 <= change.to <= 3:
        return change.to
    raise _refused(change, rule)


def _apply_to_box(at: Board, change: Change, rule: str, box: str, empty: Any, name: str) -> Board:
    held = getattr(at.position, box)
    held = empty if held is UNSET else held
    now = getattr(held, name)
    if not isinstance(change.by, int):
        raise _refused(change, rule)
    if now is UNSET:
        return _said(at, change, rule, signed(change.by))
    if not 0 <= now + change.by <= MOST:
        raise _refused(change, rule)
    changed = structs.replace(held, **{name: now + change.by})
    return _said(at.change(**{box: changed}), change, rule, signed(change.by))


def _apply_to_area(at: Board, change: Change, rule: str, area: str, name: str) -> Board:
    now = at.counters(area, name) if name in ("raid", "tribal_raid", "intruders") else None
    if isinstance(now, Unknown) and isinstance(change.by, int):
        return _said(at, change, rule, signed(change.by))
    if isinstance(now, int) and isinstance(change.by, int) and 0 <= now + change.by <= MOST:
        return _said(at.set_area(area, **{name: now + change.by}), change, rule, signed(change.by))
    if name in ("corn", "mission", "rancho", "harass") and isinstance(change.to, bool):
        return _said(at.set_area(area, **{name: change.to}), change, rule, _there(change.to))
    raise _refused(change, rule)


FEROCITY_NOW = message("ferocity-now", "Family %(family)s: Ferocity %(value)s.")


def set_ferocity(at: Board, letter: str, value: int | Unknown, rule: str) -> Board:
    """Turn a Family's counter to another Ferocity; the Evasion modifier it showed goes with the old face."""
    family = at.family(letter)
    now = family.ferocity
    same = not isinstance(now, Unknown) and value == now
    if isinstance(value, Unknown) or same or family.in_play is not True:
        return at
    told: Any = at.position.families[letter]  # type: ignore[index]
    at = at.set_family(letter, ferocity=value, **({} if told.evasion is UNSET else {"evasion": UNSET}))
    return at.tell(FEROCITY_NOW, rule, family=letter, value=value)


# -- glossary: Intruders -----------------------------------------------------------------------------

INTRUDER_REVEALED = message(
    "intruder-revealed",
    "Family %(family)s meets an Intruder counter in Area %(area)s: everything stops, turn the topmost one over. "
    "What does it do, as the Intruder table prints it?",
)
INTRUDER_DONE = message("intruder-resolved", "The Intruder counter in Area %(area)s is resolved.")


class IntruderMemory(Memory, frozen=True):
    """Who met the Intruders."""

    family: FamilyLetter | UnsetType = UNSET


def ask_intruder(at: Board) -> Question:
    """What the counter turned over does."""
    family = must_know(at.recall("family"))
    area = must_know(at.family(family).at)
    return ask(INTRUDER_REVEALED, Read(PrintedEffect), family=family, area=area)


def resolve_intruder(at: Board, read: PrintedEffect) -> tuple[Board, Where]:
    """Apply it, count the counter off, and turn over the next one below it."""
    letter = must_know(at.recall("family"))
    area = must_know(at.family(letter).at)
    there = must_know(at.counters(area, "intruders"))
    at = at.set_area(area, intruders=there - 1) if there else at
    at = at.tell(INTRUDER_DONE, "nw:13.outsiders.interrupt", area=area)
    at = apply_printed(at, read, "nw:13.outsiders.interrupt", letter)
    still_there = at.family(letter).in_play is True and at.family(letter).at == area
    more = still_there and at.counters(area, "intruders") > 0
    return at, ("reveal" if more else end())


INTRUDERS = procedure(
    "intruders",
    IntruderMemory,
    reading("reveal", ("nw:13.outsiders.interrupt", "nw:13.outsiders.stack"), ask_intruder, resolve_intruder),
)


def meet_intruders(at: Board) -> tuple[Board, Where]:
    """A Family has entered an Area: Intruders there are revealed before anything else goes on."""
    letter = must_know(at.recall("family"))
    area = must_know(at.family(letter).at)
    if is_area(area) and at.counters(area, "intruders") > 0:
        return at, call(INTRUDERS, family=letter)
    return at, "go-on"
