"""What a printed table, card or counter does: the small vocabulary of changes a player reads off his own copy."""

from __future__ import annotations

from typing import Any, Literal, get_args

from msgspec import Struct, UnsetType, structs, to_builtins

from engine.exceptions import Refused
from engine.messages import Act, Message, Ref, Term, act, message, requirement
from engine.navajo_wars.board import COUNTED, NO_LONGER_TOLD, Board, Family
from engine.navajo_wars.cards import ASK_ROW_OF_CARDS, lie_in, set_cards, type_of
from engine.navajo_wars.components import Change, Changes
from engine.navajo_wars.consequences import (
    TRACK_CHANGED,
    change_track,
    dissolve_without_adult,
    move_family,
    set_ferocity,
    signed,
    way,
)
from engine.navajo_wars.counters import MEMBERS, left, tell_none_left
from engine.navajo_wars.cubes import cubes_of, shift_cubes
from engine.navajo_wars.map import AREAS, CANYON, PLACES, TERRITORIES, PlaceRef, TerritoryRef, is_area
from engine.navajo_wars.mix import made_impossible, used_up
from engine.navajo_wars.position import LETTERS, Cards, Colour, FortName, PassageBox, Resources, SantaFe
from engine.navajo_wars.santa_fe import ASK_SANTA_FE
from engine.questions import Option
from engine.verdict import Unknown, certain, is_told, must_know, needs, refuted

MOST = 99  # counters of a kind in one place, as the position counts them
BY_HAND: Literal["by-hand"] = "by-hand"
NONE: Literal["none"] = "none"
PrintedEffect = Changes | Literal["by-hand", "none"]

COLOURS = get_args(Colour)
CUBE_BOXES = ("raid_pool", "raided_cubes", "recovery", "subjugation")
# Whatever an event may touch; after one that was done by hand none of it is told any more.
BOARD_FACTS = (
    "tracks",
    "families",
    "areas",
    "territories",
    "elders",
    "resources",
    "passage_of_time",
    *CUBE_BOXES,
    "raided_box",
    "instructions",
    "manuelito",
)

DONE_BY_HAND = message(
    "done-by-hand",
    "The pieces were moved by hand; what this may have changed is no longer known, and is asked for where it "
    "matters.",
)
AS_ON_FILE = message("as-on-file", "Confirm what was named before: the pieces have been moved by hand.")
CHANGE_NOT_POSSIBLE = requirement(
    "change-not-possible",
    "%(at)s: %(why)s.",
    met="The change is possible.",
    whole=True,
)
NOT_SO = act(
    "change.not-so",
    "check what you named and what it changes to",
)
BY_HOW_MANY = act("change.by-how-many", "say by how much this changes")
COMES_OR_GOES = act("change.comes-or-goes", "say whether this comes or goes")
TOO_FEW = act("change.too-few", "more would be taken away than are there")
TOO_MANY = act("change.too-many", "the number would be too large")
NOBODY = act("change.not-in-play", "the Family is not in play")
NO_SUCH_CARD = act("change.no-such-card", "there is no such card; the cards have the numbers 1 to 55")
NO_SUCH_PLACE = act("change.no-such-place", "it cannot go there; name an Area, a Caught Box or an Escape Box")
NO_SUCH_SPACE = act("change.no-such-space", "there are only the spaces 1 to 7")
NO_DROUGHT_SPACES = act("change.no-drought-spaces", "this Territory has no Drought spaces")
FEROCITY_RANGE = act("change.ferocity-range", "only 0 to 3 is possible")
CARD_NOT_THERE = {
    "in_play": act("change.card-not-in-play", "it is not in play, so it cannot leave play"),
    "hand": act("change.card-not-in-hand", "it is not in your hand, so it cannot leave it"),
}
NOT_FOR_HAND = act("change.not-for-hand", "only Ceremony cards are taken into your hand")
GONE_FOR_GOOD = act("change.gone-for-good", "what was removed from the game does not come back")
_WHOLE_CHANGE = message(
    "printed-change.untold",
    "According to your copy, %(change)s.",
    untold="%(at)s: %(value)s, according to your copy.",
)
PRINTED_CHANGE = message(
    "printed-change",
    "%(at)s: %(from)s → %(to)s (%(value)s), according to your copy.",
    untold=_WHOLE_CHANGE.text,
    whole=True,
)
FAMILY_LOSES = message("changed.family-loses", "Family %(family)s loses its %(counter)s")
FAMILY_GAINS = message("changed.family-gains", "Family %(family)s gains a %(counter)s")
FAMILY_TO_AREA = message("changed.family-to-area", "Family %(family)s is placed in Area %(area)s")
FAMILY_TO_BOX = message("changed.family-to-box", "Family %(family)s is placed in the %(box)s")
COMES_TO_AREA = message("changed.comes-to-area", "a %(counter)s is placed in Area %(area)s")
LEAVES_AREA = message("changed.leaves-area", "the %(counter)s is removed from Area %(area)s")
OF_FAMILY = message("changed.family", "Family %(family)s")
IN_FAMILY = message("changed.in-family", "Family %(family)s, %(counter)s")
IN_BOX = message("changed.in-box", "%(box)s, %(counter)s")
FACT_OF_CARD = message("changed.of-card", "Card #%(card)s, %(fact)s")
IN_AREA = message("changed.in-area", "Area %(area)s, %(counter)s")
IN_TERRITORY = message("changed.in-territory", "Territory %(territory)s, %(counter)s")
IN_ELDER_SPACE = message("changed.in-elder-space", "Elder Display, space %(space)s")
CORN_OF_VALUE = message("changed.corn-of-value", "Resources Box, Corn counters (value %(value)s)")
OF_MANUELITO = message("changed.manuelito", "Manuelito counter")
MANUELITO_WITH = message("changed.manuelito-with", "Manuelito counter with Family %(family)s")
WITH_FAMILY = message("changed.with-family", "with Family %(family)s")
OF_TRACK = message("changed.track", "%(track)s")
ELSEWHERE = message("changed.elsewhere", "One of the changes you named is not possible")
OF_CARD = message("changed.card", "Card #%(card)s")
CARD_MOVES = {
    ("in_play", True): message("changed.card-comes-into-play", "card #%(card)s comes into play"),
    ("in_play", False): message("changed.card-leaves-play", "card #%(card)s is no longer in play"),
    ("hand", True): message("changed.card-into-hand", "card #%(card)s is taken into your hand"),
    ("hand", False): message("changed.card-out-of-hand", "card #%(card)s is no longer in your hand"),
    ("removed", True): message("changed.card-out-of-game", "card #%(card)s is removed from the game"),
}
CARD_RULE = {
    "in_play": "nw:6.1.1.lasting-card",
    "hand": "nw:13.hand",
    "removed": "nw:6.1.2.removed-card",
}
EFFECT_ENDS = message("card-effect-ends", "The lasting effect of card #%(card)s ends.", tells="detail")
IS_THERE = message("changed.there", "there")
IS_GONE = message("changed.gone", "not there any more")

CHANGED_TERM = {
    **{kind: Term(f"nw.{kind}") for kind in ("man", "woman", "child", "elder", "horse", "sheep")},
    **{kind: Term(f"nw.{kind}") for kind in ("trade_goods", "firearms")},
    **{kind: Term(f"nw.outpost.{kind}") for kind in ("mission", "rancho")},
    **{colour: Term(f"nw.cube.{colour}") for colour in COLOURS},
    "corn": Term("nw.corn_counter"),
    "drought": Term("nw.drought_counter"),
    "fort": Term("nw.fort"),
    "harass": Term("nw.harass_counter"),
    "intruders": Term("nw.intruder"),
    "raid": Term("nw.enemy_raid_counter"),
    "tribal_raid": Term("nw.tribal_raid_counter"),
}
TRACK_TERM = {
    "ap": Term("nw.ap"),
    "culture": Term("nw.culture_points"),
    "military": Term("nw.military_points"),
    "enemy_morale": Term("nw.enemy_morale"),
    "enemy_ferocity": Term("nw.enemy_ferocity"),
    "enemy_ap": Term("nw.enemy_ap"),
}
BOX_TERM = {
    "resources": Term("nw.box.resources"),
    "passage_of_time": Term("nw.box.passage_of_time"),
    "santa_fe": Term("nw.santa_fe"),
    "raid_pool": Term("nw.raid_pool"),
    "raided_cubes": Term("nw.box.raided_cubes"),
    "recovery": Term("nw.box.recovery"),
    "subjugation": Term("nw.box.subjugation"),
}


class ChangedRef(Ref):
    """What a printed result changes, by its pointer: whose counter it is, or where it is."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """The Family, the Area, the Territory, the card or the box, and the counter."""
        match self.split("/")[1:]:
            case ["families", letter, "at"]:
                return OF_FAMILY, {"family": letter}
            case ["families", letter, kind]:
                return IN_FAMILY, {"family": letter, "counter": CHANGED_TERM[kind]}
            case ["areas", area, kind]:
                return IN_AREA, {"area": PlaceRef(area), "counter": CHANGED_TERM[kind]}
            case ["territories", territory, kind]:
                return IN_TERRITORY, {"territory": TerritoryRef(territory), "counter": CHANGED_TERM[kind]}
            case ["elders", space]:
                return IN_ELDER_SPACE, {"space": space}
            case ["resources", "corn", value]:
                return CORN_OF_VALUE, {"value": value}
            case ["cards", _, number]:
                return OF_CARD, {"card": number}
            case ["manuelito"]:
                return OF_MANUELITO, {}
        box, kind = self.split("/")[1:]
        return IN_BOX, {"box": BOX_TERM[box], "counter": CHANGED_TERM[kind]}


class MovedRef(Ref):
    """A counter or card that is there now or not any more: its pointer, and "true", "false" or a place."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """Who gains or loses it, or where it is placed or removed."""
        pointer, _, there = self.partition(" ")
        _, where, whose, kind = pointer.split("/")
        if where == "cards":
            return CARD_MOVES[whose, there == "true"], {"card": kind}
        if kind == "at":
            said, name = (FAMILY_TO_AREA, "area") if is_area(there) else (FAMILY_TO_BOX, "box")
            return said, {"family": whose, name: PlaceRef(there)}
        if where == "families":
            said = FAMILY_GAINS if there == "true" else FAMILY_LOSES
            return said, {"family": whose, "counter": CHANGED_TERM[kind]}
        said = COMES_TO_AREA if there == "true" else LEAVES_AREA
        return said, {"area": PlaceRef(whose), "counter": CHANGED_TERM[kind]}


class RefusedRef(ChangedRef):
    """What somebody wanted to change, which may be nothing of the game."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """By its name, where it has one."""
        match self.split("/")[1:]:
            case ["tracks", name] if name in TRACK_TERM:
                return OF_TRACK, {"track": TRACK_TERM[name]}
            case ["families", letter, "ferocity"]:
                return IN_FAMILY, {"family": letter, "counter": Term("nw.ferocity")}
            case ["manuelito", letter]:
                return MANUELITO_WITH, {"family": letter}
            case ["territories", territory, *_] if territory not in TERRITORIES and territory != CANYON:
                return ELSEWHERE, {}
            case ["areas", area, *_] if area not in AREAS:
                return ELSEWHERE, {}
        try:
            return super().phrase()
        except (KeyError, ValueError):
            return ELSEWHERE, {}


class CardRef(Ref):
    """A card by its number."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """In words."""
        return OF_CARD, {"card": str(self)}


class ThereRef(Ref):
    """Whether a counter is there now: "true" or "false"."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """In words."""
        return (IS_THERE if self == "true" else IS_GONE), {}


class WithFamilyRef(Ref):
    """The Family that Manuelito's counter is with."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """In words."""
        return WITH_FAMILY, {"family": str(self)}


def apply_printed(at: Board, read: PrintedEffect, rule: str, letter: str = "") -> Board:
    """Carry out what the player read off his copy, each change checked; `letter` is the Family it befalls."""
    if read == NONE:
        return at
    if read == BY_HAND:
        return _take_back(at, letter).tell(DONE_BY_HAND, rule)
    at = _apply_all(at, read.changes, rule, letter)
    if read.by_hand:
        at = at.tell(DONE_BY_HAND, rule)
    for pointer in read.by_hand:
        at = _take_back_one(at, pointer, rule)
    return at


SITUATION = ("/families/", "/areas/", "/territories/", "/elders/", "/cards/", "/manuelito")


def always_so(read: PrintedEffect) -> tuple[Change, ...] | None:
    """The changes of a cell that prints the same every time; None where something is done by hand, or to what was there."""
    if read == NONE:
        return ()
    if not isinstance(read, Changes) or read.by_hand:
        return None
    return None if _of_the_situation(read.changes) else read.changes


def _of_the_situation(changes: tuple[Change, ...]) -> bool:
    """Do changes name what happened to be there, such as one Family, and not only what the cell itself can print?"""
    return any(change.pointer.startswith(SITUATION) for change in changes)


# -- done by hand ------------------------------------------------------------------------------------


def by_hand(read: PrintedEffect) -> bool:
    """Is something of it left to the player's hands? Then he must have the time for it."""
    return read == BY_HAND or (isinstance(read, Changes) and bool(read.by_hand))


def as_on_file(read: PrintedEffect | UnsetType | None) -> tuple[Option, ...]:
    """What the components state as an answer, for when the pieces have been moved by hand."""
    return (Option(to_builtins(read), AS_ON_FILE),) if read else ()


def _take_back(at: Board, letter: str) -> Board:
    """After pieces were moved by hand: what may have been touched is no longer told."""
    if not letter:
        return at.forget(*BOARD_FACTS)
    for name in ("culture", "military", "enemy_morale", "enemy_ferocity"):
        at = _track_no_longer_told(at, name)
    if certain(at.family(letter).in_play):
        at = at.set_family(letter, **dict.fromkeys(("ferocity", *MEMBERS, "horse"), NO_LONGER_TOLD))
    return at.forget("resources")


def _track_no_longer_told(at: Board, name: str) -> Board:
    return at.set_track(name, NO_LONGER_TOLD) if is_told(at.track(name)) else at


def _take_back_one(at: Board, pointer: str, rule: str) -> Board:
    """The player has changed this by hand: a whole part of the board, one track, or a row of cards."""
    match pointer.split("/")[1:]:
        case ["tracks", name] if name in TRACK_CHANGED:
            return _track_no_longer_told(at, name)
        case [name] if name in BOARD_FACTS:
            return at.forget(name)
        case ["cards", row] if row in CARD_RULE:
            return set_cards(at, **{row: NO_LONGER_TOLD}) if is_told(lie_in(at, row)) else at
    raise _refused(pointer, rule)


# -- all changes, within the counter mix -------------------------------------------------------------

USED_UP = message(
    "printed-used-up",
    "Pieces of this kind in the game (%(piece)s): %(limit)s. No more can come into play than are left.",
    tells="detail",
)


def _apply_all(at: Board, changes: tuple[Change, ...], rule: str, letter: str) -> Board:
    """As printed; where there are not so many counters or cubes, what leaves goes first and as many come as there are."""
    if not changes:
        return at
    after = at
    for change in changes:
        after = _apply(after, change, rule, letter)
    wrong = made_impossible(at, after) if any(map(_adds, changes)) else ()
    if not wrong:
        return after
    if not used_up(wrong):
        raise Refused(*wrong)
    for change in sorted(changes, key=_adds):
        at = _as_many_as_there_are(at, change, rule, letter)
    return at


def _adds(change: Change) -> bool:
    """Does something come into play, rather than leave it?"""
    return change.by > 0 if isinstance(change.by, int) else bool(change.to)


def _as_many_as_there_are(at: Board, change: Change, rule: str, letter: str) -> Board:
    """One change, with fewer counters or cubes if there are not so many (1.6.1, 1.8)."""
    after = _apply(at, change, rule, letter)
    wrong = made_impossible(at, after)
    if not wrong:
        return after
    limit, mix = wrong[0].params["limit"], wrong[0].rules
    at = at.tell(
        USED_UP, rule, *mix, limit=limit, piece=wrong[0].params.get("counter", wrong[0].params.get("cube"))
    )
    if not isinstance(change.by, int) or change.by <= 1:
        return at
    return _as_many_as_there_are_of(at, change, rule, letter)


def _as_many_as_there_are_of(at: Board, change: Change, rule: str, letter: str) -> Board:
    """The greatest number that is possible, none if there is none."""
    for by in range(int(change.by) - 1, 0, -1):  # type: ignore[arg-type]
        after = _apply(at, structs.replace(change, by=by), rule, letter)
        if not made_impossible(at, after):
            return after
    return at


# -- one change --------------------------------------------------------------------------------------


def _apply(at: Board, change: Change, rule: str, letter: str) -> Board:
    pointer = change.pointer
    if pointer.startswith("/family/"):
        pointer = f"/families/{letter}/{pointer.removeprefix('/family/')}"
        change = structs.replace(change, pointer=pointer)
    match pointer.split("/")[1:]:
        case ["tracks", name] if name in TRACK_CHANGED and isinstance(change.by, int):
            return change_track(at, name, change.by, rule)
        case ["families", other, name] if other in LETTERS and must_know(at.family(other).in_play):
            return _apply_to_family(at, change, rule, other, name)
        case ["resources", "corn", value]:
            return _apply_to_corn(at, change, rule, value)
        case ["resources", name] if name in ("horse", "sheep", "trade_goods", "firearms"):
            return _apply_to_box(at, change, rule, "resources", name, at.resource(name))
        case ["passage_of_time", name] if name in PassageBox.__struct_fields__:
            return _apply_to_box(at, change, rule, "passage_of_time", name, at.in_passage(name))
        case ["santa_fe", "raid"]:
            there = at.told("santa_fe", "raid", ask=ASK_SANTA_FE)
            return _apply_to_box(at, change, rule, "santa_fe", "raid", there)
        case ["areas", area, name] if area in AREAS:
            return _apply_to_area(at, change, rule, area, name)
    return _apply_beside_the_map(at, change, rule)


def _apply_beside_the_map(at: Board, change: Change, rule: str) -> Board:
    match change.pointer.split("/")[1:]:
        case [box, colour] if box in CUBE_BOXES and colour in COLOURS:
            return _apply_to_cubes(at, change, rule, box, colour)
        case ["territories", territory, "drought"] if territory in TERRITORIES and territory != CANYON:
            return _apply_to_drought(at, change, rule, territory)
        case ["elders", space] if space in ("1", "2", "3", "4", "5", "6", "7"):
            return _apply_to_elders(at, change, rule, int(space))
        case ["manuelito"] if change.to in LETTERS:
            return _apply_to_manuelito(at, change, rule)
        case ["cards", where, number] if isinstance(change.to, bool) and _is_card(number):
            return _apply_to_cards(at, change, rule, where, int(number))
        case ["families", letter, _] if letter in LETTERS:  # one that is in play was seen to before
            raise _refused(change.pointer, rule, why=NOBODY)
        case ["tracks", name] if name in TRACK_CHANGED:
            raise _refused(change.pointer, rule, why=BY_HOW_MANY)
    raise _refused(change.pointer, rule, why=_what_is_wrong(change.pointer))


def _what_is_wrong(pointer: str) -> Act:
    """Why nothing of the game can be changed there."""
    match pointer.split("/")[1:]:
        case ["cards", where, number] if where in CARD_RULE and not _is_card(number):
            return NO_SUCH_CARD
        case ["elders", space] if space.isdecimal() and not 1 <= int(space) <= 7:
            return NO_SUCH_SPACE
        case ["territories", territory, "drought"] if territory == CANYON:
            return NO_DROUGHT_SPACES
    return NOT_SO


def _refused(pointer: str, *rules: str, why: Act = NOT_SO) -> Refused:
    return Refused(
        needs(False, CHANGE_NOT_POSSIBLE, *rules, pointer="/inputs", at=RefusedRef(pointer), why=why)
    )


def _said(at: Board, change: Change, rule: str, value: str, *more: str, now: int | None = None) -> Board:
    """Say what changed: by how much, or to what; from what `now` is there, where it is a number that was told."""
    moved: dict[str, Any] = {} if now is None or not isinstance(change.by, int) else way(now, now + change.by)
    if isinstance(value, ThereRef | PlaceRef):
        moved["change"] = MovedRef(f"{change.pointer} {value}")
    return at.tell(PRINTED_CHANGE, rule, *more, at=ChangedRef(change.pointer), value=value, **moved)


def _there(to: bool) -> ThereRef:
    return ThereRef("true" if to else "false")


def _counted(now: int, change: Change, *rules: str, most: int = MOST) -> int:
    """So many afterwards, if there can be so many."""
    if not isinstance(change.by, int):
        raise _refused(change.pointer, *rules, why=BY_HOW_MANY)
    if not 0 <= now + change.by <= most:
        raise _refused(change.pointer, *rules, why=TOO_FEW if change.by < 0 else TOO_MANY)
    return now + change.by


def _apply_to_family(at: Board, change: Change, rule: str, letter: str, name: str) -> Board:
    family = at.family(letter)
    if name == "ferocity":
        return set_ferocity(at, letter, _new_ferocity(family, change, rule), rule)
    if name in (*MEMBERS, "horse") and isinstance(change.to, bool):
        at = _said(at.set_family(letter, **{name: change.to}), change, rule, _there(change.to))
        return dissolve_without_adult(at, letter)
    if name == "at" and isinstance(change.to, str) and change.to in PLACES:
        return _said(move_family(at, letter, change.to), change, rule, PlaceRef(change.to))
    if name == "at":
        raise _refused(change.pointer, rule, why=NO_SUCH_PLACE if isinstance(change.to, str) else NOT_SO)
    raise _refused(change.pointer, rule, why=COMES_OR_GOES if name in (*MEMBERS, "horse") else NOT_SO)


def _new_ferocity(family: Family, change: Change, rule: str) -> int | Unknown:
    if isinstance(change.by, int):
        now = family.ferocity
        return now if isinstance(now, Unknown) else min(3, max(0, now + change.by))
    if type(change.to) is int and 0 <= change.to <= 3:
        return change.to
    raise _refused(change.pointer, rule, why=FEROCITY_RANGE)


BOX: dict[str, type[Struct]] = {"resources": Resources, "passage_of_time": PassageBox, "santa_fe": SantaFe}


def _apply_to_box(at: Board, change: Change, rule: str, box: str, name: str, now: int | Unknown) -> Board:
    if not isinstance(change.by, int):
        raise _refused(change.pointer, rule, why=BY_HOW_MANY)
    if isinstance(now, Unknown):
        return _said(at, change, rule, signed(change.by))
    if box == "resources":
        at, change = _as_many_as_left(at, change, rule, name)
    at = at.alter(box, BOX[box], **{name: _counted(now, change, rule)})
    return _said(at, change, rule, signed(change.by), now=now)  # type: ignore[arg-type]


def _as_many_as_left(at: Board, change: Change, rule: str, kind: str) -> tuple[Board, Change]:
    """What comes into the Resources Box comes from the Out of Play Box: no more than is there (1.6.1)."""
    there = left(at, kind)
    if there is None or not isinstance(change.by, int) or change.by <= there:
        return at, change
    return tell_none_left(at, kind, rule), structs.replace(change, by=there)


def _apply_to_corn(at: Board, change: Change, rule: str, value: str) -> Board:
    """Corn counters of one value come into the Resources Box or leave it."""
    if not value.isdecimal() or int(value) > 20 or not isinstance(change.by, int):
        raise _refused(change.pointer, rule)
    held, now = at.resource("corn"), None
    if not isinstance(held, Unknown):
        others = [one for one in held if one != int(value)]
        now = len(held) - len(others)
        at = at.set_corn(tuple(sorted([*others, *[int(value)] * _counted(now, change, rule)])))
    return _said(at, change, rule, signed(change.by), now=now)


def _apply_to_cubes(at: Board, change: Change, rule: str, box: str, colour: str) -> Board:
    """Cubes of one colour come into a box or leave it."""
    if not isinstance(change.by, int):
        raise _refused(change.pointer, rule, why=BY_HOW_MANY)
    now = cubes_of(at, box, colour)
    if isinstance(now, Unknown):
        return _said(at, change, rule, signed(change.by))
    at = shift_cubes(at, box, colour, _counted(now, change, rule) - now)
    return _said(at, change, rule, signed(change.by), now=now)


def _apply_to_area(at: Board, change: Change, rule: str, area: str, name: str) -> Board:
    if name in COUNTED and isinstance(change.by, int):
        return _count_in_area(at, change, rule, area, name, change.by)
    if name in ("corn", "mission", "rancho", "harass") and isinstance(change.to, bool):
        return _said(at.set_area(area, **{name: change.to}), change, rule, _there(change.to))
    if name == "fort" and (change.to in get_args(FortName) or change.to is False):
        fort = change.to or None
        enters = ("nw:13.forts.enter",) if fort else ()
        return _said(at.set_area(area, fort=fort), change, rule, _there(fort is not None), *enters)
    if name in COUNTED:
        raise _refused(change.pointer, rule, why=BY_HOW_MANY)
    raise _refused(change.pointer, rule, why=COMES_OR_GOES if name in CHANGED_TERM else NOT_SO)


def _count_in_area(at: Board, change: Change, rule: str, area: str, name: str, by: int) -> Board:
    """Raid or Intruder counters come or go; a number that was not told stays untold."""
    now = at.counters(area, name)
    if isinstance(now, Unknown):
        return _said(at, change, rule, signed(by))
    at = at.set_area(area, **{name: _counted(now, change, rule)})
    placed = ("nw:13.outsiders.place",) if name == "intruders" and by > 0 else ()
    return _said(at, change, rule, signed(by), *placed, now=now)


def _apply_to_drought(at: Board, change: Change, rule: str, territory: str) -> Board:
    """Each Territory has two Drought spaces."""
    spaces = "nw:1.6.1.drought-spaces"
    if not isinstance(change.by, int):
        raise _refused(change.pointer, rule, spaces, why=BY_HOW_MANY)
    now = at.drought(territory)
    if not isinstance(now, Unknown):
        at = at.set_drought(territory, _counted(now, change, rule, spaces, most=2))
    return _said(at, change, rule, signed(change.by), spaces, now=None if isinstance(now, Unknown) else now)


def _apply_to_elders(at: Board, change: Change, rule: str, space: int) -> Board:
    if not isinstance(change.by, int):
        raise _refused(change.pointer, rule, why=BY_HOW_MANY)
    now = at.elders_in(space)
    if not isinstance(now, Unknown):
        at = at.set_elders_in(space, _counted(now, change, rule))
    return _said(at, change, rule, signed(change.by), now=None if isinstance(now, Unknown) else now)


def _apply_to_manuelito(at: Board, change: Change, rule: str) -> Board:
    """The counter is with a Family in play."""
    letter = str(change.to)
    if refuted(at.family(letter).in_play):
        raise _refused(f"{change.pointer}/{letter}", rule, why=NOBODY)
    return _said(at.change(manuelito=letter), change, rule, WithFamilyRef(letter), "nw:13.manuelito.enters")


ROW_NOT_TOLD = message(
    "card-perhaps-not-there",
    "The position does not say whether card #%(card)s was there: make sure that it was, or nothing can be taken away.",
)


def _is_card(number: str) -> bool:
    return number.isdecimal() and 1 <= int(number) <= 55


def _apply_to_cards(at: Board, change: Change, rule: str, where: str, number: int) -> Board:
    """A card comes into play, into the hand, or out of the game; one that leaves play or the hand is discarded."""
    gone = ("nw:13.remove-from-game",) if where == "removed" else ()
    if (where, change.to) not in CARD_MOVES:
        raise _refused(change.pointer, rule, *gone, why=GONE_FOR_GOOD if where == "removed" else NOT_SO)
    if not _fits(at, where, number, there=bool(change.to)):
        raise _refused(change.pointer, rule, *gone, why=NOT_FOR_HAND if change.to else CARD_NOT_THERE[where])
    if not change.to and not is_told(lie_in(at, where)):
        at = at.warn(ROW_NOT_TOLD, rule, CARD_RULE[where], pointer=f"/cards/{where}", card=number)
    in_play = lie_in(at, "in_play")
    lasted = not isinstance(in_play, Unknown) and number in in_play
    at = move_card(at, number, where if change.to else "discarded")
    at = _said(at, change, rule, _there(bool(change.to)), CARD_RULE[where], *gone)
    if lasted and where != "hand" and (where, change.to) != ("in_play", True):
        at = at.tell(EFFECT_ENDS, "nw:6.1.2.removed-card", card=number)
    return at


def _fits(at: Board, where: str, number: int, *, there: bool) -> bool:
    """Only Ceremony cards come to the hand, never an event card, and only what is there can leave."""
    row = lie_in(at, where)
    if there:
        return where != "hand" or type_of(number) is None
    return isinstance(row, Unknown) or number in row


def move_card(at: Board, number: int, where: str) -> Board:
    """Put a card among those in play, in the hand, removed or discarded, and nowhere else."""
    for other in ("in_play", "hand", "discarded"):
        at = take_card(at, number, other) if other != where else at
    removed = at.part("cards", Cards).is_removed  # of which it is told one by one
    if where == "removed" and removed:
        at = set_cards(at, is_removed={**removed, str(number): True})
    held = _told_in(at, where)
    if isinstance(held, Unknown) or number in held:
        return at
    return set_cards(at, **{where: (*held, number)})


def take_card(at: Board, number: int, where: str) -> Board:
    """Take a card away from where it lies; a row that was not told stays untold."""
    held = _told_in(at, where)
    if isinstance(held, Unknown) or number not in held:
        return at
    return set_cards(at, **{where: tuple(one for one in held if one != number)})


def _told_in(at: Board, where: str) -> tuple[int, ...] | Unknown:
    """The cards that are told to lie in a row, perhaps not all of them."""
    held: tuple[int, ...] | Unknown = at.told("cards", where, ask=ASK_ROW_OF_CARDS[where])
    return held
