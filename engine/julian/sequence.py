"""The Sequence of Play: from one phase or Sub-Phase to the next, optional phases in or out of use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from msgspec import Struct, UnsetType

from engine.actions import NOT_NAMED, Action, Said, is_named, say
from engine.julian.board import PHASE, PLAYER, Board, is_there
from engine.julian.dux import NO_SUCH_COMMAND
from engine.julian.position import Name, OptionalPhase, Phase, Subphase
from engine.messages import Term, act, message, requirement
from engine.tables import Where
from engine.verdict import Caution, Check, certain, is_told, must_know, needs, unknown, warns


class NextPhase(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="next-phase"):
    """The game goes on to the next place in the Sequence of Play."""

    command: Name | UnsetType | None = NOT_NAMED
    options: tuple[OptionalPhase, ...] = ()


PHASE_RULE: dict[Phase, str] = {
    "stratagem": "jul:seq.1",
    "return": "jul:seq.3a",
    "taxation": "jul:seq.3b",
    "supply": "jul:seq.3c",
    "crisis": "jul:seq.3d",
    "advance": "jul:seq.3e",
}
AFTER: dict[Phase, tuple[Phase, ...]] = {
    "return": ("taxation",),
    "taxation": ("supply", "crisis", "advance"),
    "supply": ("crisis", "advance"),
    "crisis": ("advance",),
    "advance": ("stratagem",),
}
NEXT_SUBPHASE: dict[Subphase, Subphase] = {
    "start": "reinforcement",
    "reinforcement": "movement",
    "movement": "combat",
}

# -- what may be done --------------------------------------------------------------------------------

NO_FIRST_PHASE = requirement(
    "no-first-operations-phase",
    "After the Stratagem Marker Phase comes the First Operations Phase: name the command chit for it.",
    met="A command chit is named for the First Operations Phase.",
)
NO_CHIT_HERE = requirement(
    "no-command-chit-here",
    "No command chit is drawn here, because no Operations Phase begins: name none. Next comes: %(next)s.",
    met="No command chit is drawn here, and none is named.",
)
NOT_OVER_YET = requirement(
    "operations-phase-not-over",
    "This Operations Phase still has Sub-Phases to come; the Operations Phases do not end here.",
    met="The Operations Phase is over.",
)
SECOND_PHASE_LEFT_OUT = message(
    "second-operations-phase-left-out",
    "The Sequence of Play has a Second Operations Phase, which is left out here; what ends the Operations Phases is not in the player aid.",
)
CHIT_DRAWN_TWICE = message(
    "chit-drawn-twice",
    "The command chit of the command %(command)s has already been drawn this game turn. Whether it can be "
    "drawn again is not in the player aid.",
)
COMBAT_LEFT_OPEN = message(
    "combat-left-open", "A combat was still being resolved; with this step it is over."
)
ASK_CHIT = message("ask-command-chit", "Which command chit is drawn for the next Operations Phase?")


def may_go_on(at: Board, do: NextPhase) -> Iterator[Check | Caution]:
    """Whether the step named is the next one."""
    phase = must_know(at.phase)
    if certain(at.combat_open):
        yield warns(COMBAT_LEFT_OPEN, "jul:seq.subphases", pointer="/combat")
    if phase == "operations":
        yield from may_leave_subphase(at, do)
    elif phase == "stratagem":
        if is_named(do.command):
            yield needs(do.command is not None, NO_FIRST_PHASE, "jul:seq.2a", pointer="/action/command")
        yield from may_begin_operations(at, do)
    else:
        follows = next_phase(at, phase, do)
        rule = PHASE_RULE[follows]
        named = isinstance(do.command, str)
        yield needs(not named, NO_CHIT_HERE, rule, pointer="/action/command", next=PHASE[follows])


def may_leave_subphase(at: Board, do: NextPhase) -> Iterator[Check | Caution]:
    """Sub-Phases first; after the last one a new Operations Phase, or none."""
    subphase = must_know(at.subphase)
    if subphase in NEXT_SUBPHASE:
        rules = ("jul:seq.subphases",)
        if do.command is None:
            yield needs(False, NOT_OVER_YET, *rules, "jul:seq.3a", pointer="/action/command")
        named = isinstance(do.command, str)
        follows = SUBPHASE_TERM[NEXT_SUBPHASE[subphase]]
        yield needs(not named, NO_CHIT_HERE, *rules, pointer="/action/command", next=follows)
        return
    if do.command is None and certain(at.operations_phase == 1):
        yield warns(SECOND_PHASE_LEFT_OUT, "jul:seq.2b", pointer="/operations_phase")
    yield from may_begin_operations(at, do)


def may_begin_operations(at: Board, do: NextPhase) -> Iterator[Check | Caution]:
    """The chit must be named, and its command be in the game."""
    if not is_named(do.command):
        must_know(unknown("/action/command", ASK_CHIT))
    if not isinstance(do.command, str):
        return
    found = at.command(do.command)
    rule = operations_rule(at)
    yield needs(is_there(found), NO_SUCH_COMMAND, rule, pointer="/commands", command=do.command)
    if found is not None:
        must_know(at.command_fact(found, "side"))
        if certain(at.command_fact(found, "drawn")):
            where = f"{at.command_pointer(do.command)}/drawn"
            yield warns(CHIT_DRAWN_TWICE, rule, pointer=where, command=do.command)


def operations_rule(at: Board) -> str:
    """Which Operations Phase would begin: the first, the second or a further one."""
    if certain(at.phase == "stratagem"):
        return "jul:seq.2a"
    return "jul:seq.2b" if certain(at.operations_phase == 1) else "jul:seq.2c"


# -- where it can go on ------------------------------------------------------------------------------

OFFER_CHIT = message("next-phase-offer-chit", "The next Operations Phase begins: command chit %(command)s.")
OFFER_PHASE = message("next-phase-offer", "Go on to the next phase: %(phase)s.")
OFFER_SUBPHASE = message("next-subphase-offer", "Go on within the Operations Phase: %(subphase)s.")


def ways(at: Board, _nobody: None) -> Iterator[NextPhase]:
    """Each place that can be next: any command chit, no further Operations Phase, an optional phase or none."""
    phase = must_know(at.phase)
    if phase == "operations" and must_know(at.subphase) in NEXT_SUBPHASE:
        yield NextPhase()
    elif phase in ("stratagem", "operations"):
        yield from (NextPhase(command=command.name) for command in at.commands_known)
        if not at.all_commands_told:
            yield NextPhase()  # one that was not told yet: it is asked which
        if phase == "operations":
            yield NextPhase(command=None)
    else:
        if not is_told(at.options):  # which optional rules are in use is not told: each may be
            optional = [follows for follows in AFTER[phase] if follows in OPTIONAL_SECTION]
            yield from (NextPhase(options=(follows,)) for follows in optional)  # type: ignore[arg-type]
        yield NextPhase()


def variants(at: Board, nobody: None) -> Iterator[NextPhase]:
    """The same, and every mix of optional phases where one may come next: the position keeps which are in use."""
    plain = list(ways(at, nobody))
    yield from plain
    if NextPhase() in plain and must_know(at.phase) not in ("stratagem", "operations"):
        mixes = (NextPhase(options=mix) for mix in (("supply",), ("crisis",), ("supply", "crisis")))
        yield from (do for do in mixes if do not in plain)


def offer(at: Board, do: NextPhase) -> Said:
    """What comes next."""
    phase = must_know(at.phase)
    if isinstance(do.command, str):
        return say(OFFER_CHIT, command=do.command)
    if phase == "stratagem":  # the chit is not told yet
        return say(OFFER_PHASE, phase=PHASE["operations"])
    if phase == "operations" and must_know(at.subphase) in NEXT_SUBPHASE:
        return say(OFFER_SUBPHASE, subphase=SUBPHASE_TERM[NEXT_SUBPHASE[must_know(at.subphase)]])
    return say(OFFER_PHASE, phase=PHASE["return" if phase == "operations" else next_phase(at, phase, do)])


# -- what it does ------------------------------------------------------------------------------------

PHASE_BEGINS = message("phase-begins", "Next phase: %(phase)s.", outcome=True)
SUBPHASE_BEGINS = message("subphase-begins", "The Operations Phase goes on: %(subphase)s.", outcome=True)
OPERATIONS_BEGIN = message(
    "operations-phase-begins",
    "An Operations Phase of the %(player)s begins: command chit %(command)s.",
    outcome=True,
)
SUBPHASES_ELSEWHERE = message(
    "subphases-not-in-the-aid",
    "The player aid names a Reinforcement Sub-Phase and a Movement Sub-Phase but has no full list. Taken here: the start, the Reinforcement Sub-Phase, the Movement Sub-Phase, the combats.",
    tells="detail",
)
PHASE_ELSEWHERE = message(
    "phase-not-in-the-aid",
    "What is done in this phase is not in the player aid: see your rulebook.",
    tells="detail",
)
OPTIONAL_ELSEWHERE = message(
    "optional-phase-not-in-the-aid",
    "This phase belongs to optional rule %(section)s; what is done in it is not in the player aid.",
    tells="detail",
)
PASSED_OVER = message("optional-phase-passed-over", "Not in use and passed over: %(phase)s.")
TURN_NOW = message("turn-now", "It is now game turn %(turn)s. No command chit has been drawn in it yet.")
NEW_TURN = message("new-turn", "A new game turn begins. No command chit has been drawn in it yet.")

OPTIONAL_SECTION: dict[Phase, str] = {"supply": "25.0", "crisis": "23.0"}
SUBPHASE_TERM: dict[Subphase, Term] = {
    "reinforcement": Term("jul.subphase.reinforcement"),
    "movement": Term("jul.subphase.movement"),
    "combat": Term("jul.combat"),
}


def go_on(at: Board, do: NextPhase) -> tuple[Board, Where | None]:
    """Go to the next place in the Sequence of Play."""
    phase = must_know(at.phase)
    if phase == "operations" and must_know(at.subphase) in NEXT_SUBPHASE:
        return enter_subphase(at, NEXT_SUBPHASE[must_know(at.subphase)]), None
    if isinstance(do.command, str) and phase in ("stratagem", "operations"):
        return begin_operations(at, do.command), None
    if phase == "operations":
        return enter(at.set_commands(active=False), "return"), None
    follows = next_phase(at, phase, do)
    if do.options:
        at = at.change(options=in_use(at, do))
    for optional in AFTER[phase]:
        if optional == follows:
            break
        at = at.tell(PASSED_OVER, PHASE_RULE[optional], phase=PHASE[optional])
    return enter(new_turn(at) if phase == "advance" else at, follows), None


def next_phase(at: Board, phase: Phase, do: NextPhase) -> Phase:
    """The phase that follows, optional ones only where they are in use."""
    used = in_use(at, do)
    return next(one for one in AFTER[phase] if one not in OPTIONAL_SECTION or one in used)


def in_use(at: Board, do: NextPhase) -> tuple[OptionalPhase, ...]:
    """The optional phases in use: those the position remembers, and those named now."""
    before = at.options if is_told(at.options) else ()
    return tuple(one for one in get_args(OptionalPhase) if one in (*before, *do.options))


def enter_subphase(at: Board, subphase: Subphase) -> Board:
    """The next part of the same Operations Phase; what was played in it still counts."""
    at = at.change(subphase=subphase, last_play=None, last_roll=None, combat=None)
    return at.tell(SUBPHASE_BEGINS, "jul:seq.subphases", subphase=SUBPHASE_TERM[subphase])


def begin_operations(at: Board, name: str) -> Board:
    """A new Operations Phase of the player whose command chit was drawn."""
    rule = operations_rule(at)
    command = at.command(name)
    side = must_know(at.command_fact(command, "side"))  # type: ignore[arg-type]
    at = at.set_commands(active=False).set_command(name, drawn=True, active=True)
    at = clear(at).begin_operations(side)
    at = at.tell(OPERATIONS_BEGIN, rule, command=name, player=PLAYER[side])
    return at.tell(SUBPHASES_ELSEWHERE, "jul:seq.subphases")


def enter(at: Board, phase: Phase) -> Board:
    """A phase that belongs to no player."""
    at = clear(at).change(phase=phase, active=None, operations_phase=None, subphase=None)
    at = at.tell(PHASE_BEGINS, PHASE_RULE[phase], phase=PHASE[phase])
    if phase in OPTIONAL_SECTION:
        return at.tell(OPTIONAL_ELSEWHERE, PHASE_RULE[phase], section=OPTIONAL_SECTION[phase])
    return at if phase == "advance" else at.tell(PHASE_ELSEWHERE, PHASE_RULE[phase])


def clear(at: Board) -> Board:
    """Nothing has been played or rolled yet in the phase that begins."""
    return at.nothing_played()


def new_turn(at: Board) -> Board:
    """The turn marker goes on; every command chit is undrawn again."""
    at = at.set_commands(drawn=False, active=False)
    turn = at.turn
    if not isinstance(turn, int):
        return at.tell(NEW_TURN, "jul:seq.3e")
    return at.change(turn=turn + 1).tell(TURN_NOW, "jul:seq.3e", turn=turn + 1)


ACTION = Action(
    NextPhase,
    "jul:seq",
    act("act.next-phase", "Going on to the next phase"),
    message("action.next-phase", "The game goes on to the next phase or Sub-Phase of the Sequence of Play."),
    may_go_on,
    go_on,
    offer=offer,
    ways=ways,
    variants=variants,
)
