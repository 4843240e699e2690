"""“May I …?”: an action, whom it concerns, only the facts that matter, and the ruling with its reasons and chances.

Nothing is kept: every answer is one more part of the address, so that going back takes it back and a ruling can be sent
to a friend. A part whose name is a pointer tells a fact; `input` is an answer to what the action asks on its way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

import msgspec
from flask import request
from msgspec import UNSET, Raw, Struct, inspect, structs
from werkzeug.exceptions import BadRequest, NotFound

from engine import codec, transcript
from engine.actions import Action
from engine.exceptions import Unreadable
from engine.game import Game, prepare
from engine.pointers import parts
from engine.shapes import shape
from engine.telling import Table, tell
from engine.transcript import Move
from engine.verdict import ILLEGAL, LEGAL
from service import checks, forms, problems, rules, transcripts, wordings
from service.forms import PendingQuestion, Question
from service.languages import Reader, capital, reader
from service.pages import foresight, pads, shell, walks, words
from service.pages.conversation import is_short
from service.pages.foresight import PLACES
from service.pages.judging import lines, odds_on
from service.pages.lookup import game_of, titles
from service.pages.start import begun_from
from service.pages.table import Board
from service.pages.tables import board_of
from service.pages.told import READINGS, Told, read
from service.pages.walks import Given
from service.play_kept import Reading
from service.play_routes import served
from service.play_starts import Start
from service.questions import parameters
from service.several import tells
from service.typed_forms import NONE, NONE_OF_SEVERAL

screen = shell.screens("may")
ACTION = "/action/"
FEW = 4  # things that are named one by one
SEVERAL = 3  # actions of a section that get a heading of their own
DEAREST = 9
COST: dict[Any, int] = {  # how much it takes to answer: cheap questions come first
    forms.YesNo: 0,
    forms.Number: 1,
    forms.One: 2,
    forms.Die: 2,
    forms.Name: 3,
    forms.Some: 4,
    forms.Counters: 5,
    forms.Record: 6,
}

words.sentences(
    {
        "may.title": "May I …?",
        "may.rest": "Everything else",
        "may.what": "What do you want to do?",
        "may.allowed": "Allowed",
        "may.refused": "Not allowed",
        "may.depends": "It depends",
        "may.because": "Why",
        "may.told": "Told",
        "may.taken": "Taken for granted",
        "may.take-back": "Take back: %(fact)s",
        "may.correct": "Correct this: %(fact)s",
        "may.also": "May also be said",
        "may.unknown": "I don't know",
        "may.allowed-if": "Allowed if %(values)s.",
        "may.fact-allowed-if": "%(fact)s: allowed if %(values)s.",
        "may.or": "%(one)s or %(other)s",
        "may.still": "It depends on what is not known:",
        "may.go-on": "Go on from here as a game",
        "may.begin-again": "Another question",
        "may.chances": "Chances",
        "may.not-so": "This cannot be so:",
        "may.none": "%(question)s None.",
        "may.nothing-else": "Nothing else there (%(count)s)",
        "may.marked": "Answers with a thick frame are allowed, unless something that is not known yet forbids it; pale ones are not.",
        "may.several": "More than one",
    }
)


# -- which action ------------------------------------------------------------------------------------


class Choice(Struct, frozen=True):
    """An action by its name."""

    kind: str
    title: str


@screen.get("/may/<game>")
def which(game: str) -> Any:
    """What do you want to do? Grouped as in the player aid."""
    played = game_of(game)
    return shell.page("may.html", game=game, games=titles(), groups=list(_groups(played)))


def _groups(game: Game) -> Iterator[tuple[str, list[Choice]]]:
    """Actions under the section they belong to, what Families do first; those of small sections last, together."""
    speaks = reader(shell.lang())
    found: dict[str, list[Action]] = {}
    for action in game.actions.values():
        found.setdefault(_section_of(game, action), []).append(action)
    rest: list[Choice] = []
    titled = False
    for rule, actions in sorted(found.items(), key=lambda one: (-_by_families(one[1]), _place(one[0]))):
        title, _ = game.catalogue.texts[rule]
        choices = [Choice(one.name, _named(one, actions, speaks)) for one in actions]
        if len(actions) < SEVERAL:
            rest += choices
        else:
            titled = True
            yield speaks.say(title, {}), choices
    if rest:
        yield words.sayer(shell.lang())("may.rest") if titled else "", rest


def _by_families(actions: list[Action]) -> int:
    return sum(one.subject == "family" for one in actions)


def _place(rule: str) -> list[tuple[int, str]]:
    return [(int(part) if part.isdigit() else 99, part) for part in rule.partition(":")[2].split(".")]


def _section_of(game: Game, action: Action) -> str:
    """The section an action belongs to: 5.2 for 5.2.4 where it has several, else 5."""
    below = _cut(action.rule, 2)
    same = [one for one in game.actions.values() if _cut(one.rule, 2) == below]
    wanted = (below, _cut(action.rule, 1)) if len(same) >= SEVERAL else (_cut(action.rule, 1), below)
    return next(rule for rule in (*wanted, action.rule) if rule in game.catalogue.texts)


def _cut(rule: str, many: int) -> str:
    before, _, number = rule.partition(":")
    return f"{before}:{'.'.join(number.split('.')[:many])}"


def _named(action: Action, others: list[Action], speaks: Reader) -> str:
    """An action by its name; by its sentence where another has the same name."""
    if sum(one.term == action.term for one in others) > 1:
        return speaks.say(action.says, {})
    return _term(action, speaks)


def _term(action: Action, speaks: Reader) -> str:
    return capital(wordings.thing(speaks, action.term))


# -- the ruling --------------------------------------------------------------------------------------


class Chip(Struct, frozen=True):
    """Something that was told, and the address without it."""

    text: str
    href: str


class Granted(Struct, frozen=True):
    """A question whose answer is taken for granted."""

    question: Question
    answer: Any


class Ruled(Struct, frozen=True, kw_only=True):
    """What is known of the question so far: the ruling if there is one, and what is asked next."""

    ruling: str = ""
    answer: Any = None
    question: Any = None
    told_by: str = ""  # the pointer the answer belongs to, or the name of an input
    position: Any = None
    taken: tuple[Granted, ...] = ()
    refused: tuple[Any, ...] = ()  # answers to the question that are known to be refused
    allowed: tuple[Any, ...] = ()  # and those that are allowed where nothing else lies on the table
    answers: list[str] = []  # given on the way, in words
    issues: tuple[Any, ...] = ()  # disputed points that this rests on
    do: Any = None
    wrong: str = ""


Weigh = Callable[[tuple[Granted, ...]], Ruled]


@screen.get("/may/<game>/<kind>")
def may(game: str, kind: str) -> Any:
    """Ask what matters, and rule."""
    played = game_of(game)
    action = played.actions.get(kind)
    if action is None:
        raise NotFound
    told = read(played, request.args)
    ruled = _ruled(played, action, told)
    base = f"/may/{game}/{kind}"
    if ruled.question is not None and request.args.get("said"):
        return shell.see(f"{base}?{_answered(told, ruled).query()}")
    chances = _chances(played, ruled, told)
    return shell.page(
        "may_ask.html",
        game=game,
        kind=kind,
        title=_term(action, reader(shell.lang())),
        rule=action.rule,
        base=base,
        told=told,
        ruled=ruled,
        changes=[one for one in ruled.answer.changes if _is_news(one)] if ruled.answer is not None else [],
        chips=list(_chips(played, action, told, ruled, base)),
        taken=list(_taken(played, action, ruled, told, base)),
        optional=list(_optional(played, action, ruled, told, base)) if ruled.do is not None else [],
        pad=_pad(ruled, told),
        skip=_skip(ruled, told, base),
        allowed_if=_allowed_if(played, ruled),
        chances=chances,
        issues=list(_issues(ruled, chances)),
        lines=lines,
        **_for_pads(played, told, ruled),
    )


def _is_news(change: Any) -> bool:
    """Is this a short change, and of more than that nothing is there of which nothing was told?"""
    return is_short(change) and not (change.before is UNSET and change.to is None)


def _for_pads(game: Game, told: Told, ruled: Ruled) -> dict[str, Any]:
    lang = shell.lang()

    def board() -> Board:
        return board_of(game, _prepared(game, told, ruled.taken))

    return pads.helpers(lang, words.sayer(lang), board, refused=ruled.refused, allowed=ruled.allowed)


def _ruled(game: Game, action: Action, told: Told) -> Ruled:
    """Ask for the action itself, then for the facts it needs, then rule."""
    speaks = reader(shell.lang())
    about = {
        name.removeprefix(ACTION): value for name, value in told.facts.items() if name.startswith(ACTION)
    }
    missing = _missing(game, action, about, told, speaks)
    try:
        _table(game, told, ())  # what cannot be so is said at once
        if missing is not None:
            return _before(game, action, about, missing, told, speaks)
        do = codec.read({"kind": action.name, **about}, action.kind, "/action")
        return _granting(action, lambda taken: _weighed(game, do, told, taken, speaks), about, told)
    except Unreadable as error:
        return Ruled(wrong=problems.sentences(problems.unreadable(error), speaks))


def _granting(action: Action, weigh: Weigh, about: dict[str, Any], told: Told) -> Ruled:
    """Rule on what is told; what goes without saying is taken for granted as long as it refuses nothing."""
    ruled = weigh(())
    while (answer := _granted(action, ruled.question, about, told)) is not UNSET:
        further = weigh((*ruled.taken, Granted(ruled.question, answer)))
        if further.ruling == ILLEGAL:
            break
        ruled = further
    return ruled


def _granted(action: Action, question: Any, about: dict[str, Any], told: Told) -> Any:
    """The answer that goes without saying; none to what the reader wants to tell, or to what is asked on the way."""
    if question is None or isinstance(question, PendingQuestion):
        return UNSET
    if question.pointer == told.asks or str(question.pointer).startswith(ACTION):
        return UNSET
    return foresight.granted(question, list(about.values()), names_somebody=_names_somebody(action, about))


def _before(
    game: Game, action: Action, about: dict[str, Any], missing: Question, told: Told, speaks: Reader
) -> Ruled:
    """Before the last parameter is named: refuse what no answer mends, ask what matters with any, then for it."""
    asks = Ruled(question=missing, told_by=str(missing.pointer))
    possible = [] if missing.pointer == told.asks else foresight.ways(action, about, missing)
    if not possible:
        return asks
    at = _prepared(game, told, ())
    seen = foresight.look(game, at, possible)
    issues = tuple(checks.issue_entries(game.catalogue, seen.issues, at.rules.chosen, speaks))
    if seen.against:
        known = _weighed(game, seen.left[0].do, told, (), speaks)
        reasons = [one for one in known.answer.reasons if (one.name, one.pointer) in seen.against]
        return structs.replace(known, answer=_because(known.answer, reasons), issues=issues, do=None)

    def matters(taken: tuple[Granted, ...]) -> Ruled:
        known = _weighed(game, seen.left[0].do, told, taken, speaks)
        if known.ruling == ILLEGAL:
            return known
        unknown = _cheapest([one for one in known.answer.unknowns if seen.needs(one)], told)
        return Ruled(question=unknown, told_by=str(unknown.pointer) if unknown else "", taken=taken)

    ruled = _granting(action, matters, about, told)
    if ruled.question is not None:
        return ruled

    def table(more: dict[str, Any]) -> Any:
        return _prepared(game, structs.replace(told, facts={**more, **told.facts}), ruled.taken)

    allowed = foresight.allowed(game, table, seen.left, speaks.lang)
    marked = structs.replace(asks, taken=ruled.taken, refused=seen.refused, allowed=allowed, issues=issues)
    return structs.replace(marked, ruling=LEGAL) if allowed else marked


def _because(answer: Any, reasons: list[Any]) -> Any:
    """The same ruling for these reasons alone."""
    return structs.replace(answer, reasons=reasons, cautions=[], unknowns=[])


def _weighed(game: Game, do: Any, told: Told, taken: tuple[Granted, ...], speaks: Reader) -> Ruled:
    """The ruling on what is told and taken for granted, and what is asked next."""
    at = _prepared(game, told, taken)
    move = Move(do, tuple(codec.read_inputs(list(told.inputs))))
    played = transcript.play(game, at, move)
    found = played.answer
    answer = checks.worded(
        game, at, do, move.inputs, found, lambda: Raw(msgspec.json.encode(at.position)), speaks
    )
    given = [str(one.text) for one in transcripts.move_entry(game, 1, played, speaks).answers]
    known = {
        "ruling": answer.ruling,
        "answer": answer,
        "answers": given,
        "issues": tuple(answer.issues),
        "do": do,
        "position": found.position,
        "taken": taken,
    }
    if answer.ruling == ILLEGAL and found.refused != "answer":
        return Ruled(**known)
    unknown = _cheapest(answer.unknowns, told)
    if unknown is not None:
        return Ruled(**known, question=unknown, told_by=str(unknown.pointer))
    waits = answer.pending
    if waits is not None and waits.kind != "fact" and waits.form is not UNSET:  # a fact may be left open
        return Ruled(**known, question=waits, told_by=waits.input)
    return Ruled(**known)


def _prepared(game: Game, told: Told, taken: tuple[Granted, ...]) -> Any:
    """The table as the engine sees it; who wants to tell what it takes for granted is asked for it."""
    table = _table(game, told, taken)
    at = prepare(game, table.position, table.choices, table.components)
    if not at.rules.may_assume(told.asks):
        return at
    return prepare(game, table.position, table.choices, table.components, assume=False)


def _table(game: Game, told: Told, taken: tuple[Granted, ...]) -> Table:
    """The table as far as it was told, and taken for granted."""
    empty = Table(game.position(), {}, served().printed[game.name])
    facts = {pointer: value for one in taken for pointer, value in tells(one.question, one.answer).items()}
    facts |= {name: value for name, value in told.facts.items() if not name.startswith(ACTION)}
    return tell(game, empty, list(facts.items()), "")


def _missing(
    game: Game, action: Action, about: dict[str, Any], told: Told, speaks: Reader
) -> Question | None:
    """The first parameter that the action cannot do without, or that the reader wants to tell."""
    found = shape(action.kind)
    assert isinstance(found, inspect.StructType)  # noqa: S101  an action is one
    required = {field.encode_name for field in found.fields if field.required}
    for question in parameters(game, action, speaks):
        key = str(question.pointer).removeprefix(ACTION)
        if key not in about and (key in required or question.pointer == told.asks):
            return question
    return None


def _cheapest(unknowns: list[Question], told: Told) -> Question | None:
    """The fact that is easiest to tell, of those that are not left open."""
    open_ones = [one for one in unknowns if one.pointer not in told.skipped and one.form is not UNSET]
    wanted = [one for one in open_ones if one.pointer == told.asks]
    return min(wanted or open_ones, key=lambda one: COST.get(type(one.form), DEAREST), default=None)


def _names_somebody(action: Action, about: dict[str, Any]) -> bool:
    fields = (action.subject,) if isinstance(action.subject, str) else action.subject
    return any(name in about for name in fields)


# -- the next question -------------------------------------------------------------------------------


def _pad(ruled: Ruled, told: Told) -> Any:
    if ruled.question is None:
        return None
    pad = walks.walk(ruled.question.form, told.steps)
    return None if isinstance(pad, Given) else pad


def _answered(told: Told, ruled: Ruled) -> Told:
    """What is told with one more step of an answer."""
    pad = walks.walk(ruled.question.form, told.steps)
    if isinstance(pad, Given):
        raise BadRequest
    steps = (*told.steps, walks.step_of(pad, request.args))
    went = walks.walk(ruled.question.form, steps)
    if not isinstance(went, Given):
        return structs.replace(told, steps=steps)
    if isinstance(ruled.question, PendingQuestion) and ruled.question.input != "tell":
        given = {ruled.told_by: went.value}
        kept = told.inputs[: ruled.answer.accepted] if ruled.answer.refused == "answer" else told.inputs
        return structs.replace(told, inputs=(*kept, given), steps=())
    return structs.replace(told, facts={**told.facts, **tells(ruled.question, went.value)}, steps=(), asks="")


def _skip(ruled: Ruled, told: Told, base: str) -> str:
    """The address at which the present fact is left open."""
    if ruled.question is None or isinstance(ruled.question, PendingQuestion):
        return ""
    if ruled.told_by.startswith(ACTION):
        return ""
    return f"{base}?{structs.replace(told, skipped=(*told.skipped, ruled.told_by), steps=()).query()}"


def _allowed_if(game: Game, ruled: Ruled) -> str:
    """With which answers to the present question it is allowed, where that is known."""
    question = ruled.question
    if question is None or not isinstance(question.settles, list):
        return ""
    say = words.sayer(shell.lang())
    open_with = [str(one.when_text) for one in question.settles if one.ruling == LEGAL]
    if not 0 < len(open_with) < len(question.settles):
        return ""
    values = reduce(lambda one, other: say("may.or", one=one, other=other), open_with)
    path = tuple(parts(str(question.pointer)))
    fact = None if path[0] in ("action", "components") else wordings.fact(game.name, path)
    if fact is None or isinstance(question.form, forms.YesNo):
        return str(say("may.allowed-if", values=values))
    label = reader(shell.lang()).tell(fact.message, fact.params)
    return str(say("may.fact-allowed-if", fact=label, values=values))


# -- what is said about it ---------------------------------------------------------------------------


def _chips(game: Game, action: Action, told: Told, ruled: Ruled, base: str) -> Iterator[Chip]:
    """Everything that was told, each to be taken back; an answer on the way together with those behind it."""
    speaks = reader(shell.lang())
    nothing = [pointer for pointer, value in told.facts.items() if pointer.startswith(PLACES) and not value]
    for pointer, value in told.facts.items():
        if pointer not in nothing:
            text = _fact(game, action, pointer, value, speaks)
            yield Chip(text, f"{base}?{told.without([pointer]).query()}")
    if nothing:
        text = speaks.say(words.PAGE["may.nothing-else"], {"count": len(nothing)})
        yield Chip(text, f"{base}?{told.without(nothing).query()}")
    for number, text in enumerate(ruled.answers):
        without = structs.replace(told, inputs=told.inputs[:number], steps=())
        yield Chip(text, f"{base}?{without.query()}")


def _fact(game: Game, action: Action, pointer: str, value: Any, speaks: Reader) -> str:
    """A fact in words."""
    path = tuple(parts(pointer))
    if pointer.startswith(READINGS):
        return _reading(game, path[1], value, speaks)
    if pointer.startswith(ACTION):
        return _parameter(game, action, path[1], value, speaks)
    said = wordings.fact(game.name, path)
    label = path[-1] if said is None else speaks.say(said.message, said.params)
    try:
        text = wordings.value(speaks, game, wordings.type_at(game.name, path), value)
    except (KeyError, TypeError, ValueError, AttributeError):
        text = str(value)
    return speaks.say(words.PAGE["table.is"], {"label": label, "value": text})


def _reading(game: Game, name: str, value: Any, speaks: Reader) -> str:
    """How a disputed point is read, in words; one that is none as it was told."""
    for issue in rules.issues(game, name):
        for one in rules.issue_entry(issue, speaks).choices:
            if one.value == value:
                return f"≠ {issue.id} · {one.text}"
    return f"≠ {name} · {walks.said(value)}"


def _parameter(game: Game, action: Action, field: str, value: Any, speaks: Reader) -> str:
    if field not in action.kind.__struct_encode_fields__:
        return str(value)
    question = next(one for one in parameters(game, action, speaks) if one.pointer == f"{ACTION}{field}")
    if not value and isinstance(value, list | dict):
        return speaks.say(words.PAGE["may.none"], {"question": str(question.text)})
    if isinstance(value, str | int):
        said = wordings.with_label(speaks, game, action.kind, field, value)
        return capital(said or _option(question, value) or str(value))
    return wordings.value(speaks, game, wordings.type_in(action.kind, field), value)


def _option(question: Question, value: Any) -> str:
    """How an answer is called among those that the question offers."""
    options = getattr(question.form, "options", UNSET) or ()
    return next((str(one.text) for one in options if walks.same(one.value, value)), "")


def _taken(game: Game, action: Action, ruled: Ruled, told: Told, base: str) -> Iterator[Chip]:
    """What was taken for granted, each to be told otherwise."""
    speaks = reader(shell.lang())
    for one in ruled.taken:
        pointer = str(one.question.pointer)
        address = structs.replace(told, asks=pointer, steps=())
        said = _none_of(game, one.question, speaks) if one.answer == [] else ""
        text = said or _fact(game, action, pointer, one.answer, speaks)
        yield Chip(text, f"{base}?{address.query()}")
    for assumed in getattr(ruled.answer, "assumed", []):
        address = structs.replace(told, asks=assumed.pointer, steps=())
        yield Chip(str(assumed.text), f"{base}?{address.query()}")


def _none_of(game: Game, question: Question, speaks: Reader) -> str:
    """That nothing of what is asked for lies there: by its name and place where that is short."""
    form: Any = question.form
    fields = dict.fromkeys(pointer.rpartition("/")[2] for pointer in form.otherwise)
    in_short = len(fields) <= FEW and all(pointer.startswith(PLACES) for pointer in form.otherwise)
    if not in_short or not all(field in game.names.labels for field in fields):
        return speaks.say(words.PAGE["may.none"], {"question": str(question.text)})
    things = speaks.listed(capital(wordings.thing(speaks, game.names.labels[field])) for field in fields)
    rows = dict.fromkeys(row for row in pads.by_group(form.options))
    places = dict.fromkeys(row.rpartition("#")[0].strip() or row for row in rows)
    label = f"{things} · {speaks.listed(rows if len(rows) == 1 else places)}" if len(places) == 1 else things
    none = speaks.say(NONE if len(fields) == 1 else NONE_OF_SEVERAL, {})
    return speaks.say(words.PAGE["table.is"], {"label": label, "value": none})


def _optional(game: Game, action: Action, ruled: Ruled, told: Told, base: str) -> Iterator[Chip]:
    """Parameters that may also be told; lists and names only where nothing is asked, which may be just these."""
    for question in parameters(game, action, reader(shell.lang())):
        is_plain = isinstance(question.form, forms.YesNo | forms.Number | forms.One)
        if question.pointer not in told.facts and (is_plain or ruled.question is None):
            address = structs.replace(told, asks=str(question.pointer), inputs=(), steps=())
            yield Chip(str(question.text), f"{base}?{address.query()}")


def _issues(ruled: Ruled, chances: Any) -> Iterator[Any]:
    """The disputed points that the ruling or its chances rest on, each number once."""
    both = [*ruled.issues, *(chances.issues if chances is not None else ())]
    return iter({one.id: one for one in both}.values())


def _chances(game: Game, ruled: Ruled, told: Told) -> Any:
    """How it may come out, where dice or a draw decide next."""
    waits = ruled.answer is not None and ruled.answer.pending
    if not waits or ruled.ruling != LEGAL or waits.kind != "chance":
        return None
    table = _table(game, told, ruled.taken)
    reading = Reading(table.choices, table.components)
    return odds_on(game, table.position, reading, ruled.do, codec.read_inputs(list(told.inputs)))


@screen.post("/may/<game>/<kind>")
def as_a_game(game: str, kind: str) -> Any:
    """Go on from here as a game that is kept."""
    played = game_of(game)
    action = played.actions.get(kind)
    if action is None:
        raise NotFound
    told = read(played, request.args)
    ruled = _ruled(played, action, told)
    table = _table(played, told, ())
    position = table.position if ruled.position is None or ruled.ruling != LEGAL else ruled.position
    return begun_from(Start(played, position, Reading(table.choices, table.components)))
