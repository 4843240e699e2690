"""`ruleglot play`: the companion at the table. It asks, says what happens and why, and forgets nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ruleglot.asking import Asking
from ruleglot.errors import Problem
from ruleglot.printing import print_answer, print_chart_place, print_hits, print_reasons, print_rule
from ruleglot.session import Draft, Saved, State, save
from ruleglot.talking import Said, Talk, sections, sentences
from ruleglot.typed_answers import LEFT_OUT, Choice, answer, choose, show
from ruleglot.words import PLAY, section_words
from service.terms import LANGUAGES

CONTINUE = {"kind": "continue"}
Json = dict[str, Any]
Why = Callable[[], None]


class Companion:
    """Leads through one game."""

    def __init__(self, asks: Asking, talk: Talk, file: Path, report: Callable[[str, Json, str], str]) -> None:
        self._asks = asks
        self._talk = talk
        self._file = file
        self._report = report
        self._game = ""
        self._state = State({}, {})
        self._before: list[State] = []
        self._later: list[str] = []  # facts that will be told later, the last one last

    # -- beginning and ending ----------------------------------------------------------------------

    def play(self, saved: Saved | None) -> None:
        """Go on with a game, or begin one, until somebody has enough."""
        self._talk.say(PLAY["welcome"])
        self._talk.say(PLAY["saved-in"], file=str(self._file))
        try:
            if saved is None:
                self._commanded(self._begin, lambda: None)
            else:
                self._resume(saved)
            while True:
                self._commanded(self._next, self._why_nothing)
        except Said:
            self._talk.say(PLAY["goodbye"], file=str(self._file))

    def _resume(self, saved: Saved) -> None:
        self._game, self._state = saved.game, saved.state
        self._talk.say(PLAY["resumed"], moves=len(self._state.moves))

    def _begin(self) -> None:
        games = self._asks.games(lang=self._talk.lang)["games"]
        self._talk.say(PLAY["which-game"])
        named = [
            Choice(str(place), one["name"], str(one["title"])) for place, one in enumerate(games, start=1)
        ]
        self._game = choose(named, self._talk)
        set_ups = self._asks.scenarios(self._game, lang=self._talk.lang)["scenarios"]
        begins = [
            Choice(str(place), one, f"{one['id']} {one['title']}")
            for place, one in enumerate(set_ups, start=1)
        ]
        begins.append(Choice(str(len(begins) + 1), None, self._talk.words(PLAY["from-table"])))
        if len(begins) > 1:
            self._talk.say(PLAY["which-begin"])
        scenario = choose(begins, self._talk) if len(begins) > 1 else None
        if scenario is None:
            self._now(State({}, {}))
            return
        self._talk.write(str(scenario["text"]))
        opened = State(scenario["position"], scenario["position"], open=tuple(scenario["choices"]))
        self._now(opened)

    # -- what is said at every question ------------------------------------------------------------

    def _commanded(self, ask: Callable[[], None], why: Why) -> None:
        """Ask something; where a command is said instead, obey, and ask again."""
        try:
            ask()
        except Problem as problem:
            self._talk.write(f"  {problem.detail}")
            if not self._before:
                raise Said("quit") from None  # what cannot be read does not get better by asking again
            self._state = self._before.pop()
        except Said as said:
            if said.command == "quit":
                raise
            self._obey(said, why)

    def _obey(self, said: Said, why: Why) -> None:
        if said.command == "undo":
            self._undo()
        elif said.command == "why":
            why()
        elif said.command == "lang":
            self._speak(said.rest)
        elif said.command == "ask":
            print_hits(
                self._asks.rules(self._game, said.rest or "?", limit=3, lang=self._talk.lang),
                self._talk.write,
            )
        elif said.command == "report":
            self._talk.write(self._report(self._game, self._state.transcript(), self._talk.lang))

    def _speak(self, lang: str) -> None:
        if not self._talk.speak(lang.lower()):
            self._talk.say(PLAY["languages"], languages=", ".join(LANGUAGES), example=LANGUAGES[-1])

    def _undo(self) -> None:
        if not self._before:
            self._before = self._led_here()
        if not self._before:
            self._talk.say(PLAY["nothing-to-undo"])
            return
        self._state = self._before.pop()
        self._keep()
        self._talk.say(PLAY["undone"])

    def _led_here(self) -> list[State]:
        """The states before each move, played again: after a pause nobody remembers them."""
        found: list[State] = []
        state = replace(self._state, position=self._state.start, moves=(), told={}, open=(), draft=None)
        for move in self._state.moves:
            found.append(state)
            laid_over = {**state.position, **move.get("position", {})}
            came = self._checked(laid_over, move["action"], move["inputs"])
            if came["ruling"] != "legal":
                return found
            state = replace(state, position=came["position"], moves=(*state.moves, move))
        return found

    # -- one question after the other --------------------------------------------------------------

    def _next(self) -> None:
        """What is to be asked now: a fact for what waits, the set-up, the chart under way, or what is done."""
        if self._state.draft is not None:
            self._try(self._state.draft)
        elif self._state.open:
            self._ask_set_up(self._state.open[0])
        elif self._state.position.get("agenda"):
            self._go_on()
        elif self._state.position.get("outcome"):
            self._end()
        else:
            self._menu()

    def _end(self) -> None:
        self._talk.say(PLAY["over"])
        self._talk.write(self._report(self._game, self._state.transcript(), self._talk.lang))
        raise Said("quit")

    def _ask_set_up(self, question: Mapping[str, Any]) -> None:
        self._talk.write(sentences(question))
        told = self._answered(question, optional=True)
        rest = replace(self._state, open=self._state.open[1:])
        self._now(rest if told is LEFT_OUT else rest.tell(question["pointer"], told))

    def _go_on(self) -> None:
        """The chart under way: its question, or the fact that it needs."""
        came = self._checked(self._state.position, CONTINUE)
        pending = came["pending"]
        if (
            pending is None or pending["kind"] == "fact" or came["events"]
        ):  # what a fact has led to comes first
            self._came(came, Draft(CONTINUE))
            return
        print_chart_place(pending, self._talk.write)
        self._talk.write(f"{sentences(pending)}{sections(pending.get('rules'), self._talk.lang)}")
        given = self._answered(pending)
        self._try(Draft(CONTINUE, ({pending["input"]: given},)))

    def _answered(self, question: Mapping[str, Any], *, optional: bool = False) -> Any:
        """The answer to a question; `why` says what it rests on."""
        form = question.get("form") or {"type": "json"}
        while True:
            try:
                return answer(form, self._talk, optional=optional)
            except Said as said:
                if said.command == "why":
                    self._why(question)
                    self._talk.write(sentences(question))
                elif said.command == "?":
                    show(form, self._talk)
                else:
                    raise

    def _try(self, draft: Draft) -> None:
        """Carry out an action, or say why not, or ask for the fact that decides."""
        self._came(self._checked(self._state.position, draft.action, draft.inputs), draft)

    def _came(self, came: Mapping[str, Any], draft: Draft) -> None:
        stopped = draft == Draft(CONTINUE) and bool(came["unknowns"])  # it goes on once the fact is told
        if came["ruling"] == "legal" and not stopped:
            print_reasons("!", came["cautions"], self._talk.write, self._talk.lang)
            print_reasons("→", came["events"], self._talk.write, self._talk.lang)
            self._now(self._state.moved(draft, came["position"]))
        elif came["ruling"] == "illegal":
            print_answer(came, self._talk.write, asked=False)
            if self._state.draft is not None:
                self._now(replace(self._state, draft=None))
        else:
            self._facts(came, draft)

    def _facts(self, came: Mapping[str, Any], draft: Draft) -> None:
        """Ask for the first fact that was not told, those put off last; the action waits for it."""
        if not came["unknowns"]:
            print_answer(came, self._talk.write, asked=False)
            raise Said("quit")
        waiting = None if draft == Draft(CONTINUE) else draft
        if self._state.draft != waiting:  # what was said so far is not said again
            self._now(replace(self._state, draft=waiting))
        later = {pointer: place for place, pointer in enumerate(self._later)}
        first, *others = sorted(came["unknowns"], key=lambda one: later.get(one["pointer"], -1))
        self._talk.write(f"{sentences(first)}{sections(first.get('rules'), self._talk.lang)}")
        pointer, told = first["pointer"], self._answered(first, optional=bool(others))
        self._later = [one for one in self._later if one != pointer]
        if told is LEFT_OUT:  # it is asked again when the others are told
            self._later.append(pointer)
            return
        self._now(self._told(first, told))

    def _told(self, question: Mapping[str, Any], value: Any) -> State:
        """Where the game stands once a question is answered; one about several facts tells each of them."""
        pointer: str = question["pointer"]
        if pointer.startswith(("/components/", "/action/")):
            return self._state.tell(pointer, value)
        if not question.get("pointers"):
            return self._state.told_of_table(self._game, {pointer: value})
        chosen = value if isinstance(value, list) else [value] if isinstance(value, dict) else []
        facts = {
            **question["form"]["otherwise"],
            **{key: told for one in chosen for key, told in one.items()},
        }
        return self._state.told_of_table(self._game, facts)

    # -- what is done ------------------------------------------------------------------------------

    def _menu(self) -> None:
        found = self._asks.options(
            self._game, self._state.position, components=self._state.components or None, lang=self._talk.lang
        )
        self._talk.say(PLAY["what-now"])
        depends = self._talk.words(PLAY["depends"])
        open_ways = [one for one in found["options"] if one["ruling"] != "illegal"]
        ways = sorted(open_ways, key=lambda one: one["ruling"] != "legal")  # what is known comes first
        kinds = [
            Choice(
                str(place),
                one,
                f"{one['term']} ({section_words(one['section'], self._talk.lang)})"
                + ("" if one["ruling"] == "legal" else f" – {depends}"),
                names=(one["kind"], str(one["term"])),
            )
            for place, one in enumerate(ways, start=1)
        ]
        self._try(Draft(self._chosen(kinds, found)))

    def _chosen(self, kinds: list[Choice], found: Mapping[str, Any]) -> Json:
        while True:
            kind = None
            try:
                kind = choose(kinds, self._talk)
                return self._way(kind)
            except Said as said:
                if said.command == "undo" and kind is not None:
                    continue  # only the action is taken back that was just chosen
                if said.command != "why":
                    raise
                self._talk.say(PLAY["not-allowed-now"])
                for one in found["options"]:
                    if one["ruling"] == "illegal":
                        self._talk.write(f"  ✗ {one['headline']}")

    def _way(self, kind: Mapping[str, Any]) -> Json:
        """The action itself: one of those that are allowed, or in detail."""
        ways = [
            Choice(str(place), one, f"{one['text']}{_price(one['cost'])}")
            for place, one in enumerate(kind["actions"], start=1)
        ]
        if kind["complete"] and len(ways) == 1:
            return self._with_asked(ways[0].value, kind)
        if not ways:
            return self._in_detail(kind["kind"])
        self._talk.say(PLAY["which-way"])
        if not kind["complete"]:
            ways.append(Choice(str(len(ways) + 1), None, self._talk.words(PLAY["other-way"])))
        way = choose(ways, self._talk)
        return self._in_detail(kind["kind"]) if way is None else self._with_asked(way, kind)

    def _with_asked(self, way: Mapping[str, Any], kind: Mapping[str, Any]) -> Json:
        """An action with what has to be said of it yet."""
        action: Json = dict(way["action"])
        wanted = way.get("asks") or ()
        for question in (one for one in kind["asks"] if one["pointer"] in wanted):
            self._parameter(action, question, optional=False)
        return action

    def _in_detail(self, kind: str) -> Json:
        """An action from its parameters, asked for one by one."""
        known = next(
            one
            for one in self._asks.actions(self._game, lang=self._talk.lang)["actions"]
            if one["kind"] == kind
        )
        needed = known["parameters"].get("required", ())
        action: Json = {"kind": kind}
        for question in known["asks"]:
            self._parameter(action, question, optional=question["pointer"].rpartition("/")[2] not in needed)
        return action

    def _parameter(self, action: Json, question: Mapping[str, Any], *, optional: bool) -> None:
        self._talk.write(sentences(question))
        given = self._answered(question, optional=optional)
        if given is not LEFT_OUT:
            action[question["pointer"].rpartition("/")[2]] = given

    # -- why ---------------------------------------------------------------------------------------

    def _why(self, question: Mapping[str, Any]) -> None:
        """The rules that a question rests on, and what is not open to it."""
        rules = question.get("rules") or ()
        if rules:
            self._talk.say(PLAY["reasons"])
        for rule in rules:
            found = self._asks.rule(self._game, rule, lang=self._talk.lang)
            print_rule(found, self._talk.write, self._talk.lang)
        shut = self._shut() if question.get("kind") == "decision" else []
        if shut:
            self._talk.say(PLAY["closed"])
        for one in shut:
            self._talk.write(f"  {one['text']}")
            print_reasons("✗", one["reasons"], self._talk.write, self._talk.lang, indent="    ")
        if not rules and not shut:
            self._talk.say(PLAY["nothing-known"])

    def _shut(self) -> list[Any]:
        """What may not be chosen at the question under way."""
        came = self._checked(self._state.position, CONTINUE, closed=True)
        form = (came["pending"] or {}).get("form") or {}
        return list(form.get("closed") or ())

    def _why_nothing(self) -> None:
        self._talk.say(PLAY["nothing-known"])

    # -- asking and keeping ------------------------------------------------------------------------

    def _checked(self, position: Json, action: Json, inputs: Any = (), *, closed: bool = False) -> Any:
        return self._asks.check(
            self._game,
            position,
            action,
            list(inputs),
            components=self._state.components or None,
            closed=closed,
            lang=self._talk.lang,
        )

    def _now(self, state: State) -> None:
        """The game stands so now, and is saved so; the state before can be gone back to."""
        self._before.append(self._state)
        self._state = state
        self._keep()

    def _keep(self) -> None:
        try:
            save(self._file, self._game, self._talk.lang, self._state)
        except OSError as error:
            self._talk.say(PLAY["not-saved"], reason=str(error))


def _price(cost: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{name.upper()} {amount}' for name, amount in cost.items())})" if cost else ""
