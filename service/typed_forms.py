"""The form of a type: whatever a fact, a reading or a parameter can be, as something that can be asked for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from msgspec import NODEFAULT, UNSET, UnsetType, inspect, structs

from engine.codec import LARGEST
from engine.messages import Ref, message
from engine.naming import Kind
from engine.shapes import leads_to, members, shape
from service import forms
from service.forms import ChangeField, FactField, Form, FormOption, Group
from service.games import GAMES
from service.languages import Text, Voice, voice

NAMED = message("answer.named", "%(value)s")
NONE = message("value.none", "none")
NONE_OF_SEVERAL = message("value.none-of-several", "none")  # of what there can be more than one
YES = message("value.yes", "yes")
NO = message("value.no", "no")
NOT_TOLD = "?"  # it stands in a list for a place that was not told, and is no answer
Instead = list[FormOption] | UnsetType


class Typed:
    """Makes the forms of one game's types in one language."""

    def __init__(self, game_name: str, lang: str) -> None:
        self._names = GAMES[game_name].names
        self._speaks: Voice = voice(lang)

    def form(self, kind: inspect.Type) -> Form:
        """The form of a type; what there may be none of has that as an option."""
        kinds = [one for one in members(kind) if not isinstance(one, inspect.NoneType)]
        instead = self._none() if len(kinds) < len(members(kind)) else []
        literals = [one for one in kinds if isinstance(one, inspect.LiteralType)]
        others = [one for one in kinds if not isinstance(one, inspect.LiteralType)]
        values = [value for one in literals for value in one.values if value != NOT_TOLD]
        if not others:
            return self._one(values, instead)
        if len(others) > 1:
            return forms.Json(schema={})
        return self._or_instead(others[0], [*self._options(values), *instead])

    def said_otherwise(self, form: Form, field: str) -> Form:
        """The same form; where a game has words of its own for that there is none of this, in these words."""
        said = self._names.none.get(field)
        if said is None or not isinstance(form, forms.One):
            return form
        options = [
            structs.replace(one, text=self.words(said)) if one.value is None else one for one in form.options
        ]
        return structs.replace(form, options=options)

    def option(self, value: Any, kind: Kind | None) -> FormOption:
        """One value in words, short where its group is said already."""
        if isinstance(value, bool):
            return FormOption(value=value, text=self._speaks.say(YES if value else NO, {}))
        if kind is None or value not in kind.words:
            return FormOption(value=value, text=self._speaks.say(NAMED, {"value": str(value)}))
        short = kind.short.get(value)
        groups = [Group(key=one.key, text=self.words(one.words)) for one in kind.groups.get(value, ())]
        return FormOption(
            value=value,
            text=self.words(kind.words[value]),
            short=UNSET if short is None else self.words(short),
            groups=groups or UNSET,
        )

    def words(self, ref: Ref) -> Text:
        """A thing of the game in words."""
        return self._speaks.say(NAMED, {"value": ref})

    def _none(self) -> list[FormOption]:
        return [FormOption(value=None, text=self._speaks.say(NONE, {}))]

    def _options(self, values: Iterable[Any]) -> list[FormOption]:
        wanted = list(values)
        kind = self._kind(wanted)
        first = {} if kind is None else {value: place for place, value in enumerate(kind.words)}
        ordered = sorted(wanted, key=lambda value: first.get(value, len(first)))
        return [self.option(value, kind) for value in ordered]

    def _kind(self, values: Iterable[Any]) -> Kind | None:
        """What these values are; yes and no are nothing in particular."""
        return self._names.kind_of(value for value in values if not isinstance(value, bool))

    def _one(self, values: list[Any], instead: list[FormOption]) -> forms.One:
        kind = self._kind(values)
        return forms.One(
            of=UNSET if kind is None else kind.of,
            options=[*self._options(values), *instead],
            decline=None if instead else UNSET,
        )

    def _or_instead(self, kind: inspect.Type, options: list[FormOption]) -> Form:
        instead: Instead = options or UNSET
        if isinstance(kind, inspect.BoolType):
            return self._one([False, True], options) if options else forms.YesNo()
        if isinstance(kind, inspect.IntType):
            return self._number(kind, options)
        if isinstance(kind, inspect.StrType):
            return forms.Name(most=UNSET if kind.max_length is None else kind.max_length, options=instead)
        if isinstance(kind, inspect.StructType):
            return self._struct(kind, options)
        if isinstance(kind, inspect.DictType):
            return forms.Several(key=self.form(kind.key_type), of=self.form(kind.value_type), options=instead)
        if isinstance(kind, inspect.TupleType | inspect.CollectionType):
            return self._listed(kind, instead)
        return forms.Json(schema={})

    def _number(self, kind: inspect.IntType, options: list[FormOption]) -> Form:
        named = self._names.numbered(kind.ge, kind.le)
        if named is not None:
            return self._one(list(named.words), options)
        return forms.Number(
            least=UNSET if kind.ge is None else kind.ge,
            most=UNSET if kind.le is None or kind.le >= LARGEST else kind.le,
            options=options or UNSET,
        )

    def _listed(self, kind: inspect.TupleType | inspect.CollectionType, instead: Instead) -> Form:
        least: int | None
        most: int | None
        if isinstance(kind, inspect.TupleType):
            item, least, most = kind.item_types[0], len(kind.item_types), len(kind.item_types)
        else:
            item, least, most = kind.item_type, kind.min_length, kind.max_length
        of = self.form(item)
        if isinstance(of, forms.One) and of.decline is UNSET and instead is UNSET:
            return forms.Some(of=of.of, options=of.options, least=least or 0, most=most or len(of.options))
        return forms.Several(
            of=of,
            least=UNSET if least is None else least,
            most=UNSET if most is None else most,
            options=instead,
        )

    def _struct(self, kind: inspect.StructType, options: list[FormOption]) -> Form:
        fields = {field.encode_name: field for field in kind.fields}
        if "changes" in fields:
            also = [
                self._field(kind, one) for name, one in fields.items() if name not in ("changes", "by_hand")
            ]
            return forms.Changes(fields=self._changeable(), options=options, also=also or UNSET)
        asked = [self._field(kind, field) for field in fields.values()]
        if all(field.default is not NODEFAULT for field in fields.values()):  # one left out is none
            return forms.Counters(fields=asked, options=options or UNSET)
        return forms.Record(fields=asked, options=options or UNSET)

    def _field(self, owner: inspect.StructType, field: inspect.Field) -> FactField:
        label = self._names.label(owner.cls.__name__, field.encode_name)
        return FactField(
            key=field.encode_name,
            text=self.words(label)
            if label is not None
            else self._speaks.say(NAMED, {"value": field.encode_name}),
            form=self.form(field.type),
            optional=UNSET if field.required else True,
        )

    def _changeable(self) -> list[ChangeField]:
        return [
            ChangeField(
                key=one.key,
                text=self.words(one.words),
                form=self.form(shape(one.values)),
                writes=one.writes,
                among=UNSET if one.among is None else self.form(shape(one.among)),
            )
            for one in self._names.changeable
        ]


@cache
def typed(game_name: str, lang: str) -> Typed:
    """The maker of a game's forms in a language."""
    return Typed(game_name, lang)


@cache
def of_type(game_name: str, kind: Any, lang: str) -> Form:
    """The form of a type."""
    return typed(game_name, lang).form(shape(kind))


@lru_cache(maxsize=4096)  # a path may have numbers and names that somebody chose
def of_fact(game_name: str, root: Any, path: tuple[str, ...], lang: str) -> Form | UnsetType:
    """The form of what a path leads to inside a type; nothing where it leads nowhere."""
    found = leads_to(shape(root), path)
    if found is None:
        return UNSET
    maker = typed(game_name, lang)
    return maker.said_otherwise(maker.form(found), path[-1])
