"""POST …/check: a position and an action in, the verdict with its explanation out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import UNSET, Raw, UnsetType

from engine import codec
from engine.at import At
from engine.catalogue import Catalogue, Issue
from engine.game import Answer, Continue, Game, check, prepare
from engine.pointers import parts
from engine.telling import Given
from engine.verdict import LEGAL, UNDETERMINED, Fact
from service import wordings
from service.answers import ChangeEntry, CheckAnswer, IssueEntry
from service.forms import Question
from service.games import GAMES
from service.headlines import headline, outcome_of
from service.languages import Text, Voice, voice
from service.questions import asked, pending_question
from service.requests import AskedCheck
from service.sentences import assumptions, entry, happenings, refusals, warnings
from service.settling import with_settles

AGENDA = "/agenda"  # where the steps under way stand: nobody has to read it, the question says it
PARTIAL = "/partial/"  # which collections are told in part
Sent = Callable[[], Raw]  # a position that nothing has changed is sent back as it came


def answer(game: Game, request: AskedCheck, lang: str) -> CheckAnswer[Any]:
    """The whole answer to one check request, worded in the reader's language."""
    at = prepare(game, request.position, request.choices, request.components, assume=request.assume)
    return ruling_on(
        game, at, request.sent, request.action, request.inputs, voice(lang), closed=request.closed
    )


def ruling_on(
    game: Game,
    at: At[Any],
    sent: Sent,
    do: Any,
    inputs: list[tuple[str, Any]],
    speaks: Voice,
    *,
    closed: bool = False,
) -> CheckAnswer[Any]:
    """The answer to one action on a position that was read already; `sent` gives it as it was written.

    What is not open at the question that follows is worked out only where it is asked for (`closed`).
    """
    found = check(game, at, do, inputs)
    question = at_question(game, at, do, inputs, found) if closed else None
    return worded(game, at, do, inputs, found, sent, speaks, question)


def worded(
    game: Game,
    at: At[Any],
    do: Any,
    inputs: Sequence[Given],
    found: Answer,
    sent: Sent,
    speaks: Voice,
    question: At[Any] | None = None,
) -> CheckAnswer[Any]:
    """What a check found, in the reader's language; `sent` gives the position as it was sent.

    `question` is the position at the question that follows, where what is not open there is to be said, too.
    """
    verdict = found.verdict
    happened = verdict.ruling == LEGAL
    unknowns = [unknown(game, fact, found, do, speaks) for fact in verdict.unknowns]
    if verdict.ruling == UNDETERMINED:
        unknowns = with_settles(game, at, do, inputs, found, unknowns, speaks)
    changes = change_entries(game, found.table, found.position, speaks) if happened else []
    if found.table is not at.position:
        changes = [*change_entries(game, at.position, found.table, speaks, told=True), *changes]
    return CheckAnswer(
        game=game.name,
        lang=speaks.lang,
        ruling=verdict.ruling,  # type: ignore[arg-type]  # the kernel calls it a text
        refused=found.refused,
        accepted=found.accepted,
        headline=headline(game, do, found, speaks),
        outcome=outcome_of(found),
        reasons=refusals(verdict.reasons, speaks),
        unknowns=unknowns,
        cautions=warnings(verdict.cautions, speaks),
        passed=[entry(one.requirement.name, one.requirement.met, one, speaks) for one in verdict.passed],
        assumed=assumptions(verdict.assumed, speaks) if verdict.assumed else [],
        events=happenings(found.events, speaks),
        pending=pending_question(game, found, speaks, question),
        position=found.position if happened or found.table is not at.position else sent(),
        changes=changes,
        told=found.told,
        issues=issue_entries(game.catalogue, found.issues, at.rules.chosen, speaks),
    )


def unknown(game: Game, fact: Fact, found: Answer, do: Any, speaks: Voice) -> Question:
    """A fact that an action needs and that was not told, as a question."""
    rule = game.sequence_rule if isinstance(do, Continue) else game.action_of(do).rule
    return asked(game, fact, found.position, speaks, do, (rule,))


def at_question(
    game: Game, at: At[Any], do: Any, inputs: list[tuple[str, Any]], found: Answer
) -> At[Any] | None:
    """The position at the question that is asked next; None where nothing is asked."""
    if found.pending is None:
        return None
    if found.refused is None:
        return at.on(found.position)
    return at.on(check(game, at, do, inputs[: found.accepted]).position)


def change_entries(
    game: Game, before: Any, after: Any, speaks: Voice, *, told: bool | UnsetType = UNSET
) -> list[ChangeEntry]:
    """What differs in the position, in words too; what was `told` is marked."""
    found = sorted(codec.changes(before, after), key=lambda change: change[0])
    return [_change(game, *change, speaks, told) for change in found]


def _change(
    game: Game, pointer: str, before: Any, after: Any, speaks: Voice, told: bool | UnsetType
) -> ChangeEntry:
    lang, name = speaks.lang, game.name
    if pointer.startswith(PARTIAL):
        part = _part_said(lang, name, pointer.removeprefix(PARTIAL)) if after is True else UNSET
        return ChangeEntry(pointer, before, after, part, told=told)
    if pointer.startswith(AGENDA):
        return ChangeEntry(pointer, before, after, told=told)
    said = _fact_said(lang, name, pointer)
    return ChangeEntry(
        pointer,
        before,
        after,
        said,
        _value_said(lang, name, pointer, before),
        _value_said(lang, name, pointer, after),
        told,
    )


@lru_cache(maxsize=1024)  # there are not many collections
def _part_said(lang: str, game_name: str, collection: str) -> Text:
    """That a collection is told in part; nobody has to read how a position notes it."""
    return voice(lang).each(lambda reader: wordings.told_in_part(reader, game_name, collection))


@lru_cache(maxsize=4096)  # the same places change again and again
def _fact_said(lang: str, game_name: str, pointer: str) -> Text | UnsetType:
    """What stands at a place of the position, in words."""
    said = wordings.fact(game_name, tuple(parts(pointer)))
    return UNSET if said is None else voice(lang).say(said.message, said.params)


def _value_said(lang: str, game_name: str, pointer: str, told: Any) -> Text | UnsetType:
    """What is told of a fact, in words."""
    if isinstance(told, UnsetType):
        return UNSET
    if isinstance(told, int | str):
        return _plain_value_said(lang, game_name, pointer, told)
    return _any_value_said(lang, game_name, pointer, told)


def _any_value_said(lang: str, game_name: str, pointer: str, told: Any) -> Text:
    game, kind = GAMES[game_name], wordings.type_at(game_name, tuple(parts(pointer)))
    return voice(lang).each(lambda reader: wordings.value(reader, game, kind, told))


_plain_value_said = lru_cache(maxsize=4096, typed=True)(_any_value_said)


def issue_entries(
    catalogue: Catalogue, consulted: Mapping[str, str], chosen: Mapping[str, str], speaks: Voice
) -> list[IssueEntry]:
    """The disputed points that were consulted, how each was read, and whether the player has `chosen` that."""
    return [
        _issue(catalogue.issues[name], read, name in chosen, speaks.lang) for name, read in consulted.items()
    ]


@lru_cache(maxsize=1024)  # there are not many, and each is said in the same words
def _issue(issue: Issue, read: str, by_player: bool, lang: str) -> IssueEntry:
    speaks = voice(lang)
    return IssueEntry(
        id=issue.id,
        name=issue.name,
        chosen=read,
        preferred=issue.preferred,
        text=speaks.say(issue.text, {}),
        reading=speaks.say(issue.choices[read], {}),
        chosen_by="player" if by_player else "default",
    )
