"""Section 4: Enemy Operations, steps 1 to 5."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct, UnsetType

from engine.actions import NOT_NAMED, Action, is_named
from engine.chance import Dice, Die
from engine.exceptions import Refused
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Term, message, question, requirement
from engine.navajo_wars.board import Board
from engine.navajo_wars.cards import CardMemory, lie_in, on_card, printed
from engine.navajo_wars.components import PrintedCard
from engine.navajo_wars.consequences import change_track, signed
from engine.navajo_wars.cubes import count, cubes_in, red_cubes
from engine.navajo_wars.display import (
    ASK_STRIPE,
    INSTRUCTION_TERM,
    column,
    face,
    put,
    reset,
    set_column,
    space,
    to_top_inactive,
    top_row,
    turned_over,
)
from engine.navajo_wars.instructions import INSTRUCTION, cost_of
from engine.navajo_wars.position import Count, InstructionName
from engine.navajo_wars.santa_fe import as_many_as_left
from engine.navajo_wars.truces import (
    FLIPPED,
    FLIPPED_TO_TRUCE,
    TRUCES,
    another_truce,
    check_defend,
    check_peace,
    inactive_truce,
    peace_unrolled,
    raided_ap,
    sure_of_peace,
    truce,
)
from engine.questions import Question, Read, ask, known
from engine.tables import END, Where, automatic, call, chance, part, procedure, reading
from engine.verdict import Caution, Check, Unknown, is_told, must_know, needs


class EnemyOperations(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="enemy-operations"
):
    """The Enemy's turn, with the Enemy APs printed on the Operations card."""

    printed_ap: Count | UnsetType = NOT_NAMED


EventAp = Annotated[int, Meta(ge=-99, le=99)]  # a card may also take some away


READ_PRINTED = message(
    "enemy-read-printed-ap",
    "Enemy Operations step 2: how many Enemy APs does the Operations card grant?",
)
READ_EVENTS = message(
    "enemy-read-event-ap",
    "Enemy Operations step 2: how many Enemy APs do the Historical Event and Transitional Event cards in play add?",
)
ASK_ROW = question(
    "ask-row-carried-out",
    "How many rows of the Active column are above the Instruction counter that is being carried out?",
)


Row = Annotated[int, Meta(ge=1, le=6)]


class EnemyMemory(Memory, frozen=True):
    """What the card and the events grant, and which counter is being carried out."""

    printed_ap: Noted[Count] = NOT_NOTED
    event_ap: Noted[EventAp] = NOT_NOTED
    row: Noted[Annotated[int, Meta(ge=0, le=5)]] = NOT_NOTED
    became: Noted[InstructionName] = NOT_NOTED
    segment_over: bool = False
    kept: Noted[Annotated[tuple[Row, ...], Meta(max_length=2)]] = (
        NOT_NOTED  # flips cancelled by Trade Goods (10.2)
    )

    questions: ClassVar[dict[str, Message]] = {
        "printed_ap": READ_PRINTED,
        "event_ap": READ_EVENTS,
        "row": ASK_ROW,
        "kept": message(
            "ask-flips-cancelled", "Which flips have been cancelled with Trade Goods, by their rows?"
        ),
        "became": message(
            "ask-became", "Which Instruction was carried out in place of the one on the counter?"
        ),
    }


def may_operate(_at: Board, _do: EnemyOperations) -> Iterator[Check | Caution]:
    """The Enemy always has his turn; step 1 may end it."""
    yield from ()


def begin_operations(at: Board, do: EnemyOperations) -> tuple[Board, Where]:
    """Step 1 comes first."""
    return at, call(ENEMY_OPERATIONS, printed_ap=do.printed_ap)


# -- step 1: special conditions ----------------------------------------------------------------------

NO_CONDITION = message(
    "enemy-no-special-condition",
    "Enemy Operations step 1: neither Peace nor Defend is in the Raided Cubes Box.",
    tells="ritual",
)
PEACE_ROLL = question(
    "peace-roll",
    "Roll a die; a result less than the number of Enemy AP counters in the Raided Cubes Box (%(have)s) means that Peace holds.",
    lead="Enemy Operations step 1: Peace is in the Raided Cubes Box.",
)


def special_conditions(at: Board, _noted: EnemyMemory) -> tuple[Board, Where]:
    """Peace is tested with a die, Defend by what lies in the Raided Cubes Box."""
    match truce(at):
        case "peace":
            return at, "peace-roll"
        case "defend":
            at, holds = check_defend(at)
            return at, ("segment-over" if holds else "printed-ap")
    return at.tell(NO_CONDITION, "nw:4.s1.none"), "printed-ap"


NO_PEACE, NO_ROLL = 0, -1  # instead of a die


def ask_peace_roll(at: Board, _noted: EnemyMemory) -> Question:
    """The die against the Enemy AP counters in the box, where it decides; without Peace there nothing is rolled."""
    if truce(at) != "peace":
        return known(NO_PEACE)
    have = raided_ap(at)
    return ask(PEACE_ROLL, Die(), have=have) if sure_of_peace(have) is None else known(NO_ROLL)


def peace_roll(at: Board, noted: EnemyMemory, die: int) -> tuple[Board, Where]:
    """While Peace holds the Enemy only builds; otherwise his turn goes on."""
    if die == NO_PEACE:
        return special_conditions(at, noted)
    at, holds = peace_unrolled(at) if die == NO_ROLL else check_peace(at, die)
    if not holds:
        return at, "printed-ap"
    ap = 1 if at.choice("peace-build") == "one-ap" else 0
    return at, call(INSTRUCTION, step="build", name="build", ap=ap)


SEGMENT_OVER = message(
    "enemy-segment-over", "The Enemy Operations Segment is over; the remaining steps are not carried out."
)


def segment_over(at: Board, _noted: EnemyMemory) -> Board:
    """The segment ends early, without a reset."""
    return at.tell(SEGMENT_OVER, "nw:4.order")


# -- step 2: collect Enemy APs -----------------------------------------------------------------------

COLLECTED = message(
    "enemy-ap-collected",
    "Enemy Operations step 2: Enemy APs are collected%(terms)s.",
    tells="detail",
    terms={
        "printed": "%(printed)s from the card",
        "events": "%(events)s from events",
        "red": "%(red)s for red cubes",
        "raided": "%(raided)s for cubes in the Raided Cubes Box",
    },
)
AT_LEAST_ONE = message("enemy-ap-at-least-one", "At least 1 Enemy AP is always collected.", tells="detail")
ONLY_RED = message(
    "enemy-only-red-cubes",
    "Only red cubes count in the Subjugation of New Mexico Box; cubes of other colours there: %(count)s.",
    tells="detail",
)


def ask_printed(at: Board, noted: EnemyMemory) -> Question:
    """The number on the Operations card."""
    if is_told(noted.printed_ap):
        return known(noted.printed_ap)
    return ask(READ_PRINTED, Read(Count, place=printed_place(at)))


def printed_place(at: Board) -> str:
    """Where that number is kept of the card under way: a card may print another one for after preempting (C46)."""
    drawn = at.noted(CardMemory)
    if drawn is None or isinstance(drawn.card, Unknown) or isinstance(drawn.preempted, Unknown):
        return ""
    return on_card(drawn.card, "enemy_ap_preempted" if drawn.preempted else "enemy_ap")


def note_printed(at: Board, _noted: EnemyMemory, printed: int) -> Board:
    """Then the cards in play."""
    return at.remember(printed_ap=printed)


def ask_events(at: Board, _noted: EnemyMemory) -> Question:
    """What cards in play add: nothing if there are none, as the components state it, or as the player reads it."""
    added = [one.in_play_ap for one in cards_in_play(at)]
    named = [ap for ap in added if is_named(ap)]
    if len(named) == len(added):
        return known(sum(named))
    blank = blank_cards(at)
    if len(blank) < 2:
        place = on_card(blank[0], "in_play_ap") if blank else ""
        return ask(READ_EVENTS, Read(EventAp, place=place, states=added_beside(sum(named))))
    together = "+".join(map(str, blank))
    read = at.components.in_play_ap.get(together)
    if read is not None:
        return known(sum(named) + read)
    place = f"/components/in_play_ap/{together}"
    return ask(READ_EVENTS, Read(EventAp, place=place, states=added_beside(sum(named))))


@cache  # the same question asked again is the same question
def added_beside(known_of: int) -> Callable[[int], int]:
    """What the one card adds of which that was not known."""
    return lambda read: read - known_of


def cards_in_play(at: Board) -> list[PrintedCard]:
    """What the cards at the upper edge of the map print; one blank card where they were not told."""
    numbers = lie_in(at, "in_play")
    return [PrintedCard()] if isinstance(numbers, Unknown) else [printed(at, number) for number in numbers]


def blank_cards(at: Board) -> list[int]:
    """The cards in play of which it is not known what they add; none where the cards were not told."""
    numbers = lie_in(at, "in_play")
    told = () if isinstance(numbers, Unknown) else numbers
    return sorted(number for number in told if not is_named(printed(at, number).in_play_ap))


def note_events(at: Board, _noted: EnemyMemory, events: int) -> Board:
    """Then the cubes; no flip has been cancelled yet."""
    return at.remember(event_ap=events, kept=())


def collect(at: Board, noted: EnemyMemory) -> Board:
    """Card and events, plus red cubes, less cubes in the Raided Cubes Box, at least 1; what was left stays."""
    printed, events = must_know(noted.printed_ap), must_know(noted.event_ap)
    red, raided = red_cubes(at), count(must_know(cubes_in(at, "raided_cubes")))
    subjugated = cubes_in(at, "subjugation")
    others = 0 if isinstance(subjugated, Unknown) else count(subjugated) - red
    must_know(at.track("enemy_ap"))
    found = printed + events + red - raided
    at = at.tell(
        COLLECTED,
        "nw:4.s2.collect",
        *(("nw:1.7.3.subj-box",) if red else ()),
        *(("nw:1.7.3.raided-box",) if raided else ()),
        printed=signed(printed),
        events=signed(events),
        red=signed(red),
        raided=signed(-raided),
        total=max(1, found),
    )
    if others:
        at = at.tell(ONLY_RED, "nw:4.s2.collect", "nw:1.7.3.subj-box", count=others)
    if found < 1:
        found, at = 1, at.tell(AT_LEAST_ONE, "nw:4.s2.minimum")
    at, found = as_many_as_left(at, found, "nw:4.s2.place")
    return change_track(at, "enemy_ap", found, "nw:4.s2.place")


# -- step 3: flip Instructions at random -------------------------------------------------------------

FLIP_ROLL = message(
    "enemy-flip-roll", "Enemy Operations step 3: roll two dice for the rows of the Active column."
)
FLIP_ROLLED = message(
    "enemy-flip-rolled", "Enemy Operations step 3: what do the two dice rolled for the rows show?"
)
SWAPPED = message(
    "enemy-swapped",
    "Both dice show %(row)s, so the counters in row %(row)s change places: %(active)s goes to the Standby column, %(standby)s to the Active column.",
)
NOT_SWAPPED = message(
    "enemy-not-swapped",
    "No swap: both dice show row %(row)s, but that space of the %(empty)s is empty.",
)
FLIPPED_AT_RANDOM = message(
    "enemy-flipped",
    "Row %(row)s: %(other)s now shows, because the Instruction counter %(instruction)s is flipped.",
)
STRIPED = message(
    "enemy-striped",
    "Row %(row)s: the Instruction counter %(instruction)s has a stripe and is not flipped.",
    tells="detail",
)
NOTHING_TO_FLIP = message(
    "enemy-nothing-to-flip", "Row %(row)s: there is no counter in the Active column to flip.", tells="detail"
)
CANCELLED_ELSEWHERE = requirement(
    "flip-cancelled-in-another-row",
    "Trade Goods were spent to cancel the flip in row %(row)s: one of the two dice must show that row, and "
    "the dice must differ. A swap cannot be cancelled.",
    met="The dice show the row whose flip is cancelled.",
)


def ask_flip_roll(_at: Board, noted: EnemyMemory) -> Question:
    """Two dice, thrown together; where a flip has been cancelled they have been thrown already (10.2)."""
    return ask(FLIP_ROLLED if is_told(noted.kept) and noted.kept else FLIP_ROLL, Dice(2))


def flip_or_swap(at: Board, noted: EnemyMemory, dice: tuple[int, int]) -> Board:
    """A double swaps Active and Standby in that row, different dice flip the Active counters of both rows."""
    first, second = dice
    kept = noted.kept if is_told(noted.kept) else ()
    for row in kept:
        if first == second or row not in dice:
            rule = "nw:10.2.cancel-flip"
            raise Refused(needs(False, CANCELLED_ELSEWHERE, rule, pointer="/inputs", row=row))
    if first == second:
        return swap(at, first)
    for die in dice:
        at = at if die in kept else flip(at, die)
    return at


def swap(at: Board, die: int) -> Board:
    """A double swaps the Active and the Standby counter of its row."""
    return swap_row(at, die, "nw:4.s3.double-swap", swapped=SWAPPED, not_swapped=NOT_SWAPPED)


def swap_row(at: Board, die: int, rule: str, *, swapped: Message, not_swapped: Message) -> Board:
    """A swap needs a counter in both spaces (4.1.7); both keep their faces."""
    active = space(at, "active", die - 1)
    standby = None if active is None else space(at, "standby", die - 1)
    if active is None or standby is None:
        empty = Term("nw.column.active" if active is None else "nw.column.standby")
        return at.tell(not_swapped, "nw:4.1.7.swap-needs-both", row=die, empty=empty)
    at = put(put(at, "active", die - 1, standby), "standby", die - 1, active)
    return at.tell(
        swapped,
        rule,
        "nw:4.1.6.standby",
        row=die,
        active=INSTRUCTION_TERM[active.name],
        standby=INSTRUCTION_TERM[standby.name],
    )


def flip(at: Board, die: int) -> Board:
    """Turn the Active counter of a row over, unless it has a stripe."""
    row, counter = die - 1, space(at, "active", die - 1)
    rule = "nw:4.s3.flip"
    if counter is None:
        return at.tell(NOTHING_TO_FLIP, rule, row=die)
    shown = INSTRUCTION_TERM[counter.name]
    if face(counter, row, "stripe", ASK_STRIPE):
        return at.tell(STRIPED, rule, row=die, instruction=shown)
    turned = turned_over(counter, row)
    at = put(at, "active", row, turned)
    return at.tell(FLIPPED_AT_RANDOM, rule, row=die, instruction=shown, other=INSTRUCTION_TERM[turned.name])


# -- step 4: execute Instructions --------------------------------------------------------------------

READ_EVENT_INSTRUCTION = message(
    "enemy-read-event-instruction",
    "Does a card in play order an Instruction in place of those in the Active column?",
)
INSTEAD = message(
    "enemy-executes-instead",
    "A card in play orders the Instruction %(instruction)s in place of those in the Active column.",
)
EVENTS_NOT_TOLD = message(
    "enemy-events-not-told",
    "The position does not name the cards in play: if one of them orders another Instruction, name it.",
)
EVENT_RULE = "nw:4.s4.event-override"
EVENT_TOO_DEAR = requirement(
    "event-instruction-too-dear",
    "This Instruction cannot be paid for. APs to be spent: %(need)s; Enemy APs available: %(have)s.",
    met="The Instruction can be paid for. APs to be spent: %(need)s; Enemy APs available: %(have)s.",
)


class EventInstruction(Struct, frozen=True, forbid_unknown_fields=True):
    """The Instruction a card in play orders, and the Enemy APs spent on it."""

    name: InstructionName
    ap: Count


def ask_event_instruction(at: Board, _noted: EnemyMemory) -> Question:
    """Asked only where a card is in play that may do so."""
    untold = not is_told(lie_in(at, "in_play"))
    if untold or all(one.replaces_instructions is False for one in cards_in_play(at)):
        return known("none")
    numbers: Sequence[int] = must_know(lie_in(at, "in_play"))
    blank = [number for number in numbers if not is_named(printed(at, number).replaces_instructions)]
    places = [on_card(number, "replaces_instructions") for number in blank] or [""]
    form = Read(
        EventInstruction | Literal["none"], place=places[0], also=tuple(places[1:]), states=orders_none
    )
    return ask(READ_EVENT_INSTRUCTION, form)


def orders_none(read: EventInstruction | Literal["none"]) -> bool | None:
    """A card in play that orders no Instruction never does; which of several orders one was not asked."""
    return False if read == "none" else None


def event_instruction(
    at: Board, _noted: EnemyMemory, read: EventInstruction | Literal["none"]
) -> tuple[Board, Where]:
    """The Instruction of the card is carried out once; the display stays as it is."""
    if read == "none":
        untold = not is_told(lie_in(at, "in_play"))
        return (at.warn(EVENTS_NOT_TOLD, EVENT_RULE, pointer="/cards/in_play") if untold else at), "execute"
    available = must_know(at.track("enemy_ap"))
    if read.ap > available:
        shown = {"need": read.ap, "have": available}
        raise Refused(needs(False, EVENT_TOO_DEAR, EVENT_RULE, pointer="/inputs", **shown))
    at = at.tell(INSTEAD, EVENT_RULE, instruction=INSTRUCTION_TERM[read.name])
    return at, call(INSTRUCTION, name=read.name, ap=read.ap)


def event_instruction_done(at: Board, noted: EnemyMemory) -> tuple[Board, Where]:
    """Then step 5, unless the Instruction has ended the segment."""
    return at, ("segment-over" if noted.segment_over else "reset")


NO_ACTIVE = message(
    "enemy-no-active-counter",
    "No Instruction counter is left in the Active column; Enemy APs left: %(have)s. The Enemy Instruction Display is "
    "reset.",
)
SHORT = message(
    "enemy-short-of-ap",
    "The topmost Instruction counter (%(instruction)s) cannot be paid for. APs to be spent: %(need)s; Enemy APs available: "
    "%(have)s. It is not carried out; the APs stay, and the Enemy Instruction Display is reset.",
)
SLAVES_BY_FEROCITY = message(
    "slaves-cost-by-ferocity",
    "The Slaves counter shows an F: it costs the total Ferocity of all Families (%(ferocity)s) instead of"
    " %(printed)s.",
)
EXECUTED = message(
    "enemy-executes",
    "Enemy Operations step 4: %(instruction)s, the topmost counter of the Active column, is carried out.",
    tells="ritual",
)
TO_INACTIVE = message(
    "enemy-to-inactive",
    "The Instruction counter %(instruction)s moves to the Inactive column.",
    tells="detail",
)
KEPT = "nw:1.7.3.enemy-ap-box"  # Enemy APs that are not spent do not lapse


def execute(at: Board, _noted: EnemyMemory) -> tuple[Board, Where]:
    """The topmost Active counter, if the Enemy can pay for it; otherwise step 5."""
    row, available = top_row(at), must_know(at.track("enemy_ap"))
    if row is None:
        return at.tell(NO_ACTIVE, "nw:4.1.4.empty-active", KEPT, have=available), "reset"
    at = turn_truce_over(at, row)
    counter: Any = space(at, "active", row)
    at = at.remember(row=row, segment_over=False, became=NOT_NOTED)
    if counter.name in TRUCES and another_truce(at):
        return at, "executed"
    cost = cost_of(at, counter, row)
    if counter.name == "slaves" and cost > counter.cost:
        at = at.tell(SLAVES_BY_FEROCITY, "nw:4.2.9.cost", ferocity=cost, printed=counter.cost)
    shown = INSTRUCTION_TERM[counter.name]
    if cost > available:
        return at.tell(SHORT, "nw:4.1.3.short", KEPT, instruction=shown, need=cost, have=available), "reset"
    at = at.tell(EXECUTED, "nw:4.1.1.top-first", "nw:4.s4.execute", "nw:1.7.5.eid", instruction=shown)
    return at, call(INSTRUCTION, name=counter.name, ap=cost, counter=counter)


def turn_truce_over(at: Board, row: int) -> Board:
    """Peace or Defend is flipped once if one of them is in the Inactive column already (C39)."""
    counter: Any = space(at, "active", row)
    if counter.name not in TRUCES or not another_truce(at):
        return at
    rule = "nw:4.2.7.flip" if counter.name == "peace" else "nw:4.2.5.flip"
    turned = turned_over(counter, row)
    shown, other = INSTRUCTION_TERM[counter.name], INSTRUCTION_TERM[inactive_truce(at)]
    at = put(at, "active", row, turned).tell(FLIPPED, rule, instruction=shown, truce=other)
    if turned.name in TRUCES:
        at = at.tell(FLIPPED_TO_TRUCE, rule, instruction=INSTRUCTION_TERM[turned.name])
    return at


def executed(at: Board, noted: EnemyMemory) -> tuple[Board, Where]:
    """The counter moves to the Inactive column, face unchanged; Peace and Defend have left the display."""
    row = must_know(noted.row)
    counter: Any = space(at, "active", row)
    at = put(at, "active", row, None)
    if noted.segment_over:
        return at, "segment-over"
    if counter is None:
        return at, "execute"
    same_row_free = space(at, "inactive", row) is None
    at = put(at, "inactive", row, counter) if same_row_free else to_top_inactive(at, counter)
    treated = is_told(noted.became) and noted.became != counter.name
    rules = ("nw:4.1.5.to-inactive", *(("nw:4.1.5.treat-as-moves",) if treated else ()))
    return at.tell(TO_INACTIVE, *rules, instruction=INSTRUCTION_TERM[counter.name]), "execute"


# -- step 5: reset the display -----------------------------------------------------------------------

RESET = message(
    "enemy-display-reset",
    "Enemy Operations step 5: the counters of the Active column slide up, and those of the Inactive column, from the bottom one up, fill the spaces below them.",
    tells="ritual",
)


def reset_display(at: Board, _noted: EnemyMemory) -> Board:
    """Slide up, then refill."""
    active, inactive = reset(column(at, "active"), column(at, "inactive"))
    at = set_column(set_column(at, "active", active), "inactive", inactive)
    return at.tell(RESET, "nw:4.s5.slide-up", "nw:4.s5.refill")


ENEMY_OPERATIONS = procedure(
    "enemy-operations",
    EnemyMemory,
    part("special-conditions", "Step 1: Special Enemy Instruction Conditions"),
    automatic(
        "special-conditions",
        ("nw:4.s1.peace", "nw:4.s1.defend"),
        special_conditions,
        goes=("peace-roll", "segment-over", "printed-ap"),
        title="Peace or Defend in the Raided Cubes Box?",
    ),
    chance(
        "peace-roll",
        ("nw:4.s1.peace", "nw:4.2.7.check-hold"),
        ask_peace_roll,
        peace_roll,
        then="segment-over",
        goes=("segment-over", "printed-ap"),
        title="Does Peace hold?",
    ),
    automatic("segment-over", "nw:4.order", segment_over, then=END, title="The segment ends early"),
    part("collect", "Step 2: Collect Enemy APs"),
    reading("printed-ap", "nw:4.s2.collect", ask_printed, note_printed, title="APs of the Operations card"),
    reading("event-ap", "nw:4.s2.collect", ask_events, note_events, title="APs of the cards in play"),
    automatic("collect", "nw:4.s2.collect", collect, title="Enemy APs are collected"),
    part("flip", "Step 3: Flip Instructions at random"),
    chance("flip-roll", "nw:4.s3.roll", ask_flip_roll, flip_or_swap, title="Counters are flipped or swapped"),
    part("execute", "Step 4: Execute Enemy Instructions"),
    reading(
        "event-instruction",
        EVENT_RULE,
        ask_event_instruction,
        event_instruction,
        then="event-instruction-done",
        goes=("event-instruction-done", "execute"),
        title="Does a card in play order another one?",
    ),
    automatic(
        "event-instruction-done",
        EVENT_RULE,
        event_instruction_done,
        goes=("reset", "segment-over"),
        title="The Instruction of the card is done",
    ),
    automatic(
        "execute",
        ("nw:4.s4.execute", "nw:4.1.1.top-first"),
        execute,
        then="executed",
        goes=("executed", "reset"),
        title="The topmost Active counter, if it can be paid",
    ),
    automatic(
        "executed",
        "nw:4.1.5.to-inactive",
        executed,
        goes=("execute", "segment-over"),
        title="The counter goes to the Inactive column",
    ),
    part("reset", "Step 5: Reset the Enemy Instruction Display"),
    automatic(
        "reset",
        ("nw:4.s5.slide-up", "nw:4.s5.refill"),
        reset_display,
        title="The display is slid up and refilled",
    ),
    title="Enemy Operations",
)

ACTION = Action(
    EnemyOperations,
    "nw:4",
    Term("nw.segment.enemy_operations"),
    message("action.enemy-operations", "The Enemy's turn: the five steps of Enemy Operations."),
    may_operate,
    begin_operations,
    ways=lambda _at, _nobody: (
        EnemyOperations(),
    ),  # the APs on the card are read off when they are collected
    asks={"printed_ap": READ_PRINTED},
)
