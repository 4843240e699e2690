"""Which answer serves an aim best: looked for one decision further each time, as far as the budget allows."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import count, islice
from typing import Any

from engine.chance import Dice, Die, Draw
from engine.policy import possible

MOST_AHEAD = 600  # positions looked at for one decision
MOST_CHOICES = 40  # answers to one decision that are looked at
CHANCE = (Die, Dice, Draw)


class Ahead:
    """Looks ahead from decisions; every later decision is taken to serve the aim, too."""

    def __init__(
        self,
        after: Callable[[Any, Any], Any],
        judged: Callable[[Any], int],
        key: Callable[[Any], bytes],
        spent: Callable[[], bool],
        unfinished: Callable[[Any], bool],
    ) -> None:
        self._after = after  # the branch after an answer
        self._judged = judged  # how a branch serves the aim where it stands
        self._key = key  # what makes branches equal
        self._spent = spent
        self._unfinished = unfinished  # does nobody know what comes of a branch that has ended?
        self._best: dict[bytes, Any] = {}
        self._whole: dict[bytes, Fraction] = {}  # of branches that were seen to all their ends
        self._branches: dict[bytes, list[tuple[Any, int]]] = {}
        self._left = 0  # positions for the decision under way
        self._cut = False  # something was judged before its end
        self.guessed = False  # an answer was chosen without seeing all ends
        self.blind = False  # an end was judged that a table not told, or another fact, may turn

    def best(self, node: Any) -> Any:
        """The answer from which most is to be expected."""
        key = self._key(node)
        if key not in self._best:
            self._best[key] = self._looked_for(node)
        return self._best[key]

    def _looked_for(self, node: Any) -> Any:
        """The best by what was seen last as far as it was looked; by what comes at once, if there is no time for more."""
        values = answers(node)
        self._left, found = MOST_AHEAD, values[0]
        for further in count():
            self._cut = False
            worths = [self._worth(child, further) for child, _ in self._ways_on(node)]
            if further and self._used_up():
                break
            found = values[worths.index(max(worths))]
            if not self._cut:
                return found
        self.guessed = True
        return found

    def _used_up(self) -> bool:
        return self._left <= 0 or self._spent()

    def _worth(self, node: Any, decisions: int) -> Fraction:
        """What is to be expected, as seen so many decisions further on."""
        if node.ended is not None:
            self.blind = self.blind or self._unfinished(node)
            return Fraction(self._judged(node))
        key = self._key(node)
        if key in self._whole:
            return self._whole[key]
        decided = node.wanted is None and not isinstance(node.answers, CHANCE)
        if self._used_up() or decisions == 0:
            self._cut = True
            return Fraction(self._judged(node))
        cut, self._cut = self._cut, False
        found = self._expected(node, decisions - decided, decided=decided)
        if not self._cut:
            self._whole[key] = found
        self._cut = self._cut or cut
        return found

    def _expected(self, node: Any, decisions: int, *, decided: bool) -> Fraction:
        """The best of all answers where somebody decides, else their mean by weight."""
        ways = self._ways_on(node)
        if decided:
            return max(self._worth(child, decisions) for child, _ in ways)
        weights = sum(weight for _, weight in ways)
        return sum((self._worth(child, decisions) * weight for child, weight in ways), Fraction(0)) / weights

    def _ways_on(self, node: Any) -> list[tuple[Any, int]]:
        """Every branch that goes on from here; it is followed once, however often it is looked at."""
        key = self._key(node)
        if key not in self._branches:
            ways = [(self._after(node, value), weight) for value, weight in _ways(node)]
            self._left -= len(ways)
            self._branches[key] = ways
        return self._branches[key]


def answers(node: Any) -> list[Any]:
    """The answers to a decision that are looked at."""
    return [value for value, _ in islice(possible(node.answers), MOST_CHOICES)]


def _ways(node: Any) -> list[tuple[Any, int]]:
    """Every answer with its weight: what chance brings, what the policy says, or all that may be chosen."""
    if isinstance(node.answers, CHANCE):
        return list(node.answers.outcomes())
    if node.wanted is not None:
        return [(node.wanted[0], 1)]
    return [(value, 1) for value in answers(node)]
