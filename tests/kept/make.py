"""Walk every example, playthrough and golden game, and keep every pause on the way with what came of it.

`python -m tests.kept.make` was run once, at commit 738d919, and is never run again over what it wrote: it stops
where its files exist. It stays to show how they were made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import structs

from engine import codec, transcript
from engine.chance import Dice, Die, Draw
from engine.exceptions import Unreadable
from engine.game import Answer
from engine.navajo_wars.map import AREAS
from engine.questions import Choose, ChooseSome, Read
from engine.testing import Request, merge
from engine.testing import plain as untoml
from engine.transcript import Transcript
from tests.games import golden
from tests.games.player import NUMBERS, READINGS
from tests.kept.came import CONTINUE, ask, came_of, came_of_move, through_json
from tests.kept.files import COMPONENTS, ENDING, PAUSES, TRANSCRIPTS, Given, Pause, Session, write
from tests.service.sessions import readable, written
from tests.shown import Shown, all_shown, game
from tests.shown import components as components_file

# For readings in an open form: the first that is accepted. All invented.
ANY_READINGS: tuple[Any, ...] = (
    1, 0, "none", True, "A", ["A", "B"], {"changes": [{"pointer": "/tracks/enemy_morale", "by": 1}]}, "by-hand", *AREAS,
)  # fmt: skip


class Under(NamedTuple):
    """What a request is put under besides its position."""

    game: str
    choices: dict[str, str]
    components: int


class Keeper:
    """Collects pauses and transcripts by file, each pause, each request at it and each components once."""

    def __init__(self) -> None:
        self.components: dict[bytes, int] = {}
        self.pauses: dict[str, list[Pause]] = {}
        self.sessions: dict[str, list[Session]] = {}
        self.by_key: dict[bytes, Pause] = {}
        self.asked: dict[int, set[bytes]] = {}

    def number(self, components: Any) -> int:
        """The number of these components."""
        return self.components.setdefault(msgspec.json.encode(components), len(self.components))

    def printed(self, number: int) -> Any:
        """The components of a number."""
        return msgspec.json.decode(list(self.components)[number])

    def ask(self, under: Under, position: Any, action: Any, inputs: list[Any]) -> Answer:
        """One request."""
        printed = self.printed(under.components)
        return ask(game(under.game), position, under.choices, printed, action, inputs)

    def met(self, file: str, place: str, under: Under, position: Any) -> Pause:
        """A paused position, with the requests that each of its kind is given when it is met first."""
        key = msgspec.json.encode([under, position])
        if key in self.by_key:
            return self.by_key[key]
        pause = Pause(place, under.game, position, under.choices, under.components, [])
        self.by_key[key] = pause
        self.asked[id(pause)] = set()
        self.pauses.setdefault(file, []).append(pause)
        answer = self.give(pause, "again", CONTINUE, [])
        if answer is not None and answer.pending is not None:
            for label, given in self.answers(pause, under, answer):
                self.give(pause, label, CONTINUE, [given])
        return pause

    def give(self, pause: Pause, label: str, action: Any, inputs: list[Any]) -> Answer | None:
        """Put a request to a pause and note what came of it; None for what cannot be read."""
        under = Under(pause.game, pause.choices, pause.components)
        try:
            answer = self.ask(under, pause.position, action, inputs)
        except Unreadable:
            return None
        key = msgspec.json.encode([action, inputs])
        if key not in self.asked[id(pause)]:
            self.asked[id(pause)].add(key)
            came = self.with_rulings(under, came_of(answer), answer)
            pause.given.append(Given(unique(label, pause), action, inputs, came))
        return answer

    def with_rulings(self, under: Under, came: Any, answer: Answer) -> Any:
        """Which listed options are undetermined or even refused, by their place."""
        if answer.pending is None or isinstance(answer.pending.question.answers, ChooseSome):
            return came
        pending, after = came["pending"], came["position"]
        for place, value in enumerate(pending["options"]):
            ruling = self.ask(under, after, CONTINUE, [{pending["input"]: value}]).verdict.ruling
            if ruling != "legal":
                pending.setdefault(ruling, []).append(place)
        return came

    def answers(self, pause: Pause, under: Under, answer: Answer) -> Iterator[tuple[str, Any]]:
        """The answers that a question of this kind is given."""
        assert answer.pending is not None
        answers = answer.pending.question.answers
        values = [through_json(option.value) for option in getattr(answers, "options", ())]
        match answers:
            case Die():
                yield from ((f"die-{face}", {"die": face}) for face in range(1, 7))
            case Dice():
                yield from ((f"dice-{face}", {"dice": [face] * answers.count}) for face in (1, 3, 6))
            case Draw():
                yield from ((f"draw-{kind}", {answers.key: kind}) for kind, _ in answers.outcomes())
            case ChooseSome():
                count = max(answers.least, min(1, answers.most))
                yield "first", {"choose": values[:count]}
                yield "last", {"choose": values[-count:]}
                yield "none", {"choose": []}
            case Choose() | Read(options=(_, *_)):
                yield from ((f"option-{place}", {answers.key: value}) for place, value in enumerate(values))
            case _:
                yield from self.readings(pause, under, answer.pending.name)

    def readings(self, pause: Pause, under: Under, name: str) -> Iterator[tuple[str, Any]]:
        """The first reading that is accepted."""
        for value in (*READINGS.get(name, ()), *NUMBERS.get(name, ()), *ANY_READINGS):
            given = {"read": value}
            if self.ask(under, pause.position, CONTINUE, [given]).verdict.ruling == "legal":
                yield "read", given
                return
        raise AssertionError(f"{pause.id}: no reading for {name}")

    # -- examples ------------------------------------------------------------------------------------

    def example(self, one: Shown) -> None:
        """Every pause of an example, answer by answer."""
        example = one.example
        printed = components_file(example.components_file) if example.components_file else {}
        under = Under(one.game, example.choices, self.number(untoml(merge(printed, example.components))))
        position: Any = {}
        requests: list[Request] = [example, *example.steps]
        for number, request in enumerate(requests, 1):
            position = merge(position, request.position)
            try:
                position = self.request(one, number, request, under, untoml(position))
            except Unreadable:
                continue

    def request(self, one: Shown, number: int, request: Request, under: Under, here: Any) -> Any:
        """One request of an example; its position afterwards."""
        file, place = file_of(one), f"{slug(one.example.name)}/{number}"
        action, inputs = untoml(request.action), untoml(request.inputs)
        answer = self.ask(under, here, action, [])
        if here.get("agenda"):
            pause = self.met(file, f"{place}.told", under, here)
            self.give(pause, "own", action, [])
            self.give(pause, "whole", action, inputs)
        for count, given in enumerate(inputs):
            if answer.pending is None:
                break
            pause = self.met(file, f"{place}.{count}", under, plain_position(answer))
            went = self.give(pause, "own", CONTINUE, [given])
            if went is None or went.verdict.ruling != "legal":
                break
            answer = went
        if answer.position.agenda and answer.verdict.ruling == "legal":
            self.met(file, f"{place}.{len(inputs)}", under, plain_position(answer))
        return plain_position(self.ask(under, here, action, inputs))

    # -- transcripts ---------------------------------------------------------------------------------

    def session(self, file: str, place: str, name: str, whole: Transcript, components: Any) -> None:
        """A transcript, each move with what came of it; the moves are expected to come out as they do."""
        rules = game(name)
        went = transcript.replay(rules, structs.replace(whole, moves=()))
        for move in whole.moves:
            once = transcript.go_on(rules, went, move)
            found = once.diverged.played.found if once.diverged else once.played[-1].found
            went = transcript.go_on(rules, went, structs.replace(move, expected=found))
            assert went.diverged is None, f"{file}: {place}"
        plain = transcript.write(transcript.recorded(went))
        plain.pop("components", None)
        session = Session(
            place, name, plain, self.number(components), [came_of_move(one) for one in went.played],
            through_json(codec.write(went.position)),
        )  # fmt: skip
        self.sessions.setdefault(file, []).append(session)

    def golden(self, one: golden.Golden) -> None:
        """A golden game: its transcript, and every pause of it."""
        file, whole = f"golden.{one.name}", golden.read(one.name)
        printed = components_file(golden.COPY)
        self.session(file, one.name, "navajo-wars", whole, printed)
        under = Under("navajo-wars", {}, self.number(printed))
        assert not whole.choices
        here = plain_json(whole.position)
        for number, move in enumerate(whole.moves, 1):
            assert not move.position
            action = plain_json(move.action)
            if here.get("agenda"):
                self.give(self.met(file, f"{number}.told", under, here), "own", action, [])
            answer = self.ask(under, here, action, [])
            for count, (key, value) in enumerate(move.inputs):
                pause = self.met(file, f"{number}.{count}", under, plain_position(answer))
                went = self.give(pause, "own", CONTINUE, [{key: value}])
                assert went is not None
                answer = went
            here = plain_position(answer)
            if here.get("agenda"):
                self.met(file, f"{number}.{len(move.inputs)}", under, here)


def plain_position(answer: Answer) -> Any:
    """The position of an answer as it is sent back."""
    return plain_json(answer.position)


def plain_json(value: Any) -> Any:
    """An engine value as a client has it."""
    return through_json(codec.write(value))


def file_of(one: Shown) -> str:
    """The kept file of an example."""
    return (
        one.file.replace("/", ".")
        if one.file.startswith(one.game)
        else f"{one.game}.{one.file.replace('/', '.')}"
    )


def unique(label: str, pause: Pause) -> str:
    """A label that no other request at the pause has; several examples may pass through it."""
    same = sum(given.label.partition("+")[0] == label for given in pause.given)
    return f"{label}+{same}" if same else label


def slug(name: str) -> str:
    """A name that needs no quoting in a pattern."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def main() -> None:
    """Walk everything and write the files."""
    if COMPONENTS.exists():
        raise SystemExit("What is kept stands already; it is not made again. See tests/kept/README.md.")
    keeper = Keeper()
    for one in all_shown():
        keeper.example(one)
    for one in readable():
        plain = written(one, expecting=False)
        whole = transcript.read(game(one.game), plain)
        keeper.session(file_of(one), slug(one.example.name), one.game, whole, plain["components"])
    for each in golden.GAMES:
        keeper.golden(each)
    for folder, files in ((PAUSES, keeper.pauses), (TRANSCRIPTS, keeper.sessions)):
        for name, lines in files.items():
            assert len({line.id for line in lines}) == len(lines), f"{name}: an id is given twice"
            write(folder / f"{name}{ENDING}", lines)
    write(COMPONENTS, [msgspec.json.decode(one) for one in keeper.components])
    given = sum(len(pause.given) for lines in keeper.pauses.values() for pause in lines)
    print(
        f"{len(keeper.by_key)} pauses, {given} requests, {sum(map(len, keeper.sessions.values()))} transcripts"
    )


if __name__ == "__main__":
    main()
