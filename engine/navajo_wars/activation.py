"""Section 3.2: Take Actions. How many Families may act, with how many MP, and how an activation ends.

The Actions stand in water_holes.py (3.2.1), movement.py (3.2.2), canyon.py (3.2.3), corn.py (3.2.4),
raid_new_mexico.py (3.2.5), raid_outpost.py (3.2.6), fort_trade.py (3.2.7) and tribal_council.py (3.2.8).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct, structs

from engine.actions import Action, Said, say
from engine.exceptions import Refused
from engine.memory import NOT_NOTED, Memory, Noted
from engine.messages import Message, Requirement, Term, act, message, question, requirement
from engine.navajo_wars.battle import BLESSING_WAY, in_play
from engine.navajo_wars.board import ASK_OPERATION, Board, Family
from engine.navajo_wars.cards import lie_in
from engine.navajo_wars.consequences import acting_family, dissolve, is_acting, to_passage
from engine.navajo_wars.developments import owned
from engine.navajo_wars.map import PlaceRef, is_area
from engine.navajo_wars.operation import ASK_SEEN, begin_operation, has_done, note_done, operating, seen
from engine.navajo_wars.position import Activation, FamilyLetter, Operation
from engine.navajo_wars.reactions import is_in_area, the_box
from engine.questions import Question, Read, ask, known
from engine.tables import Where, call, procedure, reading
from engine.verdict import (
    Caution,
    Check,
    Truth,
    Unknown,
    as_number,
    certain,
    denied,
    every,
    is_told,
    must_know,
    needs,
    refuted,
    some,
    total,
    unknown,
    warns,
)

MOST_MP = 20  # as the position counts them


class Activate(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="activate"):
    """A Family is activated."""

    family: FamilyLetter


class EndActivation(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="end-activation"):
    """The Family that is acting has finished."""


# -- who may be activated ----------------------------------------------------------------------------

ANOTHER_OPERATION = requirement(
    "another-operation-chosen",
    "With this card another Operation is being carried out; Take Actions cannot be chosen as well.",
    met="No other Operation is being carried out with this card.",
)
STILL_ACTING = requirement(
    "activation-not-finished",
    "Family %(acting)s has not finished its activation: end it before another Family is activated.",
    met="No activation is under way.",
)
ACTIVATED_BEFORE = requirement(
    "activated-before",
    "Family %(family)s has been activated with this card already; each Family may be activated once.",
    met="Family %(family)s has not been activated with this card.",
)
ALL_ACTIVATED = requirement(
    "activation-limit",
    "No more Families may be activated: %(have)s of the %(limit)s allowed have been activated. As many are allowed as there are Elders in the Elder Display plus Families in Canyon de Chelly, which count as 1 if there are none.",
    met="Another Family may be activated; Families activated so far: %(have)s.",
)
ASK_LIMIT = question(
    "ask-activation-limit",
    "How many Families could be activated when Take Actions began?",
    hint="As many as there were Elders in the Elder Display plus Families in Canyon de Chelly, which count as 1 if there were none.",
)
NO_AREA_TO_ACT_IN = message(
    "activated-in-a-box",
    "Family %(family)s is in the %(box)s, not in an Area: it will not be able to carry out an Action.",
)
CARDS_NOT_COUNTED = message(
    "activation-cards-not-counted",
    "Your Cultural Development cards are not named in the position: if one of them changes the MP of a Family, correct the MP.",
)


def may_activate(at: Board, do: Activate) -> Iterator[Check | Caution]:
    """Everything that decides whether this Family may be activated now, in rulebook order."""
    letter, family = do.family, at.family(do.family)
    yield at.once(taking_actions)
    yield in_play(family)
    if refuted(family.in_play):
        return
    yield at.once(finished_before)
    yield at.occasion(
        unchosen(at) or denied(has_done(at, "activated", letter)),
        ACTIVATED_BEFORE,
        "nw:3.2.once-each",
        pointer="/operation/activated",
        takes=(),
        family=letter,
    )
    yield at.once(allowed)
    if refuted(is_in_area(family.at)):
        pointer = f"{family.pointer}/at"
        yield warns(NO_AREA_TO_ACT_IN, "nw:3.2", pointer=pointer, family=letter, **the_box(family.at))
    yield from cards_in_hand(at)


def taking_actions(at: Board) -> Check:
    """Take Actions is the Operation of this card, or none has been chosen yet."""
    holds = some((unchosen(at), operating(at, "take-actions")))
    takes = "take-actions" if has_begun(at) else None
    return at.occasion(holds, ANOTHER_OPERATION, "nw:3.choose-one", pointer="/operation/kind", takes=takes)


def unchosen(at: Board) -> bool:
    """Has no Operation been chosen for this card yet?"""
    return at.told("operation", "kind", ask=ASK_OPERATION) is None


def has_begun(at: Board) -> bool:
    """Is it told that a Family has been activated with this card?"""
    done = seen(at, "activated")
    return is_told(done) and bool(done)


def activated(at: Board) -> tuple[str, ...] | Unknown:
    """The Families activated with this card; nobody, before an Operation has been chosen."""
    return () if unchosen(at) else seen(at, "activated")


def finished_before(at: Board) -> Check:
    """A Family completes its activation before another one begins."""
    acting = who_is_acting(at)
    holds = acting if isinstance(acting, Unknown) else acting is None
    named = {"acting": acting} if isinstance(acting, str) else {}
    rule, pointer = "nw:3.2.one-at-a-time", "/activation/family"
    return at.occasion(holds, STILL_ACTING, rule, pointer=pointer, takes=None, **named)


def who_is_acting(at: Board) -> FamilyLetter | Unknown | None:
    """The Family whose activation is under way; as long as nobody has been activated there is none."""
    acting = acting_family(at)
    return acting if is_told(acting) or not nobody_yet(at) else None


def nobody_yet(at: Board) -> bool:
    """Is it known that no Family has been activated with this card?"""
    done = activated(at)
    return is_told(done) and not done


def allowed(at: Board) -> Check:
    """As many Families as Elders, and one more or as many as are in the Canyon, whichever is more.

    That nobody has been activated before is taken for granted; how many may be is asked of whoever tells of some.
    """
    done = activated(at)
    rules = ("nw:3.2.activation-count", "nw:13.activated-limit")
    pointer = "/operation/activated"
    if isinstance(done, Unknown):
        return at.occasion(done, ALL_ACTIVATED, *rules, pointer=pointer, takes=(), have=0)
    limit, have = activation_limit(at), how_many(at, done)
    shown = {} if most_told(limit) is None else {"limit": most_told(limit)}
    return needs(have < limit, ALL_ACTIVATED, *rules, pointer=pointer, have=have, **shown)


def how_many(at: Board, done: tuple[str, ...] | Unknown) -> int | Unknown:
    """How many Families have been activated; where only some are told, at least those."""
    if isinstance(done, Unknown) or not at.is_partial("operation.activated"):
        return done if isinstance(done, Unknown) else len(done)
    return unknown("/operation/activated", ASK_SEEN["activated"], at_least=len(done))


def most_told(limit: int | Unknown) -> int | None:
    """The number that decides: the limit, or what it is known to be at most or at least."""
    if isinstance(limit, int):
        return limit
    return limit.least if limit.most is None else limit.most


def activation_limit(at: Board) -> int | Unknown:
    """Counted when the Operation begins, and kept from then on; who has moved since does not change it."""
    if nobody_yet(at):
        return counted_now(at)
    noted: int | Unknown = at.told("operation", "limit", ask=ASK_LIMIT)
    return noted if isinstance(noted, int) else between(noted, *bounds_of_limit(at))


def counted_now(at: Board) -> int | Unknown:
    """The Elders, and 1 or the Families in the Canyon."""
    there, old = in_canyon(at), elders(at)
    if isinstance(there, Unknown) or isinstance(old, Unknown):
        return between(total((there, old)), *bounds_of_limit(at))
    return old + max(1, there)


def bounds_of_limit(at: Board) -> tuple[int | None, int | None]:
    """At least one Family more than Elders; at most as many more as there were Families to be in the Canyon."""
    old, done = elders(at), activated(at)
    if isinstance(old, Unknown):
        return 1, None
    if not is_told(at.all_families) or isinstance(done, Unknown):
        return old + 1, None
    return old + 1, old + max(1, len({*(family.letter for family in at.families()), *done}))


def between(number: int | Unknown, least: int | None, most: int | None) -> Unknown:
    """A number that was not told but has bounds all the same."""
    return Unknown(*(number.facts if isinstance(number, Unknown) else ()), least=least, most=most)


def elders(at: Board) -> int | Unknown:
    """All Elders in the Elder Display."""
    display = at.elders
    return display if isinstance(display, Unknown) else sum(display)


def in_canyon(at: Board) -> int | Unknown:
    """The Families in Canyon de Chelly."""
    everybody = at.all_families
    if isinstance(everybody, Unknown):
        return everybody
    places = [family.at for family in at.families()]
    return total(as_number(at.in_canyon(place)) for place in places if not refuted(is_in_area(place)))


def cards_in_hand(at: Board) -> Iterator[Caution]:
    """Ceremony cards may be played for their Blessing Way."""
    hand = lie_in(at, "hand")
    if not isinstance(hand, Unknown) and hand:
        yield warns(BLESSING_WAY, "nw:3.2.blessing-hook", "nw:13.blessing-way", pointer="/cards/hand")


# -- its MP ------------------------------------------------------------------------------------------

READ_MODIFIER = question(
    "activation-read-modifier",
    "By how many MP do your Cultural Development cards change the MP of Family %(family)s?",
    hint="0 if they do not change them.",
)
ACTIVATED = message(
    "family-activated",
    "Family %(family)s is activated with %(mp)s MP%(terms)s.",
    outcome=True,
    terms={
        "empty": "which is 6 minus 1 for each empty population space (%(empty)s)",
        "cards": "Cultural Development cards (%(cards)s) included",
    },
)

WHO_IS_ACTIVATED = message("activation-who", "Which Family is being activated?")

Modifier = Annotated[int, Meta(ge=-6, le=14)]


class ActivationMemory(Memory, frozen=True):
    """Who is activated."""

    questions: ClassVar[dict[str, Message]] = {"family": WHO_IS_ACTIVATED}

    family: Noted[FamilyLetter] = NOT_NOTED


def begin_activation(at: Board, do: Activate) -> tuple[Board, Where]:
    """Take Actions is the Operation of this card, and this Family is one of those that act."""
    limit, done = activation_limit(at), activated(at)
    at = begin_operation(at, "take-actions")
    if isinstance(done, Unknown):
        return note_done(at, "activated", do.family), call(ACTIVATION, family=do.family)
    counted = limit if isinstance(limit, Unknown) else min(99, limit)  # not told, it is counted when needed
    at = at.alter("operation", Operation, activated=(*done, do.family), limit=counted)
    return at, call(ACTIVATION, family=do.family)


def ask_modifier(at: Board, noted: ActivationMemory) -> Question:
    """Asked only of a player who owns Cultural Development cards."""
    cards = owned(at)
    if isinstance(cards, Unknown) or not cards:
        return known(0)
    return ask(READ_MODIFIER, Read(Modifier), family=must_know(noted.family))


def collect_mp(at: Board, noted: ActivationMemory, modifier: int) -> Board:
    """6 MP less the empty population spaces; what the Family loses later costs no MP."""
    if not is_told(owned(at)):
        at = at.warn(CARDS_NOT_COUNTED, "nw:3.2.mp", pointer="/cards/developments")
    letter: FamilyLetter = must_know(noted.family)
    family = at.family(letter)
    empty = must_know(total(as_number(denied(there)) for there in (family.man, family.woman, family.child)))
    mp = min(MOST_MP, max(0, 6 - empty + modifier))
    fort = at.has_fort(family.at)
    began = {} if isinstance(fort, Unknown) else {"began_with_fort": fort}
    at = at.change(activation=Activation(letter, mp, False, **began))
    rules = ("nw:3.2.mp", "nw:3.2.mp-fixed")
    return at.tell(ACTIVATED, *rules, family=letter, empty=empty, cards=f"{modifier:+d}", mp=mp)


ACTIVATION = procedure(
    "activation",
    ActivationMemory,
    reading("modifier", "nw:3.2.mp", ask_modifier, collect_mp, title="The Family collects its MP"),
    title="Activation",
)

# -- what every Action needs -------------------------------------------------------------------------

ASK_MP = message("ask-mp", "How many MP does the activated Family have left?")
ASK_SPENT = message("ask-mp-spent", "Has the activated Family spent any MP in its activation?")
ASK_BEGAN_WITH_FORT = message(
    "ask-began-with-fort",
    "Was the activated Family in the Area of this Fort already when its activation began?",
)
NOT_ACTIVATED = requirement(
    "family-not-activated",
    "Only the activated Family carries out Actions, and that is not Family %(family)s.",
    met="Family %(family)s is activated.",
)
NOBODY_ACTIVATED = message(
    "nobody-activated", "No Family is activated; Actions are carried out by the activated Family."
)
ACTION_OUTSIDE_AREA = requirement(
    "action-outside-an-area",
    "Family %(family)s is in the %(box)s; Actions are carried out in an Area.",
    met="Family %(family)s is in an Area, as an Action requires.",
)
NO_ACTIVATION = requirement(
    "no-activation-under-way",
    "No Family is acting: activate one first.",
    met="An activation is under way.",
)
MP_SPENT = requirement(
    "mp-spent-before",
    "This Action costs all MP of Family %(family)s, and it has spent some in this activation already.",
    met="Family %(family)s has spent no MP in this activation.",
)
LONG_RANGE_TOO_LATE = requirement(
    "long-range-after-mp-spent",
    "A long-range Raid costs all MP of Family %(family)s, and it has spent some in this activation already.",
    met="Family %(family)s has spent no MP in this activation, as a long-range Raid requires.",
)
NO_MP_LEFT = requirement(
    "no-mp-left",
    "This Action costs all MP that are left, at least 1; Family %(family)s has none.",
    met="Family %(family)s has %(have)s MP left.",
)
DEAR_ANYWAY = requirement(
    "too-dear-anyway",
    "This Action costs at least %(least)s MP, whatever the map prints; you have %(have)s.",
    met="You have enough MP.",
)
MP_PAID = message("mp-paid", "MP spent: %(cost)s; MP left: %(left)s.", tells="detail")


def the_acting_family(at: Board) -> Iterator[FamilyLetter]:
    """Who may be the subject of an Action: the activated Family, or nobody."""
    acting = must_know(who_is_acting(at))
    if acting is not None:
        yield acting


def may_act(at: Board, letter: str) -> Generator[Check, None, Truth]:
    """Only the activated Family acts, and only in an Area; gives whether its Action can be looked at further.

    It can where the Area is not told: what the Family lacks may decide before anybody asks where it is.
    """
    family = at.family(letter)
    acting = at.occasion(
        is_acting(at, letter),
        NOT_ACTIVATED,
        "nw:3.2.one-at-a-time",
        "nw:13.activated-limit",
        pointer="/activation/family",
        takes=letter,
        family=letter,
    )
    yield acting
    yield in_play(family)
    if refuted(family.in_play):
        return False
    in_area = is_in_area(family.at)
    pointer, named = f"{family.pointer}/at", {"family": letter, **the_box(family.at)}
    yield needs(in_area, ACTION_OUTSIDE_AREA, "nw:3.2", pointer=pointer, **named)
    return every((acting.holds, not refuted(in_area)))


def standing_in(family: Family) -> PlaceRef:
    """The Area a Family acts in, once its Action is under way; in a box there is none."""
    place: PlaceRef = must_know(family.at)
    if not is_area(place):
        pointer, named = f"{family.pointer}/at", {"family": family.letter, "box": place}
        raise Refused(needs(False, ACTION_OUTSIDE_AREA, "nw:3.2", pointer=pointer, **named))
    return place


def mp(at: Board) -> int | Unknown:
    """The MP left in the activation under way."""
    return _of_activation(at, "mp", ASK_MP, 0)  # type: ignore[no-any-return]


def has_spent(at: Board) -> Truth:
    """Has the acting Family spent any MP?"""
    return _of_activation(at, "spent", ASK_SPENT, False)  # type: ignore[no-any-return]


def began_with_fort(at: Board) -> Truth:
    """Has the acting Family been in the Area of a Fort since its activation began?"""
    return _of_activation(at, "began_with_fort", ASK_BEGAN_WITH_FORT, False)  # type: ignore[no-any-return]


def _of_activation(at: Board, fact: str, question: Message, nobodys: Any) -> Any:
    """A fact of the activation under way, or what holds where nobody is acting."""
    acting = acting_family(at)
    if acting is None:
        return nobodys
    return at.told("activation", fact, ask=question)


def can_pay(at: Board, cost: int | Unknown, sum_shown: Requirement, *rules: str, **parts: Any) -> Check:
    """The MP left cover the cost; both wordings show the sum."""
    have = mp(at)
    affordable = cost <= have
    if isinstance(cost, Unknown) and is_told(affordable):
        shown = {"least": cost.least, "have": have}
        return needs(affordable, DEAR_ANYWAY, *rules, "nw:3.2.any-mix", pointer="/activation/mp", **shown)
    return needs(
        affordable,
        sum_shown,
        *rules,
        "nw:3.2.any-mix",
        pointer="/activation/mp",
        total=cost,
        have=have,
        **parts,
    )


def nothing_spent(at: Board, letter: str, *rules: str, demands: Requirement = MP_SPENT) -> Check:
    """All MP of the activation are still there."""
    unspent, pointer = denied(has_spent(at)), "/activation/spent"
    return at.occasion(unspent, demands, *rules, pointer=pointer, takes=False, family=letter)


def something_left(at: Board, letter: str, *rules: str) -> Check:
    """At least 1 MP is left."""
    return needs(mp(at) >= 1, NO_MP_LEFT, *rules, pointer="/activation/mp", family=letter, have=mp(at))


def under_way(at: Board) -> Activation:
    """The activation under way, as far as it is told; a step of an Action cannot go on without one."""
    if acting_family(at) is None:
        raise Refused(needs(False, NO_ACTIVATION, "nw:3.2.one-at-a-time", pointer="/activation/family"))
    return at.acting or Activation()


def note(at: Board, **facts: Any) -> Board:
    """The activation under way with these facts changed."""
    return at.change(activation=structs.replace(under_way(at), **facts))


def spend_mp(at: Board, cost: int, *rules: str) -> Board:
    """Pay for an Action; what was the first to be paid happened where the activation began."""
    acting, left = under_way(at), must_know(mp(at)) - cost
    if not is_told(began_with_fort(at)) and refuted(has_spent(at)) and isinstance(acting.family, str):
        fort = at.has_fort(at.family(acting.family).at)
        at = note(at, began_with_fort=fort) if is_told(fort) else at
    at = note(at, mp=left, spent=True if cost else acting.spent)
    return at.tell(MP_PAID, *rules, cost=cost, left=left)


def spend_all_mp(at: Board, *rules: str) -> Board:
    """Pay everything that is left; the Family has then spent its MP."""
    return note(spend_mp(at, must_know(mp(at)), *rules), spent=True)


# -- the end of an activation, and disbanding at a Fort (3.2.2) --------------------------------------

ACTIVATION_ENDS = message("activation-ends", "The activation of Family %(family)s ends.", outcome=True)
MP_LOST = message("activation-mp-lost", "MP that were not spent are lost: %(left)s.", tells="detail")
DISBANDED = message(
    "family-disbands",
    "Family %(family)s, with Ferocity %(ferocity)s, ends its activation in the same Area as a Fort and must disband: all its population counters go to the Passage of Time Box.",
)
NOT_DISBANDED = message(
    "family-does-not-disband",
    "Family %(family)s ends its activation in the same Area as a Fort, but with Ferocity %(ferocity)s it "
    "does not disband.",
)


def may_end(at: Board, _: EndActivation) -> Iterator[Check]:
    """There is an activation to end."""
    acting = acting_family(at)
    there = acting if isinstance(acting, Unknown) else acting is not None
    yield needs(there, NO_ACTIVATION, "nw:3.2.one-at-a-time", pointer="/activation/family")


def end_activation(at: Board, _: EndActivation) -> tuple[Board, None]:
    """MP that are left are lost; a ferocious Family with a Fort disbands."""
    under_way(at)  # or there is nothing to end
    letter: FamilyLetter = must_know(acting_family(at))  # type: ignore[arg-type]  # it is not nobody
    left = mp(at)
    at = at.change(activation=None).tell(ACTIVATION_ENDS, "nw:3.2.end-hook", family=letter)
    if is_told(left) and left:
        at = at.tell(MP_LOST, "nw:3.2.any-mix", left=left)
    family = at.family(letter)
    if refuted(family.in_play) or not with_fort(at, family):
        return at, None
    rules = ("nw:3.2.2.fort-disband", "nw:13.forts.disband")
    shown = {"family": letter, "ferocity": family.ferocity}
    if not is_too_ferocious(at, family):
        return at.tell(NOT_DISBANDED, "nw:3.2.end-hook", **shown), None
    return disband(at.tell(DISBANDED, *rules, **shown), family), None


def with_fort(at: Board, family: Family) -> bool:
    """Is a Fort in its Area? A Family without Ferocity has nothing to fear from one, so it is not asked."""
    ferocity = family.ferocity
    if refuted(is_in_area(family.at)) or certain(ferocity == 0):
        return False
    return must_know(at.has_fort(family.at))


def is_too_ferocious(at: Board, family: Family) -> bool:
    """More than 1; whether 1 is enough the rulebook says in two ways (C48)."""
    ferocity = must_know(family.ferocity)
    if ferocity == 1:
        return at.choice("fort-disband") == "one-or-more"
    return ferocity > 1


def disband(at: Board, family: Family) -> Board:
    """Its adults go to the Passage of Time Box; without adults the Family leaves the map (1.7.5)."""
    for kind in ("man", "woman", "child", "horse"):
        if is_told(at.in_passage(kind)):
            must_know(getattr(family, kind))
    for kind in ("man", "woman"):
        if certain(getattr(family, kind)):
            at = to_passage(at, kind)
    return dissolve(at.set_family(family.letter, man=False, woman=False), family.letter)


# -- as answers --------------------------------------------------------------------------------------

OFFER = message("take-actions.activate", "Activate Family %(family)s.")
OFFER_END = message("take-actions.end-activation", "End the activation.")


def letters_in_play(at: Board) -> Iterator[str]:
    """Who may be the subject of an activation."""
    return (family.letter for family in at.families())


def ways(_: Board, letter: FamilyLetter) -> Iterator[Activate]:
    """A Family is activated in one way."""
    yield Activate(letter)


def ways_to_end(_: Board, __: FamilyLetter) -> Iterator[EndActivation]:
    """So is its end."""
    yield EndActivation()


def offer(_: Board, do: Activate) -> Said:
    """Whom to activate."""
    return say(OFFER, family=do.family)


ACTION = Action(
    Activate,
    "nw:3.2",
    Term("nw.activation"),
    message("action.activate", "A Family is activated, to spend its MP on Actions."),
    may_activate,
    begin_activation,
    offer=offer,
    ways=ways,
    subjects=letters_in_play,
    subject="family",
)
END_ACTION = Action(
    EndActivation,
    "nw:3.2.end-hook",
    act("act.end-activation", "Ending the activation"),
    message("action.end-activation", "The activated Family ends its activation."),
    may_end,
    end_activation,
    offer=lambda _, __: say(OFFER_END),
    ways=ways_to_end,
    subjects=the_acting_family,
    if_nobody=NOBODY_ACTIVATED,
)
