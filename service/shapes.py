"""The JSON Schemas of everything that requests and answers carry, by name, made from the types themselves."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from inspect import cleandoc
from typing import Any, Literal, get_args, get_origin

from msgspec.json import schema_components

from engine import explain, schemas
from engine.codec import Input
from engine.explain import Explainer, decided
from engine.game import Game
from engine.memory import Frame, Memory
from engine.schemas import Schema
from service import answers, bodies, forms
from service.bodies import schema_prefix
from service.conventions import TOLD
from service.games import GAMES
from service.languages import Text
from service.sentences import RuleId
from service.terms import LANGUAGES

RULE_ID = "The id of a rule, which lasts: the game, the section, and what of it, as in nw:5.2.4.natural-1."
FORM = "The form that the answer to a question takes, told apart by its type."
REF = "#/components/schemas/{name}"
_TEXT = schemas.of(Text)["anyOf"]
_NOTHING = {"type": "null"}
TEXT = {
    "description": "A sentence; with lang=all an object with one sentence for each language.",
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {lang: {"type": "string"} for lang in LANGUAGES},
            "required": list(LANGUAGES),
            "additionalProperties": False,
        },
    ],
}


def _asked_of(game: Game) -> list[Any]:
    """The types of the bodies of a game's own requests."""
    asked = bodies.of_game(game)
    return [asked.check, asked.batch, asked.options, asked.odds, asked.audit, asked.replay]


def _answers_of(game: Game) -> list[Any]:
    """The types of a game's own answers, which carry its own position."""
    position: Any = game.position
    transcript: Any = bodies.of_game(game).transcript
    return [
        answers.CheckAnswer[position],
        answers.BatchAnswer[position],
        answers.ReplayAnswer[position, transcript],
        answers.Scenario[position],
        answers.ScenariosAnswer[position],
    ]


@cache
def explainer(name: str) -> Explainer:
    """What finds the errors of a value that should have fitted the schema of this name."""
    return Explainer({"$ref": REF.format(name=name), "components": {"schemas": _with_all_called(name)}})


def _with_all_called(name: str) -> dict[str, Schema]:
    """A schema and all that it calls, and those call: a validator keeps a copy of all that it is given."""
    known = {REF.format(name=one): (one, schema) for one, schema in _decided().items()}
    found: dict[str, Schema] = {}
    waiting = [REF.format(name=name)]
    while waiting:
        called, schema = known[waiting.pop()]
        if called not in found:
            found[called] = schema
            waiting += _refs(schema)
    return found


@cache
def _decided() -> dict[str, Schema]:
    """Every schema as explainers take it; they share it."""
    return {name: decided(schema) for name, schema in everything().items()}


def warm() -> None:
    """Make what wrong requests are explained by, before the workers are forked: the first one costs no more then."""
    for game in GAMES.values():
        for body in _asked_of(game):
            explainer(body.__name__)
        for kind in (Input, game.position, game.components, game.action_types):  # told to a play, one by one
            explain.explainer(kind)


@cache
def everything() -> dict[str, Schema]:
    """Every schema by its name."""
    shared = _shared()
    found: dict[str, Schema] = {
        "Text": TEXT,
        "Form": {"description": FORM, **shared["Form"]},
        "RuleId": {"description": RULE_ID, **shared["RuleId"]},
    }
    for game in GAMES.values():
        found |= _of_game(game)
    common = _common()
    names = {name: kind.cls.__name__ for name, kind in schemas.structures(common).items()}
    named = {REF.format(name=name): schema for name, schema in shared.items()}
    return found | {name: _by_name(schema, named) for name, schema in _of_types(common, names).items()}


def _common() -> list[Any]:
    """The answers that are the same for every game."""
    return [
        answers.AuditAnswer,
        answers.OddsAnswer,
        answers.GamesAnswer,
        answers.ActionsAnswer,
        answers.OptionsAnswer,
        answers.ChartsAnswer,
        answers.ChartAnswer,
        answers.Health,
        answers.RuleEntry,
        answers.RuleHits,
        answers.IssuesAnswer,
        answers.TermsAnswer,
        answers.SourcesAnswer,
        answers.Everything,
        answers.ProblemBody,
    ]


def _of_game(game: Game) -> dict[str, Schema]:
    prefix = schema_prefix(game)
    memories = sorted(
        {procedure.memory for procedure in game.procedures.values()}, key=lambda kind: kind.__name__
    )
    kinds = [*_asked_of(game), *_answers_of(game), *memories]
    found = _of_types(kinds, _names(game, kinds))
    found[f"{prefix}Position"]["description"] += f" {TOLD}"
    asks = found[f"{prefix}CheckRequest"]["properties"]
    policy = found[f"{prefix}OddsRequest"]["properties"]["policy"]
    own = {f"{prefix}Action": asks["action"], f"{prefix}Choices": asks["choices"], f"{prefix}Policy": policy}
    values = {name: schema for name, schema in _named_values(game, kinds).items() if name not in found}
    named = {REF.format(name=name): schema for name, schema in (own | values | _shared()).items()}
    found |= own | values | {f"{prefix}Frame": _frame(game, prefix)}
    for name in (f"{prefix}Choices", f"{prefix}Policy"):
        found[name] = {**own[name], "additionalProperties": False}  # msgspec takes any text
    found = {name: _by_name(schema, named, whole=True) for name, schema in found.items()}
    called = set(_refs(found))
    return {
        name: schema
        for name, schema in found.items()
        if name not in values or REF.format(name=name) in called
    }


def _shared() -> dict[str, Schema]:
    """What has a name although it is no structure."""
    return {
        "Form": {
            key: part for key, part in schemas.tidied(_form()).items() if key in ("oneOf", "discriminator")
        },
        "RuleId": {key: part for key, part in schemas.of(RuleId).items() if key in ("type", "pattern")},
    }


def _form() -> Schema:
    (schema,), _ = schema_components([forms.Form], ref_template=REF)
    return schema


def _refs(schema: Any) -> Iterator[str]:
    """Every other schema that a schema calls."""
    if isinstance(schema, list):
        for part in schema:
            yield from _refs(part)
    elif isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for part in schema.values():
            yield from _refs(part)


def _names(game: Game, kinds: Iterable[Any]) -> dict[str, str]:
    """What the game's own types are called here: under the game's name, as both games have a Position."""
    prefix, package = schema_prefix(game), _package(game)
    names = {}
    for name, kind in schemas.structures(kinds).items():
        origin = getattr(kind.cls, "__origin__", None)
        plain = kind.cls.__name__ if origin is None else origin.__name__
        own = origin is not None or kind.cls in (Frame, Memory) or kind.cls.__module__.startswith(package)
        names[name] = f"{prefix}{plain}" if own else plain
    return names


def _package(game: Game) -> str:
    return game.position.__module__.rpartition(".")[0]


def _of_types(kinds: list[Any], names: dict[str, str]) -> dict[str, Schema]:
    """The schemas of these types and of every type inside them, under these names."""
    moved = {REF.format(name=old): REF.format(name=new) for old, new in names.items()}
    found = {}
    for name, schema in schemas.components(kinds, REF).items():
        del schema["title"]  # it repeats the name
        found[names.get(name, name)] = _renamed(schema, moved)
    return found


def _named_values(game: Game, kinds: list[Any]) -> dict[str, Schema]:
    """The lists of values that a game gives a name to beside its types, such as AreaId."""
    prefix, package = schema_prefix(game), _package(game)
    modules = dict.fromkeys(
        kind.cls.__module__
        for kind in schemas.structures(kinds).values()
        if kind.cls.__module__.startswith(package)
    )
    found: dict[str, Schema] = {}
    for module in (game.position.__module__, *modules):
        # Of two names for the same values the later one is that for other programs.
        for name, value in reversed(vars(sys.modules[module]).items()):
            if get_origin(value) is Literal and len(get_args(value)) > 1 and not name.startswith("_"):
                listed = schemas.of(value)
                found.setdefault(f"{prefix}{name}", {key: listed[key] for key in ("type", "enum")})
    return found


def _renamed(schema: Any, names: dict[str, str]) -> Any:
    """A schema that calls others by their names here."""
    if isinstance(schema, list):
        return [_renamed(part, names) for part in schema]
    if isinstance(schema, dict):
        return {key: _renamed(part, names) for key, part in schema.items()}
    return names.get(schema, schema) if isinstance(schema, str) else schema


def _by_name(schema: Any, known: dict[str, Schema], *, whole: bool = False) -> Any:
    """A schema in which what has a name of its own is called by it; a whole one is not called by its own."""
    if isinstance(schema, list):
        return [_by_name(part, known) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("anyOf") == _TEXT:
        rest = {key: part for key, part in schema.items() if key != "anyOf"}
        return {"$ref": REF.format(name="Text"), **rest}
    if schema.get("anyOf") == [*_TEXT, _NOTHING]:
        return {**schema, "anyOf": [{"$ref": REF.format(name="Text")}, _NOTHING]}
    for ref, meant in known.items() if not whole else ():
        if schema.items() >= meant.items():
            rest = {key: part for key, part in schema.items() if key not in meant}
            return {"$ref": ref, **rest}
    return {key: _by_name(part, known) for key, part in schema.items()}


def _frame(game: Game, prefix: str) -> Schema:
    """A frame of the agenda: each procedure has its own steps and its own memory."""
    return {
        "description": cleandoc(str(Frame.__doc__)),
        "oneOf": [
            {
                "type": "object",
                "title": procedure.name,
                "properties": {
                    "procedure": {"type": "string", "const": procedure.name},
                    "step": {"type": "string", "enum": list(procedure.steps)},
                    "memory": {"$ref": REF.format(name=f"{prefix}{procedure.memory.__name__}")},
                    "answered": {"$ref": REF.format(name="Input")},
                },
                "required": ["procedure", "step"],
                "additionalProperties": False,
            }
            for procedure in game.procedures.values()
        ],
    }
