"""What every worked example and playthrough tells a player, in four languages: counted, and held to be good."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from msgspec import UNSET

from engine import codec
from engine.exceptions import Unreadable
from engine.game import Answer, Continue, Game, check, prepare
from engine.julian.board import PLAYER
from engine.julian.forces import UNITS_NAMED
from engine.julian.losses import ALL_ELIMINATED
from engine.julian.markers import OVER_HAND_LIMIT
from engine.messages import Message
from engine.navajo_wars.victory_check import MEN_COUNT, WOMEN_COUNT
from engine.testing import plain
from engine.transcript import merge
from engine.verdict import LEGAL, Unknown
from service import headlines
from service.checks import issue_entries
from service.headlines import ALLOWED, ALLOWED_PLAIN, LONGEST, NOTHING_MORE, headline, outcome_of
from service.languages import Reader, reader
from service.sentences import not_again
from service.terms import LANGUAGES, Language
from tests.shown import all_shown, components, game

CHANCE = ("die", "dice", "cube", "marker")
# Field names, ids, JSON and signs of programs; each language's word for what we call a procedure.
MACHINE = re.compile(
    r"\bnull\b|\bNone\b|\bJSON\b|\bcomponents\b|\bagenda\b|\bby-hand\b|[{}]|<=|>=|\b[a-z]+_[a-z]+|"
    r"(?<![\w.])/[a-z]+|\b(?:shiprock|valley|mountains|land|mesa|chelly)-\d|"
    r"\bprocedures?\b|\bprocédures?\b|\bprocedur[ae]\b|(?<!プレイ)手順"
)
# One of what is named as several; Japanese does not tell them apart.
ONE_OF_SEVERAL = re.compile(
    r"(?<![\w.,#+-])1 (?:more |red |new )?(?:"
    r"Areas|(?:Culture|Military) Points|(?:\w+ )?counters|(?:\w+ )?markers|cubes|dice|Families|Territories|times|"
    r"Zones|Points|Military Points|pions|marqueurs|dés|Familles|Territoires|Anciens|"
    r"Aree|Punti|segnalini|cubetti|dadi|Famiglie|Territori|Fortini|Avamposti|Anziani|volte"
    r")\b"
)
ALLOWED_AND_ASKED = re.compile(
    r"([^(]+) \([^)]*\) is allowed\. ([^:?.]*):"
)  # the action, and what is asked about
READ_HERE = re.compile(r"Read here:|Lecture retenue|Lettura adottata|ここでは")
BRACKETS = {"(": ")", "[": "]", "«": "»", "“": "”", "「": "」"}
# Two counters or markers of one kind are two events that look alike.
MAY_REPEAT = {
    "subjugate-cube-drawn",
    "raid-cube-drawn",
    "marker-drawn",
    "marker-returned",
    "hidden-marker-drawn",
    "hidden-marker-returned",
    "victory-check-population-lost",
}


class Told(NamedTuple):
    """An answer, with what was asked."""

    name: str
    game: Game
    do: Any
    answer: Answer
    chosen: dict[str, str]

    def since(self) -> tuple[Any, ...]:
        """What the last answer given has led to."""
        taken = self.answer.taken
        return self.answer.events[taken[-1].before :] if taken else self.answer.events


@cache
def answers() -> tuple[Told, ...]:
    """The answer to every request of every example and playthrough."""
    return tuple(_answers())


def _answers() -> Iterator[Told]:
    for one in all_shown():
        rules, example = game(one.game), one.example
        file = example.components_file
        printed = plain(merge(components(file) if file else {}, example.components))
        position: dict[str, Any] = {}
        for number, request in enumerate((example, *example.steps)):
            position = merge(position, request.position)
            try:
                at = prepare(rules, plain(position), example.choices, printed)
                do = codec.read(plain(request.action), rules.action_types, "/action")
                answer = check(rules, at, do, codec.read_inputs(plain(request.inputs)))
            except Unreadable:
                continue
            yield Told(f"{one} #{number}", rules, do, answer, at.rules.chosen)
            position = codec.write(answer.position)


def said_in(one: Told) -> Iterator[tuple[Message, dict[str, Any]]]:
    """Every sentence of an answer, before it is worded."""
    answer, verdict = one.answer, one.answer.verdict
    yield from ((event.message, event.params) for event in answer.events)
    yield from ((check.requirement.refusal, check.params) for check in verdict.reasons)
    yield from ((check.requirement.met, check.params) for check in verdict.passed)
    yield from ((caution.message, caution.params) for caution in verdict.cautions)
    yield from ((fact.question, fact.params) for fact in verdict.unknowns)
    if answer.pending is not None:
        question = answer.pending.question
        asks = question.message
        yield asks, question.params
        beside = [part for part in (asks.lead, asks.hint) if part is not None]
        yield from ((part, question.params) for part in beside if not has_no_value(part, question.params))
        yield from ((option.message, option.params) for option in getattr(question.answers, "options", ()))


def has_no_value(said: Message, params: dict[str, Any]) -> bool:
    """Would a `?` stand where a value should be? A sentence that can do without the value does so."""
    if said.untold is not None:
        return False
    return any(isinstance(params.get(place), Unknown) for place in said.places)


def beginning(words: str) -> str:
    """What a sentence says before its first stop, however it goes on."""
    return re.split(r"\s?[:;.。：、,]", words)[0]


def tells(one: Told, line: str, speaks: Reader) -> bool:
    """Is the outcome of the last roll in this headline, in its own words or in short?"""
    decided = [event for event in one.since() if event.message.outcome]
    ends = [decided[-1]] if over(one) else decided[:1]
    said = [
        speaks.tell(words, event.params)
        for event in ends
        for words in (event.message, event.message.amounts_to)
        if words is not None
    ]
    return any(beginning(words) in line for words in said)


def over(one: Told) -> bool:
    """Does the game end with this answer?"""
    return getattr(one.answer.position, "outcome", None) not in (None, UNSET) and bool(one.answer.events)


def decides(one: Told) -> bool:
    """Was the last thing told a roll or a draw, and does it decide something?"""
    taken = one.answer.taken
    return bool(
        taken and taken[-1].given[0] in CHANCE and any(event.message.outcome for event in one.since())
    )


def question_of(one: Told, speaks: Reader) -> str | None:
    """What the headline has to ask, if anything."""
    verdict, pending = one.answer.verdict, one.answer.pending
    if verdict.unknowns and not verdict.reasons:
        return speaks.tell(verdict.unknowns[0].question, verdict.unknowns[0].params)
    if pending is not None and one.answer.refused is None:
        return speaks.tell(pending.question.message, pending.question.params)
    return None


def is_bare(one: Told, line: str, speaks: Reader) -> bool:
    """Does it say no more than that something was allowed, although something happened?"""
    if one.answer.verdict.ruling != "legal" or not one.answer.events:
        return False
    allowed = [
        speaks.say(words, {"action": "§", "section": "§"}).split("§")[-1]
        for words in (ALLOWED, ALLOWED_PLAIN)
    ]
    return line == speaks.say(NOTHING_MORE, {}) or (
        not isinstance(one.do, Continue) and any(line.endswith(words) for words in allowed)
    )


def sentences(line: str) -> list[str]:
    return [one for one in re.split(r"(?<=[.?。])\s*", line) if len(one) > 3]


def wrong_in(one: Told, lang: Language) -> Iterator[tuple[str, str]]:
    """Everything that is wrong in an answer, by its kind."""
    speaks = reader(lang)
    line = headline(one.game, one.do, one.answer, speaks)
    assert isinstance(line, str)
    yield from wrong_in_headline(one, line, speaks)
    for text in (line, *(speaks.tell(said, params) for said, params in said_in(one))):
        if MACHINE.search(text):
            yield "machine words", text
        if ONE_OF_SEVERAL.search(text):
            yield "one as several", text
    for said, params in said_in(one):
        if has_no_value(said, params):
            yield "? for a value", speaks.tell(said, params)
    for first, second in pairwise(not_again(one.answer.events)):
        same = first.message is second.message and first.params == second.params
        if same and first.message.name not in MAY_REPEAT:
            yield "events twice in a row", speaks.tell(first.message, first.params)
    yield from contradictions(one, speaks)


def wrong_in_headline(one: Told, line: str, speaks: Reader) -> Iterator[tuple[str, str]]:
    told = tells(one, line, speaks)
    if over(one) and not told:
        yield "game ends not told", line
    if decides(one) and not told:
        yield "decided rolls not told", line
    if is_bare(one, line, speaks):
        yield "bare headlines", line
    asked = question_of(one, speaks)
    if len(line) > LONGEST and (asked is None or not line.endswith(asked)):
        yield "headlines too long", line
    if len(set(sentences(line))) < len(sentences(line)):
        yield "said twice in a headline", line


def contradictions(one: Told, speaks: Reader) -> Iterator[tuple[str, str]]:
    """Issues whose words are not those of the reading in force."""
    for entry in issue_entries(one.game.catalogue, one.answer.issues, one.chosen, speaks):
        issue = one.game.catalogue.issues[entry.name]
        in_force = speaks.say(issue.choices[one.answer.issues[entry.name]], {})
        by = "player" if entry.name in one.chosen else "default"
        if entry.reading != in_force or entry.chosen_by != by or READ_HERE.search(str(entry.text)):
            yield "contradictions", f"{entry.text} {entry.reading}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_answer_tells_what_happened(lang: Language, capsys: pytest.CaptureFixture[str]) -> None:
    found = [(kind, one.name, text) for one in answers() for kind, text in wrong_in(one, lang)]
    wrong = Counter(kind for kind, _, _ in found)
    ends, rolls = sum(map(over, answers())), sum(map(decides, answers()))
    with capsys.disabled():
        counts = ", ".join(f"{kind} {count}" for kind, count in sorted(wrong.items())) or "nothing wrong"
        print(f"\n{lang}: {len(answers())} answers, {ends} game ends, {rolls} decided rolls; {counts}")
    shown = [f"{kind}: {name}: {text}" for kind, name, text in found]
    assert not found, "\n".join(shown[:40])


def unbalanced(line: str) -> bool:
    """Is a bracket opened in it that is not closed, or the other way round?"""
    return any(line.count(opens) != line.count(closes) for opens, closes in BRACKETS.items())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_headline_ends_inside_a_bracket(lang: Language) -> None:
    speaks = reader(lang)
    told = {str(headline(one.game, one.do, one.answer, speaks)) for one in answers()}
    assert not [line for line in told if unbalanced(line)]
    # Nor would one that had less room.
    shorter = {
        line for one in answers() for phrase in said_in(one) for line in headlines._shorter(speaks, phrase)
    }
    assert not [line for line in shorter if unbalanced(line)]


def test_what_is_cut_from_a_headline_stands_in_no_bracket() -> None:
    said = "Level 3 cannot be bought (missing: level 2; that is, of this group): buy level 2."
    assert headlines._before(headlines._COLON, said) == said[: said.rindex(":")]
    assert headlines._before(headlines._ASIDE, said) == said


def test_the_examples_have_what_is_counted() -> None:
    assert len(answers()) > 1_800
    assert sum(map(over, answers())) >= 69
    assert sum(map(decides, answers())) >= 150
    assert sum(bool(one.chosen.keys() & one.answer.issues.keys()) for one in answers()) >= 100


def test_the_outcome_is_the_name_of_an_event_that_happened() -> None:
    for one in answers():
        name = outcome_of(one.answer)
        assert name is None or name in [event.message.name for event in one.answer.events]
        assert name == "game-over" or not over(one)
        assert name is not None or not decides(one)


def test_what_is_under_way_is_not_said_to_be_allowed() -> None:
    english = reader("en")
    for one in answers():
        if one.answer.verdict.ruling == LEGAL and one.answer.events and one.answer.taken:
            said = str(headline(one.game, one.do, one.answer, english))
            assert " is allowed" not in said, said


def test_what_is_allowed_is_named_once() -> None:
    english = reader("en")
    told = [str(headline(one.game, one.do, one.answer, english)) for one in answers()]
    about = [found.groups() for said in told if (found := ALLOWED_AND_ASKED.match(said))]
    assert about
    assert not [(name, lead) for name, lead in about if name.lower() in lead.lower()]


def told_of(name: str, speaks: Reader) -> str:
    """The headline of an answer, by the end of the answer's name."""
    (one,) = [one for one in answers() if one.name.endswith(name)]
    return str(headline(one.game, one.do, one.answer, speaks))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_tie_that_eliminates_both_sides_names_both(lang: Language) -> None:
    said = told_of("BB: on a tie both sides are gone #0", reader(lang))
    for role in UNITS_NAMED.values():
        assert reader(lang).tell(ALL_ELIMINATED, {"units": role}) in said


def test_of_a_die_that_was_rolled_again_the_second_result_is_told() -> None:
    said = told_of(
        "DR: a die for a rout of the defenders is rolled again too, if one reads it so #0", reader("en")
    )
    assert "Unit d2 now retreats 2 hexes" in said
    assert "must retreat" not in said


def test_what_a_combat_decided_is_told_and_not_the_markers_that_nobody_has() -> None:
    said = told_of("A short pool and a short hand give nothing, if one reads it so #0", reader("en"))
    assert "All attacking units are eliminated." in said


def test_of_several_outcomes_none_in_the_middle_is_left_out() -> None:
    said = told_of("BB: a side without combat factors is gone, and the other loses nothing #0", reader("en"))
    assert all(f"Unit {unit} may pursue 1 hex." in said for unit in ("a1", "a2", "a3"))


def test_a_unit_that_cannot_retreat_is_told_with_those_given_up() -> None:
    said = told_of("DD: a garrison that cannot move is eliminated, if one reads it so #0", reader("en"))
    assert "Unit d1 is eliminated. Unit d2 is eliminated." in said


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_counted_is_not_told_without_its_number(lang: Language) -> None:
    speaks = reader(lang)
    for said in (MEN_COUNT, WOMEN_COUNT, OVER_HAND_LIMIT):
        shown = dict.fromkeys(said.places, 3) | {"player": PLAYER["roman"]}
        shown = {name: value for name, value in shown.items() if name in said.places}
        assert all("3" in line for line in headlines._shorter(speaks, (said, shown))), said.name
