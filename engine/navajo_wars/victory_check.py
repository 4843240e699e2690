"""Section 8.2: the Victory Check, its ten steps. Cultural Development cards (step 8) stand in developments.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from msgspec import Struct, UnsetType, field

from engine.actions import NOT_NAMED, Action, is_named
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Term, message, question, requirement
from engine.navajo_wars.board import ASK_CARD, Board, Family
from engine.navajo_wars.cards import (
    TRANSITIONS,
    VP_OF_TRANSITION,
    card_vp,
    current_card,
    filed,
    printed,
    this_card,
    type_of,
)
from engine.navajo_wars.consequences import change_track, signed, way
from engine.navajo_wars.counters import COUNTER_TERM, POPULATION, in_boxes_of, in_passage_box
from engine.navajo_wars.cubes import count, cubes_in, empty_into
from engine.navajo_wars.developments import Purchase, buy
from engine.navajo_wars.endings import game_over, without_points
from engine.navajo_wars.map import TERRITORIES, TerritoryRef, territory_of, track
from engine.navajo_wars.outposts import forts_on_map, outposts_on_map, territories_of
from engine.navajo_wars.points import gain
from engine.navajo_wars.position import CardNumber, Count, Sum, Territory
from engine.questions import Choose, Option, Question, Read, ask, known
from engine.tables import END, OVER, Where, automatic, call, decision, part, procedure, reading
from engine.verdict import (
    Caution,
    Check,
    Truth,
    Unknown,
    ask_at_once,
    certain,
    is_told,
    must_know,
    needs,
    refuted,
    total,
    warns,
)

WITHOUT_PURCHASE = (45, 50)
MOST_MILITARY = 7  # in step 4
MOST_CULTURE = {"eight": 8, "nine": 9, "ten": 10}  # in step 6


class VictoryCheck(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="victory-check"):
    """The Victory Check of an event card; its VP are looked up or asked for where they are not named."""

    vp: Count | UnsetType = NOT_NAMED
    card: CardNumber | UnsetType = NOT_NAMED


READ_CARD_VP = message("victory-check-card-vp", "Victory Check step 1: how many VP does the event card show?")
ASK_LEAVING = message(
    "ask-victory-check-leaving",
    "Victory Check step 10: how many population counters still have to leave the Passage of Time Box?",
)


class CheckMemory(Memory, frozen=True):
    """The card and its VP, the VP read off the map, and how many counters still have to leave."""

    questions: ClassVar[dict[str, Message]] = {"vp": READ_CARD_VP, "card": ASK_CARD, "leaving": ASK_LEAVING}

    vp: Noted[Count] = NOT_NOTED
    card: Noted[CardNumber] = NOT_NOTED
    territory_vp: dict[Territory, Count] = field(default_factory=dict)
    leaving: Noted[Sum] = NOT_NOTED


NOT_AN_EVENT_CARD = requirement(
    "victory-check-without-event",
    "No event card is being resolved: only Historical Event cards and Transitional Event cards (#41 to #55) have a Victory Check.",
    met="The card being resolved is an event card: a Victory Check belongs to it.",
)
VP_OF_ANOTHER_CARD = requirement(
    "victory-check-another-vp",
    "The VP of card #%(card)s are %(vp)s, not %(given)s: the Victory Check is made with %(vp)s.",
    met="The VP of card #%(card)s are %(vp)s.",
)
NOT_OF_THIS_CARD = message(
    "victory-check-not-of-this-card",
    "Card #%(card)s is being resolved, and only cards #41 to #55 have a Victory Check.",
)
CHECK_BEGINS = message("victory-check-begins", "Victory Check: ten steps in their order.", tells="ritual")


def may_check(at: Board, do: VictoryCheck) -> Iterator[Check | Caution]:
    """An event card is being resolved, and the VP are its VP; whoever names only VP is not asked for the card."""
    card = do.card if is_named(do.card) else current_card(at)
    event = card if isinstance(card, Unknown) else card is not None and type_of(card) is not None
    if is_named(do.vp) and not is_named(do.card):
        if isinstance(card, int) and not event:
            yield warns(NOT_OF_THIS_CARD, *rules_of_segment(card), pointer="/cards/current", card=card)
        return
    pointer = "/action/card" if is_named(do.card) else "/cards/current"
    yield needs(event, NOT_AN_EVENT_CARD, *rules_of_segment(card), pointer=pointer)
    fixed = stated_vp(at, card)
    if fixed is not None and is_named(do.vp):
        shown = {"card": card, "vp": fixed, "given": do.vp}
        yield needs(do.vp == fixed, VP_OF_ANOTHER_CARD, "nw:8.2.s1.sum", pointer="/action/vp", **shown)


def rules_of_segment(card: Any) -> tuple[str, ...]:
    """A Historical Event leaves a choice, a Transitional Event none; no other card has a Victory Check."""
    if isinstance(card, Unknown) or card is None or type_of(card) is None:
        return ("nw:8.historical-choice", "nw:8.transition-check")
    return ("nw:8.transition-check",) if card in TRANSITIONS else ("nw:8.historical-choice",)


def ways(_: Board, __: None) -> Iterator[VictoryCheck]:
    """That of the card being resolved; the VP and the numbers of other cards are the player's to name."""
    yield VictoryCheck()


def begin_check(at: Board, do: VictoryCheck) -> tuple[Board, Where]:
    """The steps follow one another."""
    return at.tell(CHECK_BEGINS, "nw:8.2"), call(VICTORY_CHECK, vp=do.vp, card=do.card)


# -- step 1: compare VP ------------------------------------------------------------------------------

READ_TERRITORY_VP = question(
    "victory-check-territory-vp",
    "Victory Check step 1: how many VP does the map show for the Territory %(territory)s?",
    hint="0 if it shows none.",
)
CARD_VP_PUBLISHED = message(
    "card-vp-published",
    "The %(vp)s VP of card #%(card)s are known from public sources only: check your card, and name its number if it differs.",
)
TERRITORY_VP_PUBLISHED = message(
    "territory-vp-published",
    "These VP are known from public sources only: %(territories)s. Check your map, and name its numbers if they differ.",
)
VP_COMPARED = message(
    "victory-check-vp",
    "Victory Check step 1: the Territories with a Family (%(territories)s) are worth %(total)s VP, the card %(vp)s VP; the difference is %(difference)s.",
)
NOWHERE_A_FAMILY = message(
    "victory-check-no-family",
    "Victory Check step 1: no Territory has a Family (0 VP), the VP of the card are %(vp)s, and the difference is %(difference)s.",
)
VP_EQUAL = message(
    "victory-check-vp-equal", "The VP are equal: Military Points stay as they are.", tells="detail"
)


def stated_vp(at: Board, card: int | Unknown | None) -> int | None:
    """The VP of a card as 6.2 or the player's components state them."""
    if isinstance(card, Unknown) or card is None:
        return None
    return VP_OF_TRANSITION.get(card, filed(printed(at, card).vp))


def ask_card_vp(at: Board, noted: CheckMemory) -> Question:
    """The VP on the card, where nobody has stated them; what the first steps look at must be told before."""
    ask_at_once((at.military, at.culture, at.track("enemy_morale"), *(family.at for family in at.families())))
    if is_told(noted.vp):
        return known(noted.vp)
    card = this_card(at, noted.card)
    vp = stated_vp(at, card)
    vp = card_vp(at, card) if vp is None and isinstance(card, int) else vp
    place = f"/components/cards/{card}/vp" if isinstance(card, int) else ""
    return ask(READ_CARD_VP, Read(Count, place=place)) if vp is None else known(vp)


def note_card_vp(at: Board, noted: CheckMemory, vp: int) -> Board:
    """What only public sources state should be looked up once."""
    card = this_card(at, noted.card)
    looked_up = not is_told(noted.vp) and isinstance(card, int) and stated_vp(at, card) is None
    if looked_up and card_vp(at, card) is not None:  # type: ignore[arg-type]
        at = at.warn(CARD_VP_PUBLISHED, "nw:8.2.s1.sum", pointer="/components/cards", card=card, vp=vp)
    return at.remember(vp=vp)


def occupied(at: Board) -> list[Any]:
    """The Territories with a Family in an Area, the Caught Box or the Escape Box, each once, in the map's order."""
    places = [family.at for family in at.families()]
    ask_at_once(places)
    lived_in = territories_of(places)
    return [territory for territory in TERRITORIES if territory in lived_in]


def vp_of(at: Board, noted: CheckMemory, territory: Territory) -> int | None:
    """The VP of a Territory: the player's own, or else what public sources state."""
    for stated in (at.components.territory_vp, noted.territory_vp):
        if territory in stated:
            return int(stated[territory])
    sourced = TERRITORIES[territory].vp
    return None if sourced is None else int(sourced.value)


def without_vp(at: Board, noted: CheckMemory) -> Territory | None:
    """The next occupied Territory whose VP are still to be read off the map."""
    return next((territory for territory in occupied(at) if vp_of(at, noted, territory) is None), None)


def ask_territory_vp(at: Board, noted: CheckMemory) -> Question:
    """One Territory after the other, only those that are needed."""
    territory = without_vp(at, noted)
    if territory is None:
        return known(None)
    printed = Read(Count, place=f"/components/territory_vp/{territory}")
    return ask(READ_TERRITORY_VP, printed, territory=TerritoryRef(territory))


def note_territory_vp(at: Board, noted: CheckMemory, vp: int | None) -> tuple[Board, Where]:
    """Another Territory may follow."""
    territory = without_vp(at, noted)
    if vp is None or territory is None:
        return at, "compare-vp"
    return at.remember(territory_vp={**noted.territory_vp, territory: vp}), "territory-vp"


def compare_vp(at: Board, noted: CheckMemory) -> tuple[Board, Where]:
    """More VP than the card bring 1 Military Point, each one fewer costs 1."""
    if without_vp(at, noted) is not None:
        return at, "territory-vp"
    card = must_know(noted.vp)
    values = {one: vp_of(at, noted, one) or 0 for one in occupied(at)}
    difference = sum(values.values()) - card
    at = tell_comparison(doubt_published(at, noted), values, card, difference)
    if difference > 0:
        at = gain(at, "military", 1, "nw:8.2.s1.positive")
    elif difference < 0:
        at = change_track(at, "military", difference, "nw:8.2.s1.negative")
    else:
        at = at.tell(VP_EQUAL, "nw:8.2.s1.zero")
    return at, "subtract-morale"


def tell_comparison(at: Board, values: dict[str, int], card: int, difference: int) -> Board:
    """Say whose VP are compared with those of the card."""
    rules = ("nw:8.2.s1.sum", "nw:13.vp")
    shown = signed(difference) if difference else "0"
    if not values:
        return at.tell(NOWHERE_A_FAMILY, *rules, vp=card, difference=shown)
    there, reached = listed(values), sum(values.values())
    return at.tell(VP_COMPARED, *rules, territories=there, total=reached, vp=card, difference=shown)


def doubt_published(at: Board, noted: CheckMemory) -> Board:
    """VP of Territories that only public sources state should be looked up once."""
    told = {*at.components.territory_vp, *noted.territory_vp}
    published = {one: vp_of(at, noted, one) or 0 for one in occupied(at) if one not in told}
    if not published:
        return at
    pointer = "/components/territory_vp"
    return at.warn(TERRITORY_VP_PUBLISHED, "nw:13.vp", pointer=pointer, territories=listed(published))


def listed(values: dict[str, int]) -> tuple[str, ...]:
    """Territories with their VP; their names are the same in every language."""
    return tuple(f"{TERRITORIES[territory].name} {vp}" for territory, vp in values.items())


# -- step 2: subtract Enemy Morale -------------------------------------------------------------------

MORALE_SUBTRACTED = message(
    "victory-check-subtract-morale",
    "Victory Check step 2: Enemy Morale (%(morale)s) is subtracted from Military Points (%(military)s).",
    whole=True,
)


def subtract_morale(at: Board, _noted: CheckMemory) -> Board:
    """Military Points fall by Enemy Morale, and Enemy Morale falls to 0."""
    ask_at_once((at.military, at.track("enemy_morale")))
    military, morale = must_know(at.military), must_know(at.track("enemy_morale"))
    if not morale:
        return at
    rule = "nw:8.2.s2.subtract-morale"
    at = at.tell(MORALE_SUBTRACTED, rule, military=military, morale=morale)
    if morale > military and at.choice("victory-check-morale-left") == "surplus-stays":
        for name in ("military", "enemy_morale") if military else ():
            at = change_track(at, name, -military, rule)
        return at
    at = change_track(at, "military", -morale, rule)
    return change_track(at, "enemy_morale", -morale, "nw:8.2.s2.morale-zero")


# -- step 3: the test for defeat ---------------------------------------------------------------------


NOTHING_LEFT = message(
    "victory-check-nothing-left",
    "Victory Check step 3: Military Points and Culture Points are both at 0.",
)


def look_for_defeat(at: Board, _noted: CheckMemory) -> Board:
    """0 Military Points and 0 Culture Points: the game is lost; no other step asks (12.1)."""
    if not must_know(without_points(at)):
        return at
    rules = ("nw:8.2.s3.major-defeat", "nw:12.1.when")
    return game_over(at.tell(NOTHING_LEFT, *rules), "major-defeat", *rules)


# -- step 4: men -------------------------------------------------------------------------------------

ENOUGH_MILITARY = message(
    "victory-check-military-enough",
    "Victory Check step 4: the men bring nothing, because Military Points are at %(have)s and men raise them to at most 7.",
    whole=True,
)
NEAR_FORT = message(
    "victory-check-near-fort",
    "Victory Check step %(step)s: Family %(family)s is not counted, because there is a Fort in its Territory "
    "(%(territory)s).",
    tells="detail",
)
MEN_COUNT = message(
    "victory-check-men",
    "Victory Check step 4, men of Families in Territories without a Fort: %(count)s. Military Points rise by that number, to at most 7, and Enemy Morale rises with them.",
)
COUNTED_IN_STEP = {"man": 4, "woman": 6}


def shares_territory_with_fort(at: Board, family: Family) -> Truth:
    """Is a Fort in the Territory of this Family, in its own Area or another?"""
    place = family.at
    if isinstance(place, Unknown):
        return place
    return at.on_one_of(track(territory_of(place)), "fort")


def count_members(at: Board, kind: Literal["man", "woman"], *rules: str) -> tuple[Board, int]:
    """The men or women of Families in Territories without a Fort; the Families left out for one are named."""
    by_fort = {family.letter: shares_territory_with_fort(at, family) for family in at.families()}
    ask_at_once(by_fort.values())
    members = in_boxes_of((family for family in at.families() if not by_fort[family.letter]), kind)
    ask_at_once(members)
    for family in at.families():
        if by_fort[family.letter] and not refuted(getattr(family, kind)):
            step, territory = COUNTED_IN_STEP[kind], TerritoryRef(territory_of(family.at))
            at = at.tell(NEAR_FORT, *rules, step=step, family=family.letter, territory=territory)
    return at, must_know(total(members))


def count_men(at: Board, _noted: CheckMemory) -> Board:
    """1 Military Point for each man, up to 7; Enemy Morale follows each space."""
    military = must_know(at.military)
    if military >= MOST_MILITARY:
        return at.tell(ENOUGH_MILITARY, "nw:8.2.s4.already-7", have=military)
    at, number = count_members(at, "man", "nw:8.2.s4.territory-not-area")
    if not number:
        return at
    gained = min(number, MOST_MILITARY - military)
    at = at.tell(MEN_COUNT, "nw:8.2.s4.men-to-military-cap-7", count=number)
    at = change_track(at, "military", gained, "nw:8.2.s4.men-to-military-cap-7")
    return change_track(at, "enemy_morale", gained, "nw:8.2.s4.morale-follows")


# -- step 5: Outposts --------------------------------------------------------------------------------

OUTPOSTS_COUNT = message("victory-check-outposts", "Victory Check step 5, Outposts in play: %(count)s.")
FORTS_NOT_COUNTED = message(
    "victory-check-forts-not-counted",
    "Forts in play: %(count)s. They are not Outposts and do not raise Enemy Morale.",
    tells="detail",
)


def count_outposts(at: Board, _noted: CheckMemory) -> Board:
    """1 Enemy Morale for each Mission and Rancho; Forts do not count."""
    at.areas_with("mission", "rancho", "fort")  # asked for at once
    number, forts = outposts_on_map(at), forts_on_map(at)
    if forts:
        at = at.tell(FORTS_NOT_COUNTED, "nw:8.2.s5.fort-not-outpost", count=forts)
    if not number:
        return at
    at = at.tell(OUTPOSTS_COUNT, "nw:8.2.s5.outposts-morale", count=number)
    spaces = rise(at, number)
    return change_track(at, "enemy_morale", spaces, "nw:8.2.s5.outposts-morale") if spaces else at


def rise(at: Board, number: int) -> int:
    """As many spaces as there are Outposts; where a limit is read, not beyond Military Points plus Outposts (C62)."""
    morale = must_know(at.track("enemy_morale"))
    over = morale - must_know(at.military) if morale else 0
    if over <= 0 or at.choice("victory-check-morale-cap") == "no-cap":
        return number
    return max(0, number - over)


# -- step 6: women -----------------------------------------------------------------------------------

WOMEN_COUNT = message(
    "victory-check-women",
    "Victory Check step 6, women of Families in Territories without a Fort: %(count)s. Culture Points rise by that number, to at most %(most)s.",
)
CULTURE_CUT = message(
    "victory-check-culture-cut",
    "Victory Check step 6: Culture Points are greater than %(most)s and are reduced to %(most)s.",
    whole=True,
)


def count_women(at: Board, _noted: CheckMemory) -> Board:
    """1 Culture Point for each woman, up to 9; more than 9 are cut."""
    culture = must_know(at.culture)
    rule = "nw:8.2.s6.women-to-culture-cap-9"
    at, number = count_members(at, "woman", rule, "nw:8.2.s4.territory-not-area")
    most = most_culture(at, culture + number)
    house = () if most == MOST_CULTURE["nine"] else ("nw:8.2.s6.house-cap",)
    if culture > most:
        rules = ("nw:8.2.s6.reduce-to-9", *house)
        return change_track(at.tell(CULTURE_CUT, *rules, most=most), "culture", most - culture, *rules)
    gained = min(number, most - culture)
    if number:
        rules = (rule, *house)
        at = at.tell(WOMEN_COUNT, *rules, count=number, most=most)
        at = change_track(at, "culture", gained, *rules)
    return at


def most_culture(at: Board, reached: int) -> int:
    """9, or as agreed for a harder or easier game; asked only where it makes a difference."""
    if reached <= min(MOST_CULTURE.values()):
        return MOST_CULTURE["nine"]
    return MOST_CULTURE[at.choice("culture-cap")]


# -- step 7: Forts -----------------------------------------------------------------------------------

FORTS_COUNT = message("victory-check-forts", "Victory Check step 7, Forts in play: %(count)s.")
NO_SECOND_TEST = message(
    "victory-check-no-second-test",
    "Culture Points and Military Points are both at 0 now, but step 3 is over: the game goes on. The next test for defeat "
    "is in the Discard Phase.",
    whole=True,
)


def count_forts(at: Board, noted: CheckMemory) -> Board:
    """-1 Culture Point for each Fort; whoever has nothing left now is not beaten yet."""
    number = forts_on_map(at)
    if not number:
        return at
    at = at.tell(FORTS_COUNT, "nw:8.2.s7.forts-culture", count=number)
    at = change_track(at, "culture", -number, "nw:8.2.s7.forts-culture")
    card = this_card(at, noted.card)
    tests_itself = isinstance(card, int) and card in TRANSITIONS  # step 2 of these cards
    if certain(without_points(at)) and not tests_itself:
        at = at.tell(NO_SECOND_TEST, "nw:8.2.s7.no-second-defeat-test", "nw:12.1.not-elsewhere")
    return at


# -- step 8: a Cultural Development ------------------------------------------------------------------

READ_PURCHASE = question(
    "victory-check-development",
    "Victory Check step 8: do you buy one of the Cultural Development cards, and if so, which?",
    hint="Culture Points: %(culture)s, Military Points: %(military)s.",
)
NO_PURCHASE = message("victory-check-no-development", "No Cultural Development card is bought.")
NOT_WITH_THIS_CARD = message(
    "victory-check-purchase-barred",
    "Victory Check step 8: with card #%(card)s no Cultural Development card can be bought.",
)
BARRED = "barred"


def purchase_barred(at: Board, noted: CheckMemory) -> Truth:
    """Is card #45 or #50 being resolved? Both have 14 VP, so any other number says that it is neither."""
    if is_told(noted.card):
        return noted.card in WITHOUT_PURCHASE
    if is_told(noted.vp) and noted.vp not in [VP_OF_TRANSITION[card] for card in WITHOUT_PURCHASE]:
        return False
    current = current_card(at)
    return current if isinstance(current, Unknown) else current in WITHOUT_PURCHASE


def ask_purchase(at: Board, noted: CheckMemory) -> Question:
    """Nothing can be bought with card #45 or #50; otherwise one card, or none."""
    if must_know(purchase_barred(at, noted)):
        return known(BARRED)
    form = Read(Purchase | Literal["none"], (Option("none", NO_PURCHASE),))
    return ask(READ_PURCHASE, form, culture=at.culture, military=at.military)


def buy_development(at: Board, noted: CheckMemory, read: Purchase | Literal["none", "barred"]) -> Board:
    """At most one."""
    if read == BARRED:
        return at.tell(NOT_WITH_THIS_CARD, "nw:8.2.s8.not-45-50", card=this_card(at, noted.card))
    return buy(at, read) if isinstance(read, Purchase) else at


# -- step 9: AP and cubes ----------------------------------------------------------------------------

AP_TO_ZERO = message(
    "victory-check-ap",
    "Victory Check step 9: AP %(from)s → %(to)s.",
    tells="detail",
    untold="Victory Check step 9: AP are set to 0.",
)
CUBES_BACK = message(
    "victory-check-cubes",
    "Victory Check step 9: all cubes of the Raided Cubes Box and the Recovery Box return to the Raid Pool.",
)


def start_anew(at: Board, _noted: CheckMemory) -> Board:
    """AP start anew, and every cube is in the Raid Pool again but those of the Subjugation of New Mexico Box."""
    if not refuted(at.ap > 0):
        moved = way(at.ap, 0)
        at = at.set_track("ap", 0).tell(AP_TO_ZERO, "nw:8.2.s9.ap-zero", **moved)
    boxes = ("raided_cubes", "recovery")
    held = [cubes_in(at, box) for box in boxes]
    if any(isinstance(cubes, Unknown) or count(cubes) for cubes in held):
        for box in boxes:
            at = empty_into(at, box, "raid_pool")
        at = at.tell(CUBES_BACK, "nw:8.2.s9.cubes")
    return at


# -- step 10: half of the population -----------------------------------------------------------------

HALF_LEAVES = message(
    "victory-check-half",
    "Victory Check step 10: half of the population counters in the Passage of Time Box leave (half of %(count)s, rounded up, is %(leaving)s).",
    whole=True,
)
WHO_LEAVES = question(
    "victory-check-who-leaves",
    "Victory Check step 10: which population counter leaves the Passage of Time Box?",
    hint="Population counters that still have to leave the Passage of Time Box: %(leaving)s.",
)
THIS_COUNTER = message("victory-check-this-counter", "%(counter)s")
LEFT_PLAY = message(
    "victory-check-population-lost",
    "A population counter (%(counter)s) leaves the Passage of Time Box for the Out of Play Box.",
)


def halve_population(at: Board, _noted: CheckMemory) -> tuple[Board, Where]:
    """How many leave: half of the men, women, children and Elders, rounded up; Animals do not count."""
    number = must_know(total(in_passage_box(at, *POPULATION)))
    if not number:
        return at, END
    leaving = -(-number // 2)
    rules = ("nw:8.2.s10.half-passage", *(("nw:13.round-up",) if number % 2 else ()))
    at = at.tell(HALF_LEAVES, *rules, count=number, leaving=leaving)
    return at.remember(leaving=leaving), "lost-population"


def ask_who_leaves(at: Board, noted: CheckMemory) -> Question:
    """One counter after the other, as the player chooses."""
    leaving = must_know(noted.leaving)
    kinds = [kind for kind in POPULATION if must_know(at.in_passage(kind))]
    if not leaving or not kinds:
        return known("none")
    options = tuple(Option(kind, THIS_COUNTER, {"counter": COUNTER_TERM[kind]}) for kind in kinds)
    return ask(WHO_LEAVES, Choose(options), leaving=leaving)


def lose_population(at: Board, noted: CheckMemory, kind: str) -> tuple[Board, Where]:
    """It goes to the Out of Play Box; the last one ends the Victory Check."""
    if kind == "none":
        return at, END
    at = at.set_passage(kind, must_know(at.in_passage(kind)) - 1)
    at = at.remember(leaving=must_know(noted.leaving) - 1)
    rule = "nw:8.2.s10.half-passage"
    return at.tell(LEFT_PLAY, rule, counter=COUNTER_TERM[kind]), "lost-population"


VICTORY_CHECK = procedure(
    "victory-check",
    CheckMemory,
    part("s1", "1. Compare VP"),
    reading("card-vp", "nw:8.2.s1.sum", ask_card_vp, note_card_vp, title="The VP of the event card"),
    reading(
        "territory-vp",
        ("nw:8.2.s1.sum", "nw:13.vp"),
        ask_territory_vp,
        note_territory_vp,
        goes=("territory-vp", "compare-vp"),
        title="The VP of a Territory with a Family",
    ),
    automatic(
        "compare-vp",
        ("nw:8.2.s1.positive", "nw:8.2.s1.negative", "nw:8.2.s1.zero"),
        compare_vp,
        goes=("territory-vp", "subtract-morale"),
        title="The VP are compared",
    ),
    part("s2", "2. Subtract Enemy Morale from Military Points"),
    automatic(
        "subtract-morale",
        ("nw:8.2.s2.subtract-morale", "nw:8.2.s2.morale-zero"),
        subtract_morale,
        title="Enemy Morale is subtracted",
    ),
    part("s3", "3. Automatic Defeat check"),
    automatic(
        "defeat-test",
        "nw:8.2.s3.major-defeat",
        look_for_defeat,
        goes=("men", OVER),
        title="The test for defeat",
    ),
    part("s4", "4. Military Points for men"),
    automatic(
        "men",
        ("nw:8.2.s4.men-to-military-cap-7", "nw:8.2.s4.morale-follows"),
        count_men,
        title="The men are counted",
    ),
    part("s5", "5. Enemy Morale for Outposts"),
    automatic("outposts", "nw:8.2.s5.outposts-morale", count_outposts, title="The Outposts are counted"),
    part("s6", "6. Culture Points for women"),
    automatic(
        "women",
        ("nw:8.2.s6.women-to-culture-cap-9", "nw:8.2.s6.reduce-to-9"),
        count_women,
        title="The women are counted",
    ),
    part("s7", "7. Lose Culture Points for Forts"),
    automatic("forts", "nw:8.2.s7.forts-culture", count_forts, title="The Forts are counted"),
    part("s8", "8. Buy a Cultural Development card"),
    reading(
        "development",
        ("nw:8.2.s8.buy-one", "nw:9.1.when"),
        ask_purchase,
        buy_development,
        title="A Cultural Development card is bought",
    ),
    part("s9", "9. Reset AP and cubes"),
    automatic(
        "reset", ("nw:8.2.s9.ap-zero", "nw:8.2.s9.cubes"), start_anew, title="AP to 0, cubes to the Raid Pool"
    ),
    part("s10", "10. Remove half of the population"),
    automatic(
        "half-population",
        "nw:8.2.s10.half-passage",
        halve_population,
        goes=("lost-population", END),
        title="Half of the population counters, rounded up",
    ),
    decision(
        "lost-population",
        "nw:8.2.s10.half-passage",
        ask_who_leaves,
        lose_population,
        goes=("lost-population", END),
        title="Which population counter leaves",
    ),
    title="Victory Check",
)

ACTION = Action(
    VictoryCheck,
    "nw:8.2",
    Term("nw.victory_check"),
    message("action.victory-check", "The Victory Check of an event card, in ten steps."),
    may_check,
    begin_check,
    ways=ways,
    asks={"vp": READ_CARD_VP, "card": ASK_CARD},
    instead="vp",
)
