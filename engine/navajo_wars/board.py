"""The board: Areas, Families and tracks as the rules speak of them, told or not told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

from msgspec import UNSET, Struct, UnsetType, structs

from engine.messages import Either, Message, Term, message, question
from engine.navajo_wars.components import EVASION, EVASIONS
from engine.navajo_wars.map import AREAS, CANYON, TerritoryRef, is_area, territory_of
from engine.navajo_wars.position import (
    LETTERS,
    NOT_TOLD,
    Activation,
    AreaId,
    AreaState,
    Cubes,
    FamilyLetter,
    FamilyState,
    Outcome,
    PassageBox,
    Resources,
    TerritoryState,
    Tracks,
)
from engine.navajo_wars.printed_map import OnTheMap, the_place
from engine.verdict import Truth, Unknown, between, certain, is_told, must_know, unknown, unknowns

SPACES = 7  # of the Elder Display
LAST_SPACE = 19  # of the General Record Track
MOST_ENEMY_AP = 99  # these are counters, not a marker on the track
MOST_COUNTERS = 99  # of a kind in one place, as the position counts them

# -- the questions for what was not told -------------------------------------------------------------

ASK_TRACK = {
    "ap": message("ask-ap", "How many AP do the Diné have?"),
    "culture": message("ask-culture", "How many Culture Points do the Diné have?"),
    "military": message("ask-military", "How many Military Points do the Diné have?"),
    "enemy_morale": message("ask-enemy-morale", "How high is Enemy Morale?"),
    "enemy_ferocity": message("ask-enemy-ferocity", "How high is Enemy Ferocity?"),
    "enemy_ap": message("ask-enemy-ap", "How many Enemy APs are available?"),
}
ASK_FAMILIES = question("ask-families", "Which Families are in play?", hint="List every one of them.")
ASK_OTHER_FAMILIES = question(
    "ask-other-families", "Is another Family in play? Which?", lead="Families named so far: %(told)s."
)
ASK_FAMILY_AT = message(
    "ask-family-at", "Where is Family %(family)s: in which Area, Caught Box or Escape Box?"
)
ASK_WHETHER_IN_PLAY = message(
    "ask-family-at-if-in-play",
    "Where is Family %(family)s, if it is in play: in which Area, Caught Box or Escape Box?",
)
ASK_FAMILY = {
    "at": ASK_FAMILY_AT,
    "ferocity": message("ask-family-ferocity", "What is the Ferocity of Family %(family)s?"),
    "man": message("ask-family-man", "Is there a man in the Family Box of Family %(family)s?"),
    "woman": message("ask-family-woman", "Is there a woman in the Family Box of Family %(family)s?"),
    "child": message("ask-family-child", "Is there a child in the Family Box of Family %(family)s?"),
    "horse": message("ask-family-horse", "Is there a horse in the Family Box of Family %(family)s?"),
}
ASK_COUNTER = {
    "corn": message("ask-corn-there", "Is there a Corn counter in Area %(area)s?"),
    "mission": message("ask-mission-there", "Is there a Mission in Area %(area)s?"),
    "rancho": message("ask-rancho-there", "Is there a Rancho in Area %(area)s?"),
    "harass": message("ask-harass-there", "Is there a Harass counter in Area %(area)s?"),
    "fort": message("ask-fort-there", "Is there a Fort in Area %(area)s? Which?"),
    "raid": message("ask-raid-there", "How many Enemy Raid counters are in Area %(area)s?"),
    "tribal_raid": message("ask-tribal-raid-there", "How many Tribal Raid counters are in Area %(area)s?"),
    "intruders": message("ask-intruders-there", "How many Intruder counters are in Area %(area)s?"),
}
ASK_IN_AREA = question(
    "ask-counters-in-area",
    "Which counters are in Area %(area)s?",
    hint="Only this matters here: %(counters)s.",
)
ASK_ON_TRACK = question(
    "ask-counters-on-track",
    "Is there any %(counters)s on the Area Track %(territory)s? In which Areas?",
)
ASK_ON_MAP = question(
    "ask-counters-on-map",
    "Is there any %(counters)s on the map? In which Areas?",
)
ASK_FORTS = message("ask-forts-on-map", "Is there a Fort on the map? Where?")
COUNTER_TERM = {
    **{kind: Term(f"nw.outpost.{kind}") for kind in ("mission", "rancho")},
    "corn": Term("nw.corn_counter"),
    "fort": Term("nw.fort"),
    "harass": Term("nw.harass_counter"),
    "intruders": Term("nw.intruder"),
    "raid": Term("nw.enemy_raid_counter"),
    "tribal_raid": Term("nw.tribal_raid_counter"),
}
ASK_MANUELITO = message("ask-manuelito", "With which Family, if any, is the Manuelito counter?")
ASK_PERIOD = message("ask-period", "Which Period is being played?")
ASK_RESOURCE = {
    "horse": message("ask-resources-horse", "How many horses are in the Resources Box?"),
    "sheep": message("ask-resources-sheep", "How many sheep are in the Resources Box?"),
    "corn": message("ask-resources-corn", "Which Corn counters are in the Resources Box?"),
    "trade_goods": message("ask-resources-trade-goods", "How many Trade Goods are in the Resources Box?"),
    "firearms": message("ask-resources-firearms", "How many Firearms are in the Resources Box?"),
}
ASK_PASSAGE = {
    "man": message("ask-passage-man", "How many men are in the Passage of Time Box?"),
    "woman": message("ask-passage-woman", "How many women are in the Passage of Time Box?"),
    "child": message("ask-passage-child", "How many children are in the Passage of Time Box?"),
    "elder": message("ask-passage-elder", "How many Elders are in the Passage of Time Box?"),
    "horse": message("ask-passage-horse", "How many horses are in the Passage of Time Box?"),
    "sheep": message("ask-passage-sheep", "How many sheep are in the Passage of Time Box?"),
}
ASK_ELDERS = message(
    "ask-elders", "How many Elders are in each space of the Elder Display, from left to right?"
)
ASK_ELDERS_IN = message(
    "ask-elders-in-space",
    "How many Elders are in space %(space)s of the Elder Display, counted from the left?",
)
ASK_DROUGHT = message("ask-drought", "How many Drought counters are in the Territory %(territory)s?")
ASK_IS_REMOVED = message("ask-card-removed", "Has card #%(card)s been removed from the game?")
ASK_REMOVED = question(
    "ask-removed-cards", "Which cards have been removed from the game?", hint="List all of them."
)
ASK_ACTIVATION = message("ask-activation", "Which Family's activation, if any, is under way?")
ASK_OPERATION = message("ask-operation", "Which Operation, if any, has been begun with this card?")
ASK_CARD = message("ask-card", "Which card, if any, is being resolved?")
ASK_OUTCOME = message("ask-outcome", "Is the game over, and with which result?")
ASK_RAIDED_AP = message("ask-raided-ap", "How many Enemy AP counters are in the Raided Cubes Box?")


NO_LONGER_TOLD = Unknown()  # put in the place of a fact that a hand has changed, or a turned counter hides


def fact_of(part: Struct, name: str, pointer: str, question: Message, **params: Any) -> Any:
    """A fact of a counter in hand; where it was not told, unknown with its pointer."""
    value = getattr(part, name)
    return unknown(pointer, question, **params) if value is UNSET else value


def _as_told(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts as the position tells them: what is unknown is left out of it."""
    for value in facts.values():
        if isinstance(value, Unknown):
            return {name: UNSET if isinstance(one, Unknown) else one for name, one in facts.items()}
    return facts


class Family:
    """A Family as the rules ask about it; each answer may be unknown."""

    __slots__ = ("_position", "_state", "at", "in_play", "letter", "pointer")

    def __init__(self, board: Board, letter: str) -> None:
        self._position = (
            board.position
        )  # not the board, which keeps what it was asked: no circle to be collected
        self.letter: FamilyLetter = letter  # type: ignore[assignment]
        self.pointer = f"/families/{letter}"  # where the position tells of it
        self._state: Any = board.told_of_family(letter)
        self.in_play = self._is_in_play(board)
        place = getattr(self._state, "at", UNSET)
        self.at: Any = self._fact("at") if place is UNSET else the_place(place)  # the Area or box it is in

    def _is_in_play(self, board: Board) -> Truth:
        """Is its counter in an Area, a Caught Box or an Escape Box? Who has somebody or something in its box is."""
        state = self._state
        if state is None:
            return False
        if board.is_whole("families") or (
            state is not UNSET and (state.at is not UNSET or _has_anybody(state))
        ):
            return True
        return self._whether_in_play()

    def _fact(self, name: str) -> Any:
        value = getattr(self._state, name, UNSET) if self._state is not None else UNSET
        if value is not UNSET:
            return value
        return self._asked(name) if self._state is None or self.in_play is True else self._whether_in_play()

    def _whether_in_play(self) -> Unknown:
        return unknown(f"/families/{self.letter}/at", ASK_WHETHER_IN_PLAY, family=self.letter)

    def _asked(self, name: str) -> Unknown:
        return unknown(f"/families/{self.letter}/{name}", ASK_FAMILY[name], family=self.letter)

    @property
    def ferocity(self) -> int | Unknown:
        """The Ferocity its counter shows."""
        return self._fact("ferocity")  # type: ignore[no-any-return]

    @property
    def evasion(self) -> int | Unknown:
        """The Evasion modifier its counter shows; where only Ferocity is told, the printed scale's."""
        told = getattr(self._state, "evasion", UNSET)
        if told is not UNSET:
            return told  # type: ignore[no-any-return]
        ferocity = self.ferocity
        return between(*EVASIONS, ferocity) if isinstance(ferocity, Unknown) else EVASION[ferocity]

    @property
    def man(self) -> Truth:
        """Is there a man in its box?"""
        return self._fact("man")  # type: ignore[no-any-return]

    @property
    def woman(self) -> Truth:
        """Is there a woman in its box?"""
        return self._fact("woman")  # type: ignore[no-any-return]

    @property
    def child(self) -> Truth:
        """Is there a child in its box?"""
        return self._fact("child")  # type: ignore[no-any-return]

    @property
    def horse(self) -> Truth:
        """Is there a horse in its box?"""
        return self._fact("horse")  # type: ignore[no-any-return]

    @property
    def is_manuelitos(self) -> Truth:
        """Is the Manuelito counter with it? He enters with card #53, so only in the American Period."""
        marker = self._position.manuelito
        if marker is not UNSET:
            return marker == self.letter
        if self._position.period in ("spanish", "mexican"):
            return False
        return unknown("/manuelito", ASK_MANUELITO)


def _has_anybody(state: FamilyState) -> bool:
    """Is it told that somebody or something is in the box of this Family?"""
    return True in (state.man, state.woman, state.child, state.horse)


class Board(OnTheMap):
    """A Navajo Wars position under the rules in force, on the player's own map."""

    made_of = frozenset({"families", "manuelito", "partial", "period"})  # what a Family says of itself

    # -- parts of the board --

    def tells(self, part: str) -> bool:
        """Was anything told of this part of the board?"""
        return getattr(self.position, part) is not UNSET

    def is_whole(self, collection: str) -> bool:
        """Was all of this collection told, and not only a part of it?"""
        return self.tells(collection) and not self.is_partial(collection)

    def alter(self, part: str, kind: type[Struct], **facts: Any) -> Self:
        """A part of the board with these facts changed; what is unknown is not told any more."""
        return self.change(**{part: structs.replace(self.part(part, kind), **_as_told(facts))})

    def as_before(self, before: Board, *parts: str) -> Self:
        """The same, but these parts are as they were before."""
        return self.change(**{part: getattr(before.position, part) for part in parts})

    # -- tracks --

    def track(self, name: str) -> int | Unknown:
        """A marker on the General Record Track."""
        tracks = self.position.tracks
        value = UNSET if tracks is UNSET else getattr(tracks, name)
        return unknown(f"/tracks/{name}", ASK_TRACK[name]) if value is UNSET else value

    @property
    def ap(self) -> int | Unknown:
        """The Diné's Action Points."""
        return self.track("ap")

    @property
    def military(self) -> int | Unknown:
        """Military Points."""
        return self.track("military")

    @property
    def culture(self) -> int | Unknown:
        """Culture Points."""
        return self.track("culture")

    @property
    def enemy_ferocity(self) -> int | Unknown:
        """Enemy Ferocity."""
        return self.track("enemy_ferocity")

    def shift(self, name: str, by: int) -> Self:
        """Move a marker, within its track; one that was not told stays untold."""
        now = self.track(name)
        if isinstance(now, Unknown):
            return self
        last = MOST_ENEMY_AP if name == "enemy_ap" else LAST_SPACE
        return self.set_track(name, min(last, max(0, now + by)))

    def set_track(self, name: str, value: int | Unknown) -> Self:
        """Put a marker on a space, or take back what was told of it."""
        told = UNSET if isinstance(value, Unknown) else value
        return self.change(tracks=structs.replace(self.part("tracks", Tracks), **{name: told}))

    # -- Families --

    def family(self, letter: str | Unknown) -> Family:
        """A Family by its letter; made once for each table, because every rule asks for it."""
        if self.things is None:
            self.things = {}
        found = self.things.get(letter)
        if found is None:
            found = self.things[letter] = Family(self, must_know(letter))
        return found

    def told_of_family(self, letter: str) -> FamilyState | UnsetType | None:
        """What was told of a Family: nothing (UNSET), or that it is not in play (None)."""
        families: Any = self.position.families
        state = UNSET if families is UNSET else families.get(letter)
        if state is None:
            return UNSET if self.is_partial("families") else None
        return None if state is not UNSET and state.at is None else state

    def families(self) -> Iterator[Family]:
        """Every Family in play, in alphabetical order."""
        if self.is_whole("families"):
            return iter(self._families_in_play())
        must_know(self.all_families)
        return (family for family in self._told_families() if family.in_play)

    def _families_in_play(self) -> tuple[Family, ...]:
        """Every Family in play, where all of them are told."""
        if self.things is None:
            self.things = {}
        found: tuple[Family, ...] | None = self.things.get("families in play")
        if found is None:
            told = self._told_families()
            found = self.things["families in play"] = tuple(one for one in told if one.in_play)
        return found

    def families_told(self) -> Iterator[Family]:
        """Every Family that is told to be in play, in alphabetical order."""
        for family in self._told_families():
            if certain(family.in_play):
                yield family

    def _told_families(self) -> tuple[Family, ...]:
        """Every Family that anything is told of, in alphabetical order."""
        if self.things is None:
            self.things = {}
        found: tuple[Family, ...] | None = self.things.get("families")
        if found is None:
            told = {} if self.position.families is UNSET else self.position.families
            found = self.things["families"] = tuple(map(self.family, sorted(told)))
        return found

    @property
    def all_families(self) -> Truth:
        """Is it told which Families are in play?"""
        families = self.position.families
        if families is not UNSET and not self.is_partial("families"):
            return True
        told: Any = {} if families is UNSET else families
        others = [letter for letter in LETTERS if letter not in told]
        if not others:
            return True
        pointers = ["/partial/families", *(f"/families/{letter}" for letter in others)]
        in_play = [letter for letter in sorted(told) if told[letter].at is not None]
        return unknowns(pointers, ASK_OTHER_FAMILIES if in_play else ASK_FAMILIES, told=in_play)

    def set_family(self, letter: str, **facts: Any) -> Self:
        """A Family with these facts changed; where no Family was told, the others are not told afterwards."""
        untold = self.position.families is UNSET
        families: Any = {} if untold else self.position.families
        state = structs.replace(families.get(letter, FamilyState()), **_as_told(facts))
        at = self.made_partial("families") if untold else self
        return at.change(families={**families, letter: state})

    def without_family(self, letter: str) -> Self:
        """A Family's counter leaves the map; where only some Families are told, it is told that this one did."""
        families: Any = {} if self.position.families is UNSET else self.position.families
        if self.position.families is UNSET or self.is_partial("families"):
            gone = {**families, letter: FamilyState(at=None)}
            return self.made_partial("families").change(families=gone)
        return self.change(families={other: state for other, state in families.items() if other != letter})

    # -- Areas --

    def counters(self, area: Any, name: str) -> Any:
        """How many counters of a kind (or whether one) is in an Area."""
        if isinstance(area, Unknown):
            return area
        areas: Any = self.position.areas
        if areas is not UNSET:
            state = areas.get(area)
            value = UNSET if state is None else getattr(state, name)
            if value is not UNSET:
                return value
            if not self.position.partial or not self.is_partial("areas"):
                return NO_COUNTER[name]
        if not is_area(area) or self.position.period in NEVER_IN.get(name, ()):
            return NO_COUNTER[name]
        least = 0 if name in COUNTED else None
        pointer = f"/areas/{area}/{name}"
        return unknown(pointer, ASK_COUNTER[name], at_least=least, area=the_place(str(area)))

    def set_area(self, area: str, **facts: Any) -> Self:
        """An Area with these counters changed; where no Area was told, nothing else is told afterwards."""
        areas: Any = self.position.areas
        if areas is UNSET or self.is_partial("areas"):
            told: Any = {} if areas is UNSET else areas
            state = structs.replace(told.get(area, NOTHING_THERE), **_as_told(facts))
            return self.made_partial("areas").change(areas={**told, str(area): state})
        there = {name: value or UNSET for name, value in facts.items()}  # none of a kind is left out
        return self.change(
            areas={**areas, str(area): structs.replace(areas.get(area, NOTHING_THERE), **there)}
        )

    def knows_counters(self, area: Any) -> bool:
        """Is it told which counters are in an Area?"""
        return all(is_told(self.counters(area, name)) for name in NO_COUNTER)

    def has_fort(self, area: Any) -> Truth:
        """Is a Fort in this Area?"""
        fort = self.counters(area, "fort")
        return fort if isinstance(fort, Unknown) else fort is not None

    def has_outpost(self, area: Any) -> Truth:
        """Is a Mission or a Rancho in this Area?"""
        return area if isinstance(area, Unknown) else self.on_one_of((area,), "mission", "rancho")

    def on_one_of(self, areas: Sequence[str], *names: str) -> Truth:
        """Does one of these Areas hold a counter of one of these kinds?"""
        told: Any = self.position.areas
        if told is not UNSET:
            for area in areas:
                state = told.get(area)
                if state is not None:
                    for name in names:
                        if getattr(state, name):
                            return True
            if not self.is_partial("areas"):
                return False
        rest = self._told_of(areas, *names)
        return rest if isinstance(rest, Unknown) else False

    def _told_of(self, areas: Sequence[str], *names: str) -> Truth:
        """Is it told how many counters of these kinds are in these Areas?"""
        if self.position.areas is not UNSET and not self.is_partial("areas"):
            return True
        missing = [
            (area, name) for area in areas for name in names if isinstance(self.counters(area, name), Unknown)
        ]
        return self._asked(missing) if missing else True

    def _asked(self, missing: list[tuple[str, str]]) -> Unknown:
        """The question for counters that were not told: that of one counter, of an Area, of a track or of the map."""
        if len(missing) == 1:
            return self.counters(*missing[0])  # type: ignore[no-any-return]
        pointers = [f"/areas/{area}/{name}" for area, name in missing]
        counters = [COUNTER_TERM[name] for name in dict.fromkeys(name for _, name in missing)]
        areas = list(dict.fromkeys(area for area, _ in missing))
        if len(areas) == 1:
            return unknowns(pointers, ASK_IN_AREA, area=the_place(areas[0]), counters=counters)
        tracks = {territory_of(area) for area in areas}
        if len(tracks) == 1:
            territory = TerritoryRef(territory_of(areas[0]))
            return unknowns(pointers, ASK_ON_TRACK, territory=territory, counters=Either(counters))
        if {name for _, name in missing} == {"fort"}:
            return unknowns(pointers, ASK_FORTS)
        return unknowns(pointers, ASK_ON_MAP, counters=Either(counters))

    def on_map(self, name: str) -> int | Unknown:
        """How many counters of a kind are in the Areas of the map; at least those that are told."""
        told: Any = {} if self.position.areas is UNSET else self.position.areas
        found = sum(int(getattr(state, name) or 0) for state in told.values())
        rest = self._told_of(AREAS, name)
        return Unknown(*rest.facts, least=found) if isinstance(rest, Unknown) else found

    def areas_with(self, *names: str) -> list[AreaId]:
        """The Areas with a counter of one of these kinds, in the order of the map."""
        must_know(self._told_of(AREAS, *names))
        told: Any = (
            {} if self.position.areas is UNSET else self.position.areas
        )  # kinds of another period are nowhere
        found = {area for name in names for area, state in told.items() if getattr(state, name)}
        return [area for area in AREAS if area in found] if found else []

    def is_occupied(self, area: str) -> Truth:
        """Is a Family in this Area?"""
        families: Any = self.position.families
        if families is not UNSET and any(state.at == area for state in families.values()):
            return True
        everybody = self.all_families
        if isinstance(everybody, Unknown):
            return everybody
        untold = [letter for letter, state in families.items() if state.at is UNSET]
        return Unknown(*(fact for one in untold for fact in self.family(one).at.facts)) if untold else False

    def families_in(self, area: str) -> list[Family]:
        """The Families in an Area, in alphabetical order."""
        return [family for family in self.families() if family.at == area]

    # -- resources --

    def resource(self, name: str) -> Any:
        """How much of a kind is in the Resources Box."""
        box = self.position.resources
        value = UNSET if box is UNSET else getattr(box, name)
        return unknown(f"/resources/{name}", ASK_RESOURCE[name], at_least=0) if value is UNSET else value

    def spend_resource(self, name: str, count: int) -> Self:
        """Take counters out of the Resources Box; a number that was not told stays untold."""
        now = self.resource(name)
        return self if isinstance(now, Unknown) else self.alter("resources", Resources, **{name: now - count})

    def gain_resource(self, name: str, count: int) -> Self:
        """Put counters into the Resources Box; a number that was not told stays untold."""
        now = self.resource(name)
        if isinstance(now, Unknown):
            return self
        return self.alter("resources", Resources, **{name: min(MOST_COUNTERS, now + count)})

    def set_corn(self, values: tuple[int, ...]) -> Self:
        """The Corn counters in the Resources Box, by their values."""
        return self.alter("resources", Resources, corn=values)

    # -- the Passage of Time Box and the Elder Display --

    def in_passage(self, kind: str) -> int | Unknown:
        """How many counters of a kind are in the Passage of Time Box."""
        box = self.position.passage_of_time
        value = UNSET if box is UNSET else getattr(box, kind)
        return unknown(f"/passage_of_time/{kind}", ASK_PASSAGE[kind], at_least=0) if value is UNSET else value

    def set_passage(self, kind: str, count: int) -> Self:
        """Another number of counters of a kind in the Passage of Time Box."""
        return self.alter("passage_of_time", PassageBox, **{kind: min(MOST_COUNTERS, count)})

    @property
    def elders(self) -> tuple[int, ...] | Unknown:
        """The Elders in the seven spaces of the Elder Display."""
        elders: Any = self.position.elders
        if elders is not UNSET and NOT_TOLD not in elders:
            return elders  # type: ignore[no-any-return]
        untold = [n for n in range(SPACES) if elders is UNSET or elders[n] == NOT_TOLD]
        if len(untold) == 1:
            return Unknown(*self.elders_in(untold[0] + 1).facts)  # type: ignore[union-attr]  # it was not told
        return unknowns([f"/elders/{n}" for n in untold], ASK_ELDERS)

    def elders_in(self, space: int) -> int | Unknown:
        """The Elders in one space of the Elder Display; spaces count from 1."""
        elders: Any = self.position.elders
        there = NOT_TOLD if elders is UNSET else elders[space - 1]
        if there == NOT_TOLD:
            return unknown(f"/elders/{space - 1}", ASK_ELDERS_IN, at_least=0, space=space)
        return there  # type: ignore[no-any-return]

    def set_elders_in(self, space: int, count: int) -> Self:
        """Another number of Elders in one space."""
        elders: list[Any] = [NOT_TOLD] * SPACES if self.position.elders is UNSET else [*self.position.elders]
        elders[space - 1] = min(MOST_COUNTERS, count)
        return self.change(elders=tuple(elders))

    # -- the boxes of cubes --

    def cubes_told(self, box: str, colour: str) -> int:
        """How many cubes of a colour are told to be in a box; what is left out is not counted."""
        return getattr(getattr(self.position, box), colour) or 0

    def set_cubes(self, box: str, colour: str, number: int) -> Self:
        """So many cubes of one colour; in a box that is told as a whole a colour without cubes is left out."""
        held: Cubes = getattr(self.position, box)
        there = UNSET if not number and not self.is_partial(box) else number
        return self.change(**{box: structs.replace(held, **{colour: there})})

    @property
    def raided_ap(self) -> int | Unknown:
        """The Enemy AP counters in the Raided Cubes Box; they are not cubes."""
        return self.told("raided_box", "enemy_ap", ask=ASK_RAIDED_AP)  # type: ignore[no-any-return]

    # -- Territories --

    def drought(self, territory: str) -> int | Unknown:
        """The Drought counters in a Territory; the Canyon never has any."""
        if territory == CANYON:
            return 0
        told = self.position.territories
        none = NOT_TOLD_OF if self.is_partial("territories") else _NO_DROUGHT
        state = UNSET if told is UNSET else told.get(territory, none)  # type: ignore[call-overload]
        value = UNSET if state is UNSET else state.drought
        if value is UNSET:
            return unknown(
                f"/territories/{territory}/drought", ASK_DROUGHT, territory=TerritoryRef(territory)
            )
        return value  # type: ignore[no-any-return]

    def set_drought(self, territory: str, count: int) -> Self:
        """Another number of Drought counters in a Territory; where none was told, the others are not afterwards."""
        told: Any = self.position.territories
        at = self.made_partial("territories") if told is UNSET else self
        return at.change(territories={**({} if told is UNSET else told), territory: TerritoryState(count)})

    # -- what is going on --

    @property
    def outcome(self) -> Outcome | Unknown | None:
        """How the game has ended, None while it goes on."""
        told = self.position.outcome
        return OUTCOME_NOT_TOLD if told is UNSET else told  # asked with every check: made once

    @property
    def acting(self) -> Activation | None:
        """The activation as far as it is told; None if none is under way, or nothing was told of it."""
        told = self.position.activation
        return told if isinstance(told, Activation) else None

    @property
    def holds_a_card(self) -> bool:
        """Is it told that a card is in the hand?"""
        cards = self.position.cards
        return cards is not UNSET and cards.hand is not UNSET and bool(cards.hand)

    def is_removed(self, card: int) -> Truth:
        """Has a card been removed from the game?"""
        cards: Any = self.position.cards
        removed = UNSET if cards is UNSET else cards.removed
        if removed is not UNSET and (card in removed or not self.is_partial("cards.removed")):
            return card in removed
        said = None if cards is UNSET or not cards.is_removed else cards.is_removed.get(str(card))
        return unknown(f"/cards/is_removed/{card}", ASK_IS_REMOVED, card=card) if said is None else said

    @property
    def kit_carson_campaign(self) -> Truth:
        """Is card #55's campaign being carried out (6.2.3)? It exists only in the American Period."""
        if self.position.period in ("spanish", "mexican") or self._a_tribe_raids():
            return False
        cards = self.position.cards
        current = UNSET if cards is UNSET else cards.current
        if current is not UNSET:
            return current == 55
        if (
            self.position.period is UNSET
        ):  # it holds for the whole game, and mostly says that there is no such card
            return unknown("/period", ASK_PERIOD)
        return unknown("/cards/current", ASK_CARD)

    def _a_tribe_raids(self) -> bool:
        """Is a Tribal Raid under way that is known to be one of the Comanche or the Ute, and not Kit Carson's?"""
        raids = [frame.memory for frame in self.agenda if frame.procedure == "tribal-raid"]
        return any(getattr(raid, "tribe", UNSET) is not UNSET for raid in raids)

    def leave(self, letter: str, to: str) -> Self:
        """Move a Family to another place and say nothing."""
        return self.set_family(letter, at=str(to))


OUTCOME_NOT_TOLD = unknown("/outcome", ASK_OUTCOME)
NO_COUNTER = AreaState.left_out  # of each kind, where none is there
NEVER_IN = {"fort": ("spanish", "mexican"), "rancho": ("spanish",)}  # they come with a later Period
COUNTED = ("raid", "tribal_raid", "intruders")
NOTHING_THERE = AreaState()
NOT_TOLD_OF = TerritoryState()
_NO_DROUGHT = TerritoryState(0)
