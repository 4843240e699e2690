"""POST …/check: a position and an action in, the verdict with its explanation out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET, Raw, UnsetType

from engine import codec
from engine.actions import Action
from engine.at import At
from engine.catalogue import Catalogue
from engine.game import Answer, Continue, Game, check, prepare
from engine.messages import Message, Ref, message
from engine.pointers import parts
from engine.verdict import ILLEGAL, LEGAL, Fact
from service import wordings
from service.answers import ChangeEntry, CheckAnswer, IssueEntry
from service.forms import Question
from service.languages import Reader, Text, Voice, beside, voice
from service.questions import asked, pending_question
from service.requests import AskedCheck
from service.rules import section
from service.sentences import Reason, entry, happenings, refusals

ALLOWED = message("headline.allowed", "%(action)s (%(section)s) is allowed.")
REFUSED = message("headline.refused", "%(action)s (%(section)s) is not allowed.")
OPEN = message("headline.open", "Whether %(action)s (%(section)s) is allowed depends on what was not told.")
# Julian's aid has no section numbers.
ALLOWED_PLAIN = message("headline.allowed-plain", "%(action)s: this is allowed.")
REFUSED_PLAIN = message("headline.refused-plain", "%(action)s: this is not allowed.")
OPEN_PLAIN = message(
    "headline.open-plain", "%(action)s: whether this is allowed depends on what was not told."
)
SECTION = message("section", "%(section)s")
STEP_OF = message("section.step", "%(section)s step %(step)s")
GOES_ON = message("headline.goes-on", "The procedure goes on.")
FINISHED = message("headline.finished", "The procedure is finished.")
STOPS = message("headline.stops", "The procedure cannot go on.")
DOES_NOT_FIT = message("headline.answer-does-not-fit", "This answer does not fit.")


def answer(game: Game, request: AskedCheck, lang: str) -> CheckAnswer[Any]:
    """The whole answer to one check request, worded in the reader's language."""
    at = prepare(game, request.position, request.choices, request.components)
    return ruling_on(
        game, at, request.sent, request.action, request.inputs, voice(lang), closed=request.closed
    )


def ruling_on(
    game: Game,
    at: At[Any],
    sent: Raw,
    do: Any,
    inputs: list[tuple[str, Any]],
    speaks: Voice,
    *,
    closed: bool = False,
) -> CheckAnswer[Any]:
    """The answer to one action on a position that was read already; `sent` is how it was written.

    What is not open at the question that follows is worked out only where it is asked for (`closed`).
    """
    found = check(game, at, do, inputs)
    verdict = found.verdict
    happened = verdict.ruling == LEGAL
    return CheckAnswer(
        game=game.name,
        lang=speaks.lang,
        ruling=verdict.ruling,  # type: ignore[arg-type]  # the kernel calls it a text
        refused=found.refused,
        accepted=found.accepted,
        headline=headline(game, do, found, speaks),
        reasons=refusals(verdict.reasons, speaks),
        unknowns=[_asked(game, fact, found, do, speaks) for fact in verdict.unknowns],
        cautions=[entry(Reason, one.message.name, one.message, one, speaks) for one in verdict.cautions],
        passed=[
            entry(Reason, one.requirement.name, one.requirement.met, one, speaks) for one in verdict.passed
        ],
        events=happenings(found.events, speaks),
        pending=pending_question(
            game, found, speaks, _at_question(game, at, do, inputs, found) if closed else None
        ),
        position=found.position if happened else sent,
        changes=_changes(game, at.position, found.position, speaks) if happened else [],
        issues=issue_entries(game.catalogue, found.issues.items(), speaks),
    )


def _asked(game: Game, fact: Fact, found: Answer, do: Any, speaks: Voice) -> Question:
    rule = game.sequence_rule if isinstance(do, Continue) else game.action_of(do).rule
    return asked(game, fact, found.position, speaks, do, (rule,))


def _at_question(
    game: Game, at: At[Any], do: Any, inputs: list[tuple[str, Any]], found: Answer
) -> At[Any] | None:
    """The position at the question that is asked next; None where nothing is asked."""
    if found.pending is None:
        return None
    if found.refused is None:
        return at.on(found.position)
    return at.on(check(game, at, do, inputs[: found.accepted]).position)


def headline(game: Game, do: Any, found: Answer, speaks: Voice) -> Text:
    """One sentence: the ruling, and what matters most about it."""
    verdict = found.verdict
    if found.refused == "answer":
        said: tuple[Message, dict[str, Any]] = (DOES_NOT_FIT, {})
    elif isinstance(do, Continue):
        said = (_how_it_goes(found), {})
    else:
        action = game.action_of(do)
        said = _ruled(verdict.ruling, action)
    more: tuple[Message, Any] | None = None
    if verdict.reasons:
        more = (verdict.reasons[0].requirement.refusal, verdict.reasons[0].params)
    elif verdict.unknowns:
        more = (verdict.unknowns[0].question, verdict.unknowns[0].params)
    elif found.pending is not None:
        more = (found.pending.question.message, found.pending.question.params)
    return _joined(speaks, said, more)


def ruled(action: Action, ruling: str, because: tuple[Message, Any] | None, speaks: Voice) -> Text:
    """One sentence on an action kind, and what decides."""
    return _joined(speaks, _ruled(ruling, action), because)


def _how_it_goes(found: Answer) -> Message:
    """A procedure that was gone on with: further on, at its end, or not at all."""
    if found.verdict.ruling != LEGAL:
        return STOPS
    return GOES_ON if found.position.agenda else FINISHED


class SectionRef(Ref):
    """A section number as it is printed: 5.2.4, or 3.1 step 3."""

    __slots__ = ()

    def phrase(self) -> tuple[Message, dict[str, Any]]:
        """The number, and the step if it is one."""
        number, _, step = str(self).partition(".s")
        return (STEP_OF, {"section": number, "step": step}) if step else (SECTION, {"section": number})


def _ruled(ruling: str, action: Action) -> tuple[Message, dict[str, Any]]:
    printed = section(action.rule)
    if printed[0].isdigit():
        said = {LEGAL: ALLOWED, ILLEGAL: REFUSED}.get(ruling, OPEN)
        return said, {"action": action.term, "section": SectionRef(printed)}
    return {LEGAL: ALLOWED_PLAIN, ILLEGAL: REFUSED_PLAIN}.get(ruling, OPEN_PLAIN), {"action": action.term}


def capital(said: str) -> str:
    """A sentence opened by a term, with its first letter in upper case."""
    return said[:1].upper() + said[1:]


def _joined(speaks: Voice, first: tuple[Message, Any], then: tuple[Message, Any] | None) -> Text:
    """One sentence, or two one after the other."""
    return speaks.each(lambda reader: _one_after_the_other(reader, first, then))


def _one_after_the_other(speaks: Reader, first: tuple[Message, Any], then: tuple[Message, Any] | None) -> str:
    one = capital(speaks.say(*first))
    return one if then is None else beside(one, speaks.say(*then), speaks.lang)


def _changes(game: Game, before: Any, after: Any, speaks: Voice) -> list[ChangeEntry]:
    """What differs in the position, in words too."""
    found = sorted(codec.changes(before, after), key=lambda change: change[0])
    return [_change(game, *change, speaks) for change in found]


def _change(game: Game, pointer: str, before: Any, after: Any, speaks: Voice) -> ChangeEntry:
    path = tuple(parts(pointer))
    said, kind = wordings.fact(game.name, path), wordings.type_at(game.name, path)

    def worded(told: Any) -> Text | UnsetType:
        if told is UNSET or path[0] == "agenda":
            return UNSET
        return speaks.each(lambda reader: wordings.value(reader, game, kind, told))

    return ChangeEntry(
        pointer,
        before,
        after,
        UNSET if said is None else speaks.say(said.message, said.params),
        worded(before),
        worded(after),
    )


def issue_entries(
    catalogue: Catalogue, consulted: Iterable[tuple[str, str]], speaks: Voice
) -> list[IssueEntry]:
    """The disputed points that were consulted, and how they were read."""
    return [
        IssueEntry(
            id=issue.id,
            name=issue.name,
            chosen=chosen,
            preferred=issue.preferred,
            text=speaks.say(issue.text, {}),
        )
        for issue, chosen in ((catalogue.issues[name], chosen) for name, chosen in consulted)
    ]
