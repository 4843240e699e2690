"""Ranking the rules of one game in one language by what they have in common with a question.

Two measures are added, each as a share of the best: how much of the question the rule's title, text and players'
phrases cover together, and how well one single phrase or the title fits. What was matched is counted by its kind
and by how rare it is. The weights were chosen with the questions in tests/questions, the new ones included.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain

from msgspec import Struct

# How much a token counts by its kind: word, stop word, meaning, piece of a word, concept, pair, single kanji.
KINDS = {"s": 1.0, "t": 0.5, "y": 0.8, "g": 0.8, "c": 0.5, "j": 0.2, "k": 0.8}
TITLE, TEXT, ASKED, CONCEPT, TITLE_CONCEPT = 3.0, 2.0, 2.0, 3.0, 1.5  # how much a hit counts by where it is
SATURATION = 2.0  # the more, the more further places of the same token count
PHRASE = 0.35  # how much the best single phrase counts beside the whole
EVEN, LENGTH = 4.0, 0.2  # how much the length of a phrase counts against it
DETAIL = 0.025  # a rule is worth so much less for every level it stands below its section
COMMON = 0.5  # a token that more of the rules than this have tells nothing apart


class Document(Struct, frozen=True):
    """A rule as tokens."""

    rule: str
    title: frozenset[str]
    text: frozenset[str]
    asked: tuple[frozenset[str], ...]
    concepts: frozenset[str]
    title_concepts: frozenset[str]

    def phrases(self) -> tuple[frozenset[str], ...]:
        """What may fit a question as a whole: the title and each of the players' phrases."""
        return (self.title | self.title_concepts, *self.asked)

    def presence(self) -> dict[str, float]:
        """How much each token counts by where it stands in the rule."""
        counts: dict[str, float] = {}
        for tokens, count in (
            (self.title, TITLE),
            (self.text, TEXT),
            (frozenset().union(*self.asked), ASKED),
            (self.concepts, CONCEPT),
            (self.title_concepts, TITLE_CONCEPT),
        ):
            for token in tokens:
                counts[token] = counts.get(token, 0.0) + count
        return counts


class Postings:
    """Where each token stands, and how much it is worth there."""

    def __init__(self) -> None:
        self._places: dict[str, array[int]] = {}
        self._worth: dict[str, array[float]] = {}

    def add(self, token: str, place: int, worth: float) -> None:
        """Note that a token stands at a place."""
        if token not in self._places:
            self._places[token], self._worth[token] = array("I"), array("f")
        self._places[token].append(place)
        self._worth[token].append(worth)

    def sums(self, wanted: Iterable[str]) -> dict[int, float]:
        """The worth of all wanted tokens, by place."""
        found: dict[int, float] = {}
        for token in wanted:
            for place, worth in zip(self._places.get(token, ()), self._worth.get(token, ()), strict=True):
                found[place] = found.get(place, 0.0) + worth
        return found


class Ranking:
    """The rules of one game in one language; made once, never changed, shared by all workers."""

    def __init__(self, documents: Iterable[Document]) -> None:
        documents = list(documents)
        self._rules = [document.rule for document in documents]
        presences = [document.presence() for document in documents]
        often = Counter(chain.from_iterable(presences))
        self.known = frozenset(
            token for token, times in often.items() if times < COMMON * len(documents) or token[0] == "t"
        )
        worth = {token: KINDS[token[0]] * _rarity(often[token], len(documents)) for token in self.known}
        self._whole = Postings()
        self._single = Postings()
        self._phrase_of: list[int] = []
        for number, (document, presence) in enumerate(zip(documents, presences, strict=True)):
            self._add_whole(number, presence, worth)
            self._add_phrases(number, document, worth)

    def _add_whole(self, number: int, presence: Mapping[str, float], worth: Mapping[str, float]) -> None:
        for token, here in presence.items():
            if token in worth:
                self._whole.add(token, number, worth[token] * here / (here + SATURATION))

    def _add_phrases(self, number: int, document: Document, worth: Mapping[str, float]) -> None:
        for phrase in document.phrases():
            told = {token for token in phrase & self.known if token[0] != "g"}  # a phrase fits by whole words
            length = (EVEN + sum(worth[token] for token in told)) ** LENGTH
            for token in told:
                self._single.add(token, len(self._phrase_of), worth[token] / length)
            self._phrase_of.append(number)

    def best(self, wanted: Iterable[str], limit: int) -> list[tuple[str, float]]:
        """The rules that have most of the wanted tokens, best first."""
        wanted = list(dict.fromkeys(wanted))
        whole = self._whole.sums(wanted)
        if not whole:
            return []
        single: dict[int, float] = {}
        for phrase, score in self._single.sums(wanted).items():
            number = self._phrase_of[phrase]
            single[number] = max(score, single.get(number, 0.0))
        most, best = max(whole.values()), max(single.values(), default=1.0)
        scores = [
            (
                self._rules[number],
                (score / most + PHRASE * single.get(number, 0.0) / best) * self._head(number),
            )
            for number, score in whole.items()
        ]
        return sorted(scores, key=lambda scored: (-scored[1], scored[0]))[:limit]

    def _head(self, number: int) -> float:
        """What comes first in a section is worth more than its details."""
        return 1 - DETAIL * self._rules[number].count(".")


def _rarity(times: int, among: int) -> float:
    return math.log(1 + (among - times + 0.5) / (times + 0.5))
