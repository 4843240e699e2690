"""The board: Areas, Families and tracks as the rules speak of them, told or not told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Self

from msgspec import UNSET, structs

from engine.at import At
from engine.exceptions import Untold
from engine.messages import message, question
from engine.navajo_wars.components import EVASION, SHIPPED
from engine.navajo_wars.map import (
    AREAS,
    CANYON,
    PlaceRef,
    TerritoryRef,
    distances,
    is_area,
    neighbours,
    number_of,
    territory_of,
    track,
)
from engine.navajo_wars.position import (
    AreaId,
    AreaState,
    FamilyLetter,
    FamilyState,
    PassageBox,
    Position,
    Resources,
    TerritoryState,
    Tracks,
)
from engine.verdict import Truth, Unknown, must_know, no_less_than, unknown

LAST_SPACE = 19  # of the General Record Track
MOST_ENEMY_AP = 99  # these are counters, not a marker on the track
MOST_COUNTERS = 99  # of a kind in one place, as the position counts them
LEAST_VALUE = 1  # of an Area; a parenthesized value may be 0

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
ASK_FAMILY_AT = message(
    "ask-family-at", "Where is Family %(family)s: in which Area, Caught Box or Escape Box?"
)
ASK_FAMILY = {
    "at": ASK_FAMILY_AT,
    "ferocity": message("ask-family-ferocity", "What is the Ferocity of Family %(family)s?"),
    "man": message("ask-family-man", "Is there a man in the Family Box of Family %(family)s?"),
    "woman": message("ask-family-woman", "Is there a woman in the Family Box of Family %(family)s?"),
    "child": message("ask-family-child", "Is there a child in the Family Box of Family %(family)s?"),
    "horse": message("ask-family-horse", "Is there a horse in the Family Box of Family %(family)s?"),
}
ASK_AREAS = question(
    "ask-areas",
    "Which counters are in the Areas?",
    hint="List every Area that holds one; an Area left out is empty.",
)
ASK_MANUELITO = message("ask-manuelito", "With which Family is the Manuelito counter?")
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
    "ask-elders", "How many Elders are in each of the seven spaces of the Elder Display, from left to right?"
)
ASK_DROUGHT = message("ask-drought", "How many Drought counters are in the Territory %(territory)s?")
ASK_REMOVED = question(
    "ask-removed-cards", "Which cards have been removed from the game?", hint="List all of them."
)
ASK_ACTIVATION = message("ask-activation", "Which Family is carrying out an activation now?")
ASK_OPERATION = message("ask-operation", "Which Operation is being carried out with this card?")
ASK_CARD = message("ask-card", "Which card is being resolved?")
ASK_CONNECTIONS = message("ask-connections", "Which Areas are connected on the map?")
ASK_AREA_VALUE = message("ask-area-value", "Which Area Value is printed in Area %(area)s?")
ASK_BRACKETED_VALUE = message(
    "ask-bracketed-value", "Which parenthesized Area Value is printed in Area %(area)s?"
)


the_place = cache(PlaceRef)  # a Family is asked where it is more often than anything else


class Family:
    """A Family as the rules ask about it; each answer may be unknown."""

    __slots__ = ("_board", "_state", "at", "letter", "pointer")

    def __init__(self, board: Board, letter: str) -> None:
        self._board = board
        self.letter: FamilyLetter = letter  # type: ignore[assignment]
        self.pointer = f"/families/{letter}"  # where the position tells of it
        families = board.position.families
        self._state: Any = UNSET if families is UNSET else families.get(letter)  # type: ignore[call-overload]
        place = self._fact("at")
        self.at: Any = place if isinstance(place, Unknown) else the_place(place)  # the Area or box it is in

    @property
    def in_play(self) -> Truth:
        """Is its counter in an Area, a Caught Box or an Escape Box?"""
        if self._state is UNSET:
            return unknown(f"/families/{self.letter}/at", ASK_FAMILY_AT, family=self.letter)
        return self._state is not None

    def _fact(self, name: str) -> Any:
        value = getattr(self._state, name, UNSET) if self._state is not None else UNSET
        if value is UNSET:
            return unknown(f"/families/{self.letter}/{name}", ASK_FAMILY[name], family=self.letter)
        return value

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
        return ferocity if isinstance(ferocity, Unknown) else EVASION[ferocity]

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
        marker = self._board.position.manuelito
        if marker is not UNSET:
            return marker == self.letter
        if self._board.position.period in ("spanish", "mexican"):
            return False
        return unknown("/manuelito", ASK_MANUELITO)


class Board(At[Position]):
    """A Navajo Wars position under the rules in force."""

    __slots__ = ()

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

    def set_track(self, name: str, value: Any) -> Self:
        """Put a marker on a space, or take back what was told of it (UNSET)."""
        tracks = Tracks() if self.position.tracks is UNSET else self.position.tracks
        return self.change(tracks=structs.replace(tracks, **{name: value}))

    # -- Families --

    def family(self, letter: str | Unknown) -> Family:
        """A Family by its letter; made once for each position, because every rule asks for it."""
        return self.once(Family, must_know(letter))

    def families(self) -> Iterator[Family]:
        """Every Family in play, in alphabetical order."""
        families = self.position.families
        if families is UNSET:
            raise Untold(unknown("/families", ASK_FAMILIES))
        for letter in sorted(families):
            yield self.family(letter)

    def set_family(self, letter: str, **facts: Any) -> Self:
        """A Family with these facts changed."""
        families: Any = {} if self.position.families is UNSET else self.position.families
        state = structs.replace(families.get(letter, FamilyState()), **facts)
        return self.change(families={**families, letter: state})

    # -- Areas --

    def area(self, area: str) -> AreaState | Unknown:
        """The counters in an Area."""
        areas = self.position.areas
        if areas is UNSET:
            return unknown("/areas", ASK_AREAS)
        return areas.get(area, EMPTY_AREA)  # type: ignore[call-overload, no-any-return]

    def set_area(self, area: str, **facts: Any) -> Self:
        """An Area with these counters changed; where no Area was told, none is told afterwards."""
        if self.position.areas is UNSET:
            return self
        areas: Any = self.position.areas
        return self.change(areas={**areas, str(area): structs.replace(areas.get(area, EMPTY_AREA), **facts)})

    def value(self, area: Any) -> int | Unknown:
        """The plain value of an Area: its number on a six-Area track; the Canyon's are read off the map."""
        if isinstance(area, Unknown):
            return no_less_than(LEAST_VALUE, area)
        printed = self.components.area_values.get(area)
        if printed is not None:
            return printed  # type: ignore[no-any-return]
        if territory_of(area) == CANYON:
            pointer = f"/components/area_values/{area}"
            return unknown(pointer, ASK_AREA_VALUE, at_least=LEAST_VALUE, area=PlaceRef(area))
        return number_of(area)

    def bracketed_value(self, area: Any) -> int | Unknown:
        """The parenthesized value of an Area, for Families with a horse; it is read off the map."""
        if isinstance(area, Unknown):
            return no_less_than(0, area)
        printed: int | None = self.components.bracketed_values.get(area)
        if printed is None:
            pointer = f"/components/bracketed_values/{area}"
            return unknown(pointer, ASK_BRACKETED_VALUE, at_least=0, area=PlaceRef(area))
        return printed

    def counters(self, area: Any, name: str) -> Any:
        """How many counters of a kind (or whether one) is in an Area."""
        state = area if isinstance(area, Unknown) else self.area(area)
        return state if isinstance(state, Unknown) else getattr(state, name)

    def has_fort(self, area: Any) -> Truth:
        """Is a Fort in this Area?"""
        fort = self.counters(area, "fort")
        return fort if isinstance(fort, Unknown) else fort is not None

    def has_outpost(self, area: Any) -> Truth:
        """Is a Mission or a Rancho in this Area?"""
        state = area if isinstance(area, Unknown) else self.area(area)
        return state if isinstance(state, Unknown) else state.mission or state.rancho

    def on_one_of(self, areas: Iterable[str], holds: Callable[[AreaState], bool]) -> Truth:
        """Does one of these Areas hold such counters?"""
        told = self.position.areas
        if told is UNSET:
            return unknown("/areas", ASK_AREAS)
        for area in areas:
            state = told.get(area)  # type: ignore[call-overload]
            if state is not None and holds(state):
                return True
        return False

    def on_map(self, name: str) -> int | Unknown:
        """How many counters of a kind are in the Areas of the map."""
        told = self.position.areas
        if told is UNSET:
            return unknown("/areas", ASK_AREAS)
        return sum(int(getattr(state, name)) for state in told.values())

    def areas_with(self, *names: str) -> list[AreaId]:
        """The Areas with a counter of one of these kinds, in the order of the map."""
        told = self.position.areas
        if told is UNSET:
            raise Untold(unknown("/areas", ASK_AREAS))
        found = {area for area, state in told.items() if any(getattr(state, name) for name in names)}
        return [area for area in AREAS if area in found] if found else []

    def is_occupied(self, area: str) -> Truth:
        """Is a Family in this Area?"""
        families = self.position.families
        if families is UNSET:
            raise Untold(unknown("/families", ASK_FAMILIES))
        if any(state.at == area for state in families.values()):
            return True
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
        """Take counters out of the Resources Box."""
        box = Resources() if self.position.resources is UNSET else self.position.resources
        left = self.resource(name) - count
        return self.change(resources=structs.replace(box, **{name: left}))

    def gain_resource(self, name: str, count: int) -> Self:
        """Put counters into the Resources Box; a number that was not told stays untold."""
        box: Any = self.position.resources
        now = self.resource(name)
        if isinstance(now, Unknown):
            return self
        return self.change(resources=structs.replace(box, **{name: min(MOST_COUNTERS, now + count)}))

    def set_corn(self, values: tuple[int, ...]) -> Self:
        """The Corn counters in the Resources Box, by their values."""
        box = Resources() if self.position.resources is UNSET else self.position.resources
        return self.change(resources=structs.replace(box, corn=values))

    # -- the Passage of Time Box and the Elder Display --

    def in_passage(self, kind: str) -> int | Unknown:
        """How many counters of a kind are in the Passage of Time Box."""
        box = self.position.passage_of_time
        value = UNSET if box is UNSET else getattr(box, kind)
        return unknown(f"/passage_of_time/{kind}", ASK_PASSAGE[kind], at_least=0) if value is UNSET else value

    def set_passage(self, kind: str, count: int) -> Self:
        """Another number of counters of a kind in the Passage of Time Box."""
        box = PassageBox() if self.position.passage_of_time is UNSET else self.position.passage_of_time
        return self.change(passage_of_time=structs.replace(box, **{kind: min(MOST_COUNTERS, count)}))

    @property
    def elders(self) -> tuple[int, ...] | Unknown:
        """The Elders in the seven spaces of the Elder Display."""
        elders = self.position.elders
        return unknown("/elders", ASK_ELDERS) if elders is UNSET else elders

    def elders_in(self, space: int) -> int | Unknown:
        """The Elders in one space of the Elder Display; spaces count from 1."""
        elders = self.elders
        return elders if isinstance(elders, Unknown) else elders[space - 1]

    def set_elders_in(self, space: int, count: int) -> Self:
        """Another number of Elders in one space."""
        elders = list(must_know(self.elders))
        elders[space - 1] = min(MOST_COUNTERS, count)
        return self.change(elders=tuple(elders))

    def elder_level(self, space: int) -> int:
        """The Elder level under a space, 0 for none: as the player's copy has it, or as public sources do."""
        printed = self.components.elder_levels
        levels: tuple[int, ...] = SHIPPED.elder_levels.value if printed is UNSET else printed
        return levels[space - 1]

    # -- Territories --

    def drought(self, territory: str) -> int | Unknown:
        """The Drought counters in a Territory; the Canyon never has any."""
        if territory == CANYON:
            return 0
        told = self.position.territories
        state = UNSET if told is UNSET else told.get(territory, _NO_DROUGHT)  # type: ignore[call-overload]
        value = UNSET if state is UNSET else state.drought
        if value is UNSET:
            return unknown(
                f"/territories/{territory}/drought", ASK_DROUGHT, territory=TerritoryRef(territory)
            )
        return value  # type: ignore[no-any-return]

    def set_drought(self, territory: str, count: int) -> Self:
        """Another number of Drought counters in a Territory; where no Territory was told, none is afterwards."""
        told: Any = self.position.territories
        if told is UNSET:
            return self
        return self.change(territories={**told, territory: TerritoryState(count)})

    # -- what is going on --

    @property
    def holds_a_card(self) -> bool:
        """Is it told that a card is in the hand?"""
        cards = self.position.cards
        return cards is not UNSET and cards.hand is not UNSET and bool(cards.hand)

    def is_removed(self, card: int) -> Truth:
        """Has a card been removed from the game?"""
        cards = self.position.cards
        removed = UNSET if cards is UNSET else cards.removed
        return unknown("/cards/removed", ASK_REMOVED) if removed is UNSET else card in removed

    @property
    def kit_carson_campaign(self) -> Truth:
        """Is card #55's campaign being carried out (6.2.3)? It exists only in the American Period."""
        if self.position.period in ("spanish", "mexican"):
            return False
        cards = self.position.cards
        current = UNSET if cards is UNSET else cards.current
        if current is UNSET and self._a_tribe_raids():
            return False
        return unknown("/cards/current", ASK_CARD) if current is UNSET else current == 55

    def _a_tribe_raids(self) -> bool:
        """Is a Tribal Raid under way that is known to be one of the Comanche or the Ute, and not Kit Carson's?"""
        raids = [frame.memory for frame in self.agenda if frame.procedure == "tribal-raid"]
        return any(getattr(raid, "tribe", UNSET) is not UNSET for raid in raids)

    # -- where things are --

    def in_canyon(self, place: Any) -> Truth:
        """Is this place in Canyon de Chelly?"""
        return place if isinstance(place, Unknown) else territory_of(place) == CANYON

    @property
    def knows_the_map(self) -> bool:
        """Are the map's connections told?"""
        return self.components.connections is not UNSET

    @property
    def connections(self) -> tuple[tuple[str, str], ...] | Unknown:
        """Which Areas are joined on the player's map."""
        joined = self.components.connections
        return unknown("/components/connections", ASK_CONNECTIONS) if joined is UNSET else joined

    def neighbours_of(self, start: str) -> list[str]:
        """The Areas that are known to be adjacent; without connections those on the same track."""
        joined = self.connections
        touching = neighbours(() if isinstance(joined, Unknown) else joined).get(str(start), ())
        return [area for area in AREAS if area in touching]

    def adjacent(self, start: Any, goal: str) -> Truth:
        """Are two Areas joined? Without connections, neighbours on one track are; between tracks it is not known."""
        if isinstance(start, Unknown):
            return start
        if not is_area(start):  # a Caught Box or an Escape Box
            return False
        joined = self.components.connections
        if joined is not UNSET:
            return goal in neighbours(joined).get(str(start), ())
        if territory_of(start) == territory_of(goal):
            return abs(number_of(start) - number_of(goal)) == 1
        return unknown("/components/connections", ASK_CONNECTIONS)

    def distance(self, start: Any, goal: str) -> int | Unknown | None:
        """How many Areas have to be entered to get from one Area to another; None if there is no way."""
        if isinstance(start, Unknown):
            return start
        joined = self.components.connections
        if joined is UNSET:
            if territory_of(start) == territory_of(goal):
                return abs(number_of(start) - number_of(goal))
            return unknown("/components/connections", ASK_CONNECTIONS)
        return distances(joined, str(start)).get(goal)

    def at_a_told_distance(self, start: Any) -> tuple[AreaId, ...]:
        """The Areas of which it is known how far they are from another; without connections, those of its track."""
        if isinstance(start, Unknown):
            return ()
        return AREAS if self.knows_the_map else track(territory_of(start))

    def leave(self, letter: str, to: str) -> Self:
        """Move a Family to another place and say nothing."""
        return self.set_family(letter, at=str(to))


EMPTY_AREA = AreaState()
_NO_DROUGHT = TerritoryState(0)
