"""A player with a whole table who tells nothing until he is asked: what he is asked, and whether it leads anywhere.

He starts from an empty position, answers the first question each time from his table, one fact at a time, and where
an answer takes something for granted that is otherwise at his table, he says so. `python -m tests.games.asked_player`
prints a table of figures for each action kind; with a kind, what he was asked in each case of it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import median
from typing import Any

import msgspec
from msgspec import UNSET, Struct, field

from engine import codec
from engine.exceptions import Unreadable
from engine.game import Answer, check, prepare
from engine.julian.position import Markers
from engine.navajo_wars.components import NUMBERED
from engine.navajo_wars.map import distances, neighbours, price_of_way
from engine.navajo_wars.position import Activation, AreaState, FamilyState, TerritoryState
from engine.navajo_wars.position import Position as NavajoWarsPosition
from engine.pointers import parts
from engine.verdict import Fact
from service import forms
from service.forms import Question
from service.languages import voice
from service.questions import asked
from service.several import tells
from tests.games.tables import Case, Table, cases, julian, navajo_wars

LONGEST_TRACK = 6  # Areas
MOST_QUESTIONS = 25  # whoever is asked more than this gives up
COLLECTIONS = {
    "areas",
    "families",
    "territories",
    "raid_pool",
    "raided_cubes",
    "recovery",
    "subjugation",
    "resources",
    "passage_of_time",
    "instructions/active",
    "instructions/standby",
    "instructions/inactive",
    "cards/in_play",
    "cards/hand",
    "cards/removed",
    "cards/discarded",
    "cards/developments",
    "hands/roman",
    "hands/barbarian",
    "pool",
    "commands",
    "played",
    "elders",
    "components/connections",
}


SAID_ELSEWHERE = (
    "/action",
    "/inputs",
    "/choices",
    "/agenda",
    "/components",
)  # cautions about what is not the board


class CannotTell(Exception):
    """Nothing on the table answers the question, or its form does not take what lies there."""


class FaceDown(Exception):
    """The markers of this hand lie face down: nobody but their owner can tell which they are."""


class Talk(Struct):
    """One question of a player, from his empty position to the ruling."""

    case: Case
    questions: list[str] = field(default_factory=list)  # the pointers he was asked for
    whole_collections: list[str] = field(default_factory=list)  # those that no single fact answers
    corrected: list[str] = field(default_factory=list)  # what was taken for granted and is otherwise
    told: dict[str, Any] = field(default_factory=dict)
    ruling: str = ""
    dead_end: str = ""
    wrong: str = ""  # another ruling, or another reason
    strayed: str = ""  # the same ruling, and something else comes of it

    @property
    def is_legal(self) -> bool:
        """Was it allowed in the end?"""
        return self.ruling == "legal"


# -- the table ---------------------------------------------------------------------------------------


def is_collection(fact: Fact) -> bool:
    """Does this ask for everything of a sort, or for the counters of more than one track?"""
    return "/".join(parts(fact.pointer)) in COLLECTIONS or len(_areas(fact.pointers)) > LONGEST_TRACK


def _areas(pointers: Iterable[str]) -> set[str]:
    return {parts(pointer)[1] for pointer in pointers if pointer.startswith("/areas/")}


def seen(table: Table, pointer: str) -> Any:
    """What lies on the table where a pointer points to, as plain values."""
    path = parts(pointer)
    if path[0] == "components":
        value = _printed(table, path[1:])
    elif path[0] == "partial":
        return False  # everything lies open before him
    elif path[0] in ("hands", "pool") and path[-1] == "count":
        found = _at(table.position, path[:-1])
        value = found.size if isinstance(found, Markers) else UNSET
    elif path[0] == "hands" and len(path) > 2 and _hidden(table, path[1]):
        raise FaceDown(f"/hands/{path[1]}")
    elif path == ["combat", "attacker"] and not _at(table.position, path):
        value = table.position.active or UNSET  # whoever acts attacks
    elif path == ["action", "cost"]:  # of preempting: it is printed on the card
        value = _at(table.components, ["cards", str(table.position.cards.current), "preempt_cost"])
    else:
        value = _among_others(table.position, path)
        value = _at(table.position, path) if value is None else value
    if value is UNSET:
        raise CannotTell(f"nothing on the table answers {pointer}")
    return msgspec.json.decode(msgspec.json.encode(value))


def _among_others(position: Any, path: list[str]) -> bool | None:
    """Whether something is among what is listed elsewhere, where that is asked for by itself."""
    match path:
        case ["cards", "is_removed", card]:
            return int(card) in position.cards.removed
        case ["has_played", side, marker]:
            return any(one.by == side and marker in (one.marker, one.as_) for one in position.played)
        case ["instructions", "holds", column, name]:
            return any(one is not None and one.name == name for one in getattr(position.instructions, column))
    return None


def _hidden(table: Table, side: str) -> int:
    hand = getattr(table.position.hands, side)
    return hand.hidden if isinstance(hand, Markers) else 0


def _printed(table: Table, path: list[str]) -> Any:
    """What is printed on the copy; what is not printed itself can be counted on its map."""
    copy = table.components
    match path:
        case ["adjacent", area, other]:
            return other in neighbours(copy.connections).get(area, ())
        case ["areas_apart", area, other]:
            return distances(copy.connections, area).get(other, UNSET)
        case ["mp_to_santa_fe", area]:
            return price_of_way(copy.connections, {**NUMBERED, **copy.area_values}, area, 0)
        case ["mounted_mp_to_santa_fe", area]:
            return price_of_way(copy.connections, copy.bracketed_values, area, 0)
    return _at(copy, path)


def _at(value: Any, path: list[str]) -> Any:
    """What stands at the end of a path; in a collection that is told, what is left out is not there."""
    for number, name in enumerate(path):
        if value is None:
            return BOX_OF_NOBODY.get(name) if path[0] == "families" else None
        if isinstance(value, dict):
            value = value.get(name, _left_out(path[:number]))
        elif isinstance(value, list | tuple):
            value = _entry(value, name)
        elif isinstance(value, Markers):
            value = value.named[name]  # type: ignore[index]  # a marker
        else:
            named = dict(zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True))
            value = told_or_left_out(value, named[name]) if name in named else UNSET
        if value is UNSET:
            return UNSET
    return value


def _entry(listed: Any, name: str) -> Any:
    """An entry of a list by its place, or by its name."""
    if name.isdigit():
        return listed[int(name)] if int(name) < len(listed) else UNSET
    return next((one for one in listed if one.name == name), UNSET)


# The box of a Family that is not in play is empty, and so is its counter's place on the map.
BOX_OF_NOBODY = dict.fromkeys(("man", "woman", "child", "horse"), False)


def told_or_left_out(value: Any, name: str) -> Any:
    """A field of a value that is told; one that is left out is what its type says."""
    found = getattr(value, name)
    return getattr(value, "left_out", {}).get(name, UNSET) if found is UNSET else found


def _left_out(path: list[str]) -> Any:
    """What is at a place that a collection does not name."""
    return None if path == ["families"] else NavajoWarsPosition.nothing.get("/".join(path), UNSET)


def fits(form: Any, value: Any) -> bool:
    """Can this be answered by what a form offers?"""
    if form is UNSET or isinstance(form, forms.Json):
        return False
    offered = [
        msgspec.json.decode(msgspec.json.encode(one.value)) for one in getattr(form, "options", UNSET) or ()
    ]
    if isinstance(form, forms.Some):
        return isinstance(value, list) and all(one in offered for one in value)
    if value in offered:
        return True
    match form:
        case forms.YesNo():
            return isinstance(value, bool)
        case forms.Number():
            least, most = form.least, form.most
            whole = isinstance(value, int) and not isinstance(value, bool)
            return whole and (least is UNSET or value >= least) and (most is UNSET or value <= most)
        case forms.Name():
            return isinstance(value, str)
        case forms.Counters() | forms.Record():
            return isinstance(value, dict)
        case forms.Several():
            return isinstance(value, list | dict)
    return False


# -- the talk ----------------------------------------------------------------------------------------


def talk(case: Case, *, assume: bool = True) -> Talk:
    """Ask, and answer what is asked, until there is a ruling and no fact is missing."""
    went = Talk(case)
    try:
        while True:
            answer = sent(case, went.told, assume=assume)
            otherwise = taken_otherwise(case.table, answer, went.told)
            if otherwise:
                went.corrected.append(otherwise)
                went.told[otherwise] = seen(case.table, otherwise)
                continue
            fact = wanted(answer)
            if fact is None:
                break
            went.questions.append(fact.pointer)
            if is_collection(fact):
                went.whole_collections.append(fact.question.name)
            tell(went, fact, answer)
            if len(went.questions) > MOST_QUESTIONS:
                raise CannotTell(f"asked {MOST_QUESTIONS} times and no ruling")
    except CannotTell as stuck:
        went.dead_end = str(stuck)
        return went
    except Unreadable as error:
        went.dead_end = f"{error.code} at {error.pointer}"
        return went
    whole = check(case.table.game, case.table.at(), case.action)
    went.ruling = answer.verdict.ruling
    went.wrong = compared(answer, whole)
    if not went.wrong and went.is_legal:
        copy = {pointer: value for pointer, value in went.told.items() if pointer.startswith("/components")}
        went.strayed = another_course(answer, sent(case, copy, case.table.position, assume=assume))
    return went


def sent(case: Case, told: dict[str, Any], position: Any = None, *, assume: bool = True) -> Answer:
    """The question as it is sent: an empty position, and everything told so far."""
    table = case.table
    at = prepare(table.game, {} if position is None else position, table.choices, {}, assume=assume)
    inputs = codec.read_inputs([{"tell": {pointer: value}} for pointer, value in told.items()])
    return check(table.game, at, case.action, inputs)


def wanted(answer: Answer) -> Fact | None:
    """The first fact that is asked for; whoever is refused need not tell any more."""
    if answer.verdict.ruling == "illegal":
        return None
    if answer.pending is not None and answer.pending.fact is not None:
        return answer.pending.fact
    if answer.verdict.ruling == "undetermined" and not answer.verdict.unknowns:
        raise CannotTell("undetermined, and nothing is asked")
    return next(iter(answer.verdict.unknowns), None)


def tell(went: Talk, fact: Fact, answer: Answer) -> None:
    """Answer a question from the table, in its form."""
    table = went.case.table
    try:
        if not fact.pointers:
            seen(table, fact.pointer)
    except FaceDown as hand:  # told as it lies there: so many
        went.told[str(hand)] = seen(table, str(hand))
        return
    question = asked(table.game, fact, answer.position, voice("en"), went.case.action)
    if fact.pointers:
        counted = isinstance(question.form, forms.Counters)
        told = tells(question, so_many(table, question) if counted else chosen(table, question))
    else:
        told = {fact.pointer: seen(table, fact.pointer)}
        if not fits(question.form, told[fact.pointer]):
            raise CannotTell(f"{fact.pointer}: {type(question.form).__name__} does not take {told}")
    if told.items() <= went.told.items():
        raise CannotTell(f"{fact.pointer} was told and is asked for again")
    went.told |= told


def so_many(table: Table, question: Question) -> dict[str, Any]:
    """Of a question for the counters of one place, how many of each are there."""
    form: Any = question.form
    there = {one.key: seen(table, one.key) for one in form.fields}
    for one in form.fields:
        if not fits(one.form, there[one.key]):
            raise CannotTell(f"{one.key}: {one.form} does not take {there[one.key]}")
    return {pointer: many for pointer, many in there.items() if many}


def chosen(table: Table, question: Question) -> list[Any]:
    """Of a question over several facts, the options that are so at this table."""
    form: Any = question.form
    there = [one.value for one in form.options if all(_is_so(table, *said) for said in one.value.items())]
    told = {pointer for one in there for pointer in one}
    for pointer, none in form.otherwise.items():
        if pointer not in told and not pointer.startswith("/partial") and seen(table, pointer) != none:
            raise CannotTell(f"{pointer}: no option says {seen(table, pointer)}")
    return there


def _is_so(table: Table, pointer: str, value: Any) -> bool:
    """Is it so at this table? An empty object says that something is there."""
    found = seen(table, pointer)
    return found is not None if value == {} else bool(found == value)


def taken_otherwise(table: Table, answer: Answer, told: dict[str, Any]) -> str | None:
    """Something that was taken for granted and is otherwise at this table, or that a caution says is not told."""
    verdict = answer.verdict
    if verdict.ruling == "illegal":
        return None
    for taken in verdict.assumed:
        if _lies_there(table, taken.pointer, told) and seen(table, taken.pointer) != codec.write(taken.takes):
            return taken.pointer
    for caution in verdict.cautions:
        if not caution.pointer.startswith(SAID_ELSEWHERE) and _lies_there(table, caution.pointer, told):
            return caution.pointer
    return None


def _lies_there(table: Table, pointer: str, told: dict[str, Any]) -> bool:
    """Can it be told, and was it not?"""
    try:
        return bool(pointer) and pointer not in told and seen(table, pointer) is not UNSET
    except (CannotTell, FaceDown):
        return False


# One reason by two names, as far as it is told: which Raid it is, and by how much it is too dear.
SAME_REASON = {
    "no-raid-counter-here": "reaction-not-in-tribal-raid",
    "move-too-dear": "too-dear-anyway",
    "corn-too-dear": "too-dear-anyway",
    "harvest-too-dear": "too-dear-anyway",
    "raid-outpost-too-dear": "too-dear-anyway",
    "raid-new-mexico-too-dear": "too-dear-anyway",
    "leave-fort-too-dear": "too-dear-anyway",
    "water-hole-too-dear": "too-dear-anyway",
    "immune-to-tribal-raid": "reaction-under-outpost",
}


def compared(answer: Answer, whole: Answer) -> str:
    """How a ruling differs from that on the whole table, or its first reason: one is enough to be refused."""
    ruling, right = answer.verdict.ruling, whole.verdict.ruling
    if ruling != right:
        why = [one.requirement.name for one in (*answer.verdict.reasons, *whole.verdict.reasons)]
        return f"{ruling} instead of {right} {why}"
    reasons, known = (
        [SAME_REASON.get(one.requirement.name, one.requirement.name) for one in verdict.reasons]
        for verdict in (answer.verdict, whole.verdict)
    )
    if reasons and reasons[0] not in known and "family-not-in-play" not in known:  # that ends the looking
        return f"refused by {reasons} instead of {known}"
    return ""


def another_course(answer: Answer, whole: Answer) -> str:
    """How what comes of an action differs from what comes of it on the whole table."""
    if whole.verdict.unknowns:
        return ""  # something of the copy that the player need not have told
    happened, right = (said_to_happen(one) for one in (answer, whole))
    waits, waited = (one.pending and one.pending.name for one in (answer, whole))
    if waits and waits != waited and happened == right[: len(happened)]:
        return ""  # he is asked to decide or to read off what the whole table settles
    if (happened, waits) != (right, waited):
        return f"{happened} and {waits} instead of {right} and {waited}"
    other = [*other_facts(answer.position, whole.position)]
    return f"is otherwise afterwards: {other}" if other else ""


# Said with a number or not at all, as far as it is told.
OTHERWISE_SAID = {"new-turn": "turn-now"}
SAID_IF_TOLD = {
    "activation-mp-lost",
    "ferocity-now",
    "card-goes",
    "card-discarded",
    "card-stays-in-play",
    "card-stays-in-hand",
}


def said_to_happen(answer: Answer) -> list[str]:
    """The events, but for what hangs on how much of a thing is told."""
    names = [event.message.name for event in answer.events]
    return [OTHERWISE_SAID.get(name, name) for name in names if name not in SAID_IF_TOLD]


# A combat is only called so, who attacks in it is known by whose phase it is, and what a column holds is told beside it.
# Which phases are played may be said by the action, and once more by the table. What the position takes to mean no
# where it is left out is never asked.
NOT_ON_THE_TABLE = (
    "/agenda",
    "/partial",
    "/format",
    "/combat/id",
    "/combat/attacker",
    "/instructions/holds",
    "/cards/is_removed",
    "/has_played",
    "/activation/redrawn",
    "/activation/tried_to_leave",
    "/options",
)


NOBODY_ACTS = Activation(family=None)  # told so, or by null
NOTHING_TOLD = {"/areas": AreaState(), "/territories": TerritoryState(0), "/families": FamilyState(at=None)}


def other_facts(told: Any, right: Any, pointer: str = "") -> Iterator[str]:
    """Every place where a fact that is told is otherwise on the whole table."""
    if told is UNSET or told == "?" or (right is None and told == NOBODY_ACTS):
        return
    if isinstance(told, Markers) and isinstance(right, Markers):
        yield from _other_markers(told, right, pointer)
    elif isinstance(told, Struct) and type(told) is type(right):
        for name in told.__struct_fields__:
            if f"{pointer}/{name}" not in NOT_ON_THE_TABLE:
                yield from other_facts(
                    getattr(told, name), told_or_left_out(right, name), f"{pointer}/{name}"
                )
    elif isinstance(told, dict) and isinstance(right, dict):
        for key, value in told.items():
            there = right.get(key, NOTHING_TOLD.get(pointer, UNSET))
            yield from other_facts(value, there, f"{pointer}/{key}")
    elif isinstance(told, tuple) and isinstance(right, tuple):
        yield from _others_listed(told, right, pointer)
    elif told != right:
        yield f"{pointer}: {told} instead of {right}"


def _others_listed(told: tuple[Any, ...], right: tuple[Any, ...], pointer: str) -> Iterator[str]:
    """Entries of a list that are told otherwise; of commands and plays a part may be told."""
    if pointer in ("/commands", "/played") and len(told) < len(right):
        yield from (f"{pointer}: {one} is not among {right}" for one in told if not _is_among(one, right))
    elif len(told) != len(right):
        yield f"{pointer}: {told} instead of {right}"
    else:
        for number, (one, other) in enumerate(zip(told, right, strict=True)):
            yield from other_facts(one, other, f"{pointer}/{number}")


def _other_markers(told: Markers, right: Markers, pointer: str) -> Iterator[str]:
    """Markers that are told otherwise than they lie on the whole table, face down or open."""
    if told.is_counted and told.size != right.size:
        yield f"{pointer}: {told.size} in all instead of {right.size}"
    for marker, many in right.named.items():
        found = told.told(marker)
        if found is not None and not many <= found <= many + right.hidden:
            yield f"{pointer}/{marker}: {found} instead of {many}"


def _is_among(told: Any, listed: tuple[Any, ...]) -> bool:
    """Is this one of them, as far as it is told?"""
    return any(not [*other_facts(told, one, "/entry")] for one in listed)


# -- figures -----------------------------------------------------------------------------------------


def can_be_asked(case: Case) -> bool:
    """Is there a ruling on the whole table? An action may leave out what only its player can say."""
    verdict = check(case.table.game, case.table.at(), case.action).verdict
    if any(fact.pointer.startswith("/action") for fact in verdict.unknowns):
        return False
    return not verdict.unknowns or verdict.ruling == "illegal"


def talks(asked_about: Iterable[Case], *, assume: bool = True) -> Iterator[Talk]:
    """All of them."""
    return (talk(case, assume=assume) for case in asked_about if can_be_asked(case))


def figures(went: list[Talk]) -> str:
    """A line for each action kind, and one for all."""
    kinds = sorted({one.case.kind for one in went})
    rows = [_line(kind, [one for one in went if one.case.kind == kind]) for kind in kinds]
    return "\n".join([HEAD, *rows, _line("all", went)])


def summed_up(went: list[Talk]) -> str:
    """The line for all."""
    return f"{HEAD}\n{_line('all', went)}"


HEAD = (
    f"{'':22}{'cases':>7}{'legal':>7}{'median':>8}{'if legal':>10}{'most':>6}"
    f"{'wrong':>7}{'strayed':>9}{'dead ends':>11}{'collections':>13}{'otherwise':>11}"
)


def _line(name: str, went: list[Talk]) -> str:
    counts = [len(one.questions) for one in went]
    legal = [len(one.questions) for one in went if one.is_legal]
    asked_for = sum(len(one.whole_collections) for one in went)
    share = f"{asked_for}/{sum(counts)}"
    return (
        f"{name:22}{len(went):7}{len(legal):7}{median(counts):8.1f}{median(legal or [0]):10.1f}{max(counts):6}{sum(bool(one.wrong) for one in went):7}"
        f"{sum(bool(one.strayed) for one in went):9}{sum(bool(one.dead_end) for one in went):11}{share:>13}{sum(len(one.corrected) for one in went):11}"
    )


def said(one: Talk) -> str:
    """What was wrong with it."""
    return one.dead_end or one.wrong or one.strayed


def main(*kinds: str) -> None:
    """Figures of all kinds, or every talk of those named."""
    found = [*cases(navajo_wars(12, 0, 4)), *cases(julian(30, 0, 6))]
    for assume in (True, False):
        went = list(talks((one for one in found if not kinds or one.kind in kinds), assume=assume))
        print("as it is" if assume else '\nwith "assume": false')
        print(figures(went))
        for one in went if kinds else ():
            if said(one) or "-v" in sys.argv:
                print(f"{one.case}\n    {one.questions}\n    {one.corrected} {said(one)}")
        if not kinds:
            stuck = Counter(f"{one.case.kind}: {said(one)}" for one in went if said(one))
            for what, number in stuck.most_common(80):
                print(f"{number:5} {what}")
            for pointer, number in Counter(p for one in went for p in one.whole_collections).most_common(12):
                print(f"{number:5} {pointer}")


if __name__ == "__main__":
    main(*[one for one in sys.argv[1:] if not one.startswith("-")])
