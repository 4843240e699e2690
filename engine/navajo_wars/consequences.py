"""What follows by itself and is easily forgotten: points that cannot be paid (1.7.4), Families without
adults (1.7.5), corn left behind (3.2.4)."""

from __future__ import annotations

from engine.messages import Message, message
from engine.navajo_wars.board import ASK_ACTIVATION, NO_LONGER_TOLD, Board, Family
from engine.navajo_wars.map import is_area
from engine.navajo_wars.position import FamilyLetter
from engine.verdict import Truth, Unknown, certain, must_know, refuted

# -- 1.7.4: points ---------------------------------------------------------------------------------


def _moved(name: str, marker: str) -> Message:
    """That a marker moves: from where to where, or how far where that was not told."""
    return message(name, f"{marker} %(from)s → %(to)s (%(by)s).", tells="detail", untold=f"{marker}: %(by)s.")


TRACK_CHANGED = {
    "ap": _moved("ap-changed", "AP"),
    "culture": _moved("culture-changed", "Culture Points"),
    "military": _moved("military-changed", "Military Points"),
    "enemy_morale": _moved("enemy-morale-changed", "Enemy Morale"),
    "enemy_ferocity": _moved("enemy-ferocity-changed", "Enemy Ferocity"),
    "enemy_ap": _moved("enemy-ap-changed", "Enemy APs"),
}
TRACK_STAYS = {
    "ap": message("ap-stay", "AP stay at %(value)s.", tells="detail"),
    "culture": message("culture-stays", "Culture Points stay at %(value)s.", tells="detail"),
    "military": message("military-stays", "Military Points stay at %(value)s.", tells="detail"),
    "enemy_morale": message("enemy-morale-stays", "Enemy Morale stays at %(value)s.", tells="detail"),
    "enemy_ferocity": message("enemy-ferocity-stays", "Enemy Ferocity stays at %(value)s.", tells="detail"),
    "enemy_ap": message("enemy-ap-stay", "Enemy APs stay at %(value)s.", tells="detail"),
}
CULTURE_CONVERTED = message(
    "culture-converted",
    "%(missing)s Culture Points cannot be paid: each of them costs 2 Military Points instead.",
    tells="detail",
    one=("missing", "%(missing)s Culture Point cannot be paid: it costs 2 Military Points instead."),
)
MILITARY_CONVERTED = message(
    "military-converted",
    "%(missing)s Military Points cannot be paid: each of them costs 2 Culture Points instead.",
    tells="detail",
    one=("missing", "%(missing)s Military Point cannot be paid: it costs 2 Culture Points instead."),
)

ENEMY_TRACKS = ("enemy_morale", "enemy_ferocity")
OTHER = {"culture": "military", "military": "culture"}
CONVERTED = {
    "culture": (CULTURE_CONVERTED, "nw:1.7.4.culture-overflow"),
    "military": (MILITARY_CONVERTED, "nw:1.7.4.military-overflow"),
}


def change_track(at: Board, name: str, by: int, *rules: str) -> Board:
    """Move a marker and say so; Culture or Military that cannot be paid turns into two of the other."""
    now = at.track(name)
    missing = -by - must_know(now) if name in OTHER and by < 0 else 0
    if missing <= 0:
        return _shift_and_say(at, name, by, *rules)
    said, rule = CONVERTED[name]
    if now:
        at = _shift_and_say(at, name, by, *rules).tell(said, rule, missing=missing)
    else:
        at = at.tell(said, rule, *rules, missing=missing)
    return _shift_and_say(at, OTHER[name], -2 * missing, rule)


def _shift_and_say(at: Board, name: str, by: int, *rules: str) -> Board:
    """Move a marker and say how far it really went, or that it stays; an untold one goes as far as the rule says."""
    before = at.track(name)
    at = at.shift(name, by)
    after = at.track(name)
    moved = by if isinstance(before, Unknown) or isinstance(after, Unknown) else after - before
    if moved != by and name in ENEMY_TRACKS:
        rules = (*rules, "nw:1.7.4.enemy-tracks")
    if not moved:
        return at.tell(TRACK_STAYS[name], *rules, value=after)
    return at.tell(TRACK_CHANGED[name], *rules, by=signed(moved), **way(before, after))


def way(before: int | Unknown, after: int | Unknown) -> dict[str, int]:
    """From where to where a marker goes, where both are told."""
    if isinstance(before, Unknown) or isinstance(after, Unknown):
        return {}
    return {"from": before, "to": after}


def signed(number: int) -> str:
    """A change as the aids print it: +1, -2."""
    return f"{number:+d}"


def modifier_shown(modifier: int | Unknown) -> str | Unknown:
    """A modifier as the aids print it, as far as it is told."""
    return modifier if isinstance(modifier, Unknown) else signed(modifier)


def roll_shown(die: int, modifier: int | Unknown) -> dict[str, int | str]:
    """A roll with its modifier and what it comes to, as far as these are told."""
    if isinstance(modifier, Unknown):
        return {"die": die}
    return {"die": die, "modifier": signed(modifier), "total": die + modifier}


# -- 1.7.5: a Family without adults ----------------------------------------------------------------

DISSOLVED = message(
    "family-dissolved",
    "Family %(family)s leaves the map, because it has no adult left: any child or horse in its Family Box goes to the Passage of Time Box.",
)


MANUELITO_LEAVES = message(
    "manuelito-leaves",
    "The Manuelito counter was with Family %(family)s and leaves the map too; no document says whether it comes back.",
    tells="detail",
)


def dissolve_without_adult(at: Board, letter: str) -> Board:
    """A Family whose last adult is gone leaves the map at once; an Enemy Raid waits with it until its end."""
    return at if not is_without_adult(at.family(letter)) or _waits(at) else dissolve(at, letter)


def is_without_adult(family: Family) -> bool:
    """Is nobody left to lead it? Where one adult is gone and the other was not told, that is asked for."""
    if refuted(family.man):
        return not must_know(family.woman)
    return refuted(family.woman) and not must_know(family.man)


def dissolve(at: Board, letter: str) -> Board:
    """The Family's counter goes back to its holding space, its child and horse to the Passage of Time Box."""
    family = at.family(letter)
    for kind in ("child", "horse"):
        if getattr(family, kind) is True:
            at = to_passage(at, kind)
    at = _corn_left_behind(at, family)
    at = at.without_family(letter).tell(DISSOLVED, "nw:1.7.5.family-dissolves", family=letter)
    if certain(family.is_manuelitos):
        at = at.change(manuelito=None).tell(MANUELITO_LEAVES, "nw:1.6.1.manuelito", family=letter)
    return at


ACTIVATION_CUT_SHORT = message(
    "activation-cut-short", "Family %(family)s is no longer in play: its activation is over."
)


def still_in_play(at: Board, letter: str) -> Board:
    """A Family that has left play has no activation any more."""
    if not certain(is_acting(at, letter)) or not refuted(at.family(letter).in_play):
        return at
    return at.change(activation=None).tell(ACTIVATION_CUT_SHORT, "nw:3.2.dissolved", family=letter)


def is_acting(at: Board, letter: str) -> Truth:
    """Is this the Family whose activation is under way?"""
    return acting_family(at) == letter


def acting_family(at: Board) -> FamilyLetter | Unknown | None:
    """The Family that the position tells to be acting."""
    acting: FamilyLetter | Unknown | None = at.told("activation", "family", ask=ASK_ACTIVATION)
    return acting


def _waits(at: Board) -> bool:
    """Does an Enemy Raid under way hold 1.7.5 back until its end (C15)?"""
    return in_enemy_raid(at) and at.choice("family-without-adults") == "until-raid-ends"


def in_enemy_raid(at: Board) -> bool:
    """Is an Enemy Raid under way? Its chart says so, or Raid counters in Areas do: they leave when it ends."""
    if follows_chart(at):
        return True
    return certain(at.on_map("raid") > 0)


def on_chart(at: Board, *rules: str) -> tuple[str, ...]:
    """What the Enemy Raid Flowchart prints of a rule, to be cited beside it while the chart is being followed."""
    return rules if follows_chart(at) else ()


def follows_chart(at: Board) -> bool:
    """Is the Enemy Raid Flowchart being followed?"""
    return "enemy-raid" in [frame.procedure for frame in at.agenda]


def to_passage(at: Board, kind: str) -> Board:
    """A counter goes to the Passage of Time Box; one whose content was not told stays untold."""
    there = at.in_passage(kind)
    return at if isinstance(there, Unknown) else at.set_passage(kind, there + 1)


# -- 3.2.4: corn left behind -----------------------------------------------------------------------

CORN_LOST = message(
    "corn-lost", "The Corn counter left behind in Area %(area)s goes back to its Draw Cup.", tells="detail"
)


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


# -- Ferocity ------------------------------------------------------------------------------------------

FEROCITY_NOW = message(
    "ferocity-now",
    "Family %(family)s: Ferocity %(from)s → %(to)s.",
    tells="detail",
    untold="Family %(family)s: Ferocity %(value)s.",
)


def set_ferocity(at: Board, letter: str, value: int | Unknown, rule: str) -> Board:
    """Turn a Family's counter to another Ferocity; the Evasion modifier it showed goes with the old face."""
    family = at.family(letter)
    now = family.ferocity
    same = not isinstance(now, Unknown) and value == now
    if isinstance(value, Unknown) or same or family.in_play is not True:
        return at
    at = at.set_family(letter, ferocity=value, evasion=NO_LONGER_TOLD)
    return at.tell(FEROCITY_NOW, rule, family=letter, value=value, **way(now, value))


def ferocious_without_man(at: Board) -> list[Family]:
    """The Families in play that are told to have no man, and Ferocity all the same."""
    return [one for one in at.families_told() if refuted(one.man) and certain(one.ferocity > 0)]
