"""The same questions without a server: asked of the engine in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ruleglot.asking import Asking, Told
from ruleglot.errors import Problem
from ruleglot.types import (
    Action,
    AuditAnswer,
    CheckAnswer,
    Input,
    OddsAnswer,
    OptionsAnswer,
    Position,
    RuleHits,
)

HOME = Path(__file__).resolve().parent.parent  # the folder that holds ruleglot, engine and service


class Engine(Asking):
    """Asks the engine; `components` is a file with what the player's own copy prints.

    >>> engine = Engine(lang="en")
    >>> position = {"period": "mexican", "areas": {"shiprock-3": {"raid": 1}}}
    >>> position["families"] = {"C": {"at": "shiprock-3", "ferocity": 1}}
    >>> answer = engine.check("navajo-wars", position, {"kind": "evade", "family": "C"}, [{"die": 4}])
    >>> answer["ruling"], answer["position"]["families"]["C"]["at"]
    ('legal', 'shiprock-5')
    """

    def __init__(self, *, lang: str | None = None, components: Path | None = None) -> None:
        super().__init__(lang)
        self._components = components
        _demand_our_own()

    def ask(
        self, name: str, path: Mapping[str, str], query: Mapping[str, Any], body: Mapping[str, Any] | None
    ) -> Any:
        """The answer to one operation, as a server would give it."""
        from service import asked_directly  # noqa: PLC0415  whoever has only the client never comes here

        status, told = asked_directly.answer(name, path, query, body, self._components)
        if status >= _FAILURE:
            raise Problem.of(status, told)
        return told


_FAILURE = 400


def _demand_our_own() -> None:
    """Ours are the ones beside this package; names as common as these may belong to another program."""
    for name in ("engine", "service"):
        spec = find_spec(name)
        place = None if spec is None or spec.origin is None else Path(spec.origin).resolve().parent
        if place != HOME / name:
            found = f"another package of that name stands at {place}" if place else "there is none"
            raise ImportError(
                f"Ruleglot asks its own package “{name}” in {HOME}, but {found}. Start Python so that it finds "
                "Ruleglot's first, or ask a server: ruleglot.Client(url).",
                name=name,
            )


@cache
def _engine() -> Engine:
    return Engine()


def check(
    game: str,
    position: Position,
    action: Action,
    inputs: Sequence[Input] = (),
    *,
    choices: Mapping[str, str] | None = None,
    components: Told = None,
    closed: bool = False,
    assume: bool = True,
    lang: str = "en",
) -> CheckAnswer:
    """May this be done here? As `Client.check`, without a server.

    >>> check("navajo-wars", {"tracks": {"military": 0}}, {"kind": "ambush", "family": "C"})["ruling"]
    'illegal'
    """
    return _engine().check(
        game,
        position,
        action,
        inputs,
        choices=choices,
        components=components,
        closed=closed,
        assume=assume,
        lang=lang,
    )


def options(
    game: str,
    position: Position,
    *,
    kinds: Sequence[str] = (),
    illegal: bool = True,
    choices: Mapping[str, str] | None = None,
    components: Told = None,
    assume: bool = True,
    lang: str = "en",
) -> OptionsAnswer:
    """What may be done here? As `Client.options`, without a server.

    >>> [one["ruling"] for one in options("navajo-wars", {}, kinds=["evade"])["options"]]
    ['undetermined']
    """
    return _engine().options(
        game,
        position,
        kinds=kinds,
        illegal=illegal,
        choices=choices,
        components=components,
        assume=assume,
        lang=lang,
    )


def odds(
    game: str,
    position: Position,
    action: Action,
    inputs: Sequence[Input] = (),
    *,
    policy: Told = None,
    vary: Told = None,
    image: bool = False,
    choices: Mapping[str, str] | None = None,
    components: Told = None,
    assume: bool = True,
    lang: str = "en",
) -> OddsAnswer:
    """How likely does it come to what? As `Client.odds`, without a server.

    >>> position = {"period": "mexican", "areas": {"shiprock-3": {"raid": 1}}}
    >>> position["families"] = {"C": {"at": "shiprock-3", "ferocity": 1}}
    >>> odds("navajo-wars", position, {"kind": "evade", "family": "C"})["outcomes"][0]["probability"]["percent"]
    '33.3%'
    """
    return _engine().odds(
        game,
        position,
        action,
        inputs,
        policy=policy,
        vary=vary,
        image=image,
        choices=choices,
        components=components,
        assume=assume,
        lang=lang,
    )


def audit(
    game: str,
    position: Position,
    *,
    choices: Mapping[str, str] | None = None,
    components: Told = None,
    lang: str = "en",
) -> AuditAnswer:
    """Is this position possible? As `Client.audit`, without a server.

    >>> audit("navajo-wars", {"tracks": {"ap": 40}})["possible"]
    False
    """
    return _engine().audit(game, position, choices=choices, components=components, lang=lang)


def rules(game: str, question: str, *, limit: int = 10, lang: str = "en") -> RuleHits:
    """Which rules answer this question? As `Client.rules`, without a server.

    >>> rules("navajo-wars", "combien coûte une embuscade ?", limit=1)["hits"][0]["section"]
    '5.2.1'
    """
    return _engine().rules(game, question, limit=limit, lang=lang)
